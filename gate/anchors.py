"""YAML's aliases written out, where a document may hold them: the events of an anchor, once more, within a bound."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

_MOST = 200_000
"""Events of a document with all of its aliases written out."""


def written_out(events: Iterable[Any], wrong: Callable[[str, Any], Exception]) -> Iterator[Any]:
    """The events with every alias replaced by what its anchor holds, and no anchor.

    `wrong` makes the exception of a sentence and the event it is about: an alias without an anchor above, one inside
    of what it stands for, or more than 200,000 events in all.
    """
    kept: dict[str, list[Any]] = {}
    open_ones: list[tuple[str | None, list[Any], int]] = []  # anchor, its events so far, the depth it began at
    depth = count = 0
    for event in events:
        name = getattr(event, "anchor", None)
        kind = type(event).__name__
        found = [event]
        if kind == "AliasEvent":
            if name not in kept:
                inside = any(name == anchor for anchor, _, _ in open_ones)
                reason = f"the alias *{name} stands in what it stands for" if inside else f"there is no &{name} above"
                raise wrong(reason, event)
            found = kept[str(name)]
        elif name is not None:
            event.anchor = None
            open_ones.append((name, [], depth))
        count += len(found)
        if count > _MOST:
            raise wrong(f"its aliases written out are more than {_MOST} parts", event)
        depth += kind.endswith("StartEvent")
        depth -= kind.endswith("EndEvent")
        for _, events_of, _ in open_ones:
            events_of += found
        while open_ones and open_ones[-1][2] == depth:
            anchor, whole, _ = open_ones.pop()
            kept[str(anchor)] = whole
        yield from found
