"""Puts Prism between our client and the fake, as a second judge of both: `python -m tests.hub.prism PATH_TO_PRISM`.

    npm install --ignore-scripts @stoplight/prism-cli@5.14.2
    python -m tests.hub.prism node_modules/.bin/prism

Prism holds every request and every answer against the same description, by code that is not ours, and refuses what
does not fit. Exit code 1 where something that should pass did not, or the other way round.
"""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from gate.publishing.checks import CheckRun
from gate.publishing.comments import Comment, Place
from gate.publishing.hub import Access, Clock, Hub
from gate.reporters import annotations, check_run, comment
from gate.reporters.check_run import Target
from gate.reporters.comment import Mode
from gate.request import Kind, Refused, Request
from tests import reports
from tests.hub import fake

DESCRIPTION = Path(__file__).parent / "github.openapi.json"
TARGET = Target(repository="octo/repo", sha="a" * 40, origin="77:gate")
_READY = 60.0


def main(prism: str) -> int:
    """Try all of it, and print a line for each."""
    port = _free_port()
    public = f"http://127.0.0.1:{port}"
    with fake.serve(fake.Hub(), public=public) as github:
        github.token("ghs_write", "checks", "issues", "pull-requests")
        github.token("ghs_read")
        github.state.pull(7, "a" * 40, fork="somebody/repo")
        words = [prism, "proxy", "-p", str(port), "-h", "127.0.0.1", "--errors", str(DESCRIPTION), github.server]
        clock = Clock(sleep=lambda _: None)
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        try:
            _await(public)
            hub = Hub(Access(api=public, token="ghs_write"), clock=clock)
            good = [_tried(name, partial(do, hub, github), None) for name, do in _GOOD.items()]
            reader = Hub(Access(api=public, token="ghs_read"))
            good.append(
                _tried("a token that only reads", lambda: reader.send(check_run.create(TARGET)), Kind.PERMISSION)
            )
            before = len(github.seen)
            bad = [_tried(name, partial(hub.send, _changed(body)), Kind.INVALID) for name, body in _BAD.items()]
        finally:
            child.terminate()
            child.wait()
    through = len(github.seen) - before
    print(f"{through} of {len(bad)} bad requests came through; violations: {github.violations}")  # noqa: T201
    return int(not all(good) or not all(bad) or through > 0 or bool(github.violations))


def _publish(hub: Hub, github: fake.Hub) -> None:
    for attempt in (1, 2):
        check = CheckRun(hub, msgspec.structs.replace(TARGET, attempt=attempt))
        check.begin()
        found = annotations.collect(reports.many(120))
        published = check.finish(reports.BAD, found)
        if published.told or len(published.carried) != 120:
            raise ValueError(published.told)


def _comment(hub: Hub, github: fake.Hub) -> None:
    """Looked up by the commit, made; edited beyond a page of others'; united with one that is there twice."""
    place = Place(repository="octo/repo", sha="a" * 40, run=77)
    for report in (reports.GOOD, reports.BAD, reports.GOOD):
        if told := Comment(hub, place, mode=Mode.ALWAYS).write(report):
            raise ValueError(told)
        ours = [one["body"] for one in github.state.comments.values() if comment.read(one["body"])]
        if len(ours) != 1:
            raise ValueError(f"{len(ours)} comments are ours")
        for number in range(60):
            github.state.comment(7, f"comment {number}", "somebody", kind="User")
        github.state.comment(7, ours[0])


def _read(hub: Hub, github: fake.Hub) -> None:
    hub.send(comment.of_branch("octo/repo", "somebody:topic/with space"))
    for path in ("", f"/commits/{'a' * 40}/pulls", f"/commits/{'a' * 40}/check-suites", "/pulls", "/pulls/7"):
        hub.send(Request(method="GET", path=f"/repos/octo/repo{path}"))


_GOOD: dict[str, Callable[[Hub, fake.Hub], None]] = {
    "a check run with 120 annotations, twice": _publish,
    "a comment looked up, made, edited, found on two pages, and one too many deleted": _comment,
    "what is read": _read,
}
_ANNOTATION = {"path": "a.py", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": "m"}


def _output(*found: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"output": {"title": "t", "summary": "s", "annotations": list(found)} | more}


_BAD: dict[str, dict[str, Any]] = {
    "51 annotations": _output(*[_ANNOTATION] * 51),
    "a summary of 65,536 characters": _output(summary="x" * 65_536),
    "a title of 256 characters": _output(title="x" * 256),
    "line 0": _output(_ANNOTATION | {"start_line": 0}),
    "no path": _output(_ANNOTATION | {"path": None}),
    "a level that does not exist": _output(_ANNOTATION | {"annotation_level": "error"}),
    "a message of 70,000 characters": _output(_ANNOTATION | {"message": "x" * 70_000}),
    "an unknown key": _output(_ANNOTATION | {"column": 1}),
    "completed without a conclusion": {"status": "completed"},
    "a conclusion that does not exist": {"conclusion": "bad"},
}


def _changed(body: dict[str, Any]) -> Request:
    return Request(method="PATCH", path="/repos/octo/repo/check-runs/4001", body=body)


def _tried(name: str, do: Callable[[], Any], expected: Kind | None) -> bool:
    try:
        do()
        seen: Kind | str | None = None
    except Refused as refused:
        seen = refused.why if refused.why is expected else refused.message
    except ValueError as error:
        seen = str(error)
    print(f"{'ok' if seen == expected else 'NOT OK'}: {name}: {seen or 'taken'}", flush=True)  # noqa: T201
    return seen == expected


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def _await(url: str) -> None:
    end = time.monotonic() + _READY
    while True:
        try:
            urllib.request.urlopen(url).close()
        except urllib.error.HTTPError as error:
            error.close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
        else:
            return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
