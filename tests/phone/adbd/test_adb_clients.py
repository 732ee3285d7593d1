"""The real adb command line and adbutils against a small phone: what the transport promises them."""

import hashlib
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import adbutils
import numpy as np
import pytest

from mobile_gym.phone.adbd.announce import announce
from mobile_gym.phone.adbd.ports import echo
from mobile_gym.phone.adbd.serve import PhoneServer
from tests.phone.adbd.fakes import FakePhone, FakeShell
from tests.support.adb import Adb, free_port, free_port_pair

pytestmark = pytest.mark.timeout(60)


def make_server(adb: Adb, *, production: bool = False) -> PhoneServer:
    console, port = free_port_pair()
    return PhoneServer(
        FakePhone,
        port,
        console,
        console_token=adb.home / ".emulator_console_auth_token",
        production=production,
        make_shell=FakeShell,
        make_files=lambda phone: phone.state.files,
    )


@pytest.fixture(scope="module")
def server(adb: Adb) -> Iterator[PhoneServer]:
    """A phone that the private ADB server knows as an emulator."""
    made = make_server(adb)
    made.ports.listen("tcp:7", echo)
    with made:
        assert announce(made.adb_port, adb.port)
        adb.text("wait-for-device", serial=made.serial)
        yield made


@pytest.fixture(scope="module")
def device(adb: Adb, server: PhoneServer) -> adbutils.AdbDevice:
    return adb.client().device(serial=server.serial)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def big_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """5 MB and a bit that do not shrink."""
    path = tmp_path_factory.mktemp("files") / "big.bin"
    path.write_bytes(np.random.default_rng(0).bytes((5 << 20) + 123))
    return path


def test_devices_lists_the_phone_with_its_names(adb: Adb, server: PhoneServer) -> None:
    lines = [line for line in adb.text("devices", "-l").splitlines() if line.startswith(server.serial)]
    assert len(lines) == 1
    assert "device product:fake model:Fake_Phone device:fake transport_id:" in lines[0]
    assert adb.text("get-state", serial=server.serial) == "device\n"


def test_shell_keeps_outputs_apart_and_passes_the_exit_status_on(adb: Adb, server: PhoneServer) -> None:
    done = adb.run("shell", "echo out; echo oops; nope", serial=server.serial)
    assert done.returncode == 127
    assert done.stdout == b"out\n"
    assert done.stderr == b"oops\n/system/bin/sh: nope: inaccessible or not found\n"


def test_shell_v1_shows_both_outputs_in_order(adb: Adb, server: PhoneServer) -> None:
    done = adb.run("shell", "-x", "echo one; echo oops; echo two", serial=server.serial)
    assert done.stdout == b"one\noops\ntwo\n"
    assert done.returncode == 0


def test_a_shell_is_fed_through_its_input(adb: Adb, server: PhoneServer) -> None:
    done = adb.run("shell", serial=server.serial, stdin=b"echo one\nid\nexit 7\necho never\n")
    assert (done.returncode, done.stdout) == (7, b"one\nshell\n")
    done = adb.run("shell", "-tt", serial=server.serial, stdin=b"echo hi\nexit 3\n")
    assert done.stdout == b"fake:/ $ echo hi\r\nhi\r\nfake:/ $ exit 3\r\n"
    assert done.returncode == 3


def test_large_input_and_output(adb: Adb, server: PhoneServer, big_file: Path) -> None:
    data = big_file.read_bytes()
    assert adb.run("shell", "cat", serial=server.serial, stdin=data).stdout == data
    assert adb.run("exec-in", "cat > /data/local/tmp/in", serial=server.serial, stdin=data).returncode == 0
    assert adb.run("exec-out", "cat /data/local/tmp/in", serial=server.serial).stdout == data
    assert adb.run("exec-out", "screencap -p", serial=server.serial).stdout.startswith(b"\x89PNG\r\n\x1a\n")


def test_a_command_that_takes_no_input_does_not_wait_for_its_end(adb: Adb, server: PhoneServer) -> None:
    with subprocess.Popen(
        [adbutils.adb_path(), "-s", server.serial, "shell", "echo hi"],
        env=adb.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.read() == b"hi\n"
        assert process.wait(10) == 0


def test_push_and_pull(adb: Adb, server: PhoneServer, big_file: Path, tmp_path: Path) -> None:
    adb.text("push", str(big_file), "/sdcard/Download/new/big.bin", serial=server.serial)
    adb.text("pull", "/sdcard/Download/new/big.bin", str(tmp_path / "back"), serial=server.serial)
    assert digest(tmp_path / "back") == digest(big_file)
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    (folder / "empty.txt").touch()
    (folder / "inner" / "名.txt").write_text("text")
    adb.text("push", str(folder), "/data/local/tmp/", serial=server.serial)
    adb.text("pull", "-a", "/data/local/tmp/folder", str(tmp_path / "copy"), serial=server.serial)
    assert (tmp_path / "copy" / "empty.txt").read_bytes() == b""
    assert (tmp_path / "copy" / "inner" / "名.txt").read_text() == "text"
    assert "3452" not in adb.text("ls", "/data/local/tmp/folder", serial=server.serial)
    missing = adb.run("pull", "/sdcard/missing", str(tmp_path / "none"), serial=server.serial)
    assert missing.returncode == 1
    assert b"No such file or directory" in missing.stderr + missing.stdout
    onto_file = adb.run("push", str(big_file), "/sdcard/Download/new/big.bin/x", serial=server.serial)
    assert onto_file.returncode == 1
    assert b"Not a directory" in onto_file.stderr + onto_file.stdout


def test_adbutils_files(device: adbutils.AdbDevice, big_file: Path, tmp_path: Path) -> None:
    assert device.sync.push(big_file, "/sdcard/utils.bin", check=True) == big_file.stat().st_size
    assert device.sync.pull("/sdcard/utils.bin", tmp_path / "back") == big_file.stat().st_size
    assert digest(tmp_path / "back") == digest(big_file)
    device.sync.push(b"x", "/data/local/tmp/listed/one.txt")
    listed = [info.path for info in device.sync.list("/data/local/tmp/listed")]
    assert listed == [".", "..", "one.txt"]
    assert device.sync.read_text("/data/local/tmp/listed/one.txt") == "x"
    assert device.sync.exists("/data/local/tmp/listed")
    assert not device.sync.exists("/data/local/tmp/nothing")
    with pytest.raises(adbutils.AdbError, match="No such file"):
        device.sync.read_bytes("/sdcard/none")


def test_adbutils_shell(device: adbutils.AdbDevice) -> None:
    assert device.shell("echo hi; echo oops") == "hi\noops"
    first = device.shell2("nope")
    assert first.returncode == 127
    second = device.shell2("echo hi; echo oops; false", v2=True)
    assert (second.stdout, second.stderr, second.returncode) == ("hi\n", "oops\n", 1)
    assert "shell_v2" in device.get_features()


# adbutils leaves this call's socket to the garbage collector.
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_framebuffer(device: adbutils.AdbDevice) -> None:
    picture = device.framebuffer()
    assert picture.size == (320, 480)
    assert picture.convert("RGB").getpixel((0, 0)) == (10, 20, 30)
    assert picture.convert("RGB").getpixel((319, 479)) == (10, 20, 0)


def test_streamed_install(adb: Adb, server: PhoneServer, tmp_path: Path) -> None:
    apk = tmp_path / "made up.apk"
    apk.write_bytes(b"PK" * 5000)
    assert "Success" in adb.text("install", "-r", "-g", str(apk), serial=server.serial)
    told = server.worker.call(lambda phone: phone.told[-1])
    assert told == ("cmd", "package", "install", "-r", "-g", "-S", "10000", 10000)


def test_logcat_streams(adb: Adb, server: PhoneServer) -> None:
    server.worker.call(lambda phone: phone.lines.append(b"first\n"))
    with subprocess.Popen(
        [adbutils.adb_path(), "-s", server.serial, "shell", "logcat"], env=adb.environment, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"first\n"
        server.worker.call(lambda phone: phone.lines.append(b"second\n"))
        assert process.stdout.readline() == b"second\n"
        process.kill()


def test_forward_reaches_a_port_inside_the_phone(adb: Adb, server: PhoneServer) -> None:
    port = free_port()
    adb.text("forward", f"tcp:{port}", "tcp:7", serial=server.serial)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connected:
        connected.sendall(b"over and back")
        assert connected.recv(100) == b"over and back"
    adb.text("forward", "--remove", f"tcp:{port}", serial=server.serial)


def test_reverse_reaches_the_host(adb: Adb, server: PhoneServer, device: adbutils.AdbDevice) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(10)

        def answer() -> None:
            accepted, _ = listening.accept()
            with accepted:
                accepted.sendall(b"host heard " + accepted.recv(100))

        host_port = listening.getsockname()[1]
        adb.text("reverse", "tcp:6100", f"tcp:{host_port}", serial=server.serial)
        assert [(item.remote, item.local) for item in device.reverse_list()] == [("tcp:6100", f"tcp:{host_port}")]
        assert f"tcp:6100 tcp:{host_port}" in adb.text("reverse", "--list", serial=server.serial)
        thread = threading.Thread(target=answer)
        thread.start()
        # Out of the phone by `reverse` and into it by `forward`: the bytes cross the transport twice.
        port = free_port()
        adb.text("forward", f"tcp:{port}", "tcp:6100", serial=server.serial)
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connected:
            connected.sendall(b"the phone")
            assert connected.recv(100) == b"host heard the phone"
        thread.join(10)
    assert adb.run("reverse", "--no-rebind", "tcp:6100", "tcp:1", serial=server.serial).returncode == 1
    adb.text("reverse", "--remove", "tcp:6100", serial=server.serial)
    gone = adb.run("reverse", "--remove", "tcp:6100", serial=server.serial)
    assert b"listener 'tcp:6100' not found" in gone.stderr
    assert adb.text("reverse", "tcp:0", "tcp:1", serial=server.serial) == "32768\n"
    adb.text("reverse", "--remove-all", serial=server.serial)
    assert adb.text("reverse", "--list", serial=server.serial).strip() == ""


def test_a_reverse_to_nobody_is_closed(adb: Adb, server: PhoneServer) -> None:
    dead, port = free_port(), free_port()
    adb.text("reverse", "tcp:6101", f"tcp:{dead}", serial=server.serial)
    adb.text("forward", f"tcp:{port}", "tcp:6101", serial=server.serial)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connected:
        assert connected.recv(10) == b""
    adb.text("reverse", "--remove-all", serial=server.serial)


def test_the_console(adb: Adb, server: PhoneServer) -> None:
    def emu(*args: str) -> str:
        return adb.text("emu", *args, serial=server.serial).replace("\r\n", "\n")

    assert emu("avd", "name") == "mobile_gym\nOK\n"
    assert emu("ping") == "I am alive!\nOK\n"
    assert emu("avd", "snapshot", "save", "here") == "OK\n"
    assert "here" in emu("avd", "snapshot", "list")
    assert emu("avd", "snapshot", "load", "here") == "OK\n"
    assert emu("avd", "snapshot", "delete", "here") == "OK\n"
    assert emu("avd", "snapshot", "load", "here").startswith("KO: ")
    assert emu("sms", "send", "123", "hello there") == "OK\n"
    assert ("sms", "123", "hello there") in server.worker.call(lambda phone: phone.told)


def test_root_and_reboot_drop_the_connection_and_the_phone_comes_back(adb: Adb, server: PhoneServer) -> None:
    def who() -> str:
        adb.text("wait-for-device", serial=server.serial)
        return adb.text("shell", "id", serial=server.serial).strip()

    assert who() == "shell"
    assert adb.text("root", serial=server.serial) == "restarting adbd as root\n"
    assert who() == "root"
    assert adb.text("root", serial=server.serial) == "adbd is already running as root\n"
    assert adb.text("remount", serial=server.serial) == "remount succeeded\n"
    assert adb.text("unroot", serial=server.serial) == "restarting adbd as non root\n"
    assert who() == "shell"
    adb.text("root", serial=server.serial)
    adb.text("wait-for-device", serial=server.serial)
    adb.text("shell", "reboot", serial=server.serial)
    assert who() == "shell"
    assert "reboot" in server.worker.call(lambda phone: phone.told)


def test_a_production_build_is_never_root(adb: Adb) -> None:
    with make_server(adb, production=True) as production:
        assert "connected to" in adb.text("connect", production.address)
        assert adb.text("root", serial=production.address) == "adbd cannot run as root in production builds\n"
        assert adb.text("shell", "id", serial=production.address) == "shell\n"
        adb.text("disconnect", production.address)


def test_power_off_and_kill_end_the_server(adb: Adb) -> None:
    for last_word in (["reboot", "-p"], ["emu", "kill"]):
        server = make_server(adb).start()
        try:
            assert announce(server.adb_port, adb.port)
            adb.text("wait-for-device", serial=server.serial)
            adb.text(*last_word, serial=server.serial)
            assert server.wait(10)
        finally:
            server.stop()


def test_faults_show_as_what_clients_know(adb: Adb) -> None:
    with make_server(adb) as server:
        server.faults.unauthorized = True
        announce(server.adb_port, adb.port)
        while f"{server.serial}\tunauthorized" not in adb.text("devices"):
            pass  # the module's time-out ends this
        done = adb.run("shell", "echo hi", serial=server.serial)
        assert done.returncode == 1
        assert b"unauthorized" in done.stderr
    with make_server(adb) as server:
        assert "connected to" in adb.text("connect", server.address)
        server.faults.refuse = ("shell",)
        assert adb.run("shell", "echo hi", serial=server.address).returncode == 1
        server.faults.clear()
        assert adb.text("shell", "echo hi", serial=server.address) == "hi\n"
        adb.text("disconnect", server.address)


def test_announcing_to_no_server_says_so() -> None:
    assert not announce(5555, free_port())
