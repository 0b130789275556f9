"""`gate run` on real repositories, as a person or a workflow starts it."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import junitparser
import pytest

from tests import runner
from tests.commands.repository import MANIFEST, PLUGIN, RECORDING, TASK, gate, write
from tests.conftest import Git


def report(root: Path, *arguments: str, **environ: str) -> tuple[int, dict[str, object], str]:
    out = root.parent / "report.json"
    out.unlink(missing_ok=True)
    done = gate(root, "run", "--json", str(out), *arguments, **environ)
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, json.loads(out.read_text()), done.stdout


def outcomes(data: dict[str, object]) -> dict[str, dict[str, str]]:
    tasks: list[dict[str, object]] = data["tasks"]  # type: ignore[assignment]
    return {
        str(task["id"]): {str(verdict["name"]): str(verdict["outcome"]) for verdict in task["verdicts"]}  # type: ignore[attr-defined]
        for task in tasks
        if task["in_scope"]
    }


def test_the_index_is_judged(repo: Path, git: Git) -> None:
    write(repo, {"src/page.py": "last = 2\n"})
    git("add", "-A")
    code, data, text = report(repo)
    assert code == 0
    assert outcomes(data) == {
        "pages": {"assertion_exists": "pass"},
        "tests-hold": {"file_not_modified": "pass", "short": "pass", "test_must_pass": "pass", "no_network": "skip"},
    }
    assert "Gate summary: 2/2 tasks passed" in text


def test_what_is_not_staged_is_not_judged(repo: Path, git: Git) -> None:
    write(repo, {"src/page.py": "last = 2\n"})
    git("add", "-A")
    write(repo, {"src/page.py": "syntax error\n", "tests/test_page.py": "x"})
    assert report(repo)[0] == 0


def test_a_broken_oracle_fails_and_the_others_are_asked(repo: Path, git: Git) -> None:
    write(repo, {"src/page.py": "\n" * 6 + "raise SystemExit(3)\n", "tests/test_page.py": "pass\n"})
    git("add", "-A")
    code, data, text = report(repo)
    assert code == 1
    assert outcomes(data)["tests-hold"] == {
        "file_not_modified": "fail",
        "short": "fail",
        "test_must_pass": "fail",
        "no_network": "skip",
    }
    assert text.rstrip().splitlines()[-1] == "gate run"


def test_the_repeat_command_keeps_the_time_limit(repo: Path, git: Git) -> None:
    write(repo, {"tests/test_page.py": "pass\n"})
    git("add", "-A")
    assert report(repo, "--time-limit", "9m")[2].rstrip().splitlines()[-1] == "gate run --time-limit 9m"


def test_the_repeat_command_gives_the_same_verdict(repo: Path, git: Git) -> None:
    write(repo, {"tests/test_page.py": "pass\n"})
    git("add", "-A")
    git("commit", "-qm", "weaken")
    code, data, text = report(repo)
    again = text.rstrip().splitlines()[-1].split()
    assert code == 1
    assert again[:2] == ["gate", "run"]
    code_again, data_again, _ = report(repo, *again[2:])
    assert (code_again, outcomes(data_again)) == (code, outcomes(data))


@pytest.mark.parametrize(
    ("change", "notice"),
    [
        pytest.param({"gate.yaml": MANIFEST.replace('"tests/**"}', '"none"}')}, "gate.yaml", id="manifest"),
        pytest.param({"gate.yaml": "not: a manifest"}, "gate.yaml", id="manifest that is none"),
        pytest.param({"oracles/short.py": PLUGIN.replace("> self.limit", "> 99")}, "oracles/short.py", id="plugin"),
        pytest.param({"tasks/pages.json": {**TASK, "oracles": []}}, "tasks/pages.json", id="task document"),
    ],
)
def test_a_change_to_the_judge_has_no_effect_but_a_notice(
    repo: Path, git: Git, change: dict[str, object], notice: str
) -> None:
    write(repo, {"src/page.py": "\n" * 9, "tests/test_page.py": "pass\n"})
    git("add", "-A")
    before = outcomes(report(repo)[1])
    write(repo, change)
    git("add", "-A")
    git("commit", "-qm", "change the judge")
    code, data, _ = report(repo)
    assert code == 1
    assert outcomes(data) == before
    base = git("rev-parse", "--short=12", "origin/main")
    told = [(note["path"], note["message"]) for note in data["notices"] if note["kind"] == "judge_changed"]  # type: ignore[attr-defined]
    plugin = ", and what its code asks now is not compared" if notice.endswith(".py") else ""
    words = f"This change edits {notice}, a file of the judge; the version of base {base} judges it{plugin}."
    assert told == [(notice, words)]


def test_the_recording_and_the_product_come_from_the_head(repo: Path, git: Git) -> None:
    write(repo, {"src/page.py": "last = 2\n", "recordings/pages.json": {"steps": []}})
    git("add", "-A")
    code, data, _ = report(repo)
    assert code == 1
    assert outcomes(data)["pages"] == {"assertion_exists": "fail"}


def test_the_head_judges_itself_only_when_asked_and_says_so(repo: Path, git: Git) -> None:
    write(repo, {"gate.yaml": MANIFEST.replace('"tests/**"}', '"none*"}'), "tests/test_page.py": "pass\n"})
    git("add", "-A")
    code, data, text = report(repo, "--judge", "head")
    assert code == 4
    assert outcomes(data)["tests-hold"]["file_not_modified"] == "error"
    assert "The judge is read from the index: the caller asked for it (`judge: head`)." in text


def test_a_recording_that_the_change_adds_is_its_evidence(repo: Path, git: Git) -> None:
    steps = [
        {"tool": "write_file", "args": {"path": "src/page.py", "content": "last = 2\n"}},
        {"tool": "run_command", "args": {"command": "curl https://example.org/x"}},
    ]
    write(repo, {"src/page.py": "last = 2\n", "recordings/head/a.json": {"steps": steps}})
    git("add", "-A")
    code, data, _ = report(repo)
    assert code == 1
    assert outcomes(data)["tests-hold"] == {
        "file_not_modified": "pass",
        "short": "pass",
        "test_must_pass": "pass",
        "no_network": "fail",
        "explained": "pass",
    }


def test_a_recording_of_other_work_explains_nothing(repo: Path, git: Git) -> None:
    steps = [{"tool": "write_file", "args": {"path": "other.py", "content": "x"}}]
    write(repo, {"src/page.py": "last = 2\n", "recordings/head/a.json": {"steps": steps}})
    git("add", "-A")
    code, data, text = report(repo)
    assert code == 1
    assert outcomes(data)["tests-hold"]["explained"] == "fail"
    assert "The recording explains nothing of the change of src/page.py: it records other work" in text


@pytest.mark.parametrize(
    ("options", "outcome"), [((), "pass"), (("--no-commands",), "fail"), (("--pre-commit",), "fail")]
)
def test_commands_are_repeated_where_the_task_asks_and_the_run_may(
    repo: Path, git: Git, options: tuple[str, ...], outcome: str
) -> None:
    proof = "      - {type: explained, allow: [exact, proven]}\n      - {type: no_network}\n"
    manifest = MANIFEST.replace("      - {type: no_network}\n", proof)
    manifest = manifest.replace("  - id: docs\n", "    replay: {commands: repeat}\n  - id: docs\n")
    steps = [{"tool": "run_command", "args": {"command": "sed -i 's/= 1/= 2/' src/page.py"}}]
    write(repo, {"gate.yaml": manifest})
    git("commit", "-qam", "prove it")
    git("push", "-q", "origin", "HEAD:main")
    git("fetch", "-q")
    write(repo, {"src/page.py": "last = 2\n", "recordings/head/a.json": {"steps": steps}})
    git("add", "-A")
    _, data, _ = report(repo, *options)
    assert outcomes(data)["tests-hold"]["explained"] == outcome


def test_nothing_in_scope_is_no_failure_unless_the_policy_says_so(repo: Path, git: Git) -> None:
    write(repo, {"README.md": "x"})
    git("add", "-A")
    code, data, _ = report(repo)
    assert (code, outcomes(data), data["verdict"]) == (0, {}, "skip")
    write(repo, {"gate.yaml": MANIFEST + "policy: {on_empty: fail}\n"})
    git("add", "-A")
    git("commit", "-qm", "stricter")
    git("push", "-q", "origin", "HEAD:main")
    git("fetch", "-q")
    write(repo, {"README.md": "y"})
    git("add", "-A")
    code, data, _ = report(repo)
    assert (code, outcomes(data), data["verdict"]) == (1, {}, "fail")


def test_report_only_is_said_loudly(repo: Path, git: Git) -> None:
    write(repo, {"gate.yaml": MANIFEST + "policy: {enforce: false}\n", "tests/test_page.py": "pass\n"})
    git("add", "-A")
    code, data, text = report(repo, "--judge", "head")
    assert code == 0
    assert outcomes(data)["tests-hold"]["file_not_modified"] == "fail"
    assert text.startswith("enforce is false: this run only reports, whatever it finds\n")
    assert "exit 0: enforce is false, this is a report only: with enforcement the exit code is 1" in text


def test_a_broken_task_is_its_own_error_and_the_others_are_judged(repo: Path, git: Git, tmp_path: Path) -> None:
    write(repo, {"tasks/pages.json": '{"id": "pages",', "src/page.py": "last = 2\n"})
    git("add", "-A")
    junit = tmp_path / "junit.xml"
    code, data, _ = report(repo, "--judge", "head", "--junit", str(junit))
    assert code == 4
    assert outcomes(data)["pages"] == {"task": "error"}
    assert outcomes(data)["tests-hold"]["test_must_pass"] == "pass"
    assert junitparser.JUnitXml.fromfile(str(junit)).errors == 1


def test_no_task_in_scope_can_be_read(repo: Path, git: Git, tmp_path: Path) -> None:
    broken = MANIFEST.split("  - id: tests-hold")[0] + MANIFEST[MANIFEST.index("  - id: docs") :]
    write(repo, {"gate.yaml": broken, "tasks/pages.json": '{"id": "pages",', "src/page.py": "last = 2\n"})
    git("add", "-A")
    junit, output = tmp_path / "junit.xml", tmp_path / "output"
    environ = {"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": str(output)}
    code, data, text = report(repo, "--judge", "head", "--junit", str(junit), **environ)
    assert (code, outcomes(data)) == (2, {"pages": {"task": "error"}})
    assert "exit 2: nothing was judged: no task in scope can be read" in text
    assert junitparser.JUnitXml.fromfile(str(junit)).errors == 1
    said = runner.outputs(output.read_text())
    assert (said["verdict"], said["errors"]) == ("error", "1")


@pytest.mark.parametrize(
    ("documents", "code"),
    [
        pytest.param(["missing.json", "gone.json"], 2, id="none can be read"),
        pytest.param(["missing.json", "pages.json"], 4, id="one can be read"),
    ],
)
def test_no_task_of_a_gate_manifest_can_be_read(tmp_path: Path, documents: list[str], code: int) -> None:
    write(tmp_path, {"m.json": {"task_files": documents}, "tasks/pages.json": TASK, "r.json": RECORDING})
    found, data, _ = report(tmp_path, "--tasks", "tasks", "--manifest", "m.json", "--trajectory", "r.json")
    assert (found, data["verdict"]) == (code, "error")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--base", "nowhere"], 3, "nowhere"),
        (["--task", "nobody"], 2, "there is no task 'nobody' in gate.yaml"),
        (["--manifest", "missing.yaml"], 2, "missing.yaml"),
        (["--tasks", "tasks"], 2, "--trajectory FILE is missing: --tasks and --trajectory go together"),
    ],
)
def test_what_ends_a_run_early_is_reported_all_the_same(
    repo: Path, git: Git, arguments: list[str], code: int, message: str
) -> None:
    write(repo, {"src/page.py": "last = 2\n"})
    git("add", "-A")
    found, data, text = report(repo, *arguments)
    assert found == code
    assert message in text
    assert data["tasks"] == []
    assert data["verdict"] == "error"


def test_outside_of_git_every_task_is_judged_when_asked(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    write(
        root,
        {"gate.yaml": "version: 1\ntasks: [{task: t.json, trajectory: r.json}]", "t.json": TASK, "r.json": RECORDING},
    )
    code, data, _ = report(root, "--diff", "all")
    assert (code, outcomes(data)) == (0, {"pages": {"assertion_exists": "pass"}})
    code, data, text = report(root)
    assert code == 3
    assert "is in no git repository, so there is no change to judge" in text


def test_commands_are_left_out_in_the_hook(repo: Path, git: Git) -> None:
    write(repo, {"src/page.py": "last = 2\n"})
    git("add", "-A")
    code, data, text = report(repo, "--pre-commit")
    assert code == 0
    assert outcomes(data)["tests-hold"]["test_must_pass"] == "skip"
    assert "1 oracle" in text.rstrip().splitlines()[-1]


HEAD_TASK = """\
version: 1
policy: {{require_recording: {required}}}
tasks:
  - id: page
    scope: ["src/**"]
    trajectory: {trajectory}
    oracles:
      - {{type: assertion_exists, path: src/page.py, pattern: last}}
      - {{type: no_network}}
"""
WROTE = {"steps": [{"tool": "write_file", "args": {"path": "src/page.py", "content": "last = 2\n"}}]}


def changed(repo: Path, git: Git, trajectory: str, *, required: str = "all", message: str = "Fix it") -> str:
    """The base with one task of the head, and a commit on it; its id."""
    write(repo, {"gate.yaml": HEAD_TASK.format(trajectory=trajectory, required=required)})
    git("commit", "-qam", "manifest")
    git("push", "-q", "origin", "HEAD:main")
    write(repo, {"src/page.py": "last = 2\n"})
    git("commit", "-qam", message)
    return git("rev-parse", "HEAD")


PASSED = {"recording": "pass", "assertion_exists": "pass", "no_network": "pass", "explained": "pass"}


def test_a_required_recording_that_is_missing_fails_with_the_words_to_fix_it(repo: Path, git: Git) -> None:
    changed(repo, git, "recordings/page/*.json")
    code, data, text = report(repo)
    assert code == 1
    assert outcomes(data)["page"] == {"recording": "fail", "assertion_exists": "pass", "no_network": "skip"}
    assert "Add the agent's recording to the change, at recordings/page/*.json" in " ".join(text.split())
    write(repo, {"recordings/page/1.json": WROTE})
    git("add", "-A")
    git("commit", "-qm", "recording")
    code, data, _ = report(repo)
    assert (code, outcomes(data)["page"]) == (0, PASSED)


def test_a_recording_in_a_note(repo: Path, git: Git) -> None:
    commit = changed(repo, git, "{notes: agent}")
    assert report(repo)[0] == 1
    git("notes", "--ref=agent", "add", "-m", json.dumps(WROTE), commit)
    code, data, _ = report(repo)
    assert (code, outcomes(data)["page"]) == (0, PASSED)


def test_a_recording_in_a_checkpoint(repo: Path, git: Git) -> None:
    changed(repo, git, "{entire}", message="Fix it\n\nEntire-Checkpoint: a3b2c4d5e6f7")
    code, data, text = report(repo)
    assert (code, outcomes(data)["page"]) == (4, dict.fromkeys(PASSED, "error") | {"assertion_exists": "pass"})
    assert "names the checkpoint a3b2c4d5e6f7, which is not in refs/heads/entire/checkpoints/v1" in text
    git("switch", "-q", "--orphan", "entire/checkpoints/v1")
    write(repo, {"a3/b2c4d5e6f7/0/full.jsonl": WROTE})
    git("add", "-A")
    git("commit", "-qm", "Checkpoint: a3b2c4d5e6f7")
    git("switch", "-q", "work")
    code, data, _ = report(repo)
    assert (code, outcomes(data)["page"]) == (0, PASSED)


def test_a_recording_given_by_the_caller(repo: Path, git: Git, tmp_path: Path) -> None:
    changed(repo, git, "recordings/page/*.json")
    write(tmp_path, {"artifact.json": WROTE})
    code, data, _ = report(repo, "--recording", "../artifact.json")
    assert (code, outcomes(data)["page"]) == (0, PASSED)
    write(tmp_path, {"artifact.json": {"steps": [{"tool": "run_command", "args": {"command": "curl example.org"}}]}})
    code, data, text = report(repo, "--recording", "../artifact.json")
    assert (code, outcomes(data)["page"]["no_network"]) == (1, "fail")
    again = text.rstrip().splitlines()[-1].split()
    assert again[-2:] == ["--recording", "../artifact.json"]
    code_again, data_again, _ = report(repo, *again[2:])
    assert (code_again, outcomes(data_again)) == (code, outcomes(data))
    code, _, text = report(repo, "--tasks", "tasks", "--trajectory", "x", "--recording", "y")
    assert code == 2
    assert "--recording is for a manifest; with --tasks the recording is --trajectory" in text


def test_a_recording_required_of_an_author_alone(repo: Path, git: Git) -> None:
    changed(repo, git, "recordings/page/*.json", required="{authors: ['*[bot]']}")
    assert report(repo)[0] == 0
    git("commit", "-q", "--amend", "--no-edit", "--author=agent[bot] <agent@example.org>")
    code, data, text = report(repo)
    assert (code, outcomes(data)["page"]["recording"]) == (1, "fail")
    assert "names agent[bot] <agent@example.org>" in text


FINISHED = """\
version: 1
tasks:
  - id: result
    state: {dir: results/one}
    workspace: {files: {"page.py": "last = 1", "test_page.py": "assert True"}}
    oracles:
      - {type: assertion_exists, path: page.py, pattern: last = 2}
      - {type: file_not_modified, path: test_page.py}
      - {type: test_must_pass, command: python test_page.py}
"""


def test_a_finished_folder_is_judged(repo: Path, git: Git) -> None:
    write(repo, {"gate.yaml": FINISHED, "results/one/page.py": "last = 2", "results/one/test_page.py": "assert True"})
    git("add", "-A")
    code, data, _ = report(repo, "--judge", "head")
    passed = {"assertion_exists": "pass", "file_not_modified": "pass", "test_must_pass": "pass"}
    assert (code, outcomes(data)["result"]) == (0, passed)
    write(repo, {"results/one/test_page.py": "raise SystemExit(1)"})
    git("add", "-A")
    code, data, text = report(repo, "--judge", "head")
    assert (code, outcomes(data)["result"]) == (1, passed | {"file_not_modified": "fail", "test_must_pass": "fail"})
    assert "results/one/test_page.py" in text


def test_a_finished_folder_that_is_missing_is_an_error(repo: Path, git: Git) -> None:
    write(repo, {"gate.yaml": FINISHED})
    git("add", "-A")
    code, data, text = report(repo, "--judge", "head")
    assert (code, outcomes(data)["result"]) == (4, {"task": "error"})
    assert "`state.dir`: there is no file in results/one in the index" in text


def test_all_of_a_committed_change_has_nothing_left_to_explain(repo: Path, git: Git) -> None:
    steps = [{"tool": "str_replace", "args": {"path": "src/page.py", "old_string": "1", "new_string": "2"}}]
    write(repo, {"src/page.py": "last = 2\n", "recordings/head/a.json": {"steps": steps}})
    git("add", "-A")
    git("commit", "-qm", "fix")
    git("push", "-q", "origin", "HEAD:main")
    git("fetch", "-q")
    _, data, _ = report(repo, "--diff", "all", "--task", "tests-hold")
    assert outcomes(data)["tests-hold"]["explained"] == "pass"


def test_a_rename_or_another_mode_brings_no_recording(repo: Path, git: Git) -> None:
    write(repo, {"recordings/head/a.json": RECORDING, "recordings/head/b.json": {"steps": []}})
    git("add", "-A")
    git("commit", "-qm", "recordings")
    git("push", "-q", "origin", "HEAD:main")
    git("fetch", "-q")
    git("mv", "recordings/head/a.json", "recordings/head/c.json")
    git("update-index", "--chmod=+x", "recordings/head/b.json")
    write(repo, {"src/page.py": "last = 2\n"})
    git("add", "src")
    _, data, _ = report(repo)
    assert outcomes(data)["tests-hold"]["no_network"] == "skip"


def test_a_step_that_cannot_be_read_is_no_proof_that_no_network_was_used(repo: Path, git: Git) -> None:
    write(
        repo, {"src/page.py": "last = 2\n", "recordings/head/a.json": {"steps": [{"tool": "run_command", "args": 5}]}}
    )
    git("add", "-A")
    code, data, text = report(repo, "--task", "tests-hold")
    assert outcomes(data)["tests-hold"]["no_network"] == "error"
    assert "what step 1 did could not be read: args: expected an object, found the number 5" in text
    assert code != 0


def test_a_manifest_that_git_does_not_know_yet_says_how_it_gets_known(tmp_path: Path, git: Git) -> None:
    git("init", "-q")
    write(tmp_path / "repo", {"gate.yaml": "version: 1", "a.py": "x"})
    git("add", "a.py")
    code, _, text = report(tmp_path / "repo")
    assert code == 2
    assert "one lies here that git does not know yet: `git add gate.yaml`" in text


def test_a_run_that_is_ended_leaves_nothing_behind(repo: Path, git: Git) -> None:
    manifest = "version: 1\ntasks: [{id: a, oracles: [{type: test_must_pass, command: 'touch $HOME/on; sleep 61'}]}]"
    write(repo, {"gate.yaml": manifest})
    git("add", "-A")
    home = repo.parent / "home"
    home.mkdir()
    command = [sys.executable, "-P", "-m", "gate", "run", "--judge", "head"]
    running = subprocess.Popen(command, cwd=repo, env={**os.environ, "HOME": str(home)}, stderr=subprocess.PIPE)
    while not (home / "on").exists():
        assert running.poll() is None
    time.sleep(0.5)  # the gate is told of its child a moment after that has begun
    running.terminate()
    assert (running.wait(20), running.communicate()[1]) == (143, b"gate: interrupted\n")
    assert subprocess.run(["pgrep", "-f", "sleep 61"], check=False).returncode == 1


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("added", "::error title=tests-hold / short::src/page.py:6: 7 lines"),
        ("file", "::error file=src/page.py,line=6,title=tests-hold / short::7 lines"),
    ],
)
def test_annotations_stand_where_they_are_asked_for(repo: Path, git: Git, mode: str, expected: str) -> None:
    write(repo, {"src/page.py": "last = 2\n" + "\n" * 6})
    git("add", "-A")
    git("commit", "-qm", "grow")
    git("push", "-q", "origin", "HEAD:main")
    write(repo, {"src/page.py": "last = 3\n" + "\n" * 6})
    git("add", "-A")
    done = gate(repo, "run", "--annotations", "--filter-mode", mode)
    assert expected in done.stdout.splitlines()


def test_a_change_of_judge_and_product_fails_where_the_policy_says_so(repo: Path, git: Git) -> None:
    policy = "version: 1\npolicy: {separate_judge: error}\n"
    write(repo, {"gate.yaml": MANIFEST.replace("version: 1\n", policy, 1)})
    git("add", "-A")
    git("commit", "-qm", "be strict")
    git("push", "-q", "origin", "HEAD:main")
    write(repo, {"src/page.py": "last = 2\n", "oracles/short.py": PLUGIN + "\n"})
    git("add", "-A")
    code, data, text = report(repo)
    assert code == 1
    assert outcomes(data)["separate_judge"] == {"separate_judge": "fail"}
    assert "This change touches the judge (oracles/short.py) and what it judges (src/page.py)." in text


UNEXPLAINED = """\
version: 1
tasks:
  - id: page
    scope: ["src/**"]
    trajectory: rec/*.json
    explained: off
    oracles: [{type: assertion_exists, path: src/page.py, pattern: last}]
"""
LOST = {"steps": [{"tool": "str_replace", "args": {"path": "src/page.py", "old_string": "x", "new_string": "y"}}] * 2}
PART = "The recording explains the change only in part: "
UNREAD = "The recording says nothing of the change: rec/a.json: the file is empty; expected a recording"
ABSENT = f"{PART}step 1: src/page.py: the old text is not in the file; nothing there is like it (and 1 more)"


@pytest.mark.parametrize(
    ("recording", "more", "expected"),
    [
        pytest.param(WROTE, "", [], id="all of it fits"),
        pytest.param(LOST, "", [("rec/a.json", ABSENT)], id="nobody looks at it"),
        pytest.param("", "", [("rec/a.json", UNREAD)], id="it is empty"),
        pytest.param(LOST, "      - {type: no_network}\n", [("rec/a.json", ABSENT)], id="an oracle looks at it"),
    ],
)
def test_recorded_edits_that_do_not_fit_are_counted_whoever_looks_at_the_recording(
    repo: Path, git: Git, recording: object, more: str, expected: list[tuple[str, str]]
) -> None:
    manifest = UNEXPLAINED.replace("oracles: [", "oracles:\n      - ").replace("}]\n", "}\n") + more
    write(repo, {"gate.yaml": manifest, "rec/a.json": recording, "src/page.py": "last = 2\n"})
    git("add", "-A")
    code, data, text = report(repo, "--judge", "head")
    [task] = [task for task in data["tasks"] if task["in_scope"]]  # type: ignore[attr-defined]
    found = [(notice["path"], notice["message"]) for notice in task["notices"] if notice["kind"] == "replay"]
    assert (code, found) == (0, expected)
    assert all(f"  notice: {path}: {message}\n" in text for path, message in expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--junit", "gate.yaml"], "gate.yaml is read by this run", id="the manifest"),
        pytest.param(["--junit", "recordings/pages.json"], "recordings/pages.json is read by this run", id="recording"),
        pytest.param(["--junit", "tasks/pages.json"], "tasks/pages.json is read by this run", id="a task's document"),
        pytest.param(["--junit", "x.xml", "--summary", "x.xml"], "both name x.xml", id="another report"),
    ],
)
def test_a_report_overwrites_nothing_that_is_read(repo: Path, git: Git, arguments: list[str], message: str) -> None:
    write(repo, {"src/page.py": "last = 2\n"})
    git("add", "-A")
    code, data, text = report(repo, *arguments)
    assert (code, data["exit_code"]) == (2, 2)
    assert message in text
    assert git("status", "--porcelain") == "M  src/page.py"


@pytest.mark.parametrize("locale", ["POSIX", "C.UTF-8"])
def test_names_are_those_of_git_whatever_the_locale_says(repo: Path, git: Git, locale: str) -> None:
    """Else a scope with an `é` would meet no file, and the change would be green."""
    oracle = "{type: file_not_modified, path: é.py}"
    manifest = f"version: 1\ntasks:\n  - {{id: t, scope: [é.py], oracles: [{oracle}]}}\n"
    write(repo, {"other.yaml": manifest, "é.py": "1\n"})
    git("add", "-A")
    git("commit", "-qm", "two")
    write(repo, {"é.py": "2\n"})
    git("add", "-A")
    environ = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "utf-8"}
    done = gate(repo, "run", "--manifest", "other.yaml", **environ)
    assert (done.returncode, done.stdout.splitlines()[1:3]) == (
        1,
        ["[FAIL] task=t", "  [FAIL] file_not_modified: File was modified: é.py"],
    )
