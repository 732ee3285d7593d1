"""`uiautomator`, `screencap` and `screenrecord`: what is on the screen."""

from __future__ import annotations

import io
import struct

import numpy as np
from PIL import Image

from mobile_gym.phone.door import PhoneDoor
from mobile_gym.phone.shell.commands.call import Call, Command
from mobile_gym.phone.shell.language.streams import encode
from mobile_gym.phone.shell.shell_files import error_text

DISPLAY_ID = "4619827259835644672"


def uiautomator(call: Call) -> int:
    """`uiautomator dump [--compressed] [PATH]`."""
    if call.args[:1] == ["dump"]:
        return _dump(call, [arg for arg in call.args[1:] if not arg.startswith("--")])
    if call.args[:1] == ["events"]:
        call.follow(lambda: b"")
    if call.args[:1] == ["runtest"]:
        call.err("Error: no test can be run on this phone: it has no Java")
        return 1
    call.err("Usage: uiautomator <subcommand> [options]\n\nAvailable subcommands:\n\nhelp: displays help message\n")
    call.err("dump: creates an XML dump of current UI hierarchy\n    dump [--verbose][file]")
    return 0 if call.args[:1] in ([], ["help"]) else 1


def _dump(call: Call, operands: list[str]) -> int:
    path = operands[0] if operands else "/sdcard/window_dump.xml"
    xml = encode(call.phone.hierarchy_xml())
    try:
        call.write(path, xml)
    except OSError as error:
        code = {2: "ENOENT", 13: "EACCES", 21: "EISDIR", 30: "EROFS", 20: "ENOTDIR"}.get(error.errno or 0, "EIO")
        call.err(f"java.io.FileNotFoundException: {path}: open failed: {code} ({error_text(error)})")
        return 1
    call.line(f"UI hierchary dumped to: {path}")
    return 0


def png(phone: PhoneDoor) -> bytes:
    """The screen as a PNG file, packed fast rather than small."""
    buffer = io.BytesIO()
    Image.fromarray(phone.frame()).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def raw(phone: PhoneDoor) -> bytes:
    """The screen as `screencap` gives it without `-p`: width, height, format 1 (RGBA), colour space 1, pixels."""
    frame = phone.frame()
    height, width = frame.shape[:2]
    pixels = np.full((height, width, 4), 255, np.uint8)
    pixels[:, :, :3] = frame
    return struct.pack("<4I", width, height, 1, 1) + pixels.tobytes()


def screencap(call: Call) -> int:
    """Takes a picture of the screen."""
    as_png, path = False, None
    args = list(call.args)
    while args:
        arg = args.pop(0)
        if arg == "-p":
            as_png = True
        elif arg == "-d":
            display = args.pop(0) if args else ""
            if display not in (DISPLAY_ID, "0"):
                call.err(f"Display Id '{display}' is not valid.")
                call.err('See "dumpsys SurfaceFlinger --display-id" for valid IDs.')
                return 1
        elif arg in ("-a", "-j"):
            continue
        elif arg.startswith("-") and len(arg) > 1:
            call.err("usage: screencap [-hp] [-d display-id] [FILENAME]")
            return 1
        else:
            path = arg
    as_png |= path is not None and path.endswith(".png")
    data = png(call.phone) if as_png else raw(call.phone)
    if path is None:
        call.out(data)
        return 0
    try:
        call.write(path, data)
    except OSError as error:
        call.err(f"Error opening file: {path} ({error_text(error)})")
        return 1
    return 0


def screenrecord(call: Call) -> int:
    """Films cannot be taken."""
    call.err("Error: screenrecord is not supported by this phone: it has no video encoder")
    return 1


COMMANDS: dict[str, Command] = {"screencap": screencap, "screenrecord": screenrecord, "uiautomator": uiautomator}
