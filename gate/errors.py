"""What a user can mend: errors that carry one sentence and never a traceback."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class GateError(Exception):
    """Something the user can mend.

    The message says where, what was expected, what was found and what to do. `kind` is a short word that stays the
    same between versions, for tools and tests (`path_escape`, `unknown_key`, …).
    """

    exit_code = 2

    def __init__(self, message: str, *, kind: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind


class UsageError(GateError):
    """The command line asks for something that does not exist or does not go together."""


class ManifestError(GateError):
    """The manifest cannot be used: nothing is judged."""


class PluginError(GateError):
    """A plugin named by the manifest cannot be loaded: nothing is judged."""


class DocumentError(GateError):
    """The text is not the strict YAML or JSON that is read, or not of the form that is expected.

    `line` is where (1-based). `others` are further mistakes in the same text.
    """

    def __init__(self, message: str, *, line: int | None = None, kind: str = "") -> None:
        super().__init__(message, kind=kind)
        self.line = line
        self.others: tuple[DocumentError, ...] = ()

    def at(self, place: str) -> str:
        """Each mistake on a line, behind where it is: what the document is called, and the line where one is known."""
        where = f"{place}:{self.line}" if self.line else place
        return "\n".join([f"{where}: {self.message}", *(other.at(place) for other in self.others)])


class TaskError(GateError):
    """One task cannot be read: its verdict is *error*, the other tasks are judged."""


class NothingLeft(TaskError):
    """The task can be read, and what the agent was to leave for it, a recording or a folder, is not there."""


class BundleError(GateError):
    """A bundle cannot be read, or is not what its own manifest says: nothing of it is judged."""


class RecordingError(GateError):
    """One recording cannot be read or replayed: its trial is *error*, the others are judged."""


class SourceError(GateError):
    """A file cannot be read from where it should lie; whoever asked for it says what follows."""


class PathRefused(GateError):
    """A path must not be used in a workspace; `kind` says why (`path_escape`, `path_git_dir`, …)."""


class CannotApply(GateError):
    """A recorded edit does not fit the content it meets; the message says why and shows the nearest text."""


class NotRepeated(GateError):
    """A recorded command is not repeated; the message says why, fit to stand behind `not repeated: `."""


class CannotJudge(GateError):
    """Raised by an oracle that is not able to decide: its verdict is *error*, never pass."""


class ChangeError(GateError):
    """The change under review cannot be computed, or this event must not be judged: fail closed."""

    exit_code = 3


class NothingToJudge(GateError):
    """What the gate was started for brings nothing at all that could be judged; the message says why."""

    exit_code = 0


class GitError(GateError):
    """A git command failed; the message holds the command and git's own words."""

    exit_code = 3


def together(mistakes: Iterable[DocumentError]) -> DocumentError:
    """Mistakes of one text as one error: the first, with the others; there must be one."""
    first, *others = mistakes
    first.others += tuple(others)
    return first


@contextmanager
def noted(mistakes: list[DocumentError]) -> Iterator[None]:
    """A block whose mistake is noted there instead of raised, so that what is behind the block is looked at, too."""
    try:
        yield
    except DocumentError as error:
        mistakes.append(error)


def bug(error: BaseException) -> str:
    """One sentence for an error that nobody foresaw, with its place in the code instead of a traceback."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
    return (
        f"a bug in the gate or a plugin: {type(error).__name__}: {error}{place}; nothing was passed, please report it"
    )
