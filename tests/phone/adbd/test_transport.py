"""Connection and streams, against a client that sends exactly the packets of each case."""

from collections.abc import Iterator

import pytest

from mobile_gym.phone.adbd.packets import MAX_PAYLOAD, VERSION, Command, Packet, checksum
from mobile_gym.phone.adbd.ports import echo
from mobile_gym.phone.adbd.serve import PhoneServer, ServeError
from tests.phone.adbd.client import Client
from tests.phone.adbd.fakes import FakePhone, FakeShell


def make_server() -> PhoneServer:
    return PhoneServer(FakePhone, 0, None, make_shell=FakeShell, make_files=lambda phone: phone.state.files)


@pytest.fixture
def server() -> Iterator[PhoneServer]:
    with make_server() as running:
        yield running


@pytest.fixture
def client(server: PhoneServer) -> Iterator[Client]:
    with Client(server.adb_port) as connected:
        yield connected


def test_the_greeting_names_the_phone_and_its_features(client: Client) -> None:
    answer = client.greet()
    assert (answer.command, answer.arg0, answer.arg1) == (Command.CNXN, VERSION, MAX_PAYLOAD)
    assert answer.payload.startswith(
        b"device::ro.product.name=fake;ro.product.model=Fake_Phone;ro.product.device=fake;features=shell_v2,cmd"
    )
    assert b"delayed_ack" not in answer.payload
    assert b"abb" not in answer.payload
    assert int.from_bytes(client.header[16:20], "little") == checksum(answer.payload)


def test_old_clients_get_small_packets_with_checksums(client: Client) -> None:
    client.greet(version=0x01000000, max_payload=4096)
    client.open("exec:zeros 10000")
    sizes = []
    while (packet := client.receive()).command == Command.WRTE:
        assert int.from_bytes(client.header[16:20], "little") == checksum(packet.payload)
        sizes.append(len(packet.payload))
        client.send(Command.OKAY, 1, packet.arg0)
    assert sizes == [4096, 4096, 1808]


def test_new_clients_get_no_checksums(client: Client) -> None:
    client.greet()
    client.open("shell:echo hi")
    assert client.receive().payload == b"hi\n"
    assert client.header[16:20] == bytes(4)


def test_one_write_a_stream_is_under_way(client: Client) -> None:
    client.greet(max_payload=1000)
    first = client.open("exec:zeros 2000", local_id=1)
    assert client.receive() == Packet(Command.WRTE, first, 1, bytes(1000))
    # Nothing more of stream 1 comes before its OKAY: the next packets are those of stream 2.
    second = client.open("shell:echo two", local_id=2)
    assert client.receive() == Packet(Command.WRTE, second, 2, b"two\n")
    client.send(Command.OKAY, 1, first)
    assert client.receive() == Packet(Command.WRTE, first, 1, bytes(1000))


@pytest.mark.parametrize("service", ["jdwp:1", "abb_exec:package", "localabstract:nobody", "tcp:1234", "what", ""])
def test_unknown_services_are_refused(client: Client, service: str) -> None:
    client.greet()
    client.send(Command.OPEN, 7, 0, service.encode() + b"\0")
    assert client.receive() == Packet(Command.CLSE, 0, 7)


def test_what_was_never_offered_is_passed_over(client: Client) -> None:
    client.send(Command.OPEN, 1, 0, b"shell:echo too early\0")
    client.send(Command.STLS, 1)
    client.send(Command.AUTH, 1, 0, b"signature")
    client.greet()
    client.send(Command.AUTH, 1, 0, b"signature")
    client.send(0x12345678, 1, 2, b"of a later version")
    client.send(Command.OKAY, 1, 99)
    client.send(Command.CLSE, 1, 99)
    client.open("shell:echo still here")
    assert client.read_stream() == [b"still here\n"]


def test_a_write_to_no_stream_is_answered_with_a_close(client: Client) -> None:
    client.greet()
    client.send(Command.WRTE, 5, 99, b"data")
    assert client.receive() == Packet(Command.CLSE, 0, 5)


def test_bytes_that_are_no_packet_end_the_connection(client: Client) -> None:
    client.greet()
    client.send_bytes(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert client.at_end()


def test_a_second_greeting_closes_old_streams(client: Client) -> None:
    client.greet()
    client.open("shell:")
    client.receive()
    client.greet()
    client.open("shell:echo new")
    assert client.read_stream() == [b"new\n"]


def test_a_port_inside_the_phone_can_be_talked_to() -> None:
    server = make_server()
    server.ports.listen("tcp:7", echo)
    with server, Client(server.adb_port) as client:
        client.greet()
        remote = client.open("tcp:7")
        client.send(Command.WRTE, 1, remote, b"ping")
        packets = [client.receive(), client.receive()]
        assert Packet(Command.OKAY, remote, 1) in packets
        assert Packet(Command.WRTE, remote, 1, b"ping") in packets
        client.send(Command.OKAY, 1, remote)
        client.send(Command.CLSE, 1, remote)
        assert client.receive() == Packet(Command.CLSE, remote, 1)


def test_input_before_a_close_is_all_read(client: Client, server: PhoneServer) -> None:
    client.greet()
    remote = client.open("exec:cat > /data/local/tmp/in")
    client.send(Command.WRTE, 1, remote, b"last words")
    client.send(Command.CLSE, 1, remote)
    client.read_stream()
    client.open("shell:echo after", local_id=2)
    assert client.read_stream(2) == [b"after\n"]
    assert server.worker.call(lambda phone: phone.state.files.read("/data/local/tmp/in")) == b"last words"


def test_a_terminal_prompts_echoes_and_ends(client: Client) -> None:
    client.greet()
    remote = client.open("shell:")
    shown = b""
    for typed, expected in [
        (b"", b"fake:/ $ "),
        (b"echo hi\r", b"echo hi\r\nhi\r\nfake:/ $ "),
        (b'echo "a\r', b'echo "a\r\n> '),
        (b'b"\r', b'b"\r\na\r\n/system/bin/sh: b: inaccessible or not found\r\nfake:/ $ '),
        (b"half\x03", b"half^C\r\nfake:/ $ "),
        (b"\x04", b""),
    ]:
        if typed:
            client.send(Command.WRTE, 1, remote, typed)
        shown = b""
        while len(shown) < len(expected):
            packet = client.receive()
            if packet.command == Command.WRTE:
                shown += packet.payload
                client.send(Command.OKAY, 1, remote)
        assert shown == expected
    while (packet := client.receive()).command == Command.OKAY:
        pass
    assert packet.command == Command.CLSE


def test_logcat_goes_on_until_the_client_leaves(client: Client, server: PhoneServer) -> None:
    def log(line: bytes) -> None:
        server.worker.call(lambda phone: phone.lines.append(line))

    log(b"one\n")
    client.greet()
    remote = client.open("shell:logcat")
    assert client.receive().payload == b"one\n"
    client.send(Command.OKAY, 1, remote)
    log(b"two\n")
    assert client.receive().payload == b"two\n"
    client.send(Command.OKAY, 1, remote)
    client.send(Command.CLSE, 1, remote)
    assert client.receive().command == Command.CLSE
    client.open("shell:echo done", local_id=2)
    assert client.read_stream(2) == [b"done\n"]


def test_a_line_that_never_ends_holds_up_its_own_stream_only(client: Client) -> None:
    client.greet()
    hung = client.open("shell:hang")
    client.open("shell:echo next", local_id=2)
    assert client.read_stream(2) == [b"next\n"]
    client.send(Command.CLSE, 1, hung)
    assert client.receive() == Packet(Command.CLSE, hung, 1)


@pytest.mark.parametrize("name", ["reboot:", "shell:reboot"])
def test_a_reboot_ends_all_connections_and_the_rights_of_root(client: Client, server: PhoneServer, name: str) -> None:
    server.worker.call(lambda phone: phone.props.update({"service.adb.root": "1"}))
    with Client(server.adb_port) as other:
        other.greet()
        client.greet()
        client.open(name)
        assert client.receive().command == Command.CLSE
        assert client.at_end()
        assert other.at_end()
    assert server.worker.call(lambda phone: (phone.told, "service.adb.root" in phone.props)) == (["reboot"], False)


def test_a_line_can_break_the_connection(client: Client) -> None:
    client.greet()
    client.open("shell:drop")
    assert client.at_end()


def test_a_phone_that_stands_still_lets_clients_wait(client: Client, server: PhoneServer) -> None:
    async def stand_still() -> None:
        server.pause()

    async def go_on() -> None:
        server.resume()

    client.greet()
    server.call(stand_still, 5)
    client.send(Command.OPEN, 1, 0, b"shell:echo late\0")
    assert not server.running
    server.call(go_on, 5)
    assert client.receive().command == Command.OKAY
    assert client.read_stream() == [b"late\n"]


def test_a_port_in_use_is_named(server: PhoneServer) -> None:
    other = PhoneServer(
        FakePhone, server.adb_port, None, make_shell=FakeShell, make_files=lambda phone: phone.state.files
    )
    with pytest.raises(ServeError, match=rf"ADB port {server.adb_port} on 127.0.0.1 is in use.*choose other ports"):
        other.start()


def test_a_phone_that_cannot_be_made_frees_its_ports() -> None:
    def fail() -> FakePhone:
        raise ValueError("no such profile")

    with pytest.raises(ValueError, match="no such profile"):
        PhoneServer(fail, 0, None, make_shell=FakeShell, make_files=lambda phone: phone.state.files).start()


def test_a_server_starts_once() -> None:
    server = make_server()
    with server:
        pass
    server.stop()
    with pytest.raises(ServeError, match="starts once"):
        server.start()
