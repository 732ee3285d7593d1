"""Which lines wait for input."""

import pytest

from mobile_gym.phone.adbd.stdin_use import reads_stdin


@pytest.mark.parametrize(
    "line",
    [
        "cat",
        "cat -",
        "cat > /sdcard/x",
        "exec cat",
        "su 0 cat",
        "su root sh -c 'cat > /x'",
        "su",
        "sh",
        "cat | grep x",
        "echo a; cat",
        "true && wc -c",
        "grep -c x",
        "head -n 5",
        "while read line; do echo $line; done",
        "if read x; then echo $x; fi",
        "{ cat; }",
        "(sort)",
        "dd of=/sdcard/x",
        "sqlite3 /data/x.db",
        "tee /sdcard/x",
        "/system/bin/cat",
    ],
)
def test_lines_that_read_their_input(line: str) -> None:
    assert reads_stdin(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "ls",
        "cat /sdcard/x",
        "cat < /sdcard/x",
        "cat <<END\ntext\nEND",
        "echo x | cat",
        "ls | grep x | head -1",
        "grep x /sdcard/f",
        "grep -r x",
        "grep -e x /sdcard/f",
        "head -n 5 /sdcard/f",
        "sh /sdcard/script.sh",
        "sh -c 'ls'",
        "su 0 whoami",
        "sqlite3 /data/x.db 'SELECT 1'",
        "dd if=/dev/zero of=/sdcard/x",
        "cat $FILE",
        "f() { cat; }",
        "ls | while read f; do echo $f; done",
        "screencap -p",
        "echo 'unclosed",
        "uiautomator dump /dev/stdout",
    ],
)
def test_lines_that_do_not(line: str) -> None:
    assert not reads_stdin(line)
