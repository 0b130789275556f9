"""`skill_invocation`: which skills the agent used."""

from collections.abc import Iterator

from gate.grading.behaviour import Behaviour, whole
from gate.oracle import Trial
from gate.report import Evidence, Finding


class SkillInvocation(Behaviour, frozen=True):
    """The agent used every skill in `required` and none in `disallowed`; at least one of the two lists is needed.

    A skill was used where the agent called it (`Skill`, `skill`, `activate_skill`, `use_skill`), or read its
    `SKILL.md`, which is how agents without such a tool do it. Names are compared whole; `plugin:name` is also
    `name`.

    With `disallowed` alone it holds where nothing was done, so a baseline says nothing about it. Where a part of the
    recording could not be read, what is disallowed cannot be judged: *error*.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    required: tuple[str, ...] = ()
    disallowed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what asks for nothing."""
        super().__post_init__()
        if not (self.required or self.disallowed):
            raise ValueError("Expected `required` or `disallowed` with at least one skill")

    @property
    def holds_untouched(self) -> bool:
        """Whether it asks for an absence alone."""
        return not self.required

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Compare the names."""
        seen = self.seen(trial)
        skills, used = seen.skills, dict[str, int]()
        for skill in skills:
            for name in (skill.name, skill.name.rpartition(":")[2]):
                used.setdefault(name, skill.call)
        found = ", ".join(dict.fromkeys(skill.name for skill in skills)) or "none"
        missing = [name for name in self.required if name not in used]
        wrong = [name for name in self.disallowed if name in used]
        for name in missing:
            yield Finding(message=f"The skill {name} was not used; used: {found}", kind="skill_missing")
        for name in wrong:
            yield Finding(message=f"The skill {name} was used, in call {used[name]}", kind="skill_disallowed")
        if not (missing or wrong):
            if self.disallowed:
                whole(seen)
            yield Evidence(message=f"Skills used: {found}")
