"""What a replay makes of a start tree, and why it is not whole where it is not."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.editing.edit import Delete, Edit, Move, Replace, TextReplace, Write
from gate.mention import named_files
from gate.replay import Replay, replay
from gate.trajectory import Dropped, Lost, Ok, Step, Trajectory
from gate.tree import EXECUTABLE, REGULAR, SUBMODULE, SYMLINK, MemoryTree, Tree


def write(path: str, content: bytes = b"new") -> Write:
    return Write(path=path, content=content)


def change(path: str, old: bytes, new: bytes, **more: Any) -> Replace:
    return Replace(path=path, old=old, new=new, **more)


def steps(*edits: Edit | Step, ok: Ok = Ok.YES) -> tuple[Step, ...]:
    return tuple(
        Step(number=number, line=10 * number, ok=ok, edits=(edit,)) if isinstance(edit, Edit) else edit
        for number, edit in enumerate(edits, 1)
    )


def run(*edits: Edit | Step, start: dict[str, bytes] | Tree | None = None, ok: Ok = Ok.YES, **more: Any) -> Replay:
    tree = start if isinstance(start, Tree) else MemoryTree(start or {})
    return replay(Trajectory(format="test", steps=steps(*edits, ok=ok), **more), tree)


def files(found: Replay) -> dict[str, bytes]:
    return {path: found.tree.read(path) for path in found.tree.paths()}


def test_edits_apply_in_order() -> None:
    found = run(
        write("src/a.py", b"x = 1\n"),
        change("src/a.py", b"1", b"2"),
        write("b", b""),
        Delete(path="b"),
        Delete(path="old"),
        start={"old": b"1", "kept": b"2"},
    )
    assert files(found) == {"kept": b"2", "src/a.py": b"x = 2\n"}
    assert [edit.path for edit in found.applied] == ["src/a.py", "src/a.py", "b", "b", "old"]
    assert (found.incomplete, found.kind) == ((), "")
    assert found.touched == {"src/a.py", "b", "old"}


def test_start_tree_is_not_touched() -> None:
    start = MemoryTree({"a": b"1"})
    assert files(run(write("a"), Delete(path="a"), start=start)) == {}
    assert start.read("a") == b"1"


def test_a_move_takes_content_and_mode() -> None:
    start = MemoryTree({"bin/a": b"1", "c": b"2"}, modes={"bin/a": EXECUTABLE})
    found = run(change("bin/a", b"1", b"3"), Move(path="bin/a", to="bin/b"), Move(path="bin/b", to="c"), start=start)
    assert files(found) == {"c": b"3"}
    assert found.tree.mode("c") == EXECUTABLE
    assert found.touched == {"bin/a", "bin/b", "c"}
    assert [(edit.path, edit.to) for edit in found.applied][1] == ("bin/a", "bin/b")


def test_modes_are_kept() -> None:
    start = MemoryTree({"a": b"1"}, modes={"a": EXECUTABLE})
    found = run(write("a"), write("b"), start=start)
    assert (found.tree.mode("a"), found.tree.mode("b")) == (EXECUTABLE, REGULAR)


@pytest.mark.parametrize(
    ("edit", "start", "sentence", "kind"),
    [
        pytest.param(
            change("a", b"y = 4", b""),
            {"a": b"x = 1\ny = 2\n"},
            "step 1 (line 10): a: the old text is not in the file; nearest is line 2: 'y = 2'",
            "replay_mismatch",
            id="does not fit",
        ),
        pytest.param(
            change("a", b"x", b""),
            {"a": b"xx"},
            "step 1 (line 10): a: the old text is in the file 2 times, expected once",
            "replay_mismatch",
            id="fits twice",
        ),
        pytest.param(
            Delete(path="a"), {}, "step 1 (line 10): a: there is no such file", "replay_mismatch", id="no file"
        ),
        pytest.param(
            write("a/b"),
            {"a": b""},
            "step 1 (line 10): a/b: a is a file, expected a folder",
            "path_file_in_way",
            id="a file in the way",
        ),
        pytest.param(
            write("a"),
            {"a/b": b""},
            "step 1 (line 10): a: a folder has this name, expected a file",
            "path_folder_in_way",
            id="a folder in the way",
        ),
        pytest.param(
            write("../outside.txt"),
            {},
            "step 1 (line 10): '../outside.txt' leads out of the workspace",
            "path_escape",
            id="an escape",
        ),
        pytest.param(
            write("/etc/cron.d/x"),
            {},
            "step 1 (line 10): '/etc/cron.d/x' is absolute; expected a path inside the workspace",
            "path_absolute",
            id="absolute, and nobody knows where the agent worked",
        ),
        pytest.param(
            write(".git/hooks/pre-commit"),
            {},
            "step 1 (line 10): '.git' is git's own folder on some file system",
            "path_git_dir",
            id="git's own folder",
        ),
        pytest.param(
            Move(path="a", to="../b"),
            {"a": b""},
            "step 1 (line 10): '../b' leads out of the workspace",
            "path_escape",
            id="moved outside",
        ),
    ],
)
def test_incomplete(edit: Edit, start: dict[str, bytes], sentence: str, kind: str) -> None:
    found = run(edit, start=start)
    assert (found.incomplete, found.kind) == ((sentence,), kind)
    assert files(found) == start


@pytest.mark.parametrize(
    ("mode", "path", "sentence", "kind"),
    [
        (SYMLINK, "d/x", "step 1 (line 10): d/x: d is a symbolic link", "symlink_in_path"),
        (SYMLINK, "d", "step 1 (line 10): d: d is a symbolic link", "symlink_in_path"),
        (SUBMODULE, "d/x", "step 1 (line 10): d/x: d is a submodule", "submodule_in_path"),
    ],
)
def test_links_are_not_followed(mode: int, path: str, sentence: str, kind: str) -> None:
    found = run(write(path), start=MemoryTree({"d": b"/tmp/out"}, modes={"d": mode}))
    assert (found.incomplete, found.kind) == ((sentence,), kind)
    assert found.tree.read("d") == b"/tmp/out"


def test_nothing_is_moved_through_a_link() -> None:
    found = run(Move(path="a", to="d/a"), start=MemoryTree({"a": b"1", "d": b"/tmp"}, modes={"d": SYMLINK}))
    assert (found.kind, files(found)) == ("symlink_in_path", {"a": b"1", "d": b"/tmp"})


@pytest.mark.parametrize(
    ("names", "start", "kind"),
    [
        pytest.param(("README.md", "readme.md"), {}, "path_case_collision", id="two new names"),
        pytest.param(("readme.md",), {"README.md": b""}, "path_case_collision", id="a new name and an old one"),
        pytest.param(("Src/b",), {"src/a": b""}, "path_case_collision", id="a folder"),
        pytest.param(("\u00e9.py", "e\u0301.py"), {}, "path_unicode_collision", id="composed and decomposed"),
        pytest.param(("a\u200bb", "ab"), {}, "path_unicode_collision", id="invisible characters"),
    ],
)
def test_names_that_some_systems_take_for_one(names: tuple[str, ...], start: dict[str, bytes], kind: str) -> None:
    found = run(*map(write, names), start=start)
    assert (found.kind, len(found.failed)) == (kind, 1)
    assert found.failed[0].path == names[-1]


@pytest.mark.parametrize(
    ("edits", "start"),
    [
        pytest.param([write("b"), write("B.txt")], {"A": b"", "a": b""}, id="others that were there before"),
        pytest.param([write("a")], {"A": b"", "a": b""}, id="one of two that were there before"),
        pytest.param([Delete(path="A"), write("a")], {"A": b""}, id="the other one is gone"),
        pytest.param([Move(path="A", to="a")], {"A": b""}, id="the other one is moved there"),
        pytest.param([Move(path="Src/A", to="src/A")], {"Src/A": b""}, id="the only file of a folder is moved"),
        pytest.param([Delete(path="a/b"), write("a")], {"a/b": b""}, id="a folder that is empty now"),
        pytest.param([Delete(path="a"), write("a/b")], {"a": b""}, id="a file that is gone"),
        pytest.param([write("src/a"), write("src/b")], {}, id="one new folder"),
    ],
)
def test_names_that_are_told_apart(edits: list[Edit], start: dict[str, bytes]) -> None:
    assert run(*edits, start=start).incomplete == ()


@pytest.mark.parametrize(
    ("recorded", "here", "path"),
    [
        pytest.param("/repo/src/a", None, "src/a", id="below the directory"),
        pytest.param("/repo/x/../src/a", None, "src/a", id="with a way around"),
        pytest.param("src/a", None, "src/a", id="relative"),
        pytest.param("a", "/repo/src", "src/a", id="relative to where the step ran"),
        pytest.param("../a", "/repo/src", "a", id="relative, up and still inside"),
        pytest.param("/repo/.claude/worktrees/w/src/a", None, "src/a", id="in another checkout"),
        pytest.param("a", "/repo/.claude/worktrees/w/src", "src/a", id="relative in another checkout"),
    ],
)
def test_recorded_paths(recorded: str, here: str | None, path: str) -> None:
    step = Step(number=1, ok=Ok.YES, directory=here, edits=(write(recorded),))
    found = run(step, directory="/repo", roots=("/repo/.claude/worktrees/w",))
    assert ([edit.path for edit in found.applied], found.incomplete) == ([path], ())


@pytest.mark.parametrize(
    ("recorded", "here", "kind"),
    [
        pytest.param("/repo-evil/x", None, "path_absolute", id="a directory that begins alike"),
        pytest.param("/home/u/.claude/plans/x.md", "/repo", "path_absolute", id="elsewhere"),
        pytest.param("x", "/tmp", "path_absolute", id="relative to elsewhere"),
        pytest.param("../x", "/repo", "path_escape", id="relative, out of the directory"),
        pytest.param("/repo/.git/config", None, "path_git_dir", id="git's own"),
    ],
)
def test_paths_outside(recorded: str, here: str | None, kind: str) -> None:
    found = run(Step(number=1, ok=Ok.YES, directory=here, edits=(write(recorded),)), directory="/repo")
    assert [(edit.path, edit.recorded, edit.kind) for edit in found.outside] == [(None, recorded, kind)]
    assert bool(found.incomplete) == (kind != "path_absolute")  # beside a known directory it is simply not in it
    assert files(found) == {}


@pytest.mark.parametrize(
    ("recorded", "path"),
    [
        (r"C:\repo\src\a.py", "src/a.py"),
        (r"c:\repo\src\a.py", "src/a.py"),
        ("C:/repo/src/a.py", "src/a.py"),
        (r"src\a.py", "src/a.py"),
        (r"D:\repo\a.py", None),
        (r"C:\repository\a.py", None),
        (r"..\a.py", None),
    ],
)
def test_paths_of_windows(recorded: str, path: str | None) -> None:
    found = run(write(recorded), directory=r"C:\repo")
    assert [edit.path for edit in (*found.applied, *found.outside)] == [path]


@pytest.mark.parametrize("directory", [r"\\wsl.localhost\Ubuntu\repo", "//wsl.localhost/Ubuntu/repo"])
@pytest.mark.parametrize(
    ("recorded", "here", "path"),
    [
        pytest.param(r"\\wsl.localhost\Ubuntu\repo\src\a.py", None, "src/a.py", id="absolute"),
        pytest.param("//wsl.localhost/Ubuntu/repo/src/a.py", None, "src/a.py", id="absolute, slashes"),
        pytest.param(r"src\a.py", None, "src/a.py", id="relative"),
        pytest.param("a.py", r"\\wsl.localhost\Ubuntu\repo\src", "src/a.py", id="relative to where the step ran"),
        pytest.param(r"\\wsl.localhost\Ubuntu\repository\a.py", None, None, id="same start"),
        pytest.param(r"\\wsl.localhost\Debian\repo\a.py", None, None, id="another share"),
        pytest.param(r"a.py", r"\\wsl.localhost\Debian\repo", None, id="relative to another share"),
        pytest.param(r"C:\repo\a.py", None, None, id="a drive"),
        pytest.param(r"..\a.py", None, None, id="out"),
    ],
)
def test_paths_of_windows_on_a_share(directory: str, recorded: str, here: str | None, path: str | None) -> None:
    found = run(Step(number=1, ok=Ok.YES, directory=here, edits=(write(recorded),)), directory=directory)
    assert [edit.path for edit in (*found.applied, *found.outside)] == [path]


def test_a_given_directory_goes_before_the_recorded_one() -> None:
    trajectory = Trajectory(format="test", steps=steps(write("/b/x"), write("/a/x")), directory="/a")
    found = replay(trajectory, MemoryTree({}), directory="/b")
    assert ([edit.path for edit in found.applied], len(found.outside)) == (["x"], 1)


def test_recorded_failures_are_not_applied() -> None:
    lost = Step(number=2, ok=Ok.NO, lost=Lost("x"), names=("a",), known=False, tool="t")
    found = run(Step(number=1, ok=Ok.NO, edits=(write("a"), write("../b"))), lost, start={"a": b"1"})
    assert files(found) == {"a": b"1"}
    assert [(edit.path, edit.kind) for edit in found.skipped] == [("a", "recorded_failure"), (None, "path_escape")]
    assert (found.incomplete, found.unknown) == ((), {"t": 1})


def test_what_a_person_took_back_is_not_applied() -> None:
    found = run(Step(number=1, ok=Ok.YES, undone=True, edits=(write("a"),), lost=Lost("x"), names=("a",)))
    assert [edit.sentence for edit in found.skipped] == ["step 1: a: a person went back to before it"]
    assert (files(found), found.incomplete) == ({}, ())


def test_steps_without_a_result_apply_where_they_fit() -> None:
    found = run(change("a", b"1", b"2"), change("a", b"7", b"8"), start={"a": b"1"}, ok=Ok.UNKNOWN)
    assert (files(found), found.incomplete) == ({"a": b"2"}, ())
    assert [(edit.step, edit.unknown) for edit in found.applied] == [(1, True)]
    assert [edit.sentence for edit in found.skipped] == [
        "step 2 (line 20): a: it has no recorded result, and it does not fit: the old text is not in the file; "
        "nothing there is like it"
    ]


def test_a_recorded_content_before_is_believed_and_the_drift_is_told() -> None:
    found = run(
        change("a", b"1", b"2"),
        change("a", b"3", b"4", before=b"3 formatted\n"),
        change("a", b"4", b"5", before=b"4 formatted\n"),
        start={"a": b"1\n"},
    )
    assert files(found) == {"a": b"5 formatted\n"}
    assert [edit.drift for edit in found.applied] == [False, True, False]


def test_line_ends_are_no_drift() -> None:
    edit = TextReplace(path="a", old=b"1", new=b"2", before=b"1\nx\n")
    found = run(edit, start={"a": b"1\r\nx\r\n"})
    assert (files(found), found.applied[0].drift) == ({"a": b"2\r\nx\r\n"}, False)


def test_unknown_tools() -> None:
    odd = Step(number=1, line=3, tool="frobnicate", known=False, ok=Ok.YES, names=("src/a", "/tmp/x", "/repo/b"))
    found = run(odd, Step(number=2, tool="frobnicate", known=False), directory="/repo")
    assert found.unknown == {"frobnicate": 2}
    assert found.incomplete == (
        "step 1 (line 3): src/a: the tool frobnicate is not known here, it may have changed this file",
        "step 1 (line 3): b: the tool frobnicate is not known here, it may have changed this file",
    )
    assert found.kind == "unknown_tool"


@pytest.mark.parametrize(
    ("arguments", "paths"),
    [
        pytest.param({"target": "src/a.py"}, ["src/a.py"], id="a file under any key"),
        pytest.param({"list": [{"from": "src/a.py", "to": "b.py"}]}, ["src/a.py", "b.py"], id="deeper"),
        pytest.param({"uri": "file:///repo/src/a.py"}, ["src/a.py"], id="an address of a file"),
        pytest.param({"output": "src/new.py"}, ["src/new.py"], id="a new file in a folder that is there"),
        pytest.param({"filePath": "new.py"}, ["new.py"], id="a new file under the name of a path"),
        pytest.param({"name": "made.py"}, ["made.py"], id="a file that an edit wrote"),
        pytest.param({"name": "gone.py"}, ["gone.py"], id="a file that an edit removed"),
        pytest.param({"at": "src/a.py:12"}, ["src/a.py"], id="a place in a file"),
        pytest.param({"name": "worker", "to": "owner/repo", "output": "text/html"}, [], id="words"),
        pytest.param({"question": "Shall I edit src/a.py?"}, [], id="a sentence"),
        pytest.param({"url": "https://x/src/a.py", "uri": "file:///etc/hosts"}, [], id="no file of the workspace"),
        pytest.param({"text": "src/a.py\nb.py"}, [], id="lines"),
        pytest.param({"scope": "src", "output": "report.json"}, [], id="a folder, and a name that is not there"),
    ],
)
def test_files_that_an_unknown_tool_names(arguments: dict[str, Any], paths: list[str]) -> None:
    odd = Step(number=3, tool="odd", known=False, arguments=arguments, names=named_files(arguments))
    found = run(
        Write(path="made.py", content=b""),
        Step(number=2, ok=Ok.YES, edits=(Delete(path="gone.py"),)),
        odd,
        msgspec.structs.replace(odd, number=4, ok=Ok.NO),
        msgspec.structs.replace(odd, number=5, tool="Read", known=True, names=()),
        start={"src/a.py": b"", "b.py": b"", "gone.py": b""},
        directory="/repo",
    )
    assert [(suspect.step, suspect.path) for suspect in found.suspects] == [(3, path) for path in paths]


def test_what_is_lost_and_dropped_is_told_in_order() -> None:
    found = run(
        change("a", b"1", b"2"),
        Step(number=2, ok=Ok.YES, lost=Lost("args.content: expected text, found the number 5")),
        write("b"),
        dropped=(Dropped(line=7, reason="line 7 breaks off", grave=True), Dropped(line=8, reason="a title")),
    )
    assert found.incomplete == (
        "step 1 (line 10): a: there is no such file",
        "step 2: args.content: expected text, found the number 5",
        "line 7 breaks off; an edit or a result may be lost with it",
    )
    assert files(found) == {"b": b"new"}


def test_names_that_cannot_be_shown_are_quoted() -> None:
    found = run(Step(number=1, ok=Ok.YES, tool="x\n::error::y", known=False, names=("a",)))
    assert found.incomplete == (
        "step 1: a: the tool 'x\\n::error::y' is not known here, it may have changed this file",
    )


contents = st.dictionaries(st.sampled_from(["a", "b", "c/d", "c/e"]), st.binary(max_size=4))


@given(contents, contents)
def test_replaying_the_edits_between_two_trees_gives_the_second(
    before: dict[str, bytes], after: dict[str, bytes]
) -> None:
    edits: list[Edit] = [Delete(path=path) for path in before if path not in after]
    edits += [write(path, data) for path, data in after.items()]
    found = run(*edits, start=before)
    assert (files(found), found.incomplete) == (dict(sorted(after.items())), ())
