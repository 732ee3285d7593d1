"""Captions: what a screenshot showed, in words, once the picture itself is left out (GMA, section 5.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mobile_gym.models.completion import Completion
from mobile_gym.models.errors import EmptyAnswer
from mobile_gym.models.messages import Message, Picture
from mobile_gym.policies.formats.base import cut
from mobile_gym.policies.harness.prompts import Prompts

_LONGEST = 1000


class Captioner:
    """Asks a model for a caption of each picture that leaves the history.

    Args:
        complete: asks the model; `ChatClient.complete`, or anything that counts costs around it.
    """

    def __init__(self, complete: Callable[[Sequence[Message]], Completion]) -> None:
        self._complete = complete

    def caption(self, picture: Picture, instruction: str, prompts: Prompts) -> str:
        """What of a picture matters for the task; empty where the model answers nothing.

        Raises:
            ModelError: the model cannot be asked.
        """
        ask = Message.of("user", prompts.say("caption_prompt", instruction=instruction), picture)
        try:
            return cut(self._complete([ask]).text.strip(), _LONGEST)
        except EmptyAnswer:
            return ""
