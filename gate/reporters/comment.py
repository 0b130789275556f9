"""The comment on a pull request: a report as its text, and the requests that keep it. Nothing is sent from here.

Its first line is a mark that nobody sees: of which version and key the comment is, what it says, and which run wrote
it. So a later run finds it again, knows without a word of its own whether there is anything to change, and leaves what
a run after it has written.
"""

import enum
import hashlib
import re
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from gate import escape
from gate.report import Report
from gate.reporters import summary
from gate.reporters.check_run import NAME
from gate.request import Request

LIMIT = 65_536
"""Characters that GitHub takes in a comment. Bytes are counted here: there are never fewer of them."""

_MARK = re.compile(
    r"<!-- trajectory-gate:v(?P<version>\d{1,9}) key=(?P<key>[\w.~%]*)"
    r"(?: content=(?P<content>[0-9a-f]{64}) verdicts=(?P<verdicts>[0-9a-f]{64}) run=(?P<run>\d{1,18}))?[^\n>]*-->",
    re.ASCII,
)
_ADDRESS = re.compile(r"https?://[\w.-]+(:\d+)?(/[\w.-]+)*", re.ASCII)


class Mode(enum.StrEnum):
    """When there is a comment. One that is there is kept true in every mode but `off`."""

    OFF = "off"
    """Never."""

    ON_FAILURE = "on-failure"
    """It is made where something failed or could not be judged, and says so when that is mended."""

    ON_CHANGE = "on-change"
    """It is made where not all is well or the judge was changed, and written anew where a verdict is another."""

    ALWAYS = "always"
    """It is made by the first run, and written anew by every one that has something else to say."""


class Thread(msgspec.Struct, frozen=True, kw_only=True):
    """The conversation of a pull request, and whose part of it is written.

    `run` numbers the workflow's run that judged (0 where nothing is known of it), `details` is its address.
    """

    repository: str
    number: int
    sha: str
    key: str = ""
    run: int = 0
    details: str = ""


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What the first line of a comment tells; digests of a mark of another version are empty."""

    key: str
    content: str = ""
    verdicts: str = ""
    run: int = 0


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A comment as it would be written now."""

    body: str
    mark: Mark


def draft(report: Report, thread: Thread) -> Draft:
    """The comment in GitHub's size: whole tasks are left out, those that passed first, and counted."""
    name = f"**{NAME} ({escape.markdown(thread.key)})**\n\n" if thread.key else ""
    tail = f"\n{_source(thread)}\n"
    room = LIMIT - len(f"{name}{tail}".encode()) - 1_000  # for the mark, which is shorter
    text = f"{name}{summary.render(report, limit=room)}{tail}"
    mark = Mark(key=thread.key, content=_content(text), verdicts=_verdicts(report), run=thread.run)
    return Draft(body=f"{_written(mark)}\n{text}", mark=mark)


def read(body: str) -> Mark | None:
    """The mark that a comment begins with; None where it does not. It tells nothing of who wrote it."""
    found = _MARK.match(body)
    if found is None:
        return None
    key = unquote(found["key"])
    if found["version"] != "1" or found["content"] is None:
        return Mark(key=key)
    return Mark(key=key, content=found["content"], verdicts=found["verdicts"], run=int(found["run"]))


def says(body: str, draft: Draft) -> bool:
    """Whether a comment says that already: by its mark, and by its text, which somebody may have changed since."""
    mark = read(body)
    return mark is not None and mark.content == draft.mark.content == _content(body[body.find("\n") + 1 :])


def worth(mode: Mode, report: Report, draft: Draft, known: Mark | None) -> bool:
    """Whether the comment is to be made (`known` is None), or the one with that mark to be written anew."""
    if mode is Mode.OFF:
        return False
    if known is not None:
        return mode is not Mode.ON_CHANGE or known.verdicts != draft.mark.verdicts
    if mode is Mode.ALWAYS:
        return True
    return report.enforced_code != 0 or (mode is Mode.ON_CHANGE and bool(report.tampering))


def find(thread: Thread) -> Request:
    """Ask for the comments of the pull request, all pages; GitHub has them under the issue of the same number."""
    return Request(method="GET", path=_comments(thread))


def create(thread: Thread, draft: Draft) -> Request:
    """Make the comment; sent twice, it would be there twice."""
    return Request(method="POST", path=_comments(thread), body={"body": draft.body}, repeatable=False)


def edit(thread: Thread, number: int, draft: Draft) -> Request:
    """Write it anew."""
    return Request(method="PATCH", path=_comment(thread, number), body={"body": draft.body})


def remove(thread: Thread, number: int) -> Request:
    """Take one away that is there twice."""
    return Request(method="DELETE", path=_comment(thread, number))


def of_commit(repository: str, sha: str) -> Request:
    """Ask which pull requests a commit is of."""
    return Request(method="GET", path=f"/repos/{repository}/commits/{sha}/pulls")


def of_branch(repository: str, label: str) -> Request:
    """Ask for the open pull requests from a branch, `OWNER:BRANCH`: GitHub may not know a fork's commit by itself."""
    return Request(method="GET", path=f"/repos/{repository}/pulls", query={"head": label, "state": "open"})


def myself() -> Request:
    """Ask whose token it is; GitHub tells that to people's tokens alone."""
    return Request(method="GET", path="/user")


def _comments(thread: Thread) -> str:
    return f"/repos/{thread.repository}/issues/{thread.number}/comments"


def _comment(thread: Thread, number: int) -> str:
    return f"/repos/{thread.repository}/issues/comments/{number}"


def _source(thread: Thread) -> str:
    """Which commit this is about, and where it was judged. Both are GitHub's own words, not the change's."""
    run = f", judged by [this run]({thread.details})" if _ADDRESS.fullmatch(thread.details) else ""
    return f"<sub>Commit <code>{thread.sha[:12]}</code>{run}</sub>"


def _written(mark: Mark) -> str:
    facts = f"content={mark.content} verdicts={mark.verdicts} run={mark.run}"
    return f"<!-- trajectory-gate:v1 key={_quoted(mark.key)} {facts} -->"


def _quoted(key: str) -> str:
    return quote(key, safe="").replace("-", "%2D")  # two hyphens may end what is hidden


def _content(text: str) -> str:
    """White space does not count: GitHub may keep it otherwise than it was sent."""
    return _digest(" ".join(text.split()))


def _verdicts(report: Report) -> str:
    """What is decided, without a word of how that is told."""
    told: list[Any] = [report.outcome.value, report.enforce, [notice.message for notice in report.tampering]]
    told += [(task.id, verdict.name, verdict.outcome.value) for task, verdict in report.verdicts()]
    return _digest(repr(told))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
