"""What a run shows on GitHub by requests, beside its exit code and its files: entered before it judges, left after.

Nothing here changes a verdict or raises for what GitHub does.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, TypeVar
from urllib.parse import quote

import msgspec

from gate import escape, github, interrupt
from gate.errors import GateError, UsageError, bug
from gate.publishing import hub
from gate.publishing.checks import PERMISSION as CHECKS
from gate.publishing.checks import CheckRun
from gate.publishing.comments import Comment, Place
from gate.report import Report
from gate.reporters.annotations import Annotation
from gate.reporters.check_run import Target
from gate.reporters.comment import Mode
from gate.reporters.face import Published
from gate.request import Kind, Recorder, Refused, Request, Sender, advice
from gate.tree import is_object_id

_LONGEST_KEY = 100
_WITHOUT = ("merge_group", "push", "schedule")  # workflows run for these, too, and need not be told each time
T = TypeVar("T")


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for. `job` is the number of the job's own check run, `key` tells apart the jobs of a matrix.

    `handed` says that the report is that of the run which a `workflow_run` tells of, and not of this run.
    """

    check_run: bool = False
    job: str = ""
    comment: Mode = Mode.OFF
    key: str = ""
    ca_bundle: str = ""
    dry_run: bool = False
    handed: bool = False


class Publication:
    """Everything that is published by requests. `told` of what `close` returns says what was refused, and why."""

    def __init__(self, wanted: Wanted, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._recorder = Recorder() if wanted.dry_run else None
        self._told: list[str] = []
        self._check: CheckRun | None = None
        self._comment: Comment | None = None
        _check(wanted)
        asked = {"check run": wanted.check_run, "comment": wanted.comment is not Mode.OFF}
        surfaces = [name for name, is_asked in asked.items() if is_asked]
        if surfaces:
            try:
                self._open(wanted)
            except Refused as refused:
                self._missing(surfaces, refused)

    def __enter__(self) -> Self:
        """Show that judging begins. An interrupt waits for GitHub's answer: it names what has to be ended."""
        if self._check is not None:
            try:
                with interrupt.waiting(once=True):
                    self._guarded("the check run", self._check.begin)
            except BaseException as error:  # a block that is never entered is never left
                self.__exit__(type(error))
                raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Show that there will be no verdict, where that is so."""
        if self._check is not None and kind is not None:
            check = self._check
            self._guarded("the check run", lambda: check.cancel("The run was interrupted."))

    def close(self, report: Report, found: Sequence[Annotation]) -> Published:
        """Show the verdict, and `found` beside the change."""
        published, told = Published(), list[str]()
        if self._check is not None:
            check = self._check
            published = self._guarded("the check run", lambda: check.finish(report, found)) or published
        if self._comment is not None:
            comment = self._comment
            told += self._guarded("the comment", lambda: comment.write(report)) or ()
        return msgspec.structs.replace(published, told=(*self._told, *published.told, *told))

    def requests(self) -> str:
        """What a dry run would have sent, as a JSON document."""
        api, kept = hub.address(self._environ), self._recorder.requests if self._recorder else []
        document = {"requests": [_shown(request, api) for request in kept]}
        return escape.json_document(msgspec.json.format(msgspec.json.encode(document), indent=2).decode()) + "\n"

    def _guarded(self, what: str, do: Callable[[], T]) -> T | None:
        try:
            return do()
        except Exception as error:  # a bug in what is shown must cost neither the verdict nor the other surfaces
            self._told.append(f"{what} is not as it should be: {bug(error)}")
            return None

    def _open(self, wanted: Wanted) -> None:
        event = _event(self._environ)
        if event is not None and event.deletes:
            return
        target = _target(wanted, event, self._environ)
        place = self._place(target, event) if wanted.comment is not Mode.OFF else None
        if not wanted.check_run and place is None:
            return
        sender: Sender = self._recorder or hub.Hub(hub.access(self._environ, wanted.ca_bundle))
        fork = event is not None and event.fork and not event.privileged
        if wanted.check_run:
            self._check = CheckRun(sender, target, job=wanted.job, fork=fork)
        if place is not None:
            self._comment = Comment(sender, place, mode=wanted.comment, fork=fork)

    def _place(self, target: Target, event: github.Event | None) -> Place | None:
        try:
            return _place(target, event)
        except Refused as refused:
            self._missing(["comment"], refused)
            return None

    def _missing(self, surfaces: Sequence[str], refused: Refused) -> None:
        words = [f"there is no {' and no '.join(surfaces)}: {refused.message}", advice(refused, permission=CHECKS)]
        words.append(f"the verdict stands without {'it' if len(surfaces) == 1 else 'them'}")
        self._told.append("; ".join(filter(None, words)))


def _check(wanted: Wanted) -> None:
    """UsageError for what cannot be meant."""
    if len(wanted.key) > _LONGEST_KEY or escape.plain(wanted.key) != wanted.key:
        shown = escape.plain(wanted.key[:_LONGEST_KEY])
        raise UsageError(f"--key is {shown!r}, expected at most {_LONGEST_KEY} printable characters", kind="usage")
    if wanted.job and not (wanted.job.isascii() and wanted.job.isdecimal()):
        raise UsageError(f"--check-run-id is {wanted.job!r:.80}, expected a number", kind="usage")


def _event(environ: Mapping[str, str]) -> github.Event | None:
    try:
        return github.event(environ)
    except GateError as error:
        raise Refused(error.message, kind=Kind.CLIENT) from None


def _target(wanted: Wanted, event: github.Event | None, environ: Mapping[str, str]) -> Target:
    repository = (event.repository if event else None) or environ.get("GITHUB_REPOSITORY", "")
    sha = event.publish_sha if event else environ.get("GITHUB_SHA")
    if not re.fullmatch(r"\w[\w-]*/(?!\.\.?$)[\w.-]+", repository, re.ASCII):
        raise Refused(f"the repository (`GITHUB_REPOSITORY`) is {repository!r}, expected OWNER/NAME", kind=Kind.CLIENT)
    if not sha or not is_object_id(sha):
        found = f"the event {event.name!r} names no commit" if event else f"`GITHUB_SHA` is {sha or ''!r}, no commit id"
        raise Refused(f"{found} to put it on", kind=Kind.CLIENT)
    run, attempt = environ.get("GITHUB_RUN_ID", ""), environ.get("GITHUB_RUN_ATTEMPT", "")
    job = escape.plain(environ.get("GITHUB_JOB", ""))
    if wanted.handed:
        if event is None or event.run is None:
            raise Refused("the event tells of no run of another workflow", kind=Kind.CLIENT)
        run, attempt = str(event.run.id), str(event.run.attempt)
    server = environ.get("GITHUB_SERVER_URL", "").rstrip("/")
    return Target(
        repository=repository,
        sha=sha,
        key=wanted.key,
        origin=f"{run}:{job}" if run.isdecimal() else "",
        attempt=max(1, int(attempt)) if attempt.isdecimal() else 1,
        details=f"{server}/{repository}/actions/runs/{run}" if server and run.isdecimal() else "",
    )


def _place(target: Target, event: github.Event | None) -> Place | None:
    """Where a comment belongs; None for an event that has to do with no pull request by its nature.

    Which pull request a `workflow_run` is of is looked up: its payload names none of a fork, and may name others'.
    """
    of_run = event is not None and event.name == "workflow_run"
    if event is None or not (of_run or event.number is not None):
        if event is not None and event.name in _WITHOUT:
            return None
        found = f"`{event.name}` is no event of a pull request" if event else "no event names a pull request"
        raise Refused(found, kind=Kind.CLIENT)
    run = target.origin.partition(":")[0]
    return Place(
        repository=target.repository,
        sha=target.sha,
        number=None if of_run else event.number,
        label=event.run.label if event.run else "",
        closed=event.closed,
        key=target.key,
        run=int(run) if run else 0,
        details=target.details,
    )


def _shown(request: Request, api: str) -> dict[str, Any]:
    query = "&".join(f"{quote(key)}={quote(value)}" for key, value in request.query.items())
    url = f"{api}{request.path}{f'?{query}' if query else ''}"
    return {"method": request.method, "url": url} | ({} if request.body is None else {"body": request.body})
