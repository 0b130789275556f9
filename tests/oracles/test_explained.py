"""The oracle `explained`."""

import re

import pytest

from gate.editing.edit import Replace
from gate.errors import CannotJudge
from gate.explanation import Kind, explain
from gate.oracle import Trial
from gate.oracles.explained import Explained
from gate.report import Evidence, Finding
from gate.trajectory import Command, Ok, Step, Trajectory
from gate.tree import MemoryTree

START = MemoryTree({"a": b"1\n2\n3\n", "b": b"x\n"})
HEAD = MemoryTree({"a": b"1\ntwo\nthree\n", "b": b"y\n"})


def _judge(oracle: Explained, *edits: Replace, paths: tuple[str, ...] = ("a", "b")) -> tuple[list[str], list[Finding]]:
    steps = tuple(Step(number=n, tool="edit", ok=Ok.YES, edits=(edit,)) for n, edit in enumerate(edits, 1))
    explanation = explain(Trajectory(format="test", steps=steps), START, HEAD, paths)
    trial = Trial(before=START, after=HEAD, replayed=False, explain=lambda: explanation)
    seen = list(oracle.judge(trial))
    evidence = [item.message for item in seen if isinstance(item, Evidence)]
    return evidence, [item for item in seen if isinstance(item, Finding)]


TWO = Replace(path="a", old=b"2", new=b"two")
ALL = Replace(path="a", old=b"2\n3", new=b"two\nthree")


@pytest.mark.parametrize(
    ("oracle", "edits", "evidence"),
    [
        pytest.param(Explained(), (TWO,), "2 changed: 2 unexplained", id="one line of it is enough by default"),
        pytest.param(Explained(), (ALL,), "2 changed: 1 exact, 1 unexplained", id="one file of it is enough"),
        pytest.param(
            Explained(paths=("a",), allow=(Kind.EXACT,)), (ALL,), "1 changed: 1 exact", id="the files that matter"
        ),
        pytest.param(Explained(allow=tuple(Kind)), (), "2 changed: 2 unexplained", id="everything is allowed"),
        pytest.param(
            Explained(paths=("docs/**",)),
            (),
            "the change touches nothing that is to be explained",
            id="nothing to explain",
        ),
    ],
)
def test_passes(oracle: Explained, edits: tuple[Replace, ...], evidence: str) -> None:
    assert _judge(oracle, *edits) == ([evidence], [])


def test_fails_when_nothing_is_explained() -> None:
    _, findings = _judge(Explained(), Replace(path="c", old=b"", new=b"x"))
    assert findings == [
        Finding(
            message="The recording explains nothing of 2 changed files: it records other work",
            path="a",
            line=2,
            kind="unexplained",
            details="a: no recorded edit touches it\nb: no recorded edit touches it",
        )
    ]


def test_a_blank_line_explains_nothing() -> None:
    start, head = MemoryTree({"a": b"1\n"}), MemoryTree({"a": b"1\n\nmore\n"})
    edit = Replace(path="a", old=b"1\n", new=b"1\n\n")
    steps = (Step(number=1, tool="edit", ok=Ok.YES, edits=(edit,)),)
    explanation = explain(Trajectory(format="test", steps=steps), start, head, ("a",))
    trial = Trial(before=start, after=head, replayed=False, explain=lambda: explanation)
    assert [item.kind for item in Explained().judge(trial) if isinstance(item, Finding)] == ["unexplained"]


def test_fails_for_every_file_that_is_not_explained_as_it_must_be() -> None:
    _, findings = _judge(Explained(allow=(Kind.EXACT, Kind.PROVEN)), TWO)
    assert [(finding.message, finding.line, finding.kind) for finding in findings] == [
        ("a is unexplained: the recorded edits give other bytes (lines 2-3)", 2, "unexplained"),
        ("b is unexplained: no recorded edit touches it (lines 1-1)", 1, "unexplained"),
    ]


def test_cannot_judge_a_replay() -> None:
    trial = Trial(before=START, after=HEAD, replayed=True)
    with pytest.raises(CannotJudge) as caught:
        list(Explained().judge(trial))
    assert caught.value.message == "there is no change to explain: the task is judged on its replay"


def test_what_is_proven_is_told_with_its_steps() -> None:
    ran = Step(number=3, tool="bash", ok=Ok.YES, commands=(Command(text="sed -i s/x/y/ b", exit_code=0),))
    trajectory = Trajectory(format="test", steps=(ran,))
    explanation = explain(trajectory, START, HEAD, ["b"], repeat=30)
    trial = Trial(before=START, after=HEAD, replayed=False, explain=lambda: explanation)
    assert list(Explained(allow=(Kind.EXACT, Kind.PROVEN)).judge(trial)) == [
        Evidence(message="1 changed: 1 proven"),
        Evidence(message="b is proven: step 3: repeated: sed -i s/x/y/ b", path="b"),
    ]


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        pytest.param(
            ("**", "/src/**"), "`paths[1]`: '/src/**' is absolute, and no path is here; write `src/**`", id="absolute"
        ),
        pytest.param(
            ("!src/**",), "`paths`: it only takes back, so nothing would ever match; begin with `**`", id="exceptions"
        ),
        pytest.param((), "`paths`: an empty list matches nothing; leave the key out for every file", id="empty"),
    ],
)
def test_patterns_that_no_path_could_match_are_refused(paths: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Explained(paths=paths)
