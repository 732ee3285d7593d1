"""`settings`: the three namespaces of settings."""

from __future__ import annotations

from mobile_gym.phone.shell.commands.call import Call, Command
from mobile_gym.phone.state import NAMESPACES

_USAGE = """Settings provider (settings) commands:
  help
      Print this help text.
  get [--user <USER_ID> | current] NAMESPACE KEY
      Retrieve the current value of KEY.
  put [--user <USER_ID> | current] NAMESPACE KEY VALUE [TAG] [default]
      Change the contents of KEY to VALUE.
  delete [--user <USER_ID> | current] NAMESPACE KEY
      Delete the entry for KEY.
  reset [--user <USER_ID> | current] NAMESPACE {PACKAGE_NAME | RESET_MODE}
      Reset the global/secure table for a package with mode.
  list [--user <USER_ID> | current] NAMESPACE
      Print all defined keys.
NAMESPACE is one of {system, secure, global}, case-insensitive
"""


def settings(call: Call) -> int:
    """Reads and writes settings."""
    args = list(call.args)
    while "--user" in args:
        at = args.index("--user")
        del args[at : at + 2]
    if not args or args[0] in ("help", "-h"):
        call.out(_USAGE)
        return 0 if args else 255
    verb, rest = args[0], args[1:]
    if verb not in ("get", "put", "delete", "list", "reset"):
        call.err(f"Invalid command: {verb}")
        return 255
    if not rest:
        call.err("Not enough arguments")
        return 255
    namespace = rest[0].lower()
    if namespace not in NAMESPACES:
        call.err(f"Invalid namespace '{rest[0]}'")
        return 255
    needed = {"get": 2, "put": 3, "delete": 2, "list": 1, "reset": 2}[verb]
    if len(rest) < needed:
        call.err("Bad arguments" if len(rest) > 1 else "Not enough arguments")
        return 255
    store = call.phone.state.settings
    match verb:
        case "get":
            value = store.get(namespace, rest[1])
            call.line("null" if value is None else value)
        case "put":
            call.phone.put_setting(namespace, rest[1], rest[2])
        case "delete":
            found = store.get(namespace, rest[1]) is not None
            call.phone.delete_setting(namespace, rest[1])
            call.line(f"Deleted {int(found)} rows")
        case "list":
            for key, value in store.all(namespace).items():
                call.line(f"{key}={value}")
        case "reset":
            # No setting of this phone has another default than the one that it was started with.
            if namespace == "system":
                call.err("Invalid namespace 'system'")
                return 255
    return 0


COMMANDS: dict[str, Command] = {"settings": settings}
