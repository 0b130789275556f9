"""The action, run step by step as GitHub's runner does, on a checkout as actions/checkout makes it."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.composite import Composite, Done
from tests.conftest import ROOT
from tests.hub import fake
from tests.machine import BIN, environment, git

EXAMPLES = ROOT / "examples"
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())


class PullRequest:
    """A pull request of `edits` against a repository that holds `example`, and its checkout at depth 1."""

    def __init__(self, folder: Path, example: str, edits: Mapping[str, str]) -> None:
        self.folder, self.origin, self.workspace = folder, folder / "origin", folder / "workspace"
        self.author = "octo/repo"
        self.payload: dict[str, object] | None = None
        shutil.copytree(EXAMPLES / example, self.origin)
        git(self.origin, "init", "-q")
        self._commit("Begin")
        self.base = git(self.origin, "rev-parse", "HEAD")
        git(self.origin, "switch", "-q", "-c", "topic")
        for name, text in edits.items():
            (self.origin / name).parent.mkdir(parents=True, exist_ok=True)
            (self.origin / name).write_text(text)
        self._commit("Change")
        self.head = git(self.origin, "rev-parse", "HEAD")
        git(self.origin, "switch", "-q", "main")
        (self.origin / "later.txt").write_text("The base went on.\n")
        self._commit("Go on")
        git(self.origin, "switch", "-q", "--detach")
        git(self.origin, "merge", "-q", "--no-ff", "-m", "Merge", "topic")
        self.merge = git(self.origin, "rev-parse", "HEAD")
        git(self.origin, "update-ref", "refs/pull/7/merge", self.merge)
        git(self.origin, "switch", "-q", "main")
        self._check_out()

    def _commit(self, words: str) -> None:
        git(self.origin, "add", "-A")
        git(self.origin, "commit", "-q", "-m", words)

    def _check_out(self) -> None:
        self.workspace.mkdir()
        git(self.workspace, "init", "-q")
        git(self.workspace, "remote", "add", "origin", self.origin.as_uri())
        ref = "refs/remotes/pull/7/merge"
        git(self.workspace, "fetch", "-q", "--no-tags", "--depth=1", "origin", f"+{self.merge}:{ref}")
        git(self.workspace, "checkout", "-q", "--force", ref)

    def judge(self, inputs: Mapping[str, str] | None = None, given: dict[str, str] | None = None, **more: str) -> Done:
        """Run the action; `given` are outputs of its first step, which then is not run again."""
        temp = self.folder / "temp"
        temp.mkdir()
        event = temp / "event.json"
        event.write_text(json.dumps(self.payload or self._event()))
        github = {
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_REF": "refs/pull/7/merge",
            "GITHUB_REPOSITORY": "octo/repo",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_SHA": self.merge,
        }
        environ = environment(**github | more)
        job = Composite(ROOT, workspace=self.workspace, temp=temp, environ=environ, token="ghs_secret")
        return job.run(inputs or {}, {"install": given} if given else {})

    def _event(self) -> dict[str, object]:
        ends = (("base", self.base, "octo/repo"), ("head", self.head, self.author))
        sides = {side: {"sha": sha, "repo": {"full_name": repository}} for side, sha, repository in ends}
        return {"action": "opened", "number": 7, "pull_request": {"number": 7, **sides}}


_LURES = ("gate/__init__.py", "json.py", "msgspec.py", "pip.py", "pytest.py", "sitecustomize.py", "venv.py", "yaml.py")


class Installed:
    """One whole run of the action, whose environment the other tests use again."""

    def __init__(self, folder: Path) -> None:
        self.trap = folder / "imported"
        lure = f"open({str(self.trap)!r}, 'a').write(__file__)\nraise SystemExit(0)\n"
        request = PullRequest(folder, "quickstart", dict.fromkeys(_LURES, lure))
        self.workspace = request.workspace
        inputs = {"junit": str(folder / "gate.xml"), "json": "report.json"}
        self.done = request.judge(inputs, PYTHONPATH=str(request.workspace))
        self.given = self.done.steps["install"].outputs


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("action"))


def test_passes_a_good_change(installed: Installed) -> None:
    done = installed.done
    assert (done.conclusion, done.exit_code) == ("success", 0), done.log
    junit = str(installed.trap.parent / "gate.xml")
    assert done.outputs == {
        "verdict": "pass",
        "passed": "7",
        "failed": "0",
        "errors": "0",
        "skipped": "0",
        "junit": junit,
        "json": "report.json",
        "summary": "",
        "sarif": "",
        "check-run-url": "",
    }
    assert Path(junit).read_text().count("<testcase") == 7
    assert json.loads((installed.workspace / "report.json").read_text())
    assert len(done.summaries) == 1
    assert done.annotations == []


def test_leaves_no_trace_in_the_job(installed: Installed) -> None:
    assert (installed.done.environment, installed.done.path) == ({}, [])
    assert git(installed.workspace, "status", "--porcelain") == "?? report.json"
    assert "ghs_secret" not in installed.done.log


def test_imports_nothing_of_the_checkout(installed: Installed) -> None:
    assert not installed.trap.exists(), installed.trap.read_text()


def test_fails_a_bad_change(installed: Installed, tmp_path: Path) -> None:
    request = PullRequest(tmp_path, "regression", {"notes.md": "Done.\n"})
    done = request.judge({"commands": "false"}, installed.given)
    assert (done.conclusion, done.exit_code) == ("failure", 1), done.log
    counts = {"verdict": "fail", "passed": "0", "failed": "2", "errors": "0", "skipped": "1"}
    assert done.outputs == counts | {"junit": "", "json": "", "summary": "", "sarif": "", "check-run-url": ""}
    errors = [(note.level, note.file) for note in done.annotations if note.level == "error"]
    assert errors == [("error", "tasks/fix-add.json")] * 2
    assert "fix-add" in "".join(done.summaries)


def test_runs_no_command_where_told(installed: Installed, tmp_path: Path) -> None:
    request = PullRequest(tmp_path, "quickstart", {"notes.md": "Done.\n"})
    done = request.judge({"commands": "false"}, installed.given)
    assert (done.exit_code, done.outputs["passed"], done.outputs["skipped"]) == (0, "5", "2"), done.log


def test_makes_a_check_run_where_told(installed: Installed, tmp_path: Path) -> None:
    request = PullRequest(tmp_path, "regression", {"notes.md": "Done.\n"})
    with fake.serve(fake.Hub()) as github:
        github.token("ghs_secret", "checks")
        inputs = {"commands": "false", "check-run": "true", "key": "linux, 3.11"}
        done = request.judge(inputs, installed.given, GITHUB_API_URL=github.url, GITHUB_RUN_ID="77", GITHUB_JOB="gate")
    (check,) = github.state.check_runs.values()
    assert (check["name"], check["conclusion"]) == ("trajectory-gate (linux, 3.11)", "failure"), done.log
    assert check["head_sha"] == request.head
    assert done.outputs["check-run-url"] == check["html_url"]
    assert github.violations == []


def test_comments_where_asked_to(installed: Installed, tmp_path: Path) -> None:
    request = PullRequest(tmp_path, "regression", {"notes.md": "Done.\n"})
    with fake.serve(fake.Hub()) as github:
        github.token("ghs_secret", "pull-requests")
        github.state.pull(7, request.head)
        inputs = {"commands": "false", "comment": "on-failure", "key": "linux"}
        done = request.judge(inputs, installed.given, GITHUB_API_URL=github.url, GITHUB_RUN_ID="77")
    (comment,) = github.state.comments.values()
    assert "**trajectory-gate (linux)**\n\n## Gate: ❌ fail" in comment["body"], done.log
    assert github.violations == []


def test_publishes_what_the_run_of_a_fork_has_judged(installed: Installed, tmp_path: Path) -> None:
    """The two workflows of a fork: the one that judges cannot write, and the one that writes does not judge."""
    request = PullRequest(tmp_path / "judging", "regression", {"notes.md": "Done.\n"})
    request.author = "stranger/repo"
    report = tmp_path / "-- report $(touch touched).json"
    judged = request.judge({"commands": "false", "json": str(report)}, installed.given)
    assert judged.outputs["verdict"] == "fail", judged.log
    other = PullRequest(tmp_path / "publishing", "quickstart", {"notes.md": "Done.\n"})
    run = {
        "id": 77,
        "head_branch": "topic",
        "head_sha": request.head,
        "head_repository": {"full_name": "stranger/repo"},
    }
    other.payload = {"workflow_run": run}
    with fake.serve(fake.Hub()) as github:
        github.token("ghs_secret", "checks", "pull-requests")
        github.state.pull(7, request.head, fork="stranger/repo")
        inputs = {"publish": str(report), "check-run": "true", "comment": "always"}
        more = {"GITHUB_API_URL": github.url, "GITHUB_EVENT_NAME": "workflow_run"}
        done = other.judge(inputs, installed.given, **more)
    assert (done.exit_code, done.outputs["verdict"], done.annotations) == (0, "fail", []), done.log
    (check,) = github.state.check_runs.values()
    assert (check["head_sha"], check["conclusion"]) == (request.head, "failure")
    (comment,) = github.state.comments.values()
    assert "It was not judged here" in comment["body"]
    assert github.violations == []


def test_judges_what_the_inputs_name(installed: Installed, tmp_path: Path) -> None:
    request = PullRequest(tmp_path, "regression", {"notes.md": "Done.\n"})
    inputs = {"manifest": "gate.yaml", "base": "HEAD", "head": "HEAD", "judge": "head", "summary": "summary.md"}
    done = request.judge(inputs, installed.given)
    assert (done.exit_code, done.outputs["verdict"]) == (0, "skip"), done.log
    assert (request.workspace / "summary.md").exists()


def test_takes_the_recordings_that_it_is_given(installed: Installed, tmp_path: Path) -> None:
    request = PullRequest(tmp_path, "quickstart", {"notes.md": "Done.\n"})
    (tmp_path / "one artifact.json").write_text('{"steps": []}')
    recordings = f"{tmp_path}/one artifact.json\n\n{tmp_path}/missing.json\n"
    done = request.judge({"recording": recordings, "commands": "false"}, installed.given)
    assert done.outputs["verdict"] == "fail", done.log
    assert f"{tmp_path}/missing.json: there is no such file" in done.log
    assert f"{tmp_path}/one artifact.json" in done.log


@pytest.mark.parametrize("allowed", ["false", "true"])
def test_a_fork_beside_secrets_is_judged_only_when_asked_for_and_never_run(
    installed: Installed, tmp_path: Path, allowed: str
) -> None:
    request = PullRequest(tmp_path, "quickstart", {"notes.md": "Done.\n"})
    request.author = "stranger/repo"
    inputs = {"allow-fork-head": allowed, "commands": "true"}
    done = request.judge(inputs, installed.given, GITHUB_EVENT_NAME="pull_request_target")
    if allowed == "true":
        assert (done.exit_code, done.outputs["passed"], done.outputs["skipped"]) == (0, "5", "2"), done.log
    else:
        assert (done.exit_code, done.outputs["verdict"]) == (3, "error"), done.log
        assert "`pull_request_target` for a fork is refused" in done.annotations[0].message


def test_ends_in_time(installed: Installed, tmp_path: Path) -> None:
    request = PullRequest(tmp_path, "quickstart", {"notes.md": "Done.\n"})
    done = request.judge({"time-limit": "0.001s", "json": "report.json"}, installed.given)
    assert (done.exit_code, done.outputs["verdict"]) == (4, "error"), done.log
    report = json.loads((request.workspace / "report.json").read_text())
    assert report["problem"]["kind"] == "time_limit"


def test_judges_every_task_where_told(installed: Installed, tmp_path: Path) -> None:
    request = PullRequest(tmp_path, "regression", {"notes.md": "Done.\n"})
    done = request.judge({"diff": "all", "commands": "false"}, installed.given, GITHUB_EVENT_NAME="schedule")
    assert (done.exit_code, done.outputs["verdict"]) == (1, "fail"), done.log


def test_does_not_pass_what_it_cannot_compute(installed: Installed, tmp_path: Path) -> None:
    request = PullRequest(tmp_path, "quickstart", {"notes.md": "Done.\n"})
    request.origin.rename(tmp_path / "gone")
    done = request.judge(given=installed.given)
    assert (done.conclusion, done.exit_code, done.outputs["verdict"]) == ("failure", 3, "error"), done.log
    assert "put `fetch-depth: 2` at actions/checkout" in done.annotations[0].message


@pytest.mark.parametrize("name", [name for name in ACTION["inputs"] if name not in ("python", "token")])
def test_an_input_is_never_executed(installed: Installed, tmp_path: Path, name: str) -> None:
    request = PullRequest(tmp_path, "quickstart", {"notes.md": "Done.\n"})
    hostile = f'"; $(touch {tmp_path}/touched) `touch {tmp_path}/touched`\n::error::no'
    done = request.judge({name: hostile}, installed.given)
    assert not (tmp_path / "touched").exists()
    assert all(note.message != "no" for note in done.annotations), done.log


_NO_PYTHON = "There is no Python 3.11 or later on the PATH as python3 or python. "
_NOT_THERE = "There is no Python 3.11 or later at the path in the input python. "
_ADVICE = "Put actions/setup-python before this step, or name one with the input python."


@pytest.mark.parametrize(
    ("python", "message"),
    [
        pytest.param("", _NO_PYTHON, id="none on the PATH"),
        pytest.param("/nowhere/python3", _NOT_THERE, id="one that does not exist"),
        pytest.param("python-too-old", _NOT_THERE, id="one that is too old"),
        pytest.param("$(touch touched)", _NOT_THERE, id="one that is a command"),
    ],
)
def test_says_that_there_is_no_python(tmp_path: Path, python: str, message: str) -> None:
    request = PullRequest(tmp_path, "quickstart", {"notes.md": "Done.\n"})
    fakes = tmp_path / "bin"
    fakes.mkdir()
    for name in ("python3", "python", "python-too-old"):
        (fakes / name).write_text("#!/bin/sh\nexit 0\n")
        (fakes / name).chmod(0o755)
    done = request.judge({"python": python}, PATH=f"{fakes}:/usr/bin:/bin")
    assert (done.conclusion, done.exit_code, done.outputs["verdict"]) == ("failure", 2, "error")
    assert [note.message for note in done.annotations] == [message + _ADVICE]
    assert not (request.workspace / "touched").exists()


@pytest.mark.parametrize("name", ["commands", "check-run", "allow-fork-head", "fail-on-publish-error"])
def test_refuses_another_word_than_true_or_false(tmp_path: Path, name: str) -> None:
    request = PullRequest(tmp_path, "quickstart", {"notes.md": "Done.\n"})
    done = request.judge({name: "maybe"}, {"python": sys.executable})
    assert (done.exit_code, done.outputs["verdict"]) == (2, "error")
    assert [note.message for note in done.annotations] == [f"The input {name} is neither true nor false."]


def _check(*words: str | Path) -> None:
    done = subprocess.run([BIN / words[0], *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_is_valid() -> None:
    _check("check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml")
    _check("zizmor", "--offline", "--quiet", "--no-progress", "--pedantic", "action.yml")


def test_uses_no_other_action_and_no_expression_in_a_script() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "uses" not in step
        assert "${{" not in step["run"]


def test_reads_every_input_and_explains_it() -> None:
    read = {found for step in ACTION["runs"]["steps"] for found in re.findall(r"inputs\.([\w-]+)", str(step["env"]))}
    page = (ROOT / "docs" / "action.md").read_text()
    table = page[page.index("## Inputs") : page.index("## Outputs")]
    assert set(ACTION["inputs"]) == read == set(re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE))
    outputs = page[page.index("## Outputs") : page.index("They are set when")]
    assert set(ACTION["outputs"]) == set(re.findall(r"^\| `([\w-]+)` \|", outputs, re.MULTILINE))


def test_every_variable_of_a_step_is_used_in_it() -> None:
    for step in ACTION["runs"]["steps"]:
        unused = [name for name in step["env"] if name != "GATE_TOKEN" and f"${name}" not in step["run"]]
        assert not unused


LOCK = (ROOT / "action" / "requirements.txt").read_text()


def test_every_locked_version_has_hashes() -> None:
    entries = re.split(r"\n(?=\S)", LOCK.partition("\n#")[2].partition("\n")[2].strip())
    assert len(entries) > 10
    assert [entry for entry in entries if not re.search(r"==\S+.*\\\n    --hash=sha256:[0-9a-f]{64}", entry)] == []


def test_the_lock_holds_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    locked = {canonicalize_name(name): version for name, version in re.findall(r"^(\S+)==(\S+)", LOCK, re.MULTILINE)}
    asked = [
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["github"],
        *project["build-system"]["requires"],
    ]
    for requirement in map(Requirement, asked):
        name = canonicalize_name(requirement.name)
        assert name in locked, f"{name} is not in action/requirements.txt: run action/lock"
        assert requirement.specifier.contains(locked[name]), f"{name} {locked[name]}: run action/lock --upgrade"
