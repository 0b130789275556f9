"""Which variables a command runs with, and what its first word stands for."""

import shlex

import pytest

from gate.cmdline.held import told
from gate.cmdline.shell import commands


def _lines(text: str) -> list[str]:
    return [shlex.join(meant.words) for _, meant, _ in told(commands(text)) if meant.words]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("A=curl; $A x", ["curl x"], id="a variable"),
        pytest.param("$A x", ["'$A' x", "x"], id="nobody says what it is"),
        pytest.param("cu$@rl x", ["curl x", "x"], id="nothing in a known name"),
        pytest.param("ls$X y", ["'ls$' y", "y"], id="another name"),
        pytest.param("alias g='curl -s'; g 'x y'", ["alias 'g=curl -s'", "curl -s 'x y'"], id="another name of it"),
        pytest.param("curl $U/x", ["curl '$/x'"], id="an argument that nobody says"),
        pytest.param("U=http://a; curl $U/x", ["curl http://a/x"], id="an argument that the line says"),
    ],
)
def test_what_a_command_may_be(text: str, lines: list[str]) -> None:
    assert _lines(text) == lines


def test_the_variables_that_a_command_has() -> None:
    text = "a=1; export b=2; c=3 x; declare -x d=4; unset a; y"
    found = {simple.words[0]: dict(around) for simple, _, around in told(commands(text)) if simple.words}
    assert found["x"] == {"a": "1", "b": "2", "c": "3"}
    assert found["y"] == {"b": "2", "d": "4"}
