"""The links that commands make."""

import pytest

from gate.cmdline.links import links
from gate.cmdline.shell import commands


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("ln -s a b", [("b", "a"), ("b/a", "a")], id="a link, or one in a folder"),
        pytest.param("ln a b", [("b", "a"), ("b/a", "a")], id="a hard link"),
        pytest.param("ln -sf ../x/a", [(".", "../x/a"), ("./a", "../x/a")], id="a link here"),
        pytest.param("ln -s -t d a b", [("d", "a"), ("d/a", "a"), ("d", "b"), ("d/b", "b")], id="several in a folder"),
        pytest.param("f=a; ln -s $f b", [("b", "a"), ("b/a", "a")], id="of a variable"),
        pytest.param("cp -l a b; cp -rs c d", [("b", "a"), ("b/a", "a"), ("d", "c"), ("d/c", "c")], id="cp that links"),
        pytest.param("busybox ln -s a b", [("b", "a"), ("b/a", "a")], id="wrapped"),
        pytest.param("cmd /c mklink /D b a", [("b", "a")], id="mklink"),
        pytest.param("New-Item -ItemType SymbolicLink -Path b -Target a", [("b", "a")], id="PowerShell"),
        pytest.param("cp a b; cp -r c d; mv e f; New-Item -ItemType File -Path b; ls", [], id="no links"),
    ],
)  # fmt: skip
def test_the_links_of_a_command(text: str, found: list[tuple[str, str]]) -> None:
    assert [tuple(link) for simple in commands(text) for link in links(simple)] == found
