"""The criteria that look at the device: what each kind's document says, and whether it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Literal

from annotated_types import MinLen
from pydantic import AfterValidator, model_validator

from mobile_gym.assets.base import AssetType, Entry, row_path
from mobile_gym.assets.documents import Scalar, Strict, by_keys
from mobile_gym.assets.general import ContentUri, DevicePath, SettingKey
from mobile_gym.assets.table import Asset, asset_types
from mobile_gym.devices.base import Row
from mobile_gym.reward.answer_check import AnswerCheck, AnswerDocument, answer_holds
from mobile_gym.reward.answers import Answer
from mobile_gym.reward.comparison import Comparison, ValueCheck, value_holds
from mobile_gym.reward.matching import matches
from mobile_gym.reward.normal_forms import contains_text, same_text, same_value
from mobile_gym.reward.world import World

NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a criterion is judged by.

    Attributes:
        now: the device now.
        start: the device when the episode started; the same as `now` while the episode is being set up.
        answer: what the agent answered, None where it did not.
        ended_by: how the agent ended the episode: `finish`, `answer` or `finish_infeasible`; empty where it did not.
        asked: topics that the user was asked about and told.
        most_new: how many new things a criterion without a count accounts for. One, as one was asked for, and what
            comes twice is once too often; None for any number, where all that is gone is looked for.
    """

    now: World
    start: World
    answer: str | None = None
    ended_by: str = ""
    asked: frozenset[str] = NOTHING
    most_new: int | None = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a criterion came out.

    Attributes:
        holds: whether it is met.
        claims: paths of changes that it accounts for, so that they are no side effects.
    """

    holds: bool
    claims: frozenset[str] = NOTHING


@dataclass(frozen=True, slots=True)
class LeafType:
    """A kind of criterion that looks at the device.

    Attributes:
        document: the type of its documents.
        judge: whether a document holds.
        requires: capabilities and `provider:<authority>` that a device needs for it.
        stored: whether it looks at stored state alone, not at the screen, the clipboard or the answer.
    """

    document: Any
    judge: Callable[[Any, Evidence], Outcome]
    requires: frozenset[str] = NOTHING
    stored: bool = True


class SettingCheck(Comparison):
    """A setting and what it must be; `value` is what `equals` is, so that an asset's document is a criterion too.

    Attributes:
        key: namespace and name.
        value: the value that it must have.
        default: what the device takes it to be where it was never put.
    """

    key: SettingKey
    value: Scalar = None
    default: Scalar = None

    @model_validator(mode="before")
    @classmethod
    def _value_is_equals(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and "value" in data and "equals" not in data:
            return {**data, "equals": data["value"]}
        return data


def _judge_setting(check: SettingCheck, evidence: Evidence) -> Outcome:
    namespace, _, name = check.key.partition("/")

    def value(world: World) -> Scalar:
        found = world.setting(namespace, name)
        return check.default if found is None else found

    holds = check.holds(value(evidence.now), value(evidence.start))
    return Outcome(holds, frozenset({check.key}) if holds else NOTHING)


class RowCheck(Strict):
    """Rows of a content provider.

    Attributes:
        uri: the provider's URI.
        where: columns that the rows must have, compared by meaning.
        sql: the provider's condition, for what `where` cannot say.
        values: columns that at least one of these rows must have so.
        count: how many rows there must be, all of `where`, `sql` and `values` held against them; else at least one.
        id: the column that tells rows apart.
    """

    uri: ContentUri
    where: dict[str, Scalar] | None = None
    sql: str | None = None
    values: dict[str, ValueCheck] | None = None
    count: ValueCheck = None
    id: str = "_id"


def rows_of(check: RowCheck, world: World) -> list[Row]:
    """Rows that are what `where` and `sql` say, whatever their other values."""
    where = check.where or {}
    return [
        row
        for row in world.rows(check.uri, check.sql)
        if all(same_value(_plain(value), row.get(column)) for column, value in where.items())
    ]


def _plain(value: Scalar) -> Scalar:
    return int(value) if isinstance(value, bool) else value


def _judge_rows(check: RowCheck, evidence: Evidence) -> Outcome:
    before = rows_of(check, evidence.start)
    old = {row.get(check.id): row for row in before}
    # A comparison with the start is made with the same row, or with the one row that there was.
    only = before[0] if len(before) == 1 else {}
    wanted = check.values or {}

    def fits(row: Row) -> bool:
        first = old.get(row.get(check.id), only)
        return all(value_holds(one, row.get(column), first.get(column)) for column, one in wanted.items())

    found = [row for row in rows_of(check, evidence.now) if fits(row)]
    if check.count is None:
        holds = bool(found)
    else:
        start_count = sum(
            all(value_holds(one, row.get(column), row.get(column)) for column, one in wanted.items()) for row in before
        )
        holds = value_holds(check.count, len(found), start_count)
    unchanged = {row_path(check.uri, row, check.id) for row in before if row in found}
    added = _added(check, found, evidence.start) if check.count is None else []
    found = [row for row in found if evidence.most_new is None or row not in added[evidence.most_new :]]
    claims = frozenset(row_path(check.uri, row, check.id) for row in found) - unchanged
    return Outcome(holds, claims if holds else NOTHING)


def _added(check: RowCheck, found: list[Row], start: World) -> list[Row]:
    """Those rows of `found` that were not there at the start."""
    if len(found) < 2:
        return []
    known = {row.get(check.id) for row in start.rows(check.uri)}
    return [row for row in found if row.get(check.id) not in known]


class FileCheck(Strict):
    """A file.

    Attributes:
        path: where it lies; `*` stands for any part of a name, also across directories.
        exists: whether there must be one.
        content: its whole text, compared by meaning.
        contains: text that is part of it.
        new: whether it must not have been there, or must have been another, at the start.
    """

    path: DevicePath
    exists: bool = True
    content: str | None = None
    contains: str | None = None
    new: bool = False


def file_stamps(check: FileCheck, world: World) -> dict[str, str | bytes]:
    """Files that lie where a check says, and what tells each from another of its name: its bytes, or size and time."""
    if "*" not in check.path:
        data = world.file(check.path)
        return {} if data is None else {check.path: data}
    fixed = check.path[: check.path.index("*")]
    root = fixed[: fixed.rindex("/")] or "/"
    # The directory itself may not be there yet, so the shared storage that side effects are looked for in is listed.
    root = "/sdcard" if root.startswith("/sdcard") else root
    return {path: stamp for path, stamp in world.file_stamps(root).items() if fnmatchcase(path, check.path)}


def _judge_file(check: FileCheck, evidence: Evidence) -> Outcome:
    now, before = file_stamps(check, evidence.now), file_stamps(check, evidence.start)

    def fits(path: str) -> bool:
        if check.new and before.get(path) == now[path]:
            return False
        if check.content is None and check.contains is None:
            return True
        text = (evidence.now.file(path) or b"").decode("utf-8", errors="replace")
        whole = check.content is None or same_text(check.content, text)
        return whole and (check.contains is None or contains_text(text, check.contains))

    found = [path for path in now if fits(path)]
    if not check.exists:
        return Outcome(not found, NOTHING if found else frozenset(before))
    return Outcome(bool(found), frozenset(found))


class PackageCheck(Strict):
    """An app.

    Attributes:
        name: its package.
        installed: whether it must be installed.
        enabled: whether it must be enabled.
    """

    name: str
    installed: bool = True
    enabled: bool | None = None


def _judge_package(check: PackageCheck, evidence: Evidence) -> Outcome:
    state = evidence.now.packages().get(check.name)
    holds = (state is not None) == check.installed
    if check.installed and check.enabled is not None:
        holds = holds and state == ("enabled" if check.enabled else "disabled")
    return Outcome(holds, frozenset({f"package/{check.name}"}) if holds else NOTHING)


class ActivityCheck(Strict):
    """What must be in front; never with the lock screen up.

    Attributes:
        package: the package.
        name: the activity's full class name, `*` for any part.
    """

    package: str
    name: str = "*"


def _judge_activity(check: ActivityCheck | str, evidence: Evidence) -> Outcome:
    wanted = ActivityCheck(package=check) if isinstance(check, str) else check
    front = evidence.now.activity
    return Outcome(not front.locked and front.package == wanted.package and fnmatchcase(front.name, wanted.name))


class VisibleText(Strict):
    """Text that must be on the screen; never with the lock screen up.

    Attributes:
        text: the whole text of an element, compared by meaning.
        contains: part of the text of an element.
        package: the app that must show it.
    """

    text: str | None = None
    contains: str | None = None
    package: str | None = None

    @model_validator(mode="after")
    def _one(self) -> VisibleText:
        if (self.text is None) == (self.contains is None):
            raise ValueError("give either 'text' or 'contains'")
        return self


def _judge_visible_text(check: VisibleText | str, evidence: Evidence) -> Outcome:
    wanted = VisibleText(text=check) if isinstance(check, str) else check
    if evidence.now.activity.locked:
        return Outcome(False)

    def shows(text: str) -> bool:
        if wanted.text is not None:
            return same_text(wanted.text, text)
        return wanted.contains is not None and contains_text(text, wanted.contains)

    return Outcome(
        any(
            (wanted.package is None or node.package == wanted.package)
            and any(text and shows(text) for text in (node.text, node.content_desc))
            for node in evidence.now.tree.visible()
        )
    )


def _judge_clipboard(check: Comparison | str, evidence: Evidence) -> Outcome:
    return Outcome(value_holds(check, evidence.now.clipboard, evidence.start.clipboard))


def _judge_answer(check: AnswerCheck | Answer | str, evidence: Evidence) -> Outcome:
    return Outcome(evidence.answer is not None and answer_holds(check, evidence.answer))


def _judge_ended(check: str, evidence: Evidence) -> Outcome:
    return Outcome(evidence.ended_by == _ENDS[check])


_ENDS = {"infeasible": "finish_infeasible", "finished": "finish", "answered": "answer"}


def _judge_asked(topic: str, evidence: Evidence) -> Outcome:
    return Outcome(topic in evidence.asked)


def _judge_asset(asset_type: AssetType, document: Any, evidence: Evidence) -> Outcome:
    found = [entry for entry in asset_type.entries(evidence.now) if matches(asset_type, document, entry)]
    before = {entry.key: entry for entry in asset_type.entries(evidence.start)}
    new = [entry for entry in found if entry.key not in before]
    claims = NOTHING.union(*(entry.paths for entry in new[: evidence.most_new]))
    for entry in found:
        old = before.get(entry.key)
        if old is not None and _only_as_asked(asset_type, document, old, entry):
            claims |= entry.paths | old.paths
    return Outcome(bool(found), claims)


def _only_as_asked(asset_type: AssetType, document: Any, old: Entry, new: Entry) -> bool:
    """Whether an entry is still the same thing and differs from what it was in what the document asks for alone."""
    asked = asset_type.wanted(document).keys() - set(asset_type.identity)
    return all(new.fields.get(name) == value for name, value in old.fields.items() if name not in asked)


def _has_entries(asset: Asset) -> Asset:
    if asset.kind in ("setting", "row", "file"):
        raise ValueError(
            f"'new' is for things with entries; for a {asset.kind} write 'changed: true', a 'count' or, for a file, "
            "'new: true'"
        )
    return asset


def _judge_new(asset: Asset, evidence: Evidence) -> Outcome:
    asset_type = asset.type
    old = {entry.key: entry for entry in asset_type.entries(evidence.start)}
    found = [
        entry
        for entry in asset_type.entries(evidence.now)
        if matches(asset_type, asset.spec, entry) and not _same_thing(asset_type, old.get(entry.key), entry)
    ]
    new = [entry for entry in found if entry.key not in old]
    claims = NOTHING.union(*(entry.paths for entry in new[: evidence.most_new]))
    return Outcome(bool(found), claims)


def _same_thing(asset_type: AssetType, old: Entry | None, new: Entry) -> bool:
    return old is not None and all(old.fields.get(name) == new.fields.get(name) for name in asset_type.identity)


def _asset_leaf(asset_type: AssetType) -> LeafType:
    def judge(document: Any, evidence: Evidence) -> Outcome:
        return _judge_asset(asset_type, document, evidence)

    return LeafType(asset_type.document, judge, asset_type.requires, asset_type.stored)


@cache
def leaf_types() -> Mapping[str, LeafType]:
    """All kinds of criteria that look at the device, by name: every asset type, and those that are no assets."""
    table = {name: _asset_leaf(asset_type) for name, asset_type in asset_types().items()}
    table |= {
        "setting": LeafType(SettingCheck, _judge_setting, frozenset({"settings"})),
        "row": LeafType(RowCheck, _judge_rows, frozenset({"content"})),
        "file": LeafType(FileCheck, _judge_file, frozenset({"files"})),
        "package": LeafType(PackageCheck, _judge_package, frozenset({"shell"})),
        "activity": LeafType(Annotated[ActivityCheck | str, by_keys(ActivityCheck)], _judge_activity, stored=False),
        "visible_text": LeafType(
            Annotated[VisibleText | str, by_keys(VisibleText)],
            _judge_visible_text,
            frozenset({"hierarchy"}),
            stored=False,
        ),
        "clipboard": LeafType(
            Annotated[Comparison | str, by_keys(Comparison)],
            _judge_clipboard,
            frozenset({"content", "provider:mobile_gym.clipboard"}),
            stored=False,
        ),
        "answer": LeafType(AnswerDocument, _judge_answer, stored=False),
        "ended": LeafType(Literal["infeasible", "finished", "answered"], _judge_ended, stored=False),
        "asked": LeafType(Annotated[str, MinLen(1)], _judge_asked, stored=False),
        "new": LeafType(
            Annotated[Asset, AfterValidator(_has_entries)], _judge_new, frozenset({"content"}), stored=False
        ),
    }
    return MappingProxyType(table)
