"""Operands, options and their values."""

import pytest

from gate.cmdline.arguments import has, operands, value


@pytest.mark.parametrize(
    ("words", "valued", "found"),
    [
        pytest.param("-r a --force b", "", ["a", "b"], id="options are none"),
        pytest.param("-s 0 a --size 5 b --size=5 c", "-s --size", ["a", "b", "c"], id="nor are their values"),
        pytest.param("-r -- -a --b", "", ["-a", "--b"], id="all after two dashes are"),
        pytest.param("- a", "", ["-", "a"], id="a dash is"),
        pytest.param("-s", "-s", [], id="a value that is missing"),
    ],
)
def test_operands(words: str, valued: str, found: list[str]) -> None:
    assert operands(tuple(words.split()), valued) == found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param("a -t b c", "b", id="apart"),
        pytest.param("-tb", "b", id="together"),
        pytest.param("--target b", "b", id="long"),
        pytest.param("--target=b", "b", id="long with a sign"),
        pytest.param("a b", None, id="none"),
        pytest.param("-t", None, id="missing"),
        pytest.param("--targets=b", None, id="another"),
    ],
)
def test_values(words: str, found: str | None) -> None:
    assert value(tuple(words.split()), "-t", "--target") == found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param("-r", True, id="alone"),
        pytest.param("-fRv", True, id="in a cluster"),
        pytest.param("--recursive", True, id="long"),
        pytest.param("--recursive=yes", True, id="long with a value"),
        pytest.param("-f a r", False, id="no option"),
        pytest.param("--remove", False, id="letters of a long one"),
        pytest.param("-- -r", False, id="after two dashes"),
    ],
)
def test_options(words: str, found: bool) -> None:
    assert has(tuple(words.split()), "rR", "--recursive") is found
