"""A bundle's texts looked for in files, folders and lines of JSON; and what `gate bundle scan` says of it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gate.bundles import overlap
from gate.bundles.metrics import Metrics
from gate.bundles.overlap import Corpus, Scan
from gate.bundles.scan import scan
from gate.digest import sha256
from gate.errors import BundleError, UsageError
from gate.source import DiskTree
from tests.bundles.folder import bundle, task, write
from tests.commands.repository import gate
from tests.conftest import ROOT

PROMPT = task(1)["prompt.md"]
GOLDEN = (
    "--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,3 @@\n def add(one, other):\n-    return one - other\n"
    "+    first, second = int(one), int(other)  # what a caller hands over may be text\n+    return first + second\n"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    bundle(tmp_path / "bench", pin=False, more={"tasks/sum-02/golden.patch": GOLDEN})
    return tmp_path


def found(root: Path, *corpora: str, measures: Metrics | None = None) -> Scan:
    return scan(DiskTree(root / "bench"), "bench", corpora, measures=measures or Metrics(), folder=root)


def parts(result: Scan) -> list[tuple[str, float | None, float | None, tuple[str, ...]]]:
    return [(one.id, one.prompt, one.golden, one.seen_in) for one in result.tasks]


def test_files_folders_and_lines(root: Path) -> None:
    solution = "first, second = int(one), int(other)  # what a caller hands over may be text return first + second"
    write(
        root,
        {
            "web/page.txt": f"before\n{PROMPT.upper()}\nafter",
            "web/deep/code.py": solution,
            "web/image.png": b"\x89PNG\0\0" + PROMPT.encode(),
            "lines.jsonl": json.dumps({"id": 1, "body": {"text": ["x", PROMPT]}}) + "\nno json\n",
        },
    )
    result = found(root, "web", "lines.jsonl")
    (one, one_prompt, one_golden, one_seen), (two, _, two_golden, two_seen) = parts(result)
    assert (one, one_prompt, one_golden, one_seen) == ("sum-01", 1.0, None, ("web/page.txt", "lines.jsonl"))
    assert (two, two_golden) == ("sum-02", 1.0)
    assert "web/deep/code.py" in two_seen
    sizes = [
        sum((root / name).stat().st_size for name in names)
        for names in (["web/page.txt", "web/deep/code.py"], ["lines.jsonl"])
    ]
    assert result.corpora == (
        Corpus(name="web", texts=2, bytes=sizes[0], skipped=1, left_out=("web/image.png: binary",)),
        Corpus(name="lines.jsonl", texts=3, bytes=sizes[1], broken_lines=1, broken=("lines.jsonl:2: no JSON",)),
    )
    assert [one.id for one in result.flagged] == ["sum-01", "sum-02"]


def test_names_that_are_not_utf_8_are_shown(root: Path) -> None:
    write(root, {"web\udcff": PROMPT})
    done = gate(root, "bundle", "scan", "bench", "web\udcff", "--write")
    assert (done.stdout.splitlines()[0], done.stderr) == ("searched web\\xff: 1 text, 75 bytes", "")
    written = overlap.read((root / "bench/scan.json").read_bytes(), "bench")
    assert (written.corpora[0].name, written.tasks[0].seen_in) == ("web\\xff", ("web\\xff",))


def test_nothing_found(root: Path) -> None:
    write(root, {"web/page.txt": "Mend calc.py and write a file with that sum."})
    result = found(root, "web/page.txt")
    assert parts(result) == [("sum-01", 0.0, None, ()), ("sum-02", 0.0, 0.0, ())]
    assert result.flagged == ()


def test_texts_do_not_run_into_each_other(root: Path) -> None:
    words = PROMPT.split()
    write(root, {"a/1": " ".join(words[:8]), "a/2": " ".join(words[8:]), "b.jsonl": ""})
    write(root, {"b.jsonl": json.dumps([" ".join(words[:8]) + "\n", " ".join(words[8:])])})
    assert [one.prompt for one in found(root, "a", "b.jsonl").tasks] == [0.0, 0.0]


def test_links_are_not_followed(root: Path) -> None:
    write(root, {"elsewhere/page.txt": PROMPT})
    (root / "web").mkdir()
    (root / "web/link").symlink_to("../elsewhere/page.txt")
    (root / "web/folder").symlink_to("../elsewhere")
    result = found(root, "web")
    assert result.tasks[0].prompt == 0.0
    assert (result.corpora[0].skipped, result.corpora[0].texts) == (2, 0)
    assert result.corpora[0].left_out == ("web/folder: a symbolic link", "web/link: a symbolic link")


def test_width_and_threshold_are_the_bundle_s(root: Path) -> None:
    write(root, {"page.txt": " ".join(PROMPT.split()[:5])})
    assert found(root, "page.txt").tasks[0].prompt == 0.0
    result = found(root, "page.txt", measures=Metrics(ngram_width=5, overlap_threshold=0.2))
    assert result.tasks[0].prompt == round(1 / (len(PROMPT.split()) - 4), 4)
    assert result.flagged == ()


def test_no_such_corpus(root: Path) -> None:
    with pytest.raises(UsageError, match=r"^none: there is no such file or folder to search$"):
        found(root, "none")


def test_the_result_is_read_as_it_was_written(root: Path) -> None:
    write(root, {"page.txt": PROMPT})
    result = found(root, "page.txt")
    assert overlap.read(overlap.render(result), "bench") == result
    with pytest.raises(BundleError, match=r"^bench/scan.json: `schema`: expected 'oracle-bundle-scan/v1', found 'x'$"):
        overlap.read(overlap.render(result).replace(b"oracle-bundle-scan/v1", b"x"), "bench")
    with pytest.raises(BundleError, match=r"^bench/scan.json:1: `tasks` is missing$"):
        overlap.read(b'{"schema": "x", "ngram_width": 1, "overlap_threshold": 1, "corpora": []}', "bench")


def test_the_verb(root: Path) -> None:
    write(root, {"web/page.txt": PROMPT})
    done = gate(root, "bundle", "scan", "bench", "web")
    size = len(PROMPT)
    shown = (
        f"searched web: 1 text, {size} bytes\nflagged sum-01: prompt 100.00% (web/page.txt)\n"
        "clean   sum-02: prompt 0.00%, golden input 0.00%\n"
        "1 of 2 tasks flagged (n-grams of 12 words, threshold 5.00%)\n"
    )
    assert (done.stdout, done.returncode) == (shown, 1)
    done = gate(root, "bundle", "scan", "bench", "web", "--write")
    assert done.stdout == f"{shown}written bench/scan.json: pin the bundle again, and every report discloses it\n"
    assert done.returncode == 0
    assert json.loads((root / "bench/scan.json").read_text())["tasks"][0]["prompt_sha256"] == sha256(PROMPT.encode())
    done = gate(root, "bundle", "pin", "bench", SOURCE_DATE_EPOCH="1")
    assert (
        "note   sum-01: contamination: 100.00% of its n-grams of 12 words stand in a corpus (web/page.txt); from 5.00% "
        "on a task is flagged" in done.stdout.splitlines()
    )


def test_what_is_not_searched_is_named(root: Path) -> None:
    write(
        root,
        {
            "web/a.txt": "some text",
            "web/deep/more.txt": PROMPT,
            "web/image.png": b"\x89PNG\0\0",
            "web/.git/config": PROMPT,
            "web/lines.jsonl": '{"a": "x"}\n{"a":\n\n[' + "[" * 100_000 + "\n",
            **{f"many/{number:02}.bin": b"\0" for number in range(25)},
            "many/one.txt": "text",
        },
    )
    (root / "web/link").symlink_to("a.txt")
    os.mkfifo(root / "web/pipe")
    done = gate(root, "bundle", "scan", "bench", "web", "many", "--write")
    named = done.stdout.splitlines()
    assert named[1:9] == [
        "left out web/.git: git's own",
        "left out web/image.png: binary",
        "left out web/link: a symbolic link",
        "left out web/pipe: no regular file",
        "broken   web/lines.jsonl:2: no JSON",
        "broken   web/lines.jsonl:4: JSON that is nested too deeply",
        "note     4 files of the corpus web were not searched",
        "note     2 lines of the corpus web are no JSON, and searched as text",
    ]
    assert named[10:13] == [f"left out many/{number:02}.bin: binary" for number in range(3)]
    assert named[30:32] == ["left out … and 5 more", "note     25 files of the corpus many were not searched"]
    assert "flagged sum-01: prompt 100.00% (web/deep/more.txt)" in named
    web, many = overlap.read((root / "bench/scan.json").read_bytes(), "bench").corpora
    assert (web.texts, web.skipped, web.broken_lines) == (5, 4, 2)
    assert (many.texts, many.skipped, len(many.left_out)) == (1, 25, 20)


def test_the_bundle_itself_is_no_corpus(root: Path) -> None:
    write(root, {"page.txt": "text"})
    result = found(root, ".")
    assert result.corpora[0].left_out == ("./bench: the bundle itself",)
    assert (result.corpora[0].texts, result.flagged) == (1, ())
    assert found(root, "bench").corpora[0].texts == 0
    assert found(root, "bench/tasks/sum-01/prompt.md").tasks[0].prompt == 1.0, "a file that is named is searched"


def test_what_cannot_be_read_is_left_out(root: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser reads everything")
    write(root, {"web/a.txt": "text", "web/secret.txt": PROMPT, "web/folder/b.txt": PROMPT})
    (root / "web/secret.txt").chmod(0)
    (root / "web/folder").chmod(0)
    left = found(root, "web").corpora[0].left_out
    (root / "web/folder").chmod(0o700)
    assert left == (
        "web/secret.txt: cannot be read: Permission denied",
        "web/folder: cannot be read: Permission denied",
    )


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"web/image.png": b"\0"}, id="binary alone"),
        pytest.param({"web/empty.txt": ""}, id="empty"),
        pytest.param({"web/numbers.jsonl": "[1, 2]\n\n"}, id="no text in its lines"),
    ],
)
def test_a_corpus_of_which_nothing_was_read_proves_nothing(root: Path, files: dict[str, str | bytes]) -> None:
    write(root, {**files, "page.txt": "text"})
    done = gate(root, "bundle", "scan", "bench", "page.txt", "web", "--write")
    assert done.returncode == 2
    assert done.stdout.splitlines()[-2:] == [
        "note     nothing of the corpus web could be searched",
        "what was not searched says nothing of the prompts: name corpora of text, or take these away",
    ]
    assert "clean" not in done.stdout
    assert not (root / "bench/scan.json").exists()


def test_a_long_line_is_searched_as_it_stands(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.bundles.corpora._LONGEST_LINE", 64)
    write(root, {"lines.jsonl": json.dumps({"a": "x " * 40 + PROMPT}) + "\n" + json.dumps("short") + "\n"})
    result = found(root, "lines.jsonl")
    assert result.corpora[0].broken == ("lines.jsonl:1: longer than 64 bytes",)
    assert result.tasks[0].prompt is not None
    assert result.tasks[0].prompt > 0.5


def test_memory_does_not_grow_with_the_corpus(root: Path) -> None:
    """64 MiB of text and as much in one line: as large as the test may be; a gigabyte takes no more."""
    words = "lorem ipsum dolor sit amet consetetur sadipscing elitr sed diam nonumy eirmod\n" * 14_000
    with (root / "corpus.txt").open("w") as file:
        for _ in range(64):
            file.write(words)
        file.write(PROMPT)
    code = (
        "import resource, sys\nfrom pathlib import Path\nfrom gate.bundles.metrics import Metrics\n"
        "from gate.bundles.scan import scan\nfrom gate.source import DiskTree\n"
        "small = sys.argv[1] == 'small'\nbench = DiskTree(Path('bench'))\n"
        "found = scan(bench, 'bench', ['bench/metrics.json' if small else 'corpus.txt'], measures=Metrics(), folder=Path())\n"
        "print(found.tasks[0].prompt, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)\n"
    )
    peaks = []
    for size, expected in (("small", "0.0"), ("large", "1.0")):
        done = subprocess.run(
            [sys.executable, "-c", code, size],
            cwd=root,
            env={"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        part, peak = done.stdout.split()
        assert part == expected
        peaks.append(int(peak))
    assert peaks[1] - peaks[0] < 60, peaks
