"""Which reader knows which real recording: exactly one knows each."""

from pathlib import Path

import pytest

from gate.recording import Recording, Sample, readers

# The folder of real recordings, and the reader that knows what lies in it.
EXPECTED = {
    "atif": "atif",
    "recordings/aider-md": "aider",
    "recordings/claude-code": "claude-code",
    "recordings/codex-rollout": "codex-rollout",
    "recordings/gemini-chat": "gemini-cli",
    "recordings/mini-swe-agent": "mini-swe-agent",
    "recordings/openhands": "openhands",
    "recordings/openhands-sdk": "openhands-sdk",
    "recordings/swe-agent": "swe-agent",
}


@pytest.mark.parametrize("folder", EXPECTED)
def test_exactly_one_reader_knows_it(cases: Path, folder: str) -> None:
    for path in sorted((cases / folder).iterdir()):
        recording = Recording(path.read_bytes(), path.name)
        sample = Sample(recording)
        found = [reader.name for reader in readers() if reader.recognises(sample)]
        assert found == [EXPECTED[folder]], path.name
