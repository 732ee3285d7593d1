"""The activity manager: tasks, their stacks, what is in front, intents and broadcasts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.door import Component, Intent, TaskInfo
from mobile_gym.phone.errors import ActivityNotFound, PackageNotFound
from mobile_gym.phone.system.app import App, Context, Record, Screen, new_record

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

HOME_PACKAGE = "com.android.launcher3"


def full_class(package: str, activity: str) -> str:
    """`.Class` in full."""
    return package + activity if activity.startswith(".") else activity


class ActivityManager:
    """Keeps `tasks` (newest first; the launcher's is not among them) and `front`, a task's id or 0 for the launcher."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    @property
    def _state(self) -> Record:
        return self._phone.state.interface

    # ---- records

    def top(self) -> Record:
        """The record of the screen in front."""
        task = self.front_task()
        record: Record = self._state["home"] if task is None else task["stack"][-1]
        return record

    def front_task(self) -> Record | None:
        """The task in front; None while the launcher is."""
        front = self._state["front"]
        return next((task for task in self._state["tasks"] if task["id"] == front), None)

    def records(self) -> list[Record]:
        """Every screen's record, of every task and of the launcher."""
        return [self._state["home"], *(record for task in self._state["tasks"] for record in task["stack"])]

    def new_uid(self) -> int:
        """A number that no other record has."""
        self._state["next_uid"] += 1
        return int(self._state["next_uid"])

    def context(self, record: Record) -> Context:
        """A context for a screen's record."""
        return Context(self._phone, self._phone.apps[record["package"]], record)

    def screen(self, record: Record) -> Screen:
        """The screen of a record."""
        return self._phone.apps[record["package"]].screen(record["screen"])

    # ---- starting

    def start(self, intent: Intent) -> Component:
        """Starts an activity; see `PhoneDoor.activities`."""
        if (
            intent.action == "android.intent.action.MAIN"
            and intent.package in (None, HOME_PACKAGE)
            and not intent.activity
        ):
            self.go_home()
            return self.resumed()
        package, screen, args, above = self._resolve(intent)
        if package == HOME_PACKAGE:
            self.go_home()
            return self.resumed()
        self._phone.close_surfaces()
        task = next((task for task in self._state["tasks"] if task["stack"][0]["package"] == package), None)
        if task is not None and intent.clear:
            self._state["tasks"].remove(task)
            task = None
        launcher = self._phone.apps[package].screens[0].name
        if task is None:
            self._state["next_task"] += 1
            task = {"id": self._state["next_task"], "stack": []}
            self._state["tasks"].insert(0, task)
            # In front before it opens, so that a field that it focuses is found.
            self._state["front"] = task["id"]
            for name in above:
                self._push(task, package, name, {})
            self._push(task, package, screen, args)
        else:
            self._bring(task)
            self._state["front"] = task["id"]
            if not (screen == launcher and not args):
                self._push(task, package, screen, args)
        self._phone.packages.mark_started(package)
        self._phone.log("I", "ActivityTaskManager", f"START u0 {{cmp={self.resumed().flat()}}}")
        self._phone.invalidate()
        return self.resumed()

    def open_screen(self, package: str, screen: str, args: Mapping[str, Any]) -> None:
        """Opens a screen on top of what is in front, as an app does itself."""
        task = self.front_task()
        if task is None:
            self._state["next_task"] += 1
            task = {"id": self._state["next_task"], "stack": []}
            self._state["tasks"].insert(0, task)
            self._state["front"] = task["id"]
        self._push(task, package, screen, args)
        self._phone.packages.mark_started(package)

    def _push(self, task: Record, package: str, name: str, args: Mapping[str, Any]) -> None:
        screen = self._phone.apps[package].screen(name)
        self._phone.text_input.focus(None)
        if screen.single:
            for place, record in enumerate(task["stack"]):
                if record["package"] == package and record["screen"] == name:
                    del task["stack"][place + 1 :]
                    record["args"] = dict(args)
                    screen.on_open(self.context(record))
                    return
        record = new_record(self.new_uid(), package, name, args)
        record["ready_ms"] = self._phone.state.clock.now_ms + screen.load_ms if screen.load_ms else 0
        task["stack"].append(record)
        screen.on_open(self.context(record))
        self._phone.invalidate()

    def _resolve(self, intent: Intent) -> tuple[str, str, Mapping[str, Any], tuple[str, ...]]:
        apps = self._phone.apps
        if intent.package is not None and intent.package not in self._phone.packages.names():
            raise PackageNotFound(f"no package {intent.package} is installed")
        if intent.package is not None and intent.activity is not None:
            app = apps.get(intent.package)
            for screen in app.screens if app is not None else ():
                if full_class(intent.package, screen.activity) == full_class(intent.package, intent.activity):
                    return intent.package, screen.name, intent.extras, ()
            raise ActivityNotFound(
                f"Activity class {{{intent.package}/{full_class(intent.package, intent.activity)}}} does not exist."
            )
        if intent.package is not None and intent.action in (None, "android.intent.action.MAIN"):
            app = apps.get(intent.package)
            if app is None or not app.screens:
                raise ActivityNotFound(f"{intent.package} has no launcher activity")
            return intent.package, app.screens[0].name, {}, ()
        for package in self._phone.packages.names():
            app = apps.get(package)
            if app is None or intent.package not in (None, package) or not self._phone.packages.enabled(package):
                continue
            target = app.resolve(intent.action, intent.data, intent.mime, intent.extras)
            if target is not None:
                return package, target.screen, target.args, target.above
        raise ActivityNotFound(f"No Activity found to handle Intent {{ act={intent.action} dat={intent.data} }}")

    # ---- leaving

    def go_home(self) -> None:
        """Shows the launcher."""
        self._phone.close_surfaces()
        self._phone.text_input.focus(None)
        self._state["front"] = 0
        home = self._state["home"]
        home["overlays"].clear()
        self.screen(home).on_open(self.context(home))
        self._phone.invalidate()

    def back(self) -> None:
        """What Back does to the screen in front: closes its dialog, asks it, closes it."""
        record = self.top()
        self._phone.invalidate()
        if record["overlays"]:
            record["overlays"].pop()
            return
        if self.screen(record).on_back(self.context(record)) or record is self._state["home"]:
            return
        self.finish(record["uid"], None)

    def finish(self, uid: int, result: Mapping[str, Any] | None = None) -> None:
        """Closes a screen; the one below gets its result, and a task without screens goes."""
        for task in self._state["tasks"]:
            stack = task["stack"]
            for place, record in enumerate(stack):
                if record["uid"] != uid:
                    continue
                del stack[place:]
                self._phone.text_input.focus(None)
                if not stack:
                    self._state["tasks"].remove(task)
                    if self._state["front"] == task["id"]:
                        self.go_home()
                else:
                    if result is not None:
                        self.screen(stack[-1]).on_result(self.context(stack[-1]), result)
                    self._resume(task)
                self._phone.invalidate()
                return

    def force_stop(self, package: str) -> None:
        """Removes an app's tasks and notifications."""
        in_front = self.top()["package"] == package
        tasks = self._state["tasks"]
        tasks[:] = [task for task in tasks if task["stack"][0]["package"] != package]
        for task in tasks:
            task["stack"][:] = [record for record in task["stack"] if record["package"] != package]
        self._phone.notifier.cancel_package(package)
        self._phone.packages.mark_stopped(package)
        if in_front and package != HOME_PACKAGE:
            self.go_home()
        self._phone.invalidate()

    def remove_task(self, task_id: int) -> bool:
        """Removes a task; tells whether there was one."""
        tasks = self._state["tasks"]
        left = [task for task in tasks if task["id"] != task_id]
        found = len(left) < len(tasks)
        tasks[:] = left
        if self._state["front"] == task_id:
            self.go_home()
        self._phone.invalidate()
        return found

    def resume_task(self, task_id: int) -> None:
        """Brings a task to the front, as a tap on its card in recents does."""
        for task in self._state["tasks"]:
            if task["id"] == task_id:
                self._bring(task)
                self._state["front"] = task_id
                break
        self._phone.invalidate()

    def _bring(self, task: Record) -> None:
        self._state["tasks"].remove(task)
        self._state["tasks"].insert(0, task)
        self._resume(task)

    def _resume(self, task: Record) -> None:
        record = task["stack"][-1]
        self.screen(record).on_resume(self.context(record))

    # ---- asking

    def component(self, record: Record) -> Component:
        """Package and full class name of a record's screen."""
        package = record["package"]
        return Component(package, full_class(package, self.screen(record).activity))

    def resumed(self) -> Component:
        """The activity in front, even where a system window covers it."""
        return self.component(self.top())

    def foreground(self) -> Component:
        """What has the focus: a system window that takes it, else the activity."""
        surface = self._phone.windows.focused_surface()
        return self.resumed() if surface is None else Component(surface.package, surface.activity)

    def locked(self) -> bool:
        """Whether the lock screen is up."""
        return bool(self._state["locked"])

    def tasks(self) -> list[TaskInfo]:
        """Tasks, newest first."""
        front = self._state["front"]
        return [
            TaskInfo(task["id"], tuple(self.component(record) for record in task["stack"]), task["id"] == front)
            for task in self._state["tasks"]
        ]

    def broadcast(self, intent: Intent) -> tuple[int, str | None]:
        """Asks system and apps in turn; the first answer counts."""
        answer = self._phone.on_broadcast(intent.action or "", intent.extras)
        if answer is not None:
            return answer
        for package in self._phone.packages.names():
            app: App | None = self._phone.apps.get(package)
            if app is not None and intent.package in (None, package):
                found = app.on_broadcast(self._phone, intent.action or "", intent.extras)
                if found is not None:
                    self._phone.invalidate()
                    return found
        return 0, None
