"""Edits of one cell of a Jupyter notebook, as Claude Code's NotebookEdit makes them."""

import re
from typing import Any

from gate.editing.edit import Edit, no_file
from gate.editing.text import Text, encoded
from gate.errors import CannotApply

_INDEXED = re.compile(r"cell-(\d+)")
_LARGEST_PLAIN = 1e21  # from there on JavaScript writes a number with an exponent


class CellEdit(Edit, frozen=True, kw_only=True):
    """A cell is replaced, inserted after another one, or deleted.

    `cell` is the cell's id, or `cell-N` for the N-th from 0; empty means the first, and before it when inserting.
    `mode` is `replace`, `insert` or `delete`; `type` is `code`, `markdown` or empty for as it was. `new_id` is the id
    that an inserted cell was given, where it was recorded. The notebook is written as JavaScript does: indented by
    one, without a last line end.
    """

    source: str = ""
    cell: str = ""
    mode: str = "replace"
    type: str = ""
    new_id: str = ""

    @property
    def written(self) -> bytes:
        """The cell's new source."""
        return b"" if self.mode == "delete" else encoded(self.source)

    def outcome(self, content: bytes | None) -> bytes | None:
        """The notebook after the edit; a recorded one is put in the file's own line ends."""
        if self.after is not None and content is not None:
            return Text.of(content).put(self.after)
        return super().outcome(content)

    def start(self, content: bytes | None) -> bytes | None:
        """The file itself where the recording saw the same text."""
        same = content is not None and self.before is not None and Text.of(content).body == self.before
        return content if same else super().start(content)

    def apply(self, content: bytes | None) -> bytes | None:
        """The notebook with the cell changed."""
        if content is None:
            raise no_file()
        text = Text.of(content)
        notebook = _notebook(text.body)
        cells: list[Any] = notebook["cells"]
        index = self._index(cells)
        mode = "insert" if self.mode == "replace" and index == len(cells) else self.mode
        if mode == "insert" and index <= len(cells):
            cells.insert(index, self._new(notebook))
        elif index >= len(cells) or not isinstance(cells[index], dict):
            raise CannotApply(f"there is no cell {self.cell!r} among {len(cells)}", kind="replay_mismatch")
        elif mode == "delete":
            del cells[index]
        else:
            self._replace(cells[index])
        return text.put(_written(notebook))

    def _index(self, cells: list[Any]) -> int:
        if not self.cell:
            return 0
        named = (at for at, cell in enumerate(cells) if isinstance(cell, dict) and cell.get("id") == self.cell)
        index = next(named, None)
        if index is None:
            indexed = _INDEXED.fullmatch(self.cell)
            if indexed is None:
                raise CannotApply(f"there is no cell {self.cell!r} among {len(cells)}", kind="replay_mismatch")
            index = int(indexed[1])
        return index + 1 if self.mode == "insert" else index

    def _new(self, notebook: dict[str, Any]) -> dict[str, Any]:
        version = [value if type(value) is int else 0 for value in map(notebook.get, ("nbformat", "nbformat_minor"))]
        cell: dict[str, Any] = {"cell_type": "markdown" if self.type == "markdown" else "code"}
        if version > [4, 4]:  # older notebooks have no ids
            if not self.new_id:
                raise CannotApply("the new cell's id was random and is not recorded", kind="replay_mismatch")
            cell["id"] = self.new_id
        cell |= {"source": self.source, "metadata": {}}
        return cell if self.type == "markdown" else cell | {"execution_count": None, "outputs": []}

    def _replace(self, cell: dict[str, Any]) -> None:
        cell["source"] = self.source
        if cell.get("cell_type") == "code":
            cell |= {"execution_count": None, "outputs": []}
        if self.type:
            cell["cell_type"] = self.type


def _notebook(body: bytes) -> dict[str, Any]:
    import json  # only a notebook whose recording lacks the result needs it

    try:
        notebook = json.loads(body, parse_float=_number)
    except (ValueError, RecursionError):
        raise CannotApply("the file is no notebook: it is not JSON", kind="replay_mismatch") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise CannotApply("the file is no notebook: it has no list of cells", kind="replay_mismatch")
    return notebook


def _number(text: str) -> float | int:
    """A number as JavaScript writes it again: 1.0 is 1."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < _LARGEST_PLAIN else value


def _written(notebook: dict[str, Any]) -> bytes:
    import json  # as above

    return encoded(json.dumps(notebook, indent=1, ensure_ascii=False))
