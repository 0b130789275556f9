"""Patterns of users, bounded; and what a trial gives when there is nothing to give."""

import contextlib
import re
import resource
from collections.abc import Iterator

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import CannotJudge
from gate.oracle import Call, Need, Oracle, Pattern, Ran, Trial
from gate.process import Completed
from gate.report import Evidence, Finding
from gate.trajectory import Trajectory
from gate.tree import MemoryTree


@pytest.mark.parametrize(
    ("pattern", "text", "span"),
    [
        pytest.param(r"^\s*def \w+\(", "x\n  def f():\n", (2, 10), id="T06 every line has a start"),
        pytest.param(r"x$", "x\ny", (0, 1), id="every line has an end"),
        pytest.param(r"a.c", "a\nc", None, id="a dot is no newline"),
        pytest.param(r"(?i)ABC", "xabc", (1, 4), id="flag"),
        pytest.param(r"(?s)a.c", "a\nc", (0, 3), id="another flag"),
        pytest.param(r"(?<=a)b", "ab", (1, 2), id="I03 look-behind"),
        pytest.param(r"(a|b)\1", "abb", (1, 3), id="I03 back-reference"),
        pytest.param(r"(?P<q>['\"]).*(?P=q)", "x = 'y'", (4, 7), id="named group"),
        pytest.param("a\0b", "a\0b", (0, 3), id="I05 NUL"),
        pytest.param("\udcff", "a\udcff", (1, 2), id="I05 a byte that is not UTF-8"),
        pytest.param(r"f{e}", "f{e}", (0, 4), id="braces are braces"),
        pytest.param(r"f{e}", "fx", None, id="braces are no fuzzy match"),
        pytest.param(r"(?:hello){e<=5}", "hallo", None, id="nor with a bound"),
        pytest.param(r"[{]x}{1,2}\{", "{x}}{", (0, 5), id="braces in a set and escaped"),
        pytest.param(r"a{,2}b", "aab", (0, 3), id="no lower bound"),
        pytest.param(r"[[]a", "[a", (0, 2), id="a bracket in a set"),
        pytest.param(r"[(?R)]\(?R", "(R", (0, 2), id="signs of a recursion that are none"),
        pytest.param(r"(?-i:a)(b)?(?(1)c|d)", "abc", (0, 3), id="flags of a group, and a choice"),
        pytest.param(r"[]{x}]+", "]{}", (0, 3), id="a set that begins with its end"),
        pytest.param(r"\N{DIGIT ONE}", "1", (0, 1), id="a character's name"),
        pytest.param(r"(a+)+$", "a" * 40 + "!", None, id="I01"),
        pytest.param(r"(?:a{0,60000}){0,60000}", "b", (0, 0), id="I04 upper bounds only"),
    ],
)
def test_a_pattern_is_searched_for_as_python_would(pattern: str, text: str, span: tuple[int, int] | None) -> None:
    found = Pattern(pattern).search(text)
    assert (found.span() if found else None) == span


@pytest.mark.parametrize(
    ("pattern", "text", "message", "kind"),
    [
        pytest.param("[", "", "the pattern '[' is not valid: unterminated character set at position 1", "regex_syntax", id="set"),
        pytest.param("(", "", "the pattern '(' is not valid: missing ) at position 1", "regex_syntax", id="group"),
        pytest.param("*a", "", "the pattern '*a' is not valid: nothing to repeat at position 0", "regex_syntax", id="star"),
        pytest.param("a\\", "", "the pattern 'a\\\\' is not valid: bad escape (end of pattern) at position 2", "regex_syntax", id="end"),
        pytest.param("(x+x+)+y", "x" * 5000, "the pattern '(x+x+)+y' took longer than 0.2 s on this text", "regex_limit", id="I01"),
        pytest.param(r"\s+$", " " * 60_000 + "x", r"the pattern '\\s+$' took longer than 0.2 s on this text", "regex_limit", id="I02"),
        pytest.param("a(?R)?b", "ab", "the pattern 'a(?R)?b' is not valid: `(?R)` calls a group, which is not taken", "regex_syntax", id="recursion"),
        pytest.param("(a)(?1)", "aa", "the pattern '(a)(?1)' is not valid: `(?1)` calls a group, which is not taken", "regex_syntax", id="a group by its number"),
        pytest.param("(?P<n>a)(?&n)", "aa", "the pattern '(?P<n>a)(?&n)' is not valid: `(?&n)` calls a group, which is not taken", "regex_syntax", id="a group by its name"),
        pytest.param("a" * 100_000, "", "the pattern has 100000 characters, at most 20000 are searched", "regex_size", id="I04 long"),
        pytest.param("(" * 5000 + ")" * 5000, "", f"the pattern '{'(' * 59}… is too large to compile", "regex_size", id="I04 deep"),
        pytest.param("(?:(?:(?:(?:a?){99}){99}){99}){99}", "", "the pattern '(?:(?:(?:(?:a?){99}){99}){99}){99}'… is too large to compile", "regex_size", id="I04 nested"),
        pytest.param("(?:a{60000,}){60000,}", "", "the pattern '(?:a{60000,}){60000,}'… is too large to compile", "regex_size", id="I04 lower bounds"),
        pytest.param("a{99999999999}", "", "the pattern 'a{99999999999}'… is too large to compile", "regex_size", id="I04 number"),
    ],
)  # fmt: skip
def test_a_bad_pattern_cannot_be_judged(pattern: str, text: str, message: str, kind: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        Pattern(pattern).search(text, seconds=0.2)
    assert (caught.value.message, caught.value.kind) == (message, kind)


def test_a_pattern_that_is_just_small_enough_takes_little_memory() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert Pattern("(?:(?:a|b?){100}){150}c").search("") is None
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150 * 1024


@given(st.text(st.sampled_from("ab{}12,[]()|*+?^$\\.-"), max_size=12), st.text("ab{}12,", max_size=8))
def test_where_python_finds_a_match_the_pattern_finds_one(pattern: str, text: str) -> None:
    try:
        expected = re.search(pattern, text, re.MULTILINE)
    except (re.error, FutureWarning, DeprecationWarning, OverflowError):
        return
    with contextlib.suppress(CannotJudge):  # a few signs that Python takes literally, as in `a{,}`
        assert bool(Pattern(pattern).search(text)) == bool(expected)


@given(
    st.text(st.sampled_from("ab ^_-/'\"<>#&~\\().[]{}+*?$|\n"), max_size=10),
    st.text(st.sampled_from("ab _-/'\"<>#&~\\().[]{}+*?$|\n"), max_size=12),
)
def test_a_plain_text_is_found_where_the_timed_engine_finds_it(pattern: str, text: str) -> None:
    try:
        expected = regex.search(pattern, text, regex.MULTILINE)
    except regex.error:
        return
    if "{" not in pattern.replace("\\{", ""):  # those are Python's, and not the engine's
        found = Pattern(pattern).search(text)
        assert (found and found.span()) == (expected and expected.span())


@pytest.mark.parametrize("sign", [*"!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~"])
def test_an_escaped_sign_is_itself(sign: str) -> None:
    for pattern in (f"\\{sign}", f"a\\{sign}b", f"^\\{sign}"):
        text = f"x\n{sign}a{sign}b"
        expected = regex.search(pattern, text, regex.MULTILINE)
        assert expected is not None
        assert Pattern(pattern).search(text).span() == expected.span()


class Asks(Oracle, frozen=True):
    """It asks for everything."""

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        yield Evidence(message=f"{trial.recorded} {trial.before is trial.after}")


def test_a_trial_without_a_recording_or_commands_says_so() -> None:
    trial = Trial(before=MemoryTree({}), after=MemoryTree({}), replayed=False)
    assert not trial.recorded
    with pytest.raises(CannotJudge, match="there is no recording of this task"):
        trial.trajectory  # noqa: B018
    with pytest.raises(CannotJudge, match="this run starts no commands") as caught:
        trial.run("true")
    assert caught.value.kind == "no_commands"
    assert [seen.message for seen in Asks().judge(trial)] == ["False False"]


def test_a_trial_runs_commands_with_its_own_limit_or_the_one_asked_for() -> None:
    asked: list[tuple[object, float]] = []

    def runner(call: Call) -> Ran:
        asked.append((call.command, call.timeout))
        return Ran(Completed(command=str(call.command), exit_code=0))

    trial = Trial(
        before=MemoryTree({}),
        after=MemoryTree({}),
        replayed=True,
        trajectory=Trajectory(format="test", steps=()),
        runner=runner,
        timeout=7.0,
    )
    assert trial.recorded
    assert trial.trajectory.format == "test"
    trial.run("a")
    trial.run("b", timeout=0.5)
    assert asked == [("a", 7.0), ("b", 0.5)]


def test_an_oracle_needs_nothing_unless_it_says_so() -> None:
    assert (Asks.needs, Asks.asserts_absence, Asks.reads_tree) == (frozenset[Need](), False, True)


def test_the_diff_of_a_trial_is_that_of_its_trees() -> None:
    before = MemoryTree({".gitignore": b"*.log\n", "a.log": b"x\n"})
    after = MemoryTree({".gitignore": b"*.log\n", "a.log": b"y\n"})
    assert Trial(before=before, after=after, replayed=False).diff == b""
    assert Trial(before=before, after=after, replayed=True, committed=True).diff.endswith(b"@@ -1 +1 @@\n-x\n+y\n")
