"""Trees on disk: what is written, what is refused, and that nothing stays."""

import contextlib
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import CannotJudge, PathRefused
from gate.process import run
from gate.surroundings import environment
from gate.tree import EXECUTABLE, SUBMODULE, SYMLINK, MemoryTree
from gate.workspace import materialise, on_disk, update

TREE = MemoryTree(
    {
        "a-b": b"1",
        "a/b/c.txt": b"2\r\n",
        "a/b/d": b"",
        "a/x.sh": b"#!/bin/sh\necho ran\n",
        "a.txt": b"\0\xff",
        "ab/c": b"3",
        "link": b"a/b/c.txt",
        "z/only/link": b"../../a.txt",
        "sub/module": b"0" * 40,
    },
    modes={"a/x.sh": EXECUTABLE, "link": SYMLINK, "z/only/link": SYMLINK, "sub/module": SUBMODULE},
)


def _found(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if not path.is_dir()}


def test_every_file_is_on_disk_with_its_bytes_and_its_mode() -> None:
    with on_disk(TREE) as folder:
        assert _found(folder) == {
            "a-b": b"1",
            "a.txt": b"\0\xff",
            "a/b/c.txt": b"2\r\n",
            "a/b/d": b"",
            "a/x.sh": b"#!/bin/sh\necho ran\n",
            "ab/c": b"3",
            "link": b"2\r\n",
            "z/only/link": b"\0\xff",
        }
        assert os.readlink(folder / "z/only/link") == "../../a.txt"
        assert list((folder / "sub/module").iterdir()) == []
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert run("a/x.sh", cwd=folder, environment=environment(), timeout=60).stdout == b"ran\n"
        assert not os.access(folder / "a-b", os.X_OK)
    assert not folder.exists()


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("a\nb", id="newline"),
        pytest.param("aux.py", id="a device elsewhere"),
        pytest.param("x" * 255, id="longest name"),
        pytest.param("\udcff\udcfe", id="bytes that are not UTF-8"),
        pytest.param("name. ", id="trailing dot and space"),
        pytest.param("back\\slash", id="backslash"),
        pytest.param("c:/x", id="colon"),
        pytest.param("/".join(["d"] * 60) + "/x", id="60 levels"),
        pytest.param("-rf", id="dash"),
    ],
)
def test_a_name_that_only_other_systems_refuse_is_written(path: str) -> None:
    with on_disk(MemoryTree({path: b"x"})) as folder:
        found = [os.path.join(root, name) for root, _, names in os.walk(os.fsencode(folder)) for name in names]
        assert found == [os.fsencode(folder) + b"/" + path.encode("utf-8", "surrogateescape")]


def test_names_that_differ_in_case_are_two_files() -> None:
    with on_disk(MemoryTree({"A/x": b"1", "a/x": b"2", "a/X": b"3"})) as folder:
        if len(list(folder.iterdir())) == 2:
            assert _found(folder) == {"A/x": b"1", "a/x": b"2", "a/X": b"3"}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        pytest.param("../x", "path_not_normal", id="A01"),
        pytest.param("a/../../x", "path_not_normal", id="dots inside"),
        pytest.param("/etc/x", "path_not_normal", id="A02"),
        pytest.param("", "path_not_normal", id="empty"),
        pytest.param("a//b", "path_not_normal", id="empty name"),
        pytest.param("./a", "path_not_normal", id="dot"),
        pytest.param("a\0b", "path_not_normal", id="A07"),
        pytest.param("a\ud800", "path_not_normal", id="half a surrogate pair"),
        pytest.param(".git/hooks/x", "path_git_dir", id="A08"),
        pytest.param("sub/.git", "path_git_dir", id="A08 below"),
        pytest.param(".GIT/x", "path_git_dir", id="A09"),
        pytest.param(".g\u200cit/x", "path_git_dir", id="A10"),
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(path: str, kind: str) -> None:
    with pytest.raises(PathRefused) as caught, on_disk(MemoryTree({path: b"x"})):
        pass
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("links", "message"),
    [
        pytest.param({"up": b".."}, "the link 'up' leads out of the workspace", id="A04"),
        pytest.param({"d": b"/tmp"}, "the link 'd' leads out of the workspace, to '/tmp'", id="A05"),
        pytest.param(
            {"p": b"/proc/self/root"}, "the link 'p' leads out of the workspace, to '/proc/self/root'", id="proc"
        ),
        pytest.param(
            {"f": b"d/e", "s": b"f/../../.."}, "the link 's' leads out of the workspace", id="through another link"
        ),
    ],
)
def test_a_link_that_leads_out_is_refused(links: dict[str, bytes], message: str) -> None:
    tree = MemoryTree({**links, "d/e/x": b""}, modes=dict.fromkeys(links, SYMLINK))
    with pytest.raises(PathRefused) as caught, on_disk(tree):
        pass
    assert (caught.value.message, caught.value.kind) == (message, "symlink")


TAKEN = (
    "{!r} cannot be written to the workspace: its name, or that of a folder on the way, is taken already, as a file or "
    "by a name that this file system does not tell apart"
)


@pytest.mark.parametrize(
    ("files", "link", "message"),
    [
        pytest.param(["a", "a/b"], None, TAKEN.format("a/b"), id="a file is a folder"),
        pytest.param(["a/b", "a/b/c"], None, TAKEN.format("a/b/c"), id="below a folder"),
        pytest.param(["a/b"], "a", TAKEN.format("a"), id="a link is a folder"),
        pytest.param(
            ["x" * 256], None, f"{'x' * 256!r} cannot be written to the workspace: File name too long", id="A16"
        ),
    ],
)
def test_what_the_system_cannot_hold_cannot_be_judged(files: list[str], link: str | None, message: str) -> None:
    tree = MemoryTree(
        dict.fromkeys(files, b"") | ({link: b"c"} if link else {}), modes={link: SYMLINK} if link else None
    )
    with pytest.raises(CannotJudge) as caught, on_disk(tree):
        pass
    assert (caught.value.message, caught.value.kind) == (message, "workspace")


def test_nothing_is_written_over_or_through_what_is_there(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "d").symlink_to(outside)
    (folder / "f").symlink_to(outside / "made")
    for path in ("d/x", "f"):
        with pytest.raises(CannotJudge, match="is taken already"):
            materialise(MemoryTree({path: b"x"}), folder)
    assert list(outside.iterdir()) == []


SWAP = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
while not os.path.exists("stop"):
    libc.renameat2(-100, b"folder/d", -100, b"trap", 2)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="names are exchanged with a call of Linux")
def test_a_folder_that_is_swapped_with_a_link_meanwhile_leads_nowhere(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "e").mkdir(parents=True)
    (tmp_path / "trap").symlink_to(outside)
    (tmp_path / "folder").mkdir()
    tree = MemoryTree({f"{folder}/{number}": b"x" for number in range(100) for folder in ("d", "d/e")})
    with subprocess.Popen([sys.executable, "-c", SWAP], cwd=tmp_path) as swapping:
        for number in range(4):
            with contextlib.suppress(CannotJudge):
                materialise(tree, tmp_path / "folder")
            (tmp_path / "folder").rename(tmp_path / f"old{number}")
            (tmp_path / "folder").mkdir()
        (tmp_path / "stop").touch()
        assert swapping.wait(60) == 0
    assert [path for path in outside.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("chmod 000 a/b a .", id="locked folders"),
        pytest.param("mkdir -p q/r && chmod 000 q/r q", id="locked new folders"),
        pytest.param("ln -s / root; ln a-b hard; mkfifo pipe", id="links and pipes"),
        pytest.param('rm -rf ./* && rmdir "$PWD"', id="all gone"),
        pytest.param(
            "for i in 1 2 3 4 5 6 7 8; do mkdir -p $(printf 'd/%.0s' $(seq 250)) && cd $(printf 'd/%.0s' $(seq 250)); done",
            id="very deep",
        ),
        pytest.param("touch \"$(printf 'a\\377\\nb')\"", id="odd names"),
    ],
)
def test_nothing_stays_whatever_a_command_did(command: str) -> None:
    with on_disk(TREE) as folder:
        assert run(command, cwd=folder, environment=environment(), timeout=60).exit_code == 0
    assert not os.path.lexists(folder)


def test_nothing_stays_after_a_refusal_or_an_error(tmp_path: Path) -> None:
    mark = f"a-{tmp_path.name}-{os.getpid()}"
    with pytest.raises(PathRefused), on_disk(MemoryTree({mark: b"", "b/.git/x": b""})):
        pass
    with pytest.raises(CannotJudge), on_disk(MemoryTree({mark: b"", "b": b"", "b/c": b""})):
        pass
    with pytest.raises(FileNotFoundError), on_disk(MemoryTree({mark: b""})) as folder:
        (folder / "gone").read_bytes()
    assert not [*Path("/dev/shm").glob(f"gate-*/{mark}"), *Path(tempfile.gettempdir()).glob(f"gate-*/{mark}")]


def test_a_filled_folder_is_brought_up_to_date() -> None:
    with on_disk(MemoryTree({"a": b"1", "d/b": b"2", "d/e/c": b"3"})) as folder:
        changes = [("a", b"new", EXECUTABLE), ("d/b", None, 0), ("d/x", None, 0), ("n/m/f", b"4", 0)]
        update(folder, changes, folders=["d/e", "o/p"])
        assert _found(folder) == {"a": b"new", "d/e/c": b"3", "n/m/f": b"4"}
        assert os.access(folder / "a", os.X_OK)
        assert not os.access(folder / "n/m/f", os.X_OK)
        assert (folder / "o/p").is_dir()


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("l/x", "'l/x' cannot be written to the workspace: Not a directory"),
        ("f/x", "'f/x' cannot be written to the workspace: Not a directory"),
        ("d", "'d' cannot be written to the workspace: Is a directory"),
    ],
)
def test_nothing_is_written_through_what_a_program_left(path: str, message: str, tmp_path: Path) -> None:
    with on_disk(MemoryTree({"a": b""})) as folder:
        (folder / "l").symlink_to(tmp_path)
        (folder / "f").touch()
        (folder / "d").mkdir()
        with pytest.raises(CannotJudge) as caught:
            update(folder, [(path, b"new", 0)])
    assert caught.value.message == message
    assert not list(tmp_path.iterdir())


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.touch()
    with on_disk(MemoryTree({"a": b""})) as folder:
        (folder / "a").unlink()
        (folder / "a").symlink_to(victim)
        update(folder, [("a", b"new", 0)])
        assert not (folder / "a").is_symlink()
    assert victim.read_bytes() == b""


@pytest.mark.parametrize("path", ["../x", "/x", ".git/config", "a/../../x"])
def test_an_update_stays_in_the_folder(path: str) -> None:
    with on_disk(MemoryTree({"a": b""})) as folder, pytest.raises(PathRefused):
        update(folder, [(path, b"", 0)])


NAMES = st.text(st.sampled_from("ab-. é"), min_size=1, max_size=3).filter(lambda name: name not in (".", ".."))
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


@given(st.dictionaries(PATHS, st.binary(max_size=3)))
def test_a_tree_on_disk_is_the_tree(files: dict[str, bytes]) -> None:
    if any(other.startswith(f"{path}/") for path in files for other in files):
        with pytest.raises(CannotJudge), on_disk(MemoryTree(files)):
            pass
        return
    with on_disk(MemoryTree(files)) as folder:
        assert _found(folder) == files
