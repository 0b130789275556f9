"""Files that commands start as programs, and that the change edits: they run as the change has them.

These are the ones of which nobody can tell by a name whether they are the product that is tried, or a script that
judges it. So nothing is put back, and the reader is told.
"""

import shlex
from collections.abc import Iterable, Iterator

import msgspec

from gate.cmdline.started import started
from gate.integrity.launch import joined
from gate.oracle import Need, Oracle, type_name
from gate.path import printable
from gate.report import Finding, Severity
from gate.tree import Tree


def told(
    oracles: Iterable[Oracle], *, base: Tree, head: Tree, folder: str, product: frozenset[str], back: frozenset[str]
) -> Iterator[Finding]:
    """What to know of each such file: a notice where it lies in the task's scope (`product`), else a warning.

    `back` are the files that commands find as the base has them.
    """
    seen: set[str] = set()
    for oracle in oracles:
        for _, path in programs(oracle, folder):
            if path in seen or path in back or path not in head or (path in base and base.same(path, head)):
                continue
            seen.add(path)
            does = "edits" if path in base else "brings"
            what = (
                f"The command of {oracle.name or type_name(oracle)} starts {printable(path)}, which this change {does}"
            )
            yield Finding(
                severity=Severity.NOTICE if path in product else Severity.WARNING,
                kind="own_program",
                path=path,
                message=f"{what}: it ran as the change has it. If it judges, name it in `policy.protect`.",
            )


def programs(oracle: Oracle, folder: str) -> Iterator[tuple[str, str]]:
    """What the oracle's command starts, and what those inside of it do: the folder that it starts in, and the file.

    Both are paths from the tree's top.
    """
    if Need.COMMANDS not in oracle.needs:
        return
    fields = msgspec.structs.asdict(oracle)
    start = joined(folder, str(fields.get("sub_path") or "."))
    start = folder if start is None else start
    program = fields.get("program")
    words = shlex.join([str(program), *map(str, fields.get("args") or ())]) if program else None
    for text in filter(None, (fields.get("command"), words)):
        found = (joined(start, path) for path in started(str(text)))
        yield from ((start, path) for path in found if path)
    for inner in getattr(oracle, "inner", ()):
        yield from programs(inner, folder)
