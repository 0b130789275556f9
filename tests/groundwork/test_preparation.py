"""Start workspaces that commands make ready."""

from pathlib import Path

import pytest

from gate.command import Shell
from gate.errors import CannotJudge
from gate.groundwork.preparation import Prepared
from gate.task import Setup
from gate.tree import MemoryTree

START = MemoryTree({"app/a.py": b"one\n", "app/b.py": b"b\n"})


def test_a_workspace_is_made_ready_once() -> None:
    tree = Prepared(
        START, [Setup(command="date +%s%N > made"), Setup(command="echo $WHO >> made")], Shell(variables={"WHO": "me"})
    )
    made = tree.read("made")
    assert made.endswith(b"\nme\n")
    assert (list(tree.paths()), tree.read("made"), tree.mode("made")) == (
        ["app/a.py", "app/b.py", "made"],
        made,
        0o100644,
    )


def test_a_command_of_the_environment_has_its_own_limit(tmp_path: Path) -> None:
    shell = Shell(variables={"COUNT": str(tmp_path / "count")})
    tree = Prepared(START, [Setup(command="echo >> $COUNT"), Setup(command="sleep 30", seconds=0.05)], shell)
    for _ in range(2):
        with pytest.raises(CannotJudge) as caught:
            tree.mode("app/a.py")
        assert caught.value.message == "command 2 of the environment 'sleep 30' took longer than 0.05 s and was ended"
    assert (tmp_path / "count").read_text() == "\n"
