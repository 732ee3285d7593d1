"""Criteria, subtasks, progress, side effects and demonstrations: what a task asks of a device's state."""

if __name__ != "mobile_gym.reward":
    raise ImportError(
        f"this package is mobile_gym.reward and was imported as {__name__!r}: the folder at the repository's top "
        "is a link for people. Write `from mobile_gym.reward import ...`."
    )
