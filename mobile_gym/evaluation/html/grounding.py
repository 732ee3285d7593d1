"""Grounding items for the page: the picture with the box that was meant and the point that was given."""

from __future__ import annotations

from mobile_gym.evaluation.grounding_run import item_hash
from mobile_gym.evaluation.html.episodes import Data, cut
from mobile_gym.evaluation.html.loading import LoadedRun
from mobile_gym.evaluation.html.pictures import Pictures, Source
from mobile_gym.evaluation.models import EpisodeRecord, RunConfig
from mobile_gym.task_registry.grounding import GroundingItem, GroundingSetError
from mobile_gym.task_registry.grounding.sets import load_set

_DEVICE = "pictures:"


def asks_for_points(config: RunConfig) -> bool:
    """Whether a run is over a grounding set, for which clocks, resets and users mean nothing."""
    return config.device.startswith(_DEVICE)


class Items:
    """The items of a run, found again by their names.

    Args:
        run: the run.
    """

    def __init__(self, run: LoadedRun) -> None:
        self.problem = ""
        self._set = ""
        self._items: dict[str, GroundingItem] = {}
        if run.config is None:
            self.problem = "without the run's configuration its items are not known"
            return
        name = run.config.device.removeprefix(_DEVICE)
        self._set = f"{name} {run.config.language}"
        split = run.config.suite.partition("-")[2] or "all"
        try:
            self._items = {item.id: item for item in load_set(name, split, run.config.language)}
        except (GroundingSetError, ValueError, OSError) as problem:
            self.problem = (
                f"the items of this run cannot be read, so that neither boxes nor pictures are shown: {problem}"
            )

    def find(self, record: EpisodeRecord) -> tuple[GroundingItem | None, str]:
        """The item of a record, or None and why it cannot be shown."""
        item = self._items.get(record.task)
        if item is None:
            return None, "" if self.problem else "the set has no such item any more"
        if item_hash(item) != record.task_hash:
            return None, "the item has changed since it was answered, so that it is not shown"
        return item, ""

    def source(self, item: GroundingItem) -> Source:
        """Where an item's picture comes from: items of one page, in whatever run, have the same."""
        return Source(f"{self._set} {item.picture or item.id}", item.load)


def point_details(
    record: EpisodeRecord, item: GroundingItem | None, note: str, pictures: Pictures, source: Source | None
) -> Data:
    """What is shown of an item: picture, box, point, distance."""
    point = record.tags.get("point")
    told: Data = {
        "tags": [
            f"{name}: {value}" for name, value in record.tags.items() if value and name not in ("distance", "point")
        ],
        "hash": record.task_hash,
        "reward": record.reward,
        "errors": [{"turn": one.turn, "text": cut(one.error)} for one in record.action_errors],
        "problems": [note] if note else [],
        "failed": _missed(record),
        "point": point,
        "distance": record.tags.get("distance"),
    }
    if item is None:
        return told
    box = item.box
    told["box"] = [box.left, box.top, box.right, box.bottom]
    kept = pictures.find(source)
    if kept is not None:
        told |= {"picture": kept.name, "size": list(kept.size)}
    elif source is not None and source.name in pictures.problems:
        told["problems"].append(f"its picture cannot be read: {pictures.problems[source.name]}")
    return told


def _missed(record: EpisodeRecord) -> list[str]:
    if record.status != "done":
        return [f"It was not run: {cut(record.error)}"]
    if record.success:
        return []
    point, distance = record.tags.get("point"), record.tags.get("distance")
    if not isinstance(point, list):
        return ["The answer gave no point, which counts as the largest distance."]
    return [f"The point lies outside the box, {distance} from its middle on the 0–100 scale."]
