"""Tasks: their model, the suites as YAML, the proofs and the registration with Gymnasium."""

if __name__ != "mobile_gym.task_registry":
    raise ImportError(
        f"this package is mobile_gym.task_registry and was imported as {__name__!r}: the folder at the "
        "repository's top is a link for people. Write `from mobile_gym.task_registry import ...`."
    )
