"""Submodules that a change brings, moves or takes away."""

import pytest

from gate.changes.diff import Change, Entry
from gate.integrity.submodules import found
from gate.report import Severity
from gate.tree import REGULAR, SUBMODULE, SYMLINK

OLD, NEW, NONE = "a" * 40, "b" * 40, "0" * 40
APART = "its content is not judged here."


def entry(old: int, new: int) -> Entry:
    return Entry(
        path="libs/x", status="M", old_mode=old, new_mode=new, old_id=OLD if old else NONE, new_id=NEW if new else NONE
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(0, REGULAR, id="a file"),
        pytest.param(REGULAR, SYMLINK, id="a link"),
        pytest.param(REGULAR, 0, id="a file that goes"),
    ],
)
def test_nothing_is_said_of(old: int, new: int) -> None:
    assert list(found(Change(description="", base=OLD, head=NEW, entries=(entry(old, new),)))) == []


def test_nothing_is_said_without_a_change() -> None:
    assert list(found(None)) == []


@pytest.mark.parametrize(
    ("old", "new", "everything", "severity", "message"),
    [
        pytest.param(
            *(0, SUBMODULE, False, Severity.WARNING, "This change brings the submodule libs/x at commit bbbbbbbbbbbb"),
            id="brought",
        ),
        pytest.param(
            *(REGULAR, SUBMODULE, False, Severity.WARNING),
            "This change brings the submodule libs/x at commit bbbbbbbbbbbb",
            id="in the place of a file",
        ),
        pytest.param(
            *(SUBMODULE, SUBMODULE, False, Severity.WARNING),
            "This change moves the submodule libs/x from commit aaaaaaaaaaaa to bbbbbbbbbbbb",
            id="moved",
        ),
        pytest.param(
            *(SUBMODULE, 0, False, Severity.NOTICE),
            "This change takes away the submodule libs/x at commit aaaaaaaaaaaa",
            id="taken away",
        ),
        pytest.param(
            *(SUBMODULE, REGULAR, False, Severity.NOTICE),
            "This change takes away the submodule libs/x at commit aaaaaaaaaaaa",
            id="a file in its place",
        ),
        pytest.param(
            *(0, SUBMODULE, True, Severity.NOTICE, "Here is the submodule libs/x at commit bbbbbbbbbbbb"),
            id="every file is judged",
        ),
    ],
)
def test_what_is_said(old: int, new: int, everything: bool, severity: Severity, message: str) -> None:
    change = Change(description="", base=OLD, head=NEW, entries=(entry(old, new),), everything=everything)
    assert [(one.kind, one.path, one.severity, one.message) for one in found(change)] == [
        ("submodule_changed", "libs/x", severity, f"{message}: {APART}")
    ]
