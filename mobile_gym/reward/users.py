"""Simulated users: who answers when an agent asks.

The contract (GMA, section 4.1): a user knows the facts that its task lists and nothing else, tells those that it is
asked about and no others, and never helps with the phone. `ScriptedUser` keeps it by construction. `ModelUser` lets a
model speak and checks every reply; one that breaks the contract is replaced by the scripted one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any, Protocol

import yaml

from mobile_gym.models.completion import Completion
from mobile_gym.models.errors import ModelError
from mobile_gym.models.messages import Message
from mobile_gym.reward.errors import UserFailed
from mobile_gym.reward.normal_forms import normal_text
from mobile_gym.reward.task_spec import Language
from mobile_gym.reward.user_facts import User


@dataclass(frozen=True, slots=True)
class Reply:
    """What a user said to a question.

    Attributes:
        text: the reply.
        told: topics of the facts that it told.
        replaced: why a model's own reply was not passed on; else empty.
    """

    text: str
    told: frozenset[str] = frozenset()
    replaced: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its reply."""

    question: str
    reply: Reply


class SimulatedUser(Protocol):
    """Answers questions. It holds no state of an episode, so that one serves many."""

    @property
    def name(self) -> str:
        """How records name it."""
        ...

    def reply(
        self, user: User, language: Language, instruction: str, question: str, before: Sequence[Exchange]
    ) -> Reply:
        """The reply to a question.

        Args:
            user: what the user knows.
            language: the instruction's language, in which the reply is.
            instruction: what the user asked for.
            question: the agent's question.
            before: what was asked and said before.

        Raises:
            UserFailed: no reply could be had.
        """
        ...

    def close(self) -> None:
        """Closes connections; calling it twice is fine."""


class ScriptedUser:
    """Finds what a question is about by the words that the task lists; the same question has the same reply."""

    name = "scripted"

    def reply(
        self, user: User, language: Language, instruction: str, question: str, before: Sequence[Exchange] = ()
    ) -> Reply:
        """See `SimulatedUser`."""
        if not question.strip():
            return Reply(_say("empty", language))
        topics, help_wanted = asked_about(user, question)
        if _too_much(question, topics):
            return Reply(_say("too_much", language))
        if not topics:
            return Reply(_say("no_help" if help_wanted else "unknown", language))
        end, join = _say("end", language), _say("join", language)
        sentences = [_ended(_said(user, topic, language), end) for topic in topics]
        text = _say("facts", language, facts=join.join(sentences))
        if help_wanted:
            text += join + _say("no_help", language)
        return Reply(text, frozenset(topics))

    def close(self) -> None:
        """There is nothing to close."""


class Chat(Protocol):
    """What asks a model; `mobile_gym.models.ChatClient` does."""

    def complete(self, messages: Sequence[Message]) -> Completion:
        """The model's answer to a chat."""
        ...

    def close(self) -> None:
        """Closes the connections."""


class ModelUser:
    """A user whose words are a model's. Each reply is held against the contract, and the scripted one stands in for it.

    A model may tell facts whose words the question has; where it has the words of none, one fact that the model takes
    the question to be about, so that paraphrases are understood.

    Args:
        client: asks the model.
        name: how records name it.
    """

    def __init__(self, client: Chat, name: str = "model") -> None:
        self._client = client
        self.name = name
        self._scripted = ScriptedUser()

    def reply(
        self, user: User, language: Language, instruction: str, question: str, before: Sequence[Exchange] = ()
    ) -> Reply:
        """See `SimulatedUser`."""
        scripted = self._scripted.reply(user, language, instruction, question, before)
        if not question.strip() or _too_much(question, asked_about(user, question)[0]):
            return scripted
        try:
            answer = self._client.complete(_prompt(user, language, instruction, question, before)).text
        except ModelError as problem:
            raise UserFailed(f"the simulated user's model did not answer: {problem}") from problem
        try:
            topics, text = _read(answer)
            told = _check(user, language, question, scripted, topics, text)
        except _Broken as broken:
            return Reply(scripted.text, scripted.told, str(broken))
        return Reply(text, told)

    def close(self) -> None:
        """Closes the client's connections."""
        self._client.close()


def asked_about(user: User, question: str) -> tuple[tuple[str, ...], bool]:
    """What a question is about.

    Each piece of it, up to a mark that ends a sentence, is understood on its own: one that asks how to do something is
    about nothing else.

    Returns:
        Topics in the task's order, and whether help with the phone is asked for.
    """
    words = _words()
    found: set[str] = set()
    help_wanted = False
    for piece in re.split("|".join(map(re.escape, words["pieces"])), question):
        plain = normal_text(piece)
        if _has_any(plain, words["help"]):
            help_wanted = True
        else:
            found |= {topic for topic in user.knows if _has_any(plain, user.words_of(topic))}
    return tuple(topic for topic in user.knows if topic in found), help_wanted


def _too_much(question: str, topics: Sequence[str]) -> bool:
    words = _words()
    return len(question) > int(words["longest_question"]) or len(topics) > int(words["most_topics"])


# The contract.


class _Broken(Exception):
    """A model's reply breaks the contract."""


def _check(
    user: User, language: Language, question: str, scripted: Reply, topics: Iterable[str], text: str
) -> frozenset[str]:
    """The topics that a reply tells; raises `_Broken` where it may not be passed on."""
    words = _words()
    allowed = scripted.told
    if not allowed and not asked_about(user, question)[1]:
        claimed = [topic for topic in dict.fromkeys(topics) if topic in user.knows]
        if len(claimed) == 1:
            allowed = frozenset(claimed)
    if not text.strip() or len(text) > words["longest_reply"]:
        raise _Broken("it is empty or too long")
    plain = normal_text(text)
    known = normal_text(" ".join(_said(user, topic, language) for topic in sorted(allowed)))
    step = next((word for word in words["steps"] if _has(plain, word) and not _has(known, word)), None)
    if step is not None:
        raise _Broken(f"it guides: '{step}'")
    for topic in user.knows:
        if topic not in allowed and _gives_away(user, topic, plain, known):
            raise _Broken(f"it tells of '{topic}' unasked")
    spoken = normal_text(question)
    invented = [number for number in _numbers(plain) if number not in {*_numbers(known), *_numbers(spoken)}]
    if invented:
        raise _Broken(f"it tells '{invented[0]}', which the user does not know")
    for topic in sorted(allowed):
        signs = _signs(user, topic, language)
        if signs and not _has_any(plain, signs):
            raise _Broken(f"it keeps '{topic}' back")
    return allowed


def _signs(user: User, topic: str, *languages: Language) -> list[str]:
    """What shows that a fact was told: what gives it away, else its numbers."""
    fact = user.knows[topic]
    if fact.gives_away:
        return [*fact.gives_away]
    return [number for language in languages for number in _numbers(normal_text(_said(user, topic, language)))]


def _gives_away(user: User, topic: str, plain: str, known: str) -> bool:
    """Whether a text tells a fact, wholly or for a good part, in a way that what may be told does not account for."""
    if any(_has(plain, sign) and not _has(known, sign) for sign in _signs(user, topic, "zh", "en")):
        return True
    fact = user.knows[topic]
    for sentence in map(normal_text, (fact.says.zh, fact.says.en)):
        match = SequenceMatcher(None, plain, sentence, autojunk=False).find_longest_match()
        shared = sentence[match.b : match.b + match.size]
        least = _FEWEST_LATIN if shared.isascii() else _FEWEST
        if match.size >= min(len(sentence), max(least, len(sentence) / 2)) and shared not in known:
            return True
    return False


_FEWEST, _FEWEST_LATIN = 4, 12
"""So many characters of a fact in a row, and at least half of it, tell it."""


def _numbers(plain: str) -> list[str]:
    return re.findall(r"\d+(?:[.:]\d+)*", plain)


def _has_any(plain: str, words: Iterable[str]) -> bool:
    return any(_has(plain, word) for word in words)


def _has(plain: str, word: str) -> bool:
    """Whether a normal text has a word: a Latin word or number as a whole one, with or without an s at its end."""
    needle = normal_text(word)
    if not needle:
        return False
    before = r"(?<![a-z0-9])" if re.match(r"[a-z0-9]", needle) else ""
    after = r"(?![a-z0-9])" if re.search(r"\d$", needle) else r"(?:e?s)?(?![a-z0-9])" if needle[-1].isascii() else ""
    return re.search(before + re.escape(needle) + after, plain) is not None


# Words.


@cache
def _words() -> Mapping[str, Any]:
    data: dict[str, Any] = yaml.safe_load(files("mobile_gym.reward").joinpath("user_words.yaml").read_text("utf-8"))
    return data


def _say(name: str, language: Language, **values: str) -> str:
    return Template(_words()["replies"][name][language]).substitute(values)


def _said(user: User, topic: str, language: Language) -> str:
    says = user.knows[topic].says
    return says.zh if language == "zh" else says.en


def _ended(sentence: str, end: str) -> str:
    plain = sentence.strip()
    return plain if plain.endswith((".", "!", "?", "\u3002", "\uff01", "\uff1f")) else plain + end


def _prompt(
    user: User, language: Language, instruction: str, question: str, before: Sequence[Exchange]
) -> list[Message]:
    prompt = _words()["prompt"]
    facts = "\n".join(f"- {topic}: {_said(user, topic, language)}" for topic in user.knows)
    system = Template(prompt["system"][language]).substitute(instruction=instruction, facts=facts)
    parts = []
    if before:
        said = "\n".join(f"- {one.question}\n  {one.reply.text}" for one in before)
        parts.append(Template(prompt["before"][language]).substitute(before=said))
    parts.append(Template(prompt["question"][language]).substitute(question=question))
    return [Message.of("system", system), Message.of("user", "\n\n".join(parts))]


def _read(answer: str) -> tuple[list[str], str]:
    """Topics and reply of a model's answer; raises `_Broken` where it is not the JSON that was asked for."""
    plain = re.sub(r"^```(?:json)?\s*|\s*```$", "", answer.strip())
    try:
        data = json.loads(plain)
    except ValueError as problem:
        raise _Broken("it is no JSON") from problem
    if not isinstance(data, dict) or not isinstance(data.get("reply"), str):
        raise _Broken("it has no reply")
    topics = data.get("topics", [])
    if not isinstance(topics, list) or not all(isinstance(topic, str) for topic in topics):
        raise _Broken("its topics are no list of names")
    return topics, data["reply"]
