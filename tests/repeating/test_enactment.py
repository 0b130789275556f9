"""A line done again: what ran before a failure, what may never have run, and where."""

import pytest

from gate.editing.edit import Replace
from gate.editing.files import Files
from gate.places import Places
from gate.repeating.enactment import Enactment
from gate.repeating.site import Site
from gate.trajectory import Ok, Step
from gate.tree import MemoryTree
from tests.repeated import command, run

START = {"a": b"1\n", "d/b": b"2\n"}


def _files(text: str, **more: object) -> dict[str, bytes]:
    return run(command(text, **more), start=START).files  # type: ignore[arg-type] # of the step


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        pytest.param("cd d && echo x > b", {"d/b": b"x\n"}, id="cd"),
        pytest.param("cd /w/d; echo x > b; cd ..; echo y > a", {"d/b": b"x\n", "a": b"y\n"}, id="cd there and back"),
        pytest.param("(cd d && echo x > b); echo y > a", {"d/b": b"x\n", "a": b"y\n"}, id="a subshell"),
        pytest.param("{ cd d; echo x > b; }; echo y > c", {"d/b": b"x\n", "d/c": b"y\n"}, id="braces"),
        pytest.param("pytest && rm a", {"a": None}, id="after what succeeded"),
        pytest.param("rm a || rm d/b", {"a": None}, id="an alternative that was not needed"),
        pytest.param("rm a; exit 0; rm d/b", {"a": None}, id="an end"),
        pytest.param("sh -c 'cd d; rm b'; rm a", {"d/b": None, "a": None}, id="a shell of its own"),
        pytest.param("eval 'rm a'", {"a": None}, id="eval"),
        pytest.param("rm a && python x.py; rm d/b", {"a": None, "d/b": None}, id="what is not done stops nothing"),
        pytest.param("rm a\nfor x in d; do rm -r $x; done", {"a": None}, id="up to a loop"),
        pytest.param("sudo -u me nice rm a", {"a": None}, id="wrappers"),
    ],
)
def test_a_line_that_succeeded(text: str, changed: dict[str, bytes | None]) -> None:
    assert _files(text) == {path: data for path, data in {**START, **changed}.items() if data is not None}


@pytest.mark.parametrize(
    ("text", "changed", "said"),
    [
        pytest.param("rm a && pytest", {"a": None}, ["repeated: rm a"], id="before the part that failed"),
        pytest.param("rm a; pytest", {"a": None}, ["repeated: rm a"], id="another before it"),
        pytest.param("pytest && rm a", {}, ["not repeated: whether it ran is not known"], id="behind it"),
        pytest.param("rm a", {}, ["not repeated: the recording says that it failed"], id="alone"),
        pytest.param("cd d && rm b && pytest && rm ../a", {"d/b": None}, ["repeated: rm b", "not repeated: whether it ran is not known"], id="between"),
        pytest.param("pytest || rm a", {}, ["not repeated: whether it ran is not known"], id="an alternative"),
        pytest.param("pytest && (cd d; rm b)", {}, ["not repeated: whether it ran is not known"], id="a group behind it"),
        pytest.param("sh -c 'rm a; pytest'", {"a": None}, ["repeated: rm a"], id="in a shell of its own"),
        pytest.param("rm a; if x; then y; fi; rm d/b", {"a": None}, ["repeated: rm a", "not repeated: it has a loop or a condition"], id="before a condition"),
    ],
)  # fmt: skip
def test_a_line_that_failed(text: str, changed: dict[str, bytes | None], said: list[str]) -> None:
    ran = run(command(text, exit_code=1), start=START)
    assert ran.files == {path: data for path, data in {**START, **changed}.items() if data is not None}
    assert ran.said == [f"step 1: {line}" for line in said]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("ls; git status && grep -r x . | head; go test ./...", [], id="what only looks"),
        pytest.param("git add -A && git commit -m x && git push", [], id="what files do not feel"),
        pytest.param("cat a; sed -n 1,5p a; echo done", [], id="what only prints"),
        pytest.param("ls | (rm a)", ["not repeated: whether it ran is not known"], id="a group in a pipe"),
        pytest.param("python - <<'E'\nopen('a', 'w')\nE", ["not repeated: python is not a command that is repeated"], id="a script"),
        pytest.param("npm install x", ["not repeated: npm install is not a command that is repeated"], id="a verb in the reason"),
        pytest.param("eval \"$X\"", [], id="an unknown text"),
        pytest.param("bash -c \"rm $X\"", ["not repeated: only a shell would tell what it runs"], id="a text that a shell fills"),
        pytest.param("sh -c 'sh -c \"sh -c \\\"sh -c \\\\\\\"rm a\\\\\\\"\\\"\"'", ["repeated: rm a"], id="shells in shells"),
        pytest.param("apply_patch <<'E'\n*** Begin Patch\n*** Add File: n\n+x\n*** End Patch\nE", [], id="apply_patch"),
    ],
)  # fmt: skip
def test_what_is_said(text: str, said: list[str]) -> None:
    assert run(command(text), start=START).said == [f"step 1: {line}" for line in said]


def test_a_patch_that_is_an_edit_of_the_step_is_not_said() -> None:
    step = command("apply_patch <<'E' && cp a c\n*** Begin Patch\nE")
    edited = Step(
        number=1, tool="shell", ok=Ok.YES, commands=step.commands, edits=(Replace(path="a", old=b"1", new=b"2"),)
    )
    ran = run(edited, start=START)
    assert (ran.said, ran.files) == (["step 1: repeated: cp a c"], {**START, "a": b"2\n", "c": b"2\n"})


def test_a_long_command_is_cut() -> None:
    (said,) = run(f"echo {'x' * 200} > f").said
    assert said == f"step 1: repeated: echo {'x' * 95}…"


def test_control_characters_are_told_harmlessly() -> None:
    (said,) = run("rm 'a\x1b[31m'").said
    assert said == "step 1: not repeated: 'a\\x1b[31m' lies outside of the workspace"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("cat a; cat b", b"a\nb\n"),
        ("cat a && (cat b; echo c)", b"a\nb\nc\n"),
        ("bash -c 'cat a; cat b' | head -1", b"a\n"),
        ("cat a > c; cat c", b"a\n"),
        ("cat a > /dev/null; echo b", b"b\n"),
        ("bash -c 'cat a > c' | tee d; cat d", b""),
        ("cat missing", None),
        ("cat a; pytest", None),
        ("pytest || cat a", None),
        ("cat a; for x in 1 2; do echo $x; done", None),
        ("cat a; if true; then echo b; fi", None),
    ],
)
def test_what_a_line_prints(text: str, printed: bytes | None) -> None:
    files = Files(MemoryTree({"a": b"a\n", "b": b"b\n"}))
    with Site(interest=(), seconds=5.0) as site, site.at(files, Places("/w", ())):
        line = Enactment(site, "", failed=False, patched=False, said=(), tell=lambda _: None, listen=True)
        line.line(text)
    assert line.printed == printed
