"""Recorded outputs held against the replay, step by step."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.fidelity import cases as fidelity_cases
from benchmarks.fidelity import claimed
from gate.claims import claim
from gate.claims.claim import Claims, claims
from gate.editing.edit import Edit, Insert, Replace, Write
from gate.replay import replay
from gate.trajectory import Command, Dropped, Lost, Ok, Step, Trajectory
from gate.tree import MemoryTree

START = {"a.py": b"one\ntwo\nthree\n", "b.py": b"b\n"}
TWO = Replace(path="a.py", old=b"two", new=b"2")


def _edit(edit: Edit, observation: str = "", **more: object) -> Step:
    return Step(number=0, tool="Edit", ok=Ok.YES, edits=(edit,), observation=observation, **more)  # type: ignore[arg-type]


def _read(view: str, path: str = "/w/a.py", **more: object) -> Step:
    given = {"number": 0, "tool": "Read", "ok": Ok.YES, "arguments": {"file_path": path}, "observation": view} | more
    return Step(**given)  # type: ignore[arg-type]


def _ran(text: str, output: str = "", *, exit_code: int | None = 0, ok: Ok = Ok.YES) -> Step:
    command = Command(text=text, output=output, exit_code=exit_code)
    return Step(number=0, tool="Bash", ok=ok, commands=(command,), observation=output)


def _claims(*steps: Step, start: Mapping[str, bytes] = START, dropped: tuple[Dropped, ...] = ()) -> Claims:
    numbered = tuple(
        Step(**{key: getattr(step, key) for key in Step.__struct_fields__} | {"number": at, "line": at * 2})
        for at, step in enumerate(steps, 1)
    )
    trajectory = Trajectory(format="test", steps=numbered, directory="/w", dropped=dropped)
    tree = MemoryTree(start)
    return claims(trajectory, tree, replay(trajectory, tree))


def _told(found: Claims) -> list[tuple[int, str, int, str | None, str | None]]:
    return [(one.step, one.what, one.line, one.recorded, one.replayed) for one in found.contradictions]


def test_what_agrees() -> None:
    found = _claims(
        _read("1→one\n2→two\n3→three\n"),
        _edit(TWO, "updated:\n 1→one\n 2→2\n"),
        _ran("sed -n '2,3p' a.py", "2\nthree\n"),
        _ran("cat a.py b.py", "one\n2\nthree\nb\n"),
        _edit(Replace(path="b.py", old=b"b", new=b"c", before=b"b\n")),
    )
    assert found == Claims(
        agreeing=(("a.py",), ("a.py",), ("a.py",), ("a.py", "b.py"), ("b.py",)), open=0, contradictions=()
    )


def test_every_step_that_differs_is_told() -> None:
    found = _claims(
        _read("2→zwei\n3→three\n"),
        _edit(TWO, "1→one\n2→zwei\n"),
        _ran("tail -2 a.py", "2\ndrei\n"),
        _ran("cat a.py", "one\n2\n"),
        _edit(Replace(path="b.py", old=b"x", new=b"c", before=b"x\n")),
        _read("5→five\n"),
    )
    assert _told(found) == [
        (1, "Read", 2, "zwei", "two"),
        (2, "Edit", 2, "zwei", "2"),
        (3, "`tail -2 a.py`", 2, "drei", "three"),
        (4, "`cat a.py`", 3, None, "three"),
        (5, "the content before the edit by Edit", 1, "x", "b"),
        (6, "Read", 5, "five", None),
    ]
    assert (found.open, found.agreeing) == (0, ())
    assert [one.source for one in found.contradictions] == [2, 4, 6, 8, 10, 12]


@pytest.mark.parametrize(
    "between",
    [
        pytest.param(_ran("sed -i s/two/zwei/ a.py"), id="a command that names the file"),
        pytest.param(_ran("ruff format ."), id="a formatter of all files"),
        pytest.param(_ran("git stash pop"), id="git"),
        pytest.param(
            Step(number=0, tool="magic", ok=Ok.YES, known=False, names=("/w/a.py",)), id="an unknown tool names it"
        ),
        pytest.param(Step(number=0, tool="Task", ok=Ok.YES, lost=Lost("a sub-agent", "sub_agent")), id="a sub-agent"),
        pytest.param(_edit(Replace(path="a.py", old=b"four", new=b"4")), id="an edit that does not fit"),
    ],
)
def test_what_may_have_changed_the_file_leaves_it_open(between: Step) -> None:
    found = _claims(between, _read("2→zwei\n"))
    assert (found.open, _told(found)) == (1, [])
    assert _claims(_read("2→zwei\n"), between).contradictions, "but only what comes before"


def test_once_all_of_it_is_known_again_it_is_compared() -> None:
    between = _ran("git stash pop")
    whole = Write(path="a.py", content=b"new\n")
    assert _told(_claims(between, _edit(whole), _read("1→old\n"))) == [(3, "Read", 1, "old", "new")]
    seen = _read("1→one\n2→two\n3→three\n")
    assert _told(_claims(between, seen, _read("1→old\n"))) == [(3, "Read", 1, "old", "one")]
    part = _read("1→one\n2→two\n")
    assert not _claims(between, part, _read("3→drei\n")).contradictions
    before = Replace(path="a.py", old=b"1", new=b"0", before=b"1\n2\n")
    assert _told(_claims(between, _edit(before), _read("2→zwei\n"))) == [(3, "Read", 2, "zwei", "2")]


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(_read("1→eins\n", "/w/ignored.py"), id="a file that is not in the workspace"),
        pytest.param(_ran("pytest -q", "1 passed\n"), id="another program"),
        pytest.param(_edit(Insert(path="new.py", line=0, text=b"", before=b"x\n", after=b"x\n")), id="no file before"),
    ],
)
def test_what_cannot_be_worked_out_is_open(step: Step) -> None:
    found = _claims(step)
    assert (found.open, found.agreeing, found.contradictions) == (1, (), ())


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(_ran("cat a.py", "no\n", exit_code=1, ok=Ok.NO), id="failed"),
        pytest.param(_ran("cat a.py", "no\n", exit_code=None, ok=Ok.UNKNOWN), id="no result"),
        pytest.param(_ran("cat a.py", ""), id="no output is recorded"),
        pytest.param(_read("1→eins\n", undone=True), id="taken back"),
        pytest.param(_read("1→eins\n", ok=Ok.NO), id="a read that failed"),
        pytest.param(_read("1→eins\n", arguments={"paths": ["/w/a.py", "/w/b.py"]}), id="several files"),
        pytest.param(_read("1→eins\n", "/elsewhere/a.py"), id="outside"),
        pytest.param(_read("eins\n"), id="no numbers"),
    ],
)
def test_what_claims_nothing_of_a_file(step: Step) -> None:
    assert _claims(step) == Claims(agreeing=(), open=0, contradictions=())


def test_behind_a_line_that_is_lost_nothing_is_sure() -> None:
    lost = (Dropped(line=3, reason="line 3 is no JSON", grave=True),)
    found = _claims(_read("1→eins\n"), _read("2→zwei\n"), dropped=lost)
    assert [one.step for one in found.contradictions] == [1]
    assert found.open == 1


def test_what_a_reader_cut_is_compared_as_far_as_it_goes() -> None:
    assert not _claims(_ran("cat a.py", "one\nt… [9 more characters]")).contradictions
    assert _claims(_ran("cat a.py", "eins\nt… [9 more characters]")).contradictions
    assert not _claims(_read("1→one\n2→t… [9 more characters]")).contradictions
    assert _claims(_read("1→eins\n2→t… [9 more characters]")).contradictions


def test_only_so_much_time_is_spent_on_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [_ran("cat a.py", "no\n")] * 3
    assert len(_claims(*steps).contradictions) == 3
    monkeypatch.setattr(claim, "_SECONDS", 0.0)
    assert _claims(*steps) == Claims(agreeing=(), open=3, contradictions=())


def test_real_recordings_agree_with_the_files_of_their_commits(cases: Path) -> None:
    """Two sessions differ: in one somebody else edited a file, as its tool says; in the other `bun run lint:fix` did,

    a script of a `package.json` that is not among the files of the case.
    """
    told = {case.name: claimed(case) for case in fidelity_cases(cases / "fidelity")}
    found = {name: [one.step for one in all_of_it.contradictions] for name, all_of_it in told.items()}
    agreeing = sum(len(all_of_it.agreeing) for all_of_it in told.values())
    found = {name: steps for name, steps in found.items() if steps}
    assert found == {"context-evaluator-59a1a92063ab": [12, 14, 15], "context-evaluator-be0878c3d75d": [11, 12]}
    assert agreeing > 100
