"""`gate oracle` as a person or a workflow starts it: what it prints, whole, and how it exits."""

import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gate import registry
from tests.commands.repository import gate, write
from tests.conftest import ROOT, Git

EXAMPLE = ROOT / "examples" / "controls"
PATCH = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"
GRADER = "{type: file-contains, config: {path: a.txt, value: two}}"
SPEC = """\
stimuli:
  - name: one
    prompt: Make it two.
    environment: {files: [{dest: a.txt, content: "one\\n"}]}
"""
USAGE = 2


def spec(*lines: str, more: str = "") -> str:
    """A spec with one stimulus that has these lines besides."""
    return SPEC + "".join(f"    {line}\n" for line in lines) + more


GOLDEN = "golden_patch: {path: two.patch}"
GRADED = f"graders: [{GRADER}]"


def ran(folder: Path, *words: str, **files: object) -> tuple[int, str, str]:
    """The exit code and both outputs of `gate oracle`, in a folder that holds these files (`_` is a dot)."""
    write(folder, {"two.patch": PATCH, **{name.replace("_", "."): text for name, text in files.items()}})
    done = gate(folder, "oracle", *words)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def proved(folder: Path, text: str, *words: str) -> tuple[int, str, str]:
    return ran(folder, "-e", "eval.yaml", *words, eval_yaml=text)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("example") / "controls"
    shutil.copytree(EXAMPLE, folder)
    return folder


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(["--verbose"], "expected-golden.txt", id="golden input"),
        pytest.param(["--no-golden-input"], "expected-baseline.txt", id="baseline"),
    ],
)
def test_the_example_says_what_it_says(example: Path, words: list[str], expected: str) -> None:
    code, text, errors = ran(example, "-e", "eval.yaml", "--manifest", "judge.yaml", *words)
    assert (code, errors) == (1, "")
    assert text == (EXAMPLE / expected).read_text(), "if this is right, write it to the file that is expected"


def test_the_example_uses_every_grader() -> None:
    text = (EXAMPLE / "eval.yaml").read_text()
    used = set(re.findall(r"\btype: ([a-z-]+)", text))
    ours = {"all-of", "any-of", "not", "assertion-exists", "bundle-tests", "expected-files", "explained"}
    ours |= {"file-not-modified", "no-network", "recorded-outputs", "test-must-pass"}
    assert {name.replace("_", "-") for name in registry.builtin("gate.oracles")} - ours == used


def test_what_holds_is_told_in_two_lines(tmp_path: Path) -> None:
    assert proved(tmp_path, spec(GOLDEN, GRADED)) == (
        0,
        "✅ one [oracle] (1/1 graders passed)\n  Score: 100.0% | PASSED\nOracle summary: 1/1 controls hold\n",
        "",
    )


def test_a_grader_that_fails_the_right_answer_is_told_with_its_evidence(tmp_path: Path) -> None:
    wrong = GRADER.replace("two", "three")
    assert proved(tmp_path, spec(GOLDEN, f"graders: [{GRADER}, {wrong}]")) == (
        1,
        "❌ one [oracle] (1/2 graders passed)\n"
        "  ✗ [file_contains #2] failed — a.txt does not contain 'three'\n"
        "  Score: 50.0% | FAILED\n"
        "Oracle summary: 0/1 controls hold\n",
        "",
    )


def test_graders_that_golden_input_does_not_serve_are_named_at_once(tmp_path: Path) -> None:
    graders = f"graders: [{GRADER}, {{type: completed}}, {{type: output-contains, name: says, config: {{value: x}}}}]"
    assert proved(tmp_path, spec(GOLDEN, graders)) == (
        1,
        "❌ one [oracle] (0/0 graders passed)\n"
        "  ✗ these graders look at what an agent said and did, and golden input has none of it: completed, says; add a "
        "`golden_trajectory`\n"
        "  Score: 0.0% | FAILED\n"
        "Oracle summary: 0/1 controls hold\n",
        "",
    )


ATIF: dict[str, Any] = {
    "schema_version": "ATIF-v1.7",
    "session_id": "s",
    "agent": {"name": "a", "version": "1"},
    "steps": [
        {"step_id": 1, "source": "user", "message": "Go."},
        {
            "step_id": 2,
            "source": "agent",
            "message": "",
            "tool_calls": [{"tool_call_id": "c", "function_name": "Read", "arguments": {"file_path": "a.txt"}}],
        },
        {
            "step_id": 3,
            "source": "agent",
            "message": "Done.",
            "observation": {"results": [{"source_call_id": "c", "content": "one"}]},
        },
    ],
}


def test_a_result_that_cites_the_call_of_another_step_is_told_and_not_counted(tmp_path: Path) -> None:
    write(tmp_path, {"ref.json": ATIF})
    graders = "graders: [{type: tool-calls, config: {required: [{name: Read, result: one}]}}]"
    code, text, _ = proved(tmp_path, spec("golden_trajectory: {path: ref.json}", graders))
    assert code == 1
    warning, *rest = text.splitlines()[1:]
    assert warning.startswith("  ⚠ a result is of the tool `unknown` and is not counted: ")
    assert rest[0].startswith("  ✗ [tool_calls] failed — Never called: 'Read', result 'one'")


def test_a_command_alone_is_no_evidence_for_a_model_that_sees_no_files(tmp_path: Path) -> None:
    graders = "graders: [{type: prompt, name: looks-good}, {type: prompt, name: sees, config: {evidence: [diff]}}]"
    manifest = {"version": 1, "tasks": [{"spec": "eval.yaml"}], "judge": {"command": [sys.executable, "-c", JUDGE]}}
    write(tmp_path, {"gate.yaml": manifest})
    assert proved(tmp_path, spec("golden_command: echo two > a.txt", graders)) == (
        1,
        "❌ one [oracle] (1/2 graders passed)\n"
        "  ⚠ golden input is a command alone, and what it does is no evidence of these graders: looks-good; give them "
        "`diff` or `repo` as evidence, or add a golden patch or trajectory\n"
        "  ✗ [looks-good] failed — Nothing of the run is left to judge by: trajectory: nothing is recorded\n"
        "  Score: 50.0% | FAILED\n"
        "Oracle summary: 0/1 controls hold\n",
        "",
    )


JUDGE = """
import json, sys
request = json.load(sys.stdin)
say = {"score": request["most"], "reason": f"{request['model']} {request['reasoning_effort']}"}
print(json.dumps({"scores": {one["name"]: say for one in request["criteria"]}}))
"""


@pytest.mark.parametrize(
    ("defaults", "config", "words", "expected"),
    [
        pytest.param("", "", (), "None None", id="nobody names one"),
        pytest.param("of-spec", "", (), "of-spec None", id="the spec"),
        pytest.param("of-spec", "", ("--judge-model", "called"), "called None", id="the call before the spec"),
        pytest.param("of-spec", "own", ("--judge-model", "called"), "own None", id="the grader before the call"),
        pytest.param("", "", ("--judge-reasoning-effort", "high"), "None high", id="an effort"),
    ],
)
def test_the_model_that_is_asked(
    tmp_path: Path, defaults: str, config: str, words: tuple[str, ...], expected: str
) -> None:
    manifest = {"version": 1, "tasks": [{"spec": "eval.yaml"}], "judge": {"command": [sys.executable, "-c", JUDGE]}}
    write(tmp_path, {"gate.yaml": manifest})
    own = f", model: {config}" if config else ""
    more = f"defaults: {{judge_model: {defaults}}}\n" if defaults else ""
    text = spec(GOLDEN, f"graders: [{{type: prompt, config: {{evidence: [diff]{own}}}}}]", more=more)
    code, out, _ = proved(tmp_path, text, "--output", "jsonl", *words)
    assert code == 0
    detail = json.loads(out.splitlines()[0])["gradeResult"]["details"][0]
    assert detail["kind"] == "llm"
    write(tmp_path, {"eval.yaml": text.replace("evidence: [diff]", "threshold: 1, evidence: [diff]")})
    asked = gate(tmp_path, "oracle", "-e", "eval.yaml", "--verbose", *words).stdout
    shown = "a model" if expected.startswith("None") else expected.partition(" ")[0]
    assert f"(judged by {shown}, not deterministic)" in asked


@pytest.mark.parametrize(
    ("lines", "code", "problem"),
    [
        pytest.param(
            ('golden_patch: {inline: "--- a/a.txt\\n+++ b/a.txt\\n@@ -1 +1 @@\\n-1\\n+two\\n"}',),
            1,
            "eval.yaml:2 (golden_patch) does not apply: hunk 1 of a.txt (line 1) does not apply: it expects '1', which is "
            "not there; nothing there is like it",
            id="a patch that does not apply",
        ),
        pytest.param(("golden_command: exit 4",), 1, "the golden command 'exit 4' exited 4", id="a command that fails"),
        pytest.param(
            ("golden_command: sleep 60 & exit 0",),
            1,
            "the golden command 'sleep 60 & exit 0' left a process running; it must do all of its work before it ends",
            id="a command that leaves a process",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="orphans are seen on Linux alone"),
        ),
        pytest.param(
            ('golden_custom_metrics: {inline: "[1]"}',),
            USAGE,
            "eval.yaml:2: `golden_custom_metrics`: expected a JSON object of metrics, found a list",
            id="metrics that are no object",
        ),
        pytest.param(
            ("golden_patch: {path: gone.patch}",),
            USAGE,
            "eval.yaml:2: `golden_patch`: the file cannot be read: gone.patch: there is no such file in the working tree",
            id="a file that is not there",
        ),
    ],
)
def test_golden_input_that_cannot_be_used(tmp_path: Path, lines: tuple[str, ...], code: int, problem: str) -> None:
    assert proved(tmp_path, spec(*lines, GRADED)) == (
        code,
        f"❌ one [oracle] (0/0 graders passed)\n  ✗ {problem}\n  Score: 0.0% | FAILED\nOracle summary: 0/1 controls hold\n",
        "",
    )


def test_a_time_limit_ends_the_golden_command(tmp_path: Path) -> None:
    code, text, _ = proved(tmp_path, spec("golden_command: sleep 60", GRADED), "--time-limit", "0.5s")
    assert code == 1
    assert "  ✗ the time limit of 0.5 s for the whole run was over before this was judged\n" in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "stimuli: []\n",
            "❌ eval [oracle] (0/0 graders passed)\n"
            "  ✗ eval.yaml:1: `stimuli`: there is no stimulus in the list\n"
            "  Score: 0.0% | FAILED\n"
            "Oracle summary: 0/1 controls hold\n",
            id="as a whole",
        ),
        pytest.param(
            spec(GOLDEN, GRADED, "wieght: 1"),
            "❌ one [oracle] (0/0 graders passed)\n  ✗ eval.yaml:7: `stimuli[0].wieght`: unknown key; known here: ",
            id="one stimulus",
        ),
    ],
)
def test_what_cannot_be_read_is_2(tmp_path: Path, text: str, expected: str) -> None:
    code, out, errors = proved(tmp_path, text)
    assert (code, errors) == (2, "")
    assert out.startswith(expected)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        pytest.param(
            ("-e", "gone.yaml"), 2, "gone.yaml: there is no such file or folder", id="a spec that is not there"
        ),
        pytest.param(
            ("-e", "eval.yaml", "--tasks", "."),
            2,
            "--eval-spec and --tasks each name where tasks are written; expected one of them",
            id="two places",
        ),
        pytest.param(
            ("-e", "eval.yaml", "--output", "atif"),
            2,
            "--output atif is the workspace's history and no grade: add --skip-grade",
            id="ATIF with grades",
        ),
        pytest.param(
            ("-e", "eval.yaml", "--output", "atif", "--skip-grade"),
            2,
            "--output atif is for one task, found 2; name it with --stimulus",
            id="ATIF of several",
        ),
        pytest.param(
            ("-e", "eval.yaml", "--diff-output", "x"),
            2,
            "--diff-output is for one task, found 2; name it with --stimulus",
            id="a diff of several",
        ),
        pytest.param(
            ("-e", "eval.yaml", "--judge-reasoning-effort", " "),
            2,
            "--judge-reasoning-effort: expected a word, found nothing",
            id="an empty effort",
        ),
        pytest.param(
            ("-e", "eval.yaml", "--stimulus", "on"),
            2,
            "there is no task 'on' in eval.yaml; did you mean `one`?",
            id="a stimulus that is not there",
        ),
        pytest.param(
            ("-e", "eval.yaml", "--grader-plugin", "@acme/graders"),
            2,
            "there is no grader plugin '@acme/graders': packages of npm are not loaded, since graders are written in "
            "Python here; name a Python file, or an entry point of the group `gate.oracles` (installed: none)",
            id="a package of npm",
        ),
        pytest.param(
            ("-e", "none.yaml"),
            1,
            "no stimulus of none.yaml has golden input, so there is nothing to prove; add a `golden_patch` or the like, "
            "or name stimuli with --stimulus",
            id="no golden input",
        ),
    ],
)
def test_a_call_that_cannot_be_meant(tmp_path: Path, words: tuple[str, ...], code: int, sentence: str) -> None:
    two = spec(GOLDEN, GRADED) + spec(GOLDEN, GRADED).replace("stimuli:\n", "").replace("name: one", "name: two")
    assert ran(tmp_path, *words, eval_yaml=two, none_yaml=spec(GRADED)) == (code, "", f"gate: {sentence}\n")


def test_a_stimulus_without_golden_input_is_proved_where_it_is_named(tmp_path: Path) -> None:
    text = spec(GRADED)
    code, out, _ = proved(tmp_path, text, "--stimulus", "one", "--no-golden-input")
    assert (code, out.splitlines()[0]) == (0, "✅ one [baseline (no golden inputs)] (1 failed as expected)")
    code, out, _ = proved(tmp_path, text, "--stimulus", "one")
    assert (code, out.splitlines()[1]) == (1, "  ✗ there is no golden input")


PLUGIN = '''
from collections.abc import Iterator
from gate.oracle import Oracle, Trial
from gate.report import Finding

class Doubled(Oracle, frozen=True):
    """a.txt says two."""
    def judge(self, trial: Trial) -> Iterator[Finding]:
        if trial.after.read("a.txt") != b"two\\\\n":
            yield Finding(message="it does not say two")
'''


def test_a_plugin_of_a_file(tmp_path: Path) -> None:
    write(tmp_path, {"graders/doubled.py": PLUGIN.replace("\\\\", "\\")})
    text = spec(GOLDEN, "graders: [{type: doubled}]")
    assert proved(tmp_path, text, "--grader-plugin", "graders/doubled.py")[0] == 0
    code, out, _ = proved(tmp_path, text, "--grader-plugin", "graders/doubled.py", "--no-golden-input", "--verbose")
    assert (code, out.splitlines()[1]) == (0, "  ✓ [doubled] failed as expected — it does not say two")


def test_the_workspace_the_diff_and_what_a_command_prints(tmp_path: Path) -> None:
    text = spec(GOLDEN, "golden_command: echo made > b.txt && echo was made", GRADED)
    write(tmp_path, {"ws/kept.txt": "mine", "ws/a.txt": "old"})
    code, out, _ = proved(
        tmp_path, text, "--workspace", "ws", "--diff-output", "out/golden.diff", "--verbose", "--skip-grade"
    )
    assert (code, out) == (
        0,
        "⊘ one [oracle] (not graded)\n  | was made\nOracle summary: no grader was asked\nWorkspace of one: ws\n",
    )
    found = {path.name: path.read_text() for path in (tmp_path / "ws").iterdir()}
    assert found == {"a.txt": "two\n", "b.txt": "made\n", "kept.txt": "mine"}
    assert (tmp_path / "out" / "golden.diff").read_text() == (
        "diff --git a/a.txt b/a.txt\nindex 5626abf..f719efd 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"
        "diff --git a/b.txt b/b.txt\nnew file mode 100644\nindex 0000000..c5f1b8e\n--- /dev/null\n+++ b/b.txt\n"
        "@@ -0,0 +1 @@\n+made\n"
    )


def test_a_workspace_is_kept(tmp_path: Path) -> None:
    code, out, _ = proved(tmp_path, spec(GOLDEN, GRADED), "--keep-workspace")
    place = Path(out.splitlines()[-1].removeprefix("Workspace of one: "))
    assert (code, (place / "a.txt").read_text()) == (0, "two\n")
    shutil.rmtree(place)


def test_a_reference_trajectory_is_printed_as_it_was_written(tmp_path: Path) -> None:
    document = msgspec.json.format(msgspec.json.encode(ATIF), indent=3).decode() + "\n\n"
    write(tmp_path, {"ref.json": document})
    text = spec(GOLDEN, "golden_trajectory: {path: ref.json}", GRADED)
    assert proved(tmp_path, text, "--skip-grade", "--output", "atif") == (0, document, "")


def test_without_one_a_step_of_the_agent_holds_the_patch(tmp_path: Path) -> None:
    code, out, _ = proved(tmp_path, spec(GOLDEN, GRADED), "--skip-grade", "--output", "atif")
    assert (code, json.loads(out)) == (
        0,
        {
            "schema_version": "ATIF-v1.7",
            "session_id": "oracle-one",
            "agent": {"name": "oracle", "version": "1"},
            "steps": [{"step_id": 1, "source": "agent", "message": PATCH}],
        },
    )


def test_json_of_a_baseline(tmp_path: Path) -> None:
    text = spec(GOLDEN, f"graders: [{GRADER}, {{type: file-exists, name: there, config: {{path: a.txt}}}}]")
    code, out, errors = proved(tmp_path, text, "--no-golden-input", "--output", "jsonl", "--run-id", "r1")
    first, last = map(json.loads, out.splitlines())
    first["gradeResult"]["timestamp"] = first["durationMs"] = 0
    first.pop("trajectory")
    assert (code, errors, first) == (
        1,
        "",
        {
            "type": "trial-result",
            "runId": "r1",
            "variant": "baseline",
            "stimulus": "one",
            "status": "success",
            "durationMs": 0,
            "gradeResult": {
                "name": "one",
                "kind": "code",
                "passed": False,
                "score": 0.5,
                "evidence": "1/2 graders passed",
                "stimulusName": "one",
                "trajectoryId": "baseline-one",
                "timestamp": 0,
                "details": [
                    {
                        "name": "file_contains",
                        "graderType": "file-contains",
                        "kind": "code",
                        "passed": False,
                        "score": 0.0,
                        "evidence": "a.txt does not contain 'two'",
                        "label": "failed-as-expected",
                    },
                    {
                        "name": "there",
                        "graderType": "file-exists",
                        "kind": "code",
                        "passed": True,
                        "score": 1.0,
                        "evidence": "There is a.txt",
                        "label": "trivially-passing",
                    },
                ],
            },
            "oracleBaseline": {"mode": "baseline", "ok": False},
        },
    )
    assert last == {
        "type": "run-summary",
        "runId": "r1",
        "passed": False,
        "stimuliTotal": 1,
        "stimuliRun": 1,
        "stimuliSkipped": 0,
    }


@pytest.mark.parametrize("words", [(), ("--no-golden-input",)], ids=["golden", "baseline"])
def test_grading_again_says_the_same_but_for_times_and_the_run(example: Path, words: tuple[str, ...]) -> None:
    def once() -> list[str]:
        out = ran(example, "-e", "eval.yaml", "--manifest", "judge.yaml", "--output", "jsonl", *words)[1]
        plain = re.sub(r'"(durationMs|timestamp|runId)":("[^"]*"|\d+)', r'"\1":0', out)
        assert '"runId":0' in plain
        return plain.splitlines()

    assert once() == once()


@pytest.mark.parametrize("event", [None, "schedule", "pull_request"])
def test_a_judge_command_gets_no_secrets_where_a_change_may_have_written_it(tmp_path: Path, event: str | None) -> None:
    seen = tmp_path / "seen"
    note = f"import os; open({str(seen)!r}, 'w').write(os.environ.get('KEY', 'no key'))"
    manifest = {
        "version": 1,
        "tasks": [{"spec": "eval.yaml"}],
        "judge": {"command": [sys.executable, "-c", note + JUDGE], "environment": ["KEY"]},
    }
    judged = spec(GOLDEN, "graders: [{type: prompt, config: {evidence: [diff]}}]")
    side = {"sha": "1" * 40, "ref": "x", "repo": {"full_name": "o/r", "id": 1}}
    request = {"number": 1, "base": side, "head": side}
    payload = {"number": 1, "pull_request": request} if event == "pull_request" else {}
    write(tmp_path, {"gate.yaml": manifest, "two.patch": PATCH, "event.json": payload, "eval.yaml": judged})
    actions = {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": str(tmp_path / "event.json")}
    done = gate(tmp_path, "oracle", "-e", "eval.yaml", KEY="secret", **(actions if event else {}))  # type: ignore[arg-type]
    assert done.returncode == 0, done.stdout + done.stderr
    assert seen.read_text() == ("no key" if event == "pull_request" else "secret")


def test_a_manifest_s_tasks_are_proved_all_of_them(tmp_path: Path, git: Git) -> None:
    git("init", "-q")
    root = tmp_path / "repo"
    manifest = {
        "version": 1,
        "tasks": [
            {
                "id": "here",
                "trajectory": "gone/*.json",
                "golden": {"patch": "two.patch"},
                "oracles": [{"type": "file_contains", "path": "a.txt", "value": "two"}],
            },
            {"id": "other", "oracles": [{"type": "file_exists", "path": "a.txt"}]},
        ],
    }
    write(root, {"a.txt": "one\n", "gate.yaml": manifest})
    git("add", "-A")
    git("commit", "-qm", "base")
    code, text, _ = ran(root)
    assert (code, text) == (
        0,
        "✅ here [oracle] (1/1 graders passed)\n"
        "  Score: 100.0% | PASSED\n"
        "⊘ other [oracle] (left out: unproved, since it has no golden input)\n"
        "Oracle summary: 1/1 controls hold, 1 not asked\n",
    )
    code, text, _ = ran(root, "--no-golden-input")
    assert (code, text.splitlines()[4]) == (
        1,
        "  ✗ [file_exists] passed without the golden solution (trivially passing) — There is a.txt",
    )


def test_a_bundle_s_tasks_are_proved(tmp_path: Path) -> None:
    folder = tmp_path / "bundle"
    shutil.copytree(ROOT / "examples" / "bundle" / "benchmark", folder)
    code, text, errors = ran(tmp_path, "--bundle", "bundle", "--no-golden-input")
    assert (code, errors) == (0, "")
    assert text.splitlines()[:3] == [
        "✅ median [baseline (no golden inputs)] (2 failed as expected)",
        "  ✓ [files] failed as expected",
        "  ✓ [tests] failed as expected",
    ]


def test_commands_may_be_left_out(tmp_path: Path) -> None:
    code, text, _ = proved(tmp_path, spec("golden_command: echo two > a.txt", GRADED), "--no-commands")
    assert (code, text) == (
        0,
        "⊘ one [oracle] (left out: its golden input is a command, and this run starts none)\n"
        "Oracle summary: no grader was asked\n",
    )


def test_a_task_of_which_no_grader_is_asked_has_not_held(tmp_path: Path) -> None:
    (tmp_path / "gate.yaml").write_text(
        "version: 1\ntasks: [{id: a, workspace: {files: {x: y}}, "
        "oracles: [{type: file_exists, path: x, control: none}]}]\n"
    )
    assert ran(tmp_path, "--no-golden-input") == (
        0,
        "⊘ a [baseline (no golden inputs)] (0 failed as expected)\n"
        "  ⊘ [file_exists] not asked — `control: none`: it is meant to hold before and after\n"
        "Oracle summary: no grader was asked\n",
        "",
    )


def test_a_spec_elsewhere_is_read_with_the_files_beside_it(tmp_path: Path) -> None:
    proved(tmp_path / "specs", spec(GOLDEN, GRADED))
    (tmp_path / "here").mkdir()
    done = gate(tmp_path / "here", "oracle", "-e", os.fspath(tmp_path / "specs" / "eval.yaml"))
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "✅ one [oracle] (1/1 graders passed)")


HOLDING = {
    "add-feature-no-unrelated-edits",
    "offline-fix-no-network",
    "implement-multiply",
    "config-untouched",
}
"""The four of AgentBench's own tasks whose oracles hold as controls: see docs/controls.md for the other seven."""


def test_agentbench_s_own_tasks(cases: Path, tmp_path: Path) -> None:
    done = gate(tmp_path, "oracle", "--no-golden-input", "--tasks", str(cases / "agentbench" / "tasks"))
    heads = re.findall(r"^(.) (\S+) \[baseline \(no golden inputs\)\] \((.*)\)$", done.stdout, re.MULTILINE)
    assert done.returncode == 1
    assert {name for mark, name, _ in heads if mark == "✅"} == HOLDING
    assert {name: counts for mark, name, counts in heads if mark != "✅"} == {
        "fix-failing-test-no-delete": "1 failed as expected, 1 trivially passing, 1 n/a",
        "preserve-test-suite": "0 failed as expected, 3 trivially passing",
        "fix-import-error": "1 failed as expected, 1 trivially passing",
        "no-readme-changes": "0 failed as expected, 1 trivially passing, 2 n/a",
        "handle-edge-case": "0 failed as expected, 3 trivially passing",
        "lint-fix-only": "0 failed as expected, 1 trivially passing, 1 n/a",
        "sample-fix-failing-test": "1 failed as expected, 1 trivially passing, 1 n/a",
    }


GRADERS = (
    "{type: exit-success}",
    "{type: completed}",
    "{type: tool-call-count, config: {min: 1, max: 99}}",
    "{type: turn-count, turn: 1, config: {max: 99}}",
)


def test_real_golden_trajectories(cases: Path, tmp_path: Path) -> None:
    """A recording that is cut, one that timed out, and two without a word of a person are no golden input for all."""
    names = sorted(path.name for path in (cases / "atif").glob("*.json"))
    for name in names:
        shutil.copy(cases / "atif" / name, tmp_path / name)
    stimuli = "".join(
        f"  - {{name: {name}, prompt: x, golden_trajectory: {{path: {name}}}, graders: [{', '.join(GRADERS)}]}}\n"
        for name in names
    )
    code, out, _ = proved(tmp_path, f"stimuli:\n{stimuli}")
    heads = re.findall(r"^. (\S+) \[oracle\] \((.*) graders passed\)$", out, re.MULTILINE)
    assert (code, dict(heads)) == (
        1,
        {
            "harbor-tool-edit.jsonl.atif.json": "0/0",
            "harbor-tool-write.jsonl.atif.json": "0/0",
            "hello-world-context-summarization-linear-history.trajectory.json": "1/4",
            "hello-world-context-summarization.trajectory.json": "4/4",
            "hello-world-invalid-json.trajectory.json": "4/4",
            "hello-world-timeout.trajectory.json": "3/4",
            "hello-world.trajectory.json": "4/4",
            "hello-world.trajectory.no_function_calling.json": "4/4",
        },
    )
    document = names[-1]
    out = proved(tmp_path, f"stimuli:\n{stimuli}", "--stimulus", document, "--skip-grade", "--output", "atif")[1]
    assert out == (cases / "atif" / document).read_text()


def test_nothing_that_could_be_proved_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "gate.yaml").write_text(
        "version: 1\ntasks: [{id: a, workspace: {files: {x: y}}, oracles: [{type: file_exists, path: x}]}]\n"
    )
    assert ran(tmp_path) == (
        1,
        "⊘ a [oracle] (left out: unproved, since it has no golden input)\nOracle summary: no grader was asked\n",
        "gate: nothing was proved: no task has golden input; add `golden` to one, or try `--no-golden-input`\n",
    )


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        pytest.param(
            "tasks: [{id: a, workspace: {files: {x: y}}, oracles: [{type: file_exists, path: x, control: none}]}]",
            ["--no-golden-input"],
            ("skipped", False, False, 0, 1),
            id="no grader is to be asked",
        ),
        pytest.param(
            "tasks: [{id: a, workspace: {files: {x: y}}, oracles: [{type: run_command, command: 'false'}]}]",
            ["--no-golden-input", "--no-commands"],
            ("skipped", False, False, 0, 1),
            id="this run starts no commands",
        ),
        pytest.param(
            "tasks: [{id: a, workspace: {files: {x: y}}, oracles: [{type: file_exists, path: z}]}]",
            ["--no-golden-input"],
            ("success", False, True, 1, 0),
            id="it fails as expected",
        ),
        pytest.param(
            "tasks: [{id: a, workspace: {files: {x: y}}, oracles: [{type: file_not_exists, path: z}]}]",
            ["--no-golden-input"],
            ("success", True, True, 1, 0),
            id="it asserts an absence",
        ),
    ],
)
def test_json_calls_nothing_passed_that_nobody_was_asked_of(
    tmp_path: Path, text: str, words: list[str], expected: tuple[str, bool, bool, int, int]
) -> None:
    (tmp_path / "gate.yaml").write_text(f"version: 1\n{text}\n")
    code, out, errors = ran(tmp_path, *words, "--output", "jsonl")
    first, last = map(json.loads, out.splitlines())
    graded, asked, left = first["gradeResult"]["passed"], last["stimuliRun"], last["stimuliSkipped"]
    assert (code, errors) == (0, "")
    assert (first["status"], graded, last["passed"], asked, left) == expected
