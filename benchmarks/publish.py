"""How many requests it takes to publish 1,000 findings: `python benchmarks/publish.py`.

Counted by a fake GitHub on this machine, which holds every request against GitHub's own description. It takes as long
as with GitHub, pauses between writes included. Exit code 1 when there are more requests than the bound, or when one
annotation is missing. Needs the extras `github` and `dev`.
"""

import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from gate.publication import Publication, Wanted
from gate.report import Finding, Outcome, Report, TaskReport, Verdict
from gate.reporters import annotations
from tests.hub.fake import Hub, serve

FINDINGS = 1_000
BOUND = 25


def main() -> int:
    """Publish and count."""
    with serve(Hub()) as github:
        github.token("ghs_write", "checks", "issues", "pull-requests")
        environ = {
            "GITHUB_API_URL": github.url,
            "GITHUB_REPOSITORY": "octo/repo",
            "GITHUB_RUN_ID": "77",
            "GITHUB_SHA": "a" * 40,
            "GATE_TOKEN": "ghs_write",
        }
        report = _report()
        begun = time.monotonic()
        with Publication(Wanted(check_run=True), environ) as publication:
            published = publication.close(report, annotations.collect(report))
        took = time.monotonic() - begun
    count = len(github.seen)
    kinds = ", ".join(f"{number} {method}" for method, number in Counter(one.method for one in github.seen).items())
    print(f"{FINDINGS} findings: {count} requests ({kinds}), bound {BOUND}, {took:.0f} s")
    print(*github.violations, *published.told, sep="\n")
    return int(count > BOUND or len(published.carried) != FINDINGS or bool(github.violations))


def _report() -> Report:
    findings = tuple(
        Finding(message=f"finding {line}", path="src/page.py", line=line) for line in range(1, FINDINGS + 1)
    )
    verdict = Verdict(oracle="short", name="short", outcome=Outcome.FAIL, findings=findings)
    return Report(tasks=(TaskReport(id="pages", in_scope=True, scope="", verdicts=(verdict,)),))


if __name__ == "__main__":
    sys.exit(main())
