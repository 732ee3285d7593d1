"""A cluster of several nodes, and the session that is begun where there is none."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("node_removed.py")


@pytest.mark.timeout(240)
def test_a_node_is_removed(tmp_path: Path) -> None:
    # A process of its own: a process has one Ray session, and this one's stays.
    root = SCRIPT.parents[3]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(tmp_path)], capture_output=True, text=True, cwd=root, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["nodes"] == 2, "the phones were not on two nodes"
    assert found["before"] == [1, 1, 1, 1]
    # Those of the removed node end, the others go on.
    assert found["truncated"] == [env in found["there"] for env in range(4)]
    assert [bool(error) for error in found["errors"]] == found["truncated"]
    assert found["rewards"] == [0.0 if gone else 1.0 for gone in found["truncated"]]
    assert found["frames"] == [1 if gone else 2 for gone in found["truncated"]]
    assert found["after"] == [0 if gone else 3 for gone in found["truncated"]]
    assert found["fresh"] == [""] * 4
    for env in range(4):
        steps = [line for line in (tmp_path / str(env)).read_text().splitlines() if line.startswith("step")]
        assert len(steps) == (1 if found["truncated"][env] else 3)


def test_a_session_is_begun_and_ended_where_there_is_none(tmp_path: Path) -> None:
    code = (
        "import sys, ray\n"
        "from mobile_gym.envs import RayVectorEnv\n"
        "from tests.envs.ray.faulty import faulty\n"
        "from pathlib import Path\n"
        "one = RayVectorEnv(faulty(Path(sys.argv[1]), 2), phones_per_actor=2)\n"
        "other = RayVectorEnv(faulty(Path(sys.argv[1]), 1))\n"
        "one.reset(seed=0)\n"
        "one.close()\n"
        "assert ray.is_initialized(), 'the other one still uses it'\n"
        "other.reset(seed=0)\n"
        "other.close()\n"
        "assert not ray.is_initialized()\n"
    )
    root = SCRIPT.parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, cwd=root, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]


def test_ray_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, mobile_gym.envs.ray, mobile_gym.envs.task_env; assert 'ray' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_missing_extra_is_told() -> None:
    code = (
        "import sys\n"
        "sys.modules['ray'] = None\n"
        "import mobile_gym.envs\n"
        "try:\n"
        "    mobile_gym.envs.RayVectorEnv\n"
        "except ImportError as error:\n"
        "    assert \"pip install 'mobile-gym[ray]'\" in str(error), error\n"
        "else:\n"
        "    raise AssertionError\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
