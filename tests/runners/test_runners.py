"""Every test runner, started for real: what passes, what fails, what says nothing, and what is captured."""

import contextlib
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from gate.catalogue import Catalogue
from gate.document import DocumentError, parse
from gate.errors import CannotJudge
from gate.grading.witness import before_main, calls, canary, find, known
from gate.oracle import Trial
from gate.oracles.test_must_pass import TestMustPass as MustPass
from gate.report import Evidence, Finding
from gate.tree import MemoryTree
from tests.oracles.trials import trial

NODE_MODULES = Path(__file__).parent.parent / "node" / "node_modules"


class Project(NamedTuple):
    """A small project with two tests, of which one is skipped: its command, and the ways it can go wrong."""

    runner: str
    command: str
    files: Mapping[str, str]
    wrong: Mapping[str, str]
    """Files with which a test fails."""
    fewer: Mapping[str, str]
    """Files with one test less."""
    leaves: Mapping[str, str]
    """Files with which the process ends well before a test was run."""
    needs: str = ""


_PYTHON = Project(
    runner="unittest",
    command=f"{sys.executable} -m unittest -q",
    files={
        "calc.py": "def add(a, b):\n    return a + b\n",
        "test_calc.py": "import unittest\nfrom calc import add\n\n\nclass Calc(unittest.TestCase):\n"
        "    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n\n"
        "    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n\n"
        "    @unittest.skip('slow')\n    def test_slow(self):\n        raise AssertionError\n\n\n"
        "if __name__ == '__main__':\n    unittest.main()\n",
    },
    wrong={"calc.py": "def add(a, b):\n    return a - b\n"},
    fewer={
        "test_calc.py": "import unittest\nfrom calc import add\n\n\nclass Calc(unittest.TestCase):\n"
        "    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n"
    },
    leaves={"calc.py": "import os\nos._exit(0)\n"},
)
_JS = "test('adds', () => assert.equal(add(1, 2), 3))\ntest('zero', () => assert.equal(add(0, 0), 0))\n"
_NODE_HEAD = "import test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './calc.mjs'\n"
_NODE = Project(
    runner="node",
    command="node --test",
    files={
        "calc.mjs": "export const add = (a, b) => a + b\n",
        "calc.test.mjs": f"{_NODE_HEAD}{_JS}test.skip('slow', () => {{ throw new Error() }})\n",
    },
    wrong={"calc.mjs": "export const add = (a, b) => a - b\n"},
    fewer={"calc.test.mjs": f"{_NODE_HEAD}test('adds', () => assert.equal(add(1, 2), 3))\n"},
    leaves={"calc.test.mjs": "import './calc.mjs'\n", "calc.mjs": "process.exit(0)\n"},
    needs="node",
)
_JEST_HEAD = "const { add } = require('./calc')\n"
_JEST_TEST = "test('adds', () => expect(add(1, 2)).toBe(3))\n"
_JEST = Project(
    runner="jest",
    command=f"node {NODE_MODULES}/jest/bin/jest.js --silent",
    files={
        "package.json": "{}",
        "calc.js": "exports.add = (a, b) => a + b\n",
        "calc.test.js": f"{_JEST_HEAD}{_JEST_TEST}test('zero', () => expect(add(0, 0)).toBe(0))\ntest.skip('slow', () => {{}})\n",
    },
    wrong={"calc.js": "exports.add = (a, b) => a - b\n"},
    fewer={"calc.test.js": f"{_JEST_HEAD}{_JEST_TEST}"},
    leaves={"jest.config.js": "process.exit(0)\n"},
    needs="node",
)
_GO_HEAD = (
    'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal()\n\t}\n}\n'
)
_GO = Project(
    runner="go",
    command="go test ./...",
    files={
        "go.mod": "module example.org/calc\n\ngo 1.19\n",
        "calc.go": "package calc\n\nfunc Add(a, b int) int { return a + b }\n",
        "calc_test.go": f'{_GO_HEAD}\nfunc TestZero(t *testing.T) {{}}\n\nfunc TestSlow(t *testing.T) {{ t.Skip("slow") }}\n',
    },
    wrong={"calc.go": "package calc\n\nfunc Add(a, b int) int { return a - b }\n"},
    fewer={"calc_test.go": _GO_HEAD},
    leaves={
        "calc_test.go": 'package calc\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n'
    },
    needs="go",
)
_RUST_HEAD = "pub fn add(a: i32, b: i32) -> i32 { a + b }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n"
_RUST_TEST = "    #[test]\n    fn adds() { assert_eq!(add(1, 2), 3); }\n"
_RUST_REST = "    #[test]\n    fn zero() { assert_eq!(add(0, 0), 0); }\n    #[test]\n    #[ignore]\n    fn slow() { panic!(); }\n}\n"
_CARGO = Project(
    runner="cargo",
    command="cargo test --offline",
    files={
        "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": f"{_RUST_HEAD}{_RUST_TEST}{_RUST_REST}",
    },
    wrong={"src/lib.rs": f"{_RUST_HEAD}{_RUST_TEST}{_RUST_REST}".replace("a + b", "a - b")},
    fewer={"src/lib.rs": f"{_RUST_HEAD}{_RUST_TEST}}}\n"},
    leaves={"src/lib.rs": f"{_RUST_HEAD}    #[test]\n    fn adds() {{ std::process::exit(0) }}\n}}\n"},
    needs="cargo",
)
_PYTEST = _PYTHON._replace(runner="pytest", command=f"{sys.executable} -m pytest -q -p no:cacheprovider")
PROJECTS = [_PYTEST, _PYTHON, _NODE, _JEST, _GO, _CARGO]


@pytest.fixture(params=PROJECTS, ids=[project.runner for project in PROJECTS])
def project(request: pytest.FixtureRequest) -> Project:
    found: Project = request.param
    if found.needs and shutil.which(found.needs) is None:
        pytest.skip(f"needs {found.needs}")
    if found.runner == "jest" and not (NODE_MODULES / "jest").is_dir():
        pytest.skip("needs `npm ci` in tests/node")
    return found


def judged(project: Project, changes: Mapping[str, str], *, canary: bool = False) -> list[Finding | Evidence]:
    oracle = MustPass(command=project.command, report=project.runner, canary=canary)
    return list(oracle.judge(given(project, changes)))


def given(project: Project, changes: Mapping[str, str]) -> Trial:
    files = {name: text.encode() for name, text in project.files.items()}
    return trial(files, {name: text.encode() for name, text in changes.items()})


def messages(seen: list[Finding | Evidence]) -> list[str]:
    return [one.message for one in seen]


def test_every_runner_has_a_project() -> None:
    assert sorted(project.runner for project in PROJECTS) == sorted(known())


def test_a_run_that_passes(project: Project) -> None:
    seen = judged(project, {"README": "x"}, canary=True)
    assert all(isinstance(one, Evidence) for one in seen), seen
    told = messages(seen)
    assert told[0] == f"Command passed: {project.command}"
    assert told[1:3] == [f"{project.runner} ran 2 tests, and its report agrees", "2 tests ran before the change"]
    assert told[3].startswith("A failing test planted in ")
    assert len(told) == 4


def test_a_run_that_fails(project: Project) -> None:
    [found] = judged(project, project.wrong)
    assert isinstance(found, Finding)
    assert found.kind == "command_failed"


def test_a_run_with_fewer_tests(project: Project) -> None:
    [found] = [one for one in judged(project, project.fewer) if isinstance(one, Finding)]
    assert found.kind == "tests_missing"
    assert found.message.startswith("1 test ran, 2 ran before the change; missing: ")
    assert found.message.endswith("; if that is meant, a waiver for test_must_pass without `path` allows it")


def test_a_run_that_ends_before_its_tests_does_not_pass(project: Project) -> None:
    """Some runners leave no report then, and some one without a test, where some ran before."""
    with contextlib.suppress(CannotJudge):
        [found] = [one for one in judged(project, project.leaves) if isinstance(one, Finding)]
        assert (found.kind, found.message[:36]) == ("tests_missing", "0 tests ran, 2 ran before the change")


def test_a_runner_that_is_not_known() -> None:
    with pytest.raises(CannotJudge) as caught:
        find("mocha")
    assert caught.value.message == (
        "there is no test runner 'mocha'; known are cargo, go, jest, node, pytest, unittest"
    )


@pytest.mark.parametrize(
    ("runner", "command", "message"),
    [
        ("unittest", "make test", "`report: unittest` needs a command with `python -m unittest`, found 'make test'"),
        ("jest", "make test", "`report: jest` needs a command with `jest` or `npm test`, found 'make test'"),
        ("go", "make test", "`report: go` needs a command with `go test`, found 'make test'"),
        ("cargo", "make test", "`report: cargo` needs a command with `cargo test`, found 'make test'"),
    ],
)
def test_a_command_that_cannot_be_made_to_report(runner: str, command: str, message: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        find(runner).command(command)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("runner", "command", "expected"),
    [
        ("jest", "npx jest", 'npx jest --json --outputFile="$GATE_BESIDE/report.json"'),
        ("jest", "npm test", 'npm test -- --json --outputFile="$GATE_BESIDE/report.json"'),
        ("jest", "npm test -- a", 'npm test -- a --json --outputFile="$GATE_BESIDE/report.json"'),
        ("go", "cd x && go test -v ./...", "cd x && go test -json -v ./..."),
        ("go", "go test -json", "go test -json"),
        ("unittest", "python3 -I -m unittest discover", 'python3 -I "$GATE_BESIDE/unittest_report.py" discover'),
        ("unittest", "python -W error -m unittest", 'python -W error "$GATE_BESIDE/unittest_report.py"'),
        (
            "unittest",
            "python3 -X dev -BW error -m unittest -v",
            'python3 -X dev -BW error "$GATE_BESIDE/unittest_report.py" -v',
        ),
    ],
)
def test_commands_that_report(runner: str, command: str, expected: str) -> None:
    assert find(runner).command(command) == expected


@pytest.mark.parametrize(
    ("runner", "report", "message"),
    [
        ("pytest", b"<testsuite>", "the report of pytest is no XML: no element found: line 1, column 11"),
        (
            "node",
            b"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>",
            "the report of node declares entities, which no test runner does",
        ),
        ("cargo", b"hello", "cargo printed no result of a test"),
    ],
)
def test_a_report_that_is_none(runner: str, report: bytes, message: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        find(runner).tally(report)
    assert caught.value.message == message


@pytest.mark.parametrize("runner", ["unittest", "jest"])
@pytest.mark.parametrize("report", [b"{", b"[1]", b"\xff", b"[" * 100_000], ids=["cut", "number", "bytes", "deep"])
def test_json_that_is_no_report(runner: str, report: bytes) -> None:
    with pytest.raises(CannotJudge) as caught:
        find(runner).tally(report)
    assert caught.value.message.startswith(f"the report of {runner} is not what it should be: ")


def test_a_canary_needs_a_report() -> None:
    with pytest.raises(ValueError, match=r"^`canary` needs `report`, which names the test runner$"):
        MustPass(command="true", canary=True)


@pytest.mark.parametrize(
    ("oracle", "message"),
    [
        (
            "{type: test_must_pass, command: a, report: pyest}",
            "`oracles[0]`: `report`: expected one of cargo, go, jest, node, pytest, unittest, found 'pyest'; "
            "did you mean `pytest`?",
        ),
        (
            "{type: test_must_pass, command: a, canary: true}",
            "`oracles[0]`: `canary` needs `report`, which names the test runner",
        ),
    ],
)
def test_what_no_run_could_judge_is_said_when_it_is_read(oracle: str, message: str) -> None:
    document = parse(f"oracles: [{oracle}]".encode())
    with pytest.raises(DocumentError) as caught:
        Catalogue().decode_all(document, document.value["oracles"], ("oracles",))
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("runner", "command", "word"),
    [
        ("pytest", "pytest -q tests", ""),
        ("pytest", "python -m pytest -k add tests", "-k"),
        ("pytest", "python -W error -m pytest -qk add", "-qk"),
        ("pytest", "coverage run -m pytest -m smoke", "-m"),
        ("pytest", "cd x && timeout 60 pytest tests/test_a.py::test_b", "tests/test_a.py::test_b"),
        ("pytest", "pytest -W error::DeprecationWarning -o a=b::c --deselect a.py::b -p no:x -rA --maxfail 1", ""),
        ("unittest", "python -W error -m unittest tests.test_calc", ""),
        ("unittest", "python -m unittest discover -s Tests -p 'test*.py'", ""),
        ("unittest", "python -m unittest -k add", "-k"),
        ("unittest", "python -m unittest tests.test_calc.Calc.test_add", "tests.test_calc.Calc.test_add"),
        ("node", "node --test tests", ""),
        ("node", "node --test --test-name-pattern=add", "--test-name-pattern=add"),
        ("node", "npm test -- --test-only", "--test-only"),
        ("jest", "npx jest src", ""),
        ("jest", "node node_modules/jest/bin/jest.js -t add", "-t"),
        ("jest", "npm test -- --testNamePattern=add", "--testNamePattern=add"),
        ("go", "go test -v ./...", ""),
        ("go", "go test -run Add ./...", "-run"),
        ("cargo", "cargo test --offline -- --test-threads 1 --skip slow", ""),
        ("cargo", "cargo +stable test adds", "adds"),
        ("cargo", "cargo t --lib", "--lib"),
    ],
)
def test_what_selects_tests(runner: str, command: str, word: str) -> None:
    found = find(runner)
    [call] = calls(found, command)
    assert found.selection(found.arguments(call.words) or ()) == word


@pytest.mark.parametrize("word", ["-k add", "test_calc.py::Calc::test_add"])
def test_a_canary_that_is_not_selected_says_nothing(word: str) -> None:
    project = _PYTEST._replace(command=f"{_PYTEST.command} {word}")
    with pytest.raises(CannotJudge) as caught:
        judged(project, {"README": "x"}, canary=True)
    shown = word.partition(" ")[0]
    assert (caught.value.kind, caught.value.message) == (
        "canary",
        f"a failing test was planted in test_calc.py, and the command passed: it selects tests by `{shown}`, and that "
        f"one need not be among them; leave `{shown}` out, or `canary`: {project.command}",
    )


@pytest.mark.parametrize("rest", [" | tail -5", "; echo done", " || true"])
def test_a_canary_says_nothing_where_the_exit_code_is_lost(rest: str) -> None:
    project = _PYTEST._replace(command=f"{_PYTEST.command}{rest}")
    with pytest.raises(CannotJudge) as caught:
        judged(project, {"README": "x"}, canary=True)
    assert (caught.value.kind, caught.value.message) == (
        "exit_code_lost",
        "a failing test was planted in test_calc.py, and the command passed all the same, on the start workspace too, "
        "where the report of pytest tells of it: the command's exit code is lost, as behind a pipe, `;` or `|| true`; "
        f"let it end with that of pytest: {project.command}",
    )


def test_a_canary_is_seen_where_the_exit_code_is_kept() -> None:
    command = f"{_PYTEST.command} >all.txt; code=$?; tail -5 all.txt; exit $code"
    seen = judged(_PYTEST._replace(command=command), {"README": "x"}, canary=True)
    assert messages(seen)[-1] == "A failing test planted in test_calc.py was seen (exit 1)"


@pytest.mark.parametrize(
    ("runner", "command"),
    [
        ("pytest", "python -m pytest a && python -m pytest b"),
        ("pytest", "sh -c 'pytest a; pytest b'"),
        ("unittest", "python -m unittest a; python -X dev -m unittest b"),
        ("node", "npm test && node --test"),
        ("jest", "npx jest a || npx jest a"),
        ("go", "go test ./a && go test ./b"),
        ("cargo", "cargo test --lib && cargo test --doc"),
    ],
)
def test_one_report_is_of_one_run(runner: str, command: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        list(MustPass(command=command, report=runner).judge(trial({})))
    assert (caught.value.kind, caught.value.message) == (
        "report",
        f"the command starts {runner} more than once, and a report tells of one run; write one oracle for each: "
        f"{command}",
    )


def test_a_version_that_is_shown_is_no_run() -> None:
    assert len(calls(find("pytest"), "pytest --version && pytest -q")) == 1


def test_tests_with_other_names_are_told() -> None:
    text = _PYTHON.files["test_calc.py"].replace("test_zero", "test_nothing").replace("test_add", "test_sum")
    assert messages(judged(_PYTEST, {"test_calc.py": text}))[2] == (
        "2 tests ran before the change; no longer among them: test_calc.Calc::test_add and 1 more"
    )


def test_a_test_that_is_expected_to_fail_counts_as_skipped() -> None:
    text = "import unittest\n\n\nclass A(unittest.TestCase):\n    @unittest.expectedFailure\n    def test_a(self):\n"
    skipped = {"test_calc.py": f"{text}        self.fail()\n"}
    [found] = [one for one in judged(_PYTHON, skipped) if isinstance(one, Finding)]
    assert found.message.startswith("0 tests ran, 2 ran before the change; missing: ")
    with pytest.raises(CannotJudge) as caught:
        judged(_PYTHON._replace(files={**_PYTHON.files, **skipped}), {"README": "x"})
    assert caught.value.message == f"unittest ran no test: {_PYTHON.command}"


_REPORTED = "<testsuites><testcase name='{}' classname='test'>{}</testcase></testsuites>"


@pytest.mark.parametrize(
    ("name", "inside", "ran", "failed"),
    [
        pytest.param("add", "<failure/>", 1, 1, id="failed"),
        pytest.param("add", "<skipped type='todo'/><failure/>", 0, 0, id="still to be done"),
        pytest.param("/x/my tests/calc.test.js", "", 0, 0, id="file with a blank"),
        pytest.param("my tests/calc.test.mts", "", 0, 0, id="relative file with a blank"),
        pytest.param("calc.test.js", "", 0, 0, id="file"),
        pytest.param("reads a.js", "", 1, 0, id="a name that ends like a file"),
    ],
)
def test_cases_of_node(name: str, inside: str, ran: int, failed: int) -> None:
    tally = find("node").tally(_REPORTED.format(name, inside).encode())
    assert (len(tally.ran), len(tally.failed)) == (ran, failed)


@pytest.mark.parametrize(
    ("text", "head"),
    [
        pytest.param("a = 1\nif __name__ == '__main__':\n    b()\n", "a = 1", id="a script"),
        pytest.param("a = 1\r\nif '__main__' == __name__:\r\n    b()\r\n", "a = 1", id="the other way round"),
        pytest.param("\ufeffa = 1\nif __name__ == '__main__':\n    b()\n", "\ufeffa = 1", id="byte order mark"),
        pytest.param(
            "'''\nif __name__ == '__main__':\n'''\na = 1\n", "'''\nif __name__ == '__main__':\n'''\na = 1", id="text"
        ),
        pytest.param("a = 1\n", "a = 1", id="no script"),
        pytest.param("a = \n", "a =", id="no Python"),
        pytest.param("if __name__ == '__main__':\n    b()\n", "", id="nothing before"),
    ],
)
def test_where_a_test_is_added(text: str, head: str) -> None:
    made = before_main(text, "def test(): pass")
    rest = text[len(head) :].strip()
    assert made == f"{head}\n\n\ndef test(): pass\n" + (f"\n\n{rest}\n" if rest else "")


def test_a_planted_test_does_not_tell_what_it_is(project: Project) -> None:
    tree = MemoryTree({name: text.encode() for name, text in project.files.items()})
    runner = find(project.runner)
    [made, other] = [next(iter(canary(runner, tree, sorted(tree.paths())).items())) for _ in range(2)]
    added = made[1].replace(tree.read(made[0]).strip(), b"")
    assert made != other
    for word in (b"gate", b"plant", b"canary", b"must fail", b"__import__", b"import("):
        assert word not in added
