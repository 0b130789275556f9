"""Trials for the tests of oracles: made of a few files and steps, without a manifest."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from gate.command import Shell, inside
from gate.oracle import Beside, Call, Oracle, Place, Ran, Trial
from gate.report import Evidence, Finding
from gate.trajectory import Command, Ok, Step, Trajectory
from gate.tree import MemoryTree, Overlay, Tree
from gate.workspace import collected, on_disk


def trial(
    before: Mapping[str, bytes] | Tree,
    changes: Mapping[str, bytes | None] | None = None,
    *,
    modes: Mapping[str, int] | None = None,
    steps: Iterable[Step] | None = None,
    replayed: bool = False,
    directory: str | None = None,
    timeout: float = 60.0,
) -> Trial:
    """The start tree, the changes made to it, and the recording; commands run in a workspace on disk."""
    start = before if isinstance(before, Tree) else MemoryTree(before)
    after = Overlay(start, changes or {}, modes=modes)
    recording = None if steps is None else Trajectory(format="test", steps=tuple(steps), directory=directory)

    def runner(call: Call) -> Ran:
        tree = Overlay(start if call.untouched else after, dict(call.planted))
        with on_disk(tree) as folder, on_disk(_beside(call.beside, folder)) as other:
            cwd = inside(folder, call.sub_path, root=folder)
            more = call.variables(Place(workspace=str(folder), beside=str(other))) if call.variables else {}
            done = Shell().run(call.command, cwd=cwd, timeout=call.timeout, more={"GATE_BESIDE": str(other), **more})
            return Ran(done, collected(other, call.collect) if call.collect else None)

    return Trial(before=start, after=after, replayed=replayed, trajectory=recording, runner=runner, timeout=timeout)


def _beside(files: Beside | None, folder: Path) -> Tree:
    return MemoryTree((files(str(folder)) if callable(files) else files) or {})


def steps_of(*commands: str, ok: Ok = Ok.YES) -> list[Step]:
    """One step for each command."""
    return [
        Step(number=number, tool="bash", arguments={"command": text}, ok=ok, commands=(Command(text=text),))
        for number, text in enumerate(commands, 1)
    ]


def findings(oracle: Oracle, given: Trial) -> list[Finding]:
    """What the oracle finds."""
    return [seen for seen in oracle.judge(given) if isinstance(seen, Finding)]


def evidence(oracle: Oracle, given: Trial) -> list[Evidence]:
    """What the oracle shows for a pass; nothing that it finds is dropped."""
    seen = list(oracle.judge(given))
    assert all(isinstance(one, Evidence) for one in seen), seen
    return [one for one in seen if isinstance(one, Evidence)]
