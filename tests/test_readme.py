"""README and docs: their code runs, their commands and links exist, their numbers are true."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from mobile_gym.cli import build_app
from mobile_gym.phone.apps import BUILT_IN, load_app
from mobile_gym.policies.registry import policy_names
from mobile_gym.task_registry import catalog

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"(?:^`(?P<file>[\w/.]+)`:\n\n)?^```(?P<language>\w+)\n(?P<code>.*?)^```$", re.M | re.S)
MARKED = re.compile(r"^<!-- run: (?P<name>\w+) -->\n```bash\n(?P<code>.*?)^```$", re.M | re.S)


def blocks(page: Path, language: str) -> list[str]:
    """The page's code in a language, leaving out what is the content of a file."""
    found = FENCE.finditer(page.read_text("utf-8"))
    return [match["code"] for match in found if match["language"] == language and match["file"] is None]


def page_id(page: Path) -> str:
    return str(page.relative_to(ROOT))


with_python = [page for page in PAGES if blocks(page, "python") and page.name != "apps.md"]


@pytest.mark.parametrize("page", with_python, ids=page_id)
def test_the_python_of_a_page_runs_from_top_to_bottom(page: Path) -> None:
    code = "\n".join(blocks(page, "python"))
    exec(compile(code, str(page), "exec"), {"__name__": "__page__"})


def test_the_app_of_apps_md_comes_on_the_phone_by_its_entry_point(tmp_path: Path) -> None:
    page = ROOT / "docs" / "apps.md"
    for match in FENCE.finditer(page.read_text("utf-8")):
        if match["file"] is not None:
            path = tmp_path / match["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(match["code"], "utf-8")
    # What pip would make of pyproject.toml.
    entry = re.search(r'\[project\.entry-points\."(.+?)"\]\n(.+)', (tmp_path / "pyproject.toml").read_text("utf-8"))
    assert entry is not None
    about = tmp_path / "tally-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tally\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{entry[1]}]\n{entry[2].replace(chr(34), '')}\n")
    (code,) = blocks(page, "python")
    paths = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def test_the_two_commands_are_marked_and_bring_their_own_environment() -> None:
    marked = {match["name"]: match["code"] for match in MARKED.finditer((ROOT / "README.md").read_text("utf-8"))}
    assert list(marked) == ["evaluate", "test"]
    for code in marked.values():
        lines = code.splitlines()
        assert lines[:2] == ["python3 -m venv .venv", ". .venv/bin/activate"]
        assert lines[2].startswith("pip install -c constraints.txt ")
    assert "mobile-gym eval " in marked["evaluate"]
    assert "pytest" in marked["test"]


@pytest.mark.parametrize("page", [page for page in PAGES if "mobile-gym " in page.read_text("utf-8")], ids=page_id)
def test_commands_and_options_that_a_page_names_exist(page: Path) -> None:
    commands = re.findall(r"mobile-gym ([a-z]+)((?: [^`#|\n]*)?)", page.read_text("utf-8"))
    app = typer.main.get_command(build_app())
    for name, rest in commands:
        command = app.commands.get(name)  # type: ignore[attr-defined]
        assert command is not None, f"mobile-gym {name}"
        words = rest.split()
        if hasattr(command, "commands"):
            assert words, f"mobile-gym {name} needs a command"
            for part in words[0].strip(".,:;)").split("|"):
                assert part in command.commands, f"mobile-gym {name} {part}"
            command = command.commands[words[0].strip(".,:;)").split("|")[0]]
        known = {"--help"} | {option for parameter in command.params for option in parameter.opts}
        unknown = [word for word in re.findall(r"(?<![\w-])--[a-z][a-z-]*", rest) if word not in known]
        assert not unknown, f"mobile-gym {name}: {unknown}"


@pytest.mark.parametrize("page", [*PAGES, ROOT / "docs" / "gallery" / "README.md"], ids=page_id)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    local = [link for link in links if not link.startswith("http")]
    missing = [link for link in local if not (page.parent / link).exists()]
    assert not missing


def test_the_readme_names_all_apps() -> None:
    line = next(line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if line.startswith("Apps on the"))
    apps = [load_app(reference) for reference in BUILT_IN]
    assert not [app.label("en") for app in apps if app.icon is not None and app.label("en") not in line]


def test_the_readme_names_all_policies() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert not [name for name in policy_names() if f"`{name}`" not in text]


def test_the_coverage_table_counts_what_there_is() -> None:
    row = next(line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if "ElderBench, online" in line)
    _, title, done, missing, _ = row.split("|")
    tasks, apps = map(int, re.findall(r"\d+", title))
    here, over = map(int, re.findall(r"\d+", done)[:2])
    rest, apps_left = map(int, re.findall(r"\d+", missing)[:2])
    online = [task for task in map(catalog.load_task, catalog.task_ids("elder")) if task.protocol == "online"]
    packages = {package for task in online for package in task.apps} - {"org.mobench.calculator"}
    assert (here, over) == (len(online), len(packages))
    assert (here + rest, over + apps_left) == (tasks, apps)
    assert len(missing.partition(":")[2].split(",")) == apps_left
    assert packages <= {load_app(reference).package for reference in BUILT_IN}
