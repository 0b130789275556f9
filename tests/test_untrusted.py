"""A million lines that somebody hostile may have written, through every surface that is printed, and none acts."""

import itertools
import json
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from gate import escape
from gate.report import Evidence, Finding, Outcome, Report, Severity, TaskReport, Verdict
from gate.reporters import annotations, code_quality, comment, console, json_report, junit, sarif, summary
from tests import reports, runner
from tests.hostile import BLANKS, PARTS

THREAD = comment.Thread(repository="octo/repo", number=7, sha="a" * 40)
NODE = Path(__file__).parent / "node"
CRAFTED = [
    *(f"{blank}::{name} a=b::x" for blank in BLANKS for name in runner.REGISTERED),
    *(f"x{blank}##[{name} a=b]x" for blank in BLANKS for name in runner.REGISTERED),
    *(f"##[{name.upper()}]" for name in runner.REGISTERED),
    "\x1b[0m::error::x",
    "%0A::error::x",
    "%250A::error::x",
    "a\r::add-mask::1",
    "#\u200b#[error]",
]


def hostile(count: int, seed: int) -> Iterator[str]:
    """Lines of crafted commands and of random pieces, the same for one seed."""
    chance = random.Random(seed)
    pieces = [*PARTS.split(), *BLANKS, *CRAFTED, "error", "::", "##[", "]", "\udcff", "\0"]
    for _ in range(count):
        yield chance.choice(CRAFTED) if chance.random() < 0.2 else "".join(chance.choices(pieces, k=3))


def run_of(texts: list[str], *, size: int = 50) -> Report:
    """A run that shows every one of the texts: names, messages, places and details."""
    whole = ["\n".join(texts[at : at + size]) for at in range(0, len(texts), size)]
    verdicts = tuple(
        Verdict(
            oracle="o",
            name=texts[number],
            outcome=Outcome.FAIL,
            findings=(Finding(message=texts[-number], path=texts[number], line=number + 1, details=details),),
            evidence=(Evidence(message=texts[number], details=details),),
        )
        for number, details in enumerate(whole)
    )
    task = TaskReport(id=texts[0], in_scope=True, scope=texts[1], verdicts=verdicts)
    notice = Finding(message=texts[2], severity=Severity.WARNING, path=texts[3], details=texts[4])
    return msgspec.structs.replace(reports.EMPTY, tasks=(task,), notices=(notice,), change=texts[5], repeat=texts[6])


def test_no_line_of_a_million_is_a_command() -> None:
    """All of them by what every printed surface ends with, a fifth of them as whole runs on the console."""
    live = 0
    for seed in range(20):
        texts = list(hostile(50_000, seed))
        live += len(runner.commands("\n".join(texts[:500])))
        assert runner.commands(escape.log_safe("\n".join(texts))) == []
        if seed % 5 == 0:
            shown = console.render(run_of(texts, size=500), verbose=True)
            assert runner.commands(shown) == []
            assert shown.count("\n") > 50_000  # all of it was shown
    assert live > 20  # raw, they would have acted


@pytest.mark.parametrize(
    "render",
    [
        pytest.param(lambda report: junit.render(report).decode(), id="junit"),
        pytest.param(json_report.render, id="json"),
        pytest.param(sarif.render, id="sarif"),
        pytest.param(code_quality.render, id="code quality"),
        pytest.param(summary.render, id="summary"),
        pytest.param(lambda report: comment.draft(report, THREAD).body, id="comment"),
        pytest.param(lambda report: console.render(report, colour=True, verbose=True), id="terminal"),
    ],
)
def test_no_line_of_a_report_that_is_printed_is_a_command(render: Callable[[Report], str]) -> None:
    assert runner.commands(render(run_of(list(hostile(10_000, 101))))) == []


def test_annotations_are_our_commands_and_no_other() -> None:
    report = run_of(list(hostile(50_000, 201)))
    expected = len(annotations.collect(report))
    found = runner.commands(annotations.render(report, budget=10**9))
    assert len(found) == expected > 1_000
    assert {command.name for command in found} == {"error", "warning"}


def test_commands_are_written_as_actions_core_writes_them() -> None:
    program = shutil.which("node")
    if program is None or not (NODE / "node_modules").is_dir():
        pytest.skip("needs node, and `npm ci` in tests/node")
    texts = [text for text in hostile(5_000, 301) if text.isprintable() or "\udcff" not in text]
    texts = [text.encode("utf-8", "replace").decode() for text in texts]
    cases = [("error", {"title": one or "t", "file": other or "f"}, one) for one, other in itertools.pairwise(texts)]
    done = subprocess.run(
        [program, "commands.mjs"], cwd=NODE, input=json.dumps(cases), capture_output=True, encoding="utf-8", check=True
    )
    ours = []
    for name, properties, message in cases:
        written = ",".join(f"{key}={escape.command_property(value)}" for key, value in properties.items())
        ours.append(f"::{name} {written}::{escape.command_data(message)}")
    theirs = [line.removesuffix("\n") for line in json.loads(done.stdout)]
    assert ours == theirs
