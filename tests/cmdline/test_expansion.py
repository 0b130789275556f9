"""Commands with their expansions told."""

import shlex

import pytest

from gate.cmdline.expansion import told
from gate.cmdline.shell import commands


def _ways(text: str) -> list[str]:
    """Every way to read the commands of a line that have words, `?` for what is not known."""
    found = [one.simple for simple in commands(text) if simple.words for one in told(simple)]
    return [shlex.join(one.words).replace("\0", "?") for one in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("rm a", ["rm a"], id="nothing expanded"),
        pytest.param("f=a; rm $f", ["rm a"], id="set before"),
        pytest.param("rm $f; f=a", ["rm a", "rm '?'"], id="set behind it"),
        pytest.param("rm '$f'; f=a", ["rm '$f'"], id="only a sign"),
        pytest.param("f=a; sh -c 'rm $f'", ["rm a"], id="in a text for a shell"),
        pytest.param("f=a; echo $(rm $f)", ["rm a", "echo '?'"], id="in a substitution"),
        pytest.param("export f=a; rm $f", ["export f=a", "rm a"], id="exported"),
        pytest.param(
            "for f in a b; do cp $f $f.x; done", ["cp a a.x", "cp b b.x"], id="a loop's values, one at a time"
        ),
        pytest.param("for f in *.py; do rm $f; done", ["rm '*.py'"], id="a loop over a pattern"),
        pytest.param("for f in $(ls); do rm $f; done", ["ls", "rm '?'"], id="a loop over a command"),
        pytest.param("for f; do rm $f; done", ["rm '?'"], id="a loop over arguments"),
        pytest.param("RM='rm -f'; $RM a", ["rm -f a"], id="a program"),
        pytest.param("P='sudo python -m black'; $P a", ["black a"], id="a program that runs another"),
        pytest.param("$SUDO rm a", ["'?' rm a", "rm a"], id="a program that is not known, or none"),
        pytest.param("$PYTHON a.py", ["python a.py", "a.py"], id="a program whose name tells what it is"),
    ],
)
def test_ways_to_read_a_command(text: str, found: list[str]) -> None:
    assert sorted(_ways(text)) == sorted(found)


def test_what_is_not_known_is_named() -> None:
    [one] = told(commands("cp a $(ls)/x")[1])
    assert (one.simple.words, one.untold) == (("cp", "a", "\0/x"), "$(ls)/x")


def test_too_many_ways_are_none() -> None:
    text = f"for f in {' '.join(map(str, range(201)))}; do rm $f; done"
    assert _ways(text) == ["rm '?'"]
