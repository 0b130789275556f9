"""Waivers: findings that the manifest's `allow` takes out of a verdict, with reason and day."""

import posixpath
from collections.abc import Sequence

from gate.policy import Allow
from gate.report import Finding, Severity, Waived
from gate.scope import Patterns


class Waivers:
    """The waivers of a manifest. One whose day is over counts no more, and `notices` says so."""

    def __init__(self, allow: Sequence[Allow]) -> None:
        self.notices: list[Finding] = []
        self._live: list[tuple[Allow, Patterns | None]] = []
        if not allow:
            return
        from datetime import UTC, date, datetime  # only waivers need it

        today = datetime.now(UTC).date()
        for waiver in allow:
            if waiver.until is not None and date.fromisoformat(waiver.until) < today:
                self.notices.append(
                    Finding(
                        severity=Severity.WARNING,
                        kind="waiver_over",
                        message=f"The waiver for {waiver.oracle} ({waiver.reason}) was good until {waiver.until} "
                        "and counts no more; take it out or renew it.",
                    )
                )
            else:
                self._live.append((waiver, Patterns([waiver.path]) if waiver.path else None))

    def apply(
        self, oracle: str, findings: Sequence[Finding], folder: str
    ) -> tuple[tuple[Finding, ...], tuple[Waived, ...]]:
        """Findings that count, and those that are waived. `folder` is the workspace's place in its tree."""
        counted: list[Finding] = []
        waived: list[Waived] = []
        for finding in findings:
            waiver = next((item for item, paths in self._live if _meets(item, paths, oracle, finding, folder)), None)
            if waiver is None:
                counted.append(finding)
                self._notice_misses(oracle, finding)
            else:
                waived.append(Waived(finding=finding, reason=waiver.reason, until=waiver.until or ""))
        return tuple(counted), tuple(waived)

    def _notice_misses(self, oracle: str, finding: Finding) -> None:
        """Tell of waivers that look as if they met a finding, and cannot: it is at no path."""
        for waiver, paths in self._live if finding.path is None else ():
            if paths is not None and waiver.oracle.replace("-", "_") == oracle:
                notice = Finding(
                    severity=Severity.WARNING,
                    kind="waiver_path",
                    message=f"The waiver for {waiver.oracle} at {waiver.path} ({waiver.reason}) meets findings at such "
                    f"a path alone, and this has none: {finding.message}; leave `path` out of it to waive that, too.",
                )
                self.notices += [notice] if notice not in self.notices else []


def _meets(waiver: Allow, paths: Patterns | None, oracle: str, finding: Finding, folder: str) -> bool:
    if waiver.oracle.replace("-", "_") != oracle:
        return False
    if paths is None:
        return True
    if finding.path is None:
        return False
    return paths.match(finding.path) or paths.match(posixpath.join(folder, finding.path))
