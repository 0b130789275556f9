"""What explains a change: file by file and line by line."""

import json
import shutil
from pathlib import Path

import pytest

from benchmarks.fidelity import tree
from gate import recording
from gate.account import Hunk, content
from gate.editing.edit import Replace, Write
from gate.explanation import Explanation, File, Kind, explain
from gate.repeating.repeat import Attempt
from gate.repeating.repeat import repeat as repeated
from gate.trajectory import Command, Lost, Ok, Step, Trajectory
from gate.tree import EXECUTABLE, MemoryTree

BEFORE = b"a\nb\nc\nd\n"


def _steps(*steps: Step) -> Trajectory:
    return Trajectory(format="test", steps=steps, directory="/w")


def _replace(number: int, old: bytes, new: bytes, *, path: str = "f", ok: Ok = Ok.YES) -> Step:
    return Step(number=number, tool="edit", ok=ok, edits=(Replace(path=path, old=old, new=new),))


def _command(number: int, text: str, *, ok: Ok = Ok.YES) -> Step:
    return Step(number=number, tool="bash", ok=ok, commands=(Command(text=text),))


def _explain(
    after: dict[str, bytes], *steps: Step, before: dict[str, bytes] | None = None, repeat: float | None = None
) -> Explanation:
    start = {"f": BEFORE} if before is None else before
    paths = sorted(path for path in {*start, *after} if start.get(path) != after.get(path))
    return explain(_steps(*steps), MemoryTree(start), MemoryTree(after), paths, repeat=repeat)


def _file(after: bytes, *steps: Step, repeat: float | None = None) -> File:
    (file,) = _explain({"f": after}, *steps, repeat=repeat).files
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
    from gate.editing.edit import Delete

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


class TestProven:
    """Files that a repeated command gives."""

    def test_with_the_steps(self) -> None:
        file = _file(b"a\nB\nC\nd\n", _replace(2, b"b", b"B"), _command(5, "sed -i s/c/C/ f"), repeat=30)
        assert file == File(
            path="f",
            explanation=Kind.PROVEN,
            steps=(2, 5),
            hunks=(Hunk(line=2, end=3, removed=2, explained=True, steps=(2, 5)),),
            reason="step 5: repeated: sed -i s/c/C/ f",
        )
        assert file.explanation.proof

    def test_not_without_being_asked(self) -> None:
        explanation = _explain({"f": b"a\nb\nC\nd\n"}, _command(5, "sed -i s/c/C/ f"))
        assert [file.explanation for file in explanation.files] == [Kind.CONSISTENT]
        assert explanation.attempts is None

    @pytest.mark.parametrize(
        ("after", "command", "reason"),
        [
            pytest.param(
                b"a\nb\nC\nD\n",
                "sed -i s/c/C/ f",
                "no recorded edit touches it; a recorded command names it (step 1); step 1: repeated, which gives other "
                "bytes",
                id="it gives other bytes",
            ),
            pytest.param(
                b"a\nb\nC\nd",
                "sed -i s/c/C/ f",
                "no recorded edit touches it; a recorded command names it (step 1); step 1: repeated, which gives other "
                "bytes",
                id="one byte less",
            ),
            pytest.param(
                b"a\nb\nC\nd\n",
                "perl -pi -e s/c/C/ f; perl -pi -e s/x/y/ f",
                "no recorded edit touches it; a recorded command names it (step 1); step 1: not repeated: perl is not a "
                "command that is repeated",
                id="it is not repeated",
            ),
            pytest.param(
                b"a\nb\nC\nd\n",
                "cat f",
                "no recorded edit touches it",
                id="nothing recorded",
            ),
        ],
    )
    def test_never_where_bytes_differ(self, after: bytes, command: str, reason: str) -> None:
        file = _file(after, _command(1, command), repeat=30)
        assert (file.explanation.proof, file.reason) == (False, reason)

    def test_reasons_are_told_once(self) -> None:
        steps = [_command(number, f"go get x{number}; perl -i y f; ruby -e 'write \"f\"'") for number in (1, 2)]
        assert _file(b"x", *steps, repeat=30).reason == (
            "no recorded edit touches it; a recorded command names it (steps 1, 2); steps 1, 2: not repeated: go get is "
            "not a command that is repeated; steps 1, 2: not repeated: perl is not a command that is repeated; "
            "steps 1, 2: not repeated: ruby is not a command that is repeated"
        )

    def test_a_rename_and_an_edit_of_the_new_name(self) -> None:
        explanation = _explain(
            {"g": b"a\nB\nc\nd\n"}, _command(3, "git mv f g"), _replace(4, b"b", b"B", path="g"), repeat=30
        )
        assert [(file.path, file.explanation, file.steps, file.reason) for file in explanation.files] == [
            ("f", Kind.PROVEN, (3,), "step 3: repeated: git mv f g"),
            ("g", Kind.PROVEN, (3, 4), "step 3: repeated: git mv f g"),
        ]

    def test_a_rename_that_is_not_repeated_is_consistent_for_both_names(self) -> None:
        explanation = _explain({"g": BEFORE}, _command(3, "git mv f g"))
        assert [file.explanation for file in explanation.files] == [Kind.CONSISTENT, Kind.CONSISTENT]

    def test_a_deletion(self) -> None:
        (file,) = _explain({}, _command(1, "rm f"), repeat=30).files
        assert (file.explanation, file.reason) == (Kind.PROVEN, "step 1: repeated: rm f")

    def test_what_a_later_command_removed_is_not_outside(self) -> None:
        write = Step(number=1, tool="write", ok=Ok.YES, edits=(Write(path="tmp.py", content=b"x"),))
        steps = (write, _command(2, "rm tmp.py; sed -i s/c/C/ f"))
        after = {"f": b"a\nb\nC\nd\n"}
        assert [file.explanation for file in _explain(after, *steps).files] == [Kind.CONSISTENT, Kind.OUTSIDE]
        assert [file.explanation for file in _explain(after, *steps, repeat=30).files] == [Kind.PROVEN]

    def test_what_the_edits_give_stays_exact(self) -> None:
        steps = (_replace(1, b"b", b"B"), _command(2, "sed -i s/B/X/ f"))
        explanation = _explain({"f": b"a\nB\nc\nd\n"}, *steps, repeat=30)
        assert [file.explanation for file in explanation.files] == [Kind.EXACT]
        assert explanation.attempts == ()

    def test_every_attempt_is_kept(self) -> None:
        explanation = _explain({"f": b"x"}, _command(1, "perl -i y f"), _command(2, "cp f g; ls"), repeat=30)
        assert explanation.attempts == (
            Attempt(1, "perl -i y f", "perl is not a command that is repeated"),
            Attempt(2, "cp f g"),
        )


@pytest.mark.parametrize(
    ("command", "repeat", "kind", "reason"),
    [
        ("ls", None, Kind.UNEXPLAINED, "only its mode changed"),
        ("chmod +x f", None, Kind.CONSISTENT, "only its mode changed; a recorded command names it (step 1)"),
        ("chmod +x f", 30, Kind.PROVEN, "step 1: repeated: chmod +x f"),
        ("sed -i s/x/y/ f", 30, Kind.UNEXPLAINED, "only its mode changed"),
    ],
)
def test_a_change_of_the_mode_alone(command: str, repeat: float | None, kind: Kind, reason: str) -> None:
    start, head = MemoryTree({"f": BEFORE}), MemoryTree({"f": BEFORE}, modes={"f": EXECUTABLE})
    (file,) = explain(_steps(_command(1, command)), start, head, ["f"], repeat=repeat).files
    assert (file.explanation, file.reason) == (kind, reason)


def test_an_edit_that_changes_nothing_does_not_explain_a_mode() -> None:
    start, head = MemoryTree({"f": BEFORE}), MemoryTree({"f": BEFORE}, modes={"f": EXECUTABLE})
    write = Step(number=1, tool="write", ok=Ok.YES, edits=(Write(path="f", content=BEFORE),))
    assert explain(_steps(write), start, head, ["f"]).files[0].explanation is Kind.UNEXPLAINED


@pytest.mark.parametrize("repeat", [None, 30.0])
def test_real_commits(cases: Path, repeat: float | None) -> None:
    """No file is called exact or proven whose bytes differ; edits alone make 58 of 72 files and 13 of 23 commits whole.

    Repeating proves one more where gofmt is installed, and another where biome is.
    """
    proved = whole = files = commits = 0
    for folder in sorted((cases / "fidelity").iterdir()):
        case = json.loads((folder / "case.json").read_text())
        start, head = (tree(folder / name) for name in ("before", "after"))
        trajectory = recording.read((folder / "recording.jsonl").read_bytes(), folder.name)
        explanation = explain(trajectory, start, head, sorted(case["files"]), repeat=repeat)
        again = repeated(trajectory, start, [*case["files"], *explanation.replay.touched]).replay.tree
        commits += 1
        files += len(explanation.changed)
        for file in explanation.changed:
            gives = again if file.explanation is Kind.PROVEN else explanation.replay.tree
            if file.explanation.proof:
                assert content(gives, file.path) == content(head, file.path)
            else:
                assert file.reason
        found = [file.explanation.proof for file in explanation.changed]
        proved += sum(found)
        whole += all(found)
    more = sum(shutil.which(name) is not None for name in ("gofmt", "biome")) if repeat else 0
    assert (files, commits) == (72, 23)
    assert proved >= 58 + more
    assert whole >= 13 + more
