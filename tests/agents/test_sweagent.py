"""SWE-agent's actions: which tool, which edit, and whether it worked."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.agents.editor import EditorReplace
from gate.agents.sweagent import Act, Session
from gate.agents.window import LinesEdit, Window, WindowInsert, WindowReplace
from gate.editing.edit import Edit, Write
from gate.trajectory import Ok

EDITED = "The file /w/a.py has been edited. Here's the result"
OLD = "[File: /w/a.py (2 lines total)]\n1:a\n2:b\nFile updated. Please review the changes"
NEW = "File updated. Please review the changes\n[File: /w/a.py (2 lines total)]\n1:a\n2:b"
REFUSED = "Your proposed edit has introduced new syntax error(s). Please\n[File: /w/a.py (2 lines total)]\n1:a"


def act(action: str, observation: str = "", *, bash: bool | None = None) -> Act:
    session = Session(bash=bash)
    session.file = "/w/a.py"
    return session.act(action, observation)


def lines(*new: bytes, bash: bool = False) -> LinesEdit:
    return LinesEdit(path="/w/a.py", first=1, last=2, lines=new, bash=bash)


@pytest.mark.parametrize(
    ("action", "observation", "edit", "ok"),
    [
        ("edit 1:2\nx\n\ny\nend_of_edit\n", OLD, lines(b"x", b"", b"y", bash=True), Ok.YES),
        ("edit 1:2\nx\nend_of_edit", NEW, lines(b"x"), Ok.YES),
        ("edit 1:2\nend_of_edit", NEW, lines(), Ok.YES),
        ("edit 1:2 << 'end_of_edit'\nx\nend_of_edit\n", NEW, lines(b"x"), Ok.YES),
        ("edit 1:2\nx\nend_of_edit", REFUSED, lines(b"x", bash=True), Ok.NO),
        ("edit 1:2\nx\nend_of_edit", "", lines(b"x", bash=True), Ok.UNKNOWN),
        (
            "edit 'a' 'b'",
            "Text replaced. Please review",
            WindowReplace(path="/w/a.py", old=b"a", new=b"b"),
            Ok.YES,
        ),
        (
            "edit 'a' 'b' False",
            "Replaced 2 occurrences. Please",
            WindowReplace(path="/w/a.py", old=b"a", new=b"b", all=True),
            Ok.YES,
        ),
        ("edit a b", "Your edit was not applied (file not", WindowReplace(path="/w/a.py", old=b"a", new=b"b"), Ok.NO),
        ("insert 'x' 3", "[File: /w/a.py (4 lines total)]", WindowInsert(path="/w/a.py", text=b"x", line=3), Ok.YES),
        ("insert 'x'", "No file opened.", WindowInsert(path="/w/a.py", text=b"x"), Ok.NO),
        ("create b.py", "[File: /w/b.py (1 lines total)]\n1:", Write(path="/w/b.py", content=b"\n"), Ok.YES),
        ("create b.py", "[File: b.py (0 lines total)]\n", Write(path="b.py", content=b""), Ok.YES),
        ("create b.py", "Error: File 'b.py' already exists.\n[File: /w/b.py (1 lines", Write(path="b.py", content=b""), Ok.NO),
        (
            "str_replace_editor create /w/a.py --file_text 'it'\"'\"'s\n'",
            "File created successfully at: /w/a.py",
            Write(path="/w/a.py", content=b"it's\n"),
            Ok.YES,
        ),
        (
            "str_replace_editor create /w/a.py --file_text=x",
            "File created successfully at: /w/a.py",
            Write(path="/w/a.py", content=b"x"),
            Ok.YES,
        ),
    ],
)  # fmt: skip
def test_reads_an_edit(action: str, observation: str, edit: Edit, ok: Ok) -> None:
    found = act(action, observation)
    assert (found.edits, found.ok, found.command, found.lost) == ((edit,), ok, None, None)


def test_reads_a_replacement() -> None:
    found = act("str_replace_editor str_replace /w/a.py --old_str 'a\tb' --new_str '  c'", EDITED)
    (edit,) = found.edits
    assert isinstance(edit, EditorReplace)
    assert (edit.old, edit.new, edit.editor.tabs) == (b"a\tb", b"  c", True)
    assert found.arguments == {"command": "str_replace", "path": "/w/a.py", "old_str": "a\tb", "new_str": "  c"}


@pytest.mark.parametrize(
    ("action", "tool", "command"),
    [
        ("ls -a\n", "bash", "ls -a"),
        ("cd /w && grep -rn 'str_replace_editor' .", "bash", "cd /w && grep -rn 'str_replace_editor' ."),
        ("disassemble main", "bash", "disassemble main"),
        ("open a.py 3", "open", None),
        ("find_file a.py", "find_file", None),
        ("submit", "submit", None),
        ("str_replace_editor view /w --view_range 1 5", "str_replace_editor", None),
        ("", "", None),
    ],
)
def test_what_is_a_command(action: str, tool: str, command: str | None) -> None:
    found = act(action, "Here's the")
    assert (found.tool, found.command, found.edits, found.lost) == (tool, command, (), None)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("edit 'the whole window'", "edit: what was shown of the file is not recorded"),
        ("edit a b c d", "edit: expected an old and a new text, found 4 words"),
        ("create", "create: expected a file name, found nothing"),
        ("insert", "insert: expected a text, found nothing"),
        (
            "str_replace_editor create a --file_text \"$(cat b)\"",
            "what the shell made of '\"$(cat b)\"' is not recorded",
        ),
        ("str_replace_editor create a --file_text 'x", 'what the shell made of "\'x" is not recorded'),
        ("str_replace_editor create a --file_text x && ls", "what the shell made of '&& ls' is not recorded"),
        ("str_replace_editor str_replace a", "old_str: expected text, found nothing"),
        (
            "cd /w && str_replace_editor create /w/a --file_text x",
            "an edit behind another command is not taken apart",
        ),
    ],
)  # fmt: skip
def test_what_it_cannot_tell_is_lost(action: str, reason: str) -> None:
    found = act(action, EDITED)
    assert found.lost is not None
    assert (found.lost.reason, found.edits) == (reason, ())


def test_an_edit_of_no_known_file_is_lost() -> None:
    found = Session().act("edit 1:2\nx\nend_of_edit", "File updated. Please review")
    assert found.lost is not None
    assert found.lost.reason == "which file was open is not recorded"


def test_the_window_is_what_was_shown_last() -> None:
    session = Session()
    session.act(
        "open /w/a.py 50", "[File: /w/a.py (99 lines total)]\n(40 more lines above)\n41:x\n(9 more lines below)"
    )
    (edit,) = session.act("edit x y", "Text replaced. Please").edits
    assert edit == WindowReplace(path="/w/a.py", old=b"x", new=b"y", window=Window("/w/a.py", 41, 90))
    (edit,) = session.act("edit 'all of it'", "Edit successful.").edits
    assert edit == LinesEdit(path="/w/a.py", first=41, last=90, lines=(b"all of it",))


def test_the_cursors_are_where_they_were_set_or_shown() -> None:
    def edited(action: str, observation: str) -> tuple[int, int, tuple[bytes, ...]]:
        (edit,) = session.act(action, observation).edits
        assert isinstance(edit, LinesEdit)
        assert edit.bash
        return edit.first, edit.last, edit.lines

    session = Session()
    head = "[File: /w/a.py (9 lines total)]\n"
    moved = "1:a\n(4 more lines below)\nSTART_CURSOR moved to 2\nEND_CURSOR moved to 3\n"
    session.act("open /w/a.py", head + moved)
    refused = "Your proposed edit has introduced\n" + head + "<<<<< START CURSOR >>>>>\n7:x\n<<<<< END CURSOR >>>>>\n"
    assert edited("edit\nx\nend_of_edit", refused) == (2, 3, (b"x",))
    assert edited("edit\nx\ny\nz\nend_of_edit", head + "1:a\nFile updated.") == (2, 3, (b"x", b"y", b"z"))
    assert edited("edit\nend_of_edit", head + "1:a\nFile updated.") == (2, 4, ())
    session.act("set_cursors 5 6", head + "1:a\n")
    shown = head + "<<<<< START CURSOR >>>>>\n5:x\n6:y\n<<<<< END CURSOR >>>>>\nFile updated."
    assert edited("edit\nx\ny\nend_of_edit", shown) == (5, 6, (b"x", b"y"))
    assert edited("edit\nx\nend_of_edit", head) == (5, 6, (b"x",))
    session.act("set_cursors 0 0", head)
    assert edited("edit\nx\nend_of_edit", head) == (1, 0, (b"x",))


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        ('a "b c" d', "b c"),
        (r'a "b \"c\" \$d \n" d', r'b "c" $d \n'),
        (r"a b\ c d", "b c"),
        ('a "costs 5 $ or $" d', "costs 5 $ or $"),
        ("a 'b'\"c\"d e", "bcd"),
        ('a "b\\\nc" d', "bc"),
    ],
)
def test_takes_words_as_the_shell_does(words: str, taken: str) -> None:
    found = act(f"edit {words.removeprefix('a ')} y")
    assert isinstance(found.edits[0], WindowReplace)
    assert found.edits[0].old.decode() == taken


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text("ab '\"\\$`;&|<>()\n\t*"))
def test_takes_back_what_was_quoted(old: str, new: str) -> None:
    words = shlex.join(["--old_str", old, "--new_str", new])
    (edit,) = act(f"str_replace_editor str_replace /w/a.py {words}", EDITED).edits
    assert isinstance(edit, EditorReplace)
    assert (edit.old.decode(), edit.new.decode()) == (old, new)
