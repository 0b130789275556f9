"""What an oracle that holds others needs and depends on, and how one is written."""

import pytest

from gate.catalogue import Catalogue
from gate.document import DocumentError, parse
from gate.oracle import Need, Oracle
from gate.oracles.all_of import AllOf
from gate.oracles.any_of import AnyOf
from tests.oracles.inner import Fails, Holds, Stuck


def _all(*oracles: Oracle) -> AllOf:
    return AllOf(oracles=oracles)  # type: ignore[arg-type] # every oracle is an Inner


def test_it_needs_and_depends_on_what_the_inner_ones_do() -> None:
    plain, more = _all(Holds()), _all(Holds(), _all(Fails(), Stuck()))
    assert (plain.needs, plain.reads_tree, plain.deterministic) == (frozenset(), False, True)
    assert (more.needs, more.reads_tree, more.deterministic) == (frozenset({Need.COMMANDS}), True, False)
    assert (AllOf.needs, AllOf.deterministic, AllOf.joins_recordings) == (frozenset(), True, False)


def _decoded(text: str) -> Oracle:
    document = parse(text.encode())
    return Catalogue().decode(document, document.value, ("oracles", 0))


def test_oracles_stand_in_one_another() -> None:
    text = "{type: any-of, oracles: [{type: exit-success}, {type: not, oracle: {type: all_of, oracles: [{type: completed}]}}]}"
    oracle = _decoded(text)
    assert isinstance(oracle, AnyOf)
    assert [type(one).__name__ for one in oracle.inner] == ["ExitSuccess", "Not"]
    assert oracle.needs == {Need.RECORDING}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("{type: any_of}", "`oracles[0]`: `oracles` is missing", id="nothing in it"),
        pytest.param("{type: any_of, oracles: []}", "`oracles[0].oracles`: expected a list of oracles, found a list of 0", id="an empty list"),
        pytest.param(
            "{type: any_of, oracles: [{type: complete}]}",
            "`oracles[0].oracles[0].type`: there is no oracle 'complete'; did you mean `completed`?", id="an unknown one",
        ),
        pytest.param(
            "{type: not, oracle: {type: token_budget, max: -1}}",
            "`oracles[0].oracle.max`: expected a whole number >= 0, found -1", id="a wrong parameter inside",
        ),
        pytest.param("{type: not, oracle: [3]}", "`oracles[0].oracle`: expected a mapping with a `type`, found a list of 1", id="a list"),
    ],
)  # fmt: skip
def test_a_fault_inside_is_told_at_its_place(text: str, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        _decoded(text)
    assert str(caught.value) == message
