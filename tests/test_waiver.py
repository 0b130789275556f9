"""Waivers."""

from gate.policy import Allow
from gate.report import Finding
from gate.waiver import Waivers

OLD = Finding(message="File was modified: tests/test_old.py", path="tests/test_old.py")
NEW = Finding(message="File was modified: tests/test_new.py", path="tests/test_new.py")
NOWHERE = Finding(message="no place")


def _apply(waiver: Allow, *findings: Finding, folder: str = "") -> tuple[list[str], list[str]]:
    counted, waived = Waivers([waiver]).apply("file_not_modified", findings, folder)
    return [finding.message for finding in counted], [item.finding.message for item in waived]


def test_a_waiver_takes_out_what_it_names() -> None:
    waiver = Allow(oracle="file-not-modified", path="tests/test_old.py", reason="gone", until="2999-01-01")
    assert _apply(waiver, OLD, NEW, NOWHERE) == ([NEW.message, NOWHERE.message], [OLD.message])


def test_without_a_path_it_takes_out_all_of_the_oracle() -> None:
    assert _apply(Allow(oracle="file_not_modified", reason="gone"), OLD, NOWHERE) == (
        [],
        [OLD.message, NOWHERE.message],
    )


def test_it_counts_for_its_oracle_alone() -> None:
    assert _apply(Allow(oracle="no_network", reason="gone"), OLD) == ([OLD.message], [])


def test_a_pattern_meets_the_path_in_the_checkout_too() -> None:
    assert _apply(Allow(oracle="file_not_modified", path="pkg/tests/**", reason="x"), OLD, folder="pkg") == (
        [],
        [OLD.message],
    )


def test_a_waiver_with_a_path_that_misses_a_finding_without_one_says_so() -> None:
    waivers = Waivers([Allow(oracle="file-not-modified", path="**", reason="gone")])
    for _ in range(2):
        assert waivers.apply("file_not_modified", [NOWHERE], "") == ((NOWHERE,), ())
    assert waivers.apply("no_network", [NOWHERE], "") == ((NOWHERE,), ())
    assert [notice.message for notice in waivers.notices] == [
        "The waiver for file-not-modified at ** (gone) meets findings at such a path alone, and this has none: no place; "
        "leave `path` out of it to waive that, too."
    ]


def test_a_waiver_that_meets_or_misses_a_path_says_nothing() -> None:
    waivers = Waivers([Allow(oracle="file_not_modified", path="tests/test_old.py", reason="gone")])
    waivers.apply("file_not_modified", [OLD, NEW], "")
    everything = Waivers([Allow(oracle="file_not_modified", reason="gone")])
    everything.apply("file_not_modified", [OLD, NOWHERE], "")
    assert (waivers.notices, everything.notices) == ([], [])


def test_a_waiver_whose_day_is_over_counts_no_more_and_says_so() -> None:
    waivers = Waivers([Allow(oracle="file_not_modified", reason="gone", until="2020-02-29")])
    counted, waived = waivers.apply("file_not_modified", [OLD], "")
    assert (counted, waived) == ((OLD,), ())
    assert [notice.message for notice in waivers.notices] == [
        "The waiver for file_not_modified (gone) was good until 2020-02-29 and counts no more; take it out or renew it."
    ]
