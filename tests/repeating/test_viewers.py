"""What is shown of files, beside what the programs themselves print."""

import subprocess
from pathlib import Path

import pytest

from gate.editing.files import Files
from gate.errors import NotRepeated
from gate.places import Places
from gate.repeating.coreutils import Deed
from gate.repeating.site import Site
from gate.repeating.viewers import VIEWERS, is_range, lines_of
from gate.tree import MemoryTree

FILES = {
    "a": b"one\n\n  two\tand\n\nlast\n",
    "open": b"one\ntwo",
    "empty": b"",
    "many": b"".join(b"line %d\n" % number for number in range(1, 31)),
    "cr": b"one\r\ntwo\r\n",
    "bytes": b"\xff\xfe\n\x00\n",
}


def shown(words: list[str], given: bytes | None = None) -> bytes:
    """What the gate has the command print."""
    with Site(interest=(), seconds=5.0) as site, site.at(Files(MemoryTree(FILES)), Places("/w", ())):
        deed = Deed(site=site, folder="", words=tuple(words), input=given)
        if words[0] == "sed":
            found = lines_of(deed)
            assert found is not None
            return found
        return VIEWERS[words[0]](deed)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "command",
    [
        *("head", "head -3", "head -n 2", "head -n2", "head --lines=1", "head -c 4", "head -n 0", "head --bytes=3"),
        *("tail", "tail -3", "tail -n 2", "tail -n +2", "tail -n +1", "tail -n +0", "tail -c 4", "tail -c +3"),
        *("tail -n 0", "tail --lines=+4", "tail -c 100", "nl", "nl -ba", "nl -b a", "wc -l", "wc -c", "wc --lines"),
        *("sed -n 1,2p", "sed -n 2p", "sed -n 2,$p", "sed -n 5,3p", "sed -n 40,50p", "sed -n 1,100p;", "sed -n 002,3p"),
    ],
)
def test_is_what_the_program_prints(command: str, name: str, tmp_path: Path) -> None:
    for path, content in FILES.items():
        (tmp_path / path).write_bytes(content)
    words = [*command.split(), name]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True)
    assert shown(words) == done.stdout
    piped = subprocess.run(words[:-1], cwd=tmp_path, input=FILES[name], capture_output=True, check=True)
    assert shown(words[:-1], FILES[name]) == piped.stdout


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("head a many", "head of several files is not repeated"),
        ("tail -f a", "the option -f of tail is not one that is repeated"),
        ("head -n -2 a", "head is asked for another count than of the first or last lines"),
        ("tail -n x a", "tail is asked for another count than of the first or last lines"),
        ("head -n 9999999999999 a", "head is asked for another count than of the first or last lines"),
        ("wc a", "wc is asked for another count than one of lines or bytes"),
        ("wc -lc a", "wc is asked for another count than one of lines or bytes"),
        ("nl -v 3 a", "nl has options that are not repeated"),
        ("head missing", "missing is not in the workspace"),
        ("head", "what it reads is not known"),
    ],
)
def test_says_what_it_does_not_show(command: str, reason: str) -> None:
    with pytest.raises(NotRepeated) as raised:
        shown(command.split())
    assert raised.value.message == reason


def test_nl_leaves_sections_alone() -> None:
    with pytest.raises(NotRepeated, match="sections"):
        shown(["nl", "-"], b"a\n\\:\\:\nb\n")


@pytest.mark.parametrize(
    "arguments", [["-n", "1,2p", "a", "b"], ["-n", "1,2p;w x"], ["1,2p"], ["-n", "0p"], ["-n", "/a/p"]]
)
def test_only_a_plain_range_of_lines_is_one(arguments: list[str]) -> None:
    assert not is_range(arguments)
