"""metrics.json: what is frozen, with its defaults, and a sentence for every fault."""

import pytest

from gate.bundles.metrics import Metrics, is_program, read
from gate.errors import BundleError


def test_defaults() -> None:
    found = read(b"{}", "b")
    assert found == Metrics()
    assert (found.ngram_width, found.overlap_threshold, found.tests_timeout, found.budget) == (12, 0.05, 30.0, {})


def test_all_of_it() -> None:
    found = read(
        b'{"metrics": ["pass"], "ngram_width": 8, "overlap_threshold": 0.5, "budget": {"tokens": 2000},'
        b' "tests_timeout": "2m", "tools": ["git", "node"]}',
        "b",
    )
    assert (found.metrics, found.ngram_width, found.overlap_threshold) == (("pass",), 8, 0.5)
    assert (found.budget, found.tests_timeout, found.tools) == ({"tokens": 2000.0}, 120.0, ("git", "node"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"ngram_width": 0}', "b/metrics.json: `ngram_width`: expected 1 to 100 words, found 0"),
        ('{"ngram_width": "x"}', "b/metrics.json:1: `ngram_width`: expected a whole number, found 'x'"),
        (
            '{"overlap_threshold": 2}',
            "b/metrics.json: `overlap_threshold`: expected more than 0 and at most 1, found 2.0",
        ),
        ('{"budget": {"tokens": 0}}', "b/metrics.json: `budget.tokens`: expected a number above 0, found 0"),
        (
            '{"metrics": ["taste"]}',
            "b/metrics.json: `metrics`: 'taste' is not measured; expected some of pass, failed_checks, "
            "wall_clock_seconds",
        ),
        ('{"tools": ["./x"]}', "b/metrics.json: `tools`: expected names of programs, found './x'"),
        (
            '{"tests_timeout": -1}',
            "b/metrics.json:1: `tests_timeout`: expected a number of seconds above 0 (also `90s`, `2m`, `1h`), found -1",
        ),
        (
            '{"ngram": 1}',
            "b/metrics.json:1: `ngram`: unknown key; did you mean `ngram_width`?",
        ),
        ("[]", "b/metrics.json:1: expected a mapping, found a list of 0"),
    ],
)
def test_faults(text: str, message: str) -> None:
    with pytest.raises(BundleError) as caught:
        read(text.encode(), "b")
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("name", "is_one"), [("git", True), ("g++", True), ("-rf", False), ("a/b", False), ("", False)]
)
def test_programs(name: str, is_one: bool) -> None:
    assert is_program(name) is is_one
