"""What expansions stand for, as far as a line tells it."""

import pytest

from gate.cmdline.target import MADE, UNTOLD
from gate.cmdline.variables import assigned, declared, spread, used

VALUES = {
    "f": ["tests/a.py"],
    "d": ["src", "lib"],
    "both": ["a.py b.py"],
    "deep": ["$f.bak"],
    "loop": ["$loop"],
    "read": [UNTOLD],
    "mixed": ["$(ls) a.py"],
    "made": ["$(mktemp -d)"],
}
_ = UNTOLD


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("a.py", ["a.py"], id="nothing expanded"),
        pytest.param("$f", ["tests/a.py"], id="a variable"),
        pytest.param("${f}.x", ["tests/a.py.x"], id="with braces"),
        pytest.param("$d/$f", ["src/tests/a.py", "lib/tests/a.py"], id="two values"),
        pytest.param("$both", ["a.py b.py", "a.py", "b.py"], id="a value of two words"),
        pytest.param("$deep", ["tests/a.py.bak"], id="a variable of a variable"),
        pytest.param("$loop", [_], id="a variable of itself"),
        pytest.param("x/$read", [f"x/{_}"], id="read from somewhere"),
        pytest.param("$mixed", [_], id="words of which one is not known"),
        pytest.param("$other ${other} $1 $@ ${1} $$ $((1+2))", [f"{_} {_} {_} {_} {_} {_} {_}"], id="not told"),
        pytest.param("$(ls) `ls` $(ls | head)", [f"{_} {_} {_}"], id="output of a command"),
        pytest.param("<(ls)", ["/dev/fd/63"], id="a process"),
        pytest.param("cost: 5$", ["cost: 5$"], id="a sign alone"),
        pytest.param("${f%.py}.bak", ["tests/a.bak"], id="without its ending"),
        pytest.param("${f#tests/}", [_], id="without a beginning that has a slash"),
        pytest.param("${f##*/} ${f%/*}", ["a.py tests"], id="name and folder"),
        pytest.param("${f%.*}", [f"tests/{_}"], id="without an ending that is a pattern"),
        pytest.param("${f/a/b} ${f^^} ${!f} ${#f}", [f"{_} {_} {_} {_}"], id="changed in another way"),
        pytest.param("${other:-build}/x", ["build/x"], id="a default"),
        pytest.param("${f:-build}", ["tests/a.py", "build"], id="a default of what is set"),
        pytest.param("${f[@]} ${f[0]}", ["tests/a.py tests/a.py"], id="an array"),
        pytest.param("$PWD/a $(pwd)/b", ["./a ./b"], id="this folder"),
        pytest.param("$TMPDIR/x ${TMPDIR:-/tmp}/y", ["/tmp/x /tmp/y"], id="temporary files"),
        pytest.param("$HOME/x $XDG_CACHE_HOME/y", ["~/x ~/.cache/y"], id="the home folder"),
        pytest.param("$env:TEMP/x", ["/tmp/x"], id="PowerShell"),
        pytest.param("$(basename $f) $(dirname $f) $(echo $f)", ["a.py tests tests/a.py"], id="parts of a name"),
        pytest.param("$(command -v sed) $(which python3)", ["sed python3"], id="where a program is"),
        pytest.param("$(mktemp) $(mktemp -d)/x $(mktemp -dt x.XXX) $made", [f"{MADE} {MADE}/x {MADE} {MADE}"], id="made"),
        pytest.param("$(mktemp /tmp/x.XXX) $(mktemp -p $TMPDIR)", [f"{MADE} {MADE}"], id="made among temporary files"),
        pytest.param("$(mktemp x.XXX) $(mktemp -p src) $(mktemp --tmpdir=src)", [f"./{_} src/{_} src/{_}"], id="made here"),
    ],
)  # fmt: skip
def test_a_word_is_spread(text: str, found: list[str]) -> None:
    assert spread(text, VALUES) == found


def test_too_many_ways_are_none() -> None:
    values = {"x": [str(number) for number in range(30)]}
    assert spread("$x$x", values) == [UNTOLD]


@pytest.mark.parametrize(
    ("word", "found"),
    [
        pytest.param("x=1", ("x", ["1"]), id="a value"),
        pytest.param("x=", ("x", [""]), id="nothing"),
        pytest.param("x=(a 'b c')", ("x", ["a", "b c"]), id="an array"),
        pytest.param("x[1]=a", ("x", ["a"]), id="a place of an array"),
        pytest.param("x+=a", ("x", [UNTOLD]), id="put behind another"),
        pytest.param("--x=a", None, id="an option"),
    ],
)
def test_an_assignment(word: str, found: tuple[str, list[str]] | None) -> None:
    assert assigned(word) == found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param(["export", "-x", "a=1", "b"], [("a", ["1"])], id="export"),
        pytest.param(["read", "-r", "a", "b"], [("a", [UNTOLD]), ("b", [UNTOLD])], id="read"),
        pytest.param(["printf", "-v", "a", "%s"], [("a", [UNTOLD])], id="printf into a variable"),
        pytest.param(["printf", "a"], [], id="printf"),
        pytest.param(["ls", "a=1"], [], id="another command"),
    ],
)
def test_what_a_command_sets(words: list[str], found: list[tuple[str, list[str]]]) -> None:
    assert list(declared(words)) == found


def test_the_names_in_a_word() -> None:
    assert list(used("$a ${b} ${!c} ${#d} $(e $f) $1")) == ["a", "b", "c", "d", "f"]
