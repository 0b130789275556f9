"""Patches taken apart: their names, and what is refused."""

import pytest

from gate.errors import PathRefused
from gate.groundwork import patchtext

CHANGE = b"""\
diff --git a/src/a.py b/src/a.py
index 1111111..2222222 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,2 +1,2 @@ def f():
 one
--- a/not a head
+++ b/nor this
"""
RENAME = b"""\
diff --git a/old name.txt b/new name.txt
similarity index 100%
rename from old name.txt
rename to new name.txt
"""


def test_a_plain_patch_and_its_names() -> None:
    found = patchtext.parse(CHANGE)
    assert (found.plain, found.names) == (True, ("src/a.py",))


def test_lines_of_a_hunk_are_no_heads_when_it_moves() -> None:
    moved = patchtext.parse(CHANGE).within("w1").decode()
    assert moved.splitlines() == [
        "diff --git a/w1/src/a.py b/w1/src/a.py",
        "index 1111111..2222222 100644",
        "--- a/w1/src/a.py",
        "+++ b/w1/src/a.py",
        "@@ -1,2 +1,2 @@ def f():",
        " one",
        "--- a/not a head",
        "+++ b/nor this",
    ]


def test_a_new_file_stays_one_when_it_moves() -> None:
    patch = b"diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x"
    assert patchtext.parse(patch).within("w").endswith(b"--- /dev/null\n+++ b/w/n\n@@ -0,0 +1 @@\n+x\n")


@pytest.mark.parametrize(
    ("patch", "names"),
    [
        pytest.param(RENAME, ("old name.txt", "new name.txt"), id="two names with spaces"),
        pytest.param(b'--- "a/\\303\\244"\n+++ "b/\\303\\244"\n@@ -1 +1 @@\n-a\n+b\n', (), id="quoted names"),
        pytest.param(b"--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n", (), id="without a/ and b/"),
        pytest.param(b"diff --git a/x b/x\nGIT binary patch\nliteral 0\n", ("x",), id="binary"),
        pytest.param(b"--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n", ("x",), id="a hunk that breaks off"),
        pytest.param(b"--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n", ("x",), id="heads that end with CR LF"),
        pytest.param(b"nothing\n", (), id="no patch"),
    ],
)
def test_what_git_alone_must_read(patch: bytes, names: tuple[str, ...]) -> None:
    found = patchtext.parse(patch)
    assert (found.plain, found.names) == (False, names)


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        pytest.param(b"--- a/../x\n+++ b/../x\n", "'../x' leads out of the workspace", id="out"),
        pytest.param(
            b"--- a/x\n+++ b//etc/x\n", "'/etc/x' is absolute; expected a path inside the workspace", id="absolute"
        ),
        pytest.param(
            b"--- /dev/null\n+++ b/.git/config\n",
            "it names .git/config, which lies in git's own folder",
            id="git's folder",
        ),
        pytest.param(
            b"diff --git a/GIT~1/x b/GIT~1/x\n", "it names GIT~1/x, which lies in git's own folder", id="its short name"
        ),
        pytest.param(b"rename to ./x\n", "./x is not a path in normal form", id="not in normal form"),
        pytest.param(
            b"new file mode 120000\n",
            "it makes, changes or takes away a symbolic link ('new file mode 120000'), which golden patches do not",
            id="a new link",
        ),
        pytest.param(
            b"index 1111111..2222222 120000\n",
            "it makes, changes or takes away a symbolic link ('index 1111111..2222222 120000'), which golden patches do "
            "not",
            id="another target of a link",
        ),
        pytest.param(
            b"deleted file mode 160000\n",
            "it makes, changes or takes away a submodule ('deleted file mode 160000'), which golden patches do not",
            id="a submodule",
        ),
    ],
)
def test_what_is_refused(patch: bytes, message: str) -> None:
    with pytest.raises(PathRefused) as caught:
        patchtext.parse(patch)
    assert caught.value.message == message
