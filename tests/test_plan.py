"""Which tasks are in scope, and why."""

import pytest

from gate.entry import Entry
from gate.errors import TaskError
from gate.plan import select, state_of
from gate.task import Folder, Inline, Revision, State, Task


@pytest.mark.parametrize(
    ("scope", "paths", "folder", "reason"),
    [
        (["src/**"], ("a.md", "src/a.py"), "", "the change touches src/a.py"),
        (["src/**"], ("pkg/src/a.py",), "pkg", "the change touches pkg/src/a.py"),
        (None, ("a.md",), "", "it has no scope, and the change touches a.md"),
        (None, ("x", "pkg/a"), "pkg", "it has no scope, and the change touches pkg/a"),
    ],
)
def test_in_scope(scope: list[str] | None, paths: tuple[str, ...], folder: str, reason: str) -> None:
    selection = select(Entry(task="t.json", scope=scope), paths, folder=folder, everything=False)
    assert (selection.in_scope, selection.reason) == (True, reason)


@pytest.mark.parametrize(
    ("scope", "paths", "folder", "reason"),
    [
        (["src/**"], ("a.md", "b.md"), "", "none of 2 changed files matches src/**"),
        (["src/**", "x"], ("a.md",), "", "none of 1 changed file matches src/**, x"),
        (["src/**"], ("src/a.py",), "pkg", "none of 1 changed file matches src/**"),
        (["src/**"], (), "", "no file is changed"),
        (None, (), "", "the change touches nothing"),
        (None, ("a.md",), "pkg", "the change touches nothing in pkg"),
    ],
)
def test_out_of_scope(scope: list[str] | None, paths: tuple[str, ...], folder: str, reason: str) -> None:
    selection = select(Entry(task="t.json", scope=scope), paths, folder=folder, everything=False)
    assert (selection.in_scope, selection.reason) == (False, reason)


def test_everything_is_in_scope_when_asked() -> None:
    selection = select(Entry(task="t.json", scope=["src/**"]), (), folder="", everything=True)
    assert (selection.in_scope, selection.reason) == (True, "every task is judged (--diff all)")


def _task(workspace: Inline | Folder | Revision, state: State) -> Task:
    return Task(id="t", workspace=workspace, oracles=(), state=state, path="t.json")


def test_the_entry_says_the_state_or_the_task_does() -> None:
    assert state_of(None, _task(Inline({}), State.REPLAY)) is State.REPLAY
    assert state_of(State.REPLAY, _task(Revision("base"), State.HEAD)) is State.REPLAY
    assert state_of(State.HEAD, _task(Folder("x"), State.REPLAY)) is State.HEAD


def test_a_workspace_written_in_the_task_has_no_head() -> None:
    with pytest.raises(TaskError) as caught:
        state_of(State.HEAD, _task(Inline({}), State.REPLAY))
    assert caught.value.message == (
        "t.json: `state: head` looks at the change's tree, but the workspace is written in the task; "
        "use `state: replay`, or `workspace: {git: base}`"
    )
