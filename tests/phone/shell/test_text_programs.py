"""Programs that work on text, and what the system tells: outputs, exit statuses and error texts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobile_gym.phone.shell.shell import Shell
from tests.support.fake_phone import NOW_MS, FakePhone


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("printf 'a\\nb\\nc\\n' | head -n 1; printf 'a\\nb\\nc\\n' | tail -n +2; echo abc | head -c 2", "a\nb\nc\nab"),
        ("printf 'b 2\\na 10\\n' | sort -k2 -n; printf 'b\\na\\nb\\n' | sort -u", "b 2\na 10\na\nb\n"),
        ("printf 'x\\nx\\ny\\n' | uniq -c", "      2 x\n      1 y\n"),
        ("echo a:b:c | cut -d: -f2-; echo abcdef | cut -c 2-4", "b:c\nbcd\n"),
        (
            "echo hello | tr a-y b-z; echo 'a  b' | tr -s ' '; echo a1b2 | tr -d 0-9; echo 'x y' | tr ' ' '\\n'",
            "ifmmp\na b\nab\nx\ny\n",
        ),
        ("printf 'foo\\nbar\\n' | grep -n o; printf 'foo\\nbar\\n' | grep -vc o; echo $?", "1:foo\n1\n0\n"),
        ("echo foo | grep -q bar; echo $?; grep x nope; echo $?", "1\ngrep: nope: No such file or directory\n2\n"),
        (
            "printf 'Foo\\nbaz\\n' | grep -iE 'fo+|x'; echo a.b | grep -F '.'; echo 'k=1,j=2' | grep -o '[a-z]=.'",
            "Foo\na.b\nk=1\nj=2\n",
        ),
        ("printf 'visible=true\\nvisible=false\\n' | grep -E visible=true", "visible=true\n"),
        ("echo '(' | grep -E '('; echo $?", "grep: bad regex '(': parentheses not balanced\n2\n"),
        (
            "echo hello | sed 's/l/L/g; s/^/>/'; printf '1\\n2\\n3\\n' | sed -n '2{p}'; printf '1\\n2\\n' | sed '1d'",
            ">heLLo\n2\n2\n",
        ),
        (
            "echo 'a/b' | sed 's|/|-|'; echo ab | sed -E 's/(a)(b)/\\2\\1&/'; echo x | sed s/",
            "a-b\nbaab\nsed: bad pattern 's/'@2 (unterminated)\n",
        ),
        ("printf 'a b\\nc\\n' | wc; printf 'a\\n' | wc -l", "2 3 6\n1\n"),
        (
            "echo hi | md5sum; echo hi | base64; echo aGkK | base64 -d",
            "764efa883dda1e11db47671c4a3bbd9e  -\naGkK\nhi\n",
        ),
        (
            "printf hello | xxd; printf hello | xxd -p; echo 6869 | xxd -r -p",
            "00000000: 6865 6c6c 6f                             hello\n68656c6c6f\nhi",
        ),
        ("basename /a/b.txt .txt; dirname /a/b; seq 2 4; seq -s , 3", "b\n/a\n2\n3\n4\n1,2,3\n"),
        (
            "printf '%s %d %x %5.2f|%-3s|%03d\\n' a 1 255 3.14159 z 7; printf '%s\\n' a b; printf '%d\\n' abc",
            "a 1 ff  3.14|z  |007\na\nb\nprintf: bad %d abc\n0\n",
        ),
        ("printf 'a b\\n' | xargs -n 1 echo x; echo q | xargs -I{} echo '<{}>'", "x a\nx b\n<q>\n"),
        ("sleep x; nope2; echo $?", "sleep: Not a number 'x'\n/system/bin/sh: nope2: inaccessible or not found\n127\n"),
        (
            "which ls; which nope; echo $?; toybox nope; echo $?",
            '/system/bin/ls\n1\ntoybox: Unknown command nope (see "toybox --help")\n127\n',
        ),
        (
            "date; sleep 1.5; date +%s; date '+%Y-%m-%d %H:%M:%S'; date +%Y%m%d; date +\"%H:%M:%S\"",
            "Sun Oct 15 17:04:16 UTC 2023\n1697389457\n2023-10-15 17:04:17\n20231015\n17:04:17\n",
        ),
        (
            "date -d @0; date -d '2024-05-10 12:00:00' +%s; date -d nope; echo $?",
            "Thu Jan  1 00:00:00 UTC 1970\n1715342400\ndate: bad date nope\n1\n",
        ),
        (
            "uptime; id -u; uname -m; nproc; getenforce",
            " 17:04:16 up 10 min,  0 users,  load average: 0.00, 0.00, 0.00\n0\naarch64\n4\nEnforcing\n",
        ),
        (
            "getprop sys.boot_completed; getprop nope; setprop a.b c; getprop a.b; getprop | head -n 1",
            "1\n\nc\n[a.b]: [c]\n",
        ),
        ("service check window; service check nope", "Service window: found\nService nope: not found\n"),
        ("env -i A=b env; A=1 env | grep ^A=", "A=b\nA=1\n"),
        (
            "kill 99999; kill; pidof nope; echo $?",
            "kill: bad pid '99999': No such process\nkill: missing argument (see \"kill --help\")\n1\n",
        ),
    ],
)
def test_prints(line: str, printed: str) -> None:
    assert Shell(FakePhone(), root=True).run(line).merged.decode() == printed


@pytest.mark.parametrize(
    ("line", "moment"),
    [
        ("date 101517042023.16", "2023-10-15 17:04:16"),
        ("date 1015170424.16", "2024-10-15 17:04:16"),
        ("date 10151704", "2023-10-15 17:04:00"),
        ("date '2024-05-10 12:00:00'", "2024-05-10 12:00:00"),
        ("date -s '2024-05-10 12:00'", "2024-05-10 12:00:00"),
        ("date @1700000000", "2023-11-14 22:13:20"),
        ("su 0 toybox date 123106272015.00", "2015-12-31 06:27:00"),
    ],
)
def test_date_sets_the_clock(line: str, moment: str) -> None:
    phone = FakePhone()
    assert Shell(phone, root=True).run(line).exit_code == 0
    assert phone.state.clock.now().strftime("%Y-%m-%d %H:%M:%S") == moment
    assert phone.state.clock.uptime_ms == 600_000


def test_only_root_sets_the_clock() -> None:
    phone = FakePhone()
    result = Shell(phone).run("date 101517042023.16")
    assert (result.stderr, result.exit_code) == (b"date: cannot set date: Operation not permitted\n", 1)
    assert phone.state.clock.now_ms == NOW_MS


def test_time_zone_by_every_door() -> None:
    phone = FakePhone()
    shell = Shell(phone, root=True)
    assert shell.run("service call alarm 3 s16 Asia/Shanghai").stdout.startswith(b"Result: Parcel(")
    assert shell.run("date +%H:%M; getprop persist.sys.timezone").stdout == b"01:04\nAsia/Shanghai\n"
    shell.run("setprop persist.sys.timezone UTC")
    assert phone.state.clock.zone == "UTC"
    assert shell.run("setprop persist.sys.timezone No/Where").exit_code == 1
    assert phone.state.clock.zone == "UTC"


LINES = st.lists(st.text("ab c*.[\\1", max_size=6), max_size=6)


@settings(max_examples=100)
@given(LINES, st.text("ab.*[]\\^$()|+1", max_size=6), st.booleans())
def test_grep_takes_any_pattern(lines: list[str], pattern: str, extended: bool) -> None:
    phone = FakePhone()
    data = "".join(line + "\n" for line in lines).encode()
    import shlex

    result = Shell(phone).run(f"grep {'-E' if extended else ''} -e {shlex.quote(pattern)}", data)
    assert result.exit_code in (0, 1, 2)
    if result.exit_code == 0:
        assert set(result.stdout.decode().splitlines()) <= set(lines)
    assert bool(result.stdout) == (result.exit_code == 0)
    if result.exit_code == 2:
        assert result.stderr.startswith(b"grep: bad regex")


DATA = b"a 1\nb 12\nc 3 x\na 7\n"


@pytest.mark.parametrize(
    ("args", "printed"),
    [
        ("'{print $1}'", "a\nb\nc\na\n"),
        ("'{print $NF, NF, NR}'", "1 2 1\n12 2 2\nx 3 3\n7 2 4\n"),
        ("'/b/{print $2}' -", "12\n"),
        ("'NR>1 && NF==2 {print $1 \"-\" $2}'", "b-12\na-7\n"),
        ("'{s+=$2} END{print s, s/NR}'", "23 5.75\n"),
        ("'{n[$1]++} END{for (k in n) c++; print c, n[\"a\"]}'", "3 2\n"),
        ("'{gsub(/[ab]/,\"<&>\"); if ($2 > 5) print; else next}'", "<b> 12\n<a> 7\n"),
        ('\'BEGIN{for(i=0;i<4;i++){if(i==1)continue; if(i==3)break; printf "%d,", i}; print ""}\'', "0,2,\n"),
        ('\'BEGIN{x="3x"; print x+1, "10"<"9", 10<9, 2^3, 7%3, 1/4; exit 3}\'', "4 1 0 8 1 0.25\n"),
        ('\'$2 ~ /^1/ {print ($2>5)?"y":"n"}\'', "n\ny\n"),
        ("-F ' ' -v p=q 'NR==1{$2=p; print; print substr($0,1,2) toupper(\"z\") length()}'", "a q\na Z3\n"),
        ("'/b/,/c/{print NR}'", "2\n3\n"),
        ("'{print > \"f\"}'", "awk: redirections are not supported at source line 1\n"),
        ("'{print $1'", "awk: syntax error at source line 1\n"),
        ("'BEGIN{while(1) x++}'", "awk: program stopped: it does not end\n"),
    ],
)
def test_awk(args: str, printed: str) -> None:
    assert Shell(FakePhone()).run(f"awk {args}", DATA).merged.decode() == printed


def test_awk_after_a_dump() -> None:
    line = "echo ' mCurrentFocus=Window{1 u0 a.b/a.b.Main}' | awk -F '/' '{print $1}' | awk '{print $NF}'"
    assert Shell(FakePhone()).run(line).stdout == b"a.b\n"
