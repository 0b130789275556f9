"""Whole contents that a converted recording carries along, each once, by their git blob ids."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from gate.agents.given import objects, word
from gate.editing.edit import Delete, Edit, Move, Write
from gate.tree import blob_id


def described(edit: Edit, kind: str) -> dict[str, Any]:
    """What a converted recording says of an edit: its kind, its names, and the ids of the contents around it."""
    found = {"kind": kind, "path": edit.path}
    if isinstance(edit, Move):
        found["to"] = edit.to
    for key, content in _contents(edit):
        found[key] = blob_id(content)
    if type(edit) is Write:  # nothing else than what it is given
        found.setdefault("after", blob_id(edit.content))
    return found


def contents(edits: Iterable[Edit]) -> dict[str, Any]:
    """The recorded contents before and after the edits, by their ids; one that is no UTF-8 is base64."""
    return {blob_id(content): _packed(content) for edit in edits for _, content in _contents(edit)}


def _contents(edit: Edit) -> Iterable[tuple[str, bytes]]:
    """What is recorded around an edit; the content that a write is given is among its arguments already."""
    return [(key, content) for key, content in (("before", edit.before), ("after", edit.after)) if content is not None]


def _packed(content: bytes) -> Any:
    try:
        return content.decode()
    except UnicodeDecodeError:
        import base64  # only a content that is no text needs it

        return {"base64": base64.b64encode(content).decode()}


def restored(made: Sequence[Edit], told: Any, held: Mapping[str, Any]) -> tuple[Edit, ...]:
    """The edits with the contents that were recorded around them.

    `made` are those that the call's arguments give, `told` what was said of them, `held` the contents. Where the
    arguments give other edits than were recorded, the recorded contents are the edits, as far as they are all there.
    """
    if not objects(told):
        return tuple(made)
    around = [{key: _unpacked(held, word(one, key)) for key in ("before", "after")} for one in objects(told)]
    if [edit.path for edit in made] == [word(one, "path") for one in objects(told)]:
        return tuple(
            msgspec.structs.replace(edit, **{key: content for key, content in each.items() if content is not None})
            for edit, each in zip(made, around, strict=True)
        )
    rebuilt = [_rebuilt(one, **each) for one, each in zip(objects(told), around, strict=True)]
    return tuple(edit for edit in rebuilt if edit) if all(rebuilt) else tuple(made)


def _unpacked(held: Mapping[str, Any], key: str) -> bytes | None:
    """A content, if it is the one that its id promises."""
    packed = held.get(key) if key else None
    content = None
    if isinstance(packed, str):
        content = packed.encode("utf-8", "surrogatepass")
    elif isinstance(packed, dict):
        import base64  # only a content that is no text needs it

        try:
            content = base64.b64decode(word(packed, "base64"), validate=True)
        except ValueError:
            content = None
    return content if content is not None and blob_id(content) == key else None


def _rebuilt(told: Mapping[str, Any], *, before: bytes | None, after: bytes | None) -> Edit | None:
    path, kind = word(told, "path"), word(told, "kind")
    if kind == "delete":
        return Delete(path=path, before=before)
    if kind == "move" and word(told, "to"):
        return Move(path=path, to=word(told, "to"), before=before, after=after)
    return Write(path=path, content=after, before=before) if after is not None else None
