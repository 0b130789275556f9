from gate.report import Evidence, Finding, Outcome, Severity, Verdict, Waived
from gate.reporters import excerpt


def test_clip_says_that_more_would_follow() -> None:
    assert excerpt.clip("abcdef", 6) == "abcdef"
    assert excerpt.clip("abcdefg", 6) == "abcde…"


def test_middle_keeps_head_and_tail_and_counts_the_rest() -> None:
    assert excerpt.middle("abcdef", 6) == "abcdef"
    assert excerpt.middle("abc" + "x" * 50 + "def", 6) == "abc\n… 50 characters left out …\ndef"


def test_observations_stand_at_their_place_with_their_details() -> None:
    seen: list[Finding | Evidence] = [
        Finding(message="was deleted", path="a.py", line=3, details="- x"),
        Evidence(message="still there"),
    ]
    assert excerpt.observations(seen, 1000) == "a.py:3: was deleted\n- x\nstill there"


def test_observations_count_what_does_not_fit() -> None:
    seen = [Finding(message="m" * 60) for _ in range(100)]
    told = excerpt.observations(seen, 300).split("\n")
    assert told == ["m" * 60] * 5 + ["… and 95 more"]


def test_account_is_the_reason_then_what_was_found() -> None:
    finding = Finding(message="found", path="a.py")
    broken = Verdict(oracle="o", name="o", outcome=Outcome.ERROR, reason="why", findings=(finding,))
    assert excerpt.account(broken, 1000) == "why\na.py: found"
    failed = Verdict(oracle="o", name="o", outcome=Outcome.FAIL, findings=(finding,))
    assert excerpt.account(failed, 1000) == "a.py: found"
    empty = Verdict(oracle="o", name="o", outcome=Outcome.ERROR, reason="why")
    assert excerpt.account(empty, 1000) == "why"


def test_asides_are_what_was_seen_and_what_is_waived() -> None:
    waived = Waived(finding=Finding(message="was deleted", path="a.py"), reason="old", until="2027-01-31")
    told = excerpt.asides([Evidence(message="all 3 tests ran")], [waived], 1000)
    assert told == "all 3 tests ran\na.py: waived: was deleted (old, until 2027-01-31)"


def test_notices_carry_their_severity() -> None:
    told = excerpt.notices([Finding(message="changed", severity=Severity.WARNING, path="gate.yaml", line=3)], 1000)
    assert told == "gate.yaml:3: warning: changed"
