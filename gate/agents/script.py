"""The calls that a script of Codex makes (`exec` with JavaScript), told one by one from its text and its outcomes."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gate.agents import given
from gate.agents.codex import SHELLS, changes_fit, place_of
from gate.agents.conversation import Call
from gate.agents.javascript import UNREAD, tool_calls


class Script:
    """One script under way. Calls that its text shows wait until an outcome, or its end, tells what became of them."""

    def __init__(self, call: Call, source: str) -> None:
        self._call = call
        self._waiting = [_argued(found.name, found.argument) for found in tool_calls(source)]
        self._told = 0

    def patch(self, payload: Mapping[str, Any]) -> Iterator[Call]:
        """The call whose outcome this is, after those of the text that stand before it."""
        changes = payload.get("changes")
        waiting = [number for number, (name, _) in enumerate(self._waiting) if name == "apply_patch"]
        fitting = [number for number in waiting if self._fits(number, changes)]
        unread = [number for number in waiting if "input" not in self._waiting[number][1]]
        number = next(iter(fitting or unread), None)
        if number is None:
            yield self._make("apply_patch", {}, payload)
            return
        yield from self._first(number)
        yield self._make(*self._waiting.pop(0), payload)

    def command(self, payload: Mapping[str, Any]) -> Iterator[Call]:
        """The shell call whose outcome this is; it holds the command itself."""
        number = next((number for number, (name, _) in enumerate(self._waiting) if name in SHELLS), None)
        arguments = {key: payload[key] for key in ("command", "cwd") if key in payload}
        if number is not None:
            yield from self._first(number)
            self._waiting.pop(0)
        yield self._make("exec_command", arguments, payload)

    def rest(self) -> Iterator[Call]:
        """The calls of the text that no outcome was recorded for."""
        yield from self._first(len(self._waiting))

    def _first(self, count: int) -> Iterator[Call]:
        for _ in range(count):
            yield self._make(*self._waiting.pop(0), None)

    def _fits(self, number: int, changes: Any) -> bool:
        text = given.word(self._waiting[number][1], "input")
        return bool(text) and changes_fit(text, changes, directory=self._call.step.directory)

    def _make(self, tool: str, arguments: dict[str, Any], raw: Any) -> Call:
        self._told += 1
        directory = self._call.step.directory
        directory = place_of(arguments, directory) if tool in SHELLS else directory
        step = msgspec.structs.replace(
            self._call.step, tool=tool, arguments=arguments, raw=raw or arguments, directory=directory
        )
        return Call(f"{self._call.id}/{self._told}", step)


def _argued(name: str, argument: Any) -> tuple[str, dict[str, Any]]:
    """The arguments of a call as a step has them; what only running the script would tell is left out."""
    if isinstance(argument, dict):
        found = {key: value for key, value in argument.items() if value is not UNREAD}
        if name == "apply_patch" and "input" not in found and isinstance(found.get("patch"), str):
            found["input"] = found["patch"]
        return name, found
    return name, {} if argument is UNREAD or argument is None else {"input": argument}
