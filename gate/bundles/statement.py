"""The sealed envelope as an in-toto statement of test results, to be signed elsewhere."""

from typing import Any

from gate import escape
from gate.bundles.envelope import Envelope
from gate.bundles.seal import MANIFEST, PIN
from gate.report import Outcome

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"


def statement(envelope: Envelope) -> dict[str, Any]:
    """The statement: what the candidate lane brought is the subject, the bundle the configuration.

    `WARNED` says that every task passed, but no rate of them may be published, or one is flagged.
    """
    tasks = envelope.candidate.tasks
    flagged = envelope.contamination.flagged if envelope.contamination else ()
    passed = [task.id for task in tasks if task.passed and task.id not in flagged]
    warned = [task.id for task in tasks if task.passed and task.id in flagged]
    failed = [task.id for task in tasks if task.outcome in (Outcome.FAIL, Outcome.ERROR)]
    result = "FAILED" if len(passed) + len(warned) < len(tasks) else "PASSED"
    if result == "PASSED" and (warned or not envelope.publishable):
        result = "WARNED"
    hashes = ((MANIFEST, envelope.bundle.sha256), (PIN, envelope.environment.sha256))
    configuration = [_resource(f"{envelope.bundle.name}/{name}", sha256) for name, sha256 in hashes if sha256]
    return {
        "_type": STATEMENT,
        "subject": [
            {"name": task.subject.name, "digest": dict(task.subject.digest)}
            for task in tasks
            if task.subject is not None
        ],
        "predicateType": PREDICATE,
        "predicate": {
            "result": result,
            "configuration": configuration,
            "passedTests": passed,
            "warnedTests": warned,
            "failedTests": failed,
        },
    }


def render(envelope: Envelope) -> str:
    """The statement as JSON, with a new line at its end."""
    return escape.json_text(statement(envelope)) + "\n"


def _resource(name: str, sha256: str) -> dict[str, Any]:
    return {"name": name, "digest": {"sha256": sha256}}
