"""What recorded commands change beyond their own words: through links, by recipes, by scripts."""

import pytest

from gate.cmdline.target import UNTOLD, How
from gate.editing.edit import Edit, Move, Replace, Write
from gate.trace import Trace
from gate.trajectory import Command, Step

START = {
    "Makefile": b"wipe:\n\trm -f a.py\n\t./fix.sh\n",
    "package.json": b'{"scripts": {"wipe": "make wipe"}}',
    "fix.sh": b"sed -i s/a/b/ b.py\n",
    "sub/x.txt": b"",
}


def _marks(*steps: str | Edit, root: str | None = None) -> list[str]:
    """The places of the marks that hang on more than their own words, each with its step."""

    def read(target: object, directory: str | None) -> bytes | None:
        place = target.place(directory=directory, root=root)  # type: ignore[attr-defined]
        return START.get(place)

    trace = Trace(root, read)
    found = []
    for number, deed in enumerate(steps, 1):
        commands = (Command(text=deed),) if isinstance(deed, str) else ()
        step = Step(number=number, commands=commands, edits=() if isinstance(deed, str) else (deed,))
        marks = [mark.target for mark in trace.of(step) if not mark.sure and mark.target.how is not How.MENTIONS]
        found += [f"{number} {target.path.replace(UNTOLD, '?')}" for target in marks]
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
def test_through_a_link(steps: list[str | Edit], found: list[str]) -> None:
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
def test_by_a_recipe(steps: list[str | Edit], found: list[str]) -> None:
    assert _marks(*steps) == found


FIX = "import glob, sys\nfor p in glob.glob('*.py') + sys.argv[1:]: open(p, 'w')\n"
NODE = "for (const f of fs.readdirSync('.')) fs.writeFileSync(f, 'x')"


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        pytest.param([_write("fix.py", FIX), "python fix.py"], ["2 ./*.py"], id="a script of an edit"),
        pytest.param([_write("fix.py", FIX), "F=a.md; python -u fix.py $F $X"], ["2 ./*.py", "2 a.md", "2 ?"], id="its arguments"),
        pytest.param([_write("t/fix.py", FIX), "python -m t.fix"], ["2 ./*.py"], id="a module"),
        pytest.param([_write("fix.py", FIX), "uv run fix.py"], ["2 ./*.py"], id="by its name"),
        pytest.param([f"cat > fix.py <<'E'\n{FIX}E", "python fix.py"], ["2 ./*.py"], id="a script of a document"),
        pytest.param([f"python - a.md <<'E'\n{FIX}E"], ["1 ./*.py", "1 a.md"], id="a document"),
        pytest.param(["python -c \"open('a', 'w')\" b"], ["1 a"], id="-c"),
        pytest.param([_write("x.py", FIX), "mv x.py fix.py", "python fix.py"], ["3 ./*.py"], id="a script that was moved"),
        pytest.param([_write("x.py", FIX), "cp x.py bin", "python bin/x.py"], ["3 ./*.py"], id="a script that was copied"),
        pytest.param([_write("x.py", FIX), Move(path="x.py", to="fix.py"), "python fix.py"], ["3 ./*.py"], id="by an edit"),
        pytest.param(
            [_write("fix.py", FIX), Replace(path="fix.py", old=b"*.py", new=b"*.md"), "python fix.py"],
            ["3 ./*.md"],
            id="a script that was edited",
        ),
        pytest.param(["echo 'rm a.py' > fix.sh", "echo 'rm b.py' >> fix.sh; make none", "sh fix.sh"], [], id="a shell's"),
        pytest.param([_write("run.py", "import os\nos.system('rm a.py')\n"), "python run.py"], ["2 a.py"], id="its commands"),
        pytest.param([f'node -e "{NODE}"'], ["1 ?"], id="another language"),
        pytest.param(["node -e 'execSync(\"rm a.js\")'"], ["1 a.js"], id="a command of another language"),
        pytest.param(["awk 'BEGIN{system(\"rm a.md\")}'"], ["1 a.md"], id="a command of awk's"),
        pytest.param([_write("t/fix.py", FIX), "python -c 'import t.fix'"], ["2 ./*.py"], id="a module that is imported"),
        pytest.param(["echo cm0gYQo= | base64 -d | sh"], ["1 ?"], id="what is decoded"),
        pytest.param(["make -f - <<'E'\nall:\n\trm a.md\nE"], ["1 a.md"], id="a recipe that is read"),
        pytest.param([_write("fix.js", NODE), "node fix.js"], ["2 ?"], id="a script in another language"),
        pytest.param([_write("fix.py", FIX), "cat fix.py; python other.py"], [], id="a script that is not run"),
        pytest.param([Replace(path="app.py", old=b"x", new=b"open(p, 'w')"), "python app.py"], [], id="a part of a script"),
    ],
)  # fmt: skip
def test_by_code(steps: list[str | Edit], found: list[str]) -> None:
    assert _marks(*steps) == found


def _shell(*steps: str | Edit) -> list[str]:
    """The targets of the last step."""
    trace = Trace("/w", lambda target, directory: START.get(target.place(directory=directory, root="/w") or ""))
    made = [
        Step(number=1, commands=(Command(text=deed),)) if isinstance(deed, str) else Step(number=1, edits=(deed,))
        for deed in steps
    ]
    return [[mark.target.path for mark in trace.of(step)] for step in made][-1]


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        pytest.param(["echo 'rm a.py' > x.sh", "echo 'rm b.py' >> x.sh", "sh x.sh"], ["a.py", "b.py"], id="printed"),
        pytest.param(["printf 'rm a.py\\nrm b.py' > x.sh", "sh x.sh"], ["a.py", "b.py"], id="printed with line ends"),
        pytest.param(["echo 'rm a.py' > x.sh", "echo 'rm b.py' > x.sh", "sh x.sh"], ["b.py"], id="written over"),
        pytest.param(["tee -a x.sh <<E\nrm a.py\nE", "tee -a x.sh <<E\nrm b.py\nE", "sh x.sh"], ["a.py", "b.py"], id="tee -a"),
        pytest.param([Replace(path="fix.sh", old=b"a/b", new=b"c/d"), "sh fix.sh"], ["b.py"], id="an edited script"),
        pytest.param([Replace(path="fix.sh", old=b"none", new=b"rm c.py"), "sh fix.sh"], ["b.py", "c.py"], id="one that does not fit"),
        pytest.param([Replace(path="Makefile", old=b"a.py", new=b"c.py"), "make wipe"], ["c.py", "b.py"], id="an edited Makefile"),
    ],
)  # fmt: skip
def test_a_script_is_what_was_written_last(steps: list[str | Edit], found: list[str]) -> None:
    assert _shell(*steps) == found
