"""Required recordings."""

from typing import Any

import pytest

from gate.entry import Origin
from gate.github import Event
from gate.history import Commit, History
from gate.plan import Planned
from gate.policy import Everyone, Policy, Whose
from gate.recorded import Recorded
from gate.report import Evidence, Finding, Outcome, Verdict
from gate.requirement import Demand, demand, verdict
from gate.trajectory import Trajectory

BOT = "devin-ai-integration[bot] <158243242+devin-ai-integration[bot]@users.noreply.github.com>"
PENDING = History(pending=True)
SHORT = History(problem="this clone is shallow")


def commit(*, author: str = "Ada <ada@x.org>", message: str = "s") -> Commit:
    return Commit(
        id="1234567890abcdef", parents=(), author=author, committer="GitHub <noreply@github.com>", message=message
    )


def history(*commits: Commit, problem: str = "") -> History:
    return History(commits=commits or (commit(),), problem=problem)


def labelled(*names: str) -> Event:
    return Event(name="pull_request", payload={"pull_request": {"labels": [{"name": name} for name in names]}})


def asked(wanted: Any, commits: History | None = None, event: Event | None = None, *, ci: bool = False) -> Demand:
    """What the policy asks, by default of one commit of Ada's."""
    return demand(Policy(require_recording=wanted), commits or history(), event, ci=ci)


class TestDemand:
    """Whether one is required of this change."""

    def test_of_nobody_where_the_policy_says_nothing(self) -> None:
        assert demand(Policy(), SHORT, None, ci=True) == Demand()

    def test_of_everybody(self) -> None:
        assert asked(Everyone.ALL, PENDING) == Demand(why="`require_recording: all`")

    @pytest.mark.parametrize(
        ("pattern", "author", "message", "person"),
        [
            pytest.param("ada@x.org", "Ada <ada@x.org>", "s", "Ada <ada@x.org>", id="an address"),
            pytest.param("ada", "Ada <ada@x.org>", "s", "Ada <ada@x.org>", id="a name, whatever its case"),
            pytest.param("Ada <*@x.org>", "Ada <ada@x.org>", "s", "Ada <ada@x.org>", id="both"),
            pytest.param("*[bot]", BOT, "s", BOT, id="brackets are part of a name"),
            pytest.param("*[bot]", "Robert <r@x>", "s", None, id="and no class of letters"),
            pytest.param("ada", "Adam <adam@x>", "s", None, id="a whole name"),
            pytest.param("noreply@github.com", "A <a@x>", "s", "GitHub <noreply@github.com>", id="the committer"),
            pytest.param(
                "claude*",
                "A <a@x>",
                "s\n\nCo-authored-by: Claude Opus <noreply@anthropic.com>",
                "Claude Opus <noreply@anthropic.com>",
                id="a co-author",
            ),
            pytest.param("?da", "Ada <ada@x.org>", "s", "Ada <ada@x.org>", id="one letter"),
        ],
    )
    def test_of_authors(self, pattern: str, author: str, message: str, person: str | None) -> None:
        why = f"`authors` of `require_recording` names {person}, who made the commit 1234567890ab" if person else ""
        assert asked(Whose(authors=["nobody", pattern]), history(commit(author=author, message=message))) == Demand(
            why=why
        )

    @pytest.mark.parametrize(
        ("entry", "message", "found"),
        [
            ("Agent", "s\n\nagent: x", "agent"),
            ("Agent", "s\n\nAgents: x", None),
            ("Agent: claude*", "s\n\nAgent: Claude Code", "Agent"),
            ("Agent: claude", "s\n\nAgent: Claude Code", None),
            ("Agent:", "s\n\nAgent: x", None),
            ("Entire-*", "s\n\nEntire-Checkpoint: x", "Entire-Checkpoint"),
            ("Agent", "Agent: x", None),
        ],
    )
    def test_of_trailers(self, entry: str, message: str, found: str | None) -> None:
        why = f"`trailers` of `require_recording` names {found}, and the commit 1234567890ab has it" if found else ""
        assert asked(Whose(trailers=[entry]), history(commit(message=message))) == Demand(why=why)

    @pytest.mark.parametrize(("pattern", "found"), [("ai", "AI"), ("a*", "AI"), ("agent", ""), ("[Aa]I", "")])
    def test_of_labels(self, pattern: str, found: str) -> None:
        why = f"`labels` of `require_recording` names {found}, a label of the pull request" if found else ""
        assert asked(Whose(labels=[pattern]), event=labelled("bug", "AI")) == Demand(why=why)

    def test_one_list_is_enough(self) -> None:
        wanted = Whose(authors=["nobody"], labels=["ai"])
        assert asked(wanted, SHORT, labelled("ai"), ci=True).why != ""
        assert asked(Whose(authors=["ada"], labels=["ai"]), history(problem="cut"), None, ci=True).why != ""

    @pytest.mark.parametrize("wanted", [Whose(authors=["nobody"]), Whose(trailers=["None"], labels=["x"])])
    def test_commits_that_are_missing_might_be_named(self, wanted: Whose) -> None:
        found = asked(wanted, history(problem="this clone is shallow"), labelled())
        assert found == Demand(problem="this clone is shallow")

    def test_missing_commits_do_not_matter_to_labels(self) -> None:
        assert asked(Whose(labels=["x"]), SHORT, labelled()) == Demand()

    def test_labels_that_nobody_tells(self) -> None:
        wanted = Whose(labels=["x"])
        assert asked(wanted, ci=True) == Demand(
            problem="no event tells the labels of the pull request (`GITHUB_EVENT_NAME`)"
        )
        assert asked(wanted) == Demand(open="only a pull request's event tells its labels")
        assert asked(wanted, event=Event(name="push", payload={}), ci=True) == Demand()

    @pytest.mark.parametrize("labels", ["ai", [5, {"name": None}, {}], None])
    def test_labels_of_an_odd_shape_are_not_taken_for_none(self, labels: object) -> None:
        event = Event(name="pull_request", payload={"pull_request": {"labels": labels}})
        assert asked(Whose(labels=["ai"]), event=event, ci=True) == Demand(
            problem="the event's payload does not tell the labels of the pull request"
        )

    def test_before_a_commit_nobody_knows_who_makes_it(self) -> None:
        assert asked(Whose(authors=["ada"]), PENDING) == Demand(
            open="nothing is committed yet, so that nobody knows authors and trailers"
        )
        assert asked(Whose(labels=["x"]), PENDING, labelled()) == Demand()


ALL = Demand(why="`require_recording: all`")
READ = Recorded(path="r.json", trajectory=Trajectory(format="f", steps=()))
BROKEN = Recorded(path="b.json", problem="b.json: no JSON", kind="json")


def planned(*recordings: Recorded, silence: str = "") -> Planned:
    return Planned(id="t", in_scope=True, scope="", recordings=recordings, silence=silence, path="gate.yaml", line=3)


def found(
    demand: Demand, task: Planned, named: str | Origin | None = "r/*.json", *, pending: bool = False
) -> Verdict | None:
    return verdict(demand, task, named, pending=pending)


class TestVerdict:
    """What that says of one task."""

    def test_nothing_where_none_is_required(self) -> None:
        assert found(Demand(), planned()) is None

    def test_a_recording_that_can_be_read_is_enough(self) -> None:
        result = found(ALL, planned(BROKEN, READ))
        assert result == Verdict(
            oracle="recording",
            name="recording",
            outcome=Outcome.PASS,
            evidence=(Evidence(message="There is a recording, r.json: `require_recording: all`."),),
        )

    def test_one_that_cannot_be_read_is_an_error(self) -> None:
        result = found(ALL, planned(BROKEN))
        assert result is not None
        assert (result.outcome, result.reason, result.kind) == (Outcome.ERROR, "b.json: no JSON", "json")

    @pytest.mark.parametrize(
        ("named", "remedy"),
        [
            ("r/*.json", "Add the agent's recording to the change, at r/*.json"),
            (None, "Name where its recordings lie with `trajectory` in the manifest"),
            (
                Origin(notes="agent"),
                "Add it with `git notes --ref=refs/notes/agent add -F FILE COMMIT` and push refs/notes/agent",
            ),
            (Origin(entire=None), "Commit with Entire enabled, so that the commit carries `Entire-Checkpoint`"),
        ],
    )
    def test_none_is_a_failure_with_the_words_to_fix_it(self, named: str | Origin | None, remedy: str) -> None:
        result = found(ALL, planned(silence="there is none"), named)
        assert result == Verdict(
            oracle="recording",
            name="recording",
            outcome=Outcome.FAIL,
            kind="missing_recording",
            findings=(
                Finding(
                    message="A recording is required and missing: `require_recording: all`; there is none. "
                    f"{remedy}, or give one with `gate run --recording FILE`.",
                    path="gate.yaml",
                    line=3,
                    kind="missing_recording",
                ),
            ),
        )

    @pytest.mark.parametrize("named", [Origin(notes="agent"), Origin(entire=None)])
    def test_what_belongs_to_a_commit_cannot_be_there_before_it(self, named: Origin) -> None:
        result = found(ALL, planned(silence="not committed yet"), named, pending=True)
        assert result is not None
        assert (result.outcome, result.reason) == (Outcome.SKIP, "not committed yet")

    def test_a_file_can(self) -> None:
        result = found(ALL, planned(silence="none"), "r/*.json", pending=True)
        assert result is not None
        assert result.outcome is Outcome.FAIL

    @pytest.mark.parametrize(
        ("demand", "outcome", "reason"),
        [
            (Demand(problem="why"), Outcome.ERROR, "whether a recording is required cannot be told: why"),
            (Demand(open="why"), Outcome.SKIP, "whether a recording is required cannot be told yet: why"),
        ],
    )
    def test_what_cannot_be_told_is_no_pass(self, demand: Demand, outcome: Outcome, reason: str) -> None:
        result = found(demand, planned())
        assert result is not None
        assert (result.outcome, result.reason, result.kind) == (outcome, reason, "requirement")

    def test_with_a_recording_it_does_not_matter_whether_one_is_required(self) -> None:
        for open_question in (Demand(problem="why"), Demand(open="why")):
            result = found(open_question, planned(READ))
            assert result is not None
            assert result.outcome is Outcome.PASS
