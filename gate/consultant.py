"""The command that asks a model: how it is started, what it may see, and how it can go wrong."""

import msgspec

from gate.errors import CannotJudge
from gate.tree import REGULAR, Overlay, Tree

_SHOWN = 400
_MOST = 4 * 1024 * 1024


class Consultant(msgspec.Struct, frozen=True, kw_only=True):
    """A judge command: its words, its time limit in seconds, and the names of variables that it may see besides.

    `model` and `reasoning_effort` are for oracles that name none. `scripts` are files of the judge that it is started
    beside.
    """

    command: tuple[str, ...]
    seconds: float = 120.0
    variables: tuple[str, ...] = ()
    model: str | None = None
    reasoning_effort: str | None = None
    scripts: Tree | None = None

    def ask(self, request: bytes, folder: Tree) -> bytes:
        """What the command answers to a request, started once in a throw-away folder with these files and its scripts.

        CannotJudge where it cannot be started, takes too long, prints without end, or exits with anything but 0.
        """
        from gate import process, surroundings  # the plan knows whom to ask, and asks nobody, surroundings
        from gate.workspace import on_disk

        environment = surroundings.environment(also=self.variables)
        with on_disk(_with(folder, self.scripts)) as place:
            done = process.run(
                self.command,
                cwd=place,
                environment=environment,
                timeout=self.seconds,
                stdin=request,
                output_limit=_MOST,
            )
        why = ""
        if done.timed_out:
            why = f"took longer than {self.seconds:g} s and was ended"
        elif done.flooded or done.dropped:
            why = "printed more than an answer has"
        elif done.exit_code:
            last = done.stderr.strip().decode("utf-8", "replace")[-_SHOWN:]
            ended = f"exited {done.exit_code}" if done.exit_code > 0 else f"was ended by the signal {-done.exit_code}"
            why = f"{ended}: {last}" if last else ended
        if why:
            raise CannotJudge(f"the judge command {self.command[0]!r} {why}", kind="judge_command")
        return done.stdout


def _with(folder: Tree, scripts: Tree | None) -> Tree:
    if scripts is None:
        return folder
    paths = list(scripts.paths())
    modes = {path: scripts.mode(path) or REGULAR for path in paths}
    return Overlay(folder, {path: scripts.read(path) for path in paths}, modes=modes)
