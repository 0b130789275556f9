"""What a run shows on GitHub by requests, beside its exit code and its files: entered before it judges, left after.

Nothing here changes a verdict or raises for what GitHub does.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Self
from urllib.parse import quote

import msgspec

from gate import escape, github, hub
from gate.checks import CheckRun
from gate.errors import GateError, UsageError, bug
from gate.report import Report
from gate.reporters.annotations import Annotation
from gate.reporters.check_run import Target
from gate.reporters.face import Published
from gate.request import Kind, Recorder, Refused, Request, Sender, advice
from gate.tree import is_object_id

_LONGEST_KEY = 100


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for. `job` is the number of the job's own check run, `key` tells apart the jobs of a matrix."""

    check_run: bool = False
    job: str = ""
    key: str = ""
    ca_bundle: str = ""
    dry_run: bool = False


class Publication:
    """Everything that is published by requests. `told` of what `close` returns says what was refused, and why."""

    def __init__(self, wanted: Wanted, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._recorder = Recorder() if wanted.dry_run else None
        self._told: list[str] = []
        self._check: CheckRun | None = None
        _check(wanted)
        if wanted.check_run:
            try:
                self._check = self._check_run(wanted, environ)
            except Refused as refused:
                grant = advice(refused, permission="checks: write")
                words = [f"there is no check run: {refused.message}", grant, "the verdict stands without it"]
                self._told.append("; ".join(filter(None, words)))

    def __enter__(self) -> Self:
        """Show that judging begins."""
        if self._check is not None:
            self._guarded(self._check.begin)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Show that there will be no verdict, where that is so."""
        if self._check is not None and kind is not None:
            check = self._check
            self._guarded(lambda: check.cancel("The run was interrupted."))

    def close(self, report: Report, found: Sequence[Annotation]) -> Published:
        """Show the verdict, and `found` beside the change."""
        published = Published()
        if self._check is not None:
            check = self._check
            published = self._guarded(lambda: check.finish(report, found)) or published
        return msgspec.structs.replace(published, told=(*self._told, *published.told))

    def requests(self) -> str:
        """What a dry run would have sent, as a JSON document."""
        api, kept = hub.address(self._environ), self._recorder.requests if self._recorder else []
        document = {"requests": [_shown(request, api) for request in kept]}
        return escape.json_document(msgspec.json.format(msgspec.json.encode(document), indent=2).decode()) + "\n"

    def _guarded(self, do: Any) -> Any:
        try:
            return do()
        except Exception as error:  # a bug in what is shown must cost neither the verdict nor the other surfaces
            self._told.append(f"the check run is not as it should be: {bug(error)}")
            return None

    def _check_run(self, wanted: Wanted, environ: Mapping[str, str]) -> CheckRun | None:
        event = _event(environ)
        if event is not None and event.deletes:
            return None
        fork = event.fork if event is not None else False
        sender: Sender = self._recorder or hub.Hub(hub.access(environ, wanted.ca_bundle))
        return CheckRun(sender, _target(wanted.key, event, environ), job=wanted.job, fork=fork)


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


def _target(key: str, event: github.Event | None, environ: Mapping[str, str]) -> Target:
    repository = (event.repository if event else None) or environ.get("GITHUB_REPOSITORY", "")
    sha = event.publish_sha if event else environ.get("GITHUB_SHA")
    if not re.fullmatch(r"\w[\w-]*/(?!\.\.?$)[\w.-]+", repository, re.ASCII):
        raise Refused(f"the repository (`GITHUB_REPOSITORY`) is {repository!r}, expected OWNER/NAME", kind=Kind.CLIENT)
    if not sha or not is_object_id(sha):
        found = f"the event {event.name!r} names no commit" if event else f"`GITHUB_SHA` is {sha or ''!r}, no commit id"
        raise Refused(f"{found} to put it on", kind=Kind.CLIENT)
    run, attempt = environ.get("GITHUB_RUN_ID", ""), environ.get("GITHUB_RUN_ATTEMPT", "")
    server = environ.get("GITHUB_SERVER_URL", "").rstrip("/")
    return Target(
        repository=repository,
        sha=sha,
        key=key,
        origin=f"{run}:{escape.plain(environ.get('GITHUB_JOB', ''))}" if run.isdecimal() else "",
        attempt=max(1, int(attempt)) if attempt.isdecimal() else 1,
        details=f"{server}/{repository}/actions/runs/{run}" if server and run.isdecimal() else "",
    )


def _shown(request: Request, api: str) -> dict[str, Any]:
    query = "&".join(f"{quote(key)}={quote(value)}" for key, value in request.query.items())
    url = f"{api}{request.path}{f'?{query}' if query else ''}"
    return {"method": request.method, "url": url} | ({} if request.body is None else {"body": request.body})
