"""An Android SDK whose emulator is our own phone, served on the ports that the emulator was told."""

from __future__ import annotations

import sys
from pathlib import Path

_EMULATOR = """\
#!{python}
import sys
if sys.argv[1:] == ["-list-avds"]:
    print("INFO    | Storing crashdata in: /tmp")
    print("pixel")
    print("broken")
    sys.exit()
name, port = sys.argv[sys.argv.index("-avd") + 1], int(sys.argv[sys.argv.index("-port") + 1])
if name == "broken":
    sys.exit("PANIC: the system image is missing")
from mobile_gym.cli import main
main(["phone", "serve", "--profile", "small", "--port", str(port + 1), "--console", str(port)])
"""


def make_sdk(root: Path) -> Path:
    """Writes the SDK's emulator; gives what ANDROID_HOME is set to."""
    folder = root / "sdk" / "emulator"
    folder.mkdir(parents=True)
    emulator = folder / "emulator"
    emulator.write_text(_EMULATOR.format(python=sys.executable))
    emulator.chmod(0o755)
    return root / "sdk"
