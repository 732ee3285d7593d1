"""Simulated users by name, as environments and commands take them."""

from __future__ import annotations

from mobile_gym.models.endpoints import endpoint
from mobile_gym.reward.users import ModelUser, ScriptedUser, SimulatedUser

_PREFIX = "openai:"


def make_user(name: str) -> SimulatedUser:
    """A simulated user.

    Args:
        name: `scripted`, `openai:MODEL` for OpenAI's own endpoint (with the key of `OPENAI_API_KEY`), or
            `openai:MODEL@URL` for another, such as `openai:qwen@http://127.0.0.1:8000/v1` (without a key).

    Raises:
        ValueError: there is no such user, or the URL is none.
    """
    if name == ScriptedUser.name:
        return ScriptedUser()
    model, at, url = name.removeprefix(_PREFIX).partition("@http")
    if not name.startswith(_PREFIX) or not model:
        raise ValueError(f"there is no simulated user {name!r}; there are scripted, openai:MODEL and openai:MODEL@URL")
    # The client needs the extra `models`, which the scripted user does without.
    from mobile_gym.models.client import ChatClient

    base_url, key = endpoint(f"http{url}" if at else "")
    client = ChatClient(base_url, model, api_key_env=key)
    return ModelUser(client, name)
