"""The harness: from what was seen and said so far to the chat that a model is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mobile_gym.models.messages import Message, Picture
from mobile_gym.policies.formats import Parsed
from mobile_gym.policies.formats.base import cut
from mobile_gym.policies.harness.captions import Captioner
from mobile_gym.policies.harness.pictures import Look
from mobile_gym.policies.harness.prompts import Prompts
from mobile_gym.policies.harness.state import NoState, StateTracking


@dataclass
class _Turn:
    """A turn that is over: what was shown and what the model said."""

    picture: Picture | None
    message: str
    answer: str
    caption: str = ""


class Harness:
    """Keeps an episode's history and writes the chat; each part can be had alone.

    Args:
        prompts: the sentences.
        images: how many of the newest screenshots are sent, the present one among them (GMA: 2).
        thoughts: whether earlier answers are sent whole, with their reasoning, or their actions alone.
        state: state tracking.
        captioner: describes the screenshots that are no longer sent; None for no captions.
    """

    def __init__(
        self,
        prompts: Prompts,
        images: int = 2,
        thoughts: bool = True,
        state: StateTracking | None = None,
        captioner: Captioner | None = None,
    ) -> None:
        if images < 1:
            raise ValueError(f"the history holds at least the present screenshot, not {images}")
        self._prompts = prompts
        self._images = images
        self._thoughts = thoughts
        self._state = state or NoState()
        self._captioner = captioner
        self._instruction = ""
        self._turns: list[_Turn] = []
        self._now: tuple[Look, str] | None = None

    def begin(self, instruction: str) -> None:
        """Begins an episode."""
        self._instruction = instruction
        self._turns.clear()
        self._now = None
        self._state.begin()

    def messages(self, look: Look, message: str, allowed: Sequence[int]) -> list[Message]:
        """The chat for the present screen.

        Args:
            look: what is shown.
            message: the environment's message: a user's reply, why the last action was not carried out.
            allowed: the action mask.

        Raises:
            ModelError: a caption could not be had.
        """
        self._now = look, message
        self._drop_pictures()
        say = self._prompts.say
        chat = [Message.of("system", self._prompts.system(allowed, look.picture.size, self._state.rule))]
        for number, turn in enumerate(self._turns, 1):
            chat.append(self._seen(number, turn.message, turn.picture, turn.caption))
            chat.append(Message.of("assistant", turn.answer or say("unanswered")))
        notes = []
        if state := self._state.shown():
            notes.append(say("state_now", state=state))
        if problem := self._state.problem():
            notes.append(say("state_problem", problem=problem))
        chat.append(self._seen(len(self._turns) + 1, message, look.picture, "", notes))
        return chat

    def take_state(self, answer: str) -> str:
        """Takes the state out of a model's answer and gives the rest, which a parser reads."""
        return self._state.take(answer)

    def record(self, answer: str, parsed: Parsed) -> None:
        """Writes down what the model answered in this turn.

        Args:
            answer: the answer without its state.
            parsed: what was read from it.
        """
        if self._now is None:
            raise RuntimeError("record() belongs after messages()")
        (look, message), self._now = self._now, None
        said = answer if self._thoughts or not parsed.call else parsed.call
        self._turns.append(_Turn(look.picture, message, cut(said.strip())))

    def _drop_pictures(self) -> None:
        kept = self._images - 1
        for turn in self._turns[: len(self._turns) - kept]:
            if turn.picture is None:
                continue
            if self._captioner is not None:
                turn.caption = self._captioner.caption(turn.picture, self._instruction, self._prompts)
            turn.picture = None

    def _seen(
        self, number: int, message: str, picture: Picture | None, caption: str, notes: Sequence[str] = ()
    ) -> Message:
        say = self._prompts.say
        lines = [say("task", instruction=self._instruction)] if number == 1 else []
        lines.append(say("turn", number=number))
        if message:
            lines.append(say("message", message=message))
        lines += notes
        if picture is None:
            lines.append(say("caption", caption=caption) if caption else say("left_out"))
            return Message.of("user", "\n".join(lines))
        return Message.of("user", "\n".join(lines), picture)
