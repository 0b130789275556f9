"""What can be read off a script without running it, and what cannot."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.agents.javascript import UNREAD, Call, tool_calls

PATCH = '*** Begin Patch\n*** Add File: a\n+"x" `y` ${z}\n*** End Patch'


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param(f"text(await tools.apply_patch({json.dumps(PATCH)}));", PATCH, id="double quotes"),
        pytest.param(
            r"await tools.apply_patch('it\'s\n\x41\u0042\u{43}\d')", "it's\nABCd", id="single quotes, escapes"
        ),
        pytest.param("tools.apply_patch('a\\\nb')", "ab", id="a line that goes on"),
        pytest.param("tools.apply_patch(`a\n\\`b\\${c}`)", "a\n`b${c}", id="a template"),
        pytest.param("tools.apply_patch(String.raw`a\\n`)", "a\\n", id="a raw template"),
        pytest.param("const p = 'a';\nawait tools.apply_patch(p);", "a", id="a name"),
        pytest.param("let p = `a`\ntools.apply_patch({input: p})", {"input": "a"}, id="a name in an object"),
        pytest.param("const input = 'a'; tools.apply_patch({input, n})", {"input": "a", "n": UNREAD}, id="shorthand"),
        pytest.param("tools.apply_patch('a\\n' + \"b\")", "a\nb", id="a sum"),
        pytest.param("tools.apply_patch(['a', 'b',].join('\\n'))", "a\nb", id="joined lines"),
        pytest.param("const l = ['a']; tools.apply_patch(l.join(','))", "a", id="a name for lines"),
        pytest.param("tools.apply_patch(`\na\n`.trim())", "a", id="trimmed"),
        pytest.param("tools.apply_patch('a'.concat('b', `c`))", "abc", id="put together by a method"),
        pytest.param("tools.apply_patch(('a'))", "a", id="in parentheses"),
        pytest.param("const t = tools.x; tools['apply_patch']('a')", "a", id="in brackets"),
        pytest.param("tools.apply_patch('\\u{110000}')", "\ufffd", id="no character"),
        pytest.param("tools.apply_patch('\\ud83d\\ude00')", "😀", id="a surrogate pair"),
        pytest.param("tools.apply_patch('a' /* why */ , 1) // so", "a", id="comments"),
        pytest.param("tools.apply_patch({'a-b': -1 || 2, c: null, d: [true, 0x10, 1.5, .5]})", None, id="numbers"),
    ],
)
def test_read(source: str, value: Any) -> None:
    if value is None:
        value = {"a-b": UNREAD, "c": None, "d": [True, 16, 1.5, 0.5]}
    assert tool_calls(source) == (Call("apply_patch", value),)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("const p = `a ${b}`; tools.apply_patch(p)", id="a value is put in"),
        pytest.param("let p = 'a'; p = other(); tools.apply_patch(p)", id="assigned again"),
        pytest.param("let p = 'a'; p += 'b'; tools.apply_patch(p)", id="extended"),
        pytest.param("const p = 'a'; { const p = 'b'; } tools.apply_patch(p)", id="declared twice"),
        pytest.param("tools.apply_patch(p); const p = 'a';", id="used before it is there"),
        pytest.param("tools.apply_patch(make())", id="what a function gives"),
        pytest.param("tools.apply_patch('a'.replace('a', 'b'))", id="a method that is not read"),
        pytest.param("tools.apply_patch(a ? 'b' : 'c')", id="a choice"),
        pytest.param("tools.apply_patch('a' + 1)", id="a sum with a number"),
        pytest.param("const a = a; tools.apply_patch(a)", id="a name for itself"),
        pytest.param("tools.apply_patch(...p)", id="spread"),
        pytest.param("tools.apply_patch('a'", id="cut off"),
        pytest.param("tools.apply_patch(", id="cut off before it"),
        pytest.param("tools.apply_patch({input: 'a'", id="an object cut off"),
        pytest.param("tools.apply_patch(['a' 1])", id="a list that is none"),
        pytest.param("tools.apply_patch({[a]: 1})", id="a key that is worked out"),
        pytest.param("tools.apply_patch('a'.concat(1))", id="put together with a number"),
        pytest.param("tools.apply_patch(['a'].join(1))", id="joined by a number"),
        pytest.param("tools.apply_patch([1].join(','))", id="numbers joined"),
        pytest.param("let i = 1; i++; tools.apply_patch(i)", id="counted up"),
        pytest.param("let i = 1; --i; tools.apply_patch(i)", id="counted down"),
        pytest.param("let p; tools.apply_patch(p)", id="declared without a value"),
        pytest.param(f"tools.apply_patch({'9' * 5000})", id="a number that is too long"),
        pytest.param("tools.apply_patch(String.raw(a))", id="raw without a template"),
        pytest.param("const {apply_patch} = tools; apply_patch('a')", id="taken out of the tools"),
        pytest.param("const t = tools; t.apply_patch('a')", id="another name for the tools"),
        pytest.param("tools['apply' + '_patch']('a')", id="a name that is put together"),
    ],
)
def test_unread(source: str) -> None:
    assert tool_calls(source) == (Call("apply_patch", UNREAD),)


def test_several_calls_in_the_order_of_the_text() -> None:
    source = (
        "const [a, b] = await Promise.all([tools.exec_command({cmd: 'ls', workdir: at}), tools.wait()]);\n"
        "// tools.apply_patch('no')\nconst s = \"tools.apply_patch('no')\"; my.tools.apply_patch('no');\n"
        "if (a) { await tools.apply_patch('yes'); }"
    )
    assert tool_calls(source) == (
        Call("exec_command", {"cmd": "ls", "workdir": UNREAD}),
        Call("wait", None),
        Call("apply_patch", "yes"),
    )


NAMED = "const a = 'x" + "y" * 100_000 + "';"

LONG = {
    "texts that double": "const a0 = 'x';"
    + "".join(f"const a{n + 1} = a{n} + a{n};" for n in range(50))
    + "tools.p(a45)",
    "a text again and again": f"{NAMED} tools.p([{'a,' * 2_000}])",
    "lines joined again and again": f"{NAMED} const b = [a]; tools.p([{'b.join(``),' * 2_000}])",
    "brackets": "tools.p(" + "[" * 50_000,
    "objects": "tools.p(" + "{a: " * 50_000,
    "calls in calls": "tools.p({a: x(), " * 2_000,
    "comments": "tools.p(" + "/*" * 100_000,
    "quotes": "tools.p(" + '\\"' * 100_000,
    "templates": "tools.p(" + "\\`" * 100_000,
    "signs": "tools.p(" + "(" * 300_000,
    "a text": f"tools.p('{'x' * 5_000_000}')",
}


@pytest.mark.parametrize("source", LONG.values(), ids=LONG)
def test_scripts_made_to_exhaust(source: str) -> None:
    assert {call.argument for call in tool_calls(source)} == {UNREAD}


def test_a_long_script_that_calls_nothing() -> None:
    assert tool_calls("x" * 5_000_000) == ()


@given(st.text(alphabet="tools.p(){}[]'\"`\\$+,:;=/* \nab0", max_size=80))
def test_any_text_is_read(source: str) -> None:
    assert all(call.name for call in tool_calls(f"tools.p({source})")[:1])


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 10**9) | st.text(), lambda inner: st.lists(inner, max_size=3)
)


@given(_JSON)
def test_json_is_read_as_itself(value: Any) -> None:
    assert tool_calls(f"tools.p({json.dumps(value)})") == (Call("p", value),)
