"""Which task of one judge is which of another: what is moved, and what becomes of it on the way."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from gate.asked import Asked
from gate.changes import diff
from gate.intake import Intake
from gate.report import Severity
from gate.review import Review
from tests.commands.repository import write
from tests.conftest import Git

WARNING, NOTICE = Severity.WARNING.value, Severity.NOTICE.value
MANIFEST = """\
version: 1
tasks:
  - {task: tasks/a.json, scope: [src/**]}
  - id: here
    scope: [src/**]
    prompt: p
    oracles: [{type: no_network}, {type: max_repeat, max: 3}]
"""
TASK = {
    "id": "add",
    "name": "Add",
    "description": "",
    "prompt": "p",
    "workspace": {"a.py": "a"},
    "oracles": [{"type": "diff_empty"}, {"type": "max_repeat", "max": 3}],
}
FILES: Mapping[str, object] = {"gate.yaml": MANIFEST, "tasks/a.json": TASK, "src/a.py": "a"}
LESS = TASK | {"oracles": [{"type": "max_repeat", "max": 3}]}
MOVED = "This change moves the task 'add' from tasks/a.json to tasks/b.json"


def edited(*pairs: tuple[str, str]) -> dict[str, object]:
    text = MANIFEST
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return {"gate.yaml": text}


TO_B = edited(("a.json", "b.json")) | {"tasks/a.json": None}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            TO_B | {"tasks/b.json": TASK},
            [("judge_moved", NOTICE, "tasks/b.json:1", f"{MOVED}; nothing else of it differs.")],
            id="document",
        ),
        pytest.param(
            TO_B | {"tasks/b.json": LESS},
            [
                ("judge_moved", NOTICE, "tasks/b.json:1", f"{MOVED}, and alters it."),
                (
                    "judge_removed",
                    WARNING,
                    "tasks/b.json:1",
                    "This change takes the oracle diff_empty out of the task 'add'.",
                ),
            ],
            id="document, weakened",
        ),
        pytest.param(
            TO_B | {"tasks/b.json": TASK | {"id": "sum"}},
            [
                (
                    "judge_moved",
                    NOTICE,
                    "tasks/b.json:1",
                    "This change calls the task 'add' 'sum' and moves it from tasks/a.json to tasks/b.json; nothing "
                    "else of it differs.",
                )
            ],
            id="document, with another id",
        ),
        pytest.param(
            TO_B | {"tasks/b.json": LESS | {"id": "sum"}},
            [
                (
                    "judge_moved",
                    NOTICE,
                    "tasks/b.json:1",
                    "This change calls the task 'add' 'sum' and moves it from tasks/a.json to tasks/b.json, and alters "
                    "it.",
                ),
                (
                    "judge_removed",
                    WARNING,
                    "tasks/b.json:1",
                    "This change takes the oracle diff_empty out of the task 'sum'.",
                ),
            ],
            id="document, with another id, weakened",
        ),
        pytest.param(
            {"tasks/a.json": TASK | {"id": "sum", "prompt": "q"}},
            [
                ("judge_moved", NOTICE, "tasks/a.json:1", "This change calls the task 'add' 'sum', and alters it."),
                ("judge_altered", WARNING, "tasks/a.json:1", "This change alters the task 'sum': `prompt`."),
            ],
            id="another id and prompt in its document",
        ),
        pytest.param(
            edited(("id: here", "id: there"), ("max: 3", "max: 9")),
            [
                ("judge_moved", NOTICE, "gate.yaml:4", "This change calls the task 'here' 'there', and alters it."),
                (
                    "judge_weakened",
                    WARNING,
                    "gate.yaml:7",
                    "This change has max_repeat of the task 'there' ask otherwise: `max` goes from 3 to 9.",
                ),
            ],
            id="another id in the manifest, weakened",
        ),
        pytest.param(
            edited(("  - id: here\n", "  - id: there\n    explained: off\n")),
            [
                ("judge_moved", NOTICE, "gate.yaml:4", "This change calls the task 'here' 'there', and alters it."),
                (
                    "judge_weakened",
                    WARNING,
                    "gate.yaml:5",
                    "This change alters the task 'there': `explained` is off now.",
                ),
            ],
            id="another id, and less asked by the entry",
        ),
        pytest.param(
            edited(("id: here", "id: there"), ("prompt: p", "prompt: other")),
            [
                (
                    "judge_removed",
                    WARNING,
                    "gate.yaml",
                    "This change takes the task 'here' away. Once merged, nobody judges it.",
                ),
                (
                    "judge_added",
                    NOTICE,
                    "gate.yaml:4",
                    "This change brings the task 'there', which judges from the merge on.",
                ),
            ],
            id="another task",
        ),
        pytest.param(
            {"tasks/a.json": None, "tasks/b.json": TASK},
            [
                (
                    "judge_broken",
                    WARNING,
                    "gate.yaml:3",
                    "This change leaves the task 'add' unreadable: the task document cannot be read: tasks/a.json: "
                    "there is no such file in head {head}. Once merged, it is an error.",
                )
            ],
            id="document moved away from its entry",
        ),
    ],
)
def test_a_task_that_is_moved(
    tmp_path: Path, git: Git, files: Mapping[str, object], expected: list[tuple[str, str, str, str]]
) -> None:
    root = tmp_path / "repo"
    git("init", "-q")
    write(root, FILES)
    git("add", "-A")
    git("commit", "-qm", "base")
    base = git("rev-parse", "HEAD")
    write(root, {name: content for name, content in files.items() if content is not None})
    for name in (name for name, content in files.items() if content is None):
        (root / name).unlink()
    git("add", "-A")
    git("commit", "-qm", "head")
    head = git("rev-parse", "--short=12", "HEAD")
    with Review(Asked(change=diff.Request(base=base, ci=True)), root) as review:
        notices = [
            note for note in Intake(review).plan().notices if note.kind not in ("judge_changed", "judge_together")
        ]
    found = [
        (note.kind, note.severity.value, f"{note.path}:{note.line}" if note.line else note.path, note.message)
        for note in notices
    ]
    assert found == [(*rest, message.replace("{head}", head)) for *rest, message in expected]
