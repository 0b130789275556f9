"""What GitHub is asked to do, as values: a request, its answer, and how it can be refused.

Reporters build requests without sending any. Whoever has something to publish takes a `Sender` and says
`sender.send(request)`: the answer comes back, or `Refused` is raised, whose `kind` says what may follow from it and
whose message is fit to be shown. `pages(sender, request)` sends one for every page of a list.
"""

import enum
import math
from collections.abc import Iterator
from typing import Any, Protocol

import msgspec

from gate import escape
from gate.errors import GateError

PAGE = 100
"""Items on a page: the most that GitHub gives."""

_PAGES = 100  # 10,000 items; a server that always promises one page more must not keep us


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One request. `path` is relative to the API's address, `/repos/octo/repo/…`; `body` is what becomes its JSON.

    `repeatable` says that doing it twice does what doing it once does. One that is not is never sent again where the
    first may have had its effect.
    """

    method: str
    path: str
    query: dict[str, str] = {}
    body: dict[str, Any] | None = None
    repeatable: bool = True

    @property
    def words(self) -> str:
        """The request as a message names it."""
        return f"{self.method} {escape.plain(self.path)}"


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What came back. `more` says that GitHub has a further page."""

    status: int
    body: Any = None
    more: bool = False

    def get(self, key: str) -> Any:
        """One value of an answer that is a mapping, None of any other."""
        return self.body.get(key) if isinstance(self.body, dict) else None


class Kind(enum.StrEnum):
    """Why a request was refused."""

    PERMISSION = "permission"
    """The token must not do this (403), or must not see that it could be done (404)."""
    TOKEN = "token"  # noqa: S105 - the word, no password
    """There is no token, or GitHub does not know it (401)."""
    INVALID = "invalid"
    """What was sent is wrong (400, 422, another 4xx)."""
    RATE = "rate"
    """Too much was asked, and there is no time left to wait."""
    UNREACHABLE = "unreachable"
    """Nothing was sent: no such host, no connection, no certificate that is trusted."""
    UNSURE = "unsure"
    """It may have had its effect: GitHub broke down, or its answer did not come or came in part."""
    TIME = "time"
    """There is no time left for publishing."""
    CLIENT = "client"
    """PyGithub is not installed, or something is amiss on our side."""


class Refused(GateError):
    """GitHub did not do what it was asked to. The verdict stands all the same."""

    def __init__(self, message: str, *, kind: Kind, status: int = 0) -> None:
        super().__init__(message, kind=kind)
        self.why, self.status = kind, status


class Sender(Protocol):
    """Whatever sends requests: a client, or a list that only keeps them."""

    def send(self, request: Request, *, reserve: float = 0.0, within: float = math.inf) -> Answer:
        """The answer; Refused where there is none `within` so many seconds.

        Of the time for all requests, `reserve` seconds are left alone for what comes after this one.
        """


class Recorder:
    """Sends nothing and keeps every request, as a dry run wants it. An id that GitHub would give is shown as `{id}`."""

    def __init__(self) -> None:
        self.requests: list[Request] = []

    def send(self, request: Request, *, reserve: float = 0.0, within: float = math.inf) -> Answer:  # noqa: ARG002 - a Sender's
        """Keep it; what would be made has the id `{id}`, what would be found is nothing."""
        self.requests.append(request)
        return Answer(status=200, body={} if request.method == "GET" else {"id": "{id}"})


def pages(sender: Sender, request: Request, *, key: str = "") -> Iterator[Any]:
    """Every item of a list, page by page; under `key` where the answer is a mapping. Refused as soon as a page is."""
    for number in range(1, _PAGES + 1):
        query = request.query | {"per_page": str(PAGE), "page": str(number)}
        answer = sender.send(msgspec.structs.replace(request, query=query))
        items = answer.get(key) if key else answer.body
        yield from items if isinstance(items, list) else ()
        if not answer.more:
            return


def advice(refused: Refused, *, permission: str, fork: bool = False) -> str:
    """What to grant or to mend, in one clause without a full stop; empty where there is nothing to say.

    `permission` is the line for a workflow's `permissions:`, `checks: write` for example. A fork's token and a
    missing permission look alike from here, so both are named.
    """
    if refused.why is Kind.TOKEN:
        return "give the action's input `token`, or set GATE_TOKEN"
    if refused.why is not Kind.PERMISSION:
        return ""
    ours = f"grant the job `permissions: {permission}`"
    theirs = "a pull request from a fork or by Dependabot has a token that only reads, whatever the workflow grants"
    return f"{theirs}; elsewhere, {ours}" if fork else f"{ours}; {theirs}"
