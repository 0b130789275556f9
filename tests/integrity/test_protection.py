"""Files of which the base's version stands in a workspace."""

import pytest

from gate.integrity.protection import Ground, Restored, clause, difference, restored
from gate.oracle import Oracle
from gate.oracles.all_of import AllOf
from gate.oracles.file_not_modified import FileNotModified
from gate.oracles.run_command import RunCommand
from gate.oracles.test_must_pass import TestMustPass as MustPass
from gate.task import Revision, State, Task
from gate.tree import EXECUTABLE, SUBMODULE, SYMLINK, MemoryTree

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
        pytest.param(head(sub=b"1" * 40), ["sub"], [], [("sub", BASE.read("sub"))], id="a submodule's commit"),
        pytest.param(head(sub=b"1" * 40), [], [], [], id="a submodule that nobody protects"),
        pytest.param(head(sub=None), ["sub"], [], [], id="a submodule that is gone"),
    ],
)
def test_what_is_put_back(
    after: MemoryTree, patterns: list[str], named: list[str], expected: list[tuple[str, bytes | None]]
) -> None:
    task = task_of(*(FileNotModified(path=path) for path in named))
    found = restored(patterns, task, Ground(base=BASE, head=after))
    assert [(item.path, item.data) for item in found] == expected


def task_of(*oracles: Oracle) -> Task:
    return Task(id="t", workspace=Revision("base"), oracles=oracles, state=State.HEAD)


def put_back(base: MemoryTree, head: MemoryTree, *oracles: Oracle, folder: str = "") -> dict[str, bytes | None]:
    found = restored([], task_of(*oracles), Ground(base=base, head=head, folder=folder))
    return {item.path: item.data for item in found}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param(
            "pytest app/tests/deep/test_a.py",
            {"app/tests/__init__.py": b"1", "app/tests/deep/__init__.py": None},
            id="the packages of a test that is named",
        ),
        pytest.param("pytest app/tests", {}, id="a folder names no test"),
        pytest.param("python -m app.main", {}, id="no test"),
    ],
)
def test_packages_of_tests_run_before_them(command: str, expected: dict[str, bytes | None]) -> None:
    product = {"app/__init__.py": b"1", "app/main.py": b"1", "app/tests/__init__.py": b"1"}
    base = MemoryTree({**product, "app/tests/deep/test_a.py": b"1"})
    after = {**dict.fromkeys(product, b"2"), "app/tests/deep/test_a.py": b"1", "app/tests/deep/__init__.py": b"2"}
    assert put_back(base, MemoryTree(after), MustPass(command=command)) == expected


@pytest.mark.parametrize(
    ("patterns", "product", "expected"),
    [
        pytest.param([], set(), {"run.sh": b"1"}, id="put back"),
        pytest.param(["!run.sh"], set(), {}, id="taken back by the policy"),
        pytest.param([], {"run.sh"}, {}, id="what the scope names"),
    ],
)
def test_scripts_that_judge(patterns: list[str], product: set[str], expected: dict[str, bytes | None]) -> None:
    base = MemoryTree({"run.sh": b"1", "app.py": b"1"})
    after = MemoryTree({"run.sh": b"2", "app.py": b"2", "new.sh": b"2"})
    ground = Ground(base=base, head=after, product=frozenset(product))
    task = task_of(RunCommand(command="sh run.sh && python app.py && sh new.sh"))
    assert {item.path: item.data for item in restored(patterns, task, ground)} == expected


def test_the_mode_comes_back_too() -> None:
    [item] = restored(["run"], task_of(), Ground(base=BASE, head=head(run=b"evil")))
    assert (item.data, item.mode) == (b"base\n", EXECUTABLE)


SUITE = MemoryTree(
    dict.fromkeys(
        ["tests/test_a.py", "tests/test_b.py", "deep/tests/test_a.py", "deep/plugin.py", "ci.ini", "Makefile"], b"1"
    )
)
EDITED = MemoryTree(dict.fromkeys(SUITE.paths(), b"2"))


@pytest.mark.parametrize(
    ("oracle", "folder", "expected"),
    [
        (MustPass(command="python -m pytest tests/test_a.py::test_x -q"), "", {"tests/test_a.py"}),
        (MustPass(command="pytest ./tests/../tests/test_a.py ../x /etc/passwd"), "", {"tests/test_a.py"}),
        (MustPass(command="pytest test_a.py"), "tests", {"tests/test_a.py"}),
        (MustPass(command="pytest tests/test_*.py"), "", {"tests/test_a.py", "tests/test_b.py"}),
        (MustPass(command="cd deep && pytest tests/test_a.py"), "", {"tests/test_a.py", "deep/tests/test_a.py"}),
        (MustPass(command="cd tests && pytest test_b.py"), "", {"tests/test_b.py"}),
        (MustPass(command="python -m unittest tests.test_a"), "", {"tests/test_a.py"}),
        (MustPass(command="pytest -c ci.ini"), "", {"ci.ini"}),
        (MustPass(command="mypy --config-file=ci.ini"), "", {"ci.ini"}),
        (MustPass(command="tox --conf ci.ini"), "", {"ci.ini"}),
        (MustPass(command="make -f ci.ini"), "", {"ci.ini"}),
        (MustPass(command="rm -f ci.ini"), "", set()),
        (MustPass(command="node --import=./ci.ini a.js"), "", {"ci.ini"}),
        (MustPass(command="pytest -p deep.plugin"), "", {"deep/plugin.py"}),
        (MustPass(command="mkdir -p deep/plugin.py"), "", set()),
        (
            MustPass(command="bash -c 'cd deep && pytest tests/test_a.py'"),
            "",
            {"tests/test_a.py", "deep/tests/test_a.py"},
        ),
        (RunCommand(command="pytest test_b.py", sub_path="tests"), "", {"tests/test_b.py"}),
        (RunCommand(command="python", args=("-m", "pytest", "tests/test_b.py")), "", {"tests/test_b.py"}),
        (AllOf(oracles=(MustPass(command="pytest tests/test_a.py"),)), "", {"tests/test_a.py"}),  # type: ignore[arg-type]
        (AllOf(oracles=(FileNotModified(path="tests/**"),)), "", {"tests/test_a.py", "tests/test_b.py"}),  # type: ignore[arg-type]
        (MustPass(command="pytest tests"), "", set()),
        (MustPass(command="echo 'open"), "", set()),
        (MustPass(command="grep -q right ci.ini"), "", set()),
    ],
    ids=lambda value: getattr(value, "command", None),
)
def test_tests_that_a_command_names(oracle: Oracle, folder: str, expected: set[str]) -> None:
    assert set(put_back(SUITE, EDITED, oracle, folder=folder)) - {"Makefile"} == expected


@pytest.mark.parametrize(
    "path",
    [
        *("GNUmakefile", "makefile", "deep/pytest.toml", "calc.egg-info/entry_points.txt", "pytest.py", "sub/evil.pth"),
        *("tests/__pycache__/test_a.cpython-311.pyc", "sitecustomize/__init__.py", "web/.npmrc", ".cargo/config.toml"),
        *("deep/Makefile", "deep/pytest.py", "node_modules/a/index.js", "x/babel.config.js", "pluggy/__init__.py"),
        *("iniconfig/parsing.py", "_pytest.cpython-311-x86_64-linux-gnu.so", "deep/pluggy.so", "ci.mk", "taskfile.yml"),
        *("Taskfile.dist.yaml", "gulpfile.js", "unittest.cfg", "a/nose2.cfg", "noxfile.py", "tox.toml", "behave.ini"),
        *(
            "phpunit.dist.xml",
            "a/phpunit.xml.dist",
            "nyc.config.js",
            ".pnpmfile.cjs",
            ".pnp.cjs",
            ".yarn/releases/y.cjs",
        ),
        *("bunfig.toml", "rust-toolchain.toml", "rust-toolchain", "a/.config/nextest.toml", ".mocharc", ".mocharc.cjs"),
        *("spec/support/jasmine.json", "web/spec/support/jasmine.mjs", ".taprc", "ava.config.mjs", "karma.conf.js"),
        *(
            "playwright.config.ts",
            "cypress.config.ts",
            "cypress/support/e2e.js",
            "web-test-runner.config.mjs",
            ".rspec",
        ),
        *(
            "spec/spec_helper.rb",
            "spec/rails_helper.rb",
            "test/test_helper.rb",
            "rakefile",
            "Rakefile.rb",
            "turbo.json",
        ),
        *("vitest.setup.ts", "jest.setup.js", "src/setupTests.js", ".venv/bin/pytest", ".tox/py/bin/python", "gradlew"),
    ],
)
def test_what_is_loaded_without_being_asked_for_is_taken_away(path: str) -> None:
    base = MemoryTree({"a": b"1"})
    assert put_back(base, MemoryTree({"a": b"2", path: b"evil"}), folder="deep") == {path: None}


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("cd web && make test", "web/Makefile"),
        ("make -C web test", "web/GNUmakefile"),
        ("npm --prefix web test", "web/gulpfile.js"),
        ("uv run --directory web pytest", "web/pytest/__init__.py"),
        ("cargo test --manifest-path web/Cargo.toml", "web/Makefile"),
        ("cd web && python -m tox", "web/tox.py"),
        ("python -m tox", "tox/__init__.py"),
        ("cd web && python -m coverage run -m unittest", "web/coverage/__init__.py"),
        ("python -m checker", "checker.py"),
        ("inv test", "tasks.py"),
    ],
)
def test_what_is_loaded_where_a_command_starts(command: str, path: str) -> None:
    base, after = MemoryTree({"a": b"1"}), MemoryTree({"a": b"1", path: b"evil"})
    ground = Ground(base=base, head=after, installed=lambda name: name == "checker")
    assert [item.path for item in restored([], task_of(MustPass(command=command)), ground)] == [path]
    assert not restored([f"!{path}"], task_of(MustPass(command=command)), ground)
    assert put_back(base, after, MustPass(command="true")) == {}


@pytest.mark.parametrize(
    ("path", "command"),
    [("src/Makefile", "make"), ("greeter.py", "python -m greeter"), ("packaging/control", "pytest")],
)
def test_what_is_the_work_itself_is_left_alone(path: str, command: str) -> None:
    without, brought, edited = MemoryTree({"a": b""}), MemoryTree({"a": b"", path: b"1"}), MemoryTree({path: b"2"})
    assert put_back(without, brought, MustPass(command=command)) == {}
    assert put_back(brought, edited, MustPass(command=command)) == {}


PACKAGE = b'{"devDependencies": {"vitest": "^3"}}'


@pytest.mark.parametrize(
    ("files", "command", "protected"),
    [
        pytest.param({}, "npx vitest run", True, id="started"),
        pytest.param({"package.json": PACKAGE}, "npm test", True, id="a script may start it"),
        pytest.param({"web/package.json": PACKAGE}, "make test", True, id="the package of the file"),
        pytest.param({"package.json": b"{}"}, "npm test", False, id="a package without it"),
        pytest.param({"other/package.json": PACKAGE}, "npm test", False, id="another package"),
        pytest.param({"package.json": PACKAGE}, "python -m pytest", False, id="another command"),
    ],
)
def test_vitest_reads_the_configuration_of_vite(files: dict[str, bytes], command: str, *, protected: bool) -> None:
    base, after = (MemoryTree({**files, "web/vite.config.ts": data}) for data in (b"1", b"2"))
    assert put_back(base, after, MustPass(command=command)) == ({"web/vite.config.ts": b"1"} if protected else {})


def test_patterns_of_the_policy_are_relative_to_the_manifest() -> None:
    base, after = (MemoryTree(dict.fromkeys(["golden/x", "deep/golden/x"], data)) for data in (b"1", b"2"))
    found = restored(["golden/**"], task_of(), Ground(base=base, head=after, folder="deep"))
    assert [item.path for item in found] == ["deep/golden/x"]


@pytest.mark.parametrize("mode", [SYMLINK, SUBMODULE], ids=["link", "submodule"])
@pytest.mark.parametrize("path", ["pyproject.toml", "pytest.ini"])
def test_what_is_no_file_does_not_stand_for_one(path: str, mode: int) -> None:
    file, other = MemoryTree({path: b"[a]\n"}), MemoryTree({path: b"a=1"}, modes={path: mode})
    assert put_back(file, other) == {path: b"[a]\n"}
    if mode == SYMLINK or path == "pytest.ini":
        assert put_back(MemoryTree({}), other) == {path: None}


def test_a_clause_says_how_the_workspace_differs() -> None:
    edited, brought = Restored(path="a", data=b"x"), Restored(path="b", data=None)
    assert clause([]) == ""
    assert clause([edited]) == "with the base's version of a"
    assert clause([brought]) == "without b, which the change brings"
    assert clause([edited, edited]) == "with the base's version of a and 1 more"
    assert clause([Restored(path="a", data=b"x", part=True), brought]) == (
        "without b, which the change brings, and with the base's settings in a"
    )


def test_the_difference_of_a_submodule_is_its_commit() -> None:
    item = Restored(path="sub", data=b"1" * 40, mode=SUBMODULE)
    after = MemoryTree({"sub": b"2" * 40}, modes={"sub": SUBMODULE})
    assert difference(item, after) == (None, f"-Subproject commit {'1' * 40}\n+Subproject commit {'2' * 40}")


def test_a_large_difference_is_told_where_it_lies() -> None:
    lines = [b"%d\n" % number for number in range(100_000)]
    after = MemoryTree({"a": b"".join([*lines[:70_000], b"evil\n", *lines[70_001:]])})
    line, told = difference(Restored(path="a", data=b"".join(lines)), after)
    assert line == 70_001
    assert told == ("@@ -69998,7 +69998,7 @@\n 69997\n 69998\n 69999\n-70000\n+evil\n 70001\n 70002\n 70003")


def test_of_very_much_that_differs_the_first_lines_are_told() -> None:
    after = MemoryTree({"a": b"same\n" + b"new\n" * 5_000})
    line, told = difference(Restored(path="a", data=b"same\n" + b"old\n" * 5_000), after)
    assert line == 2
    head, *rest = told.split("\n")
    assert head == "@@ -2 +2 @@ the first lines of many that differ"
    assert rest == ["-old"] * 20 + ["+new"] * 20


@pytest.mark.parametrize(
    ("item", "line", "told"),
    [
        pytest.param(
            Restored(path="a", data=b"1\n2\n3\n4\n"), 3, "@@ -1,4 +1,4 @@\n 1\n 2\n-3\n+evil\n 4", id="edited"
        ),
        pytest.param(Restored(path="a", data=None), 1, "@@ -0,0 +1,4 @@\n+1\n+2\n+evil\n+4", id="brought"),
        pytest.param(Restored(path="b", data=b"1\n"), None, "@@ -1 +0,0 @@\n-1", id="deleted"),
        pytest.param(Restored(path="a", data=b"\0"), None, "no text: 1 bytes before, 11 bytes now", id="no text"),
        pytest.param(
            Restored(path="a", data=b"1\n2\nevil\n4\n", mode=0o100755),
            None,
            "old mode 100755\nnew mode 100644\n",
            id="mode",
        ),
        pytest.param(Restored(path="long", data=b"y\n"), 1, f"@@ -1 +1 @@\n-y\n+{'x' * 1999}…", id="a very long line"),
    ],
)
def test_the_difference_is_told(item: Restored, line: int | None, told: str) -> None:
    after = MemoryTree({"a": b"1\n2\nevil\n4\n", "long": b"x" * 3000 + b"\n"})
    assert difference(item, after) == (line, told)
