"""Programs that commands start, and that the change itself edits."""

import pytest

from gate.integrity.started import told
from gate.oracle import Oracle
from gate.oracles.any_of import AnyOf
from gate.oracles.file_exists import FileExists
from gate.oracles.program import Program
from gate.oracles.run_command import RunCommand
from gate.oracles.test_must_pass import TestMustPass as MustPass
from gate.report import Severity
from gate.tree import MemoryTree

CHECK = MustPass(command="sh scripts/check.sh --all && python -m pytest tests")
EITHER = AnyOf(oracles=(CHECK, FileExists(path="app.py")))  # type: ignore[arg-type] # every oracle is an Inner
BASE = {
    "scripts/check.sh": b"a",
    "app.py": b"a",
    "sub/x.sh": b"a",
    "same.sh": b"a",
    "tests/a.py": b"a",
    "gone.sh": b"a",
}
HEAD = {"scripts/check.sh": b"b", "app.py": b"b", "sub/x.sh": b"b", "same.sh": b"a", "tests/a.py": b"b", "new.sh": b"b"}


@pytest.mark.parametrize(
    ("oracle", "folder", "paths"),
    [
        pytest.param(CHECK, "", ["scripts/check.sh"], id="shell script"),
        pytest.param(RunCommand(command="cd sub && ./x.sh"), "", ["sub/x.sh"], id="by its path, behind cd"),
        pytest.param(RunCommand(command="./x.sh", sub_path="sub"), "", ["sub/x.sh"], id="in a folder of the workspace"),
        pytest.param(
            RunCommand(command="sh ../app.py x.sh && sh x.sh"), "sub", ["sub/x.sh"], id="in the task's folder"
        ),
        pytest.param(Program(program="python", args=("app.py", "x")), "", ["app.py"], id="a program's argument"),
        pytest.param(EITHER, "", ["scripts/check.sh"], id="within another"),
        pytest.param(RunCommand(command=". ./new.sh"), "", ["new.sh"], id="one that the change brings"),
        pytest.param(RunCommand(command="sh same.sh"), "", [], id="one that is the same"),
        pytest.param(RunCommand(command="sh gone.sh"), "", [], id="one that is gone"),
        pytest.param(RunCommand(command="cat app.py"), "", [], id="one that is only read"),
        pytest.param(RunCommand(command="sh /usr/lib/x.sh"), "", [], id="one of the machine"),
        pytest.param(FileExists(path="app.py"), "", [], id="no command"),
    ],
)
def test_a_program_of_the_change_itself(oracle: Oracle, folder: str, paths: list[str]) -> None:
    found = told(
        [oracle], base=MemoryTree(BASE), head=MemoryTree(HEAD), folder=folder, product=frozenset(), back=frozenset()
    )
    assert [one.path for one in found] == paths


@pytest.mark.parametrize(
    ("product", "back", "severity"),
    [
        pytest.param(frozenset[str](), frozenset[str](), Severity.WARNING, id="out of the task's scope"),
        pytest.param(frozenset(["scripts/check.sh"]), frozenset[str](), Severity.NOTICE, id="in the task's scope"),
        pytest.param(frozenset[str](), frozenset(["scripts/check.sh"]), None, id="protected"),
    ],
)
def test_what_is_said_of_it(product: frozenset[str], back: frozenset[str], severity: Severity | None) -> None:
    head = MemoryTree(HEAD)
    found = list(told([CHECK, CHECK], base=MemoryTree(BASE), head=head, folder="", product=product, back=back))
    message = (
        "The command of test_must_pass starts scripts/check.sh, which this change edits: it ran as the change has it. "
        "If it judges, name it in `policy.protect`."
    )
    expected = [] if severity is None else [("own_program", severity, message)]
    assert [(one.kind, one.severity, one.message) for one in found] == expected
