"""What a simulated user knows: the documents of a task's `user`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from annotated_types import MinLen
from pydantic import BeforeValidator, Field, model_validator

from mobile_gym.assets.documents import Strict, TextLike


def _both(value: Any) -> Any:
    return {"zh": value, "en": value} if isinstance(value, str | int | float) and not isinstance(value, bool) else value


class Said(Strict):
    """A sentence in both languages; a bare text is the same in both.

    Attributes:
        zh: in Chinese.
        en: in English.
    """

    zh: Annotated[TextLike, MinLen(1)]
    en: Annotated[TextLike, MinLen(1)]


def _words(value: Any) -> Any:
    """Words that are given by language, as one list: a question may be in either."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping) and value.keys() <= {"zh", "en"}:
        return [word for words in value.values() for word in ([words] if isinstance(words, str) else words)]
    return value


Words = Annotated[tuple[Annotated[TextLike, MinLen(1)], ...], BeforeValidator(_words)]


class Fact(Strict):
    """Something that the user knows and tells when asked about it.

    Attributes:
        says: the sentence that is told.
        asked_by: words of questions about it, in any language; a list, or lists by language. The topic itself where
            none are given.
        gives_away: the part of it that must not be told unasked, such as `300`; its numbers and its whole sentence
            where nothing is given.
    """

    says: Annotated[Said, BeforeValidator(_both)]
    asked_by: Words = ()
    gives_away: Words = ()


def _fact(value: Any) -> Any:
    if isinstance(value, Mapping) and value.keys() == {"zh", "en"}:
        return {"says": value}
    return value if isinstance(value, Mapping) else {"says": value}


class User(Strict):
    """A simulated user. It tells what it is asked about, never more, and never how to do something.

    Attributes:
        knows: facts by topic. A bare text, or `{zh, en}`, is the sentence that is told.
    """

    knows: dict[str, Annotated[Fact, BeforeValidator(_fact)]] = Field(min_length=1)

    @model_validator(mode="after")
    def _can_be_asked(self) -> User:
        for topic, fact in self.knows.items():
            if not fact.asked_by and not topic.strip("_ "):
                raise ValueError("a fact needs a topic or 'asked_by'")
        return self

    def words_of(self, topic: str) -> tuple[str, ...]:
        """The words of questions about a topic."""
        return self.knows[topic].asked_by or (topic.replace("_", " "),)
