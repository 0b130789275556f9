"""`file_contains`, `file_matches` and what is their opposite: texts and patterns that stand in files, and that do not."""

import pytest

from gate.errors import CannotJudge, PathRefused
from gate.grading.content import Contents
from gate.oracles.file_contains import FileContains
from gate.oracles.file_matches import FileMatches
from gate.oracles.file_not_contains import FileNotContains
from gate.oracles.file_not_matches import FileNotMatches
from gate.patterns.jsregex import JsPattern
from gate.tree import SUBMODULE, SYMLINK, MemoryTree
from tests.oracles.trials import evidence, findings, trial

TREE = MemoryTree(
    {
        "src/Program.cs": b"class P {\n    static int Add(int a) => a;\n}\n",
        "src/Other.cs": b"class O { }\n",
        "latin": b"caf\xe9",
        "link": b"src/Other.cs",
        "src/out": b"/etc/passwd",
        "sub": b"0" * 40,
    },
    modes={"link": SYMLINK, "src/out": SYMLINK, "sub": SUBMODULE},
)


@pytest.mark.parametrize(
    ("oracle", "message", "line"),
    [
        pytest.param(
            FileContains(path="src/Program.cs", value="static int"),
            "src/Program.cs contains 'static int'",
            2,
            id="text",
        ),
        pytest.param(FileContains(path="**", value="class O"), "link contains 'class O'", 1, id="the first of many"),
        pytest.param(FileContains(path="link", value="class O"), "link contains 'class O'", 1, id="through a link"),
        pytest.param(FileContains(path="latin", value="caf\ufffd"), "latin contains 'caf\ufffd'", 1, id="not UTF-8"),
        pytest.param(
            FileMatches(path="**/Program.cs", pattern=JsPattern(r"static\s+\w+\s+Add\(")),
            r"src/Program.cs matches 'static\\s+\\w+\\s+Add\\('",
            2,
            id="pattern",
        ),
        pytest.param(
            FileMatches(path="src/*.cs", pattern=JsPattern("(?im)^CLASS p")),
            "src/Program.cs matches '(?im)^CLASS p'",
            1,
            id="flags",
        ),
        pytest.param(
            FileNotContains(path="src/*.cs", value="null!"),
            "None of the 2 files that match src/*.cs contains 'null!'",
            None,
            id="in none",
        ),
        pytest.param(
            FileNotContains(path="latin", value="x"), "latin does not contain 'x'", None, id="not in the only one"
        ),
        pytest.param(
            FileNotMatches(path="*.py", pattern=JsPattern("x")),
            "There is no file *.py, so none matches 'x'",
            None,
            id="no file",
        ),
        pytest.param(
            FileNotMatches(path="latin", pattern=JsPattern("caf"), negate=True),
            "latin matches 'caf'",
            1,
            id="turned twice",
        ),
    ],
)
def test_what_passes(oracle: Contents, message: str, line: int | None) -> None:
    [shown] = evidence(oracle, trial(TREE))
    assert (shown.message, shown.line) == (message, line)


@pytest.mark.parametrize(
    ("oracle", "message", "path", "kind"),
    [
        pytest.param(
            FileContains(path="src/Other.cs", value="CLASS"),
            "src/Other.cs does not contain 'CLASS'",
            "src/Other.cs",
            "content_missing",
            id="case",
        ),
        pytest.param(
            FileContains(path="src/*.cs", value="x" * 200),
            f"None of the 2 files that match src/*.cs contains '{'x' * 100}…'",
            None,
            "content_missing",
            id="in none",
        ),
        pytest.param(FileContains(path="src", value="x"), "There is no file src", None, "file_missing", id="folder"),
        pytest.param(FileContains(path="*.py", value="x"), "There is no file *.py", None, "file_missing", id="no file"),
        pytest.param(FileContains(path="sub", value="0"), "There is no file sub", None, "file_missing", id="submodule"),
        pytest.param(
            FileMatches(path="src/Other.cs", pattern=JsPattern("^ ")),
            "src/Other.cs does not match '^ '",
            "src/Other.cs",
            "content_missing",
            id="pattern",
        ),
        pytest.param(
            FileContains(path="latin", value="caf", negate=True),
            "latin contains 'caf'",
            "latin",
            "content_forbidden",
            id="negated",
        ),
    ],
)
def test_what_fails(oracle: Contents, message: str, path: str | None, kind: str) -> None:
    [found] = findings(oracle, trial(TREE))
    assert (found.message, found.path, found.kind) == (message, path, kind)


def test_each_file_in_which_it_stands_is_named() -> None:
    found = findings(FileNotMatches(path="src/**", pattern=JsPattern(r"(?m)^class (\w)")), trial(TREE))
    assert [(one.message, one.path, one.line) for one in found] == [
        (r"src/Other.cs matches '(?m)^class (\\w)'", "src/Other.cs", 1),
        (r"src/Program.cs matches '(?m)^class (\\w)'", "src/Program.cs", 1),
    ]


@pytest.mark.parametrize("kind", [FileMatches, FileNotMatches])
def test_a_pattern_that_is_not_valid_is_an_error_before_any_file_is_looked_for(kind: type[FileMatches]) -> None:
    with pytest.raises(CannotJudge) as caught:
        findings(kind(path="gone", pattern=JsPattern("(?<=a")), trial({}))
    assert caught.value.message == (
        "the pattern '(?<=a' is not a valid regular expression of JavaScript: a `(` without its `)` at character 1"
    )


def test_a_link_out_of_the_workspace_is_not_read() -> None:
    with pytest.raises(PathRefused, match="the link 'src/out' leads out of the workspace, to '/etc/passwd'"):
        findings(FileNotContains(path="src/out", value="root"), trial(TREE))
    assert evidence(FileNotContains(path="src/*", value="root"), trial(TREE))


@pytest.mark.parametrize(
    ("oracle", "untouched"),
    [
        pytest.param(FileContains(path="x", value="y"), False, id="contains"),
        pytest.param(FileContains(path="x", value="y", negate=True), True, id="contains, negated"),
        pytest.param(FileNotContains(path="x", value="y"), True, id="not contains"),
        pytest.param(FileMatches(path="x", pattern=JsPattern("y")), False, id="matches"),
        pytest.param(FileNotMatches(path="x", pattern=JsPattern("y")), True, id="not matches"),
    ],
)
def test_whether_it_holds_untouched(oracle: Contents, untouched: bool) -> None:
    assert oracle.holds_untouched is untouched
    assert bool(findings(oracle, trial({}))) is not untouched


def test_a_submodule_has_no_text() -> None:
    assert evidence(FileNotContains(path="s*", value="000"), trial(TREE))


def test_an_empty_text_is_refused() -> None:
    with pytest.raises(ValueError, match="Expected `value` not to be empty: every file contains the empty text"):
        FileContains(path="x", value="")
