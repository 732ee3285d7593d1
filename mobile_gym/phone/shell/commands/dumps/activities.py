"""`dumpsys activity`, `notification`, `package`: what runs, what was posted, what is installed."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from mobile_gym.phone.door import Component, TaskInfo
from mobile_gym.phone.errors import PackageNotFound
from mobile_gym.phone.shell.commands.am import tasks_with_home
from mobile_gym.phone.shell.commands.call import Call
from mobile_gym.phone.shell.commands.dumps.windows import task_of, token
from mobile_gym.phone.shell.commands.processes import process_id


def _record(component: Component, task: int) -> str:
    return f"ActivityRecord{{{token('record', component.flat())} u0 {component.flat()} t{task}}}"


def _task(task: TaskInfo) -> str:
    kind = "home" if task.task_id == 0 else "standard"
    package = task.activities[0].package
    return (
        f"Task{{{token('task', task.task_id)} #{task.task_id} type={kind} A=10000:{package} U=0 "
        f"visible={str(task.visible).lower()} mode=fullscreen translucent=false sz={len(task.activities)}}}"
    )


def activity(call: Call, args: list[str]) -> int:
    """`dumpsys activity [activities|top|recents|processes|PACKAGE]`."""
    parts = [arg for arg in args if not arg.startswith("-")]
    kind = parts[0] if parts else "activities"
    match kind:
        case "activities" | "a" | "containers" | "all":
            _activities(call)
        case "top":
            for task in reversed(tasks_with_home(call)):
                if task.visible:
                    _hierarchy(call, task)
        case "recents" | "r":
            _recents(call)
        case "processes" | "p" | "oom" | "o" | "lru":
            for task in tasks_with_home(call):
                package = task.activities[0].package
                call.line(f"  *APP* UID 10000 ProcessRecord{{{token(package)} {process_id(package)}:{package}/u0a0}}")
        case "broadcasts" | "b" | "services" | "s" | "providers" | "intents" | "settings" | "starter" | "lastanr":
            call.line(f"ACTIVITY MANAGER {kind.upper()} (dumpsys activity {kind})\n  (nothing)")
        case _:
            found = [task for task in tasks_with_home(call) if any(a.package == kind for a in task.activities)]
            for task in found:
                _hierarchy(call, task)
            if not found:
                call.line(f"Bad activity command, or no activities match: {kind}\nUse -h for help.")
    return 0


def _activities(call: Call) -> None:
    call.line("ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)")
    call.line("Display #0 (activities from top to bottom):")
    for task in tasks_with_home(call):
        call.line(f"  * {_task(task)}")
        call.line(
            "    mLastPausedActivity: null\n    isSleeping=false\n    topResumedActivity=null"
            if not task.visible
            else f"    topResumedActivity={_record(task.activities[-1], task.task_id)}"
        )
        for number in range(len(task.activities) - 1, -1, -1):
            component = task.activities[number]
            call.line(f"    * Hist  #{number}: {_record(component, task.task_id)}")
            call.line(f"      packageName={component.package} processName={component.package}")
            call.line(
                f"      launchedFromUid=0 app=ProcessRecord{{{token(component.package)} "
                f"{process_id(component.package)}:{component.package}/u0a0}}"
            )
    resumed = call.phone.activities.resumed()
    record = _record(resumed, task_of(call.phone, resumed))
    call.line(f"\n  topResumedActivity={record}")
    call.line(f"  mResumedActivity: {record}")
    call.line(f"  ResumedActivity: {record}")
    call.line(f"  mFocusedApp={record}")
    call.line(f"\n  KeyguardController:\n    mKeyguardShowing={str(call.phone.activities.locked()).lower()}")


def _hierarchy(call: Call, task: TaskInfo) -> None:
    top = task.activities[-1]
    call.line(f"TASK {top.package} id={task.task_id} userId=0 displayId=0")
    call.line(f"  ACTIVITY {top.flat()} {token('record', top.flat())} pid={process_id(top.package)}")
    call.line(f"    Local Activity {token(top.flat())} State:")
    call.line(f"      mResumed={str(task.visible).lower()} mStopped={str(not task.visible).lower()} mFinished=false")
    call.line("    View Hierarchy:")
    call.line(f"      DecorView@{token('decor', top.flat())}[{top.activity.rsplit('.', 1)[-1]}]")
    if not task.visible:
        return
    root = ElementTree.fromstring(_clean(call.phone.hierarchy_xml()))
    stack = [(child, 8) for child in reversed(list(root))]
    while stack:
        node, indent = stack.pop()
        bounds = ",".join(re.findall(r"-?\d+", node.get("bounds", ""))[:2])
        corner = ",".join(re.findall(r"-?\d+", node.get("bounds", ""))[2:])
        flags = (
            "V" + ("F" if node.get("focusable") == "true" else ".") + ("E" if node.get("enabled") == "true" else ".")
        )
        name = f" {node.get('resource-id')}" if node.get("resource-id") else ""
        call.line(
            f"{' ' * indent}{node.get('class')}{{{token(bounds, corner, name)} {flags}...... {bounds}-{corner}{name}}}"
        )
        stack += [(child, indent + 2) for child in reversed(list(node))]


def _clean(xml: str) -> str:
    """XML without a declaration, which would name an encoding that text no longer has."""
    return re.sub(r"^\s*<\?xml[^>]*\?>", "", xml)


def _recents(call: Call) -> None:
    call.line("ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)")
    call.line(
        "mRecentsUid=10100\nmRecentsComponent=ComponentInfo{com.android.launcher3/com.android.quickstep.RecentsActivity}"
    )
    call.line("  Recent tasks:")
    for number, task in enumerate(call.phone.activities.tasks()):
        base = task.activities[0]
        call.line(f"  * Recent #{number}: {_task(task)}")
        call.line(f"    userId=0 effectiveUid=u0a0\n    taskId={task.task_id} rootTaskId={task.task_id}")
        call.line(f"    id={task.task_id}")
        call.line(
            f"    intent={{act=android.intent.action.MAIN cat=[android.intent.category.LAUNCHER] cmp={base.flat()}}}"
        )
        call.line(f"    realActivity={{{base.flat()}}}\n    hasVisibleRequested={str(task.visible).lower()}")


def notification(call: Call, args: list[str]) -> int:
    """`dumpsys notification [--noredact]`."""
    call.line("Current Notification Manager state:\n  Notification List:")
    for posted in call.phone.notifications():
        key = f"0|{posted.package}|0|{posted.key}|10000"
        call.line(
            f"    NotificationRecord(0x{token(key)}: pkg={posted.package} user=UserHandle{{0}} id=0 "
            f"tag={posted.key} importance=3 key={key}: Notification(channel={posted.channel} shortcut=null "
            f"contentView=null vibrate=null sound=null defaults=0x0 flags=0x{2 if posted.ongoing else 0:x}))"
        )
        call.line(f"      when={posted.posted_ms}\n      mCreationTimeMs={posted.posted_ms}\n      extras={{")
        title, text = posted.title, posted.text
        if "--noredact" not in args:
            title, text = f"[length={len(title)}]", f"[length={len(text)}]"
        call.line(f"          android.title=String ({title})\n          android.text=String ({text})\n      }}")
        for index, label in enumerate(posted.actions):
            call.line(f'        [{index}] "{label}" -> PendingIntent{{{token(key, label)}}}')
    zen = call.phone.state.settings.get_int("global", "zen_mode")
    call.line(f"\n  Zen Mode:\n    mInterruptionFilter={1 if not zen else 2}\n    mZenMode={zen}")
    return 0


def package(call: Call, args: list[str]) -> int:
    """`dumpsys package [PACKAGE]`."""
    parts = [arg for arg in args if not arg.startswith("-")]
    names = call.phone.packages.names()
    wanted = [name for name in names if name == parts[0]] if parts else names
    if parts and not wanted:
        call.line(f"Unable to find package: {parts[0]}")
        return 0
    call.line("Packages:")
    for name in wanted:
        _package(call, name)
    return 0


def _package(call: Call, name: str) -> None:
    try:
        info = call.phone.packages.info(name)
    except PackageNotFound:
        return
    when = f"{call.phone.state.clock.at(info.installed_ms):%Y-%m-%d %H:%M:%S}"
    flags = "SYSTEM HAS_CODE ALLOW_CLEAR_USER_DATA" if info.system else "HAS_CODE ALLOW_CLEAR_USER_DATA ALLOW_BACKUP"
    call.line(f"  Package [{name}] ({token('package', name)}):")
    call.line(f"    userId={info.uid}\n    appId={info.uid}\n    pkg=Package{{{token(name)} {name}}}")
    call.line(f"    codePath={info.apk_path.rsplit('/', 1)[0]}\n    resourcePath={info.apk_path.rsplit('/', 1)[0]}")
    call.line(f"    versionCode={info.version_code} minSdk=24 targetSdk={call.phone.profile.sdk}")
    call.line(f"    versionName={info.version_name}")
    call.line(
        f"    signatures=PackageSignatures{{{token('signatures', name)} version:3, signatures:"
        f"[{token('signature', name)}], past signatures:[]}}"
    )
    call.line(f"    flags=[ {flags} ]\n    pkgFlags=[ {flags} ]\n    dataDir=/data/user/0/{name}")
    call.line(f"    timeStamp={when}\n    firstInstallTime={when}\n    lastUpdateTime={when}")
    call.line("    requested permissions:")
    for permission in info.permissions:
        call.line(f"      {permission}")
    enabled = 0 if info.enabled else 3
    call.line(
        f"    User 0: ceDataInode=1 installed=true hidden=false suspended=false stopped={str(info.stopped).lower()} "
        f"notLaunched=false enabled={enabled} instant=false virtual=false"
    )
    call.line("      runtime permissions:")
    for permission, granted in info.permissions.items():
        call.line(f"        {permission}: granted={str(granted).lower()}, flags=[ USER_SET ]")
    if info.launcher:
        short = Component(name, info.launcher).flat()
        call.line(
            f"\nActivity Resolver Table:\n  Non-Data Actions:\n      android.intent.action.MAIN:\n"
            f"        {token(short)} {short} filter {token('filter', short)}\n"
            f'          Action: "android.intent.action.MAIN"\n          Category: "android.intent.category.LAUNCHER"'
        )
