"""Every test runner, started for real: what passes, what fails, what says nothing, and what is captured."""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from gate.errors import CannotJudge
from gate.grading.witness import find, known
from gate.oracle import Trial
from gate.oracles.test_must_pass import TestMustPass as MustPass
from gate.report import Evidence, Finding
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


def test_a_run_that_ends_before_its_tests_says_nothing(project: Project) -> None:
    with pytest.raises(CannotJudge) as caught:
        judged(project, project.leaves)
    assert caught.value.kind in ("report_missing", "no_tests", "report"), caught.value.message


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
    with pytest.raises(CannotJudge) as caught:
        list(MustPass(command="true", canary=True).judge(trial({})))
    assert caught.value.message == (
        "`canary` needs `report`, which names the test runner: one of cargo, go, jest, node, pytest, unittest"
    )
