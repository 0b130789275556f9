"""The command that asks a model: what it gets, and how it goes wrong."""

import sys

import pytest

from gate.consultant import Consultant
from gate.errors import CannotJudge
from gate.tree import MemoryTree
from tests.judges import says


def test_it_reads_the_request_in_a_folder_with_the_files() -> None:
    code = "import sys; print(sys.stdin.read(), open('evidence/a').read())"
    assert says(code).ask(b"hello", MemoryTree({"evidence/a": b"there"})) == b"hello there\n"


def test_it_sees_the_variables_that_are_named_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_KEY", "k")
    monkeypatch.setenv("OTHER_KEY", "o")
    code = "import os; print(os.environ.get('MODEL_KEY'), os.environ.get('OTHER_KEY'))"
    assert says(code, variables=("MODEL_KEY",)).ask(b"", MemoryTree({})) == b"k None\n"


@pytest.mark.parametrize(
    ("consultant", "why"),
    [
        pytest.param(
            says("import sys; sys.exit('no key')"), f"the judge command {sys.executable!r} exited 1: no key", id="it fails"
        ),
        pytest.param(
            says("import time; time.sleep(60)", seconds=0.3),
            f"the judge command {sys.executable!r} took longer than 0.3 s and was ended", id="it takes too long",
        ),
        pytest.param(
            says("print('x' * 5_000_000)"), f"the judge command {sys.executable!r} printed more than an answer has",
            id="it prints too much",
        ),
        pytest.param(
            says("import os, signal; os.kill(os.getpid(), signal.SIGKILL)"),
            f"the judge command {sys.executable!r} was ended by the signal 9", id="it is killed",
        ),
        pytest.param(
            Consultant(command=("no-such-judge",)),
            "the command cannot be started: [Errno 2] No such file or directory: 'no-such-judge'", id="there is none",
        ),
    ],
)  # fmt: skip
def test_it_goes_wrong(consultant: Consultant, why: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        consultant.ask(b"", MemoryTree({}))
    assert caught.value.message == why
