"""What `gate oracle` prints, of hostile names and texts too; the ordinary is tested with the verb."""

from gate.golden import Control
from gate.report import Evidence, Outcome, Verdict
from gate.reporters import controls, outcomes
from gate.standing import Controlled, Proof, Standing

EVIL = "a\n::error::x\x1b[31m\udcff"


def proof(standing: Standing, message: str = EVIL) -> Proof:
    verdict = Verdict(oracle="file_exists", name=EVIL, outcome=Outcome.PASS, evidence=(Evidence(message=message),))
    return Proof(oracle="file_exists", name=EVIL, standing=standing, verdict=verdict)


def test_nothing_that_a_task_says_begins_a_line_or_colours_one() -> None:
    found = [
        Controlled(id=EVIL, control=Control.GOLDEN, proofs=(proof(Standing.FAILS),), warnings=(EVIL,)),
        Controlled(id="x", control=Control.BASELINE, problem=EVIL),
        Controlled(id="x", control=Control.BASELINE, omitted=EVIL, printed=b"::error::y\n"),
    ]
    text = controls.render(found, verbose=True)
    assert "\x1b" not in text
    assert not any(line.startswith("::") for line in text.splitlines())
    assert len(text.splitlines()) == 10
    assert text.encode()


def test_json_is_well_formed_whatever_is_in_it() -> None:
    found = [Controlled(id=EVIL, control=Control.BASELINE, proofs=(proof(Standing.TRIVIAL),), problem=EVIL)]
    lines = outcomes.jsonl(found, run="r", time="t").splitlines()
    assert len(lines) == 2
    assert '"stimulus":"a\\n::error::x\\u001b[31m?"' in lines[0]
