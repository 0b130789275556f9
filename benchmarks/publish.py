"""How many requests it takes to publish 1,000 findings, as check run and comment: `python benchmarks/publish.py`.

Counted by a fake GitHub on this machine, which holds every request against GitHub's own description. It takes as long
as with GitHub, pauses between writes included. Exit code 1 when there are more requests than the bound, or when an
annotation or the comment is missing. Needs the extras `github` and `dev`.
"""

import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from gate.publishing.publication import Publication, Wanted
from gate.report import Finding, Outcome, Report, TaskReport, Verdict
from gate.reporters import annotations
from gate.reporters.comment import Mode
from tests.hub.fake import Hub, serve

FINDINGS = 1_000
BOUND = 25
_SHA = "a" * 40
_SIDE = {"sha": _SHA, "repo": {"full_name": "octo/repo"}}
_EVENT = {"number": 7, "pull_request": {"base": _SIDE, "head": _SIDE}}


def main() -> int:
    """Publish and count."""
    with serve(Hub()) as github, tempfile.NamedTemporaryFile("w", suffix=".json") as event:
        github.token("ghs_write", "checks", "issues", "pull-requests")
        github.state.pull(7, _SHA)
        json.dump(_EVENT, event)
        event.flush()
        environ = {
            "GITHUB_API_URL": github.url,
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": event.name,
            "GITHUB_REPOSITORY": "octo/repo",
            "GITHUB_RUN_ID": "77",
            "GITHUB_SHA": _SHA,
            "GATE_TOKEN": "ghs_write",
        }
        report = _report()
        begun = time.monotonic()
        with Publication(Wanted(check_run=True, comment=Mode.ALWAYS), environ) as publication:
            published = publication.close(report, annotations.collect(report))
        took = time.monotonic() - begun
    count = len(github.seen)
    kinds = ", ".join(f"{number} {method}" for method, number in Counter(one.method for one in github.seen).items())
    print(f"{FINDINGS} findings: {count} requests ({kinds}), bound {BOUND}, {took:.0f} s")
    print(*github.violations, *published.told, sep="\n")
    missing = len(published.carried) != FINDINGS or len(github.state.comments) != 1
    return int(count > BOUND or missing or bool(github.violations))


def _report() -> Report:
    findings = tuple(
        Finding(message=f"finding {line}", path="src/page.py", line=line) for line in range(1, FINDINGS + 1)
    )
    verdict = Verdict(oracle="short", name="short", outcome=Outcome.FAIL, findings=findings)
    return Report(tasks=(TaskReport(id="pages", in_scope=True, scope="", verdicts=(verdict,)),))


if __name__ == "__main__":
    sys.exit(main())
