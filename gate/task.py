"""A task: what an agent was asked to do, where it starts, and what is asked of the result."""

import enum
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from gate.golden import Golden
from gate.oracle import Oracle
from gate.scoring import Scoring

if TYPE_CHECKING:
    from gate.series import Threshold


class State(enum.StrEnum):
    """Which tree the oracles look at: the change's own, or the one that replaying the recording gives."""

    HEAD = "head"
    REPLAY = "replay"


class Inline(msgspec.Struct, frozen=True):
    """A start workspace written in the task itself: path to content."""

    files: dict[str, str]


class Folder(msgspec.Struct, frozen=True):
    """A start workspace that is a folder of the repository, relative to the manifest's folder."""

    dir: str


class Revision(msgspec.Struct, frozen=True):
    """A start workspace that is the repository itself, at the change's base."""

    git: str


class FileFrom(msgspec.Struct, frozen=True, kw_only=True):
    """One file of an environment: from a file or folder of the repository, relative to the checkout, or its text.

    `at` is where it lies in the workspace; "" is its top, for a folder.
    """

    at: str
    source: str | None = None
    text: str | None = None


class Repository(msgspec.Struct, frozen=True, kw_only=True):
    """The repository that an environment begins with: this one where `url` is None, else one on this machine.

    `ref` names a commit of it, `sparse` the folders that are wanted.
    """

    url: str | None = None
    ref: str | None = None
    sparse: tuple[str, ...] = ()

    @property
    def is_here(self) -> bool:
        """Whether it is this repository at the change's base, all of it."""
        return self == Repository()


class Environment(msgspec.Struct, frozen=True, kw_only=True):
    """A start workspace that is put together: a repository, or nothing, and files over it in their order."""

    repository: Repository | None = None
    files: tuple[FileFrom, ...] = ()


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """One command that makes a start workspace ready, and its limit in seconds."""

    command: str
    seconds: float = 60.0


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One task, read and checked.

    `finished` is the folder that is judged in the place of the change's own tree, where the task names one. `repeat`
    says that recorded commands are repeated to explain the change. `must_fail` says that its recordings are known to
    be bad; with `pass_at` or `pass_all` not all of them need to pass. `setup` are commands that finish the start
    workspace, `variables` the environment that they, the golden command and the oracles' commands get besides.
    `rubric` are criteria for judges. `scoring` says how its verdicts are counted together, where they are. `path` and
    `line` say where it is written, relative to the checkout, for annotations.
    """

    id: str
    workspace: Inline | Folder | Revision | Environment
    oracles: tuple[Oracle, ...]
    state: State
    finished: str | None = None
    repeat: bool = False
    golden: Golden | None = None
    must_fail: bool = False
    pass_at: "Threshold | None" = None
    pass_all: "Threshold | None" = None
    setup: tuple[Setup, ...] = ()
    variables: Mapping[str, str] = {}
    name: str = ""
    description: str = ""
    prompt: str = ""
    tags: tuple[str, ...] = ()
    rubric: tuple[str, ...] = ()
    scoring: Scoring | None = None
    path: str | None = None
    line: int | None = None
    notices: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where it is written, for messages: the file, and the line where one is known."""
        return f"{self.path}:{self.line}" if self.line else str(self.path)
