"""What the oracle `bundle_tests` lets pass, and what it finds; real processes."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from gate.errors import CannotJudge
from gate.oracle import Oracle, Seconds, Trial
from gate.oracles.bundle_tests import BundleTests
from gate.plan import Plan, Planned
from gate.report import Evidence, Finding
from gate.task import Inline, State, Task
from gate.tree import MemoryTree
from gate.trial import Stage

FILES = {"src/add.py": b"def add(a, b):\n    return a + b\n"}


def ask(oracle: Oracle, files: Mapping[str, bytes] = FILES, *, commands: bool = True) -> list[Finding | Evidence]:
    """What the oracle says of these files, in a stage as a run makes it."""
    task = Task(id="t", workspace=Inline({}), oracles=(oracle,), state=State.HEAD)
    tree = MemoryTree(files)
    plan = Plan(tasks=(), change="", judge="", commands=commands)
    with Stage(plan, Planned(id="t", in_scope=True, scope="", task=task, start=tree, head=tree), None) as stage:
        trial: Trial = stage.trial
        return list(oracle.judge(trial))


def script(text: str, **more: bytes) -> BundleTests:
    return BundleTests(files={"tests.py": text.encode(), **{f"{name}.py": data for name, data in more.items()}})


def test_the_workspace_is_the_only_argument_and_what_lies_beside_is_imported() -> None:
    code = (
        "import os, sys\nimport helper\nassert sys.argv[1:] == [os.getcwd()], sys.argv\n"
        "sys.path.insert(0, sys.argv[1] + '/src')\nfrom add import add\nassert add(1, 2) == helper.THREE\nprint('fine')\n"
        "assert not os.path.exists(sys.argv[1] + '/tests.py')\n"
    )
    assert ask(script(code, helper=b"THREE = 3\n")) == [Evidence(message="tests.py passed", details="stdout:\nfine\n")]


@pytest.mark.parametrize(
    ("code", "message", "kind"),
    [
        pytest.param("raise SystemExit(3)", "tests.py failed (exit 3)", "tests_failed", id="exit code"),
        pytest.param(
            "assert 1 == 2, 'no sum'", "tests.py failed (exit 1): AssertionError: no sum", "tests_failed", id="assert"
        ),
        pytest.param(
            "import os; os.kill(os.getpid(), 9)", "tests.py failed (exit 137): Killed", "tests_failed", id="signal"
        ),
        pytest.param("def", "tests.py failed (exit 1): SyntaxError: invalid syntax", "tests_failed", id="syntax"),
    ],
)
def test_fails(code: str, message: str, kind: str) -> None:
    (found,) = ask(script(code))
    assert isinstance(found, Finding)
    assert (found.message, found.kind) == (message, kind)


def test_the_time_limit_is_a_failed_check() -> None:
    oracle = BundleTests(files={"tests.py": b"print('began', flush=True)\nwhile True: pass\n"}, timeout=Seconds(0.7))
    assert ask(oracle) == [
        Finding(message="tests.py timed out after 0.7 s", kind="tests_timeout", details="stdout:\nbegan\n")
    ]


def test_the_tails_have_500_characters() -> None:
    (found,) = ask(script("import sys\nprint('é' * 600)\nprint('y' * 900, file=sys.stderr)\nsys.exit(1)"))
    assert isinstance(found, Finding)
    assert found.details == f"stdout:\n{'é' * 499}\n\nstderr:\n{'y' * 499}\n"


def test_no_tests_are_a_failed_check_of_their_own() -> None:
    assert ask(BundleTests(files={"other.py": b""})) == [
        Finding(message="The task has no oracle/tests.py, so nothing tests it", kind="tests_missing")
    ]


def test_a_run_without_commands_cannot_judge() -> None:
    with pytest.raises(CannotJudge, match=r"^this run starts no commands$"):
        ask(script(""), commands=False)


def test_nothing_of_it_is_left(tmp_path: Path) -> None:
    (found,) = ask(script("import os\nprint(os.environ['GATE_BESIDE'])\nprint(os.getcwd())"))
    places = [Path(line) for line in found.details.splitlines()[1:]]
    assert len(places) == 2
    assert not any(place.exists() for place in places)
