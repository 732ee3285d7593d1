"""Faults that tests can put into the transport."""

from collections.abc import Iterator

import pytest

from mobile_gym.phone.adbd.faults import AdbdFaults
from mobile_gym.phone.adbd.packets import Command, Packet, PacketError
from mobile_gym.phone.adbd.serve import PhoneServer
from tests.phone.adbd.client import Client
from tests.phone.adbd.fakes import FakePhone, FakeShell


@pytest.fixture
def server() -> Iterator[PhoneServer]:
    with PhoneServer(FakePhone, 0, None, make_shell=FakeShell, make_files=lambda phone: phone.state.files) as running:
        yield running


@pytest.fixture
def client(server: PhoneServer) -> Iterator[Client]:
    with Client(server.adb_port) as connected:
        yield connected


def test_the_connection_is_cut_after_some_packets(server: PhoneServer, client: Client) -> None:
    server.faults.drop_after_packets = 2
    client.greet()
    client.open("shell:")
    client.receive()
    client.send(Command.OKAY, 1, 1)
    assert client.at_end()


def test_an_offline_phone_never_greets(server: PhoneServer, client: Client) -> None:
    server.faults.offline = True
    client.send(Command.CNXN, 0x01000001, 4096, b"host::")
    server.faults.clear()
    assert client.greet().command == Command.CNXN


def test_an_unauthorized_phone_asks_for_a_key(server: PhoneServer, client: Client) -> None:
    server.faults.unauthorized = True
    assert client.greet() == Packet(Command.AUTH, 1, 0, bytes(20))
    client.send(Command.AUTH, 2, 0, b"signature")
    assert client.receive() == Packet(Command.AUTH, 1, 0, bytes(20))


def test_services_hang_wait_refuse_and_talk_nonsense(server: PhoneServer, client: Client) -> None:
    server.faults.hang = ("shell:hang",)
    server.faults.refuse = ("shell:refuse",)
    server.faults.delay_s = {"shell:echo slow": 0.05}
    server.faults.garbage = {"shell:echo garbled": b"\0\xff"}
    client.greet()
    hung = client.open("shell:hang", local_id=1)
    client.open("shell:echo slow", local_id=2)
    client.open("shell:echo garbled", local_id=3)
    assert client.read_stream(3) == [b"\0\xff"]
    assert client.read_stream(2) == [b"slow\n"]
    client.send(Command.OPEN, 4, 0, b"shell:refuse\0")
    assert client.receive() == Packet(Command.CLSE, 0, 4)
    client.send(Command.CLSE, 1, hung)
    assert client.receive() == Packet(Command.CLSE, hung, 1)


def test_corrupt_packets_come_once(server: PhoneServer, client: Client) -> None:
    server.faults.corrupt_packets = True
    client.greet()
    with pytest.raises(PacketError):
        client.open("shell:echo hi")
    assert server.faults == AdbdFaults()
