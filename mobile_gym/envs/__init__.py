"""Gymnasium environments over tasks and devices.

This folder is also reachable as `envs` at the top of the repository, for reading and editing; imports always say
`mobile_gym.envs`.
"""

if __name__ != "mobile_gym.envs":
    raise ImportError(
        f"this package is imported as {__name__!r}; import it as 'mobile_gym.envs'. The folder 'envs' at the top of "
        "the repository is only a link for people, and a second copy of its classes would not be equal to the first."
    )
