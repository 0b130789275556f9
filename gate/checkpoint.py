"""Entire's checkpoints: the transcripts that its trailer in a commit message names, as they lie in the repository.

A commit carries `Entire-Checkpoint: ID`. The checkpoint is a folder of the branch `entire/checkpoints/v1`, at the
first two of twelve hexadecimal digits and then the rest, or the tree of a ref of its own. In it each session has a
numbered folder with `full.jsonl`, which beyond 50 MB goes on in `full.jsonl.001`, and `metadata.json`; sub-agents lie
in `tasks/TOOL-USE/agent-ID.jsonl`. Older versions kept the last session beside the numbered folders.
"""

import posixpath
import re
from collections.abc import Iterator

import msgspec

from gate.errors import SourceError
from gate.git import Git
from gate.history import Commit, History
from gate.source import LARGEST, Source
from gate.tree import Subtree, Tree

TRAILER = "Entire-Checkpoint"

_ID = re.compile(r"[0-9a-f]{12}|[0-9A-HJKMNP-TV-Z]{26}")
_PART = re.compile(
    r"(?P<name>(?:\d+/)?full\.(?:jsonl|log)|(?:\d+/)?tasks/[^/]+/agent-[^/]+\.jsonl)(?:\.(?P<chunk>\d+))?"
)


class Named(msgspec.Struct, frozen=True):
    """A checkpoint that a commit names."""

    id: str
    commit: Commit


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """One transcript: its bytes, or the reason why it cannot be had."""

    label: str
    data: bytes = b""
    problem: str = ""
    kind: str = ""


class _Session(msgspec.Struct, frozen=True):
    session_id: str = ""
    created_at: str = ""


def named(history: History) -> tuple[Named, ...]:
    """The checkpoints that the commits name, each once, parents first."""
    found = {
        trailer.value: Named(trailer.value, commit)
        for commit in history.commits
        for trailer in commit.trailers
        if trailer.name.lower() == TRAILER.lower()
    }
    return tuple(found.values())


def transcripts(named: tuple[Named, ...], branch: str, git: Git) -> tuple[Transcript, ...]:
    """The transcripts of the checkpoints. Of a session that goes on through several of them, only the last counts."""
    store = _Store(branch, git)
    problems: list[Transcript] = []
    sessions: dict[str, tuple[str, Transcript]] = {}
    for one in named:
        place = store.place(one.id)
        if place is None:
            problems.append(store.missing(one))
            continue
        for key, when, transcript in _in(one, *place):
            if key not in sessions or when >= sessions[key][0]:
                sessions.pop(key, None)
                sessions[key] = (when, transcript)
    return (*(transcript for _, transcript in sessions.values()), *problems)


class _Store:
    """Where checkpoints lie in one repository; each ref is looked up once."""

    def __init__(self, branch: str, git: Git) -> None:
        self._branch = branch
        self._git = git
        self._trees: list[Tree] | None = None

    def place(self, name: str) -> tuple[str, Tree] | None:
        """The checkpoint's folder and what to call it, or None where it is not here."""
        if not _ID.fullmatch(name):
            return None
        own = self._git.resolve(_own_ref(name))
        if own is not None:
            return _own_ref(name), self._git.tree(own)
        folder = f"{name[:2]}/{name[2:]}"
        for whole in self._branches():
            tree = Subtree(whole, folder)
            if next(iter(tree.paths()), None) is not None:
                return f"{self._branch}:{folder}", tree
        return None

    def missing(self, one: Named) -> Transcript:
        """What to say of a checkpoint that is not here."""
        label = f"{TRAILER}: {one.id}"
        start = f"the commit {one.commit.id[:12]} names"
        if not _ID.fullmatch(one.id):
            problem = f"{start} the checkpoint {one.id[:80]!r}; expected 12 hexadecimal digits or a ULID"
            return Transcript(label=label, problem=problem, kind="checkpoint")
        ref = _own_ref(one.id) if len(one.id) > 12 else f"refs/heads/{self._branch}"
        depth = "--depth=1 " if self._git.is_shallow else ""
        problem = (
            f"{start} the checkpoint {one.id}, which is not in {ref} of this clone; "
            f"run `git fetch {depth}origin {ref}:{ref}` first"
        )
        return Transcript(label=label, problem=problem, kind="checkpoint_missing")

    def _branches(self) -> list[Tree]:
        if self._trees is None:
            commits = (self._git.resolve(f"{where}/{self._branch}") for where in ("refs/heads", "refs/remotes/origin"))
            self._trees = [self._git.tree(commit) for commit in dict.fromkeys(commits) if commit]
        return self._trees


def _own_ref(name: str) -> str:
    return f"refs/entire/checkpoints/{name[-2:]}/{name}"


def _in(one: Named, label: str, tree: Tree) -> Iterator[tuple[str, str, Transcript]]:
    """Every transcript of a checkpoint: what tells it from others, when it was written, and itself."""
    source = Source(label, tree)
    parts: dict[str, list[tuple[int, str]]] = {}
    for path in tree.paths():
        match = _PART.fullmatch(path)
        if match:
            parts.setdefault(match["name"], []).append((int(match["chunk"] or 0), path))
    if not parts:
        problem = f"the checkpoint {one.id} in {label} holds no transcript (full.jsonl)"
        yield one.id, "", Transcript(label=label, problem=problem, kind="checkpoint")
    for name, chunks in parts.items():
        session = _session(source, re.sub(r"tasks/.*|full\..*", "", name))
        last = posixpath.basename(name) if "tasks/" in name else ""
        key = f"{session.session_id or f'{one.id}/{name}'}/{last}"
        yield key, session.created_at, _whole(source, f"{label}/{name}", [path for _, path in sorted(chunks)])


def _whole(source: Source, label: str, paths: list[str]) -> Transcript:
    try:
        # A chunk ends before its line's newline.
        return Transcript(label=label, data=b"\n".join(source.read(path, limit=LARGEST) for path in paths))
    except SourceError as error:
        return Transcript(label=label, problem=error.message, kind=error.kind)


def _session(source: Source, folder: str) -> _Session:
    try:
        return msgspec.json.decode(source.read(f"{folder}metadata.json"), type=_Session)
    except (SourceError, msgspec.DecodeError, UnicodeDecodeError):  # then it is taken for a session of its own
        return _Session()
