"""`custom_metrics`: values of a file that are as expected, that are not, and files that cannot be read."""

import json
from typing import Any

import msgspec
import pytest

from gate.errors import CannotJudge, PathRefused
from gate.oracles.custom_metrics import Assertion, CustomMetrics
from gate.tree import SYMLINK, MemoryTree
from tests.oracles.trials import evidence, findings, trial

VALUES = {"tests_failed": 0, "quality": 0.82, "built": True, "mode": "autopilot", "empty": None, "list": [1]}
TREE = {"custom_metrics.json": json.dumps(VALUES).encode(), "out/m.json": b'{"schema": "v1", "values": {"n": 3}}'}


def _asks(*assertions: dict[str, Any], path: str = "custom_metrics.json") -> CustomMetrics:
    return CustomMetrics(path=path, assertions=msgspec.convert(assertions, tuple[Assertion, ...]))


@pytest.mark.parametrize(
    ("assertion", "message"),
    [
        pytest.param({"metric": "tests_failed", "equals": 0}, "The metric tests_failed is 0", id="equal"),
        pytest.param({"metric": "tests_failed", "equals": 0.0}, "The metric tests_failed is 0", id="equal as a number"),
        pytest.param({"metric": "built", "equals": True}, "The metric built is true", id="true"),
        pytest.param({"metric": "mode", "equals": "autopilot"}, "The metric mode is 'autopilot'", id="text"),
        pytest.param({"metric": "quality", "min": 0.82}, "The metric quality is 0.82", id="at least"),
        pytest.param({"metric": "quality", "max": 0.82}, "The metric quality is 0.82", id="at most"),
        pytest.param({"metric": "quality", "min": 0.8, "max": 0.9}, "The metric quality is 0.82", id="within"),
        pytest.param({"metric": "gone", "absent": True}, "The metric gone is not there", id="absent"),
    ],
)
def test_what_passes(assertion: dict[str, Any], message: str) -> None:
    [shown] = evidence(_asks(assertion), trial(TREE))
    assert shown.message == message


@pytest.mark.parametrize(
    ("assertion", "message"),
    [
        pytest.param({"metric": "tests_failed", "equals": 1}, "The metric tests_failed is 0, expected 1", id="other"),
        pytest.param(
            {"metric": "tests_failed", "equals": False}, "The metric tests_failed is 0, expected false", id="0"
        ),
        pytest.param(
            {"metric": "tests_failed", "equals": "0"}, "The metric tests_failed is 0, expected '0'", id="text"
        ),
        pytest.param({"metric": "quality", "min": 0.9}, "The metric quality is 0.82, expected at least 0.9", id="low"),
        pytest.param({"metric": "quality", "max": 0.1}, "The metric quality is 0.82, expected at most 0.1", id="high"),
        pytest.param({"metric": "built", "min": 1}, "The metric built is true, expected a number", id="no number"),
        pytest.param({"metric": "empty", "max": 1}, "The metric empty is nothing, expected a number", id="null"),
        pytest.param({"metric": "list", "equals": 1}, "The metric list is a list of 1, expected 1", id="list"),
        pytest.param({"metric": "gone", "equals": 1}, "The metric gone is not there", id="missing"),
        pytest.param({"metric": "gone", "max": 1}, "The metric gone is not there", id="missing below a limit"),
        pytest.param({"metric": "mode", "absent": True}, "The metric mode is there: 'autopilot'", id="not absent"),
        pytest.param({"metric": "empty", "absent": True}, "The metric empty is there: nothing", id="null is there"),
    ],
)
def test_what_fails(assertion: dict[str, Any], message: str) -> None:
    [found] = findings(_asks(assertion), trial(TREE))
    assert (found.message, found.path, found.kind) == (message, "custom_metrics.json", "metric")


def test_every_assertion_is_told() -> None:
    asks = _asks(
        {"metric": "tests_failed", "equals": 1}, {"metric": "gone", "min": 1}, {"metric": "built", "equals": True}
    )
    assert [seen.message for seen in asks.judge(trial(TREE))] == [
        "The metric tests_failed is 0, expected 1",
        "The metric gone is not there",
        "The metric built is true",
    ]


def test_metrics_may_be_nested() -> None:
    asks = _asks({"metric": "n", "equals": 3}, {"metric": "schema", "absent": True}, path="out/m.json")
    assert len(evidence(asks, trial(TREE))) == 2
    assert asks.metrics_paths == ("out/m.json",)


@pytest.mark.parametrize(
    ("content", "message", "kind"),
    [
        pytest.param(None, "there is no file of metrics custom_metrics.json", "metrics_missing", id="missing"),
        pytest.param(
            b"[1]",
            "the file of metrics custom_metrics.json: expected an object, found a list of 1",
            "metrics",
            id="no object",
        ),
        pytest.param(
            b"{",
            "the file of metrics custom_metrics.json is no JSON: Input data was truncated",
            "metrics",
            id="no JSON",
        ),
        pytest.param(
            b'{"a": NaN}',
            "the file of metrics custom_metrics.json is no JSON: JSON is malformed: invalid character (byte 6)",
            "metrics",
            id="NaN",
        ),
    ],
)
def test_a_file_that_cannot_be_read(content: bytes | None, message: str, kind: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        findings(_asks({"metric": "a", "absent": True}), trial(TREE, {"custom_metrics.json": content}))
    assert (caught.value.message, caught.value.kind) == (message, kind)


def test_a_link_out_of_the_workspace_is_not_read() -> None:
    given = trial(MemoryTree({"custom_metrics.json": b"/etc/x"}, modes={"custom_metrics.json": SYMLINK}))
    with pytest.raises(PathRefused, match="leads out of the workspace"):
        findings(_asks({"metric": "a", "equals": 1}), given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param(
            {"metric": "a"},
            "Expected exactly one of `equals`, `min` with or without `max`, and `absent: true` - at `$[0]`",
            id="nothing",
        ),
        pytest.param(
            {"metric": "a", "equals": 1, "max": 2},
            "Expected exactly one of `equals`, `min` with or without `max`, and `absent: true` - at `$[0]`",
            id="two",
        ),
        pytest.param(
            {"metric": "a", "min": 2, "max": 1}, "Expected `min` to be at most `max` - at `$[0]`", id="crossed"
        ),
        pytest.param({"metric": "a", "is": 2}, "Object contains unknown field `is` - at `$[0]`", id="unknown"),
    ],
)
def test_an_assertion_that_says_nothing(given: dict[str, Any], message: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        _asks(given)
    assert str(caught.value) == message


@pytest.mark.parametrize("path", ["/tmp/m.json", "../m.json", "a/../../m.json"])
def test_a_path_that_leads_out_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="Expected `path` to stay inside the workspace: "):
        _asks({"metric": "a", "equals": 1}, path=path)


def test_whether_it_holds_untouched() -> None:
    absent = {"metric": "a", "absent": True}
    assert _asks(absent).holds_untouched
    assert not _asks(absent, {"metric": "b", "equals": 1}).holds_untouched
