"""A bundle as a whole: verified before anything of it is read."""

import json
from pathlib import Path

import pytest

from gate.bundles.contents import opened
from gate.bundles.overlap import SCHEMA
from gate.digest import sha256
from gate.errors import BundleError
from gate.source import DiskTree
from gate.tree import MemoryTree, Subtree
from tests.bundles.folder import bundle, seal, task, write


def test_what_is_read(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench")
    found = opened(DiskTree(folder), "bench")
    assert found.tasks == ("sum-01", "sum-02")
    assert found.digest == sha256((folder / "manifest.json").read_bytes())
    assert found.pin_digest == sha256((folder / "env_pin.json").read_bytes())
    assert found.measures.budget == {"wall_clock_seconds": 600.0, "tokens": 20000.0}
    assert found.scan is None
    assert found.said() == {"sum-01": [], "sum-02": []}
    assert found.task("sum-01").read("prompt.md").startswith(b"Mend `add`")


def test_it_is_read_alike_from_the_disk_and_from_memory(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench")
    files = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    found = opened(Subtree(MemoryTree(files), "bench"), "bench")
    assert found.digest == opened(DiskTree(folder), "bench").digest


def test_without_metrics_and_pin(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench", pin=False)
    (folder / "metrics.json").unlink()
    seal(folder)
    (folder / "env_pin.json").unlink()
    found = opened(DiskTree(folder), "bench")
    assert (found.pin, found.pin_digest, found.metrics) == (None, None, None)
    assert found.measures.ngram_width == 12


def test_a_fixture_named_like_the_manifest_is_verified(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench", more={"tasks/sum-01/fixtures/manifest.json": "{}"})
    write(folder, {"tasks/sum-01/fixtures/manifest.json": "[]"})
    with pytest.raises(BundleError) as caught:
        opened(DiskTree(folder), "bench")
    assert caught.value.message == (
        "bench is not what its manifest.json says (1 changed): changed tasks/sum-01/fixtures/manifest.json; nothing of "
        "it is judged. `gate bundle verify bench` names each file"
    )


def test_many_differences_are_cut(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench")
    write(folder, {f"tasks/sum-01/fixtures/f{number}": "" for number in range(7)})
    with pytest.raises(BundleError) as caught:
        opened(DiskTree(folder), "bench")
    assert "fixtures/f4 and 2 more; nothing of it is judged" in caught.value.message
    assert caught.value.kind == "mismatch"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "b: there is no manifest.json, so nothing says what the bundle held; write one with `gate bundle pin b`"),
        (
            {"manifest.json": b'{"schema": "oracle-bundle/v1", "created_unix": 0, "file_count": 0, "files": []}'},
            "b: there is no task in b/tasks; expected a folder for each",
        ),
    ],
)
def test_faults(files: dict[str, bytes], message: str) -> None:
    with pytest.raises(BundleError) as caught:
        opened(MemoryTree(files), "b")
    assert caught.value.message == message


def test_what_a_scan_found_is_said_of_the_task(tmp_path: Path) -> None:
    prompt = task(1)["prompt.md"].encode()
    overlaps = [{"id": "sum-01", "prompt": 0.25, "prompt_sha256": sha256(prompt), "seen_in": ["web/page.txt"]}]
    scan = {"schema": SCHEMA, "ngram_width": 12, "overlap_threshold": 0.05, "corpora": [], "tasks": overlaps}
    folder = bundle(tmp_path / "bench", more={"scan.json": json.dumps(scan)})
    assert opened(DiskTree(folder), "bench").said() == {
        "sum-01": [
            "contamination: 25.00% of its n-grams of 12 words stand in a corpus (web/page.txt); from 5.00% on a task is "
            "flagged"
        ],
        "sum-02": ["scan.json does not know this prompt as it is: run `gate bundle scan` again"],
    }


def test_a_licence_note_is_missed(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench", pin=False)
    (folder / "tasks/sum-02/LICENSE.md").unlink()
    (folder / "tasks/sum-01/LICENSE.md").rename(folder / "tasks/sum-01/Copying")
    seal(folder)
    assert opened(DiskTree(folder), "bench").said() == {
        "sum-01": [],
        "sum-02": ["the task has no note on its licence: add tasks/sum-02/LICENSE.md"],
    }
