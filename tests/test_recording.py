"""How a recording is recognised and decoded, and how new readers are found."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gate import recording
from gate.errors import RecordingError
from gate.recording import Recording, Sample
from gate.trajectory import Dropped

SESSION = b'{"type":"user","sessionId":"s","uuid":"u","parentUuid":null,"message":{"role":"user","content":"hi"}}\n'
BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        pytest.param(b"", [], id="empty"),
        pytest.param(b"a\nb", [(1, b"a\n"), (2, b"b")], id="without a last line end"),
        pytest.param(BOM + b"a\n", [(1, b"a\n")], id="a byte order mark"),
        pytest.param(
            "a\u2028b\u0085c\rd\x0c\n".encode(), [(1, "a\u2028b\u0085c\rd\x0c\n".encode())], id="only lf ends one"
        ),
    ],
)
def test_lines(data: bytes, lines: list[tuple[int, bytes]]) -> None:
    found = Recording(data)
    assert list(found.lines()) == lines
    assert list(found.lines()) == lines  # as often as they are asked for


@pytest.mark.parametrize("mark", [b"", BOM])
def test_lines_at_places(mark: bytes) -> None:
    found = Recording(mark + b"first\nsecond\n\nlast")
    assert list(found.lines_at([(1, 0), (2, 6), (4, 14)])) == [(1, b"first\n"), (2, b"second\n"), (4, b"last")]
    assert list(found.lines_at([(2, 6)])) == [(2, b"second\n")]


def test_lines_of_a_file_are_read_anew(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(SESSION * 3)
    found = Recording(lambda: file.open("rb"), "a.jsonl")
    assert recording.read(found).path == "a.jsonl"
    assert len(list(found.lines())) == len(list(found.lines())) == 3


def test_records() -> None:
    data = b'{"a": 1}\n\n  \nnoise\n[1]\n"\xff"\n{"b": 2}\n{"c": '
    dropped: list[Dropped] = []
    records = list(Recording(data).records(dropped, harmless=lambda line: line == b"noise\n"))
    assert records == [(1, {"a": 1}), (7, {"b": 2})]
    assert dropped == [
        Dropped(line=4, reason="line 4: it is no JSON at column 1 (Expecting value)", grave=False),
        Dropped(line=5, reason="line 5 holds a list; expected a JSON object", grave=True),
        Dropped(line=6, reason="line 6: byte 1 is not UTF-8", grave=True),
        Dropped(line=8, reason="line 8 breaks off: it is no JSON at column 7 (Expecting value)", grave=True),
    ]


def test_document_says_which_file() -> None:
    with pytest.raises(RecordingError, match=r"^x\.json: it is no JSON at column 2 \(Expecting property name"):
        Recording(b"{", "x.json").document()


@pytest.mark.parametrize(
    ("data", "records", "document"),
    [
        pytest.param(b"", 0, None, id="empty"),
        pytest.param(b"# aider\n", 0, None, id="no json"),
        pytest.param(b'{"a": 1}\n{"b": 2}\n', 2, None, id="lines"),
        pytest.param(b'{"a": 1}\n', 1, {"a": 1}, id="one line is a document too"),
        pytest.param(b'{\n"a":\n{"b": 1}\n}', 0, {"a": {"b": 1}}, id="a document over lines has no records"),
        pytest.param(b"[\n1\n]", 0, [1], id="a list"),
        pytest.param(b'warning: x\n{"a": 1}\n', 1, None, id="noise before the lines"),
        pytest.param(b'{"a": \n{"a": 1}\n{"a": 2}\n', 2, None, id="the first line broken"),
        pytest.param(b'{"a": 1}\n' * 100, 64, None, id="at most 64"),
        pytest.param(b'{"a": "' + b"x" * 200_000 + b'"}\n{"b": 1}\n', 2, None, id="a first line beyond the head"),
        pytest.param(b'{"a": "' + b"x" * 200_000 + b'"}', 1, {"a": "x" * 200_000}, id="one long line"),
    ],
)
def test_sample(data: bytes, records: int, document: Any) -> None:
    sample = Sample(Recording(data))
    assert (len(sample.records), sample.document) == (records, document)


def test_sample_looks_at_the_head_only() -> None:
    sample = Sample(Recording(b"\xff" + b"x" * 100_000))
    assert (len(sample.head), sample.text[:2]) == (64 * 1024, "\ufffdx")


KNOWN = ", ".join(reader.name for reader in recording.readers())


@pytest.mark.parametrize(
    ("data", "message", "kind"),
    [
        pytest.param(b"", "x: the file is empty; expected a recording", "format", id="empty"),
        pytest.param(
            b"\n\xef\xbb\xbf# notes of today\n",
            f"x: no reader knows this format: it begins with '\\ufeff# notes of today'; known are {KNOWN}",
            "format",
            id="text",
        ),
        pytest.param(
            b'{"z": 1, "y": 2}\n{}\n',
            f"x: no reader knows this format: the first object has the keys 'z', 'y'; known are {KNOWN}",
            "format",
            id="lines",
        ),
        pytest.param(
            b'{\n"z": 1}',
            f"x: no reader knows this format: a JSON document with the keys 'z'; known are {KNOWN}",
            "format",
            id="a document",
        ),
        pytest.param(
            b"[\n1\n]",
            f"x: no reader knows this format: a JSON document that is a list; known are {KNOWN}",
            "format",
            id="a list",
        ),
        pytest.param(
            b'{"steps": [\n{"tool": ]}',
            f"x: no reader knows this format: it is no JSON at line 2, column 10 (Expecting value); known are {KNOWN}",
            "json",
            id="a broken document",
        ),
        pytest.param(
            b"[" * 100_000,
            f"x: no reader knows this format: it is nested too deeply; known are {KNOWN}",
            "json_depth",
            id="depth",
        ),
        pytest.param(
            '{"steps": []}'.encode("utf-16"),
            "x: the text is UTF-16 or UTF-32; recordings are UTF-8, convert it",
            "encoding",
            id="utf-16",
        ),
        pytest.param(
            '{"steps": []}'.encode("utf-16-be"),
            "x: the text is UTF-16 or UTF-32; recordings are UTF-8, convert it",
            "encoding",
            id="utf-16 without its mark",
        ),
    ],
)
def test_unknown(data: bytes, message: str, kind: str) -> None:
    with pytest.raises(RecordingError) as caught:
        recording.read(data, "x")
    assert (caught.value.message, caught.value.kind) == (message, kind)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        pytest.param(b'{"steps": []}', "agentbench", id="one line"),
        pytest.param(BOM + b'{\n"steps": []\n}', "agentbench", id="a document with a mark"),
        pytest.param(SESSION, "claude-code", id="a session"),
    ],
)
def test_recognise(data: bytes, name: str) -> None:
    assert recording.recognise(Recording(data)).name == name


def test_no_reader_takes_another_format_for_its_own(cases: Path) -> None:
    for file in sorted((cases / "recordings").glob("*/*")):
        sample = Sample(Recording(file.read_bytes(), file.name))
        found = [reader.name for reader in recording.readers() if reader.recognises(sample)]
        assert len(found) <= 1, f"{file}: {found}"
        assert ("claude-code" in found) == (file.parent.name == "claude-code"), file


PLUGIN = '''
from gate.recording import Reader
from gate.trajectory import Step, Trajectory

class {name}(Reader):
    """Notes."""

    def recognises(self, sample):
        return sample.text.startswith("notes:")

    def read(self, recording):
        {body}
'''


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A folder of packages, and in it one that brings a reader by an entry point."""
    about = tmp_path / "notes_reader-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: notes-reader\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[gate.recordings]\nnotes = notes_reader:NotesReader\n")
    body = "return Trajectory(format=self.name, steps=(Step(number=1, message=recording.path),))"
    (tmp_path / "notes_reader.py").write_text(PLUGIN.format(name="NotesReader", body=body))
    return tmp_path


def _read(folder: Path, data: str) -> str:
    """What reading gives in a process of its own, which sees the folder's packages."""
    code = (
        "import sys; from gate import recording; from gate.errors import GateError\n"
        f"try:\n    t = recording.read({data!r}.encode(), 'x'); print(t.format, [s.message for s in t.steps])\n"
        "except GateError as error: print(type(error).__name__, error.message)\n"
        "print('importlib.metadata' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )
    return done.stdout.strip()


def test_reader_of_another_package(plugin: Path) -> None:
    assert _read(plugin, "notes: a") == "notes-reader ['x']\nTrue"


def test_other_packages_are_not_asked_where_a_built_in_reader_knows(plugin: Path) -> None:
    assert _read(plugin, '{"steps": []}') == "agentbench []\nFalse"


def test_content_that_two_readers_know_is_refused(plugin: Path) -> None:
    (plugin / "other_reader.py").write_text((plugin / "notes_reader.py").read_text())
    points = plugin / "notes_reader-1.dist-info" / "entry_points.txt"
    points.write_text(points.read_text() + "other = other_reader:NotesReader\n")
    assert _read(plugin, "notes: a") == (
        "RecordingError x: several formats fit, expected one: notes-reader, other-reader\nTrue"
    )


def test_reader_of_another_package_that_cannot_be_loaded(plugin: Path) -> None:
    (plugin / "notes_reader.py").write_text("import nothing_of_that_name")
    assert _read(plugin, "notes: a").startswith(
        "PluginError the recording reader 'notes' cannot be loaded: ModuleNotFoundError: "
    )


def test_a_reader_that_breaks_is_the_error_of_its_recording(plugin: Path) -> None:
    (plugin / "notes_reader.py").write_text(PLUGIN.format(name="NotesReader", body="return {}['x']"))
    assert _read(plugin, "notes: a").startswith(
        "RecordingError x: the reader for notes-reader broke on it (KeyError: 'x'); please report this file"
    )


def test_every_reader_has_a_manual_and_the_name_of_its_file() -> None:
    for reader in recording.readers():
        assert reader.name == type(reader).__module__.rpartition(".")[2].replace("_", "-")
        assert type(reader).__doc__
