"""`awk`: patterns and actions, fields, variables, arrays, and the usual functions; no files or functions of its own."""

from __future__ import annotations

import re
from collections.abc import Callable

from mobile_gym.phone.shell.commands.awk_parser import Rule, WrongProgram, parse_program
from mobile_gym.phone.shell.commands.awk_run import Exit, Machine, Next
from mobile_gym.phone.shell.commands.awk_values import Input
from mobile_gym.phone.shell.commands.call import Call, Command, options
from mobile_gym.phone.shell.commands.text import inputs, lines_of
from mobile_gym.phone.shell.language.builtins import unescape


def awk(call: Call) -> int:
    """Runs a program over lines."""
    parsed = options(call, "", "Fvf", stop=True)
    operands = list(parsed.operands)
    if "f" in parsed:
        program = call.read(parsed.values["f"]).decode("utf-8", "surrogateescape")
    elif operands:
        program = operands.pop(0)
    else:
        call.fail("usage: awk [-F fs][-v var=value][prog | -f progfile][file ...]", 2)
    try:
        rules = parse_program(program)
    except WrongProgram as error:
        call.fail(f"{error} at source line 1", 2)
    machine = Machine(call.out)
    if "F" in parsed:
        separator = parsed.values["F"]
        machine.variables["FS"] = "\t" if separator == "t" else unescape(separator)[0]
    for index, arg in enumerate(call.args[:-1]):
        if arg == "-v" and "=" in call.args[index + 1]:
            name, _, value = call.args[index + 1].partition("=")
            machine.variables[name] = Input(unescape(value)[0])
    try:
        return _run(call, rules, machine, tuple(operands))
    except WrongProgram as error:
        call.fail(str(error), 2)


def _run(call: Call, rules: list[Rule], machine: Machine, operands: tuple[str, ...]) -> int:
    failures: list[int] = []
    code = 0

    def guarded(act: Callable[[], None]) -> bool:
        nonlocal code
        try:
            act()
        except Exit as leave:
            code = leave.code
            return False
        return True

    begin = [rule for rule in rules if rule.kind == "BEGIN"]
    end = [rule for rule in rules if rule.kind == "END"]
    main = [rule for rule in rules if rule.kind == "main"]
    going = guarded(lambda: machine.run_all(begin))
    if going and (main or end):
        files = tuple(name for name in operands if not re.match(r"[A-Za-z_]\w*=", name))
        for name, data in inputs(call, files, failures, 2):
            machine.variables["FILENAME"] = "" if name == "-" else name
            machine.variables["FNR"] = 0.0
            for line in lines_of(data):
                machine.take(line)

                def act() -> None:
                    try:
                        machine.run_all(main)
                    except Next:
                        return

                going = going and guarded(act)
                if not going:
                    break
            if not going:
                break
    if begin or main or end:
        guarded(lambda: machine.run_all(end))
    return code or max(failures, default=0)


COMMANDS: dict[str, Command] = {"awk": awk}
