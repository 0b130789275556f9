"""aider's chat history taken apart, as older and newer versions wrote it."""

import pytest

from gate.agents.chat import Chat


def parts(text: str, *, marked: bool = True) -> list[tuple[str, int, int, str]]:
    """Speaker, first line, turn and text of each part."""
    lines = enumerate(text.split("\n"), 1)
    return [(part.speaker, part.line, part.turn, part.text) for part in Chat(lines, marked=marked).parts()]


START = "\n# aider chat started at 2025-01-02 03:04:05\n\n> Aider v0.86.1  \n"


def test_who_speaks() -> None:
    found = parts(
        START + "\n#### Fix it  \n#### please  \n\nDone:\n\n> a quotation\n# Heading\n\n> Tokens: 1k sent  \n"
    )
    assert [(speaker, turn, text.strip()) for speaker, _, turn, text in found] == [
        ("aider", 0, "Aider v0.86.1"),
        ("user", 1, "Fix it\nplease"),
        ("answer", 1, "Done:\n\n> a quotation\n# Heading"),
        ("aider", 1, "Tokens: 1k sent"),
    ]
    assert [line for _, line, _, _ in found] == [4, 6, 9, 14]


@pytest.mark.parametrize(
    "inside",
    [
        "```\n> Tokens: nothing  \n#### x  \n# c\n```\n",
        "<<<<<<< SEARCH\n> a  \n=======\n#### b  \n>>>>>>> REPLACE\n",
        "```python\n<<<<<<< SEARCH\n```\n> a  \n=======\n#### b  \n>>>>>>> REPLACE\n```\n",
    ],
)
def test_what_looks_like_another_speaker_inside_a_block(inside: str) -> None:
    found = parts(START + "\nSo:\n" + inside + "\n> Applied edit to a  \n")
    assert [(speaker, text) for speaker, _, _, text in found[1:]] == [
        ("answer", "So:\n" + inside),
        ("aider", "Applied edit to a"),
    ]


def test_an_answer_that_was_cut_off_ends_where_aider_speaks() -> None:
    found = parts(START + "\n```\na  \n\n> Tokens: 1k sent, 2 received.  \n\n#### go on  \n")
    assert [speaker for speaker, _, _, _ in found] == ["aider", "answer", "aider", "user"]


COMPLAINT = """
> The LLM did not conform to the edit format.{m}
> https://aider.chat/docs/troubleshooting/edit-errors.html{m}
> # 1 SEARCH/REPLACE block failed to match!{first}
{n}
{p}## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py{n}
{p}<<<<<<< SEARCH{n}
{p}x{n}
{p}======={n}
{p}y{n}
{p}>>>>>>> REPLACE{n}
{n}
{p}The SEARCH section must exactly match an existing block of lines including all white space, etc{last}
"""
NEWER = COMPLAINT.format(m="  ", first="", n="", p="", last="  ")
OLDER = COMPLAINT.format(m="  ", first="  ", n="  ", p="> ", last="  ").replace("\n  \n", "\n>   \n")


@pytest.mark.parametrize("complaint", [pytest.param(NEWER, id="newer"), pytest.param(OLDER, id="older")])
def test_a_complaint_repeats_blocks(complaint: str) -> None:
    found = parts(START + "\nSo\n" + complaint + "\nAgain\n")
    assert [speaker for speaker, _, _, _ in found] == ["aider", "answer", "aider", "answer"]
    assert "<<<<<<< SEARCH\nx\n=======\ny\n" in found[2][3]


def test_a_complaint_about_the_form() -> None:
    told = "> The LLM did not conform to the edit format.  \n> https://aider.chat/docs/troubleshooting/edit-errors.html  \n"
    found = parts(START + "\nSo\n\n" + told + "> So\n<<<<<<< SEARCH\n\n^^^ Bad/missing filename  \n\nAgain\n")
    assert [(speaker, text.strip()[-20:]) for speaker, _, _, text in found[1:]] == [
        ("answer", "So"),
        ("aider", "Bad/missing filename"),
        ("answer", "Again"),
    ]


def test_an_editor_took_the_marks_away() -> None:
    found = parts(
        "# aider chat started at 2025-01-02 03:04:05\n\n#### Fix\n\nSo\n\n> Applied edit to a\n", marked=False
    )
    assert [(speaker, text.strip()) for speaker, _, _, text in found] == [
        ("user", "Fix"),
        ("answer", "So"),
        ("aider", "Applied edit to a"),
    ]


def test_every_chat_has_its_time_and_its_format() -> None:
    text = (
        START
        + "> Main model: gpt-4o with diff edit format  \n\nA\n\n# aider chat started at 2025-02-02 00:00:00\n\nB\n"
    )
    found = list(Chat(enumerate(text.split("\n"), 1), marked=True).parts())
    assert [(part.chat, part.format) for part in found if part.speaker == "answer"] == [
        ("2025-01-02 03:04:05", "diff"),
        ("2025-02-02 00:00:00", ""),
    ]
