"""What an oracle is, and what it is given.

A new oracle is one file: in `gate/oracles/`, in a package (entry point `gate.oracles`) or in the repository itself.
"""

import enum
import functools
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from gate.errors import CannotJudge
from gate.report import Evidence, Finding

if TYPE_CHECKING:
    from gate.consultant import Consultant
    from gate.explanation import Explanation
    from gate.process import Completed
    from gate.replay import Replay
    from gate.trajectory import Trajectory
    from gate.transcript import Transcript
    from gate.tree import Tree
    from gate.treediff import Changed


class Need(enum.StrEnum):
    """What an oracle cannot judge without."""

    COMMANDS = "commands"
    """It starts a process (the hook leaves such oracles out by default)."""

    RECORDING = "recording"
    """It looks at what the agent did; without a recording it is *skip*."""


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

    @abstractmethod
    def judge(self, trial: "Trial") -> Iterator[Finding | Evidence]:
        """Look at the trial; yield what is wrong, and evidence of what is right."""
        raise NotImplementedError


class Seconds(float):
    """A time limit above zero; written as a number, or as text with a unit (`90s`, `2m`, `1h`)."""

    __slots__ = ()


class Pattern(str):
    """A regular expression of Python's dialect as the `regex` library reads it; `^` and `$` match at every line."""

    __slots__ = ()

    def search(self, text: str, *, seconds: float = 1.0) -> Any:
        """The first match in `text`, or None. CannotJudge for a bad pattern or a search past its time limit."""
        if len(self) > _LONGEST_PATTERN:
            raise CannotJudge(
                f"the pattern has {len(self)} characters, at most {_LONGEST_PATTERN} are searched", kind="regex_size"
            )
        try:
            return _search(str(self))(text, seconds)
        except (RecursionError, MemoryError, OverflowError):
            raise CannotJudge(f"the pattern {self._shown[:60]}… is too large to compile", kind="regex_size") from None
        except TimeoutError:
            raise CannotJudge(
                f"the pattern {self._shown} took longer than {seconds:g} s on this text", kind="regex_limit"
            ) from None

    @property
    def _shown(self) -> str:
        return repr(str(self)[:200])


_LONGEST_PATTERN = 20_000
_LARGEST_PATTERN = 100_000  # parts; about 60 MB and 0.2 s when compiled
_PLAIN = r"\^?(?:[ \w!\"#%&',/:;<=>@`~-]|\\[^\w\s\x00-\x1f\x7f])+"  # one text, or one at the start of a line
_PART = (
    r"(?P<escape>\\(?:[NpPgk][{<][^}>]*[}>]|.|$))|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<open>\()|(?P<close>\))"
    r"|\{(?P<least>\d+)(?:,\d*)?\}|(?P<most>\{,\d*\})|(?P<brace>\{)|(?P<other>.)"
)


@functools.lru_cache(maxsize=64)  # a suite asks for the same few patterns in task after task
def _search(text: str) -> Callable[[str, float], Any]:
    """What searches for the pattern. CannotJudge where it is not valid; OverflowError where it is too large."""
    import re

    if text.isascii() and re.fullmatch(_PLAIN, text, re.ASCII):  # as most are: no such search takes long
        plain = re.compile(text, re.MULTILINE).search
        return lambda text, _: plain(text)
    compiled = _compiled(text)
    return lambda text, seconds: compiled.search(text, timeout=seconds)


def _compiled(text: str) -> Any:
    import regex  # 13 ms, and only what may take long needs it

    pattern, size = _as_python_reads(text)
    if size > _LARGEST_PATTERN:
        raise OverflowError
    try:
        return regex.compile(pattern, regex.MULTILINE)
    except regex.error as error:
        raise CannotJudge(f"the pattern {text[:200]!r} is not valid: {error}", kind="regex_syntax") from None


def _as_python_reads(pattern: str) -> tuple[str, int]:
    """The pattern with every `{` that Python takes literally escaped, and how many parts it has when written out.

    `regex` would take `x{e}` for "x, or anything": a fuzzy match. And it copies what is repeated at least n times n
    times, so that four short `{99}` inside each other fill the memory: there is no limit on the time of compiling.
    """
    import re

    pieces, sizes, last = [], [0], 0
    for part in re.finditer(_PART, pattern, re.DOTALL):
        kind, text = part.lastgroup, part.group()
        pieces.append("\\{" if kind == "brace" else text)
        if kind == "open":
            sizes.append(0)
            last = 0
        elif kind == "close" and len(sizes) > 1:
            last = sizes.pop()
            sizes[-1] += last
        elif kind == "least":
            more = last * (min(int(text[1:-1].split(",")[0][:9]), 10**9) - 1)
            sizes[-1] += max(0, more)
            last += max(0, more)
        elif kind != "most":
            last = 1
            sizes[-1] += 1
    return "".join(pieces), sum(sizes)


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a command finds its workspace, and the folder with the files beside it; absolute paths, "" for none."""

    workspace: str
    beside: str = ""


Beside = Mapping[str, bytes] | Callable[[str], Mapping[str, bytes]]
"""Files beside a workspace, or what makes them when it is known where that lies."""


class Trial:
    """A task made ready with one recording: everything that an oracle may look at.

    `before` and `after` are the trees at the start and at the end, as seen from the task's folder. `replay` is what
    applying the recording gave; it and `trajectory` are None without a recording. `replayed` is true when `after` is
    the replay's result, false when it is the change's own tree. `folder` is where the task's folder lies in what the
    recording saw as its working directory; empty where they are the same. `committed` says that the start tree is a
    commit, as is the end where it is no replay: then its `.gitignore` files hide nothing from `diff`. `prompt` is what
    the task asks for, `golden_patch` its reference solution; `circular` says that the trial was made from that.
    """

    def __init__(
        self,
        *,
        before: "Tree",
        after: "Tree",
        replayed: bool,
        trajectory: "Trajectory | None" = None,
        replay: "Replay | None" = None,
        runner: "Callable[..., Completed] | None" = None,
        timeout: float = 60.0,
        folder: str = "",
        explain: "Callable[[], Explanation | None]" = lambda: None,
        committed: bool = False,
        consultant: "Consultant | None" = None,
        prompt: str = "",
        golden_patch: bytes | None = None,
        circular: bool = False,
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
        self._committed = committed
        self._trajectory = trajectory
        self._explain = explain
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

    @functools.cached_property
    def changed(self) -> "list[Changed]":
        """What differs between `before` and `after`, but for what `.gitignore` files hide."""
        from gate.treediff import changed  # only oracles on the diff ask

        whole = self._committed and not self.replayed
        return changed(self.before, self.after, tracked_before=self._committed, tracked_after=whole)

    @functools.cached_property
    def diff(self) -> bytes:
        """Everything that changed from `before` to `after`, as one unified diff in git's form."""
        from gate.treediff import unified

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
        if self._runner is None:
            raise CannotJudge("this run starts no commands", kind="no_commands")
        limit = self.timeout if timeout is None else timeout
        more: dict[str, Any] = {"beside": beside, "sub_path": sub_path, "variables": variables}
        return self._runner(command, limit, **{name: value for name, value in more.items() if value not in (None, "")})
