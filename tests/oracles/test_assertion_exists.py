"""`assertion_exists`: patterns that are found, that are missing, and that cannot be searched for."""

import pytest

from gate.errors import CannotJudge, PathRefused
from gate.oracle import Pattern
from gate.oracles.assertion_exists import AssertionExists
from gate.tree import SUBMODULE, SYMLINK, MemoryTree
from tests.oracles.trials import evidence, findings, trial

BEFORE = MemoryTree(
    {
        "tests/test_calc.py": b"def test_add():\n    assert add(1, 2) == 3\r\n    assert add(0, 0) == 0\n",
        "link": b"tests/test_calc.py",
        "out": b"/etc/passwd",
        "sub": b"0" * 40,
        "latin": b"caf\xe9 \0 x",
        "empty": b"",
    },
    modes={"link": SYMLINK, "out": SYMLINK, "sub": SUBMODULE},
)


@pytest.mark.parametrize(
    ("path", "pattern", "line"),
    [
        pytest.param("tests/test_calc.py", r"assert add\(1, 2\) == 3", 2, id="found"),
        pytest.param("./tests/test_calc.py", "^def test_add", 1, id="4 dot slash"),
        pytest.param("tests/../tests/test_calc.py", "^def test_add", 1, id="dots"),
        pytest.param("link", "0, 0", 3, id="through a link"),
        pytest.param("tests/test_calc.py", r"== 0$", 3, id="end of a line"),
        pytest.param("tests/test_calc.py", r"(?i)DEF TEST", 1, id="flag"),
        pytest.param("latin", "caf\udce9 \0", 1, id="I05 bytes"),
        pytest.param("empty", "^$", 1, id="empty"),
    ],
)
def test_a_pattern_that_is_found(path: str, pattern: str, line: int) -> None:
    [shown] = evidence(AssertionExists(path=path, pattern=Pattern(pattern)), trial(BEFORE))
    assert (shown.message, shown.line) == (f"Assertion pattern found in {path}", line)
    assert shown.path is not None
    assert shown.path in BEFORE


@pytest.mark.parametrize(
    ("path", "pattern", "message", "kind"),
    [
        pytest.param(
            "tests/test_calc.py",
            r"assert add\(9, 9\)",
            r"Assertion pattern missing in tests/test_calc.py: 'assert add\(9, 9\)'",
            "pattern_missing",
            id="missing",
        ),
        pytest.param(
            "tests/test_calc.py",
            "f{e}",
            "Assertion pattern missing in tests/test_calc.py: 'f{e}'",
            "pattern_missing",
            id="no fuzzy match",
        ),
        pytest.param("gone.py", "x", "File not found: gone.py", "file_not_found", id="no such file"),
        pytest.param("tests", "x", "File not found: tests", "file_not_found", id="folder"),
        pytest.param("sub", "0", "File not found: sub", "file_not_found", id="submodule"),
        pytest.param("../x", "x", "File not found: ../x", "file_not_found", id="outside"),
        pytest.param("/etc/passwd", "root", "File not found: /etc/passwd", "file_not_found", id="absolute"),
    ],
)
def test_a_pattern_that_is_missing(path: str, pattern: str, message: str, kind: str) -> None:
    [found] = findings(AssertionExists(path=path, pattern=Pattern(pattern)), trial(BEFORE))
    assert (found.message, found.kind) == (message, kind)


def test_what_is_searched_is_the_end_not_the_start() -> None:
    asks = AssertionExists(path="tests/test_calc.py", pattern=Pattern(r"assert add\(1, 2\) == 3"))
    changed = trial(BEFORE, {"tests/test_calc.py": b"def test_add():\n    assert True\n"})
    [found] = findings(asks, changed)
    assert (found.path, found.line) == ("tests/test_calc.py", 2)
    [gone] = findings(asks, trial(BEFORE, {"tests/test_calc.py": None}))
    assert gone.message == "File not found: tests/test_calc.py"


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [
        pytest.param("assert [", "regex_syntax", id="7 not valid"),
        pytest.param("(x+x+)+y", "regex_limit", id="I01 endless"),
        pytest.param("(" * 5000 + ")" * 5000, "regex_size", id="I04 deep"),
    ],
)
def test_a_pattern_that_cannot_be_searched_for(pattern: str, kind: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        findings(AssertionExists(path="x", pattern=Pattern(pattern)), trial({"x": b"x" * 3000}))
    assert caught.value.kind == kind


def test_a_link_out_of_the_workspace_is_not_read() -> None:
    with pytest.raises(PathRefused, match="the link 'out' leads out of the workspace, to '/etc/passwd'"):
        findings(AssertionExists(path="out", pattern=Pattern("root")), trial(BEFORE))


@pytest.mark.parametrize(
    ("after", "line"),
    [
        pytest.param(b"import x\n\ndef test_add():\n    assert True\n    assert add(0, 0) == 0\n", 4, id="replaced"),
        pytest.param(b"def test_add():\n    assert add(0, 0) == 0\n", 2, id="taken out"),
        pytest.param(b"def test_add():\n", 1, id="cut off"),
        pytest.param(b"", 1, id="emptied"),
    ],
)
def test_a_pattern_that_went_missing_is_missing_where_it_stood(after: bytes, line: int) -> None:
    oracle = AssertionExists(path="tests/test_calc.py", pattern=Pattern(r"assert add\(1, 2\)"))
    [found] = findings(oracle, trial(BEFORE, {"tests/test_calc.py": after}))
    assert (found.path, found.line) == ("tests/test_calc.py", line)
