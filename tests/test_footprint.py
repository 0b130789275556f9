"""Which recorded commands may have changed a file."""

import pytest

from gate.footprint import footprints
from gate.replay import replay
from gate.trajectory import Command, Lost, Ok, Step, Trajectory
from gate.tree import MemoryTree

START = MemoryTree(
    {
        "Makefile": b"gen:\n\techo > src/a.py\n",
        "fix.sh": b"sed -i s/x/y/ src/a.py\n",
        "old.py": b"open('src/a.py', 'w')\n",
    }
)


def _reach(
    text: str,
    path: str = "src/a.py",
    *,
    exit_code: int | None = 0,
    directory: str | None = None,
    roots: tuple[str, ...] = (),
    touched: bool = False,
    gone: bool = False,
    undone: bool = False,
) -> str:
    """`named`, `near`, or nothing."""
    command = Command(text=text, directory=directory, exit_code=exit_code)
    step = Step(
        number=1,
        tool="bash",
        ok=Ok.NO if exit_code or exit_code is None else Ok.YES,
        commands=(command,),
        undone=undone,
    )
    trajectory = Trajectory(format="test", steps=(step,), directory="/w", roots=roots)
    found = footprints(trajectory, replay(trajectory, START), START).reach(path, touched=touched, gone=gone)
    return "named" if found.named else "near" if found.near else ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("sed -i s/x/y/ src/a.py", "named", id="its name"),
        pytest.param("cd src && sed -i s/x/y/ a.py", "named", id="its name in a folder"),
        pytest.param("echo x > /w/src/a.py", "named", id="its absolute name"),
        pytest.param("sed -i s/x/y/ src/*.py", "near", id="a pattern"),
        pytest.param("black src", "near", id="a formatter on its folder"),
        pytest.param("npx prettier --write src", "", id="a formatter of other kinds"),
        pytest.param("gofmt -w src/a.py", "", id="one that never writes it"),
        pytest.param("black .", "near", id="a formatter on everything"),
        pytest.param("bun run lint:fix", "near", id="a script that fixes"),
        pytest.param("bun run test", "", id="a script that does not"),
        pytest.param("cargo fmt", "", id="a formatter of another language"),
        pytest.param("git pull", "near", id="git brings in something"),
        pytest.param("git checkout main -- src/a.py", "named", id="git brings in a file"),
        pytest.param("git mv src/b.py src/a.py", "named", id="the new name of a rename"),
        pytest.param("git stash pop", "near", id="git stash pop"),
        pytest.param("git reset --hard origin/main", "near", id="git resets to something else"),
        pytest.param("git checkout -- src/a.py", "", id="git gives back what was committed"),
        pytest.param("git restore .", "", id="git restore"),
        pytest.param("git reset --hard", "", id="git reset"),
        pytest.param("git stash", "", id="git stash"),
        pytest.param("git clean -fd", "", id="git clean"),
        pytest.param("git checkout .", "", id="git checkout of everything"),
        pytest.param("rm src/a.py", "", id="what removes writes nothing"),
        pytest.param("rm -rf src && git pull", "near", id="but what comes after may"),
        pytest.param("chmod +x src/a.py", "", id="a mode"),
        pytest.param("python -c 'print(open(\"src/a.py\").read())'", "", id="a script that reads"),
        pytest.param("python - <<'E'\nopen('src/a.py', 'w')\nE", "named", id="a script that writes"),
        pytest.param("node -e \"fs.writeFileSync('src/a.py', x)\"", "named", id="another that writes"),
        pytest.param(
            "cat > fix.py <<'E'\nopen('src/a.py', 'w')\nE\npython fix.py", "named", id="a script that was written"
        ),
        pytest.param("cat > fix.py <<'E'\nprint('src/a.py')\nE\npython fix.py", "", id="one that only reads"),
        pytest.param("bash fix.sh", "named", id="a shell script of the workspace"),
        pytest.param("python old.py", "", id="another script of the workspace"),
        pytest.param("sed -i s/x/y/ /elsewhere/src/a.py", "", id="elsewhere"),
        pytest.param("cat src/a.py", "", id="what only looks"),
        pytest.param("f=src/a.py; sed -i s/x/y/ $f", "named", id="its name in a variable"),
        pytest.param("for f in src/*.py; do sed -i s/x/y/ $f; done", "near", id="a pattern in a loop"),
        pytest.param("find . -name '*.py' -exec sed -i s/x/y/ {} +", "near", id="what find names"),
        pytest.param("find . -name '*.js' -exec sed -i s/x/y/ {} +", "", id="other names that find finds"),
        pytest.param("sed -i s/x/y/ $F $(ls)", "", id="what cannot be told explains nothing"),
        pytest.param("ln -s src s2; echo x > s2/a.py", "", id="nor does a link"),
        pytest.param("make gen", "", id="nor does a recipe"),
        pytest.param(
            "python - <<'E'\nfor p in glob.glob('src/*.py'): open(p, 'w')\nE", "", id="nor does code that finds files"
        ),
    ],
)
def test_what_may_have_written_it(text: str, found: str) -> None:
    assert _reach(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("rm src/a.py", "named"),
        ("rm -r src", "near"),
        ("git mv src/a.py src/b.py", "named"),
        ("git checkout main", "near"),
        ("python -c 'os.remove(\"src/a.py\")'", "named"),
        ("black .", ""),
        ("sed -i s/x/y/ src/a.py", ""),
        ("echo x > src/a.py", ""),
    ],
)
def test_what_may_have_removed_it(text: str, found: str) -> None:
    assert _reach(text, gone=True) == found


def test_what_git_gives_back_counts_where_something_was_edited() -> None:
    assert _reach("git checkout -- src/a.py", touched=True) == "named"
    assert _reach("sed -i s/x/y/ src/*; git checkout -- src/a.py") == "named"


@pytest.mark.parametrize(
    ("text", "exit_code", "found"),
    [
        pytest.param("sed -i s/x/y/ src/a.py", 1, "", id="it failed"),
        pytest.param("sed -i s/x/y/ src/a.py", None, "", id="it was refused"),
        pytest.param("sed -i s/x/y/ src/a.py && pytest", 1, "named", id="something behind it failed"),
        pytest.param("ruff check --fix src/a.py", 1, "named", id="a formatter that leaves something over"),
        pytest.param("ruff check --fix src/a.py", None, "", id="a formatter that was refused"),
    ],
)
def test_a_command_that_failed(text: str, exit_code: int | None, found: str) -> None:
    assert _reach(text, exit_code=exit_code) == found


@pytest.mark.parametrize(
    ("directory", "roots", "found"),
    [
        pytest.param("/w/src", (), "named", id="a folder of the checkout"),
        pytest.param("/w/.worktrees/x/src", ("/w/.worktrees/x",), "named", id="a worktree in the checkout"),
        pytest.param("/w-x/src", ("/w-x",), "named", id="a worktree beside it"),
        pytest.param("/w-x/src", (), "", id="another checkout"),
        pytest.param("src", (), "named", id="relative to the checkout"),
    ],
)
def test_where_it_ran(directory: str, roots: tuple[str, ...], found: str) -> None:
    assert _reach("sed -i s/x/y/ a.py", directory=directory, roots=roots) == found


def test_what_a_person_took_back_left_nothing() -> None:
    assert _reach("sed -i s/x/y/ src/a.py", undone=True) == ""


def test_modes_and_sub_agents() -> None:
    lost = Lost("its recording is not here", "sub_agent")
    steps = (
        Step(number=1, tool="bash", ok=Ok.YES, commands=(Command(text="chmod +x a; chmod -R u+w d"),)),
        Step(number=2, tool="Task", ok=Ok.YES, lost=lost),
        Step(number=3, tool="Task", ok=Ok.YES),
        Step(number=4, tool="Task", ok=Ok.NO, lost=lost),
    )
    trajectory = Trajectory(format="test", steps=steps)
    prints = footprints(trajectory, replay(trajectory, START), START)
    assert [prints.modes(path) for path in ("a", "d/x", "b")] == [(1,), (1,), ()]
    assert prints.sub_agents == (2,)
