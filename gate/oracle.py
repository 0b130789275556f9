"""What an oracle is, and what it is given.

A new oracle is one file: in `gate/oracles/`, in a package (entry point `gate.oracles`) or in the repository itself.
"""

import enum
import functools
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import msgspec

from gate.errors import CannotJudge, PluginError
from gate.path import below
from gate.patterns.pattern import Pattern as Pattern
from gate.report import Evidence, Finding, Severity

if TYPE_CHECKING:
    from gate.claims.claim import Claims
    from gate.consultant import Consultant
    from gate.diffs.treediff import Changed
    from gate.explanation import Explanation
    from gate.process import Completed
    from gate.replay import Replay
    from gate.trajectory import Trajectory
    from gate.transcript import Transcript
    from gate.tree import Tree

_called: dict[type, str] = {}


class Need(enum.StrEnum):
    """What an oracle cannot judge without."""

    COMMANDS = "commands"
    """It starts a process (the hook leaves such oracles out by default)."""

    RECORDING = "recording"
    """It looks at what the agent did; without a recording it is *skip*."""

    __hash__ = str.__hash__  # Enum's own is a function of Python, and every oracle's needs are asked for


class Unproved(enum.StrEnum):
    """That an oracle is left out of the controls."""

    NONE = "none"


class Oracle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A check that looks at a trial and yields findings.

    The fields are the parameters, the docstring is the manual. A finding at or above the policy's `fail_level` is a
    *fail*; evidence speaks for a pass; CannotJudge is *error*. Paths are relative to the task's workspace.
    """

    needs: ClassVar[frozenset[Need]] = frozenset()
    asserts_absence: ClassVar[bool] = False
    """Whether it holds on an untouched workspace too, so that a baseline control says nothing about it.

    Where that depends on the parameters, override `holds_untouched`.
    """

    reads_tree: ClassVar[bool] = True
    """Whether its verdict depends on the trees; without that an incomplete replay does not matter to it."""

    joins_recordings: ClassVar[bool] = False
    """Whether it is asked once, of all recordings of a task together, and not once for each."""

    deterministic: ClassVar[bool] = True
    """Whether it says the same of the same input every time; a model does not."""

    searches: ClassVar[frozenset[str]] = frozenset()
    """Parameters whose plain texts are regular expressions of JavaScript."""

    name: str = ""
    """How this oracle is called in reports; its type where it is left out."""

    control: Unproved | None = None
    """`none`: it is meant to hold before and after, so that no control is run on it."""

    @property
    def holds_untouched(self) -> bool:
        """Whether it holds where nobody has done anything yet, because it asserts that something is absent."""
        return self.asserts_absence

    @property
    def metrics_paths(self) -> tuple[str, ...]:
        """Where it looks for a file of custom metrics, relative to the workspace: golden ones are placed there."""
        return ()

    @property
    def protects(self) -> tuple[str, ...]:
        """Patterns of files that stand as they were whenever a command of the task is run."""
        return ()

    @abstractmethod
    def judge(self, trial: "Trial") -> Iterator[Finding | Evidence]:
        """Look at the trial; yield what is wrong, and evidence of what is right."""
        raise NotImplementedError


def type_name(oracle: Oracle | type[Oracle]) -> str:
    """The name by which a manifest names this oracle's type: that of its file, or of a package's entry point."""
    kind = oracle if isinstance(oracle, type) else type(oracle)
    return _called.get(kind) or kind.__module__.rpartition(".")[2]


def rename(kind: type[Oracle], name: str) -> None:
    """Let manifests name an installed package's type by its entry point. PluginError where it has another name."""
    built_in = kind.__module__.startswith("gate.oracles.")
    known = type_name(kind) if built_in else _called.setdefault(kind, name)
    if known != name:
        raise PluginError(f"the entry points of installed packages call one oracle {known!r} and {name!r}: keep one")


def names(oracles: Sequence[Oracle]) -> list[tuple[str, Oracle]]:
    """Every oracle with a name that is unique among them."""
    counts: dict[str, int] = {}
    found = []
    for oracle in oracles:
        name = oracle.name or type_name(oracle)
        counts[name] = counts.get(name, 0) + 1
        found.append((name if counts[name] == 1 else f"{name} #{counts[name]}", oracle))
    return found


class Seconds(float):
    """A time limit above zero; written as a number, or as text with a unit (`90s`, `2m`, `1h`)."""

    __slots__ = ()


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a command finds its workspace, and the folder with the files beside it; absolute paths, "" for none."""

    workspace: str
    beside: str = ""


Beside = Mapping[str, bytes] | Callable[[str], Mapping[str, bytes]]
"""Files beside a workspace, or what makes them when it is known where that lies."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One command to run in a workspace on disk.

    `timeout` is in seconds. `beside` are files that the workspace must not hold, `collect` names one that lies there
    afterwards. `planted` are put over the workspace of this call alone; `untouched` asks for the start tree instead.
    """

    command: str | Sequence[str]
    timeout: float
    beside: Beside | None = None
    collect: str = ""
    sub_path: str = ""
    variables: Callable[[Place], Mapping[str, str]] | None = None
    planted: Mapping[str, bytes] = {}
    untouched: bool = False


class Ran(msgspec.Struct, frozen=True):
    """How a call ended, and the file that it was to leave; None where it left none."""

    done: "Completed"
    collected: bytes | None = None


class Trial:
    """A task made ready with one recording: everything that an oracle may look at.

    `before` and `after` are the trees at the start and at the end, as seen from the task's folder. `replay` is what
    applying the recording gave; it and `trajectory` are None without a recording. `replayed` is true when `after` is
    the replay's result, false when it is the change's own tree. `folder` is where the task's folder lies in what the
    recording saw as its working directory; empty where they are the same. `committed` says that the start tree is a
    commit, as is the end where it is no replay: then its `.gitignore` files hide nothing from `diff`. `prompt` is what
    the task asks for, `golden_patch` its reference solution; `circular` says that the trial was made from that.
    `fail_level` is the severity from which on a finding fails.
    """

    def __init__(
        self,
        *,
        before: "Tree",
        after: "Tree",
        replayed: bool,
        trajectory: "Trajectory | None" = None,
        replay: "Replay | None" = None,
        runner: "Callable[[Call], Ran] | None" = None,
        timeout: float = 60.0,
        folder: str = "",
        explain: "Callable[[], Explanation | None]" = lambda: None,
        claim: "Callable[[], Claims] | None" = None,
        put_back: Callable[[], str] = str,
        committed: bool = False,
        consultant: "Consultant | None" = None,
        prompt: str = "",
        golden_patch: bytes | None = None,
        circular: bool = False,
        fail_level: Severity = Severity.ERROR,
    ) -> None:
        self.before = before
        self.after = after
        self.replayed = replayed
        self.replay = replay
        self.timeout = timeout
        self.folder = folder
        self.consultant = consultant
        self.prompt = prompt
        self.golden_patch = golden_patch
        self.circular = circular
        self.fail_level = fail_level
        self._committed = committed
        self._trajectory = trajectory
        self._explain = explain
        self._claim = claim
        self._put_back = put_back
        self._runner = runner

    @property
    def trajectory(self) -> "Trajectory":
        """The recording. CannotJudge where there is none: say `Need.RECORDING` to be skipped instead."""
        if self._trajectory is None:
            raise CannotJudge("there is no recording of this task", kind="no_recording")
        return self._trajectory

    @property
    def recorded(self) -> bool:
        """Whether there is a recording."""
        return self._trajectory is not None

    @property
    def transcript(self) -> "Transcript":
        """The recording as what was said and called. CannotJudge where there is none."""
        from gate.transcription import transcript  # only oracles on what was said and called ask

        return transcript(self.trajectory)

    @property
    def explanation(self) -> "Explanation | None":
        """What the recording explains of the change in scope, by paths of the task's folder; None under a replay."""
        return self._explain()

    @property
    def claims(self) -> "Claims":
        """What came of the recorded outputs, by paths of the recording's own; CannotJudge where there are none."""
        if self._claim is None:
            raise CannotJudge("there is no recording of this task", kind="no_recording")
        return self._claim()

    def inside(self, path: str) -> str | None:
        """A path of what the recording saw as the task's folder has it; None where it lies elsewhere."""
        return below(path, self.folder)

    @functools.cached_property
    def changed(self) -> "list[Changed]":
        """What differs between `before` and `after`, but for what `.gitignore` files hide."""
        from gate.diffs.treediff import changed  # only oracles on the diff ask

        whole = self._committed and not self.replayed
        return changed(self.before, self.after, tracked_before=self._committed, tracked_after=whole)

    @functools.cached_property
    def diff(self) -> bytes:
        """Everything that changed from `before` to `after`, as one unified diff in git's form."""
        from gate.diffs.treediff import unified

        return unified(self.before, self.after, self.changed)

    def run(
        self,
        command: str | Sequence[str],
        *,
        timeout: float | None = None,
        beside: Beside | None = None,
        sub_path: str = "",
        variables: Callable[[Place], Mapping[str, str]] | None = None,
    ) -> "Completed":
        """Run a shell command, or a program with its arguments, in a workspace on disk that holds `after`.

        The limit is in seconds. It starts in the folder `sub_path` of the workspace, which must be there. `beside` are
        files that the workspace must not hold: they lie in a folder of their own, which the command finds as
        `$GATE_BESIDE`. `variables` are added to its environment. CannotJudge where this run starts no commands.
        """
        limit = self.timeout if timeout is None else timeout
        call = Call(command=command, timeout=limit, beside=beside, sub_path=sub_path, variables=variables)
        return self.call(call).done

    @property
    def put_back(self) -> str:
        """How the workspace of commands differs from the change, since protected files are the base's; a clause."""
        return self._put_back()

    def call(self, call: Call) -> Ran:
        """Run a command as `run` does, and whatever else it asks for. CannotJudge where this run starts none."""
        if self._runner is None:
            raise CannotJudge("this run starts no commands", kind="no_commands")
        return self._runner(call)
