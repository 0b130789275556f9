"""Changes to what starts the gate."""

import pytest

from gate.integrity.callers import told
from gate.report import Finding, Severity
from gate.tree import MemoryTree

FLOW = ".github/workflows/gate.yml"
CALL = b"      - uses: trajectory-gate/trajectory-gate@v0.1.0\n"
HINT = "That counts at once, in the run for this change too: read it before you trust a verdict."


@pytest.mark.parametrize(
    ("before", "after", "calls"),
    [
        pytest.param(CALL, CALL + b"#", True, id="edited"),
        pytest.param(None, CALL, True, id="added"),
        pytest.param(CALL, b"run: true\n", True, id="no longer there"),
        pytest.param(CALL, None, True, id="deleted"),
        pytest.param(b"run: gate  run --diff all\n", b"", True, id="on the command line"),
        pytest.param(b"run: make\n", b"run: make all\n", False, id="another workflow"),
        pytest.param(b"run: navigate run\n", None, False, id="another word"),
        pytest.param(None, b"#" * (1024 * 1024 + 1), True, id="too large to tell"),
    ],
)
def test_what_starts_the_gate_is_a_warning(before: bytes | None, after: bytes | None, calls: bool) -> None:
    trees = [MemoryTree({} if data is None else {FLOW: data}) for data in (before, after)]
    does = "starts the gate" if calls else "may start what guards a merge"
    severity = Severity.WARNING if calls else Severity.NOTICE
    message = f"This change touches {FLOW}, which {does}. {HINT}"
    assert list(told([FLOW], *trees)) == [Finding(severity=severity, kind="judge_caller", path=FLOW, message=message)]
