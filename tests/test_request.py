import pytest

from gate.request import Answer, Kind, Recorder, Refused, Request, advice, pages

LIST = Request(method="GET", path="/repos/octo/repo/issues/7/comments", query={"sort": "created"})
MAKE = Request(method="POST", path="/repos/octo/repo/check-runs", body={"name": "gate"})


class Endless:
    """A server that always has one page more."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    def send(self, request: Request, *, reserve: float = 0.0, within: float = 0.0) -> Answer:
        self.asked.append(request)
        return Answer(status=200, body=[len(self.asked)], more=True)


def test_a_list_without_end_is_left_after_a_hundred_pages() -> None:
    server = Endless()
    assert list(pages(server, LIST)) == list(range(1, 101))
    assert server.asked[1].query == {"sort": "created", "per_page": "100", "page": "2"}


def test_pages_are_asked_for_as_they_are_needed() -> None:
    server = Endless()
    found = pages(server, LIST)
    assert [next(found), next(found)] == [1, 2]
    assert len(server.asked) == 2


@pytest.mark.parametrize("body", [None, {}, {"items": None}, {"items": {}}, "text", 3], ids=str)
def test_an_answer_that_is_no_list_has_no_items(body: object) -> None:
    class Strange:
        def send(self, request: Request, *, reserve: float = 0.0, within: float = 0.0) -> Answer:
            return Answer(status=200, body=body)

    assert list(pages(Strange(), LIST)) == []
    assert list(pages(Strange(), LIST, key="items")) == []


def test_a_dry_run_keeps_everything_and_finds_nothing() -> None:
    recorder = Recorder()
    assert list(pages(recorder, LIST)) == []
    assert recorder.send(MAKE).get("id") == "{id}"
    assert [one.method for one in recorder.requests] == ["GET", "POST"]


def test_a_request_is_named_in_harmless_words() -> None:
    assert Request(method="GET", path="/repos/octo/repo\n::error::x").words == r"GET /repos/octo/repo\n::error::x"


@pytest.mark.parametrize(
    ("kind", "fork", "words"),
    [
        (
            Kind.PERMISSION,
            False,
            "grant the job `permissions: checks: write`; a pull request from a fork or by Dependabot has a token that "
            "only reads, whatever the workflow grants",
        ),
        (
            Kind.PERMISSION,
            True,
            "a pull request from a fork or by Dependabot has a token that only reads, whatever the workflow grants; "
            "elsewhere, grant the job `permissions: checks: write`",
        ),
        (Kind.TOKEN, False, "give the action's input `token`, or set GATE_TOKEN"),
        (Kind.RATE, True, ""),
    ],
)
def test_what_to_grant(kind: Kind, fork: bool, words: str) -> None:
    assert advice(Refused("no", kind=kind), permission="checks: write", fork=fork) == words
