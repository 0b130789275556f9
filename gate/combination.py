"""Oracles that hold other oracles: what they need, and how the inner ones are asked."""

from abc import ABC
from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from gate.answer import answer
from gate.derived import derived
from gate.oracle import Need, Oracle, Trial, names
from gate.report import Evidence, Finding, Outcome


class Inner(ABC):  # noqa: B024 - the type of a parameter; every oracle is one
    """An oracle that stands in another one."""


Inner.register(Oracle)  # type: ignore[type-abstract] # it is only asked whether something is one


class Combination(Oracle, frozen=True, kw_only=True):
    """An oracle that asks others. What it needs and depends on is what they do."""

    needs: ClassVar[frozenset[Need]] = derived(
        frozenset(), lambda oracle: frozenset().union(*(one.needs for one in oracle.inner))
    )
    reads_tree: ClassVar[bool] = derived(True, lambda oracle: any(one.reads_tree for one in oracle.inner))
    joins_recordings: ClassVar[bool] = derived(False, lambda oracle: any(one.joins_recordings for one in oracle.inner))
    deterministic: ClassVar[bool] = derived(True, lambda oracle: all(one.deterministic for one in oracle.inner))

    @property
    def inner(self) -> tuple[Oracle, ...]:
        """The oracles that it asks."""
        raise NotImplementedError

    @property
    def metrics_paths(self) -> tuple[str, ...]:
        """Where any of them looks for custom metrics."""
        return tuple(dict.fromkeys(path for oracle in self.inner for path in oracle.metrics_paths))


class Several(Combination, frozen=True, kw_only=True):
    """A combination of the oracles under `oracles`."""

    oracles: tuple[Inner, ...]

    @property
    def inner(self) -> tuple[Oracle, ...]:
        """The oracles that it asks."""
        return self.oracles  # type: ignore[return-value] # every oracle is an Inner, and nothing else is


class Opinion(msgspec.Struct, frozen=True, kw_only=True):
    """What an inner oracle says; `name` is how the combination calls it, `reason` why it could not judge."""

    name: str
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""
    kind: str = ""

    @property
    def message(self) -> str:
        """The first thing that it says."""
        seen: tuple[Any, ...] = self.findings if self.outcome is Outcome.FAIL else self.evidence
        return f"{self.name}: {self.reason or (seen[0].message if seen else self.outcome.value)}"

    def named(self) -> Iterator[Finding | Evidence]:
        """Everything that it saw, under its name."""
        for finding in self.findings:
            yield msgspec.structs.replace(finding, message=f"{self.name}: {finding.message}")
        for evidence in self.evidence:
            yield msgspec.structs.replace(evidence, message=f"{self.name}: {evidence.message}")


def ask(oracles: tuple[Oracle, ...], trial: Trial) -> tuple[Opinion, ...]:
    """What each of the oracles says; none of them stops another."""
    return tuple(_asked(name, oracle, trial) for name, oracle in names(oracles))


def _asked(name: str, oracle: Oracle, trial: Trial) -> Opinion:
    said = answer(oracle, trial, called="it")
    failed = any(finding.severity.reaches(trial.fail_level) for finding in said.findings)
    return Opinion(
        name=name,
        outcome=Outcome.FAIL if failed else Outcome.ERROR if said.reason else Outcome.PASS,
        findings=said.findings,
        evidence=said.evidence,
        reason="" if failed else said.reason,
        kind=said.kind,
    )
