"""Contents that go along with a converted recording: each once, and only what their ids promise."""

from typing import Any

import pytest

from gate.agents.attachment import contents, described, restored
from gate.editing.edit import Delete, Edit, Move, Replace, Write
from gate.tree import blob_id

OLD, NEW = b"a\n", b"\xff\n"
EDIT = Replace(path="a", old=b"a", new=b"b", before=OLD, after=NEW)
HELD = {blob_id(OLD): "a\n", blob_id(NEW): {"base64": "/wo="}}


def test_says_what_is_recorded() -> None:
    assert described(EDIT, "replace") == {"kind": "replace", "path": "a", "before": blob_id(OLD), "after": blob_id(NEW)}
    assert described(Move(path="a", to="b"), "move") == {"kind": "move", "path": "a", "to": "b"}
    assert described(Write(path="a", content=OLD), "write") == {"kind": "write", "path": "a", "after": blob_id(OLD)}
    assert contents([EDIT, EDIT, Write(path="a", content=b"c")]) == HELD


def test_gives_it_back() -> None:
    bare = Replace(path="a", old=b"a", new=b"b")
    assert restored([bare], [described(EDIT, "replace")], HELD) == (EDIT,)
    assert restored([bare], None, HELD) == (bare,)
    assert restored([bare], [described(EDIT, "replace")], {}) == (bare,)


@pytest.mark.parametrize(
    "held",
    [
        {blob_id(OLD): "b\n"},
        {blob_id(OLD): {"base64": "!"}},
        {blob_id(OLD): 5},
        {blob_id(OLD): "\ud800"},
        {blob_id(OLD): {"base64": "Yg=="}},
    ],
)
def test_believes_no_content_that_is_another(held: Any) -> None:
    bare = Replace(path="a", old=b"a", new=b"b")
    assert restored([bare], [{"kind": "replace", "path": "a", "before": blob_id(OLD)}], held) == (bare,)


@pytest.mark.parametrize(
    ("told", "edits"),
    [
        ([described(EDIT, "replace")], (Write(path="a", content=NEW, before=OLD),)),
        ([{"kind": "delete", "path": "a"}], (Delete(path="a"),)),
        ([{"kind": "move", "path": "a", "to": "b"}], (Move(path="a", to="b"),)),
        ([{"kind": "replace", "path": "a"}], ()),
        ([{"kind": "delete", "path": "a"}, {"kind": "move", "path": "a"}], ()),
    ],
)
def test_where_the_arguments_give_no_edit_the_contents_are_it(told: Any, edits: tuple[Edit, ...]) -> None:
    assert restored([], told, HELD) == edits
