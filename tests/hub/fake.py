"""A GitHub that remembers: check runs, pull requests and comments of one repository, over HTTP on this machine.

    with serve(Hub()) as hub:
        hub.token("ghs_write", "checks", "issues")
        ...  # talk to hub.url
        hub.seen  # every request, in order
        hub.violations  # what GitHub's description has against requests or answers: empty

Every request and every answer is held against GitHub's description. `hub.fault(…)` makes chosen requests go wrong.
"""

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.hub import description
from tests.hub.state import Refusal, Several, State


class Seen(NamedTuple):
    """One request as it came, and the status of its answer."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    headers: dict[str, str]
    status: int


class Fault(NamedTuple):
    """What goes wrong with a request whose method and path match.

    With `status` that answer is given, and the request has no effect unless `done`. Without it the true answer goes
    wrong on its way: `cut` hangs up after so many bytes of it, `drip` waits so many seconds before each byte, `drop`
    hangs up at once.
    """

    method: str
    path: str
    status: int = 0
    body: Any = None
    headers: dict[str, str] | None = None
    done: bool = False
    cut: int | None = None
    drip: float = 0.0
    drop: bool = False


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: Any


class Hub:
    """The state, who may change it, what was asked, and what is to go wrong. `prefix` is `/api/v3` for Enterprise."""

    def __init__(self, repository: str = "octo/repo", *, prefix: str = "") -> None:
        self.url = self.server = ""
        self.prefix = prefix
        self.state = State(repository)
        self.seen: list[Seen] = []
        self.violations: list[str] = []
        self.tokens: dict[str, frozenset[str]] = {}
        self._faults: list[Fault] = []
        self._lock = threading.Lock()

    def token(self, token: str, *permissions: str, classic: bool = False) -> str:
        """A token that may write what is named: checks, issues, pull-requests; a `classic` one is a person's."""
        self.tokens[token] = frozenset((*permissions, "classic") if classic else permissions)
        return token

    def fault(self, method: str, path: str, *, times: int = 1, **what: Any) -> None:
        """The next `times` requests of this method whose path matches the expression go wrong; see `Fault`."""
        self._faults += [Fault(method, path, **what)] * times

    @property
    def writes(self) -> list[Seen]:
        """The requests that meant to change something."""
        return [one for one in self.seen if one.method != "GET"]

    def listen(self, server: str, public: str = "") -> None:
        """Name the addresses that answers hold: of this server, or of what stands in front of it."""
        self.server = server
        self.url = (public or server) + self.prefix
        self.state.url, self.state.page = self.url, public or server

    def take(self, method: str, target: str, headers: dict[str, str], body: Any) -> tuple[Answer, Fault | None]:
        """The answer to one request, and what goes wrong on its way."""
        url = urlsplit(target)
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        path = url.path.removeprefix(self.prefix) if url.path.startswith(self.prefix) else f"/outside{url.path}"
        with self._lock:
            fault = self._next_fault(method, path)
            scripted = Answer(fault.status, fault.headers or {}, fault.body) if fault and fault.status else None
            answer = None
            if scripted is None or (fault and fault.done):
                answer = self._answer(method, path, query, headers, body)
            answer = scripted or answer or Answer(500, {}, None)
            self.seen.append(Seen(method, path, query, body, headers, answer.status))
            return answer, fault

    def _next_fault(self, method: str, path: str) -> Fault | None:
        for number, fault in enumerate(self._faults):
            if fault.method == method and re.search(fault.path, path):
                return self._faults.pop(number)
        return None

    def _answer(self, method: str, path: str, query: dict[str, str], headers: dict[str, str], body: Any) -> Answer:
        operation = description.find(method, path)
        if operation is None:
            self.violations.append(f"{method} {path}: not in the description")
            return _refused(Refusal(404, "Not Found"))
        try:
            answer = self._done(operation, path, query, headers, body)
        except Refusal as refusal:
            answer = _refused(refusal)
        except Exception as error:
            self.violations.append(f"{method} {path}: a bug in the fake: {error!r}")
            answer = _refused(Refusal(500, "Server Error"))
        wrong = description.wrong_answer(operation, answer.status, answer.body)
        self.violations += [f"the answer to {method} {path}: {fault}" for fault in wrong]
        return answer

    def _done(
        self, operation: description.Operation, path: str, query: dict[str, str], headers: dict[str, str], body: Any
    ) -> Answer:
        granted = self.tokens.get(headers.get("authorization", "").split(" ")[-1])
        if granted is None:
            raise Refusal(401, "Bad credentials")
        self.state.require(operation.values)
        wrong = description.wrong_request(operation, query, body)
        if wrong:
            self.violations.append(f"{operation.method.upper()} {path}: {'; '.join(wrong)}")
            raise Refusal(422, "Invalid request.\n\n" + "\n".join(wrong))
        self.state.permit(operation, granted)
        status, found = self.state.do(operation, query, body)
        if isinstance(found, Several):
            return _page(found, f"{self.url}{path}", query)
        return Answer(status, {}, json.loads(json.dumps(found)))


def _page(several: Several, url: str, query: dict[str, str]) -> Answer:
    size = min(int(query.get("per_page", "30")), 100)
    number = int(query.get("page", "1"))
    items = several.items[(number - 1) * size : number * size]
    headers = {}
    if number * size < len(several.items):
        following = urlencode(query | {"page": str(number + 1)})
        headers["Link"] = f'<{url}?{following}>; rel="next"'
    body = {"total_count": len(several.items), several.key: items} if several.key else items
    return Answer(200, headers, json.loads(json.dumps(body)))


def _refused(refusal: Refusal) -> Answer:
    body: dict[str, Any] = {"message": refusal.message, "documentation_url": "https://docs.github.com/rest"}
    if refusal.errors:
        body["errors"] = refusal.errors
    return Answer(refusal.status, {}, body | {"status": str(refusal.status)})


@contextmanager
def serve(hub: Hub, port: int = 0, public: str = "") -> Iterator[Hub]:
    """The fake on a port of 127.0.0.1; `public` is what answers call it when something stands in front."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            sent = self.rfile.read(length)
            headers = {key.lower(): value for key, value in self.headers.items()}
            answer, fault = hub.take(self.command, self.path, headers, json.loads(sent) if sent else None)
            with suppress(ConnectionError):  # whoever asked has given up
                self._send(answer, fault)

        do_POST = do_PATCH = do_DELETE = do_GET  # noqa: N815 - the names that http.server looks for

        def _send(self, answer: Answer, fault: Fault | None) -> None:
            if fault and fault.drop:
                self.close_connection = True
                return
            data = answer.body.encode() if isinstance(answer.body, str) else json.dumps(answer.body).encode()
            data = b"" if answer.body is None else data
            self.send_response(answer.status)
            for name, value in {"Content-Type": "application/json; charset=utf-8", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if fault and fault.drip:
                for byte in data:
                    time.sleep(fault.drip)
                    self.wfile.write(bytes([byte]))
            elif fault and fault.cut is not None:
                self.wfile.write(data[: fault.cut])
                self.close_connection = True
            else:
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        server.daemon_threads = True
        server.block_on_close = False  # an answer that drips may outlast its test
        hub.listen(f"http://127.0.0.1:{server.server_address[1]}", public)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield hub
        finally:
            server.shutdown()
            thread.join()
