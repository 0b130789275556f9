"""A line in the order in which a shell runs it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.cmdline.sequence import Group, Part, read


def _told(text: str) -> list[str]:
    line = read(text)
    found = []
    for chain in line.chains:
        for operator, pipeline in chain.pipelines:
            found.append(f"{operator} {' | '.join(map(_shown, pipeline))}".strip())
    return [*found, *([f"stopped: {line.stopped}"] if line.stopped else [])]


def _shown(part: Part | Group) -> str:
    if isinstance(part, Group):
        inner = "; ".join(
            f"{operator} {' | '.join(map(_shown, pipeline))}".strip()
            for chain in part.body
            for operator, pipeline in chain.pipelines
        )
        return f"({inner})" if part.parentheses else f"{{{inner}}}"
    document = [f"<<{part.document.body!r}"] if part.document else []
    return " ".join([*part.assignments, part.text, *document]).strip()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("# only a comment\n", [], id="a comment"),
        pytest.param("a b; c\nd", ["a b", "c", "d"], id="one after the other"),
        pytest.param("a && b || c", ["a", "&& b", "|| c"], id="and, or"),
        pytest.param("a &&\n\n b", ["a", "&& b"], id="a line that goes on"),
        pytest.param("a | b |& c", ["a | b | c"], id="a pipe"),
        pytest.param("A=1 B=2 c d=3", ["A B c d=3"], id="variables"),
        pytest.param("a >b 2>c 2>&1 <d &>e", ["a > b 2> c < d &> e"], id="redirections"),
        pytest.param(">f", ["> f"], id="a redirection alone"),
        pytest.param("cat <<'E' >f && b\nx\ny\nE\nc", ["cat > f <<'x\\ny\\n'", "&& b", "c"], id="a here-document"),
        pytest.param("cat <<-E | tee f\n\tx\n\tE", ["cat <<'x\\n' | tee f"], id="an indented one in a pipe"),
        pytest.param("cat <<< 'x y'", ["cat <<'x y\\n'"], id="a here-string"),
        pytest.param("(cd x && a); b", ["(cd x; && a)", "b"], id="a subshell"),
        pytest.param("{ a; b; } && c", ["{a; b}", "&& c"], id="braces"),
        pytest.param("echo } ) x", ["echo }", "stopped: it is no whole command line"], id="closed twice"),
        pytest.param("(a", ["stopped: it is no whole command line"], id="never closed"),
        pytest.param("a; for x in b c; do d; done", ["a", "stopped: it has a loop or a condition"], id="a loop"),
        pytest.param("a && if b; then c; fi", ["a", "stopped: it has a loop or a condition"], id="a condition"),
        pytest.param("[[ -f x ]] && rm x", ["stopped: it has a loop or a condition"], id="a test of bash"),
        pytest.param("! a", ["stopped: it has a loop or a condition"], id="a negation"),
        pytest.param("a & b", ["a", "stopped: it leaves something running in the background"], id="the background"),
        pytest.param("f() { a; }", ["stopped: it is no plain command"], id="a function"),
        pytest.param("(a) >f", ["stopped: the output of a group is redirected"], id="a group's output"),
        pytest.param("a > | b", ["stopped: it is no whole command line"], id="no target"),
        pytest.param("(" * 20 + "a" + ")" * 20, ["stopped: it is nested too deeply"], id="too deep"),
        pytest.param("a ;; b", ["a", "stopped: it is no plain command"], id="the end of a case"),
    ],
)
def test_reads(text: str, found: list[str]) -> None:
    assert _told(text) == found


@given(st.text(alphabet="ab $'\"\\;&|()<>{}\n#*-=~E", max_size=60))
def test_nothing_raises(text: str) -> None:
    read(text)
