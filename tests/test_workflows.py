"""The workflows of this repository, and those that its pages tell others to write."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from tests.machine import environment, git

BIN = Path(sys.executable).parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
EXAMPLES = ROOT / "examples" / "workflows"
READY = sorted(path for path in EXAMPLES.glob("*.yml") if path.name != "gitlab.yml")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "gate" / "commands" / "init.py"]


def _run(*words: str | Path) -> None:
    done = subprocess.run([BIN / words[0], *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_are_valid() -> None:
    _run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)
    _run("check-jsonschema", "--builtin-schema", "vendor.dependabot", ".github/dependabot.yml")


def test_are_safe() -> None:
    _run("zizmor", "--offline", "--quiet", "--no-progress", "--pedantic", ".github")


def _load(path: Path) -> dict[Any, Any]:
    loaded = yaml.safe_load(path.read_text())
    assert isinstance(loaded, dict)
    return loaded


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_may_do_no_more_than_read(path: Path) -> None:
    workflow = _load(path)
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        assert job["permissions"] == {"contents": "read"}
        checkouts = [step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
        assert [step["with"]["persist-credentials"] for step in checkouts] == [False]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_run_for_every_pull_request(path: Path) -> None:
    triggers = _load(path)[True]  # YAML 1.1 reads the key `on` as true
    assert triggers["pull_request"] is None
    assert not re.search(r"^\s*paths(-ignore)?:", path.read_text(), re.MULTILINE)


def _uses(path: Path) -> list[str]:
    return re.findall(r"\bactions/[\w-]+@[^\n\"]*", path.read_text())


def test_pin_actions_by_commit_and_say_the_tag() -> None:
    pins: dict[str, set[str]] = {}
    for path in (*WORKFLOWS, *READY, *PAGES):
        for pin in _uses(path):
            found = re.fullmatch(r"([\w/-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)", pin)
            assert found, f"{path.name}: {pin}"
            pins.setdefault(found[1], set()).add(pin)
    assert "actions/checkout" in pins
    assert {name: len(found) for name, found in pins.items()} == dict.fromkeys(pins, 1)


def test_the_examples_of_the_page_on_the_action_are_valid(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "action.md").read_text()
    first = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)[0]
    (tmp_path / "gate.yml").write_text(first)
    _run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", tmp_path / "gate.yml")


def test_the_ready_made_ones_are_valid() -> None:
    _run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *READY)
    _run("check-jsonschema", "--builtin-schema", "vendor.gitlab-ci", EXAMPLES / "gitlab.yml")


def test_the_ready_made_ones_are_safe() -> None:
    settings = ("--config", "tests/zizmor.yml")
    _run("zizmor", "--offline", "--quiet", "--no-progress", "--pedantic", *settings, *READY)


def _jobs() -> list[tuple[Path, str, dict[str, Any]]]:
    return [(path, name, job) for path in READY for name, job in _load(path)["jobs"].items()]


def _gates(job: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for step in job["steps"] if step.get("uses", "").startswith("trajectory-gate/")]


def test_the_page_tells_every_permission_and_why() -> None:
    page = (ROOT / "docs" / "workflows.md").read_text()
    table = page[page.index("| permission |") : page.index("Uploading SARIF")]
    told = set(re.findall(r"^\| `([\w-]+: \w+)` \|", table, re.MULTILINE))
    granted = {f"{name}: {level}" for _, _, job in _jobs() for name, level in job["permissions"].items()}
    assert granted == told
    for path in READY:
        assert _load(path)["permissions"] == {}
        lines = re.findall(r"^ {6}[\w-]+: (?:read|write)\b.*", path.read_text(), re.MULTILINE)
        assert all(re.search(r" # to \w", line) for line in lines), path.name


@pytest.mark.parametrize("path", READY, ids=lambda path: path.name)
def test_no_more_is_granted_than_is_used(path: Path) -> None:
    for job in _load(path)["jobs"].values():
        inputs = [step.get("with", {}) for step in _gates(job)]
        used = {step.get("uses", "").partition("@")[0] for step in job["steps"]}
        needed = {"contents"} if "actions/checkout" in used else set()
        needed |= {"checks"} if any(given.get("check-run") for given in inputs) else set()
        needed |= {"pull-requests"} if any("comment" in given for given in inputs) else set()
        needed |= {"actions"} if "actions/download-artifact" in used else set()
        assert set(job["permissions"]) == needed


def test_the_ready_made_ones_use_the_action_as_it_is() -> None:
    inputs = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
    seen = [step for _, _, job in _jobs() for step in _gates(job)]
    assert len(seen) == len(READY)
    for step in seen:
        assert re.fullmatch(r"trajectory-gate/trajectory-gate@v\d+\.\d+\.\d+", step["uses"])
        assert set(step.get("with", {})) <= set(inputs)


@pytest.mark.parametrize(
    "path", [path for path in READY if path.name != "fork-publish.yml"], ids=lambda path: path.name
)
def test_a_ready_made_job_can_be_required(path: Path) -> None:
    """It is never left out: not by a filter, and not by a condition that counts as passing."""
    workflow = _load(path)
    assert workflow[True]["pull_request"] is None
    assert workflow["jobs"]["gate"]["name"] == "gate"
    assert workflow["jobs"]["gate"].get("if") == ("always()" if "needs" in workflow["jobs"]["gate"] else None)
    for name, job in workflow["jobs"].items():
        assert name == "gate" or name in workflow["jobs"]["gate"]["needs"]
        checkouts = [step["with"] for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
        assert checkouts == [{"fetch-depth": 2, "persist-credentials": False}] * len(_gates(job))


_INSTALLED = r"python3? -m venv \.venv && \.venv/bin/pip install (?:-q|--quiet) -r requirements\.txt"


@pytest.mark.parametrize(
    "path",
    [
        *(path for path in EXAMPLES.glob("*.yml") if path.name != "fork-publish.yml"),
        ROOT / "README.md",
        ROOT / "docs" / "action.md",
    ],
    ids=lambda path: path.name,
)
def test_the_packages_of_the_tests_are_installed_before_the_gate_runs(path: Path) -> None:
    """The gate's own Python has no pytest, so that without the step no run could be green."""
    text = path.read_text()
    text = text[text.rindex("steps:", 0, text.index("- uses: trajectory-gate/")) :] if "- uses: traj" in text else text
    assert re.search(_INSTALLED + r"(?:.|\n)*?(?:- uses: trajectory-gate/|gate run\n)", text)


def test_the_queue_is_judged_too() -> None:
    assert _load(EXAMPLES / "merge-queue.yml")[True]["merge_group"] == {"types": ["checks_requested"]}


def test_the_two_for_forks_fit_together() -> None:
    judge, publish = _load(EXAMPLES / "fork-judge.yml"), _load(EXAMPLES / "fork-publish.yml")
    assert publish[True] == {"workflow_run": {"workflows": [judge["name"]], "types": ["completed"]}}
    (_, _, judged, uploaded), (downloaded, published) = (
        judge["jobs"]["gate"]["steps"],
        publish["jobs"]["publish"]["steps"],
    )
    assert uploaded["with"]["name"] == downloaded["with"]["name"]
    assert downloaded["with"]["path"].startswith("${{ runner.temp }}/")
    report = judged["with"]["json"].rpartition("/")[2]
    assert published["with"]["publish"] == f"{downloaded['with']['path']}/{report}"
    assert downloaded["with"]["run-id"] == "${{ github.event.workflow_run.id }}"
    assert not any("checkout" in step.get("uses", "") or "run" in step for step in publish["jobs"]["publish"]["steps"])


def _on_gitlab(job: dict[str, Any], repo: Path) -> subprocess.CompletedProcess[str]:
    """The job's script for a merge request into `main`."""
    branch = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}
    variables = {
        key: re.sub(r"\$(\w+)", lambda found: branch[found[1]], text) for key, text in job["variables"].items()
    }
    told = environment(CI="true", GITLAB_CI="true", **branch, **variables)
    script = "\n".join(job["script"])
    return subprocess.run(["bash", "-ec", script], cwd=repo, env=told, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("example", "code"), [("quickstart", 0), ("regression", 1)])
def test_gitlab_s_job_does_what_it_says(tmp_path: Path, example: str, code: int) -> None:
    job = yaml.safe_load((EXAMPLES / "gitlab.yml").read_text())["gate"]
    shutil.copytree(ROOT / "examples" / example, tmp_path / "repo")
    repo = tmp_path / "repo"
    git(repo, "init", "-q")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "Begin")
    git(tmp_path, "clone", "-q", "--bare", "repo", "origin.git")
    git(repo, "remote", "add", "origin", "../origin.git")
    (repo / "notes.md").write_text("Done.\n")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "Change")
    done = _on_gitlab(job, repo)
    assert done.returncode == code, done.stdout + done.stderr
    artifacts = [*job["artifacts"]["paths"], *job["artifacts"]["reports"].values()]
    assert sorted(git(repo, "status", "--porcelain").splitlines()) == sorted(f"?? {name}" for name in artifacts)
    assert bool(json.loads((repo / job["artifacts"]["reports"]["codequality"]).read_text())) is (code == 1)


def test_on_gitlab_an_older_branch_is_judged_by_the_judge_of_the_target_s_tip(tmp_path: Path) -> None:
    job = yaml.safe_load((EXAMPLES / "gitlab.yml").read_text())["gate"]
    task = "version: 1\ntasks: [{id: a, oracles: [{type: assertion_exists, path: a, pattern: %s}]}]\n"
    origin, repo = tmp_path / "origin", tmp_path / "repo"
    origin.mkdir()
    git(origin, "init", "-q")
    (origin / "a").write_text("lax\n")
    (origin / "gate.yaml").write_text(task % "lax")
    git(origin, "add", ".")
    git(origin, "commit", "-q", "-m", "Begin")
    git(tmp_path, "clone", "-q", "origin", "repo")
    git(repo, "switch", "-q", "-c", "older")
    (repo / "b").write_text("Done.\n")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "Change")
    passed = _on_gitlab(job, repo)
    (origin / "gate.yaml").write_text(task % "strict")
    git(origin, "commit", "-q", "-a", "-m", "Ask more")
    failed = _on_gitlab(job, repo)
    assert (passed.returncode, failed.returncode) == (0, 1), passed.stdout + failed.stdout
    assert "Assertion pattern missing in a: 'strict'" in failed.stdout
