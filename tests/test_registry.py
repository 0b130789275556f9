"""Plugin folders and plugin files."""

import pytest

from gate import registry
from gate.errors import PluginError
from gate.oracle import Oracle

PLUGIN = b"""
from collections.abc import Iterator
from gate.oracle import Oracle, Trial
from gate.report import Finding

class Never(Oracle):
    '''Fails.'''
    def judge(self, trial: Trial) -> Iterator[Finding]:
        yield Finding(message="no")
"""


def test_what_lies_in_a_folder_is_built_in() -> None:
    assert {"assertion_exists", "file_not_modified", "no_network", "test_must_pass"} <= set(
        registry.builtin("gate.oracles")
    )


def test_a_plugin_is_made_of_the_bytes_of_its_file() -> None:
    module = registry.from_source("gate_plugin.never", PLUGIN, label="oracles/never.py")
    assert registry.defined(module, Oracle).__name__ == "Never"  # type: ignore[type-abstract]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (b"1 +", "oracles/x.py: the plugin cannot be loaded: SyntaxError: invalid syntax (x.py, line 1)"),
        (
            b"import nothing_like_it",
            "oracles/x.py: the plugin cannot be loaded: ModuleNotFoundError: No module named 'nothing_like_it'",
        ),
        (b"raise SystemExit(0)", "oracles/x.py: the plugin cannot be loaded: SystemExit: 0"),
    ],
)
def test_a_plugin_that_cannot_be_loaded(code: bytes, message: str) -> None:
    with pytest.raises(PluginError) as caught:
        registry.from_source("gate_plugin.x", code, label="oracles/x.py")
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("code", "found"), [(b"", "none"), (PLUGIN + PLUGIN.replace(b"Never", b"Other"), "Never, Other")]
)
def test_a_plugin_defines_one_oracle(code: bytes, found: str) -> None:
    module = registry.from_source("gate_plugin.y", code, label="y.py")
    with pytest.raises(PluginError) as caught:
        registry.defined(module, Oracle)  # type: ignore[type-abstract]
    assert caught.value.message == f"gate_plugin.y: expected one public subclass of Oracle, found {found}"
