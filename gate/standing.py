"""What controls say of a task's oracles: each one's standing, and whether the control as a whole holds."""

import enum

import msgspec

from gate.golden import Control
from gate.report import Verdict
from gate.trajectory import Trajectory
from gate.tree import Tree

PAIR = (
    "every grader here asserts an absence, which holds where nobody has done anything, so this proves nothing: pair "
    "them with one that only the solution satisfies, such as file_exists, file_contains, diff_contains, "
    "output_contains, or tool_calls with `required`"
)


class Standing(enum.StrEnum):
    """How one oracle comes out of one control."""

    HOLDS = "holds"
    """It passes golden input, or it fails where nobody has done anything."""

    FAILS = "fails"
    """It fails golden input: the right answer would not pass."""

    TRIVIAL = "trivial"
    """It passes where nobody has done anything, and asserts no absence: it checks nothing."""

    ERROR = "error"
    """It could not judge."""

    NOT_APPLICABLE = "not_applicable"
    """It asserts an absence, so that a baseline says nothing about it."""

    LEFT_OUT = "left_out"
    """It was not asked."""


_BAD = frozenset({Standing.FAILS, Standing.TRIVIAL, Standing.ERROR})


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """One oracle in one control: its type, its name within the task, its standing, and what it said.

    `reason` is why it was left out. `verdict` is None where it was not asked.
    """

    oracle: str
    name: str
    standing: Standing
    verdict: Verdict | None = None
    reason: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.standing not in _BAD

    @property
    def evidence(self) -> str:
        """What it said, in a sentence."""
        return self.reason or (self.verdict.message if self.verdict else "")


class Controlled(msgspec.Struct, frozen=True, kw_only=True):
    """One task in one control.

    `problem` is why no oracle was asked, `kind` as in errors; `readable` is false where the task itself could not be
    read. `omitted` is why this run leaves the control out. `score` is the weighted share of oracles that passed.
    `before` and `after` are the workspace's trees, `committed` says that the first one is a commit. `trajectory` stands
    for an agent's run, and `document` is the ATIF document that it was read from, if any. `printed` is the golden
    command's output.
    """

    id: str
    control: Control
    proofs: tuple[Proof, ...] = ()
    problem: str = ""
    kind: str = ""
    readable: bool = True
    omitted: str = ""
    warnings: tuple[str, ...] = ()
    score: float | None = None
    seconds: float = 0.0
    prompt: str = ""
    graded: bool = True
    before: Tree | None = None
    after: Tree | None = None
    trajectory: Trajectory | None = None
    document: bytes | None = None
    printed: bytes = b""
    committed: bool = False

    @property
    def ok(self) -> bool:
        """Whether the control holds: nothing was in the way, and no oracle is wrong."""
        return not self.problem and all(proof.holds for proof in self.proofs)

    @property
    def asked(self) -> bool:
        """Whether anything was asked, so that it holds or does not: an oracle, or what was in the way of that."""
        return bool(self.problem) or any(proof.verdict is not None for proof in self.proofs)

    @property
    def advice(self) -> str:
        """What to add where a baseline says nothing about any oracle; empty otherwise."""
        found = {proof.standing for proof in self.proofs}
        return PAIR if found == {Standing.NOT_APPLICABLE} else ""

    @property
    def diff(self) -> bytes:
        """What golden input changed, as a unified diff."""
        from gate.diffs.treediff import changed, unified  # only who asks for it pays for it

        if self.before is None or self.after is None:
            return b""
        return unified(self.before, self.after, changed(self.before, self.after, tracked_before=self.committed))

    def count(self, standing: Standing) -> int:
        """How many oracles have this standing."""
        return sum(proof.standing is standing for proof in self.proofs)
