"""Oracle types and their decoding."""

from pathlib import Path

import pytest

from gate import registry
from gate.catalogue import Catalogue
from gate.document import DocumentError, parse
from gate.errors import PluginError
from gate.oracle import Oracle, type_name
from tests.commands.repository import gate, write
from tests.conftest import Git
from tests.packages import MODULE, offering
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


def test_the_faults_of_all_oracles_are_told_at_once() -> None:
    document = parse(
        b"- {type: no_netwrk}\n- {type: diff_empty}\n- {type: not, oracle: {type: diff_empty, a: 1, b: 2}}\n- 5"
    )
    with pytest.raises(DocumentError) as caught:
        Catalogue().decode_all(document, document.value, ())
    assert caught.value.at("x").split("\n") == [
        "x:1: `[0].type`: there is no oracle 'no_netwrk'; did you mean `no_network`?",
        "x:3: `[2].oracle.a`: unknown key; known here: `control`, `name`",
        "x:3: `[2].oracle.b`: unknown key; known here: `control`, `name`",
        "x:4: `[3]`: expected a mapping with a `type`, found 5",
    ]


def test_oracles_that_are_written_alike_are_one_and_others_are_not() -> None:
    document = parse(
        b"[{type: no_network, allow: [a]}, {type: no_network, allow: [a]}, {type: no_network, allow: [b]}]"
    )
    one, same, other = Catalogue().decode_all(document, document.value, ())
    assert one is same
    assert one != other


def test_where_each_oracle_is_noted_none_stands_for_another() -> None:
    document = parse(b"[{type: no_network}, {type: no_network}]")
    catalogue = Catalogue()
    catalogue.noted = {}
    catalogue.decode_all(document, document.value, ())
    assert [noted.at for noted in catalogue.noted.values()] == [(0,), (1,)]


def test_a_mistake_is_told_at_each_place() -> None:
    document = parse(b"- {type: no_network, mode: x}\n- {type: no_network, mode: x}")
    with pytest.raises(DocumentError) as caught:
        Catalogue().decode_all(document, document.value, ())
    assert [line.partition(": ")[0] for line in caught.value.at("x").split("\n")] == ["x:1", "x:2"]


def _judged(root: Path, git: Git, waived: str, path: str, *types: str) -> str:
    """What `gate run` says where every task asks oracles of these types, with a waiver for one."""
    git("init", "-q")
    oracles = ", ".join(f"{{type: {name}}}" for name in types)
    manifest = f"version: 1\ntasks: [{{id: a, oracles: [{oracles}]}}]\nallow: [{{oracle: {waived}, reason: known}}]\n"
    write(root, {"gate.yaml": manifest, "src/page.py": "x"})
    git("add", "-A")
    done = gate(root, "run", "--diff", "all", "--judge", "head", PYTHONPATH=path)
    return f"{done.stdout}{done.stderr}"


@pytest.mark.parametrize(
    ("waived", "exit_line"),
    [
        pytest.param("tidy_up", "exit 0: nothing failed", id="the entry point's name"),
        pytest.param("tidy-up", "exit 0: nothing failed", id="spelled otherwise"),
        pytest.param("acme", "exit 1: at least one oracle failed", id="the module's name"),
    ],
)
@pytest.mark.parametrize("point", ["tidy_up", "tidy-up"])
def test_an_oracle_of_a_package_is_called_and_waived_by_its_entry_point(
    tmp_path: Path, git: Git, point: str, waived: str, exit_line: str
) -> None:
    path = offering(tmp_path / "site", f"{point} = acme:Tidy")
    assert exit_line in _judged(tmp_path / "repo", git, waived, path, "tidy-up").splitlines()


@pytest.mark.parametrize(
    ("points", "code", "message"),
    [
        pytest.param(
            ["tidy_up = acme:Tidy", "tidy_down = acme:Tidy"],
            MODULE,
            "the entry points of installed packages call one oracle 'tidy_up' and 'tidy_down': keep one",
            id="two names",
        ),
        pytest.param(
            ["tidy_up = gate.oracles.no_network:NoNetwork", "tidy_down = acme:Tidy"],
            MODULE,
            "the entry points of installed packages call one oracle 'no_network' and 'tidy_up': keep one",
            id="a built-in one",
        ),
        pytest.param(
            ["tidy_up = acme:Finding"],
            MODULE,
            "the oracle 'tidy_up' is none: expected a subclass of Oracle, found <class 'gate.report.Finding'>",
            id="no oracle",
        ),
        pytest.param(
            ["tidy_up = acme:Tidy"],
            "import nothing_like_it",
            "the oracle 'tidy_up' cannot be loaded: ModuleNotFoundError: No module named 'nothing_like_it'",
            id="broken",
        ),
    ],
)
def test_what_a_package_cannot_offer(tmp_path: Path, git: Git, points: list[str], code: str, message: str) -> None:
    path = offering(tmp_path / "site", *points, code=code)
    said = _judged(tmp_path / "repo", git, "no_network", path, "tidy_up", "tidy_down")
    assert message in said
    assert "exit 2: nothing was judged" in said


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
