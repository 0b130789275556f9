"""`file_exists` and `file_not_exists`: what is there, what is not, and what a path may be."""

from collections.abc import Mapping

import pytest

from gate.errors import CannotJudge
from gate.grading.content import Existence
from gate.oracles.file_exists import FileExists
from gate.oracles.file_not_exists import FileNotExists
from gate.tree import SUBMODULE, SYMLINK, MemoryTree
from tests.oracles.trials import evidence, findings, trial

TREE = MemoryTree(
    {
        "add.test.js": b"",
        "utils.test.js": b"",
        "src/a.ts": b"",
        "src/deep/b.ts": b"",
        "output/x.json": b"",
        ".env": b"",
        "app/[id]/page.tsx": b"",
        "link": b"src",
        "out": b"/etc",
        "sub": b"0" * 40,
    },
    modes={"link": SYMLINK, "out": SYMLINK, "sub": SUBMODULE},
)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param("add.test.js", "There is add.test.js", id="file"),
        pytest.param("./add.test.js", "There is ./add.test.js: add.test.js", id="dot slash"),
        pytest.param("*.test.js", "There is *.test.js: add.test.js, utils.test.js", id="glob"),
        pytest.param("src/**/*.ts", "There is src/**/*.ts: src/a.ts, src/deep/b.ts", id="any depth"),
        pytest.param("output/*.{json,txt}", "There is output/*.{json,txt}: output/x.json", id="one of several"),
        pytest.param("*.e?v", "There is *.e?v: .env", id="name with a dot first"),
        pytest.param("src", "There is src", id="folder"),
        pytest.param("src/", "There is src/: src", id="folder with its slash"),
        pytest.param("s*/", "There is s*/: src", id="folders alone"),
        pytest.param("app/[id]/page.tsx", "There is app/[id]/page.tsx", id="called just so"),
        pytest.param("link", "There is link", id="link"),
        pytest.param("link/a.ts", "There is link/a.ts", id="through a link"),
        pytest.param("out", "There is out", id="a link that leads out"),
        pytest.param("sub", "There is sub", id="submodule"),
    ],
)
def test_what_is_there(path: str, message: str) -> None:
    [shown] = evidence(FileExists(path=path), trial(TREE))
    assert shown.message == message
    assert findings(FileNotExists(path=path), trial(TREE)) != []


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("gone.js", id="file"),
        pytest.param("*.py", id="glob"),
        pytest.param("Add.test.js", id="case"),
        pytest.param("src/*.js", id="other suffix"),
        pytest.param("*/b.ts", id="a star stays in its folder"),
        pytest.param("add.test.js/", id="no folder"),
    ],
)
def test_what_is_not_there(path: str) -> None:
    [found] = findings(FileExists(path=path), trial(TREE))
    assert (found.message, found.kind) == (f"There is no file {path}", "file_missing")
    [shown] = evidence(FileNotExists(path=path), trial(TREE))
    assert shown.message == f"There is no file {path}"


def test_each_file_that_must_not_be_there_is_named() -> None:
    found = findings(FileNotExists(path="*.test.js"), trial(TREE))
    assert [(one.message, one.path) for one in found] == [
        ("File must not be there: add.test.js (it matches *.test.js)", "add.test.js"),
        ("File must not be there: utils.test.js (it matches *.test.js)", "utils.test.js"),
    ]
    [alone] = findings(FileNotExists(path=".env"), trial(TREE))
    assert alone.message == "File must not be there: .env"


def test_many_files_are_counted() -> None:
    found = findings(FileNotExists(path="*"), trial({f"{number:02}.tmp": b"" for number in range(25)}))
    assert (len(found), found[-1].message) == (21, "5 more files match *")


def test_it_is_the_end_that_is_looked_at() -> None:
    changes: Mapping[str, bytes | None] = {"new.js": b"", "add.test.js": None}
    assert evidence(FileExists(path="new.js"), trial(TREE, changes))
    assert evidence(FileNotExists(path="add.test.js"), trial(TREE, changes))


@pytest.mark.parametrize(
    ("oracle", "untouched"),
    [
        pytest.param(FileExists(path="x"), False, id="exists"),
        pytest.param(FileExists(path="x", negate=True), True, id="exists, negated"),
        pytest.param(FileNotExists(path="x"), True, id="not exists"),
        pytest.param(FileNotExists(path="x", negate=True), False, id="not exists, negated"),
    ],
)
def test_whether_it_holds_untouched(oracle: Existence, untouched: bool) -> None:
    assert oracle.holds_untouched is untouched
    assert bool(evidence(oracle, trial({} if untouched else {"x": b""}))) is True


@pytest.mark.parametrize(
    ("path", "message", "kind"),
    [
        pytest.param("../x", "`path`: '../x' leads out of the workspace", "path_escape", id="out"),
        pytest.param("../*", "`path`: '../*' leads out of the workspace", "path_escape", id="glob out"),
        pytest.param(
            "/etc/passwd",
            "`path`: '/etc/passwd' is absolute; expected a path inside the workspace",
            "path_absolute",
            id="absolute",
        ),
        pytest.param(
            "{1..9999}",
            "`path`: the glob '{1..9999}' cannot be used: Pattern limit exceeded the limit of 1000",
            "glob",
            id="too many alternatives",
        ),
    ],
)
def test_a_path_that_cannot_be_looked_up(path: str, message: str, kind: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        findings(FileExists(path=path), trial(TREE))
    assert (caught.value.message, caught.value.kind) == (message, kind)


def test_a_path_must_be_one() -> None:
    with pytest.raises(ValueError, match="Expected `path` to name a file or a glob"):
        FileExists(path=" ")
