"""Names in a workspace: group A of the hostile inputs, and their benign twins."""

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import PathRefused
from gate.path import confined, fold, into, is_git_dir


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        pytest.param("a.py", "a.py", id="plain"),
        pytest.param("./a.py", "a.py", id="dot slash"),
        pytest.param("././/a.py", "a.py", id="dot slash twice"),
        pytest.param("a..b", "a..b", id="two dots inside a name"),
        pytest.param("..foo", "..foo", id="two dots before a name"),
        pytest.param("foo/...bar", "foo/...bar", id="three dots before a name"),
        pytest.param(".gitignore", ".gitignore", id="gitignore"),
        pytest.param(".github/x", ".github/x", id="github"),
        pytest.param("gitfoo/.gitkeep", "gitfoo/.gitkeep", id="gitkeep"),
        pytest.param("é.py", "é.py", id="composed"),
        pytest.param("e\u0301.py", "e\u0301.py", id="decomposed"),
        pytest.param("日本/😀.py", "日本/😀.py", id="cjk and emoji"),
        pytest.param("con_utils.py", "con_utils.py", id="con_utils"),
        pytest.param("aux_data.json", "aux_data.json", id="aux_data"),
        pytest.param("a b/c'd\"e.py", "a b/c'd\"e.py", id="space and quotes"),
        pytest.param("\udcff\udcfe", "\udcff\udcfe", id="bytes that are not UTF-8"),
        pytest.param("/".join(["d"] * 40), "/".join(["d"] * 40), id="40 levels"),
        pytest.param("x" * 255, "x" * 255, id="255 bytes"),
        pytest.param("git~x", "git~x", id="git~ without a number"),
        pytest.param("com10", "com10", id="com10"),
    ],
)
def test_names_that_are_fine(path: str, normal: str) -> None:
    assert confined(path) == normal


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        pytest.param("../outside.txt", "path_escape", id="A01"),
        pytest.param("/etc/cron.d/x", "path_absolute", id="A02"),
        pytest.param("../ws-evil/x", "path_escape", id="A03"),
        pytest.param("a/../../x", "path_escape", id="A03 inside"),
        pytest.param("./../x", "path_escape", id="A03 after a dot"),
        pytest.param("a\0b", "path_nul", id="A07"),
        pytest.param("../a\0b", "path_nul", id="A07 first"),
        pytest.param(".git/hooks/pre-commit", "path_git_dir", id="A08"),
        pytest.param("sub/.git/config", "path_git_dir", id="A08 below"),
        pytest.param(".git", "path_git_dir", id="A08 itself"),
        pytest.param(".GIT/config", "path_git_dir", id="A09 upper"),
        pytest.param(".Git/hooks/x", "path_git_dir", id="A09 mixed"),
        pytest.param("GIT~1/config", "path_git_dir", id="A09 short name"),
        pytest.param(".git./x", "path_git_dir", id="A09 dot"),
        pytest.param(".git /x", "path_git_dir", id="A09 space"),
        pytest.param(".git::$INDEX_ALLOCATION/x", "path_git_dir", id="A09 stream"),
        pytest.param(".g\u200cit/config", "path_git_dir", id="A10"),
        pytest.param("\ufeff.git/config", "path_git_dir", id="A10 mark"),
        pytest.param("sub\\..\\..\\x", "path_backslash", id="A11"),
        pytest.param("C:\\x", "path_backslash", id="A11 drive"),
        pytest.param("C:/x", "path_drive", id="A11 drive, slash"),
        pytest.param("\\\\srv\\s\\x", "path_backslash", id="A11 share"),
        pytest.param("con.txt", "path_not_portable", id="A12 con.txt"),
        pytest.param("src/aux", "path_not_portable", id="A12 aux"),
        pytest.param("Nul .txt", "path_not_portable", id="A12 nul"),
        pytest.param("com¹", "path_not_portable", id="A12 com¹"),
        pytest.param("file:stream", "path_not_portable", id="A12 stream"),
        pytest.param("f:stream", "path_not_portable", id="A12 stream of one letter"),
        pytest.param("C:", "path_drive", id="A11 drive alone"),
        pytest.param("name.", "path_not_portable", id="A12 dot"),
        pytest.param("name ", "path_not_portable", id="A12 space"),
        pytest.param("/".join(["d"] * 5000), "path_too_long", id="A16 deep"),
        pytest.param("x" * 300, "path_too_long", id="A16 name"),
        pytest.param("é" * 128, "path_too_long", id="A16 name in bytes"),
        pytest.param("/".join(["d" * 200] * 21), "path_too_long", id="A16 whole"),
        pytest.param("", "path_not_normal", id="A17 empty"),
        pytest.param(".", "path_not_normal", id="A17 dot"),
        pytest.param("./", "path_not_normal", id="A17 dot slash"),
        pytest.param("a//b", "path_not_normal", id="A17 double"),
        pytest.param("a/", "path_not_normal", id="A17 folder"),
        pytest.param("a/./b", "path_not_normal", id="A17 dot inside"),
        pytest.param("a\nb", "path_control", id="newline"),
        pytest.param("a\x1b[31m", "path_control", id="escape"),
        pytest.param("a\x85b", "path_control", id="C1"),
        pytest.param("a\ud800b", "path_encoding", id="B05 half a surrogate pair"),
    ],
)
def test_names_that_no_workspace_may_hold(path: str, kind: str) -> None:
    with pytest.raises(PathRefused) as caught:
        confined(path)
    assert caught.value.kind == kind


def test_the_message_says_what_and_why() -> None:
    with pytest.raises(PathRefused) as caught:
        confined("../outside.txt")
    assert caught.value.message == "'../outside.txt' leads out of the workspace"


@given(st.text())
def test_any_text_is_a_path_beneath_the_workspace_or_refused(path: str) -> None:
    try:
        normal = confined(path)
    except PathRefused:
        return
    assert confined(normal) == normal
    assert posixpath.normpath(posixpath.join("/ws", normal)) == f"/ws/{normal}"


@given(st.text())
def test_folding_twice_is_folding_once(name: str) -> None:
    assert fold(fold(name)) == fold(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("README.md", "readme.md", id="A13 case"),
        pytest.param("é.py", "e\u0301.py", id="A14 composition"),
        pytest.param("a\u200b.py", "a.py", id="invisible"),
        pytest.param("straße", "STRASSE", id="sharp s"),
        pytest.param("\u01f0", "\u004a\u030c", id="decomposed by its case"),
    ],
)
def test_names_that_some_file_system_does_not_tell_apart_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_only_gits_own_folder_is_gits_own() -> None:
    assert [name for name in (".git", ".gıt", "git", ".gitx", "git~1", "GIT~12", ".git.. ") if is_git_dir(name)] == [
        ".git",
        "git~1",
        "GIT~12",
        ".git.. ",
    ]


@pytest.mark.parametrize(
    ("path", "directory", "found"),
    [
        pytest.param("/home/u/repo/src/a.py", "/home/u/repo", "src/a.py", id="absolute"),
        pytest.param("/home/u/repo/src/a.py", "/home/u/repo/", "src/a.py", id="directory with a slash"),
        pytest.param("/home/u/repo/x/../a.py", "/home/u/repo", "a.py", id="absolute, with dots"),
        pytest.param("a/./b", None, "a/b", id="dot"),
        pytest.param("a/x/../b", None, "a/b", id="dots inside"),
        pytest.param("./a.py", "/home/u/repo", "a.py", id="relative"),
        pytest.param("C:\\Users\\u\\repo\\src\\a.py", "C:\\Users\\u\\repo", "src/a.py", id="Windows"),
        pytest.param("c:/Users/u/repo/src/a.py", "C:\\Users\\u\\repo", "src/a.py", id="Windows, slashes"),
        pytest.param("src\\a.py", "C:\\Users\\u\\repo", "src/a.py", id="Windows, relative"),
        pytest.param("\\\\srv\\s\\repo\\a.py", "\\\\srv\\s\\repo", "a.py", id="share"),
        pytest.param("//SRV/S/repo/src/a.py", "\\\\srv\\s\\repo", "src/a.py", id="share, slashes"),
        pytest.param("\\\\srv\\s\\a.py", "//srv/s", "a.py", id="the share itself"),
        pytest.param("src\\a.py", "\\\\srv\\s\\repo", "src/a.py", id="share, relative"),
        pytest.param("//home/u/repo/a.py", "//home/u/repo", "a.py", id="POSIX, two slashes"),
    ],
)
def test_a_recorded_path_becomes_one_of_the_workspace(path: str, directory: str | None, found: str) -> None:
    assert into(path, directory) == found


@pytest.mark.parametrize(
    ("path", "directory", "kind"),
    [
        pytest.param("/etc/passwd", "/home/u/repo", "path_absolute", id="elsewhere"),
        pytest.param("/home/u/repo-evil/x", "/home/u/repo", "path_absolute", id="same start"),
        pytest.param("/home/u/repo/../x", "/home/u/repo", "path_absolute", id="out again"),
        pytest.param("/home/u/repo", "/home/u/repo", "path_absolute", id="the directory itself"),
        pytest.param("/etc/passwd", "/", "path_absolute", id="directory is the root"),
        pytest.param("/home/u/repo/a", None, "path_absolute", id="no directory"),
        pytest.param("a/../../x", "/home/u/repo", "path_escape", id="relative, out"),
        pytest.param("/home/u/repo/.git/config", "/home/u/repo", "path_git_dir", id="git"),
        pytest.param("src\\a.py", "/home/u/repo", "path_backslash", id="backslash is no slash here"),
        pytest.param("D:\\Users\\u\\repo\\a.py", "C:\\Users\\u\\repo", "path_absolute", id="another drive"),
        pytest.param("C:\\Windows\\x", "C:\\Users\\u\\repo", "path_absolute", id="Windows, elsewhere"),
        pytest.param("..\\x", "C:\\Users\\u\\repo", "path_escape", id="Windows, out"),
        pytest.param("\\\\srv\\s\\x", None, "path_backslash", id="A11 share, no directory"),
        pytest.param("\\\\srv\\s\\x", "/home/u/repo", "path_backslash", id="A11 share, POSIX"),
        pytest.param("\\\\srv\\s\\x", "C:\\repo", "path_absolute", id="A11 share, drive"),
        pytest.param("\\\\srv\\s\\x", "\\\\srv\\t", "path_absolute", id="A11 another share"),
        pytest.param("\\\\srv\\s\\repository\\x", "\\\\srv\\s\\repo", "path_absolute", id="share, same start"),
        pytest.param("\\\\srv\\s\\repo\\..\\x", "\\\\srv\\s\\repo", "path_absolute", id="share, out again"),
        pytest.param("sub\\..\\..\\x", "\\\\srv\\s\\repo", "path_escape", id="A11 share, relative, out"),
        pytest.param("\\x", "\\\\srv\\s\\repo", "path_absolute", id="share, from the top"),
        pytest.param("C:\\x", "\\\\srv\\s\\repo", "path_absolute", id="share, drive"),
        pytest.param("C:x", "\\\\srv\\s\\repo", "path_drive", id="share, a drive's folder"),
        pytest.param("", "/home/u/repo", "path_not_normal", id="empty"),
        pytest.param("a//b", None, "path_not_normal", id="A17 double"),
        pytest.param("a/", "/home/u/repo", "path_not_normal", id="A17 folder"),
        pytest.param("/home/u/repo/a//b", "/home/u/repo", "path_not_normal", id="A17 double, absolute"),
        pytest.param("/home/u/repo/a/", "/home/u/repo/", "path_not_normal", id="A17 folder, absolute"),
        pytest.param("/home/u/repo/\ud800", "/home/u/repo", "path_encoding", id="surrogate"),
    ],
)
def test_a_recorded_path_outside_is_refused(path: str, directory: str | None, kind: str) -> None:
    with pytest.raises(PathRefused) as caught:
        into(path, directory)
    assert caught.value.kind == kind


@given(st.text(), st.none() | st.text())
def test_any_recorded_path_is_beneath_or_refused(path: str, directory: str | None) -> None:
    try:
        found = into(path, directory)
    except PathRefused:
        return
    assert confined(found) == found
