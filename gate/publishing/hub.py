"""GitHub's API, by PyGithub: the one room that imports it.

A `Hub` is a `Sender` (see `gate.request`): `hub.send(request)` gives the answer or raises `Refused`, within a number of
seconds that is given for all requests together. PyGithub carries token, address, proxy and certificates. Its own
retries are off: they obey any `Retry-After` however long, do not know a 429 without one, and end in exceptions of
three families. What it does with an answer's links it is never asked to do: no address in an answer is followed.
"""

import math
import queue
import re
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from gate import __version__, escape
from gate.publishing import patience
from gate.reporters import excerpt
from gate.request import Answer, Kind, Refused, Request

if TYPE_CHECKING:
    import github

BUDGET = 180.0
"""Seconds that all publishing of a run may take together."""

_ATTEMPT = 30.0  # of one try; PyGithub's own limit counts anew with every byte that comes
_SOCKET = 15
_FREE_WRITES = 5
_PAUSE = 1.0  # between further writes, as GitHub asks of who sends many
_LOCAL = ("127.0.0.1", "::1", "localhost")
_HEADERS = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """Where the API is, the token for it, and a file of certificates to trust where the system's do not do."""

    api: str
    token: str
    ca_bundle: str = ""

    def __repr__(self) -> str:
        return f"Access(api={self.api!r}, token=…, ca_bundle={self.ca_bundle!r})"


class Clock(msgspec.Struct, frozen=True):
    """Time, as a test may make it: seconds since some moment, seconds of the epoch, and how to wait."""

    now: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


def access(environ: Mapping[str, str], ca_bundle: str = "") -> Access:
    """What the environment says: `GITHUB_API_URL` and `GATE_TOKEN`; Refused where there is no usable token.

    The certificates are those of `ca_bundle`, else of REQUESTS_CA_BUNDLE, else of SSL_CERT_FILE, else requests' own.
    """
    api, token = address(environ), environ.get("GATE_TOKEN", "").strip()
    url = urlsplit(api)
    if url.scheme != "https" and not (url.scheme == "http" and url.hostname in _LOCAL):
        raise Refused(f"GITHUB_API_URL is {api!r}, expected one with https: a token is sent there", kind=Kind.CLIENT)
    if not token:
        raise Refused("there is no token for GitHub's API", kind=Kind.TOKEN)
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise Refused("the token for GitHub's API holds characters that no token has", kind=Kind.TOKEN)
    trusted = ca_bundle or environ.get("REQUESTS_CA_BUNDLE") or environ.get("SSL_CERT_FILE") or ""
    return Access(api=api, token=token, ca_bundle=trusted)


def address(environ: Mapping[str, str]) -> str:
    """Where the API is, without a slash at its end."""
    return (environ.get("GITHUB_API_URL") or "https://api.github.com").rstrip("/")


class _Setback(Exception):
    """One try that came to nothing, and after how many seconds another one may help."""

    def __init__(self, refused: Refused, wait: float | None = None) -> None:
        super().__init__(refused.message)
        self.refused, self.wait = refused, wait


class Hub:
    """The client. `budget` is what all requests may take together, in seconds, waiting included."""

    def __init__(self, access: Access, *, budget: float = BUDGET, clock: Clock = Clock()) -> None:  # noqa: B008 - frozen
        self._access, self._left, self._clock = access, budget, clock
        self._budget = budget
        self._writes = 0
        self._client: github.Github | None = None

    def send(self, request: Request, *, reserve: float = 0.0, within: float = math.inf) -> Answer:
        """The answer; Refused where there is none `within` the seconds, or in all that is left but `reserve`."""
        begun = self._clock.now()
        try:
            return self._persist(request, begun + min(self._left - reserve, within))
        finally:
            self._left -= self._clock.now() - begun

    def _persist(self, request: Request, until: float) -> Answer:
        tries = 0
        while True:
            tries += 1
            try:
                return self._attempt(request, tries, until)
            except _Setback as setback:
                unsure = setback.refused.why is Kind.UNSURE and not request.repeatable
                if setback.wait is None or unsure:
                    raise setback.refused from None
                if self._clock.now() + setback.wait >= until:
                    message = f"{setback.refused.message}; it may be asked again in {setback.wait:.0f} s, and the time"
                    message += f" for publishing ({self._budget:.0f} s) ends before that"
                    raise Refused(message, kind=setback.refused.why, status=setback.refused.status) from None
                self._clock.sleep(setback.wait)

    def _attempt(self, request: Request, tries: int, until: float) -> Answer:
        self._pace(request)
        left = until - self._clock.now()
        if left <= 0:
            words = f"the time for publishing ({self._budget:.0f} s) is over, {request.words} was not sent"
            raise Refused(words, kind=Kind.TIME)
        status, headers, text = self._exchange(request, min(left, _ATTEMPT), tries)
        body, readable = _json(text)
        if status >= 300:
            raise self._setback(request, status, headers, body, tries)
        if not readable:
            words = f"the answer to {request.words} is no JSON"
            raise _Setback(Refused(words, kind=Kind.UNSURE, status=status), _again(tries))
        return Answer(status=status, body=body, more='rel="next"' in headers.get("link", ""))

    def _pace(self, request: Request) -> None:
        if request.method == "GET":
            return
        if self._writes >= _FREE_WRITES:
            self._clock.sleep(_PAUSE)
        self._writes += 1

    def _exchange(self, request: Request, seconds: float, tries: int) -> tuple[int, dict[str, str], str]:
        """Status, headers and text. In a thread, since no time limit of requests gives up an answer that trickles."""
        client = self._connected()
        box: queue.SimpleQueue[tuple[int, dict[str, Any], str] | BaseException] = queue.SimpleQueue()

        def work() -> None:
            try:
                box.put(
                    client.requester.requestJson(
                        request.method, request.path, dict(request.query), dict(_HEADERS), request.body
                    )
                )
            except BaseException as error:
                box.put(error)

        threading.Thread(target=work, daemon=True).start()
        try:
            found = box.get(timeout=seconds)
        except queue.Empty:
            self._client = None  # its connection is still busy with the answer that did not come
            words = f"GitHub did not answer {request.words} within {seconds:.0f} s"
            raise _Setback(Refused(words, kind=Kind.UNSURE), _again(tries)) from None
        if isinstance(found, BaseException):
            self._client = None
            raise self._broken(found, request, tries)
        return found

    def _connected(self) -> "github.Github":
        if self._client is None:
            try:
                import github  # heavy, and an extra: whoever publishes nothing needs neither
            except ImportError:
                words = "PyGithub is not installed: `pip install 'trajectory-gate[github]'` brings it along"
                raise Refused(words, kind=Kind.CLIENT) from None
            self._client = github.Github(
                base_url=self._access.api,
                auth=github.Auth.Token(self._access.token),
                user_agent=f"trajectory-gate/{__version__}",
                timeout=_SOCKET,
                verify=self._access.ca_bundle or True,
                retry=None,
                seconds_between_requests=None,
                seconds_between_writes=None,
                lazy=True,
            )
        return self._client

    def _setback(self, request: Request, status: int, headers: Mapping[str, str], body: Any, tries: int) -> _Setback:
        said = _said(body)
        wait = patience.wait(status, headers, said, tries=tries, wall=self._clock.wall())
        words = f"GitHub answered {status} to {request.words}" + (f": {self._shown(said)}" if said else "")
        return _Setback(Refused(words, kind=_kind(status, headers, said), status=status), wait)

    def _broken(self, error: BaseException, request: Request, tries: int) -> _Setback:
        """What requests, urllib3 or PyGithub raised, in our words."""
        import requests.exceptions as known  # PyGithub has imported it by now

        reason = self._shown(_innermost(error))
        if isinstance(error, known.SSLError):
            words = f"{self._access.api} has no certificate that is trusted here: {reason}; name a file of certificates"
            return _Setback(Refused(f"{words} with `--ca-bundle` or REQUESTS_CA_BUNDLE", kind=Kind.UNREACHABLE))
        if isinstance(error, known.ConnectionError) and _never_sent(error):
            refused = Refused(f"{self._access.api} cannot be reached: {reason}", kind=Kind.UNREACHABLE)
            return _Setback(refused, _again(tries))
        if isinstance(error, known.RequestException):
            refused = Refused(f"the answer to {request.words} did not come whole: {reason}", kind=Kind.UNSURE)
            return _Setback(refused, _again(tries))
        words = f"{request.words} could not be sent: {type(error).__name__}: {reason}"
        return _Setback(Refused(words, kind=Kind.CLIENT))

    def _shown(self, text: str) -> str:
        """Somebody else's words on one line, without the token, should they hold it."""
        return excerpt.clip(escape.plain(" ".join(text.replace(self._access.token, "***").split())), 300)


def _kind(status: int, headers: Mapping[str, str], message: str) -> Kind:
    if patience.limited(status, headers, message):
        return Kind.RATE
    if status >= 500:
        return Kind.UNSURE
    return {401: Kind.TOKEN, 403: Kind.PERMISSION, 404: Kind.PERMISSION}.get(status, Kind.INVALID)


def _again(tries: int) -> float | None:
    """As after an answer of 502."""
    return patience.wait(502, {}, "", tries=tries, wall=0.0)


def _json(text: str) -> tuple[Any, bool]:
    if not text:
        return None, True
    try:
        return msgspec.json.decode(text.encode("utf-8", "surrogatepass")), True
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None, False


def _said(body: Any) -> str:
    """GitHub's message, with the fields that it names."""
    if not isinstance(body, dict):
        return ""
    message = str(body.get("message") or "")
    errors = body.get("errors")
    fields = [_field(one) for one in errors] if isinstance(errors, list) else []
    return f"{message} ({', '.join(fields)})" if fields else message


def _field(error: Any) -> str:
    if not isinstance(error, dict):
        return str(error)
    words = [str(error[key]) for key in ("field", "code", "message") if error.get(key)]
    return " ".join(words) or "no reason"


def _innermost(error: BaseException) -> str:
    """The words of what was behind it: urllib3 and requests wrap one in another, up to four deep."""
    for _ in range(8):
        inner = getattr(error, "reason", None) or (error.args[0] if error.args else None)
        if not isinstance(inner, BaseException):
            break
        error = inner
    inner = error.args[1] if len(error.args) == 2 and isinstance(error.args[1], BaseException) else error
    words = str(getattr(inner, "strerror", None) or inner)
    words = words.rpartition("Failed to establish a new connection: ")[2] or type(inner).__name__
    return re.sub(r"^HTTPS?Connection\(.*?\): ", "", words)


def _never_sent(error: BaseException) -> bool:
    """Whether there was no connection at all, so that nothing can have had its effect."""
    from urllib3 import exceptions as known  # as requests, on which PyGithub stands

    inner = error.args[0] if error.args else None
    reason = getattr(inner, "reason", inner)
    return isinstance(reason, known.NewConnectionError | known.ConnectTimeoutError | known.ProxyError)
