"""The tables of managers of packages and repositories."""

import pytest

from gate.cmdline.clients import CLIENTS
from gate.cmdline.managers import BARE, REPOSITORIES, VERBS, stays, valued


def test_a_program_stands_in_one_table() -> None:
    assert not CLIENTS.keys() & VERBS.keys()
    assert not CLIENTS.keys() & REPOSITORIES.keys()
    assert not VERBS.keys() & REPOSITORIES.keys()
    assert VERBS.keys() >= BARE


@pytest.mark.parametrize(
    ("name", "words", "stay"),
    [
        pytest.param("npm", ("ci", "--offline"), True, id="offline"),
        pytest.param("npm", ("--version",), True, id="its version"),
        pytest.param("helm", ("install", "--version", "1"), False, id="the version of another thing"),
        pytest.param("bundle", ("install", "--local"), True, id="bundle"),
        pytest.param("luarocks", ("install", "--local", "x"), False, id="another meaning"),
        pytest.param("npm", (), False, id="nothing is said"),
    ],
)
def test_options_with_which_it_stays(name: str, words: tuple[str, ...], stay: bool) -> None:
    assert stays(name, words) is stay


def test_options_that_take_a_value() -> None:
    assert "-o" in valued("apt-get").split()
    assert "-C" in valued("go").split()
