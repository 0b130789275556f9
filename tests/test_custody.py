"""What a run says of the bundles that its manifest names, and when it refuses to judge."""

import json
import platform
from pathlib import Path

import pytest

from gate.asked import Asked
from gate.changes import diff
from gate.digest import sha256
from gate.errors import BundleError
from gate.intake import Intake
from gate.review import Review
from tests.bundles.folder import SOLVED, bundle, seal, write
from tests.conftest import Git

STEPS = [{"tool": "write_file", "args": {"path": name, "content": text}} for name, text in SOLVED.items()]
PIN = {"python": platform.python_version(), "platform": platform.platform(), "lock_sha256": None}
NO_LOCK = "the environment pin holds no lock file, so nothing says which packages were installed"


def manifest(root: Path, more: str = "", scope: str = "") -> None:
    text = f"version: 1\ntasks:\n  - bundle: bench\n    trajectory: recordings/{{name}}.json\n{more}{scope}"
    write(root, {"gate.yaml": text, "recordings/sum-01.json": json.dumps({"steps": STEPS})})


def said(root: Path, *, everything: bool = True, commands: bool = True) -> list[str]:
    asked = Asked(change=diff.Request(everything=everything), commands=commands)
    with Review(asked, root) as review:
        return [notice.message for notice in Intake(review).plan().notices if notice.kind == "bundle"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    bundle(tmp_path / "bench", tasks=1)
    manifest(tmp_path)
    return tmp_path


def digest(root: Path) -> str:
    return sha256((root / "bench/manifest.json").read_bytes())


def test_outside_of_git(root: Path) -> None:
    assert said(root) == [
        f"The bundle bench with 1 task is sha256:{digest(root)}. No rate of it is publishable: {NO_LOCK}; there is no git "
        "history here to show that the bundle was pinned before the run."
    ]


def test_pinned_before_the_recording(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "repo"
    git("init", "-q")
    bundle(root / "bench", tasks=1, pin=False, more={"requirements.lock": ""})
    seal(root / "bench")
    write(root, {"bench/env_pin.json": json.dumps({**PIN, "lock": "requirements.lock", "lock_sha256": sha256(b"")})})
    git("add", "-A")
    git("commit", "-qm", "pin")
    manifest(root)
    git("add", "-A")
    git("commit", "-qm", "run")
    assert said(root) == [f"The bundle bench with 1 task is sha256:{digest(root)}."]


def finished(root: Path, git: Git, *, first: str) -> str:
    """What is said of a folder that an agent finished; `first` says what is committed first."""
    git("init", "-q")
    bundle(root / "bench", tasks=1, pin=False, more={"requirements.lock": ""})
    seal(root / "bench")
    write(root, {"bench/env_pin.json": json.dumps({**PIN, "lock": "requirements.lock", "lock_sha256": sha256(b"")})})
    write(root / "out", SOLVED)
    write(root, {"gate.yaml": "version: 1\ntasks:\n  - bundle: bench\n    state: {dir: out}\n"})
    git("add", first)
    git("commit", "-qm", first)
    git("add", "-A")
    git("commit", "-qm", "the rest")
    return said(root)[0].partition(digest(root))[2]


def test_a_finished_folder_came_before_the_pin(tmp_path: Path, git: Git) -> None:
    told = finished(tmp_path / "repo", git, first="out")
    assert told.startswith(". No rate of it is publishable: out/calc.py came with the commit ")


def test_a_finished_folder_came_after_the_pin(tmp_path: Path, git: Git) -> None:
    assert finished(tmp_path / "repo", git, first="bench") == "."


def test_nothing_that_an_agent_left_is_judged(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "repo"
    git("init", "-q")
    bundle(root / "bench", tasks=1)
    write(root, {"gate.yaml": "version: 1\ntasks:\n  - bundle: bench\n"})
    git("add", "-A")
    git("commit", "-qm", "pin")
    assert said(root)[0].endswith("installed; nothing that an agent has left is judged.")


def test_two_entries_of_one_bundle_ask_for_the_strictest(root: Path) -> None:
    write(root, {"bench/env_pin.json": json.dumps({**PIN, "platform": platform.platform().replace("-", "-0-", 1)})})
    other = "  - bundle: ./bench\n    trajectory: recordings/{name}.json\n    require: exact\n"
    manifest(root, more="    require: none\n", scope=other)
    with pytest.raises(BundleError, match="`require: exact`"):
        said(root)


def test_out_of_scope_nothing_is_said(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "repo"
    git("init", "-q")
    bundle(root / "bench", tasks=1)
    manifest(root, scope="    scope: [src/**]\n")
    git("add", "-A")
    assert said(root, everything=False) == []


def test_drift_is_shown(root: Path) -> None:
    write(root, {"bench/env_pin.json": json.dumps({**PIN, "python": "3.0.1"})})
    manifest(root, more="    require: none\n")
    (text,) = said(root)
    assert text.endswith(f"This machine is not the pinned one: python: pinned 3.0.1, here {platform.python_version()}.")


@pytest.mark.parametrize(("more", "word"), [("", "compatible"), ("    require: exact\n", "exact")])
def test_drift_is_refused(root: Path, more: str, word: str) -> None:
    write(root, {"bench/env_pin.json": json.dumps({**PIN, "python": "3.0.1"})})
    manifest(root, more=more)
    with pytest.raises(BundleError) as caught:
        said(root)
    assert caught.value.message == (
        "bench: this machine is too far from the environment that the bundle was pinned in "
        f"(`require: {word}`): python: pinned 3.0.1, here {platform.python_version()}. "
        "With `require: none` (`--require none`) differences are shown and not refused"
    )
    assert caught.value.exit_code == 2


def test_who_only_reads_the_manifest_needs_no_such_machine(root: Path) -> None:
    write(root, {"bench/env_pin.json": json.dumps({**PIN, "python": "3.0.1"})})
    with Review.of_working_tree(Asked(change=diff.Request(everything=True)), root) as review:
        assert [task.problem for task in Intake(review).plan().tasks] == [""]


def test_a_run_without_commands_asks_no_interpreter(root: Path) -> None:
    write(root, {"bench/env_pin.json": json.dumps({**PIN, "python": "3.0.1"})})
    assert "not the pinned one" not in said(root, commands=False)[0]


@pytest.mark.parametrize(
    ("more", "word"),
    [("", "compatible"), ("    require: compatible\n", "compatible"), ("    require: exact\n", "exact")],
    ids=["by default", "compatible", "exact"],
)
def test_a_missing_pin_is_refused(root: Path, more: str, word: str) -> None:
    (root / "bench/env_pin.json").unlink()
    manifest(root, more=more)
    with pytest.raises(BundleError) as caught:
        said(root)
    assert (caught.value.message, caught.value.exit_code) == (
        f"bench: there is no env_pin.json, and `require: {word}` asks for one; write it with `gate bundle pin bench`, or "
        "judge without one by `require: none` (`--require none`)",
        2,
    )


def test_a_missing_pin_is_shown(root: Path) -> None:
    (root / "bench/env_pin.json").unlink()
    manifest(root, more="    require: none\n")
    assert "No rate of it is publishable: there is no env_pin.json; " in said(root)[0]
    manifest(root)
    assert "No rate of it is publishable: there is no env_pin.json; " in said(root, commands=False)[0]
