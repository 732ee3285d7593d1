"""The shell's language, held against what mksh prints."""

from __future__ import annotations

import contextlib
import shlex
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mobile_gym.phone.shell.language.errors import ShellSyntaxError
from mobile_gym.phone.shell.language.parser import parse
from mobile_gym.phone.shell.shell import Shell
from tests.support.fake_phone import FakePhone

MKSH = yaml.safe_load(Path(__file__).with_name("mksh.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", MKSH, ids=[case["line"][:40] for case in MKSH])
def test_prints_what_mksh_prints(case: dict[str, str]) -> None:
    result = Shell(FakePhone(), root=True).run(case["line"])
    found = (result.stdout.decode(), result.stderr.decode(), result.exit_code)
    assert found == (case.get("stdout", ""), case.get("stderr", ""), case.get("exit_code", 0))


def test_both_outputs_keep_their_order() -> None:
    result = Shell(FakePhone()).run("echo a; echo b >&2; nope; echo c")
    assert result.stdout == b"a\nc\n"
    assert result.stderr == b"b\n/system/bin/sh: nope: inaccessible or not found\n"
    assert result.merged == b"a\nb\n/system/bin/sh: nope: inaccessible or not found\nc\n"


@pytest.mark.parametrize(
    ("line", "stdout", "stderr"),
    [
        ("{ echo o; echo e >&2; } > /sdcard/f; cat /sdcard/f", "o\n", "e\n"),
        ("{ echo o; echo e >&2; } &> /sdcard/f; cat /sdcard/f", "o\ne\n", ""),
        ("{ echo o; echo e >&2; } 2> /sdcard/f; cat /sdcard/f", "o\ne\n", ""),
        ("{ echo o; echo e >&2; } > /sdcard/f 2>&1; cat /sdcard/f", "o\ne\n", ""),
        ("echo a > /sdcard/f; echo b 2>&1 >> /sdcard/f; cat < /sdcard/f", "a\nb\n", ""),
        ("nope 2> /dev/null; echo $?", "127\n", ""),
        ("echo gone > /dev/null; echo e > /dev/stderr; echo o > /dev/stdout", "o\n", "e\n"),
        (
            "echo x > /nope/f; echo $?",
            "1\n",
            "/system/bin/sh: can't create /nope/f: No such file or directory\n",
        ),
        ("cat < /nope", "", "/system/bin/sh: can't open /nope: No such file or directory\n"),
        ("echo x > /system/f", "", "/system/bin/sh: can't create /system/f: Read-only file system\n"),
    ],
)
def test_redirections(line: str, stdout: str, stderr: str) -> None:
    result = Shell(FakePhone(), root=True).run(line)
    assert (result.stdout.decode(), result.stderr.decode()) == (stdout, stderr)


def test_names_that_match_patterns() -> None:
    shell = Shell(FakePhone())
    shell.run("cd /sdcard; mkdir -p d/e; touch a.txt b.txt 'c d.txt' .h d/x.txt d/e/y.txt")
    assert shell.run("cd /sdcard; echo *.txt").stdout == b"a.txt b.txt c d.txt\n"
    assert shell.run("echo /sdcard/[ab]*").stdout == b"/sdcard/a.txt /sdcard/b.txt\n"
    assert shell.run("cd /sdcard; echo ?.txt [!a].txt '*' \\*").stdout == b"a.txt b.txt b.txt * *\n"
    assert shell.run("echo /sdcard/*/*.txt /sdcard/d/*/y*").stdout == b"/sdcard/d/x.txt /sdcard/d/e/y.txt\n"
    assert shell.run("echo /sdcard/no*").stdout == b"/sdcard/no*\n"
    assert shell.run('for f in /sdcard/c*; do cat "$f" && echo ok; done').stdout == b"ok\n"


def test_loops_that_never_end_are_killed() -> None:
    result = Shell(FakePhone()).run("while true; do :; done; echo on")
    assert b"loop killed" in result.stderr
    assert Shell(FakePhone()).run("f() { f; }; f").exit_code != 0


def test_scripts_run_from_files_and_from_input() -> None:
    shell = Shell(FakePhone())
    shell.run("printf 'echo $0 $1\\nexit 4\\n' > /data/local/tmp/x.sh")
    assert shell.run("/data/local/tmp/x.sh").exit_code == 126
    assert shell.run("sh /data/local/tmp/x.sh q").stdout == b"/data/local/tmp/x.sh q\n"
    result = shell.run("chmod 755 /data/local/tmp/x.sh; cd /data/local/tmp; ./x.sh p")
    assert (result.stdout, result.exit_code) == (b"./x.sh p\n", 4)
    assert shell.run("sh", b"echo one\necho two\n").stdout == b"one\ntwo\n"
    assert shell.run("read a; cat; echo $a", b"first\nrest\n").stdout == b"rest\nfirst\n"


def test_users() -> None:
    shell = Shell(FakePhone())
    assert shell.run("whoami; su 0 whoami; su root -c 'id -u'; echo $USER").stdout == b"shell\nroot\n0\nshell\n"
    assert shell.run("su", b"whoami\nexit 3\n").exit_code == 3
    assert shell.run("su nobody ls").stderr == b"su: invalid uid/gid 'nobody'\n"
    shell.root = True
    assert shell.run("whoami; su shell whoami").stdout == b"root\nshell\n"


TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=40)


@settings(max_examples=150)
@given(TEXTS)
def test_quoted_text_comes_out_as_it_was(text: str) -> None:
    shell = Shell(FakePhone())
    assert shell.run(f"printf %s {shlex.quote(text)}").stdout == text.encode()
    assert shell.run(f"echo -nE {shlex.quote('x' + text)}").stdout == b"x" + text.encode()
    assert shell.run(f'x={shlex.quote(text)}; printf %s "$x"').stdout == text.encode()
    nested = shlex.quote(f"printf %s {shlex.quote(text)}")
    assert shell.run(f"sh -c {nested}").stdout == text.encode()


PIECES = (
    "a b 1 = ; & && | || ( ) { } $ ` ' \" \\ < > >> << <<< 2>&1 $( ${ $(( )) if then else fi for in do done while case "
    "esac ;; # * ? [ ] ! ~ ${x:- ${x# x= f() EOF \t \u00e9"
)
SHELL_TEXT = st.lists(st.sampled_from([*PIECES.split(" "), " ", "\n"]), max_size=30).map("".join)


@settings(max_examples=400)
@given(SHELL_TEXT | st.text(max_size=60))
def test_any_text_parses_or_is_a_syntax_error(text: str) -> None:
    with contextlib.suppress(ShellSyntaxError):
        assert parse(text) is not None


@settings(max_examples=150)
@given(SHELL_TEXT)
def test_any_text_runs_to_an_end(text: str) -> None:
    result = Shell(FakePhone()).run(text)
    assert 0 <= result.exit_code <= 255
    assert sorted(result.merged) == sorted(result.stdout + result.stderr)


@pytest.mark.parametrize("opener", ["(", "{ ", "$(", "`", "${x:-", "if ", "while ", "! ", "$((", '"', "case x in (a) "])
def test_deep_nesting_is_refused(opener: str) -> None:
    assert Shell(FakePhone()).run(opener * 3001).exit_code == 1
