"""What explains a change: file by file and line by line."""

import json
from pathlib import Path

import pytest

from gate import recording
from gate.account import Hunk
from gate.edit import Replace, Write
from gate.explanation import Explanation, File, Kind, explain
from gate.trajectory import Command, Lost, Ok, Step, Trajectory
from gate.tree import MemoryTree

BEFORE = b"a\nb\nc\nd\n"


def _steps(*steps: Step) -> Trajectory:
    return Trajectory(format="test", steps=steps, directory="/w")


def _replace(number: int, old: bytes, new: bytes, *, path: str = "f", ok: Ok = Ok.YES) -> Step:
    return Step(number=number, tool="edit", ok=ok, edits=(Replace(path=path, old=old, new=new),))


def _command(number: int, text: str, *, ok: Ok = Ok.YES) -> Step:
    return Step(number=number, tool="bash", ok=ok, commands=(Command(text=text),))


def _explain(after: dict[str, bytes], *steps: Step, before: dict[str, bytes] | None = None) -> Explanation:
    start = {"f": BEFORE} if before is None else before
    paths = sorted(path for path in {*start, *after} if start.get(path) != after.get(path))
    return explain(_steps(*steps), MemoryTree(start), MemoryTree(after), paths)


def _file(after: bytes, *steps: Step) -> File:
    (file,) = _explain({"f": after}, *steps).files
    return file


def test_the_replay_gives_the_head_s_bytes() -> None:
    file = _file(b"a\nB\nc\nd\ne\n", _replace(3, b"b", b"B"), _replace(5, b"d\n", b"d\ne\n"))
    assert file == File(
        path="f",
        explanation=Kind.EXACT,
        steps=(3, 5),
        hunks=(
            Hunk(line=2, end=2, removed=1, explained=True, steps=(3,)),
            Hunk(line=5, end=5, removed=0, explained=True, steps=(5,)),
        ),
    )
    assert file.explanation.proof


def test_one_byte_less_is_not_exact() -> None:
    file = _file(b"a\nB\nc\nd", _replace(1, b"b", b"B"))
    assert file.explanation is Kind.UNEXPLAINED
    assert [(hunk.line, hunk.explained, hunk.steps) for hunk in file.hunks] == [(2, True, (1,)), (4, False, ())]
    assert file.reason == "the recorded edits give other bytes"


def test_what_a_person_typed_is_unexplained_beside_what_was_recorded() -> None:
    file = _file(b"a\nB\nc\nD\n", _replace(1, b"b", b"B"))
    assert file.explanation is Kind.UNEXPLAINED
    assert file.explains_something
    assert [(hunk.line, hunk.end, hunk.explained) for hunk in file.hunks] == [(2, 2, True), (4, 4, False)]


def test_nothing_recorded() -> None:
    file = _file(b"a\nx\nc\nd\n")
    assert (file.explanation, file.reason) == (Kind.UNEXPLAINED, "no recorded edit touches it")
    assert not file.explains_something


def test_an_edit_that_was_recorded_as_failed_explains_nothing() -> None:
    assert not _file(b"a\nB\nc\nd\n", _replace(1, b"b", b"B", ok=Ok.NO)).explains_something


def test_lines_that_were_only_removed() -> None:
    file = _file(b"a\nd\n", _replace(4, b"b\nc\n", b""))
    assert file.hunks == (Hunk(line=2, end=1, removed=2, explained=True, steps=(4,)),)


def test_a_deletion_that_was_recorded() -> None:
    from gate.edit import Delete

    deleted = Step(number=2, tool="delete", ok=Ok.YES, edits=(Delete(path="f"),))
    (file,) = _explain({}, deleted).files
    assert (file.explanation, file.steps) == (Kind.EXACT, (2,))


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("sed -i s/b/B/ f", "no recorded edit touches it; a recorded command names it (step 1)"),
        ("cd /w && echo x > f", "no recorded edit touches it; a recorded command names it (step 1)"),
        ("git checkout main -- .", "no recorded edit touches it; a recorded command writes files like it (step 1)"),
    ],
)
def test_a_recorded_command_is_consistent_and_no_proof(command: str, reason: str) -> None:
    file = _file(b"a\nB\nc\nd\n", _command(1, command))
    assert (file.explanation, file.reason) == (Kind.CONSISTENT, reason)
    assert not file.explanation.proof


@pytest.mark.parametrize(
    "step",
    [
        _command(1, "cat f"),
        _command(1, "sed -i s/b/B/ other"),
        _command(1, "sed -i s/b/B/ /elsewhere/f"),
        _command(1, "sed -i s/b/B/ f", ok=Ok.NO),
    ],
)
def test_a_command_that_changes_nothing_here_explains_nothing(step: Step) -> None:
    assert _file(b"a\nB\nc\nd\n", step).explanation is Kind.UNEXPLAINED


def test_a_sub_agent_whose_recording_is_missing() -> None:
    task = Step(number=7, tool="Task", ok=Ok.YES, lost=Lost("the recording of its sub-agent is not here", "sub_agent"))
    file = _file(b"a\nB\nc\nd\n", task)
    assert (file.explanation, file.steps) == (Kind.SUB_AGENT, (7,))


def test_a_sub_agent_whose_steps_are_there() -> None:
    task = Step(number=1, tool="Task", ok=Ok.YES)
    inside = Step(number=2, tool="edit", agent="x", ok=Ok.YES, edits=(Replace(path="f", old=b"b", new=b"B"),))
    assert _file(b"a\nB\nc\nd\n", task, inside).explanation is Kind.EXACT
    assert _file(b"a\nX\nc\nd\n", task, inside).explanation is Kind.UNEXPLAINED


def test_a_recording_that_is_blacked_out() -> None:
    file = _file(b"a\nkey=secret\nc\nd\n", _replace(1, b"b", b"key=REDACTED"))
    assert file.explanation is Kind.REDACTED


def test_what_was_recorded_and_is_not_in_the_change() -> None:
    other = Step(number=2, tool="write", ok=Ok.YES, edits=(Write(path="other", content=b"x"),))
    explanation = _explain({"f": b"a\nB\nc\nd\n"}, _replace(1, b"b", b"B"), other)
    assert [(file.path, file.explanation) for file in explanation.files] == [("f", Kind.EXACT), ("other", Kind.OUTSIDE)]
    assert [file.path for file in explanation.changed] == ["f"]


def test_binary_files_have_no_hunks() -> None:
    assert _file(b"a\0b").hunks == ()


def test_real_commits(cases: Path) -> None:
    """No file is called exact whose bytes differ, and careful replay makes at least 58 of 72 files and 13 of 23 whole."""
    exact = whole = files = commits = 0
    for folder in sorted((cases / "fidelity").iterdir()):
        case = json.loads((folder / "case.json").read_text())
        start, head = (_tree(folder / name) for name in ("before", "after"))
        trajectory = recording.read((folder / "recording.jsonl").read_bytes(), folder.name)
        explanation = explain(trajectory, start, head, sorted(case["files"]))
        commits += 1
        files += len(explanation.changed)
        for file in explanation.changed:
            if file.explanation is Kind.EXACT:
                assert (file.path in head) is (file.path in explanation.replay.tree)
                if file.path in head:
                    assert explanation.replay.tree.read(file.path) == head.read(file.path)
            else:
                assert file.reason
        found = [file.explanation is Kind.EXACT for file in explanation.changed]
        exact += sum(found)
        whole += all(found)
    assert (files, commits) == (72, 23)
    assert exact >= 58
    assert whole >= 13


def _tree(folder: Path) -> MemoryTree:
    if not folder.is_dir():
        return MemoryTree({})
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return MemoryTree({path.relative_to(folder).as_posix(): path.read_bytes() for path in paths})
