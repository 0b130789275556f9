"""The client against a GitHub that refuses, breaks down, trickles and lies, over real connections."""

import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gate.publishing.hub import Access, Clock, Hub, access, address
from gate.request import Answer, Kind, Refused, Request, pages
from tests.hub import fake
from tests.machine import environment

SHA = "a" * 40
GET = Request(method="GET", path="/repos/octo/repo")
MAKE = Request(
    method="POST", path="/repos/octo/repo/check-runs", body={"name": "gate", "head_sha": SHA}, repeatable=False
)


class Waiting:
    """A clock on which nobody waits: sleeping only lets the time go on."""

    def __init__(self) -> None:
        self.time = 1_000.0
        self.slept: list[float] = []
        self.clock = Clock(now=lambda: self.time, wall=lambda: self.time, sleep=self._sleep)

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


@pytest.fixture
def github() -> Iterator[fake.Hub]:
    with fake.serve(fake.Hub()) as served:
        served.token("ghs_write", "checks", "issues", "pull-requests")
        served.token("ghs_read")
        yield served
    assert served.violations == []


@pytest.fixture
def waiting() -> Waiting:
    return Waiting()


def client(github: fake.Hub, waiting: Waiting, token: str = "ghs_write", budget: float = 120.0) -> Hub:
    return Hub(Access(api=github.url, token=token), budget=budget, clock=waiting.clock)


def sent(github: fake.Hub) -> list[str]:
    """Every request in a line, with the status of its answer."""
    return [f"{one.method} {one.path.removeprefix('/repos/octo/repo')} {one.status}" for one in github.seen]


def refusal(hub: Hub, request: Request) -> Refused:
    with pytest.raises(Refused) as caught:
        hub.send(request)
    return caught.value


def test_sends_what_it_is_given_and_hands_back_the_answer(github: fake.Hub, waiting: Waiting) -> None:
    answer = client(github, waiting).send(MAKE)
    assert (answer.status, answer.get("name"), answer.get("head_sha"), answer.more) == (201, "gate", SHA, False)
    (seen,) = github.seen
    assert (seen.method, seen.path, seen.query, seen.body) == ("POST", MAKE.path, {}, MAKE.body)
    assert seen.headers["authorization"] == "token ghs_write"
    assert seen.headers["accept"] == "application/vnd.github+json"
    assert seen.headers["user-agent"].startswith("trajectory-gate/")
    assert waiting.slept == []


def test_reads_all_pages(github: fake.Hub, waiting: Waiting) -> None:
    github.state.pull(7, SHA)
    for number in range(230):
        github.state.comment(7, f"comment {number}")
    asked = Request(method="GET", path="/repos/octo/repo/issues/7/comments")
    found = [one["body"] for one in pages(client(github, waiting), asked)]
    assert found == [f"comment {number}" for number in range(230)]
    assert [one.query for one in github.seen] == [{"per_page": "100", "page": page} for page in "123"]


def test_reads_pages_under_a_key(github: fake.Hub, waiting: Waiting) -> None:
    for number in range(101):
        github.state.check_run(name=f"check {number}", head_sha=SHA)
    asked = Request(method="GET", path=f"/repos/octo/repo/commits/{SHA}/check-runs")
    assert len(list(pages(client(github, waiting), asked, key="check_runs"))) == 101


@pytest.mark.parametrize(
    ("fault", "slept"),
    [
        pytest.param({"status": 429, "body": {"message": "Slow down"}}, [60], id="429 without a header"),
        pytest.param({"status": 429, "body": None}, [60], id="429 without a word"),
        pytest.param({"status": 429, "headers": {"Retry-After": "7"}, "body": {}}, [7], id="429 with Retry-After"),
        pytest.param(
            {"status": 403, "body": {"message": "You have exceeded a secondary rate limit."}},
            [60],
            id="secondary, bare",
        ),
        pytest.param(
            {"status": 403, "headers": {"Retry-After": "30"}, "body": {"message": "You have exceeded a secondary…"}},
            [30],
            id="secondary with Retry-After",
        ),
        pytest.param(
            {
                "status": 403,
                "headers": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1010", "X-RateLimit-Limit": "1000"},
                "body": {"message": "API rate limit exceeded for installation."},
            },
            [11],
            id="primary",
        ),
        pytest.param({"status": 502, "body": "<html>Bad gateway</html>"}, [1], id="502 in HTML"),
        pytest.param({"status": 503, "headers": {"Retry-After": "3"}, "body": None}, [3], id="503 with Retry-After"),
        pytest.param({"cut": 20}, [1], id="an answer cut off"),
        pytest.param({"drop": True}, [1], id="no answer"),
        pytest.param({"status": 200, "body": "<html>Please log in</html>"}, [1], id="a page of a proxy"),
        pytest.param({"status": 200, "body": "{", "headers": {}}, [1], id="JSON that does not end"),
    ],
)
def test_tries_again(github: fake.Hub, waiting: Waiting, fault: dict[str, Any], slept: list[float]) -> None:
    github.fault("GET", "/repo$", **fault)
    assert client(github, waiting).send(GET).get("full_name") == "octo/repo"
    assert (waiting.slept, len(github.seen)) == (slept, 2)


def test_tries_a_rate_limit_again_for_what_must_not_be_done_twice(github: fake.Hub, waiting: Waiting) -> None:
    github.fault("POST", "check-runs$", status=429, body={"message": "Slow down"})
    assert client(github, waiting).send(MAKE).status == 201
    assert len(github.state.check_runs) == 1


@pytest.mark.parametrize(
    "fault", [{"status": 502, "body": {"message": "Server Error"}}, {"drop": True}, {"cut": 20}], ids=str
)
def test_never_does_twice_what_may_have_been_done(github: fake.Hub, waiting: Waiting, fault: dict[str, Any]) -> None:
    github.fault("POST", "check-runs$", done=True, **fault)
    assert refusal(client(github, waiting), MAKE).why is Kind.UNSURE
    assert (len(github.seen), waiting.slept) == (1, [])


def test_gives_up_after_four_times(github: fake.Hub, waiting: Waiting) -> None:
    github.fault("GET", "/repo$", times=9, status=502, body={"message": "Server Error"})
    refused = refusal(client(github, waiting), GET)
    assert refused.message == "GitHub answered 502 to GET /repos/octo/repo: Server Error"
    assert (refused.why, len(github.seen), waiting.slept) == (Kind.UNSURE, 4, [1, 2, 4])


def test_waits_no_longer_than_it_may(github: fake.Hub, waiting: Waiting) -> None:
    github.fault("GET", "/repo$", status=403, headers={"Retry-After": "3600"}, body={"message": "secondary rate limit"})
    refused = refusal(client(github, waiting), GET)
    assert refused.message == (
        "GitHub answered 403 to GET /repos/octo/repo: secondary rate limit; it may be asked again in 3600 s, and the "
        "time for publishing (120 s) ends before that"
    )
    assert (refused.why, waiting.slept) == (Kind.RATE, [])


def test_the_time_is_that_of_all_requests_together(github: fake.Hub, waiting: Waiting) -> None:
    hub = client(github, waiting, budget=100)
    github.fault("GET", "/repo$", times=1, status=429, body=None)
    hub.send(GET)
    waiting.time += 3_600  # the oracles ran in between: that is not publishing
    with pytest.raises(Refused, match="the time for publishing") as caught:
        hub.send(GET, reserve=50)
    assert caught.value.why is Kind.TIME
    assert hub.send(GET).status == 200


def test_pauses_between_many_writes(github: fake.Hub, waiting: Waiting) -> None:
    hub = client(github, waiting)
    for _ in range(8):
        hub.send(MAKE)
        hub.send(GET)
    assert waiting.slept == [1, 1, 1]


def test_gives_up_an_answer_that_trickles(github: fake.Hub) -> None:
    github.fault("GET", "/repo$", drip=0.2)
    hub = Hub(Access(api=github.url, token="ghs_write"), budget=0.5)
    begun = time.monotonic()
    refused = refusal(hub, GET)
    assert time.monotonic() - begun < 3
    assert refused.message.startswith("GitHub did not answer GET /repos/octo/repo within 0 s; it may be asked again")


@pytest.mark.parametrize(
    ("token", "request_", "kind", "message"),
    [
        pytest.param(
            "ghs_read",
            MAKE,
            Kind.PERMISSION,
            "GitHub answered 403 to POST /repos/octo/repo/check-runs: Resource not accessible by integration",
            id="a token that only reads",
        ),
        pytest.param(
            "ghs_other", GET, Kind.TOKEN, "GitHub answered 401 to GET /repos/octo/repo: Bad credentials", id="no token"
        ),
        pytest.param(
            "ghs_write",
            Request(method="GET", path="/repos/octo/repo/pulls/9"),
            Kind.PERMISSION,
            "GitHub answered 404 to GET /repos/octo/repo/pulls/9: Not Found",
            id="nothing that this token can see",
        ),
    ],
)
def test_says_why(github: fake.Hub, waiting: Waiting, token: str, request_: Request, kind: Kind, message: str) -> None:
    refused = refusal(client(github, waiting, token), request_)
    assert (refused.why, refused.message, waiting.slept) == (kind, message, [])


def test_says_which_field_is_wrong(github: fake.Hub, waiting: Waiting) -> None:
    body = {
        "message": "Validation Failed",
        "errors": [{"resource": "CheckRun", "code": "invalid", "field": "annotations"}, "x"],
    }
    github.fault("POST", "check-runs$", status=422, body=body)
    refused = refusal(client(github, waiting), MAKE)
    expected = "GitHub answered 422 to POST /repos/octo/repo/check-runs: Validation Failed (annotations invalid, x)"
    assert (refused.why, refused.status, refused.message) == (Kind.INVALID, 422, expected)


def test_a_403_at_the_end_of_the_limit_may_still_be_a_permission(github: fake.Hub, waiting: Waiting) -> None:
    body = {"message": "Resource not accessible by integration"}
    github.fault("POST", "check-runs$", status=403, headers={"X-RateLimit-Remaining": "0"}, body=body)
    assert refusal(client(github, waiting), MAKE).why is Kind.PERMISSION


@pytest.mark.parametrize("status", [304, 307, 418])
def test_any_other_status_is_a_refusal(github: fake.Hub, waiting: Waiting, status: int) -> None:
    github.fault("GET", "/repo$", status=status, headers={"Location": "https://evil.example.org/"}, body=None)
    assert refusal(client(github, waiting), GET).why is Kind.INVALID


def test_a_redirect_to_another_host_is_not_followed(github: fake.Hub, waiting: Waiting) -> None:
    github.fault("GET", "/repo$", status=301, headers={"Location": "http://evil.example.org/"}, body=None)
    refused = refusal(client(github, waiting), GET)
    assert refused.why is Kind.CLIENT
    assert "redirected from host 127.0.0.1 to evil.example.org" in refused.message


def test_no_message_holds_the_token_or_acts(github: fake.Hub, waiting: Waiting) -> None:
    said = "ghs_write\n::error::x\x1b[2J ##[error]y" + "z" * 1000
    github.fault("GET", "/repo$", status=400, body={"message": said})
    refused = refusal(client(github, waiting), GET)
    assert refused.message.startswith(r"GitHub answered 400 to GET /repos/octo/repo: *** ::error::x\x1b[2J ##[error]yz")
    assert len(refused.message) < 400
    assert "ghs_secret" not in repr(Access(api="https://x", token="ghs_secret"))


def test_a_host_that_is_not_there(waiting: Waiting) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        api = f"http://127.0.0.1:{taken.getsockname()[1]}"
        refused = refusal(Hub(Access(api=api, token="ghs_0"), clock=waiting.clock), MAKE)
    assert refused.message == f"{api} cannot be reached: [Errno 111] Connection refused"
    assert (refused.why, waiting.slept) == (Kind.UNREACHABLE, [1, 2, 4])


@pytest.fixture(scope="session")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server whose certificate only its own file vouches for."""
    folder = tmp_path_factory.mktemp("tls")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    words = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout {key} -out {certificate}"
    subprocess.run(["openssl", *words.split()], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_answer, args=(server, context), daemon=True).start()
        yield f"https://127.0.0.1:{server.getsockname()[1]}", certificate


def _answer(server: socket.socket, context: ssl.SSLContext) -> None:
    while True:
        try:
            plain, _ = server.accept()
        except OSError:
            return
        try:
            with context.wrap_socket(plain, server_side=True) as connection:
                connection.recv(65_536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
        except OSError:
            plain.close()


def test_a_certificate_that_nobody_trusts(certified: tuple[str, Path], waiting: Waiting) -> None:
    api, _ = certified
    refused = refusal(Hub(Access(api=api, token="ghs_0"), clock=waiting.clock), GET)
    assert refused.why is Kind.UNREACHABLE
    assert refused.message.startswith(
        f"{api} has no certificate that is trusted here: [SSL: CERTIFICATE_VERIFY_FAILED]"
    )
    assert refused.message.endswith("; name a file of certificates with `--ca-bundle` or REQUESTS_CA_BUNDLE")


def test_a_certificate_that_a_file_vouches_for(certified: tuple[str, Path], waiting: Waiting) -> None:
    api, certificate = certified
    hub = Hub(Access(api=api, token="ghs_0", ca_bundle=str(certificate)), clock=waiting.clock)
    assert hub.send(GET) == Answer(status=200, body={})


def test_a_file_of_certificates_that_is_not_there(waiting: Waiting) -> None:
    hub = Hub(Access(api="https://127.0.0.1:9", token="ghs_0", ca_bundle="/no/such.pem"), clock=waiting.clock)
    refused = refusal(hub, GET)
    assert refused.why is Kind.CLIENT
    assert refused.message.startswith("GET /repos/octo/repo could not be sent: OSError: Could not find a suitable TLS")
    assert "/no/such.pem" in refused.message


def test_what_the_environment_says_of_enterprise() -> None:
    environ = {
        "GITHUB_API_URL": "https://github.example.org/api/v3/",
        "GATE_TOKEN": " ghs_1\n",
        "SSL_CERT_FILE": "/s.pem",
    }
    expected = Access(api="https://github.example.org/api/v3", token="ghs_1", ca_bundle="/s.pem")
    assert access(environ) == expected
    assert access(environ | {"REQUESTS_CA_BUNDLE": "/r.pem"}).ca_bundle == "/r.pem"
    assert access(environ | {"REQUESTS_CA_BUNDLE": "/r.pem"}, "/c.pem").ca_bundle == "/c.pem"
    assert access({"GATE_TOKEN": "x"}) == Access(api="https://api.github.com", token="x")
    assert address({"GITHUB_API_URL": ""}) == "https://api.github.com"


@pytest.mark.parametrize(
    ("environ", "kind", "message"),
    [
        ({}, Kind.TOKEN, "there is no token for GitHub's API"),
        ({"GATE_TOKEN": "  "}, Kind.TOKEN, "there is no token for GitHub's API"),
        ({"GATE_TOKEN": "a\nb"}, Kind.TOKEN, "the token for GitHub's API holds characters that no token has"),
        ({"GATE_TOKEN": "tokén"}, Kind.TOKEN, "the token for GitHub's API holds characters that no token has"),
        (
            {"GATE_TOKEN": "x", "GITHUB_API_URL": "http://github.example.org/api/v3"},
            Kind.CLIENT,
            "GITHUB_API_URL is 'http://github.example.org/api/v3', expected one with https: a token is sent there",
        ),
    ],
)
def test_what_the_environment_must_not_say(environ: dict[str, str], kind: Kind, message: str) -> None:
    with pytest.raises(Refused) as caught:
        access(environ)
    assert (caught.value.why, caught.value.message) == (kind, message)


def test_a_path_on_enterprise(waiting: Waiting) -> None:
    with fake.serve(fake.Hub(prefix="/api/v3")) as github:
        github.token("ghs_write", "checks")
        assert client(github, waiting).send(MAKE).status == 201
    assert github.violations == []


def test_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['github'] = None\n"
        "from gate.publishing.hub import *\nfrom gate.request import *\n"
        "try: Hub(Access(api='https://api.github.com', token='ghs_0')).send(Request(method='GET', path='/user'))\n"
        "except Refused as refused: print(refused.message)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout == "PyGithub is not installed: `pip install 'trajectory-gate[github]'` brings it along\n"
