"""The live page as a recorder: a person solves a task on the page, and every touch becomes a recorded step."""

from __future__ import annotations

import threading
from typing import Any

from mobile_gym.devices.errors import DeviceError
from mobile_gym.envs.actions import ActionType, MalformedAction, parse_action
from mobile_gym.envs.live_page.server import LivePage
from mobile_gym.envs.live_page.typed import Typed, deleted, field_text
from mobile_gym.reward.demonstration import PrimitiveAction
from mobile_gym.reward.graph.recordings import Recording
from mobile_gym.reward.protocol_actions import ALLOWED
from mobile_gym.reward.session import TaskSession
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.recording import Recorder

_KEYS = {"back": "press_back", "home": "press_home", "recents": "press_recents", "enter": "press_enter"}
GIVEN_UP = "given up"
"""The text of a finish that says that the task was not solved."""
_LAST_LOOK = 2.0
"""How long the page of a browser gets to ask once more after the end, before the server closes, seconds."""


class RecordingPage(LivePage):
    """Serves the page and records until the person says that it is done.

    Only what the task's protocol allows can be done; a drag counts as a swipe where it has no drag. What is typed in
    one go is one step, and Backspace corrects it. Done ends the recording where the criteria hold, or where nothing is
    verified; else the page says what is missing and the recording goes on. Giving up always ends it, also when the
    device was lost: the steps so far are kept.

    Args:
        session: a session that is set up (or, with an unverified recorder, at least ready to be looked at).
        recorder: records the steps.
        verified: whether the session's criteria tell if the end is right.
        port: the loopback port, 0 for a free one.
    """

    def __init__(self, session: TaskSession, recorder: Recorder, verified: bool = True, port: int = 0) -> None:
        self._session = session
        self._recorder = recorder
        self._verified = verified
        task = session.task
        assert isinstance(task, Task)
        self._steps = task.budget.steps
        self._allowed = ALLOWED[session.task.protocol]
        self._guard = threading.RLock()
        self._last: PrimitiveAction | None = None
        self._typed = Typed()
        self._recording: Recording | None = None
        self._verdict: dict[str, Any] | None = None
        self._finished = threading.Event()
        self._watched = False
        self._seen_to_end = threading.Event()
        super().__init__(lambda: session.device, self._guard, self._tell, port)

    def wait(self, seconds: float | None = None) -> Recording | None:
        """Waits until the person is done; the recording, or None where the time was up before."""
        self._finished.wait(seconds)
        return self._recording

    def close(self) -> None:
        """Ends the server, once a browser that shows the page knows how the recording ended."""
        if self._recording is not None and self._watched:
            self._seen_to_end.wait(_LAST_LOOK)
        super().close()

    def told(self, state: dict[str, Any]) -> None:
        """Notes that a browser was told the state."""
        self._watched = True
        if state["ended"]:
            self._seen_to_end.set()

    def touch(self, request: dict[str, Any]) -> None:
        """Records what a person does on the page, and does it.

        Raises:
            MalformedAction: it is none, or the protocol does not allow it.
            DeviceError: the device refused it or failed.
        """
        with self._guard:
            if self._recording is not None:
                raise MalformedAction("the recording is done; close this page")
            if request.get("key") == "delete":
                self._delete()
                return
            action = self._read(request)
            if action.kind == "finish":
                self._finish(action)
                return
            if action.kind not in self._allowed:
                allowed = ", ".join(sorted(self._allowed))
                raise MalformedAction(f"the task's protocol has no {action.kind}; it has {allowed}")
            before = self._recorder.taken()
            if not (action.kind == "type" and self._typed.text and self._recorder.typed_on(action.text)):
                self._recorder.before(action)
            if self._verified:
                self._session.note(action.kind, action.point, action.text)
            try:
                super().touch(_request(action))
            except DeviceError:
                # What the device refused did not happen.
                self._recorder.take_back(before)
                if self._verified:
                    self._session.take_back()
                raise
            self._last, self._verdict = action, None
            if action.kind == "type":
                self._typed.add(action.text)
            else:
                self._typed.forget()

    def _delete(self) -> None:
        """Corrects what is being typed: an agent has no Backspace, so the step is what is typed in the end."""
        typed = self._typed.text
        if not typed:
            raise MalformedAction(
                "Backspace corrects what was just typed; what the field held before cannot be deleted, since no action "
                "of an agent does that"
            )
        device = self._session.device
        before = field_text(device)
        super().touch({"key": "delete"})
        pieces, rest = self._typed.cut(deleted(typed, before, field_text(device)))
        if self._verified:
            for _ in range(pieces):
                self._session.take_back()
            if rest:
                self._session.note("type", None, rest)
        left = self._typed.text
        self._recorder.retype(left)
        self._last = PrimitiveAction("type", text=left) if left else None

    def _finish(self, action: PrimitiveAction) -> None:
        """Ends the recording, or says why not."""
        given_up = action.text == GIVEN_UP
        before = self._recorder.taken()
        try:
            self._recorder.before(action)
        except DeviceError:
            if not (given_up and before):
                raise
        recording = self._recorder.done(not given_up)
        self._verdict = {"solved": recording.solved, "missing": [], "unexpected": []}
        if self._verified and not given_up and not recording.solved:
            self._recorder.take_back(before)
            self._verdict |= self._recorder.missing()
        else:
            self._recording = recording
            self._finished.set()
        self._typed.forget()
        self.refresh()

    def _read(self, request: dict[str, Any]) -> PrimitiveAction:
        if "key" in request:
            kind = _KEYS.get(str(request["key"]))
            if kind is None:
                raise MalformedAction(f"the key {request['key']!r} is no action of an agent; it cannot be recorded")
            return PrimitiveAction(kind)
        parsed = parse_action(request)
        kind = parsed.kind.word
        if parsed.kind is ActionType.DRAG and kind not in self._allowed:
            kind = ActionType.SWIPE.word
        return PrimitiveAction(kind, parsed.point, parsed.lift, parsed.text)

    def _tell(self) -> dict[str, Any]:
        last, task = self._last, self._session.task
        return {
            "task": task.id,
            "instruction": self._session.instruction,
            "turn": self._recorder.steps,
            "steps": self._steps,
            "running": self._recording is None,
            "recording": self._recording is None,
            "ended": self._recording is not None,
            "verified": self._verified,
            "verdict": self._verdict,
            "action": None
            if last is None
            else {"kind": last.kind, "point": last.point, "lift": last.lift, "text": last.text},
        }


def _request(action: PrimitiveAction) -> dict[str, Any]:
    return {
        "action_type": action.kind,
        "touch_point": action.point,
        "lift_point": action.lift,
        "text": action.text,
    }
