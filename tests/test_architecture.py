"""The rooms of the house: who imports whom, who touches the world, and how long a page may be."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

GATE = ROOT / "gate"
ROOMS = {str(path.relative_to(GATE).with_suffix("")): ast.parse(path.read_text()) for path in GATE.rglob("*.py")}
_LONGEST_FILE = 300
_LONGEST_FUNCTION = 50
_LONGEST = {"__main__": 12, "cli": 150}
_NO_NOUNS = {"base", "common", "core", "helper", "helpers", "manager", "misc", "util", "utils"}


def test_rooms_import_only_what_stands_below_them() -> None:
    """The contracts are in `.importlinter`; a new room gets its place there."""
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


_PRINTS = ("cli", "commands/", "outlet", "surfaces")  # surfaces hands the terminal to the face
_FILES = (
    *(
        "source",
        "disk",
        "digest",
        "workspace",
        "process",
        "reaper",
        "stream",
        "reporters/face",
        "bundles/corpora",
        "commands/init",
        "commands/bundle",
    ),
    "outlet",  # the null device
    "registry",  # the package's own plugin folders
)
_WORLD = {
    "starts a process": (r"subprocess(\..+)?|os\.(system|popen|fork|spawn\w+|posix_spawnp?)", ("process",)),
    "becomes another": (r"os\.exec\w+", ("outset",)),
    "reads the environment": (
        r"os\.(environb?|getenvb?|expandvars)|.*\.(home|expanduser)",
        ("cli", "github", "process", "surroundings"),
    ),
    "prints": (r"print|sys\.(stdout|stderr)(\..+)?", _PRINTS),
    "opens files": (
        r"open|io\.open|os\.(open|fdopen|listdir|scandir|walk|mkdir|makedirs|remove|unlink|rename|replace)"
        r"|.*\.(read_text|read_bytes|write_text|write_bytes|iterdir|glob|rglob|mkdir|touch|unlink)"
        r"|shutil\..+|tempfile\..+",
        _FILES,
    ),
    "changes the process": (r"os\.(chdir|umask|putenv|unsetenv)|sys\.path(\..+)?|locale\.setlocale", ("__main__",)),
}


def _names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every dotted name that is used, with its line: `os.environ.get` is one, and so are its beginnings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.lineno, _dotted(node)


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


@pytest.mark.parametrize("deed", _WORLD)
def test_only_its_room(deed: str) -> None:
    pattern, allowed = _WORLD[deed]
    found = [
        f"gate/{room}.py:{line}: {name}"
        for room, tree in ROOMS.items()
        if not room.startswith(allowed)
        for line, name in _names(tree)
        if re.fullmatch(pattern, name)
    ]
    assert not found, f"{deed}: {found}"


@pytest.mark.parametrize(
    ("code", "deed"),
    [
        ("subprocess.run(['x'])", "starts a process"),
        ("os.environ['HOME']", "reads the environment"),
        ("sys.stdout.write('x')", "prints"),
        ("Path(name).read_text()", "opens files"),
        ("with open(name) as file: pass", "opens files"),
        ("os.chdir(folder)", "changes the process"),
    ],
)
def test_sees_what_a_room_does(code: str, deed: str) -> None:
    assert any(re.fullmatch(_WORLD[deed][0], name) for _, name in _names(ast.parse(code)))


_DEFERRED = {
    "ahocorasick_rs",
    "asyncio",
    "concurrent",
    "dataclasses",
    "difflib",
    "git",
    "github",
    "importlib.metadata",
    "junit_xml",
    "logging",
    "regex",
    "rich",
    "shutil",
    "tempfile",
}


def _imports(tree: ast.Module) -> Iterator[str]:
    """What is imported when the module is."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module)


@pytest.mark.parametrize("room", ROOMS)
def test_imports_what_is_heavy_where_it_is_needed(room: str) -> None:
    heavy = {name for name in _imports(ROOMS[room]) if name in _DEFERRED or name.split(".")[0] in _DEFERRED}
    assert not heavy, f"gate/{room}.py imports {heavy} at its top: defer it to the one function that needs it"


@pytest.mark.parametrize("room", ROOMS)
def test_is_short(room: str) -> None:
    lines = (GATE / f"{room}.py").read_text().count("\n")
    assert lines < _LONGEST.get(room, _LONGEST_FILE + 1)
    long = [
        f"{node.name}: {(node.end_lineno or 0) - node.lineno + 1} lines"
        for node in ast.walk(ROOMS[room])
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= _LONGEST_FUNCTION
    ]
    assert not long


@pytest.mark.parametrize("room", ROOMS)
def test_is_named_for_what_it_holds(room: str) -> None:
    assert not _NO_NOUNS.intersection(room.split("/"))


def test_every_room_stands_in_the_page_on_architecture() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    house = page[page.index("## The house") : page.index("## Words")]
    rooms = {room.split("/")[0] for room in ROOMS} - {"__init__"}
    assert sorted(room for room in rooms if not re.search(rf"`{room}[`/]", house)) == []
