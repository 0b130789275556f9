"""Views with a number before each line."""

import pytest

from gate.claims.numbered import numbered


@pytest.mark.parametrize(
    "view",
    [
        pytest.param("     9→def f():\n    10→    return 1\n    11→\n", id="Claude Code"),
        pytest.param("9: def f():\n10:     return 1\n11: \n", id="opencode"),
        pytest.param("[File: /w/a.py (20 lines total)]\n9:def f():\n10:    return 1\n11:\n", id="SWE-agent"),
        pytest.param(" 9 | def f():\n10 |     return 1\n11 |\n", id="Cline"),
        pytest.param(
            "Here's the result of running `cat -n` on a:\n     9\tdef f():\n    10\t    return 1\n    11\t\n",
            id="cat -n",
        ),
        pytest.param(
            "     9→def f():\r\n    10→    return 1\r\n    11→\r\n\n<note>\n12: more\n</note>", id="with a note behind"
        ),
    ],
)
def test_reads_a_view(view: str) -> None:
    shown = numbered(view)
    assert [one.number for one in shown] == [9, 10, 11]
    assert all(one.agrees(line) for one, line in zip(shown, ["def f():", "    return 1", ""], strict=True))
    assert not shown[1].agrees("    return 2")
    assert not shown[1].agrees("\treturn 1")


def test_what_does_not_follow_is_no_view() -> None:
    assert [one.number for one in numbered("3:a\n7:b\n")] == [3]
    assert numbered("nothing here\n") == ()


@pytest.mark.parametrize("shown", ["token = REDACTED", "caf\ufffd"])
def test_what_is_blacked_out_or_no_text_is_taken_to_be_the_same(shown: str) -> None:
    assert numbered(f"1→{shown}")[0].agrees("token = abc")


def test_the_beginning_of_a_long_line_is_enough() -> None:
    (one,) = numbered("1→" + "x" * 2000 + "... [truncated]")
    assert one.agrees("x" * 5000)
    assert not one.agrees("y" * 5000)
    assert not numbered("1→short")[0].agrees("short of it")
