"""`skill_invocation`: skills that were used, and skills that were not."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.skill_invocation import SkillInvocation
from tests.oracles.talks import LOST, NOTHING, called, says, shell, talk

RUN = talk(called("Skill", {"skill": "office:pdf"}), shell("cat skills/review/SKILL.md"))


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(SkillInvocation(required=("review",)), RUN, "Skills used: office:pdf, review", id="its file was read"),
        pytest.param(SkillInvocation(required=("pdf",)), RUN, "Skills used: office:pdf, review", id="of a plugin"),
        pytest.param(SkillInvocation(required=("office:pdf",)), RUN, "Skills used: office:pdf, review", id="with the plugin"),
        pytest.param(SkillInvocation(disallowed=("deploy",)), RUN, "Skills used: office:pdf, review", id="not used"),
        pytest.param(SkillInvocation(disallowed=("pdf",)), NOTHING, "Skills used: none", id="nothing was done"),
    ],
)  # fmt: skip
def test_passes(oracle: SkillInvocation, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "trial", "messages"),
    [
        pytest.param(
            SkillInvocation(required=("pdf",)), NOTHING,
            ["error skill_missing: The skill pdf was not used; used: none"], id="nothing was done",
        ),
        pytest.param(
            SkillInvocation(required=("deploy",), disallowed=("review",)), RUN,
            [
                "error skill_missing: The skill deploy was not used; used: office:pdf, review",
                "error skill_disallowed: The skill review was used, in call 2",
            ],
            id="one missing, one too many",
        ),
    ],
)  # fmt: skip
def test_fails(oracle: SkillInvocation, trial: Trial, messages: list[str]) -> None:
    assert says(oracle, trial) == messages


def test_a_lost_part_may_be_a_use() -> None:
    with pytest.raises(CannotJudge, match="could not be read whole"):
        says(SkillInvocation(disallowed=("pdf",)), talk(dropped=(LOST,)))


def test_only_what_is_disallowed_holds_untouched() -> None:
    assert SkillInvocation(disallowed=("a",)).holds_untouched
    assert not SkillInvocation(required=("b",), disallowed=("a",)).holds_untouched


def test_asking_for_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^Expected `required` or `disallowed` with at least one skill$"):
        SkillInvocation()
