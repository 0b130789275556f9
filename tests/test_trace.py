"""What recorded commands change beyond their own words: through links, by recipes, by scripts."""

import pytest

from gate.editing.edit import Move, Write
from gate.trace import Trace
from gate.trajectory import Command, Step

START = {
    "Makefile": b"wipe:\n\trm -f a.py\n\t./fix.sh\n",
    "package.json": b'{"scripts": {"wipe": "make wipe"}}',
    "fix.sh": b"sed -i s/a/b/ b.py\n",
    "sub/x.txt": b"",
}


def _marks(*steps: str | Write | Move, root: str | None = None) -> list[str]:
    """The places of the marks that hang on more than their own words, each with its step."""

    def read(target: object, directory: str | None) -> bytes | None:
        place = target.place(directory=directory, root=root)  # type: ignore[attr-defined]
        return START.get(place)

    trace = Trace(root, read)
    found = []
    for number, deed in enumerate(steps, 1):
        commands = (Command(text=deed),) if isinstance(deed, str) else ()
        step = Step(number=number, commands=commands, edits=() if isinstance(deed, str) else (deed,))
        found += [f"{number} {mark.target.path}" for mark in trace.of(step) if not mark.sure]
    return found


def _write(path: str, content: str = "") -> Write:
    return Write(path=path, content=content.encode())


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        pytest.param(["ln -s tests t2", "echo x > t2/a.py"], ["2 tests/a.py"], id="a folder, by a command"),
        pytest.param(["ln -s tests t2 && rm t2/a.py"], ["1 tests/a.py"], id="in one line"),
        pytest.param(["ln -s tests t2", _write("t2/a.py")], ["2 tests/a.py"], id="a folder, by an edit"),
        pytest.param(["ln a.py b.py", _write("b.py")], ["2 a.py"], id="a file"),
        pytest.param(["ln -s a b; ln -s b c", "rm c/x"], ["2 b/x", "2 a/x"], id="a link to a link"),
        pytest.param(["ln -s ../tests sub/t2", "rm sub/t2/x"], ["2 tests/x", "2 ../tests/x"], id="from its own folder"),
        pytest.param(["cd sub && ln -s ../tests t2", "rm sub/t2/x"], ["2 tests/x"], id="from another folder"),
        pytest.param(["ln -s tests t2", "mv t2 t3", "rm t3/x"], ["3 tests/x"], id="moved"),
        pytest.param(["ln -s tests t2", Move(path="c", to="t2/c")], ["2 tests/c"], id="moved into it"),
        pytest.param(["ln -s tests t2", "rm t2"], [], id="taken away"),
        pytest.param(["ln -s tests t2", "rm t2; mkdir t2", "rm t2/x"], [], id="taken away before"),
        pytest.param(["ln -s tests t2", "ln -sfn lib t2", "cat t2/a.py"], ["2 tests/lib"], id="replaced, then read"),
        pytest.param(["ln -s tests t2", "rm t22/x", "rm t/x"], [], id="names that begin alike"),
        pytest.param(["ln -s tests t2", "git checkout t2"], [], id="put back"),
    ],
)
def test_through_a_link(steps: list[str | Write | Move], found: list[str]) -> None:
    assert _marks(*steps) == found


def test_through_a_link_of_the_start() -> None:
    trace = Trace("/w", lambda *_: None, {"/w/t2": ("/w/tests",)})
    step = Step(number=1, commands=(Command(text="rm t2/a.py"),))
    places = [(mark.target.path, mark.target.unsure) for mark in trace.of(step)]
    assert places == [("t2/a.py", ""), ("/w/tests/a.py", "t2 is a link to tests")]


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        pytest.param(["make wipe"], ["1 a.py", "1 b.py"], id="a Makefile of the start, and its script"),
        pytest.param(["npm run wipe"], ["1 a.py", "1 b.py"], id="a package that calls make"),
        pytest.param(["cd sub && npm run wipe"], ["1 a.py", "1 b.py"], id="a package of the folder above"),
        pytest.param(["cd sub && make wipe"], [], id="no Makefile there"),
        pytest.param(["make -C sub wipe; make other; npm run other"], [], id="nothing of that name"),
        pytest.param([_write("Makefile", "wipe:\n\trm c.py\n"), "make wipe"], ["2 c.py"], id="one that was written"),
        pytest.param([_write("m.mk", "x:\n\tmake -f m.mk x\n"), "make -f m.mk x"], [], id="one that calls itself"),
    ],
)
def test_by_a_recipe(steps: list[str | Write], found: list[str]) -> None:
    assert _marks(*steps) == found
