"""Where OpenAI's own endpoint is, and which variable holds its key; light, since no client is made here."""

from __future__ import annotations

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"


def endpoint(base_url: str = "", api_key_env: str = "") -> tuple[str, str | None]:
    """The address that is asked and the environment variable that holds its key.

    Args:
        base_url: an endpoint; OpenAI's own where it is empty.
        api_key_env: the variable; where it is empty, `OPENAI_API_KEY` for OpenAI's own endpoint and none for others,
            which must never see that key.
    """
    return base_url or OPENAI_URL, api_key_env or (None if base_url else OPENAI_KEY)
