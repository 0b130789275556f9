"""The comment of this run on its pull request: found again, kept true, and nobody else's.

Nothing here raises for what GitHub does. What was refused is told once, in words, and the verdict stands without it.

Which comment is ours? The mark on its first line says what a comment is for, and anybody can copy it. So the author has
to be a bot, which no person can be: GitHub gives no person a login with brackets. A workflow's token cannot ask who it
is, and which bot it writes as is known only from the comment that it made; so any bot's comment with our mark at its
very start is taken for ours, and only the first bot's. What that bot said there is our verdict either way. Where only
a person has such a comment it is ours if the token is that person's, which GitHub tells to such a token alone; if not,
it stays as it is and ours is made beside it.
"""

import contextlib
from collections.abc import Iterator
from typing import TypeVar

import msgspec

from gate.report import Report
from gate.reporters import comment
from gate.reporters.comment import Draft, Mark, Mode, Thread
from gate.request import Kind, Refused, Request, Sender, advice, pages

PERMISSION = "pull-requests: write"
"""What the workflow has to grant."""

_MOST_REMOVED = 10
T = TypeVar("T")


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where the comment belongs. Without a `number` the pull request is looked up by the commit that was judged.

    `label` is `OWNER:BRANCH` of the head, to look it up by where GitHub does not find it by the commit; `closed` says
    that the event told so.
    """

    repository: str
    sha: str
    number: int | None = None
    label: str = ""
    closed: bool = False
    key: str = ""
    run: int = 0
    details: str = ""


class Comment:
    """One comment: the only one of its key, however many runs write it."""

    def __init__(self, sender: Sender, place: Place, *, mode: Mode, fork: bool = False) -> None:
        self._sender, self._place, self._mode, self._fork = sender, place, mode, fork
        self._told: list[str] = []

    def write(self, report: Report) -> tuple[str, ...]:
        """Make it, or keep it true; what was refused, in words."""
        try:
            number = self._place.number if self._place.number is not None else self._number()
            if number is not None and not self._place.closed:
                self._write(report, self._thread(number))
            elif number is not None:
                self._tell(f"there is no comment: pull request #{number} is closed")
        except Refused as refused:
            locked = "lock" in refused.message.lower() and refused.why is Kind.PERMISSION
            grant = "unlock the conversation" if locked else advice(refused, permission=PERMISSION, fork=self._fork)
            self._tell(f"the comment could not be written: {refused.message}", grant)
        return tuple(self._told)

    def _thread(self, number: int) -> Thread:
        place = self._place
        return Thread(
            repository=place.repository,
            number=number,
            sha=place.sha,
            key=place.key,
            run=place.run,
            details=place.details,
        )

    def _number(self) -> int | None:
        """The open pull request whose head is the commit; None, and why, where there is not exactly one."""
        place = self._place
        found = self._pulls(comment.of_commit(place.repository, place.sha))
        if not found and place.label:
            found = self._pulls(comment.of_branch(place.repository, place.label))
        if len(found) == 1:
            return found.pop()
        several = " and ".join(f"#{number}" for number in sorted(found)) or "none"
        self._tell(f"there is no comment: {place.sha[:12]} is the head of {several} of the open pull requests")
        return None

    def _pulls(self, request: Request) -> set[int]:
        """Only those that have not moved on since, and that are for this repository."""
        pulls = _read(pages(self._sender, request), _Pull)
        return {pull.number for pull in pulls if pull.fits(self._place)}

    def _write(self, report: Report, thread: Thread) -> None:
        draft = comment.draft(report, thread)
        ours = self._ours(thread)
        if ours:
            self._renew(report, thread, draft, ours)
        elif comment.worth(self._mode, report, draft, None):
            self._create(report, thread, draft)

    def _create(self, report: Report, thread: Thread, draft: Draft) -> None:
        """Make it, and look whether another run made one at the same time."""
        request = comment.create(thread, draft)
        try:
            self._sender.send(request)
        except Refused as refused:
            if refused.why is not Kind.UNSURE:
                raise
            if not self._ours(thread):
                self._sender.send(request)
        ours = self._ours(thread)
        if ours and not (len(ours) == 1 and comment.says(ours[0].body, draft)):
            self._renew(report, thread, draft, ours)

    def _renew(self, report: Report, thread: Thread, draft: Draft, ours: list["_Comment"]) -> None:
        """Of several the one stays that the latest run wrote, the oldest of these: all who look agree on which."""
        kept = max(ours, key=lambda one: (one.mark.run, -one.id))
        if kept.mark.run > thread.run > 0:
            self._tell("the comment stays as it is: a later run of the workflow has written it")
        elif not comment.says(kept.body, draft) and comment.worth(self._mode, report, draft, kept.mark):
            try:
                self._sender.send(comment.edit(thread, kept.id, draft))
            except Refused as refused:
                if refused.status != 404 or len(ours) > 1:
                    raise
                self._sender.send(comment.create(thread, draft))  # somebody deleted it meanwhile
        for other in [one for one in ours if one is not kept][:_MOST_REMOVED]:
            with contextlib.suppress(Refused):  # another run may be taking it away, too
                self._sender.send(comment.remove(thread, other.id))

    def _ours(self, thread: Thread) -> list["_Comment"]:
        """Our comments of this key, of one author; see above."""
        marked = [one for one in _read(pages(self._sender, comment.find(thread)), _Comment) if one.of(thread.key)]
        marked.sort(key=lambda one: one.id)
        bots = [one for one in marked if one.by_bot]
        if not bots and any(one.login for one in marked):
            login = self._login()
            bots = [one for one in marked if login and one.login == login]
        return [one for one in bots if one.login == bots[0].login]

    def _login(self) -> str:
        """Whose token it is; nothing for a workflow's, which may not ask."""
        try:
            login = self._sender.send(comment.myself()).get("login")
        except Refused as refused:
            if refused.why is not Kind.PERMISSION:
                raise
            return ""
        return login if isinstance(login, str) else ""

    def _tell(self, what: str, grant: str = "") -> None:
        self._told.append("; ".join(filter(None, [what, grant, "the verdict stands without it"])))


class _Account(msgspec.Struct, frozen=True):
    login: str = ""
    type: str = ""


class _App(msgspec.Struct, frozen=True):
    slug: str = ""


class _Comment(msgspec.Struct, frozen=True):
    """A comment as far as it is looked at; a deleted account is no user at all."""

    id: int
    body: str = ""
    user: _Account | None = None
    performed_via_github_app: _App | None = None

    @property
    def login(self) -> str:
        return self.user.login if self.user else ""

    @property
    def by_bot(self) -> bool:
        """A person's comment that an app wrote for that person is the person's."""
        app = self.performed_via_github_app
        named = app is None or not app.slug or self.login == f"{app.slug}[bot]"
        return bool(self.user and self.user.type == "Bot" and self.login.endswith("[bot]") and named)

    @property
    def mark(self) -> Mark:
        return comment.read(self.body) or Mark(key="")

    def of(self, key: str) -> bool:
        mark = comment.read(self.body)
        return mark is not None and mark.key == key


class _Repository(msgspec.Struct, frozen=True):
    full_name: str = ""


class _Side(msgspec.Struct, frozen=True):
    sha: str
    repo: _Repository | None = None


class _Pull(msgspec.Struct, frozen=True):
    number: int
    head: _Side
    base: _Side
    state: str = "open"

    def fits(self, place: Place) -> bool:
        ours = self.base.repo is not None and self.base.repo.full_name.lower() == place.repository.lower()
        return ours and self.head.sha == place.sha and self.state == "open"


def _read(items: Iterator[object], kind: type[T]) -> Iterator[T]:
    for one in items:
        try:
            yield msgspec.convert(one, kind)
        except msgspec.ValidationError:
            continue  # whatever that is, it is not what we look for
