"""Calls that an agent without function calling writes into what it says."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gate.agents.given import member, objects
from gate.editing.text import encoded
from gate.errors import RecordingError
from gate.jsontext import decode

_FUNCTION = re.compile(r"<function=([^>\s]+)>\n(.*?)</function>", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([^>\s]+)>(.*?)</parameter>", re.DOTALL)
_BLOCK = re.compile(r"```(?:mswea_bash_command|bash)\s*\n(.*?)\n```", re.DOTALL)
_NOT_UNDERSTOOD = "Previous response had parsing errors"

Call = tuple[str, Mapping[str, Any]]


def calls(family: str, message: str, answer: str) -> list[Call]:
    """The tools and arguments of the calls in a message, by how the family of agents writes them.

    `answer` is what was observed after it: where that says that the message was not understood, nothing was run.
    """
    return list(_FAMILIES[family](message, answer)) if family in _FAMILIES else []


def block(message: str) -> str | None:
    """The command of a mini-swe-agent's message: its one fenced block. With none or several, nothing is run."""
    found = _BLOCK.findall(message)
    return found[0].strip() if len(found) == 1 else None


def _openhands(message: str, _: str) -> Iterator[Call]:
    function = _FUNCTION.search(message)
    if function:
        yield function[1], dict(_PARAMETER.findall(function[2]))


def _mini(message: str, _: str) -> Iterator[Call]:
    command = block(message)
    if command is not None:
        yield "bash", {"command": command}


def _terminus(message: str, answer: str) -> Iterator[Call]:
    start, end = message.find("{"), message.rfind("}")
    if start < 0 or answer.startswith(_NOT_UNDERSTOOD):
        return
    try:
        said = member(decode(encoded(message[start : end + 1])))
    except RecordingError:
        return
    for command in objects(said.get("commands")):
        yield "bash_command", command
    if said.get("task_complete") is True:
        yield "mark_task_complete", {}


_FAMILIES = {"openhands": _openhands, "mini-swe-agent": _mini, "terminus": _terminus}
