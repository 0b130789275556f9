"""Cells of notebooks, written again as Claude Code's tool writes them."""

import json
from typing import Any

import pytest

from gate.agents.notebook import CellEdit
from gate.errors import CannotApply


def notebook(*cells: dict[str, Any], minor: int = 5, **more: Any) -> bytes:
    whole = {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": minor} | more
    return (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode()


def code(source: str, **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": 3, "metadata": {}, "outputs": [{"x": 1}], "source": source} | more


def edit(source: str = "new", **more: Any) -> CellEdit:
    return CellEdit(path="a.ipynb", source=source, **more)


NEW: dict[str, Any] = {"cell_type": "code", "source": "new", "metadata": {}, "execution_count": None, "outputs": []}
CLEARED: dict[str, Any] = {"execution_count": None, "outputs": [], "source": "new"}


@pytest.mark.parametrize(
    ("change", "before", "cells"),
    [
        pytest.param(
            edit(cell="b"),
            [code("1", id="a"), code("2", id="b")],
            [code("1", id="a"), code("2", id="b") | CLEARED],
            id="by id",
        ),
        pytest.param(edit(cell="cell-0"), [code("1")], [code("1") | CLEARED], id="by place"),
        pytest.param(
            edit(cell="cell-0", type="markdown"),
            [code("1")],
            [code("1") | CLEARED | {"cell_type": "markdown"}],
            id="another type",
        ),
        pytest.param(
            edit(cell="cell-1", new_id="n"),
            [code("1", id="a")],
            [code("1", id="a"), {"cell_type": "code", "id": "n"} | NEW],
            id="one past the end is a new cell",
        ),
        pytest.param(
            edit(mode="insert", new_id="n"),
            [code("1")],
            [{"cell_type": "code", "id": "n"} | NEW, code("1")],
            id="first",
        ),
        pytest.param(
            edit(mode="insert", cell="a", type="markdown", new_id="n"),
            [code("1", id="a"), code("2", id="b")],
            [
                code("1", id="a"),
                {"cell_type": "markdown", "id": "n", "source": "new", "metadata": {}},
                code("2", id="b"),
            ],
            id="after another",
        ),
        pytest.param(
            edit(mode="delete", cell="a"), [code("1", id="a"), code("2", id="b")], [code("2", id="b")], id="deleted"
        ),
    ],
)
def test_apply(change: CellEdit, before: list[dict[str, Any]], cells: list[dict[str, Any]]) -> None:
    after = change.apply(notebook(*before))
    assert after == notebook(*cells).removesuffix(b"\n")


def test_a_notebook_without_ids_gets_none() -> None:
    assert edit(mode="insert").apply(notebook(minor=4)) == notebook(NEW, minor=4).removesuffix(b"\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b'"x": 1.0', b'"x": 1', id="a whole number"),
        pytest.param(b'"x": 0.5', b'"x": 0.5', id="a fraction"),
        pytest.param(b'"x": "\\u00e9"', '"x": "é"'.encode(), id="no escapes"),
    ],
)
def test_numbers_and_text_as_javascript_writes_them(before: bytes, after: bytes) -> None:
    content = b'{\n "cells": [],\n %s,\n "nbformat": 4,\n "nbformat_minor": 4\n}\n'
    change = edit(mode="insert", type="markdown")
    cell = b'[\n  {\n   "cell_type": "markdown",\n   "source": "new",\n   "metadata": {}\n  }\n ]'
    assert change.apply(content % before) == (content % after).replace(b"[]", cell).removesuffix(b"\n")


def test_line_ends_are_kept() -> None:
    content = notebook(code("1", id="a")).replace(b"\n", b"\r\n")
    after = edit(cell="a").apply(content)
    assert after is not None
    assert after.count(b"\r\n") == after.count(b"\n") > 5


def test_recorded_contents_go_first() -> None:
    recorded = edit(before=b"{}", after=b"[\n]", cell="a")
    assert recorded.outcome(b"x\r\n") == b"[\r\n]"
    assert recorded.outcome(None) == b"[\n]"
    assert recorded.start(b"{}") == recorded.start(b"x") == b"{}"
    assert recorded.written == b"new"
    assert edit(mode="delete").written == b""


@pytest.mark.parametrize(
    ("change", "content", "message"),
    [
        pytest.param(edit(), None, "there is no such file", id="no file"),
        pytest.param(edit(), b"{", "the file is no notebook: it is not JSON", id="no json"),
        pytest.param(edit(), b"[" * 100_000, "the file is no notebook: it is not JSON", id="depth"),
        pytest.param(edit(), b"{}", "the file is no notebook: it has no list of cells", id="no cells"),
        pytest.param(edit(cell="z"), notebook(code("1")), "there is no cell 'z' among 1", id="no such id"),
        pytest.param(edit(cell="cell-7"), notebook(code("1")), "there is no cell 'cell-7' among 1", id="no such place"),
        pytest.param(edit(mode="delete"), notebook(), "there is no cell '' among 0", id="none to delete"),
        pytest.param(
            edit(mode="insert"), notebook(), "the new cell's id was random and is not recorded", id="an id that is lost"
        ),
    ],
)
def test_does_not_fit(change: CellEdit, content: bytes | None, message: str) -> None:
    with pytest.raises(CannotApply) as caught:
        change.apply(content)
    assert (caught.value.message, caught.value.kind) == (message, "replay_mismatch")
