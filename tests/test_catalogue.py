"""Oracle types and their decoding."""

import pytest

from gate import registry
from gate.catalogue import Catalogue
from gate.document import DocumentError, parse
from gate.errors import PluginError
from gate.oracle import Oracle, type_name
from tests.test_registry import PLUGIN


def _plugin(name: str) -> type[Oracle]:
    module = registry.from_source(f"gate_plugin.{name}", PLUGIN, label=f"{name}.py")
    return registry.defined(module, Oracle)  # type: ignore[type-abstract]


@pytest.mark.parametrize("spelling", ["assertion_exists", "assertion-exists"])
def test_both_spellings(spelling: str) -> None:
    document = parse(f"[{{type: {spelling}, path: a, pattern: b}}]".encode())
    (oracle,) = Catalogue().decode_all(document, document.value, ())
    assert type_name(oracle) == "assertion_exists"


def test_a_plugin_is_known_by_its_file() -> None:
    document = parse(b"[{type: never}]")
    (oracle,) = Catalogue([_plugin("never")]).decode_all(document, document.value, ())
    assert type_name(oracle) == "never"


def test_a_plugin_cannot_take_the_place_of_a_built_in_oracle() -> None:
    with pytest.raises(PluginError) as caught:
        Catalogue([_plugin("no_network")])
    assert (
        caught.value.message == "the plugin 'no_network' has the name of a built-in oracle; give its file another name"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "oracles: [{type: no_netwrk}]",
            "`oracles[0].type`: there is no oracle 'no_netwrk'; did you mean `no_network`?",
        ),
        ("oracles: [{path: a}]", "`oracles[0]`: expected a mapping with a `type`, found a mapping with `path`"),
        ("oracles: [5]", "`oracles[0]`: expected a mapping with a `type`, found 5"),
        ("oracles: []", "`oracles`: expected a list of oracles, found a list of 0"),
        ("oracles: [{type: assertion_exists, path: a}]", "`oracles[0]`: `pattern` is missing"),
        (
            "oracles: [{type: assertion_exists, path: a, pattern: b, flags: i}]",
            "`oracles[0].flags`: unknown key; known here: `control`, `name`, `path`, `pattern`",
        ),
        (
            "oracles: [{type: test_must_pass, command: a, timeout: soon}]",
            "`oracles[0].timeout`: expected a number of seconds above 0 (also `90s`, `2m`, `1h`), found 'soon'",
        ),
    ],
)
def test_a_fault_is_explained(text: str, message: str) -> None:
    document = parse(text.encode())
    with pytest.raises(DocumentError) as caught:
        Catalogue().decode_all(document, document.value["oracles"], ("oracles",))
    assert caught.value.message == message
