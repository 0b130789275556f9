"""Which calls write files, and which of several are made at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.grading.wanted import Wanted, at_once, writes_files
from gate.patterns.jsregex import JsPattern
from gate.transcript import Answer, Call, Transcript


def _call(tool: str, *commands: str, paths: tuple[str, ...] = (), known: bool = True) -> Call:
    return Call(number=1, step=1, turn=1, tool=tool, commands=commands, paths=paths, known=known)


@pytest.mark.parametrize(
    ("call", "writes"),
    [
        pytest.param(_call("Write", paths=("a",)), True, id="an edit"),
        pytest.param(_call("Edit"), True, id="an edit that failed"),
        pytest.param(_call("Read"), False, id="a tool that reads"),
        pytest.param(_call("odd", known=False), None, id="a tool that nobody knows"),
        pytest.param(_call("delete_file", known=False), True, id="a tool whose name says so"),
        pytest.param(_call("bash", "ls -l | grep x"), False, id="it looks"),
        pytest.param(_call("bash", "echo x > a"), True, id="it redirects"),
        pytest.param(_call("bash", "sed -i s/a/b/ c"), True, id="it edits in place"),
        pytest.param(_call("bash", "sed -n 1p c"), False, id="it prints a line"),
        pytest.param(_call("bash", "make"), None, id="it may do anything"),
        pytest.param(_call("bash", "rm a; make"), True, id="one part does"),
    ],
)
def test_writes_files(call: Call, writes: bool | None) -> None:
    assert writes_files(call) is writes


def test_read_only_and_write_only_together_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^Expected one of `write_only` and `read_only`$"):
        Wanted(name=JsPattern("a"), write_only=True, read_only=True)


@given(
    st.lists(st.sampled_from("abc"), max_size=6),
    st.lists(st.sampled_from(["a", "b", "c", "."]), min_size=1, max_size=4),
)
def test_at_once_gives_each_entry_a_call_of_its_own(tools: list[str], names: list[str]) -> None:
    """Against the plain count: letters need that many of their own, and dots take from what is left."""
    calls = tuple(Call(number=number, step=1, turn=0, tool=tool) for number, tool in enumerate(tools, 1))
    seen = Transcript(answers=(Answer(number=1, turn=0, calls=calls),))
    entries = [Wanted(name=JsPattern(f"^{name}$")) for name in names]
    enough = all(names.count(letter) <= tools.count(letter) for letter in "abc") and len(names) <= len(tools)
    assert (at_once(entries, seen) is not None) is enough
