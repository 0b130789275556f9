"""The grammar of apply_patch: the conformance vectors of the tool, and what it refuses."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gate.editing.chunk import Chunk
from gate.editing.edit import Delete, Edit, Move, Write
from gate.editing.patch import Patched, edits_of
from gate.errors import CannotApply, GateError, RecordingError

VECTORS = 25


def patch(*lines: str) -> str:
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch"])


def applied(text: str, files: Mapping[str, bytes], *, keep: bool = True) -> tuple[dict[str, bytes], str]:
    """The files after a patch as the tool leaves them, and why it stopped."""
    after = dict(files)
    try:
        for edit in edits_of(text, keep=keep):
            content = edit.outcome(after.pop(edit.path, None)) if isinstance(edit, Move) else _outcome(edit, after)
            if content is not None:
                after[edit.to if isinstance(edit, Move) else edit.path] = content
    except GateError as error:
        return after, error.message
    return after, ""


def _outcome(edit: Edit, files: dict[str, bytes]) -> bytes | None:
    content = edit.outcome(files.get(edit.path))
    files.pop(edit.path, None)
    return content


def test_the_vectors_of_the_tool(cases: Path) -> None:
    folders = sorted(path.parent for path in (cases / "apply_patch").glob("*/patch.txt"))
    assert len(folders) == VECTORS
    wrong = [
        folder.name
        for folder in folders
        if applied((folder / "patch.txt").read_bytes().decode(), _files(folder / "input"))[0]
        != _files(folder / "expected")
    ]
    assert wrong == []


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_kind_of_edit() -> None:
    text = patch(
        "*** Environment ID: local",
        "*** Add File: new.py",
        "+a",
        "+",
        "*** Delete File: old.py",
        "*** Update File: a b.py",
        "@@ class A:",
        " x",
        "-y",
        "",
        "+z",
        "*** End of File",
        "*** Update File: c.py",
        "*** Move to: d.py",
        "-c",
        "+d",
        "@@",
        "-e",
    )
    lines = ((" ", "x"), ("-", "y"), (" ", ""), ("+", "z"))
    assert edits_of(text) == (
        Write(path="new.py", content=b"a\n\n"),
        Delete(path="old.py"),
        Patched(path="a b.py", chunks=(Chunk(context="class A:", lines=lines, last=True),)),
        Move(
            path="c.py",
            to="d.py",
            edit=Patched(path="c.py", chunks=(Chunk(lines=(("-", "c"), ("+", "d"))), Chunk(lines=(("-", "e"),)))),
        ),
    )
    assert [edit.written for edit in edits_of(text)] == [b"a\n\n", b"", b"z\n", b"d\n"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("*** Begin Patch\r\n*** Add File: a\r\n+x\r\n*** End Patch\r\n", id="crlf"),
        pytest.param("\n\n *** Begin Patch \n  *** Add File: a \n+x\n\t*** End Patch\n\n", id="padded markers"),
        pytest.param("<<'EOF'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nEOF\n", id="a heredoc's wrapping"),
        pytest.param('<<"EOF"\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nEOF', id="a quoted one"),
    ],
)
def test_wrappings(text: str) -> None:
    assert edits_of(text) == (Write(path="a", content=b"x\n"),)


def test_blank_lines_before_a_chunk_say_nothing() -> None:
    assert edits_of(patch("*** Update File: a", "", "@@", "-x")) == (
        Patched(path="a", chunks=(Chunk(lines=(("-", "x"),)),)),
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param(
            "*** Add File: a\n+x",
            "expected it to begin with '*** Begin Patch' and to end with '*** End Patch'",
            id="no markers",
        ),
        pytest.param(
            "*** Begin Patch\n*** Add File: a\n+x\n",
            "expected it to begin with '*** Begin Patch' and to end with '*** End Patch'",
            id="cut off",
        ),
        pytest.param(
            patch("+x"),
            "line 2: expected `*** Add File: `, `*** Delete File: ` or `*** Update File: `, found '+x'",
            id="no file",
        ),
        pytest.param(
            patch("*** Add File: a", "+x", "y"),
            "line 4: expected `*** Add File: `, `*** Delete File: ` or `*** Update File: `, found 'y'",
            id="a line of a new file without its mark",
        ),
        pytest.param(
            patch("*** Update File: a", "*** Move to: b"),
            "line 4: expected lines that change 'a', found its end",
            id="an update without lines",
        ),
        pytest.param(
            patch("*** Update File: a", "@@", "@@ f", "-x"),
            "line 4: expected a line that begins with a space, `+` or `-`, found '@@ f'",
            id="a chunk without lines",
        ),
        pytest.param(
            patch("*** Update File: a", "@@", "-x", "*** End of File", "-y"),
            "line 6: expected `@@` or another file, found '-y'",
            id="lines behind the end of the file",
        ),
        pytest.param(
            patch("*** Update File: a", "@@", "-x", "*** Rename File: b"),
            "line 5: expected `@@` or another file, found '*** Rename File: b'",
            id="an unknown marker",
        ),
    ],
)
def test_what_the_tool_refuses(text: str, problem: str) -> None:
    with pytest.raises(RecordingError) as error:
        edits_of(text)
    assert error.value.message == f"the patch cannot be read: {problem}"
    assert error.value.kind == "patch_syntax"


def test_a_failure_leaves_the_files_before_it_changed() -> None:
    text = patch("*** Update File: a", "-x", "+y", "*** Update File: b", "-x", "+y", "*** Delete File: a")
    after, why = applied(text, {"a": b"x\n", "b": b"z\n"})
    assert after == {"a": b"y\n", "b": b"z\n"}
    assert why == "the line 'x' of the patch is not in the file from line 1 on; nothing there is like it"


def test_bytes_that_are_no_text_stay() -> None:
    after, _ = applied(patch("*** Update File: a", "-x", "+ü"), {"a": b"\xff\xfe\nx\n\x80"})
    assert after == {"a": b"\xff\xfe\n\xc3\xbc\n\x80\n"}


def test_half_a_surrogate_pair_is_no_text() -> None:
    assert edits_of(patch("*** Add File: a", "+\ud800")) == (Write(path="a", content=b"\xef\xbf\xbd\n"),)


def test_without_keeping() -> None:
    after, _ = applied(patch("*** Update File: a", " x", "-y"), {"a": b"x\r\ny\r\nz\r\n"}, keep=False)
    assert after == {"a": b"x\nz\r\n"}


def test_no_file_to_update() -> None:
    for edit in edits_of(patch("*** Update File: a", "-x", "*** Update File: a", "*** Move to: b", "-x")):
        with pytest.raises(CannotApply, match=r"^there is no such file$"):
            edit.apply(None)


@given(st.text(alphabet="*@+- \nabEUF:", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, patch(text), patch("*** Update File: a", text)):
        try:
            edits_of(whole)
        except RecordingError:
            continue


_BODY = st.lists(
    st.sampled_from(
        [
            "@@",
            "@@ ",
            "@@ def f  ",
            "@@x",
            " a",
            " ",
            "",
            "-b",
            "+",
            "+c\u2028d\x0b",
            "*** End of File",
            "*** Move to: n",
        ]
    )
    | st.sampled_from(["*** Update File: x", "*** Add File: y", "+\r", "@@\t", " @@ z"]),
    max_size=8,
)


@given(st.sampled_from(["f", " f ", "  ", "a\u3000"]), _BODY, st.sampled_from(["", "\n", "\n\n"]))
@example("f", ["@@", " a", "-b", "+", "@@ def f  ", "+"], "\n")
def test_a_plain_patch_is_read_as_any_other(path: str, body: list[str], end: str) -> None:
    text = "\n".join(["*** Begin Patch", f"*** Update File: {path}", *body, "*** End Patch"]) + end
    assert _read(text) == _read(f"\n{text}")  # which is read line by line


def _read(text: str) -> object:
    try:
        return edits_of(text)
    except RecordingError as error:
        return error.message
