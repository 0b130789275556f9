"""aider's edits in the text of an answer: each kind, and the names of files as aider guesses them."""

import pytest

from gate.agents.aider import Proposal, key_of, proposals
from gate.agents.hunks import HunkEdit
from gate.agents.searchreplace import SearchReplace
from gate.editing.edit import Write
from gate.editing.patch import Patched
from gate.errors import RecordingError

BLOCK = "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"


def found(answer: str, *known: str, whole: bool = False) -> list[Proposal]:
    return list(proposals(answer, known, whole=whole))


def paths(answer: str, *known: str, whole: bool = False) -> list[str]:
    return [proposal.edit.path for proposal in found(answer, *known, whole=whole)]


@pytest.mark.parametrize(
    ("before", "known", "path"),
    [
        pytest.param("src/a.py\n```python\n", (), "src/a.py", id="before the fence"),
        pytest.param("```python\nsrc/a.py\n", (), "src/a.py", id="after the fence"),
        pytest.param("**src/a.py**:\n```\n", (), "src/a.py", id="in bold"),
        pytest.param("### `src/a.py`\n```\n", (), "src/a.py", id="as a heading"),
        pytest.param("```src/a.py\n", (), "src/a.py", id="on the fence"),
        pytest.param("a.py\n```\n", ("src/a.py", "b.py"), "src/a.py", id="a known file of that name"),
        pytest.param("src/aa.py\n```\n", ("src/a.py", "b.py"), "src/a.py", id="a known file of nearly that name"),
        pytest.param("a.py\n\n```\n", (), "first.py", id="a blank line between: the file before"),
        pytest.param("Makefile\n```\n", (), "Makefile", id="without a dot"),
        pytest.param("...\n```python\n", (), "first.py", id="dots are no name"),
    ],
)
def test_guesses_the_name(before: str, known: tuple[str, ...], path: str) -> None:
    assert paths("first.py\n```\n" + BLOCK + "```\n\n" + before + BLOCK + "```\n", *known)[1] == path


def test_a_new_file_is_not_taken_for_a_known_one() -> None:
    empty = "<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n"
    assert paths("src/aa.py\n```\n" + empty, "src/a.py") == ["src/aa.py"]


def test_reads_blocks() -> None:
    (proposal,) = found("So:\n\na.py\n```\n" + BLOCK + "```\n")
    assert proposal == Proposal(
        line=4,
        kind="search_replace",
        edit=SearchReplace(path="a.py", search="old\n", replace="new\n"),
        key="old",
    )


def test_two_dividers_end_a_block_too() -> None:
    (proposal,) = found("a.py\n```\n" + BLOCK.replace(">>>>>>> REPLACE", "======="))
    assert proposal.edit == SearchReplace(path="a.py", search="old\n", replace="new\n")


def test_a_block_inside_a_shell_example_is_none() -> None:
    assert paths("a.py\n```\n" + BLOCK + "```\n\n```bash\necho\necho\n" + BLOCK + "```\n") == ["a.py"]
    assert paths("a.py\n```bash\n" + BLOCK + "```\n") == ["a.py"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("```\n" + BLOCK, "a SEARCH block has no name of a file before it"),
        ("a.py\n<<<<<<< SEARCH\nold\n", "a SEARCH block is cut off"),
        ("a.py\n<<<<<<< SEARCH\nold\n=======\nnew\n", "a SEARCH block is cut off"),
        ("```diff\n-a\n+b\n```\n", "a diff has no name of a file before it"),
        ("*** Begin Patch\nx\n*** End Patch\n", "the patch cannot be read: line 2: expected `*** Add File: `, `*** Delete File: ` or `*** Update File: `, found 'x'"),
    ],
)  # fmt: skip
def test_says_what_aider_cannot_read(answer: str, message: str) -> None:
    with pytest.raises(RecordingError) as caught:
        found(answer)
    assert caught.value.message == message


def test_reads_unified_diffs() -> None:
    answer = (
        "```diff\n--- a/x.py\n+++ b/x.py\n@@ ... @@\n a\n-b\n+c\n@@ ... @@\n-d\n@@\n unchanged\n\n"
        "--- y.py\n+++ y.py\n@@ @@\n+e\n```\n```diff\n@@ @@\n+e\n@@ @@\n+f\n"
    )
    assert [(each.line, each.edit) for each in found(answer)] == [
        (4, HunkEdit(path="x.py", lines=(" a\n", "-b\n", "+c\n"))),
        (8, HunkEdit(path="x.py", lines=("-d\n",))),
        (15, HunkEdit(path="y.py", lines=("+e\n",))),
    ]
    assert [each.key for each in found(answer)] == ["a\nb", "d", ""]


def test_reads_patches() -> None:
    (proposal,) = found("So:\n*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** End Patch\n")
    assert isinstance(proposal.edit, Patched)
    assert (proposal.line, proposal.kind, proposal.edit.path) == (1, "patch", "a.py")


@pytest.mark.parametrize(
    ("answer", "known", "edits"),
    [
        pytest.param("a.py\n```\nx\n```\n", ("a.py",), [("a.py", b"x\n")], id="named"),
        pytest.param("**a.py**\n```\nx\n", ("a.py",), [("a.py", b"x\n")], id="not closed"),
        pytest.param("path/to/a.py\n```\nx\n```\n", ("a.py",), [("a.py", b"x\n")], id="a made-up folder"),
        pytest.param("In `b.py`.\n\n```\nx\n```\n", ("a.py", "b.py"), [("b.py", b"x\n")], id="mentioned"),
        pytest.param("\n```\nx\n```\n", ("a.py",), [("a.py", b"x\n")], id="the only file"),
        pytest.param("\n```\nx\n```\na.py\n```\ny\n```\n", ("a.py",), [("a.py", b"y\n")], id="the better claim"),
    ],
)
def test_reads_listings(answer: str, known: tuple[str, ...], edits: list[tuple[str, bytes]]) -> None:
    listed = [each.edit for each in found(answer, *known, whole=True)]
    assert listed == [Write(path=path, content=content) for path, content in edits]
    assert found(answer, *known) == []


def test_a_listing_without_a_name_says_so() -> None:
    with pytest.raises(RecordingError) as caught:
        found("\n```\nx\n```\n", "a.py", "b.py", whole=True)
    assert caught.value.message == "a listed file has no name before it"


def test_compares_without_white_space() -> None:
    assert key_of(["  a  ", "", "b"]) == "a\nb"
