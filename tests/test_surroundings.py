"""Where programs are looked for: never in what is judged, whatever `PATH` holds."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gate import surroundings
from gate.surroundings import environment, own, program, repository_environment
from tests.commands.repository import write
from tests.conftest import Git

GIT = str(shutil.which("git"))
MANIFEST = """\
version: 1
tasks:
  - id: a
    oracles: [{type: run_command, command: tool}, {type: file_not_modified, path: kept.txt}]
"""


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture(autouse=True)
def nobody_is_judged() -> Iterator[None]:
    surroundings.judge(None)
    yield
    surroundings.judge(None)


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder with what a machine has: git, and a `tool`."""
    folder = tmp_path / "machine"
    script(folder / "git", f'exec {GIT} "$@"')
    script(folder / "tool", "exit 0")
    return folder


def folders(found: dict[str, str]) -> list[str]:
    return found["PATH"].split(os.pathsep)


def test_what_is_relative_or_empty_counts_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join([".", "", "bin", "/a", "./b", "/c"]))
    assert folders(environment()) == ["/a", "/c"]
    assert folders(environment(first="/first")) == ["/first", "/a", "/c"]
    assert folders(repository_environment(Path("/"))) == ["/a", "/c"]


@pytest.mark.parametrize("path", [pytest.param(".", id="current folder"), pytest.param("", id="nothing")])
def test_where_nothing_is_left_it_is_not_the_current_folder(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setenv("PATH", path)
    for found in (environment(), repository_environment(Path("/"))):
        assert folders(found)
        assert all(map(os.path.isabs, folders(found)))


@pytest.mark.parametrize(
    ("folder", "tracked", "counts"),
    [
        pytest.param("bin", ["src/a.py"], True, id="nothing in it is tracked"),
        pytest.param("bin", ["bin/tool"], False, id="something in it is"),
        pytest.param("bin", ["BIN/tool"], False, id="under a name that a file system takes for it"),
        pytest.param("bin", ["bin/deep/x"], False, id="something below it is"),
        pytest.param("bin", ["bin"], False, id="a link in its place"),
        pytest.param("a/bin", ["a"], False, id="a link on the way"),
        pytest.param("a/bin", ["a/x"], True, id="a neighbour"),
        pytest.param(".venv/bin", [".venv/lib/x.pth"], False, id="what its interpreter loads"),
        pytest.param("node_modules/.bin", ["package.json"], True, id="what npm has installed"),
        pytest.param("node_modules/.bin", ["node_modules/x/index.js"], False, id="what npm has not installed"),
        pytest.param("", ["src/a.py"], False, id="the checkout itself"),
        pytest.param("linked", ["bin/tool"], False, id="a link to one that does not"),
    ],
)
def test_a_folder_of_the_checkout_counts_where_the_change_cannot_have_brought_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, tracked: list[str], counts: bool
) -> None:
    top = tmp_path / "repo"
    (top / "bin").mkdir(parents=True)
    (top / "linked").symlink_to("bin")
    write(top, {".venv/pyvenv.cfg": ""})
    surroundings.judge(top, lambda: tracked)
    place = os.path.join(top, folder) if folder else str(top)
    monkeypatch.setenv("PATH", os.pathsep.join([place, "/usr/bin"]))
    assert folders(environment()) == [*([place] if counts else []), "/usr/bin"]
    surroundings.judge(None)
    assert folders(environment()) == [place, "/usr/bin"]


def test_paths_are_asked_for_only_where_they_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def paths() -> list[str]:
        asked.append("once")
        return ["a"]

    surroundings.judge(tmp_path, paths)
    monkeypatch.setenv("PATH", "/usr/bin")
    environment()
    assert asked == []
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path / "bin"), str(tmp_path / "b"), "/usr/bin"]))
    assert folders(environment()) == folders(environment())
    assert asked == ["once"]


class TestOwn:
    """What the gate trusts with the repository."""

    def test_it_lies_in_no_checkout(self, tmp_path: Path, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        top = tmp_path / "repo"
        write(top, {".git": "gitdir: elsewhere", "sub/x": ""})
        script(top / "bin/git", "exit 9")
        (tmp_path / "links").mkdir()
        (tmp_path / "links/git").symlink_to(top / "bin/git")
        (tmp_path / "way").symlink_to(top / "bin")
        before = [str(top / "bin"), str(tmp_path / "way"), str(tmp_path / "links")]
        monkeypatch.setenv("PATH", os.pathsep.join([*before, ".", str(machine)]))
        for near in (top, top / "sub"):
            assert own("git", near) == str(machine / "git")
            assert folders(repository_environment(near)) == [str(tmp_path / "links"), str(machine)]
        monkeypatch.chdir(top / "sub")
        assert own("git", Path("/")) == str(machine / "git")

    def test_where_there_is_none_its_name_is_left(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        script(tmp_path / "git", "exit 9")
        (tmp_path / ".git").mkdir()
        monkeypatch.setenv("PATH", str(tmp_path))
        assert own("git", tmp_path) == "git"
        assert str(tmp_path) not in folders(repository_environment(tmp_path))

    def test_a_program_is_found_by_its_name_or_its_path(self, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", str(machine))
        (machine / "plain").write_text("")
        assert program("tool") == program(str(machine / "tool")) == str(machine / "tool")
        assert program("plain") is None
        assert program("no-such-program") is None


@pytest.mark.parametrize(
    ("path", "tracked"),
    [
        pytest.param(".", True, id="the current folder"),
        pytest.param("", True, id="an empty entry"),
        pytest.param("bin", True, id="a relative folder"),
        pytest.param("{top}/bin", True, id="a folder of the checkout"),
        pytest.param("{top}", True, id="the checkout"),
        pytest.param("{top}/bin", False, id="a folder of the checkout, of which git knows nothing"),
    ],
)
def test_no_trojan_is_started(tmp_path: Path, git: Git, machine: Path, path: str, tracked: bool) -> None:
    """A `git` of the judged tree never is; a `tool` only where git does not know it."""
    root, marks = tmp_path / "repo", tmp_path / "marks"
    marks.mkdir()
    git("init", "-q")
    write(root, {"gate.yaml": MANIFEST, "kept.txt": "a"})
    git("add", "-A")
    git("commit", "-qm", "base")
    base = git("rev-parse", "HEAD")
    write(root, {"kept.txt": "b"})
    for folder in ("", "bin/"):
        for name in ("git", "tool"):
            script(root / f"{folder}{name}", f'echo x >"{marks}/{name}"')
    if not tracked:
        write(root, {".gitignore": "/git\n/tool\n/bin/\n"})
    git("add", "-A")
    git("commit", "-qm", "head")
    environ = {**os.environ, "PATH": os.pathsep.join([path.format(top=root), str(machine), "/usr/bin", "/bin"])}
    done = subprocess.run(
        [sys.executable, "-m", "gate", "run", "--base", base, "--json", str(tmp_path / "report.json")],
        cwd=root,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads((tmp_path / "report.json").read_text())
    verdicts = {verdict["oracle"]: verdict["outcome"] for verdict in report["tasks"][0]["verdicts"]}
    assert verdicts == {"run_command": "pass", "file_not_modified": "fail"}, done.stderr
    assert sorted(os.listdir(marks)) == ([] if tracked else ["tool"])
