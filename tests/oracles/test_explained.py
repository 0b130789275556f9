"""The oracle `explained`."""

import re

import pytest

from gate.editing.edit import Replace, Write
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


@pytest.mark.parametrize(
    ("edit", "why", "detail"),
    [
        pytest.param(
            Replace(path="a", old=b"2\n3", new=b"'two'\n'three'"),
            "recorded edits touch a, but other bytes came out; a formatter or hook may have run since",
            "the recorded edits give other bytes; a formatter or hook may have run since",
            id="a formatter ran",
        ),
        pytest.param(
            Replace(path="a", old=b"7", new=b"8"),
            "recorded edits of a do not fit what is there; the replay is not whole: ",
            "no recorded edit touches it; ",
            id="an edit that does not fit",
        ),
    ],
)
def test_edits_of_the_file_are_no_other_work(edit: Replace, why: str, detail: str) -> None:
    found, *_ = _judge(Explained(), edit, paths=("a",))[1]
    assert found.message.startswith(f"The recording explains nothing of the change of a: {why}")
    assert (found.kind, found.details[: len(detail) + 3]) == ("unexplained", f"a: {detail}")


@pytest.mark.parametrize("name", ["caf\u00e9", "cafe\u0301"], ids=["NFC", "NFD"])
def test_a_name_in_another_normal_form_is_told(name: str) -> None:
    start, head = MemoryTree({name: b"1\n", "ol\u00e9": b"1\n"}), MemoryTree({name: b"2\n", "ol\u00e9": b"2\n"})
    other = "cafe\u0301" if name == "caf\u00e9" else "caf\u00e9"
    steps = (Step(number=1, tool="edit", ok=Ok.YES, edits=(Write(path=other, content=b"2\n"),)),)
    explanation = explain(Trajectory(format="test", steps=steps), start, head, (name, "ol\u00e9"))
    trial = Trial(before=start, after=head, replayed=False, explain=lambda: explanation)
    [found] = [item for item in Explained().judge(trial) if isinstance(item, Finding)]
    hint = "; one has a name that looks the same and differs in Unicode normalisation (NFC, NFD)"
    assert (found.message, found.details) == (
        "The recording explains nothing of 2 changed files: it records other work; the replay is not whole: step 1: "
        f"{other}: the name {other!r} is on some systems the same as {name!r} (they differ in Unicode normalisation, "
        "NFC and NFD)",
        f"{name}: no recorded edit touches it{hint}\nol\u00e9: no recorded edit touches it",
    )


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
