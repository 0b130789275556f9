"""Controls in `gate run`: what a change to a task, or a policy, has them say, on real repositories."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.commands.repository import gate, write
from tests.conftest import Git

PATCH = "--- a/page.py\n+++ b/page.py\n@@ -1 +1 @@\n-last = 1\n+last = 2\n"
MANIFEST = """\
version: 1
policy: {policy}
tasks:
  - id: pages
    prompt: Fix it
    workspace: {{dir: app}}
    state: replay
    trajectory: recordings/*.json
    golden: {{patch: golden.patch}}{more}
    oracles:
{oracles}
"""
RIGHT = '{type: file_contains, path: page.py, value: "last = 2"}'
GOOD = {"steps": [{"tool": "write_file", "args": {"path": "page.py", "content": "last = 2\n"}}]}
BAD = {"steps": [{"tool": "write_file", "args": {"path": "page.py", "content": "last = 3\n"}}]}


def manifest(*oracles: str, policy: str = "{}", more: str = "") -> str:
    listed = "\n".join(f"      - {oracle}" for oracle in oracles)
    return MANIFEST.format(oracles=listed, policy=policy, more=f"\n    {more}" if more else "")


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    """A repository with one task on its main branch, and the branch `work`."""
    git("init", "-q")
    root = tmp_path / "repo"
    write(
        root,
        {
            "gate.yaml": manifest(RIGHT),
            "golden.patch": PATCH,
            "app/page.py": "last = 1\n",
            "recordings/good.json": GOOD,
            "src/a.py": "x = 1\n",
        },
    )
    git("add", "-A")
    git("commit", "-qm", "base")
    git("switch", "-qc", "work")
    return root


def judged(root: Path, git: Git, files: Mapping[str, object], *words: str) -> dict[str, Any]:
    """The report on a commit that brings these files, judged by its own manifest unless words say otherwise."""
    write(root, files)
    git("add", "-A")
    git("commit", "-qm", "change")
    out = root.parent / "report.json"
    done = gate(root, "run", "--base", "main", "--json", str(out), *(words or ("--judge", "head")))
    assert "Traceback" not in done.stdout + done.stderr
    data: dict[str, Any] = json.loads(out.read_text())
    return {**data, "code": done.returncode}


def verdicts(data: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(one["name"], one["outcome"], one["reason"]) for task in data["tasks"] for one in task["verdicts"]]


def controls(data: dict[str, Any]) -> list[str]:
    return [one["message"] for task in data["tasks"] for one in task["notices"] if one["kind"] == "control"]


HOLDS = [
    "The golden control holds: of 1 oracles 1 pass the reference solution.",
    "The baseline control holds: of 1 oracles 1 fail where nobody has done anything.",
]


def test_a_task_that_the_change_does_not_touch_is_not_proved(root: Path, git: Git) -> None:
    data = judged(root, git, {"src/a.py": "x = 2\n"})
    assert (data["code"], verdicts(data), controls(data)) == (0, [("file_contains", "pass", "")], [])


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"golden.patch": PATCH + "\n"}, id="its golden patch"),
        pytest.param({"app/more.py": "y = 1\n"}, id="its start workspace"),
        pytest.param({"gate.yaml": manifest(RIGHT).replace("Fix it", "Mend it")}, id="its entry"),
    ],
)
def test_a_task_of_which_the_change_touches_a_file_is_proved(root: Path, git: Git, files: Mapping[str, object]) -> None:
    data = judged(root, git, files)
    assert (data["code"], verdicts(data), controls(data)) == (0, [("file_contains", "pass", "")], HOLDS)


def test_the_policy_says_of_which_tasks_controls_are_run(root: Path, git: Git) -> None:
    files = {"gate.yaml": manifest(RIGHT, policy="{controls: off}")}
    assert controls(judged(root, git, files)) == []
    git("switch", "-q", "main")
    git("merge", "-q", "work")
    git("switch", "-q", "work")
    files = {"gate.yaml": manifest(RIGHT, policy="{controls: all}"), "src/a.py": "x = 2\n"}
    assert controls(judged(root, git, files)) == HOLDS


@pytest.mark.parametrize(
    ("oracle", "reason"),
    [
        pytest.param(
            '{type: file_contains, path: page.py, value: "last = 3"}',
            "its golden control does not hold: it fails the reference solution: page.py does not contain 'last = 3'",
            id="fails the right answer",
        ),
        pytest.param(
            "{type: file_contains, path: page.py, value: last}",
            "its baseline control does not hold: it passes where nobody has done anything: page.py contains 'last'",
            id="passes without an answer",
        ),
        pytest.param(
            "{type: file_matches, path: page.py, pattern: '(?<n>a)(?<n>b)'}",
            "its golden control does not hold: it cannot judge the reference solution: ",
            id="cannot judge",
        ),
    ],
)
def test_an_oracle_whose_control_does_not_hold_cannot_pass(root: Path, git: Git, oracle: str, reason: str) -> None:
    data = judged(root, git, {"gate.yaml": manifest(RIGHT, oracle)})
    found = verdicts(data)
    assert data["code"] == 4
    assert found[0] == ("file_contains", "pass", "")
    assert found[1][1] == "error"
    assert found[1][2].startswith(reason)


def test_an_oracle_that_is_to_hold_before_and_after_says_so(root: Path, git: Git) -> None:
    oracle = "{type: file_contains, path: page.py, value: last, control: none}"
    data = judged(root, git, {"gate.yaml": manifest(RIGHT, oracle)})
    assert data["code"] == 0
    assert controls(data) == [
        "The golden control holds: of 2 oracles 1 pass the reference solution, 1 were not asked.",
        "Unproved by the golden control: file_contains #2: `control: none`: it is meant to hold before and after.",
        "The baseline control holds: of 2 oracles 1 fail where nobody has done anything, 1 were not asked.",
        "Unproved by the baseline control: file_contains #2: `control: none`: it is meant to hold before and after.",
    ]


def test_a_patch_that_does_not_apply_proves_nothing(root: Path, git: Git) -> None:
    data = judged(root, git, {"golden.patch": PATCH.replace("-last = 1", "-last = 9")})
    reason = (
        "its golden control cannot be run, so that nothing proves it: golden.patch does not apply: hunk 1 of page.py "
        "(line 1) does not apply: it expects 'last = 9', which is not there; nearest is line 1: 'last = 1'"
    )
    assert (data["code"], verdicts(data)) == (4, [("file_contains", "error", reason)])


def test_commands_are_not_started_for_controls_either(root: Path, git: Git) -> None:
    files = {"gate.yaml": manifest(RIGHT).replace("patch: golden.patch", "command: echo last = 2 > page.py")}
    data = judged(root, git, files, "--judge", "head", "--no-commands")
    assert (data["code"], verdicts(data)) == (0, [("file_contains", "pass", "")])
    assert controls(data)[0] == (
        "Unproved in this run: the golden control is left out: its golden input is a command, and this run starts none."
    )
    git("commit", "--amend", "-qm", "again")
    done = gate(root, "run", "--base", "main", "--judge", "head")
    assert "The golden control holds: of 1 oracles 1 pass the reference solution." in done.stdout


def test_what_looks_at_a_recording_is_unproved_without_a_golden_one(root: Path, git: Git) -> None:
    data = judged(root, git, {"gate.yaml": manifest(RIGHT, "{type: no_network}")})
    assert data["code"] == 0
    assert controls(data) == [
        "The golden control holds: of 2 oracles 1 pass the reference solution, 1 were not asked.",
        "Unproved by the golden control: no_network: it looks at a recording, and golden input has no trajectory for it.",
        "The baseline control holds: of 2 oracles 1 fail where nobody has done anything, 1 assert an absence.",
    ]


def test_golden_input_may_be_required(root: Path, git: Git) -> None:
    without = manifest(RIGHT, policy="{require_golden: true}").replace("    golden: {patch: golden.patch}\n", "")
    data = judged(root, git, {"gate.yaml": without})
    reason = "`require_golden`: the task has no golden input, so nothing proves its oracles; add `golden`"
    assert (data["code"], verdicts(data)) == (4, [("golden", "error", reason), ("file_contains", "pass", "")])


def test_without_it_a_task_is_listed_as_unproved(root: Path, git: Git) -> None:
    without = manifest(RIGHT).replace("golden: {patch: golden.patch}", "controls: [golden, baseline]")
    data = judged(root, git, {"gate.yaml": without})
    assert (data["code"], controls(data)) == (
        0,
        [
            "Unproved: the task has no golden input, so nothing shows that its oracles pass the right answer.",
            HOLDS[1],
        ],
    )


def test_a_recording_that_is_known_to_be_bad_must_be_caught(root: Path, git: Git) -> None:
    git("mv", "recordings/good.json", "recordings/bad.json")
    data = judged(root, git, {"gate.yaml": manifest(RIGHT, more="control: must_fail"), "recordings/bad.json": BAD})
    assert data["code"] == 0
    assert [(one["name"], one["outcome"], one["message"]) for one in data["tasks"][0]["verdicts"]] == [
        ("file_contains", "pass", "As it must be: page.py does not contain 'last = 2'"),
        ("must_fail", "pass", "Caught recordings/bad.json, which is known to be bad: file_contains"),
    ]
    data = judged(root, git, {"recordings/bad.json": GOOD})
    assert data["code"] == 1
    assert verdicts(data)[-1][:2] == ("must_fail", "fail")


def test_some_of_several_recordings_may_fail(root: Path, git: Git) -> None:
    files: Mapping[str, object] = {"recordings/bad.json": BAD, "recordings/other.json": GOOD}
    data = judged(root, git, files)
    assert data["code"] == 1
    assert "2 of 3 recordings pass (66.7 %, 95 % interval 20.8 % to 93.9 %)." in [
        notice["message"] for notice in data["tasks"][0]["notices"]
    ]
    files = {"gate.yaml": manifest(RIGHT, more="pass_at: {k: 2, least: 0.9}")}
    data = judged(root, git, files)
    assert data["code"] == 0
    assert [name for name, _, _ in verdicts(data)] == [
        "file_contains[recordings/bad.json]",
        "file_contains[recordings/good.json]",
        "file_contains[recordings/other.json]",
        "recordings",
    ]


def told(data: dict[str, Any]) -> list[tuple[str, str]]:
    """What the report says of the head's new oracles."""
    kinds = ("judge_proved", "judge_unfit", "judge_unproved")
    return [(one["kind"], one["message"]) for one in data["notices"] if one["kind"] in kinds]


def test_oracles_that_a_change_brings_are_proved_and_judge_nothing(root: Path, git: Git) -> None:
    files = {
        "gate.yaml": manifest(
            RIGHT,
            '{type: file_matches, path: page.py, pattern: "= 2"}',
            "{type: file_exists, path: page.py}",
            "{type: diff_empty}",
            "{type: no_network}",
            "{type: file_exists, path: app.cfg, control: none}",
        )
    }
    data = judged(root, git, files, "--judge", "base")
    assert (data["code"], verdicts(data)) == (0, [("file_contains", "pass", "")])
    subject = "The oracle {} of the task 'pages', new or changed here,"
    unfit = "does not hold as a control ({}). Once merged, it cannot pass anything."
    assert told(data) == [
        (
            "judge_proved",
            f"{subject.format('file_matches')} passes the reference solution and fails where nobody has done anything.",
        ),
        (
            "judge_unfit",
            f"{subject.format('file_exists')} "
            + unfit.format("baseline: it passes where nobody has done anything: There is page.py"),
        ),
        (
            "judge_unfit",
            f"{subject.format('diff_empty')} "
            + unfit.format("golden: it fails the reference solution: File was modified: page.py"),
        ),
        (
            "judge_unproved",
            f"{subject.format('no_network')} is unproved: it looks at a recording, and golden input has no trajectory "
            "for it.",
        ),
        (
            "judge_unproved",
            f"{subject.format('file_exists #2')} is unproved: `control: none`: it is meant to hold before and after.",
        ),
    ]


def test_golden_input_of_the_change_that_cannot_be_had_is_told(root: Path, git: Git) -> None:
    files = {"gate.yaml": manifest(RIGHT).replace("golden.patch", "gone.patch")}
    data = judged(root, git, files, "--judge", "base")
    assert data["code"] == 0
    assert told(data) == [
        (
            "judge_unproved",
            "The task 'pages', which this change brings, cannot be proved: gate.yaml:9: `golden.patch`: the file cannot "
            f"be read: gone.patch: there is no such file in head {git('rev-parse', 'HEAD')[:12]}.",
        )
    ]


def test_a_plugin_that_the_change_brings_is_not_loaded_to_prove_it(root: Path, git: Git) -> None:
    mark = root.parent / "loaded"
    code = f"from pathlib import Path\nPath({str(mark)!r}).write_text('x')\n"
    files = {"plug.py": code, "gate.yaml": manifest(RIGHT, "{type: plug}") + "plugins: [plug.py]\n"}
    data = judged(root, git, files, "--judge", "base")
    assert not mark.exists()
    assert told(data) == []


PLUGIN = """\
from gate.oracle import Finding, Oracle

class Lines(Oracle, frozen=True, kw_only=True):
    \"\"\"Counts.\"\"\"

    def judge(self, trial):
        if trial.after.read("page.py") == b"last = 1\\n":
            yield Finding(message="untouched", path="page.py")
"""


def test_of_an_edited_plugin_only_its_own_oracles_are_proved(root: Path, git: Git) -> None:
    whole = manifest(RIGHT, "{type: lines}", "{type: not, oracle: {type: lines}}") + "plugins: [lines.py]\n"
    git("switch", "-q", "main")
    judged(root, git, {"lines.py": PLUGIN, "gate.yaml": whole})
    git("switch", "-q", "-C", "work")
    data = judged(root, git, {"lines.py": PLUGIN + "# why\n"}, "--judge", "base")
    assert [message.split()[2] for _, message in told(data)] == ["lines", "not"]


def test_a_task_out_of_scope_is_proved_too_where_the_change_touches_its_own_files(root: Path, git: Git) -> None:
    more = 'scope: ["nothing/**"]'
    data = judged(root, git, {"gate.yaml": manifest(RIGHT, more=more)})
    assert (data["code"], data["tasks"][0]["in_scope"], controls(data)) == (0, False, HOLDS)
    trivial = "{type: file_exists, path: page.py}"
    data = judged(root, git, {"gate.yaml": manifest(RIGHT, trivial, more=more)})
    reason = "its baseline control does not hold: it passes where nobody has done anything: There is page.py"
    assert (data["code"], verdicts(data)) == (4, [("file_exists", "error", reason)])
