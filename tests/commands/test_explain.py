"""`gate explain`."""

import json
import re
from pathlib import Path

import pytest

from gate import registry
from gate.catalogue import Catalogue
from gate.commands.explain import manual
from gate.oracle import Oracle
from tests.commands.repository import gate
from tests.conftest import ROOT


def test_a_manual(repo: Path) -> None:
    done = gate(repo, "explain", "assertion-exists")
    lines = done.stdout.splitlines()
    assert lines[:3] == ["assertion_exists", "", "  The pattern is still found in the file after the agent's edits."]
    assert "  path           text                     required" in lines
    assert "  pattern        regular expression       required" in lines
    assert lines[-1] == "Needs: nothing"


def test_what_an_oracle_needs(repo: Path) -> None:
    assert gate(repo, "explain", "no_network").stdout.splitlines()[-2:] == [
        "Needs: recording",
        "Asserts an absence: it holds on an untouched workspace too.",
    ]


def _parameters(kind: type[Oracle]) -> list[str]:
    lines = list(manual(kind))
    return lines[lines.index("Parameters") + 1 : lines.index("", lines.index("Parameters"))]


@pytest.mark.parametrize(
    ("oracle", "line"),
    [
        pytest.param("no_network", "  mode           actions | text           default actions", id="values"),
        pytest.param("no_network", "  control        none                     optional", id="one value"),
        pytest.param("explained", '  paths          list of text             default ["**"]', id="a list"),
        pytest.param(
            "prompt",
            "  evidence         list of trajectory | diff | golden_patch | repo default [trajectory]",
            id="a list of values",
        ),
        pytest.param("prompt", "  output_delivery  workspace                optional", id="a literal"),
        pytest.param("program", "  shell          true or false            default false", id="no"),
        pytest.param(
            "custom_metrics",
            "  assertions     list of {metric, equals, min, max, absent} required",
            id="a mapping's keys",
        ),
    ],
)
def test_a_parameter_says_what_may_be_written(oracle: str, line: str) -> None:
    kind = Catalogue().find(oracle)
    assert kind
    assert line in _parameters(kind)


@pytest.mark.parametrize("name", Catalogue().names)
def test_no_parameter_is_told_by_a_name_of_the_code(name: str) -> None:
    kind = Catalogue().find(name)
    assert kind
    shown = re.sub(r"\bJavaScript\b", "", "\n".join(_parameters(kind)))
    assert not re.search(r"[A-Z<>()']|None", shown), shown


def test_a_plugin_of_the_repository(repo: Path) -> None:
    assert "src/page.py has at most `limit` lines." in gate(repo, "explain", "short").stdout


def test_the_list(repo: Path) -> None:
    names = [line.split()[0] for line in gate(repo, "explain").stdout.splitlines()]
    assert names == sorted([*registry.builtin("gate.oracles"), "short"])


def test_an_unknown_one(repo: Path) -> None:
    done = gate(repo, "explain", "no_netwrk")
    assert (done.returncode, done.stderr) == (
        2,
        "gate: there is no oracle 'no_netwrk'; did you mean `no_network`?\n",
    )


def test_the_schema(repo: Path) -> None:
    assert json.loads(gate(repo, "explain", "--schema").stdout)["title"] == "trajectory-gate manifest"


def test_the_schema_of_reports_is_the_one_that_is_published(repo: Path) -> None:
    published = ROOT / "gate" / "schemas" / "report.v1.json"
    assert gate(repo, "explain", "--report-schema").stdout == published.read_text()
    assert json.loads(published.read_text())["$id"].endswith("/gate/schemas/report.v1.json")


def test_one_schema_at_a_time(repo: Path) -> None:
    done = gate(repo, "explain", "--schema", "--report-schema")
    assert (done.returncode, "not allowed with argument" in done.stderr) == (2, True)
