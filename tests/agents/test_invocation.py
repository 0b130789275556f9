"""Patches that command lines hand to apply_patch, and what else looks like it."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.agents.invocation import Invocation, invocations

PATCH = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n"
OPEN = PATCH.replace("+x", "+$x")
CHANGED = "the shell may have changed the text of its patch"
NOWHERE = "the folder that its patch starts from is not known"


@pytest.mark.parametrize(
    ("command", "found"),
    [
        pytest.param(["apply_patch", PATCH], Invocation(patch=PATCH, alone=True), id="two words"),
        pytest.param(["/opt/bin/applypatch", PATCH], Invocation(patch=PATCH, alone=True), id="the other name"),
        pytest.param(
            ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}EOF\n"], Invocation(patch=PATCH, alone=True), id="for bash"
        ),
        pytest.param(
            ["/bin/zsh", "-c", f"apply_patch <<'EOF'\n{PATCH}EOF"], Invocation(patch=PATCH, alone=True), id="for zsh"
        ),
        pytest.param(
            f"bash -lc {shlex.quote(f'''apply_patch <<'E'{chr(10)}{PATCH}E''')}",
            Invocation(patch=PATCH, alone=True),
            id="a shell in a text",
        ),
        pytest.param(f"apply_patch <<EOF\n{OPEN}EOF", Invocation(patch=OPEN, alone=True), id="alone, not expanded"),
        pytest.param(f"apply_patch <<-'EOF'\n\t{PATCH}\tEOF", Invocation(patch=PATCH, alone=True), id="indented"),
        pytest.param(
            f"cd a/b && apply_patch <<'EOF'\n{PATCH}EOF",
            Invocation(patch=PATCH, directory="a/b", alone=True),
            id="in a folder",
        ),
        pytest.param(
            f"set -e\ncd 'a b'; ls\napply_patch <<'EOF'\n{PATCH}EOF",
            Invocation(patch=PATCH, directory="a b"),
            id="in a script",
        ),
        pytest.param(f"apply_patch <<'EOF' && make\n{PATCH}EOF", Invocation(patch=PATCH), id="with what follows"),
        pytest.param(f"ls; apply_patch <<EOF\n{OPEN}EOF", Invocation(patch=OPEN, doubt=CHANGED), id="expanded"),
        pytest.param(f"ls; apply_patch <<EOF\n{PATCH}EOF", Invocation(patch=PATCH), id="with nothing to expand"),
        pytest.param(
            f"cd $HOME && apply_patch <<'EOF'\n{PATCH}EOF",
            Invocation(patch=PATCH, alone=True, doubt=NOWHERE),
            id="in a folder that is not known",
        ),
        pytest.param(f"cat <<'EOF' | apply_patch\n{PATCH}EOF", Invocation(patch=PATCH), id="piped"),
        pytest.param(f"apply_patch \"$(cat <<'EOF'\n{PATCH}EOF\n)\"", Invocation(patch=PATCH), id="substituted"),
        pytest.param(f"apply_patch '{PATCH}'", Invocation(patch=PATCH, alone=True), id="quoted"),
        pytest.param(f"apply_patch {shlex.quote(OPEN)}", Invocation(patch=OPEN, alone=True), id="quoted, not expanded"),
    ],
)
def test_found(command: str | list[str], found: Invocation) -> None:
    assert invocations(command) == (found,)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("ls", id="another command"),
        pytest.param([], id="no words"),
        pytest.param(["apply_patch"], id="no patch"),
        pytest.param(["git", "apply", PATCH], id="another program"),
        pytest.param(["python", "-c", PATCH], id="no shell"),
        pytest.param("apply_patch < fix.patch", id="a file"),
        pytest.param(f"cat > how.md <<'X'\napply_patch <<'EOF'\n{PATCH}EOF\nX", id="text in another heredoc"),
        pytest.param(f"echo 'apply_patch {PATCH}'", id="text that is printed"),
        pytest.param(PATCH, id="a patch alone"),
        pytest.param("apply_patch <<'EOF'\nnothing\nEOF", id="no marker"),
    ],
)
def test_not_found(command: str | list[str]) -> None:
    assert invocations(command) == ()


def test_several() -> None:
    text = f"cd a && apply_patch <<'EOF'\n{PATCH}EOF\ncd ../b\napply_patch <<'EOF'\n{PATCH}EOF\n"
    assert [(found.directory, found.alone) for found in invocations(text)] == [("a", False), ("b", False)]


@given(st.text(alphabet="apply_tch <EOF'\"\n-$(){};&|*Begin", max_size=60))
def test_any_text_is_read(text: str) -> None:
    assert all(isinstance(found, Invocation) for found in invocations(f"{text}\napply_patch <<'EOF'\n{PATCH}EOF"))
