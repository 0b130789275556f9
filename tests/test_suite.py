"""AgentBench's call on its own samples, and its sixteen odd inputs, each with the right verdict instead of the listed one."""

import json
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gate.asked import Asked
from gate.changes.diff import Request
from gate.errors import ManifestError
from gate.report import Outcome, Report
from gate.run import run
from gate.suite import Call, plan

ASKED = Asked(change=Request())


def _call(folder: Path, *, trajectory: str, tasks: str = "tasks", manifest: str | None = None) -> Report:
    return run(plan(Call(tasks=tasks, trajectory=trajectory, manifest=manifest), ASKED, folder, None))


def _passed(report: Report) -> tuple[int, int]:
    return sum(task.outcome is Outcome.PASS for task in report.tasks), len(report.tasks)


@pytest.mark.parametrize(
    ("recording", "manifest", "expected"),
    [
        ("trajectory_pass.json", None, (6, 11)),
        ("trajectory_pass.json", "tasks/manifest_pass.json", (6, 6)),
        ("trajectory_regression.json", "tasks/manifest_pass.json", (1, 6)),
    ],
)
def test_its_own_samples(cases: Path, recording: str, manifest: str | None, expected: tuple[int, int]) -> None:
    report = _call(cases / "agentbench", trajectory=f"recordings/{recording}", manifest=manifest)
    assert _passed(report) == expected


def test_the_one_that_passes_the_regression_asks_for_no_network_alone(cases: Path) -> None:
    report = _call(
        cases / "agentbench", trajectory="recordings/trajectory_regression.json", manifest="tasks/manifest_pass.json"
    )
    assert [task.id for task in report.tasks if task.outcome is Outcome.PASS] == ["offline-fix-no-network"]
    assert [notice.message for notice in report.notices] == [
        "tasks/manifest_pass.json was written for tests/fixtures/trajectory_pass.json; "
        "recordings/trajectory_regression.json is replayed, as asked"
    ]


def _task(**more: Any) -> dict[str, Any]:
    return {
        "id": "t",
        "name": "T",
        "description": "",
        "prompt": "",
        "workspace": {"a.py": "x=1\ny=2\n"},
        "oracles": [{"type": "file_not_modified", "path": "a.py"}],
        **more,
    }


def _step(tool: str, **args: Any) -> dict[str, Any]:
    return {"type": "tool_call", "tool": tool, "args": args}


def _judge(tmp_path: Path, steps: list[Any], **more: Any) -> tuple[Outcome, str]:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "t.json").write_text(json.dumps(_task(**more)))
    (tmp_path / "r.json").write_text(json.dumps({"steps": steps}))
    (task,) = _call(tmp_path, trajectory="r.json").tasks
    return task.outcome, task.verdicts[0].message


def _exists(pattern: str) -> list[dict[str, str]]:
    return [{"type": "assertion_exists", "path": "a.py", "pattern": pattern}]


NO_NETWORK = [{"type": "no_network"}]
OUTSIDE = "the recording cannot be replayed whole: "


@pytest.mark.parametrize(
    ("steps", "more", "outcome", "message"),
    [
        pytest.param(
            [_step("str_replace", path="a.py", old_string="y=2", new_string="y=3")],
            {"oracles": _exists("x=1\ny=3")},
            Outcome.PASS,
            "Assertion pattern found in a.py",
            id="1 a replacement leaves the other lines",
        ),
        pytest.param(
            [_step("write_file", path="../../x", content="pwn")],
            {},
            Outcome.ERROR,
            OUTSIDE + "step 1: '../../x' leads out of the workspace",
            id="2 a path that leads out",
        ),
        pytest.param(
            [_step("write_file", path="a.py", content="")],
            {},
            Outcome.FAIL,
            "File was modified: a.py",
            id="3 an empty content",
        ),
        pytest.param(
            [_step("write_file", path="./a.py", content="z")],
            {},
            Outcome.FAIL,
            "File was modified: a.py",
            id="4 a dot before the path",
        ),
        pytest.param([_step("run_command", command="rm a.py")], {}, Outcome.ERROR, None, id="5 a recorded rm"),
        pytest.param(
            [_step("run_command", command="sed -i s/1/2/ a.py")], {}, Outcome.ERROR, None, id="5 a recorded sed -i"
        ),
        pytest.param(
            [_step("Edit", file_path="a.py", old_string="x=1", new_string="x=2")],
            {},
            Outcome.FAIL,
            "File was modified: a.py",
            id="6 Claude Code's Edit",
        ),
        pytest.param(
            [_step("MultiEdit", file_path="a.py", edits=[{"old_string": "x=1", "new_string": "x=2"}])],
            {},
            Outcome.FAIL,
            "File was modified: a.py",
            id="6 Claude Code's MultiEdit",
        ),
        pytest.param(
            [],
            {"oracles": _exists("(")},
            Outcome.ERROR,
            None,
            id="7 a pattern that is none",
        ),
        pytest.param(
            [{"type": "tool_call", "tool": "write_file", "args": None}],
            {},
            Outcome.ERROR,
            OUTSIDE + "step 1: args: expected an object, found null",
            id="8 no arguments",
        ),
        pytest.param(
            [_step("write_file", path="a.py", content=5)],
            {},
            Outcome.ERROR,
            OUTSIDE + "step 1: args.content: expected the text to write, found the number 5",
            id="9 a content that is a number",
        ),
        pytest.param(
            [_step("write_file", path="/home/u/repo/a.py", content="z")],
            {},
            Outcome.ERROR,
            None,
            id="10 an absolute path without a known folder",
        ),
        pytest.param(
            [_step("run_command", command="curl http://localhost:8000/ && echo curly")],
            {"oracles": NO_NETWORK},
            Outcome.PASS,
            "No network access detected in trajectory",
            id="13 loopback and a word",
        ),
        *(
            pytest.param(
                [_step("run_command", command=command)],
                {"oracles": NO_NETWORK},
                Outcome.FAIL,
                None,
                id=f"13 {command}",
            )
            for command in (
                "git clone https://example.org/r.git",
                "apt-get install -y jq",
                "ssh host uptime",
                "nc example.org 80",
            )
        ),
        pytest.param(
            [],
            {"oracles": [{"type": "test_must_pass", "command": "true", "timeout": "5"}]},
            Outcome.PASS,
            "Command passed: true",
            id="15 a time limit as text",
        ),
        pytest.param(
            [],
            {
                "oracles": [
                    {"type": "test_must_pass", "command": 'test -z "$GITHUB_TOKEN$ACTIONS_RUNTIME_TOKEN$GIT_DIR"'}
                ]
            },
            Outcome.PASS,
            None,
            id="16 the environment of commands",
        ),
    ],
)
def test_odd_inputs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    steps: list[Any],
    more: dict[str, Any],
    outcome: Outcome,
    message: str | None,
) -> None:
    for name in ("GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "GIT_DIR"):
        monkeypatch.setenv(name, "canary")
    before = set(os.listdir(tmp_path.parent))
    found, text = _judge(tmp_path, steps, **more)
    assert found is outcome, text
    assert message is None or text == message
    assert set(os.listdir(tmp_path.parent)) == before


_BEGIN, _END = "*** Begin Patch\n", "*** End Patch"
_UPDATE = f"{_BEGIN}*** Update File: a.py\n@@\n-x=1\n+x=2\n{_END}"
_REST = f"{_BEGIN}*** Add File: b.py\n+1\n{_END}"
_REFUSED = "the recording cannot be replayed whole: step 1: "


@pytest.mark.parametrize(
    ("args", "outcome", "message"),
    [
        pytest.param({"input": _UPDATE}, Outcome.FAIL, "File was modified: a.py", id="input"),
        pytest.param({"patch": _UPDATE}, Outcome.FAIL, "File was modified: a.py", id="patch"),
        pytest.param(_UPDATE, Outcome.FAIL, "File was modified: a.py", id="the text itself"),
        pytest.param({"input": _REST}, Outcome.PASS, "File unchanged: a.py", id="another file"),
        pytest.param(
            {"input": _UPDATE.replace("x=1", "x=3")},
            Outcome.ERROR,
            f"{_REFUSED}a.py: the line 'x=3' of the patch is not in the file from line 1 on; nearest is line 1: 'x=1'",
            id="it does not fit",
        ),
        pytest.param(
            {"patch": "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x=1\n+x=2\n"},
            Outcome.ERROR,
            f"{_REFUSED}the patch cannot be read: expected it to begin with '*** Begin Patch' and to end with "
            "'*** End Patch'",
            id="another grammar",
        ),
        pytest.param(
            {"path": "a.py"}, Outcome.ERROR, f"{_REFUSED}args.input: expected a patch, found nothing", id="no patch"
        ),
        pytest.param(5, Outcome.ERROR, f"{_REFUSED}args: expected an object, found the number 5", id="a number"),
    ],
)
def test_6_a_patch_is_replayed(tmp_path: Path, args: object, outcome: Outcome, message: str) -> None:
    found, text = _judge(tmp_path, [{"tool": "apply_patch", "args": args}])
    assert (found, text) == (outcome, message)


def test_11_a_manifest_that_includes_itself(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text('{"task_subset": "./m.json"}')
    with pytest.raises(ManifestError, match=re.escape("m.json -> m.json: `task_subset` leads back to itself")):
        plan(Call(tasks="tasks", trajectory="r.json", manifest="m.json"), ASKED, tmp_path, None)


def test_12_unknown_keys_and_another_trajectory_are_notices(tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "t.json").write_text(json.dumps(_task(colour="red")))
    (tmp_path / "m.json").write_text('{"task_files": ["t.json"], "trajectory": "x/other.json", "flavour": 1}')
    (tmp_path / "r.json").write_text('{"steps": []}')
    report = _call(tmp_path, trajectory="r.json", manifest="m.json")
    assert [notice.message for notice in report.notices] == [
        "m.json: `flavour` is no key of a gate manifest and is left out",
        "m.json was written for x/other.json; r.json is replayed, as asked",
    ]
    assert [notice.message for notice in report.tasks[0].notices] == [
        "`colour` is no key of a task document and is left out"
    ]


def test_14_a_missing_task_file_hides_no_other(tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "t.json").write_text(json.dumps(_task()))
    (tmp_path / "m.json").write_text('{"task_files": ["missing.json", "t.json"]}')
    (tmp_path / "r.json").write_text('{"steps": []}')
    report = _call(tmp_path, trajectory="r.json", manifest="m.json")
    assert [(task.id, task.outcome) for task in report.tasks] == [("missing", Outcome.ERROR), ("t", Outcome.PASS)]
    assert report.exit_code == 4


def test_the_same_id_twice_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    for name in ("a.json", "b.json"):
        (tmp_path / "tasks" / name).write_text(json.dumps(_task()))
    (tmp_path / "r.json").write_text('{"steps": []}')
    report = _call(tmp_path, trajectory="r.json")
    assert [task.outcome for task in report.tasks] == [Outcome.PASS, Outcome.ERROR]
    assert report.tasks[1].verdicts[0].message == (
        "tasks/b.json: a task 't' stands in another document; ids must differ"
    )


def test_a_manifest_lying_in_the_folder_is_no_task(tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "t.json").write_text(json.dumps(_task()))
    (tmp_path / "tasks" / "whatever.json").write_text('{"task_files": ["t.json"]}')
    (tmp_path / "r.json").write_text('{"steps": []}')
    assert [task.id for task in _call(tmp_path, trajectory="r.json").tasks] == ["t"]


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ("tasks", "there is no task document (*.json, *.yaml) in tasks"),
        ("nowhere", None),
    ],
)
def test_no_task_at_all(tmp_path: Path, tasks: str, message: str | None) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "r.json").write_text('{"steps": []}')
    with pytest.raises(ManifestError) as caught:
        plan(Call(tasks=tasks, trajectory="r.json"), ASKED, tmp_path, None)
    assert message is None or caught.value.message == message


def test_a_missing_recording_is_every_task_s_error(tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "t.json").write_text(json.dumps(_task()))
    report = _call(tmp_path, trajectory="r.json")
    assert [(task.id, task.outcome) for task in report.tasks] == [("t", Outcome.ERROR)]
    assert report.exit_code == 4


def _bind(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(path)


@pytest.mark.parametrize(
    ("make", "what"),
    [
        pytest.param(os.mkfifo, "a named pipe", id="pipe"),
        pytest.param(os.mkdir, "a folder", id="folder"),
        pytest.param(_bind, "a socket", id="socket"),
    ],
)
def test_what_is_no_file_is_its_own_error_and_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[str], object], what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "t.json").write_text(json.dumps(_task()))
    (tmp_path / "r.json").write_text('{"steps": []}')
    make("tasks/a.json")
    make("odd")
    first, second = _call(tmp_path, trajectory="r.json").tasks
    said = f"the task document cannot be read: {tmp_path}/tasks/a.json is {what}; expected a regular file"
    assert (first.id, first.outcome, first.verdicts[0].message) == ("a", Outcome.ERROR, said)
    assert (second.id, second.outcome) == ("t", Outcome.PASS)
    (task,) = [one for one in _call(tmp_path, trajectory="odd").tasks if one.id == "t"]
    assert task.verdicts[0].message == f"{tmp_path}/odd is {what}; expected a regular file"
    with pytest.raises(ManifestError) as caught:
        _call(tmp_path, trajectory="r.json", manifest="odd")
    assert caught.value.message == (
        f"the gate manifest cannot be read: {tmp_path}/odd is {what}; expected a regular file"
    )
