"""Files of which the base's version stands in a workspace."""

import pytest

from gate.integrity.protection import Restored, difference, named_tests, restored
from gate.tree import EXECUTABLE, SUBMODULE, MemoryTree

BASE = MemoryTree(
    {
        "conftest.py": b"base\n",
        "deep/conftest.py": b"base\n",
        "tests/test_a.py": b"base\n",
        "Makefile": b"base\n",
        "src/Makefile": b"base\n",
        "package.json": b'{"name": "a", "scripts": {"test": "jest"}}',
        "run": b"base\n",
        "sub": b"0" * 40,
    },
    modes={"run": EXECUTABLE, "sub": SUBMODULE},
)


def head(**changes: bytes | None) -> MemoryTree:
    files = {path: BASE.read(path) for path in BASE.paths()} | {
        name.replace("__", "/").replace("_dot_", "."): data for name, data in changes.items() if data is not None
    }
    gone = {name.replace("__", "/").replace("_dot_", ".") for name, data in changes.items() if data is None}
    modes = {path: BASE.mode(path) or 0 for path in BASE.paths()}
    return MemoryTree({path: data for path, data in files.items() if path not in gone}, modes=modes)


@pytest.mark.parametrize(
    ("after", "patterns", "named", "expected"),
    [
        pytest.param(head(), [], [], [], id="nothing changed"),
        pytest.param(head(conftest_dot_py=b"evil"), [], [], [("conftest.py", b"base\n")], id="edited"),
        pytest.param(head(tests__conftest_dot_py=b"evil"), [], [], [("tests/conftest.py", None)], id="added"),
        pytest.param(head(deep__conftest_dot_py=None), [], [], [("deep/conftest.py", b"base\n")], id="deleted"),
        pytest.param(head(pytest_dot_py=b"evil"), [], [], [("pytest.py", None)], id="in the place of a module"),
        pytest.param(head(tests__test_a_dot_py=b"evil"), [], [], [], id="a test that nobody names"),
        pytest.param(
            head(tests__test_a_dot_py=b"evil"), [], ["tests/test_a.py"], [("tests/test_a.py", b"base\n")], id="named"
        ),
        pytest.param(
            head(tests__test_a_dot_py=b"evil"), ["tests/**"], [], [("tests/test_a.py", b"base\n")], id="by the policy"
        ),
        pytest.param(
            head(Makefile=b"evil", src__Makefile=b"x"), [], [], [("Makefile", b"base\n")], id="at the top alone"
        ),
        pytest.param(head(Makefile=b"evil"), ["!Makefile"], [], [], id="taken back"),
        pytest.param(
            head(package_dot_json=b'{"name": "b", "scripts": {"test": "true"}}'),
            [],
            [],
            [("package.json", b'{\n  "name": "b",\n  "scripts": {\n    "test": "jest"\n  }\n}\n')],
            id="settings of a runner",
        ),
        pytest.param(
            head(package_dot_json=b'{"name": "b", "scripts": {"test": "jest"}}'), [], [], [], id="no settings"
        ),
        pytest.param(head(package_dot_json=b'{"scripts": {}}'), ["!package.json"], [], [], id="settings taken back"),
        pytest.param(head(sub=b"1" * 40), ["sub"], [], [], id="a submodule"),
    ],
)
def test_what_is_put_back(
    after: MemoryTree, patterns: list[str], named: list[str], expected: list[tuple[str, bytes | None]]
) -> None:
    assert [(item.path, item.data) for item in restored(patterns, named, base=BASE, head=after)] == expected


def test_the_mode_comes_back_too() -> None:
    [item] = restored(["run"], [], base=BASE, head=head(run=b"evil"))
    assert (item.data, item.mode) == (b"base\n", EXECUTABLE)


@pytest.mark.parametrize(
    ("command", "folder", "expected"),
    [
        ("python -m pytest tests/test_a.py::test_x -q", "", ["tests/test_a.py"]),
        ("pytest ./tests/../tests/test_a.py ../x /etc/passwd", "", ["tests/test_a.py"]),
        ("pytest test_a.py", "tests", ["tests/test_a.py"]),
        ("pytest tests", "", []),
        ("echo 'open", "", []),
        ("grep -q right Makefile package.json run deep/conftest.py", "", []),
    ],
)
def test_tests_that_a_command_names(command: str, folder: str, expected: list[str]) -> None:
    assert list(named_tests(command, BASE, folder)) == expected


def test_the_difference_is_told() -> None:
    after = MemoryTree({"a": b"1\n2\nevil\n4\n"})
    assert difference(Restored(path="a", data=b"1\n2\n3\n4\n"), after) == (3, "-3\n+evil")
    assert difference(Restored(path="a", data=None), after) == (1, "+1\n+2\n+evil\n+4")
    assert difference(Restored(path="b", data=b"1\n"), after) == (None, "-1")
    assert difference(Restored(path="a", data=b"\0"), after) == (None, "")
