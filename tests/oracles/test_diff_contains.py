"""`diff_contains`, `diff_not_contains`, `diff_empty`: what is in the diff of a trial, and what is not."""

from typing import Any

import pytest

from gate.errors import CannotJudge
from gate.oracles.diff_contains import DiffContains
from gate.oracles.diff_empty import DiffEmpty
from gate.oracles.diff_not_contains import DiffNotContains
from gate.patterns.jsregex import JsPattern
from tests.oracles.trials import evidence, findings, trial

BEFORE = {"calc.py": b"import sys\n\n\ndef add(a, b):\n    return a - b\n", ".gitignore": b"*.pyc\n"}
CHANGES: dict[str, bytes | None] = {
    "calc.py": b"import sys\n\n\ndef add(a, b):\n    return a + b\n",
    "new.py": b"++ x\n",
    "calc.pyc": b"\0",
}
CHANGED = trial(BEFORE, CHANGES)


@pytest.mark.parametrize(
    ("oracle", "message", "path", "line", "text"),
    [
        pytest.param(
            DiffContains(value="+    return a + b"),
            "The diff contains '+    return a + b'",
            "calc.py",
            5,
            "+    return a + b",
            id="added",
        ),
        pytest.param(
            DiffContains(pattern=JsPattern(r"(?m)^-\s+return")),
            r"The diff matches '(?m)^-\\s+return'",
            "calc.py",
            5,
            "-    return a - b",
            id="removed",
        ),
        pytest.param(
            DiffContains(value="def add"), "The diff contains 'def add'", "calc.py", 4, " def add(a, b):", id="context"
        ),
        pytest.param(
            DiffContains(value="+++ x"),
            "The diff contains '+++ x'",
            "new.py",
            1,
            "+++ x",
            id="a line that looks like a head",
        ),
        pytest.param(
            DiffContains(value="new file mode"),
            "The diff contains 'new file mode'",
            None,
            None,
            "new file mode 100644",
            id="head",
        ),
    ],
)
def test_what_is_in_the_diff(oracle: DiffContains, message: str, path: str | None, line: int | None, text: str) -> None:
    [shown] = evidence(oracle, CHANGED)
    assert (shown.message, shown.path, shown.line, shown.details) == (message, path, line, text)
    [found] = findings(DiffNotContains(value=oracle.value, pattern=oracle.pattern), CHANGED)
    assert (found.message, found.path, found.line, found.details, found.kind) == (
        message,
        path,
        line,
        text,
        "diff_forbidden",
    )


@pytest.mark.parametrize(
    ("oracle", "message"),
    [
        pytest.param(DiffContains(value="return A"), "The diff does not contain 'return A'", id="case"),
        pytest.param(DiffContains(value="pyc"), "The diff does not contain 'pyc'", id="ignored file"),
        pytest.param(DiffContains(pattern=JsPattern("^import")), "The diff does not match '^import'", id="anchored"),
    ],
)
def test_what_is_not_in_the_diff(oracle: DiffContains, message: str) -> None:
    [found] = findings(oracle, CHANGED)
    assert (found.message, found.kind) == (message, "diff_missing")
    [shown] = evidence(DiffNotContains(value=oracle.value, pattern=oracle.pattern), CHANGED)
    assert shown.message == message


def test_a_removed_line_that_looks_like_a_head_is_none() -> None:
    given = trial({"a": b"x\n-- a/other\n"}, {"a": b"new\nx\n"})
    [shown] = evidence(DiffContains(value="-- a/other"), given)
    assert (shown.path, shown.details) == ("a", "--- a/other")


def test_where_nothing_was_changed_that_is_said() -> None:
    [found] = findings(DiffContains(value="x"), trial(BEFORE))
    assert found.message == "The diff does not contain 'x': nothing was changed"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param({}, "Expected exactly one of `pattern` and `value`", id="neither"),
        pytest.param(
            {"value": "x", "pattern": JsPattern("x")}, "Expected exactly one of `pattern` and `value`", id="both"
        ),
        pytest.param(
            {"value": ""}, "Expected something that is not empty: every diff contains the empty text", id="empty"
        ),
    ],
)
def test_exactly_one_thing_is_looked_for(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DiffContains(**given)


def test_a_pattern_that_is_not_valid_is_an_error() -> None:
    with pytest.raises(CannotJudge, match="is not a valid regular expression of JavaScript"):
        findings(DiffNotContains(pattern=JsPattern("(")), trial(BEFORE))


def test_nothing_was_changed() -> None:
    [shown] = evidence(DiffEmpty(), trial(BEFORE, {"x.pyc": b"1"}))
    assert shown.message == "Nothing was changed"


def test_each_file_that_was_changed_is_named() -> None:
    found = findings(DiffEmpty(), trial({**BEFORE, "old": b""}, {**CHANGES, "old": None}))
    assert [(one.message, one.path, one.kind) for one in found] == [
        ("File was modified: calc.py", "calc.py", "diff_not_empty"),
        ("File was added: new.py", "new.py", "diff_not_empty"),
        ("File was deleted: old", "old", "diff_not_empty"),
    ]
    many = findings(DiffEmpty(), trial({}, {f"{number:02}": b"" for number in range(25)}))
    assert (len(many), many[-1].message) == (21, "5 more files were changed")


def test_which_of_them_hold_untouched() -> None:
    oracles = (DiffContains(value="x"), DiffNotContains(value="x"), DiffEmpty())
    assert [oracle.holds_untouched for oracle in oracles] == [False, True, True]
