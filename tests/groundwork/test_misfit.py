"""Why a patch does not apply."""

import pytest

from gate.groundwork import misfit
from gate.tree import MemoryTree

START = MemoryTree({"src/a.py": b"one\ntwo = 2\nthree\n", "b.txt": b"x\n", "crlf": b"\xff\r\none\r\ntwo\r\n"})
HEAD = b"--- a/src/a.py\n+++ b/src/a.py\n"


@pytest.mark.parametrize(
    ("patch", "reason"),
    [
        pytest.param(
            HEAD + b"@@ -1,2 +1,2 @@\n one\n-two = 3\n+two = 4\n",
            "hunk 1 of src/a.py (line 1) does not apply: it expects 'two = 3', which is not there; nearest is line 2: "
            "'two = 2'",
            id="another line",
        ),
        pytest.param(
            HEAD + b"@@ -1 +1 @@\n-one\n+1\n@@ -3 +3 @@\n-zzzzzz\n+3\n",
            "hunk 2 of src/a.py (line 3) does not apply: it expects 'zzzzzz', which is not there; nothing there is like it",
            id="the second hunk",
        ),
        pytest.param(
            HEAD + b"@@ -1,2 +1 @@\n-one\n-three\n+1\n",
            "hunk 1 of src/a.py (line 1) does not apply: it expects 'one', which is not there together with the lines "
            "after it; nearest is line 1: 'one'",
            id="lines that stand apart",
        ),
        pytest.param(
            HEAD + b"@@ -1,2 +1,2 @@\n one\r\n-two = 2\r\n+two = 4\r\n",
            "hunk 1 of src/a.py (line 1) does not apply: only the line ends differ from line 1 on: LF in the file, CRLF in "
            "what is looked for",
            id="CRLF in the patch",
        ),
        pytest.param(
            b"--- a/crlf\n+++ b/crlf\n@@ -2,2 +2,2 @@\n one\n-two\n+2\n",
            "hunk 1 of crlf (line 2) does not apply: only the line ends differ from line 2 on: CRLF in the file, LF in "
            "what is looked for",
            id="CRLF in the file",
        ),
        pytest.param(
            HEAD + b"@@ -1,2 +1,2 @@\n one\r\n-two = 3\r\n+two = 4\r\n",
            "hunk 1 of src/a.py (line 1) does not apply: it expects 'one', which is not there; only the line ends differ "
            "from line 1 on: LF in the file, CRLF in what is looked for",
            id="more than the line ends",
        ),
        pytest.param(
            b"--- a/src/aa.py\n+++ b/src/aa.py\n@@ -1 +1 @@\n-one\n+1\n",
            "there is no file src/aa.py; nearest is src/a.py",
            id="no such file",
        ),
        pytest.param(
            b"--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+x\n",
            "b.txt is there already, and the patch makes it anew",
            id="a file that is there",
        ),
        pytest.param(
            HEAD + b"@@ -1,5 +1,5 @@\n one\n",
            "corrupt: the diff cannot be read: line 5: expected more lines of the hunk, found its end",
            id="a hunk that breaks off",
        ),
        pytest.param(HEAD + b"@@ -1 +1 @@\n-one\n+1\n", "corrupt", id="nothing of it is strange"),
        pytest.param(b"@@ -1 +1 @@\n-one\n+1\n", "corrupt", id="of no file"),
    ],
)
def test_the_reason(patch: bytes, reason: str) -> None:
    assert misfit.reason(START, patch, "corrupt") == reason
