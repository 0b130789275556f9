"""The manifest of a bundle: written the same everywhere, read strictly, and every difference found."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.bundles.seal import MANIFEST, SCHEMA, Difference, difference, hashed, read, render, seal
from gate.digest import sha256
from gate.errors import BundleError
from gate.source import DiskTree
from gate.tree import MemoryTree

A, B = sha256(b"a"), sha256(b"b")
GOOD: dict[str, Any] = {
    "schema": SCHEMA,
    "created_unix": 1_700_000_000,
    "file_count": 1,
    "files": [{"path": "tasks/a/prompt.md", "sha256": A}],
}


def test_is_written_as_it_is_documented() -> None:
    assert render(seal({"b": B, "a": A}, created=7)).decode() == (
        f"""{{
  "schema": "oracle-bundle/v1",
  "created_unix": 7,
  "file_count": 2,
  "files": [
    {{
      "path": "a",
      "sha256": "{A}"
    }},
    {{
      "path": "b",
      "sha256": "{B}"
    }}
  ]
}}
"""
    )


@given(st.dictionaries(st.from_regex(r"[a-z]{1,4}(/[a-z]{1,3})?", fullmatch=True), st.sampled_from([A, B])))
def test_is_read_as_it_was_written(files: dict[str, str]) -> None:
    found = read(render(seal(files, created=3)), "b")
    assert (found.digests, found.created_unix) == (files, 3)
    assert not difference(found, files)


def test_another_layout_of_the_same_is_read_too() -> None:
    assert read(json.dumps(GOOD, indent=7).encode(), "b").digests == {"tasks/a/prompt.md": A}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(
            {"schema": "oracle-bundle/v2"},
            "b/manifest.json: `schema`: expected 'oracle-bundle/v1', found 'oracle-bundle/v2'; it is from a newer "
            "version, so update the gate",
            id="newer",
        ),
        pytest.param(
            {"schema": "other/v1"},
            "b/manifest.json: `schema`: expected 'oracle-bundle/v1', found 'other/v1'",
            id="another schema",
        ),
        pytest.param(
            {"schema": None},
            "b/manifest.json: expected a mapping with `schema: oracle-bundle/v1`, found a mapping with `created_unix`, "
            "`file_count`, `files`",
            id="no schema",
        ),
        pytest.param({"created_unix": None}, "b/manifest.json:1: `created_unix` is missing", id="no time"),
        pytest.param(
            {"created_unix": -1},
            "b/manifest.json: `created_unix`: expected a time in seconds, found -1",
            id="before time",
        ),
        pytest.param(
            {"created_unix": 10**15},
            "b/manifest.json: `created_unix`: expected a time in seconds, found 1000000000000000",
            id="after time",
        ),
        pytest.param({"files": None}, "b/manifest.json:1: `files` is missing", id="no files"),
        pytest.param(
            {"files": [{"path": "x"}]}, "b/manifest.json:1: `files[0]`: `sha256` is missing", id="a file without hash"
        ),
        pytest.param(
            {"files": [{"path": 1, "sha256": A}]},
            "b/manifest.json:1: `files[0].path`: expected text, found 1",
            id="no text",
        ),
        pytest.param(
            {"mode": 1},
            "b/manifest.json:1: `mode`: unknown key; known here: `created_unix`, `file_count`, `files`, `schema`",
            id="a key that nobody acts on",
        ),
        pytest.param({"file_count": 2}, "b/manifest.json: `file_count` is 2, and 1 files are listed", id="count"),
        pytest.param(
            {"files": [{"path": "../x", "sha256": A}]},
            "b: a bundle cannot hold this file: '../x' leads out of the bundle",
            id="..",
        ),
        pytest.param(
            {"files": [{"path": "/etc/passwd", "sha256": A}]},
            "b: a bundle cannot hold this file: '/etc/passwd' is absolute; expected a path inside the bundle",
            id="absolute",
        ),
        pytest.param(
            {"files": [{"path": "./x", "sha256": A}]},
            "b: a bundle cannot hold this file: './x' is not a path in normal form",
            id="not normal",
        ),
        pytest.param(
            {"files": [{"path": "env_pin.json", "sha256": A}]},
            "b/manifest.json: it lists env_pin.json, which no manifest of a bundle hashes",
            id="lists the pin",
        ),
        pytest.param(
            {"files": [{"path": "x", "sha256": A.upper()}]},
            f"b/manifest.json: `sha256` of x: expected 64 hexadecimal digits, found '{A.upper()}'",
            id="no hash",
        ),
        pytest.param(
            {"files": [{"path": "x", "sha256": A}, {"path": "x", "sha256": B}], "file_count": 2},
            "b/manifest.json: it lists x twice",
            id="twice",
        ),
    ],
)
def test_what_is_refused(change: dict[str, Any], message: str) -> None:
    document = {key: value for key, value in {**GOOD, **change}.items() if value is not None}
    with pytest.raises(BundleError) as caught:
        read(json.dumps(document).encode(), "b")
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "b/manifest.json: expected a mapping with `schema: oracle-bundle/v1`, found nothing"),
        (b"[]", "b/manifest.json: expected a mapping with `schema: oracle-bundle/v1`, found a list of 0"),
        (b"\xff{}", "b/manifest.json: the text is not UTF-8: byte 0 is not valid"),
        (b'{"schema": 1, "schema": 2}', "b/manifest.json: the key `schema` stands twice in one object"),
        (b"[" * 100_000, "b/manifest.json: nested deeper than 64 levels"),
    ],
    ids=["empty", "list", "no text", "twice", "deep"],
)
def test_what_is_no_manifest(data: bytes, message: str) -> None:
    with pytest.raises(BundleError) as caught:
        read(data, "b")
    assert caught.value.message == message


def test_a_key_that_stands_twice_is_no_valid_manifest_even_when_its_values_agree() -> None:
    data = render(seal({"x": A}, created=1)).replace(b'"created_unix": 1,', b'"created_unix": 1, "created_unix": 1,')
    with pytest.raises(BundleError, match="stands twice"):
        read(data, "b")


def test_every_difference_is_named() -> None:
    sealed = read(render(seal({"gone": A, "same": A, "other": A}, created=1)), "b")
    found = difference(sealed, {"same": A, "other": B, "new": A})
    assert found == Difference(missing=("gone",), added=("new",), changed=("other",))
    assert found.lines == ["missing gone", "added   new", "changed other"]
    assert found.counts == "1 missing, 1 added, 1 changed"


def test_only_the_two_names_at_the_root_are_left_out(tmp_path: Path) -> None:
    names = ("manifest.json", "env_pin.json", "tasks/a/fixtures/manifest.json", "tasks/a/fixtures/env_pin.json")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text('{"schema": "another"}')
    assert list(hashed(DiskTree(tmp_path), "b")) == ["tasks/a/fixtures/env_pin.json", "tasks/a/fixtures/manifest.json"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        pytest.param(
            "tasks/a/fixtures/inner/manifest.json",
            b'{"schema": "oracle-bundle/v9"}',
            "b: tasks/a/fixtures/inner/manifest.json is the manifest of another bundle; a bundle holds none, so keep "
            "them side by side",
            id="a bundle in a bundle",
        ),
        pytest.param(
            "tasks/a/CON",
            b"",
            "b: a bundle cannot hold this file: 'CON' is not a file name on every system",
            id="a name that is none elsewhere",
        ),
        pytest.param("tasks/\udcff", b"", "b: the name 'tasks/\\udcff' is not UTF-8", id="not UTF-8"),
    ],
)
def test_what_no_bundle_holds(name: str, data: bytes, message: str) -> None:
    with pytest.raises(BundleError) as caught:
        hashed(MemoryTree({name: data}), "b")
    assert caught.value.message == message


def test_links_are_refused(tmp_path: Path) -> None:
    (tmp_path / "tasks").symlink_to("/etc")
    with pytest.raises(BundleError) as caught:
        hashed(DiskTree(tmp_path), "b")
    assert caught.value.message == "b: tasks is a symbolic link; expected a plain file"


def test_names_of_the_manifest_itself() -> None:
    assert MANIFEST == "manifest.json"
