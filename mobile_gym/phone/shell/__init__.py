"""The adb shell of the embedded phone; see `shell.Shell`, `session.ShellSession` and `shell_files.ShellFiles`."""
