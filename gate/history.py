"""The commits of a change: who made them, what their messages say, and whether all of them are at hand."""

import re
from collections.abc import Iterator

import msgspec

from gate.changes.diff import Change
from gate.errors import GitError
from gate.git import Git
from gate.github import Event

_SHALLOW = (
    "this clone is shallow and does not hold every commit of the change; put `fetch-depth: 0` at actions/checkout, or "
    "run `git fetch --unshallow`"
)
_TRAILER = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*:[ \t]*(.*)")


class Trailer(msgspec.Struct, frozen=True):
    """One line `Name: value` of a commit message, with the lines that continue it."""

    name: str
    value: str


class Commit(msgspec.Struct, frozen=True, kw_only=True):
    """One commit as it is stored: no mailmap and no graft applies. People are `Name <address>`."""

    id: str
    parents: tuple[str, ...]
    author: str
    committer: str
    message: str

    @property
    def trailers(self) -> tuple[Trailer, ...]:
        """Every line of the message that looks like a trailer, wherever it stands: a squash puts them in the middle."""
        found: list[Trailer] = []
        continued = False
        for line in self.message.split("\n")[1:]:
            match = _TRAILER.fullmatch(line.rstrip("\r"))
            if match:
                found.append(Trailer(match[1], match[2].strip()))
            elif continued and line[:1] in (" ", "\t") and line.strip():
                found[-1] = Trailer(found[-1].name, f"{found[-1].value} {line.strip()}")
                continue
            continued = match is not None
        return tuple(found)

    @property
    def people(self) -> tuple[str, ...]:
        """Author, committer and co-authors."""
        others = (trailer.value for trailer in self.trailers if trailer.name.lower() == "co-authored-by")
        return tuple(dict.fromkeys((self.author, self.committer, *others)))


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The commits of a change, parents first.

    `problem` is why some may be missing, `pending` that the change is not committed yet.
    """

    commits: tuple[Commit, ...] = ()
    problem: str = ""
    pending: bool = False


def read(change: Change | None, git: Git | None, event: Event | None) -> History:
    """The history of a change; without a repository, or of files as they lie there, it is empty."""
    if change is None or git is None:
        return History()
    if change.head is None:
        return History(pending=True)
    if change.base == change.head:
        return History()
    head = _own_head(git, change.head, event)
    if git.resolve(head) is None:
        return History(problem=_SHALLOW)
    try:
        commits = tuple(_commits(git.commits(change.base, head)))
    except GitError as error:
        return History(problem=error.message)
    if not git.is_shallow or _reaches(commits, change.base, git):
        return History(commits=commits)
    counted = _counted(commits, head, event)
    return History(commits=commits, problem=_SHALLOW) if counted is None else History(commits=counted)


def _own_head(git: Git, head: str, event: Event | None) -> str:
    """The head without GitHub's merge of it into the base, which nobody wrote. What the job committed counts."""
    if event is None or event.number is None or event.head_sha is None or event.sha not in (None, head):
        return head
    parents = git.parents(head)
    return event.head_sha if len(parents) == 2 and parents[1] == event.head_sha else head


def _reaches(commits: tuple[Commit, ...], base: str | None, git: Git) -> bool:
    """Whether every way down from the head ends in the base's own history, however early history is cut here."""
    known = {commit.id for commit in commits}
    for parent in {parent for commit in commits for parent in commit.parents} - known - {base}:
        if base is None or git.resolve(parent) is None or git.merge_base(parent, base) != parent:
            return False
    return True


def _counted(commits: tuple[Commit, ...], head: str, event: Event | None) -> tuple[Commit, ...] | None:
    """As many commits below the head as GitHub counts in the pull request, where they lie in a line."""
    count = (event.payload.get("pull_request") or {}).get("commits") if event is not None else None
    by_id = {commit.id: commit for commit in commits}
    line: list[Commit] = []
    commit = by_id.get(head)
    while isinstance(count, int) and commit is not None and len(line) < count and len(commit.parents) <= 1:
        line.append(commit)
        commit = by_id.get(next(iter(commit.parents), ""))
    return tuple(reversed(line)) if line and len(line) == count else None


def _commits(raw: bytes) -> Iterator[Commit]:
    """What `git rev-list --header` prints: an id, the raw header, and the message, each line of it indented by four."""
    for record in raw.decode("utf-8", "replace").split("\0")[:-1]:
        name, _, rest = record.partition("\n")
        header, _, body = rest.partition("\n\n")
        fields = [line.partition(" ")[::2] for line in header.split("\n")]
        yield Commit(
            id=name,
            parents=tuple(value for key, value in fields if key == "parent"),
            author=_person(fields, "author"),
            committer=_person(fields, "committer"),
            message="\n".join(line.removeprefix("    ") for line in body.split("\n")).rstrip("\n"),
        )


def _person(fields: list[tuple[str, str]], key: str) -> str:
    """`Name <address>` of `Name <address> SECONDS ZONE`."""
    value = next((value for name, value in fields if name == key), "")
    return value[: value.rfind(">") + 1] or value
