"""aider's chat history: what was applied, as aider itself says."""

from pathlib import Path

import pytest

from gate.errors import RecordingError
from gate.recording import Recording, Sample
from gate.recordings.aider import Aider
from gate.replay import replay
from gate.trajectory import Command, Ok, Step
from gate.tree import MemoryTree
from tests.recordings.recorded import rebuilt, told, whole

READER = Aider()
START = "\n# aider chat started at 2025-01-02 03:04:05\n\n> Aider v0.86.1  \n> Main model: gpt-4o with {} edit format, x  \n\n"
DIFF = START.format("diff")


def block(old: str, new: str, path: str = "a.py") -> str:
    return f"{path}\n```python\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n```\n"


def missed(*old: str, others: int = 0) -> str:
    """What a newer version says of blocks that did not match."""
    said = "> The LLM did not conform to the edit format.  \n> https://aider.chat/docs/troubleshooting/edit-errors.html  \n"
    said += f"> # {len(old)} SEARCH/REPLACE block{'s' * (len(old) > 1)} failed to match!\n\n"
    for text in old:
        said += "## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py\n"
        said += f"<<<<<<< SEARCH\n{text}\n=======\ny\n>>>>>>> REPLACE\n\n"
    said += "The SEARCH section must exactly match an existing block of lines including all white space, etc"
    if others:
        said += f"\n\n# The other {others} SEARCH/REPLACE blocks were applied successfully.\nDon't re-send them.\n"
        said += "Just reply with fixed versions of the block above that failed to match."
    return said + "  \n"


def edits(text: str) -> list[Step]:
    return [step for step in told(READER, text.encode()).steps if step.edits]


@pytest.mark.parametrize("text", [DIFF, "x\n# aider chat started at 2024-05-21 16:24:42\n"])
def test_recognises(text: str) -> None:
    assert READER.recognises(Sample(Recording(text.encode())))


@pytest.mark.parametrize(
    "text", ["", "# aider chat started at noon\n", '{"a": "\n# aider chat started at 2024-05-21 16:24:42\n"}']
)
def test_does_not_recognise(text: str) -> None:
    assert not READER.recognises(Sample(Recording(text.encode())))


APPLIED = "\n> Applied edit to a.py  \n"


@pytest.mark.parametrize(
    ("after", "oks"),
    [
        pytest.param(APPLIED, [Ok.YES, Ok.YES], id="applied"),
        pytest.param("\n" + missed("a", others=1), [Ok.NO, Ok.YES], id="one of two"),
        pytest.param("\n" + missed("a", "b"), [Ok.NO, Ok.NO], id="none of two"),
        pytest.param("\n> Skipping edits to a.py  \n", [Ok.NO, Ok.NO], id="refused by the person"),
        pytest.param("\n> Did not apply edit to a.py (--dry-run)  \n", [Ok.NO, Ok.NO], id="a dry run"),
        pytest.param("\n> The LLM did not conform to the edit format.  \n", [Ok.NO, Ok.NO], id="not understood"),
        pytest.param("\n#### and now?  \n", [Ok.NO, Ok.NO], id="nothing said, and it goes on"),
        pytest.param("", [Ok.UNKNOWN, Ok.UNKNOWN], id="nothing said at the end"),
        pytest.param("\n> Tokens: 1k sent, 2 received.  \n", [Ok.UNKNOWN, Ok.UNKNOWN], id="only the tokens at the end"),
    ],
)
def test_what_was_applied(after: str, oks: list[Ok]) -> None:
    assert [step.ok for step in edits(DIFF + "So:\n\n" + block("a", "x") + "\n" + block("b", "y") + after)] == oks


def test_replays_in_order() -> None:
    first = (
        DIFF
        + "#### Fix  \n\n"
        + block("a", "b")
        + "\n"
        + block("", "new", "b.py")
        + APPLIED
        + "> Applied edit to b.py  \n"
    )
    again = "\n" + block("zzz", "y") + "\n" + missed("zzz") + "\n" + block("b", "c") + APPLIED
    assert whole(rebuilt(READER, (first + again).encode(), a_py=b"a\n")) == {"a.py": b"c\n", "b.py": b"new\n"}


def test_takes_the_file_that_it_was_applied_to() -> None:
    (step,) = edits(DIFF + block("a", "b", "nowhere.py") + "\n> Applied edit to src/a.py  \n")
    assert (step.ok, step.edits[0].path) == (Ok.YES, "src/a.py")
    (step,) = edits(DIFF + block("a", "b", "one.py") + "\n> Applied edit to x.py  \n> Applied edit to y.py  \n")
    assert (step.ok, step.edits[0].path) == (Ok.NO, "one.py")


def test_whole_files() -> None:
    text = START.format("whole") + "a.py\n```\nnew\n```\n\nAn example:\n```\nx\n```\n" + APPLIED
    assert whole(rebuilt(READER, text.encode(), a_py=b"a\n")) == {"a.py": b"new\n"}
    assert edits(START.format("whole") + "a.py\n```\nnew\n```\n\n#### no  \n") == []


def test_unified_diffs() -> None:
    text = START.format("udiff") + "```diff\n--- a.py\n+++ a.py\n@@ @@\n-a\n+b\n@@ @@\n-zzz\n+y\n```\n"
    complaint = "> The LLM did not conform to the edit format.  \n> https://aider.chat/docs/edit-errors.html  \n"
    complaint += "> UnifiedDiffNoMatch: hunk failed to apply!\n\na.py does not contain these 1 exact lines in a row:\n```\nzzz\n```  \n"
    assert [step.ok for step in edits(text + "\n" + complaint)] == [Ok.YES, Ok.NO]
    assert whole(rebuilt(READER, (text + "\n" + complaint).encode(), a_py=b"a\n")) == {"a.py": b"b\n"}


def test_commands_and_commits() -> None:
    said = "> Commit 0123abc feat: x  \n> Running pytest -q  \n> ## Running: flake8 a.py  \n"
    found = told(READER, (DIFF + "#### /run ls -a  \n\nOk\n\n" + said).encode())
    assert [(step.source, step.tool, step.commands, step.ok) for step in found.steps if step.tool] == [
        ("user", "run", (Command(text="ls -a"),), Ok.UNKNOWN),
        ("agent", "commit", (), Ok.YES),
        ("agent", "run", (Command(text="pytest -q"),), Ok.UNKNOWN),
        ("agent", "run", (Command(text="flake8 a.py"),), Ok.UNKNOWN),
    ]
    commit = next(step for step in found.steps if step.tool == "commit")
    assert commit.arguments == {"commit": "0123abc", "message": "feat: x"}


def test_what_it_says_of_itself() -> None:
    text = (
        DIFF
        + "#### Fix  \n\nSo:\n\n"
        + block("a", "b")
        + "\n> Tokens: 2.6k sent, 98 received. Cost: $0.0012 message, $1 session.  \n"
        + APPLIED
    )
    found = told(READER, text.encode())
    assert (found.agent, found.model, found.directory) == ("aider 0.86.1", "gpt-4o", None)
    user, step = found.steps
    assert (user.source, user.message, user.raw, user.turn) == ("user", "Fix", None, 1)
    assert (step.tool, step.line, step.time, step.turn) == ("search_replace", 13, "2025-01-02 03:04:05", 1)
    assert (step.tokens_in, step.tokens_out, step.cost) == (2600, 98, 0.0012)
    assert step.arguments == {"path": "a.py", "search": "a\n", "replace": "b\n"}
    assert text.split("\n")[step.line - 1] == "<<<<<<< SEARCH"


def test_figures_that_are_too_large_are_none() -> None:
    said = f"\n> Tokens: {'9' * 400} sent, 98 received. Cost: ${'9' * 400} message, $1 session.  \n"
    _, step = told(READER, (DIFF + "#### Fix  \n\n" + block("a", "b") + said + APPLIED).encode()).steps
    assert (step.tokens_in, step.tokens_out, step.cost) == (None, 98, None)


def test_several_chats_are_said() -> None:
    (dropped,) = told(READER, (DIFF + "A\n" + DIFF.replace("2025", "2026") + "B\n").encode()).dropped
    assert (dropped.reason, dropped.grave) == (
        "the file holds 2 chats, from 2025-01-02 03:04:05 to 2026-01-02 03:04:05; all of them count",
        False,
    )


def test_an_answer_that_it_cannot_read_is_lost_only_when_it_was_applied() -> None:
    broken = "So:\n<<<<<<< SEARCH\nx\n"
    for after, lost in ((APPLIED, "line 7: a SEARCH block is cut off"), ("> Tokens: 1 sent  \n", None)):
        (step,) = [
            step for step in told(READER, (DIFF + broken + after).encode()).steps if step.message.startswith("So")
        ]
        assert (step.lost and step.lost.reason) == lost


def test_survives_every_cut() -> None:
    text = (
        DIFF + "#### Fix  \n\n" + block("a", "b") + "\n" + missed("a", others=1) + "\n```diff\n-a\n+b\n```\n" + APPLIED
    )
    data = text.encode()
    for end in range(0, len(data), 11):
        for piece in (data[:end], data[:end] + b"\xff\xfe\x00<<<<<<< SEARCH\n" + data[end:]):
            recording = Recording(piece, "rec")
            if READER.recognises(Sample(recording)):
                try:
                    replay(READER.read(recording), MemoryTree({"a.py": b"a\n"}))
                except RecordingError:
                    continue


# As the index has them, but for one: it counts all blocks of an answer as failed of which one failed.
COUNTS = {
    "dels--gpt-4o--openrouter-anthropic-claude-3-opus_sympy__sympy-20212.md": (1, 0),
    "dels--gpt-4o--openrouter-anthropic-claude-3-opus_sympy__sympy-21627.md": (2, 1),
    "gpt-4o--openrouter-anthropic-claude-3-opus_sphinx-doc__sphinx-10325.md": (8, 1),
    "ls--gpt-4o--openrouter-anthropic-claude-3-opus_django__django-12983.md": (1, 0),
    "openrouter-anthropic-claude-3-opus_scikit-learn__scikit-learn-13584.md": (2, 0),
}


@pytest.mark.parametrize("name", COUNTS)
def test_reads_what_is_recorded(cases: Path, name: str) -> None:
    found = told(READER, (cases / "recordings" / "aider-md" / name).read_bytes())
    steps = [step for step in found.steps if step.edits]
    assert (len(steps), sum(step.ok is Ok.NO for step in steps)) == COUNTS[name]
    assert (found.agent, found.model) == ("aider 0.35.1-dev", "gpt-4o")
