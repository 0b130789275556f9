"""Tools that a reader does not know, and the files that they name."""

from typing import Any

import pytest

from gate.mention import UnknownTool, mentioned, named_files, ranked, told

PATCH = """*** Begin Patch
*** Update File: src/a.py
*** Move to: src/b.py
@@
-*** Delete File: no.py
*** Add File: c d.py
+x
*** End Patch"""
DIFF = "diff --git a/x.py b/x.py\n--- a/x.py\t2024\n+++ b/y.py\n@@ -1 +1 @@\n-a\n+b\n"


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        pytest.param(None, (), id="nothing"),
        pytest.param({"query": "a.py", "pattern": "*.py"}, (), id="no key that means a file"),
        pytest.param({"path": ""}, (), id="an empty name"),
        pytest.param({"path": 5}, (), id="no text"),
        pytest.param({"path": "x" * 5000}, (), id="no name is that long"),
        pytest.param({"text": "see\nfile a.py\n"}, (), id="prose"),
        pytest.param({"path": "a.py", "target_file": "b.py"}, ("a.py", "b.py"), id="two keys"),
        pytest.param({"files": ["a.py", {"path": "b.py"}, "a.py"]}, ("a.py", "b.py"), id="a list"),
        pytest.param({"options": {"file_path": "a.py"}}, ("a.py",), id="deeper"),
        pytest.param({"newPath": "a.py", "output_path": "b.py"}, ("a.py", "b.py"), id="keys of other spellings"),
        pytest.param({"path": "file:///repo/a%20b.py"}, ("/repo/a b.py",), id="an address of a file"),
        pytest.param({"profile": "a", "xpath": "b", "target": "c", "name": "d.py"}, (), id="keys of other things"),
        pytest.param({"input": PATCH}, ("src/a.py", "src/b.py", "c d.py"), id="a patch"),
        pytest.param(PATCH, ("src/a.py", "src/b.py", "c d.py"), id="a patch as it is"),
        pytest.param({"diff": DIFF}, ("x.py", "y.py"), id="a diff"),
    ],
)
def test_named_files(arguments: Any, names: tuple[str, ...]) -> None:
    assert named_files(arguments) == names


def test_names_are_not_looked_for_without_end() -> None:
    deep: Any = {"path": "a"}
    for _ in range(5000):
        deep = {"x": deep}
    assert named_files(deep) == ()
    assert list(mentioned(deep)) == []


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        pytest.param({"name": "a.py"}, [("a.py", False)], id="any text"),
        pytest.param({"destination": "a.py"}, [("a.py", True)], id="a place to write to"),
        pytest.param({"saveTo": "a.py", "report_file": "b"}, [("a.py", True), ("b", True)], id="keys of several words"),
        pytest.param({"total": "a", "photo": "b", "profile": "c"}, [("a", False), ("b", False), ("c", False)], id="other words"),
        pytest.param({"a": [{"b": ["x"]}, "y"]}, [("x", False), ("y", False)], id="deeper"),
        pytest.param({"uri": "file:///repo/a.py"}, [("/repo/a.py", True)], id="an address of a file"),
        pytest.param({"at": "a.py:12:3"}, [("a.py:12:3", False), ("a.py", False)], id="a place in a file"),
        pytest.param({"at": "a.py#L3-L9"}, [("a.py#L3-L9", False), ("a.py", False)], id="a place in a file, as a link has it"),
        pytest.param({"text": "a\nb", "number": 5, "empty": ""}, [], id="no path"),
        pytest.param("a.py", [("a.py", False)], id="no object"),
    ],
)  # fmt: skip
def test_texts_that_may_be_paths(arguments: Any, found: list[tuple[str, bool]]) -> None:
    assert list(mentioned(arguments)) == found


def test_of_many_texts_some_are_looked_at() -> None:
    assert len(list(mentioned(["x"] * 5000))) == 2000


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        pytest.param({}, "", id="none"),
        pytest.param({"b": 1}, "1 call of a tool unknown to this reader: b (1)", id="one"),
        pytest.param(
            {"b": 1, "c": 3, "a": 1}, "5 calls of tools unknown to this reader: c (3), a (1), b (1)", id="several"
        ),
        pytest.param(
            {f"t{at:02}": 1 for at in range(22)},
            f"22 calls of tools unknown to this reader: {', '.join(f't{at:02} (1)' for at in range(20))}, and 2 more",
            id="many",
        ),
    ],
)
def test_how_often_they_were_called(counts: dict[str, int], words: str) -> None:
    assert told(ranked(counts)) == words
    assert all(isinstance(tool, UnknownTool) for tool in ranked(counts))
