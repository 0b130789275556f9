"""One entry of a manifest, and several tasks that share one."""

from typing import Any

import pytest

from gate.document import DocumentError, parse
from gate.entry import Entry, Origin, Several, read_entry
from gate.reference import References, Text, Value


def several(**fields: Any) -> Several:
    return Several(spec="evals/eval.yaml", **fields)


@pytest.mark.parametrize(
    ("entry", "name", "trajectory", "scope"),
    [
        pytest.param(several(), "add", None, None, id="nothing said"),
        pytest.param(several(trajectory="r/*.json"), "add", "r/*.json", None, id="for all"),
        pytest.param(several(trajectory="r/{name}/*.json"), "add", "r/add/*.json", None, id="by {name}"),
        pytest.param(several(scope=["src/{name}/**", "lib/**"]), "add", None, ["src/add/**", "lib/**"], id="scope"),
        pytest.param(several(scope=["src/{name}/**"]), "", None, ["src/*/**"], id="of no task in particular"),
        pytest.param(several(trajectory="r/{name}"), "a*[b]", r"r/a\*\[b]", None, id="a name with signs of patterns"),
        pytest.param(
            several(recordings={"add": "r/add.json"}, scopes={"add": ["src/**"]}),
            "add",
            "r/add.json",
            ["src/**"],
            id="by mapping",
        ),
        pytest.param(several(recordings={"add": "r/add.json"}), "other", None, None, id="not in the mapping"),
        pytest.param(several(trajectory=Origin(notes="x")), "add", Origin(notes="x"), None, id="an origin"),
    ],
)
def test_what_an_entry_says_of_one_task(entry: Several, name: str, trajectory: object, scope: object) -> None:
    assert (entry.of(name).trajectory, entry.of(name).scope) == (trajectory, scope)


def test_an_entry_of_one_task_says_the_same_of_it_whatever_it_is_called() -> None:
    entry = Entry(id="a", trajectory="{name}.json")
    assert entry.of("a") == entry
    assert entry.strangers(["b"]) == []


def test_strangers_are_those_that_no_task_is_called() -> None:
    entry = several(recordings={"add": "x", "ad": "y"}, scopes={"sub": ["z"]})
    assert entry.strangers(["add"]) == [("trajectory", "ad"), ("scope", "sub")]


def decoded(text: str) -> Entry:
    document = parse(text.encode())
    return read_entry(document, document.value, ("tasks", 0))


def test_golden_input_by_path_and_in_place() -> None:
    found = decoded(
        "task: a.json\ngolden: {patch: {inline: x}, command: make, trajectory: {path: t}, custom_metrics: {inline: {a: 1}}}"
    )
    assert found.golden == References(
        patch=Text(inline="x"), command="make", trajectory=Value(path="t"), custom_metrics=Value(inline={"a": 1})
    )


def test_recordings_and_scope_by_name() -> None:
    found = decoded("spec: eval.yaml\ntrajectory: {add: r/add.json, sub: {notes: agents}}\nscope: {add: [src/**]}")
    assert found == Several(
        spec="eval.yaml",
        recordings={"add": "r/add.json", "sub": Origin(notes="agents")},
        scopes={"add": ["src/**"]},
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "spec: a\ntrajectory: {}",
            "`tasks[0].trajectory`: expected a mapping of task names that is not empty, found one without any",
            id="no name",
        ),
        pytest.param(
            "spec: a\ntrajectory: {add: 3}",
            "`tasks[0].trajectory.add`: expected text or a mapping, found 3",
            id="number",
        ),
        pytest.param(
            "id: a\nscope: [src/**, /src/**]\noracles: [{type: x}]",
            "`tasks[0].scope[1]`: '/src/**' is absolute, and no path is here",
            id="an absolute pattern",
        ),
        pytest.param(
            "spec: a\nscope: {add: [src//a]}",
            "`tasks[0].scope.add[0]`: 'src//a' is in no normal form, and paths are",
            id="a pattern in no normal form, by name",
        ),
        pytest.param(
            "task: a\nscope: ['!src/**']",
            "`tasks[0].scope`: it only takes back, so nothing would ever match",
            id="nothing but exceptions",
        ),
        pytest.param(
            "spec: a\nscope: {add: []}",
            "`tasks[0].scope.add`: an empty list would never be in scope",
            id="an empty list, by name",
        ),
        pytest.param(
            "task: a\ntrajectory: /r/*.json",
            "`tasks[0].trajectory`: '/r/*.json' is absolute, and no path is here",
            id="an absolute recording",
        ),
        pytest.param(
            "spec: a\ntrajectory: {add: 'r\\x'}",
            r"`tasks[0].trajectory.add`: 'r\\x' has a backslash, which is no `/` here",
            id="a backslash in a recording, by name",
        ),
        pytest.param(
            "spec: a\nscope: {add: src}", "`tasks[0].scope.add`: expected a list, found 'src'", id="scope that is text"
        ),
        pytest.param(
            "spec: a\ntrajectory: {add: {notes: a, entire: b}}",
            "`tasks[0].trajectory.add`: expected exactly one of `notes` (a ref) and `entire` (a branch), found a mapping "
            "with `notes`, `entire`",
            id="two origins",
        ),
        pytest.param(
            "spec: a\ngolden: {command: x}",
            "`tasks[0].golden`: belongs into the tasks of a, not beside it",
            id="golden input beside a spec",
        ),
        pytest.param(
            "spec: a\nbundle: b",
            "`tasks[0]`: expected exactly one of `task`, `spec`, `bundle` (where tasks are written) and `id` (the task "
            "itself), found `spec` and `bundle`",
            id="two documents",
        ),
        pytest.param(
            "task: a\ntrajectory: {add: x}", "`tasks[0].trajectory.add`: unknown key", id="names beside one task"
        ),
    ],
)
def test_a_fault(text: str, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        decoded(text)
    assert caught.value.message.split(";")[0] == message
