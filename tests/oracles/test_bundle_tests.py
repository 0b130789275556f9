"""What the oracle `bundle_tests` lets pass, and what it finds; real processes."""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from gate.errors import CannotJudge
from gate.oracle import Oracle, Seconds
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
    stage = Stage(plan, Planned(id="t", in_scope=True, scope="", task=task, start=tree, head=tree), None)
    return list(oracle.judge(stage.trial))


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


HEAD = "import os, sys\nsys.path.insert(0, sys.argv[1])\n"


@pytest.mark.parametrize(
    ("code", "product"),
    [
        pytest.param("import add\nassert False", "import os\nos._exit(0)", id="the process is ended"),
        pytest.param("import add\nassert False", "import os\nos.execv('/bin/true', ['true'])", id="it is replaced"),
        pytest.param("import add\nassert False", "import sys\nsys.exit()", id="an exit of the workspace"),
        pytest.param(
            "import add\nassert False", "import argparse\nargparse.ArgumentParser().exit()", id="by way of a library"
        ),
        pytest.param(
            "import add\nassert False", "import atexit, os\natexit.register(os._exit, 0)", id="after tests that failed"
        ),
        pytest.param(
            "import add\nassert False", "import os, sys\nif os.fork():\n    os._exit(0)\nsys.exit()", id="a fork"
        ),
        pytest.param(
            "child = os.fork()\nif child:\n    os.waitpid(child, 0)\n    import add",
            "import os; os._exit(0)",
            id="a child",
        ),
        pytest.param(
            "import add\nassert False",
            "import os, pathlib\nhere = pathlib.Path(os.environ['GATE_BESIDE'])\n(here / 'ending.txt').write_text('x')\n"
            "assert not (here / 'ending.py').exists()\nos._exit(0)",
            id="a word that is not the right one",
        ),
    ],
)
def test_an_end_that_is_not_its_own_is_no_pass(code: str, product: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        ask(script(HEAD + code), {"add.py": product.encode()})
    assert (caught.value.message, caught.value.kind) == (
        "tests.py ended with exit code 0 before its own end, so nothing says that it tested anything; where "
        "that is no trick of what it tests, let it end by itself, or by `sys.exit`",
        "ended_early",
    )


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("sys.exit()", id="sys.exit"),
        pytest.param("sys.exit(False)", id="a truth value"),
        pytest.param("raise SystemExit(0)", id="SystemExit"),
        pytest.param("os.chdir('/')", id="elsewhere"),
        pytest.param("sys.modules.clear()", id="without modules"),
        pytest.param("import multiprocessing as m\nm.Process(target=print).start()", id="a child"),
        pytest.param("if not os.fork():\n    os._exit(0)\nos.wait()", id="a child that is ended"),
        pytest.param("import pickle\nclass One: pass\npickle.loads(pickle.dumps(One()))", id="a class of its own"),
        pytest.param(
            "import unittest\nclass T(unittest.TestCase):\n    def test(self): pass\nunittest.main(argv=['x'])",
            id="unittest",
        ),
        pytest.param("try:\n    import add\nexcept SystemExit: pass", id="an exit that it expects"),
    ],
)
def test_an_end_of_its_own(code: str) -> None:
    (found,) = ask(script(HEAD + code), {"add.py": b"import sys\nsys.exit(0)\n"})
    assert isinstance(found, Evidence)
    assert found.message == "tests.py passed"


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        pytest.param("def f():\n    assert 1 == 2, 'no'\nf()\n", (3, 2), id="an error"),
        pytest.param("class Gone(BaseException): pass\nraise Gone\n", (2,), id="no Exception"),
        pytest.param("def\n", (), id="no Python"),
        pytest.param("try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise OSError('x') from e\n", (), id="two"),
        pytest.param("import sys\nsys.exit('bad')\n", (), id="words"),
        pytest.param("import sys\nsys.exit('')\n", (), id="no words"),
        pytest.param("import sys\nsys.exit(3)\n", (), id="a number"),
    ],
)
def test_a_failure_is_told_as_python_tells_it(code: str, lines: tuple[int, ...], tmp_path: Path) -> None:
    (tmp_path / "tests.py").write_text(code)
    plain = subprocess.run([sys.executable, "tests.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    (found,) = ask(script(code))
    assert isinstance(found, Finding)
    assert f"(exit {plain.returncode})" in found.message
    told = re.sub(r'"/\S*/oracle/tests.py"', f'"{tmp_path}/tests.py"', found.details)
    assert told == (f"stderr:\n{plain.stderr}" if plain.stderr else "")
    assert all(f"line {line}, in" in told for line in lines)


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
