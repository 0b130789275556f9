"""Scripts that commands start and that judge."""

import pytest

from gate.integrity.harness import harness
from gate.oracle import Oracle
from gate.oracles.any_of import AnyOf
from gate.oracles.file_exists import FileExists
from gate.oracles.program import Program
from gate.oracles.run_command import RunCommand
from gate.oracles.test_must_pass import TestMustPass as MustPass
from gate.tree import SYMLINK, MemoryTree

BASE = MemoryTree(
    {
        "check.sh": b"set -e\nsh lib/unit.sh\n. ./vars\npython app.py\npython tools/lint.py\n",
        "run.sh": b"exit 0",
        "lib/unit.sh": b"sh deep.sh",
        "deep.sh": b"x",
        "vars": b"A=1\n",
        "prove": b"#!/usr/bin/env bash\n",
        "tool": b"#!/usr/bin/env python3\n",
        "binary": b"\x7fELF\0",
        "app.py": b"x",
        "tools/lint.py": b"x",
        "tools/checkers.py": b"x",
        "js/smoke.mjs": b"x",
        "ci/build.js": b"x",
        "link.sh": b"run.sh",
        "e2e/sub/run.py": b"x",
        "e2e/run.sh": b"x",
    },
    modes={"link.sh": SYMLINK},
)
EITHER = AnyOf(oracles=(MustPass(command="sh run.sh"), FileExists(path="a")))  # type: ignore[arg-type] # an Inner


@pytest.mark.parametrize(
    ("oracle", "folder", "expected"),
    [
        pytest.param(MustPass(command="sh run.sh"), "", {"run.sh"}, id="sh"),
        pytest.param(MustPass(command="sh -e run.sh"), "", {"run.sh"}, id="with an option"),
        pytest.param(MustPass(command="bash -o pipefail run.sh x"), "", {"run.sh"}, id="with an option and its value"),
        pytest.param(MustPass(command="./run.sh"), "", {"run.sh"}, id="by its path"),
        pytest.param(
            MustPass(command=". ./run.sh && sh -c 'sh ./prove'"), "", {"run.sh", "prove"}, id="sourced, nested"
        ),
        pytest.param(Program(program="sh", args=("run.sh",)), "", {"run.sh"}, id="a program's argument"),
        pytest.param(EITHER, "", {"run.sh"}, id="within another"),
        pytest.param(
            MustPass(command="sh check.sh"),
            "",
            {"check.sh", "lib/unit.sh", "vars", "tools/lint.py"},
            id="what it starts in turn, one step deep",
        ),
        pytest.param(MustPass(command="python tools/lint.py"), "", {"tools/lint.py"}, id="its name tells"),
        pytest.param(MustPass(command="node js/smoke.mjs"), "", {"js/smoke.mjs"}, id="JavaScript whose name tells"),
        pytest.param(MustPass(command="node ci/build.js"), "", {"ci/build.js"}, id="its folder tells"),
        pytest.param(MustPass(command="python app.py"), "", set(), id="the product, by its name"),
        pytest.param(MustPass(command="python tools/checkers.py"), "", set(), id="a word that only begins so"),
        pytest.param(MustPass(command="./tool && ./binary"), "", set(), id="programs that are no shell scripts"),
        pytest.param(MustPass(command="sh new.sh"), "", set(), id="one that the base does not have"),
        pytest.param(MustPass(command="sh link.sh"), "", {"link.sh", "run.sh"}, id="a link, and its file"),
        pytest.param(RunCommand(command="cat run.sh"), "", set(), id="one that is only read"),
        pytest.param(MustPass(command="python sub/run.py"), "e2e", set(), id="the task's own folder tells nothing"),
        pytest.param(RunCommand(command="sh run.sh"), "e2e", {"e2e/run.sh"}, id="in the task's folder"),
    ],
)
def test_what_judges(oracle: Oracle, folder: str, expected: set[str]) -> None:
    assert harness([oracle], BASE, folder, frozenset()) == expected


@pytest.mark.parametrize(
    ("command", "product", "expected"),
    [
        pytest.param("./run.sh", {"run.sh"}, set(), id="a shell script that the scope names is tried"),
        pytest.param("python tools/lint.py", {"tools/lint.py"}, set(), id="so is another program"),
        pytest.param("sh lib/unit.sh", {"deep.sh"}, {"lib/unit.sh"}, id="and what one starts"),
        pytest.param(
            "./check.sh", {"check.sh", "vars"}, {"check.sh", "lib/unit.sh", "tools/lint.py"}, id="but a check"
        ),
    ],
)
def test_what_the_scope_names_is_the_product(command: str, product: set[str], expected: set[str]) -> None:
    assert harness([MustPass(command=command)], BASE, "", frozenset(product)) == expected
