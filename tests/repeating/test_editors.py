"""`sed`, `git apply` and `patch`, the real programs on copies of the files."""

import pytest

from gate.tree import SYMLINK, MemoryTree
from tests.repeated import run

START = {"a": b"one\ntwo\n", "d/b": b"one\n", "sp ace": b"one\n"}
DIFF = """diff --git a/a b/a
--- a/a
+++ b/a
@@ -1,2 +1,2 @@
 one
-two
+TWO
"""
MADE = """diff --git a/d/b b/d/c
similarity index 100%
rename from d/b
rename to d/c
diff --git a/new b/new
new file mode 100644
--- /dev/null
+++ b/new
@@ -0,0 +1 @@
+made
diff --git a/a b/a
deleted file mode 100644
--- a/a
+++ /dev/null
@@ -1,2 +0,0 @@
-one
-two
"""


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        pytest.param("sed -i s/one/1/ a", {"a": b"1\ntwo\n"}, id="sed -i"),
        pytest.param("sed -i 's/one/1/;s/1/$x/' a", {"a": b"$x\ntwo\n"}, id="a quoted script"),
        pytest.param("sed -i '' s/one/1/ a", {"a": b"1\ntwo\n"}, id="as on macOS"),
        pytest.param("sed -i '' -e s/one/1/ a", {"a": b"1\ntwo\n"}, id="as on macOS, with -e"),
        pytest.param("sed -i.bak s/one/1/ a", {"a": b"1\ntwo\n", "a.bak": b"one\ntwo\n"}, id="a copy"),
        pytest.param("sed --in-place=~ --expression=s/one/1/ a", {"a": b"1\ntwo\n", "a~": b"one\ntwo\n"}, id="long options"),
        pytest.param("sed -Ei -e 's/(o)ne/\\1/' -e 2d a d/b", {"a": b"o\n", "d/b": b"o\n"}, id="several"),
        pytest.param("sed -i s/one/1/ a d/*", {"a": b"1\ntwo\n", "d/b": b"1\n"}, id="a pattern"),
        pytest.param("sed -i s/one/1/ /w/d/b 'sp ace'", {"d/b": b"1\n", "sp ace": b"1\n"}, id="paths"),
        pytest.param("cd d && sed -i s/one/1/ b ../a", {"d/b": b"1\n", "a": b"1\ntwo\n"}, id="in a folder"),
        pytest.param("sed s/one/1/ a > n && mv n a", {"a": b"1\ntwo\n"}, id="what it prints"),
        pytest.param("cat a | sed -n 2p > n", {"n": b"two\n"}, id="in a pipe"),
        pytest.param("sed -n 1p < a >> d/b", {"d/b": b"one\none\n"}, id="its input"),
        pytest.param("sed -i '1i\\\nzero' a", {"a": b"zero\none\ntwo\n"}, id="a script of two lines"),
        pytest.param("sed -i 's/n/é/' a", {"a": "oée\ntwo\n".encode()}, id="beyond ASCII"),
        pytest.param(f"git apply <<'E'\n{DIFF}E", {"a": b"one\nTWO\n"}, id="git apply"),
        pytest.param(f"cat > p <<'E'\n{DIFF}E\ngit apply --index p && rm p", {"a": b"one\nTWO\n"}, id="git apply of a file"),
        pytest.param(f"cat <<'E' | git apply -\n{DIFF}E", {"a": b"one\nTWO\n"}, id="git apply in a pipe"),
        pytest.param(f"git apply <<'E'\n{MADE}E", {"a": None, "d/b": None, "d/c": b"one\n", "new": b"made\n"}, id="every kind of change"),
        pytest.param(f"patch -p1 <<'E'\n{DIFF}E", {"a": b"one\nTWO\n"}, id="patch"),
    ],
)  # fmt: skip
def test_is_done(text: str, changed: dict[str, bytes | None]) -> None:
    ran = run(text, start=START)
    assert ran.files == {path: data for path, data in {**START, **changed}.items() if data is not None}
    assert not [line for line in ran.said if "not repeated" in line]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("sed -i s/one/1/ x", "x is not in the workspace", id="a missing file"),
        pytest.param("sed -i s/one/1/ /etc/hosts", "/etc/hosts lies outside of the workspace", id="a path elsewhere"),
        pytest.param("sed -i s/one/1/ ../x", "../x lies outside of the workspace", id="a path above"),
        pytest.param("sed -i s/one/1/ d", "d is a folder", id="a folder"),
        pytest.param("sed -i -f s a", "the option -f of sed is not one that is repeated", id="a script file"),
        pytest.param("sed -i/tmp/x s/one/1/ a", "the ending /tmp/x for its copies is not one that is repeated", id="a copy elsewhere"),
        pytest.param("sed -i --follow-symlinks s/a/b/ a", "the option --follow-symlinks of sed is not one that is repeated", id="links"),
        pytest.param('sed -i "s/one/$X/" a', "only a shell would tell what s/one/$X/ stands for", id="a variable"),
        pytest.param(f"cd d && git apply <<'E'\n{DIFF}E", "it ran in a folder below the top of the workspace", id="git apply in a folder"),
        pytest.param("git apply x", "x is not in the workspace", id="a missing patch"),
        pytest.param("git apply --unsafe-paths a", "the option --unsafe-paths of git apply is not one that is repeated", id="an option of git apply"),
        pytest.param("git diff HEAD~1 | git apply -R", "what it reads is not known", id="an unknown patch"),
        pytest.param("patch a <<'E'\nE", "which files it patches is for patch itself to tell", id="patch with a file"),
    ],
)  # fmt: skip
def test_is_not_done(text: str, reason: str) -> None:
    ran = run(text, start=START)
    assert ran.said == [f"step 1: not repeated: {reason}"]
    assert ran.files == START


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("sed -i '1w stolen' a", id="sed writes a file"),
        pytest.param("sed -i '1r /etc/passwd' a", id="sed reads a file"),
        pytest.param("sed -i '1e touch stolen' a", id="sed runs a program"),
        pytest.param("sed -i 's/one/touch stolen/e' a", id="sed runs a text"),
        pytest.param("sed -i 's/one/' a", id="sed's script is broken"),
        pytest.param(f"git apply <<'E'\n{DIFF.replace('two', 'three')}E", id="the patch does not fit"),
        pytest.param(f"git apply <<'E'\n{DIFF.replace('/a', '/../a')}E", id="the patch leads out"),
        pytest.param("git apply <<'E'\nno patch\nE", id="no patch"),
    ],
)
def test_fails_here(text: str) -> None:
    ran = run(text, start=START)
    assert [line.startswith("step 1: not repeated: it fails here: ") for line in ran.said] == [True]
    assert ran.files == START


def test_links_are_not_followed() -> None:
    start = MemoryTree({"link": b"a", "a": b"one\n", "up": b"../../etc"}, modes={"link": SYMLINK, "up": SYMLINK})
    texts = [
        "sed -i s/one/1/ link",
        "cat link > b",
        "echo x > link",
        "echo x > up/y",
        "cp a up/y",
        "sed -i s/a/b/ up/hosts",
    ]
    ran = run(*texts, start=start)
    assert ran.said == [
        "step 1: not repeated: link is a link or a submodule",
        "step 2: not repeated: link is a link or a submodule",
        "step 3: not repeated: link is a link or a submodule",
        "step 4: not repeated: up is a symbolic link",
        "step 5: not repeated: up is a symbolic link",
        "step 6: not repeated: up/hosts is not in the workspace",
    ]


def test_a_patch_makes_no_link() -> None:
    patch = "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n"
    assert run(f"git apply <<'E'\n{patch}E", start=START).files == START
