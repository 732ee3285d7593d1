"""Files: the overlay of databases and system folders, and the programs that list and change files."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobile_gym.phone.shell.shell import Shell
from mobile_gym.phone.shell.shell_files import ShellFiles
from tests.support.fake_phone import FakePhone

PACKAGE = "com.example.app"
DATABASE = f"/data/data/{PACKAGE}/databases/notes.db"


def phone_with_database() -> FakePhone:
    phone = FakePhone()
    phone.packages.add(PACKAGE)
    database = phone.state.database(f"{PACKAGE}/notes.db")
    database.script("CREATE TABLE notes (_id INTEGER PRIMARY KEY, title TEXT)")
    database.insert("notes", title="first")
    return phone


def test_a_database_is_a_file_that_can_be_copied_away_and_back() -> None:
    phone = phone_with_database()
    shell = Shell(phone, root=True)
    assert shell.run(f"ls {DATABASE.rsplit('/', 1)[0]}").stdout == b"notes.db\n"
    assert shell.run(
        f"cp -a /data/data/{PACKAGE} /data/local/tmp/saved; ls /data/local/tmp/saved/databases"
    ).stdout == (b"notes.db\n")
    phone.state.database(f"{PACKAGE}/notes.db").insert("notes", title="second")
    assert shell.run(f"rm -r /data/data/{PACKAGE}/*; ls -A /data/data/{PACKAGE}").stdout == b""
    assert phone.state.database_names() == []
    shell.run(f"cp -a /data/local/tmp/saved/. /data/data/{PACKAGE}/")
    assert phone.state.database(f"{PACKAGE}/notes.db").rows("SELECT title FROM notes") == [{"title": "first"}]


def test_a_database_has_the_size_and_owner_of_a_file() -> None:
    phone = phone_with_database()
    image = phone.state.database(f"{PACKAGE}/notes.db").image()
    shell = Shell(phone, root=True)
    assert shell.run(f"stat -c '%s %U %a %F' {DATABASE}").stdout.decode() == f"{len(image)} u0_a158 660 regular file\n"
    assert shell.run(f"cat {DATABASE}").stdout == image
    assert shell.run("find /data/data -name '*.db'").stdout.decode() == DATABASE + "\n"
    assert shell.run(f"[ -f {DATABASE} ] && [ -d {DATABASE.rsplit('/', 1)[0]} ]").exit_code == 0
    for other in (DATABASE.replace("/data/data", "/data/user/0"), DATABASE.replace("/data/data", "/data/user_de/0")):
        assert shell.run(f"cat {other}").stdout == image


def test_bytes_that_are_no_database_are_refused() -> None:
    phone = phone_with_database()
    result = Shell(phone, root=True).run(f"echo junk > {DATABASE}")
    assert result.exit_code == 1 or b"not a database" in result.stderr
    with pytest.raises(OSError, match="not a database"):
        ShellFiles(phone).write(DATABASE, b"junk")
    assert phone.state.database(f"{PACKAGE}/notes.db").rows("SELECT title FROM notes") == [{"title": "first"}]


def test_the_screen_is_told_of_changes() -> None:
    phone = phone_with_database()
    shell = Shell(phone, root=True)
    shell.run("echo nothing")
    assert phone.invalidated == 0
    shell.run(f"sqlite3 {DATABASE} 'DELETE FROM notes'")
    assert phone.invalidated == 1


def test_the_user_shell_may_not_see_private_data() -> None:
    shell = Shell(phone_with_database())
    result = shell.run(f"ls {DATABASE}; ls /data/data; ls /data; cat {DATABASE}")
    assert result.stdout == b""
    assert result.stderr.count(b"Permission denied") == 4
    assert shell.run("echo x > /data/local/tmp/f && cat /data/local/tmp/f").stdout == b"x\n"
    assert shell.run("mkdir /data/system/x").stderr == b"mkdir: '/data/system/x': Permission denied\n"
    assert shell.run(f"su 0 ls {DATABASE}").stdout.decode() == DATABASE + "\n"


SETUP = "mkdir -p /sdcard/w; cd /sdcard/w; "


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("touch -d @1700000000 a; ls -l a", "-rw-rw---- 1 media_rw media_rw 0 2023-11-14 22:13 a\n"),
        (
            "touch -d @1700000000 1.txt; ls /sdcard/w -ll -au | tail -n 1",
            "-rw-rw---- 1 media_rw media_rw    0 2023-11-14 22:13:20.000000000 +0000 1.txt\n",
        ),
        ("echo hello > a; ls -lh a | cut -c 1-36", "-rw-rw---- 1 media_rw media_rw 6 202\n"),
        ("touch b a; mkdir c; ls; ls -1; ls -p", "a\nb\nc\na\nb\nc\na\nb\nc/\n"),
        ("ls nope; ls -d .", "ls: nope: No such file or directory\n.\n"),
        ("mkdir a; mkdir a; mkdir x/y", "mkdir: 'a': File exists\nmkdir: 'x/y': No such file or directory\n"),
        ("mkdir -p a/b; rm a; rmdir a; rm -r a; ls", "rm: a: Is a directory\nrmdir: a: Directory not empty\n"),
        (
            "cp nope x; mv nope x; rm nope",
            "cp: bad 'nope': No such file or directory\n"
            "mv: bad 'nope': No such file or directory\nrm: nope: No such file or directory\n",
        ),
        ("echo 1 > a; cp a b; mv a c; cat b c; ls", "1\n1\nb\nc\n"),
        ("mkdir d; echo 1 > d/f; cp -a d/. e; cp -r d e; ls e; ls e/d", "d\nf\nf\n"),
        ("mkdir -p d/e; touch d/e/f; mv d g; find g", "g\ng/e\ng/e/f\n"),
        ("touch -t 202401020304.05 a; stat -c '%Y %y %n' a", "1704164645 2024-01-02 03:04:05.000000000 +0000 a\n"),
        ("echo hi > a; chmod 777 -R .; stat -c '%a %A %s' a", "777 -rwxrwxrwx 3\n"),
        ("touch a; chmod 640 a; chmod u+x,o=r a; stat -c %a a; chmod 99 a", "744\nchmod: bad mode '99'\n"),
        ("touch a; chown -R shell:shell .; stat -c '%U %G' a", "shell shell\n"),
        ("mkdir -p a/b; touch a/1 a/b/2; find a -type f -o -type d", "a\na/1\na/b\na/b/2\n"),
        ("mkdir -p a/b; touch a/1 a/b/2; find a -mindepth 1 -type f -delete; find a", "a\na/b\n"),
        ("mkdir -p a/b; touch a/1.txt a/b/2.TXT; find a -iname '*.txt' -maxdepth 2 | wc -l", "2\n"),
        ("find nope", "find: 'nope': No such file or directory\n"),
        ("cat nope; cat .; echo $?", "cat: nope: No such file or directory\ncat: .: Is a directory\n1\n"),
        ("ln -s a b; echo $?", "ln: cannot create symbolic link from 'a' to 'b': Operation not permitted\n1\n"),
        ("test -f nope && echo EXISTS || echo NOT_EXISTS", "NOT_EXISTS\n"),
        ("cd ..; pwd; realpath w; readlink -f /sdcard/w", "/sdcard\n/storage/emulated/0/w\n/storage/emulated/0/w\n"),
        ("dd if=/dev/zero of=z bs=4 count=2 status=none; stat -c %s z", "8\n"),
        ("echo a | tee f; cat f; truncate -s 1 f; wc -c f", "a\na\n1 f\n"),
        ("chcon u:object_r:media_rw_data_file:s0 nope; restorecon -RD .", "chcon: nope: No such file or directory\n"),
        (
            "rm --nope; cat -z",
            "rm: Unknown option 'nope' (see \"rm --help\")\ncat: Unknown option 'z' (see \"cat --help\")\n",
        ),
        ("unzip -l nope.zip; echo $?", "unzip: couldn't open nope.zip: No such file or directory\n9\n"),
    ],
)
def test_programs_on_files(line: str, printed: str) -> None:
    assert Shell(FakePhone(), root=True).run(SETUP + line).merged.decode() == printed


def test_archives_are_listed_and_stay_below_their_folder() -> None:
    import io
    import zipfile

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "hello")
        archive.writestr("../../b.txt", "up")
    phone = FakePhone()
    ShellFiles(phone).write("/sdcard/x.zip", buffer.getvalue(), parents=True)
    shell = Shell(phone)
    listing = shell.run("unzip -l /sdcard/x.zip").stdout.decode().splitlines()
    assert listing[0] == "Archive:  /sdcard/x.zip"
    assert [line.split()[-1] for line in listing[3:5]] == ["a.txt", "../../b.txt"]
    assert listing[-1].split() == ["7", "2", "files"]
    assert shell.run("mkdir /sdcard/o; cd /sdcard/o; unzip -q ../x.zip; find .").stdout == b".\n./a.txt\n./b.txt\n"


NAMES = st.text(st.characters(exclude_characters="\0\n", exclude_categories=("Cs", "Cc")), min_size=1, max_size=12)


@settings(max_examples=80)
@given(st.lists(NAMES | st.sampled_from(["..", ".", "", "/", "sdcard", "data"]), min_size=1, max_size=6))
def test_no_path_leaves_the_virtual_tree(parts: list[str]) -> None:
    phone = FakePhone()
    path = "/".join(["/sdcard/w", *parts])
    quoted = shlex.quote(path)
    Shell(phone, root=True).run(f"mkdir -p {quoted}; echo mine > {quoted}/f; cp {quoted}/f {quoted}/g; rm {quoted}/f")
    for name in phone.state.files.dump():
        assert name.startswith("/")
        assert ".." not in name.split("/")
        assert "//" not in name
