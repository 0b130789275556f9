"""Codex CLI's rollouts."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from gate.agents import given
from gate.agents.aftermath import UNDO, Told, deed, made, ok_of
from gate.agents.codex import SHELLS, arguments_of, place_of, said
from gate.agents.conversation import PASSED, Call, Conversation, Event, Message, Passed, Result, speech
from gate.agents.ledger import OWN, Ledger
from gate.agents.rollout import ENDS, OUTPUTS, TURNS, Item, is_rollout, items
from gate.agents.thread import Pairs, Place
from gate.errors import RecordingError
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Choice, Dropped, Ok, Step, Trajectory

if TYPE_CHECKING:
    from gate.agents.script import Script

_NAMES = {
    "local_shell_call": "local_shell",
    "web_search_call": "web_search",
    "image_generation_call": "image_generation",
}
_INJECTED = ("<", "# AGENTS.md instructions")


class CodexRollout(Reader):
    """Codex's rollouts (`~/.codex/sessions/*/*/*/rollout-*.jsonl`), of its CLI, its desktop program and sub-agents.

    apply_patch is read as a tool of its own, as a function, from a heredoc or an argument of a shell command, and from
    a script (`exec`) as far as literals can be read off it. Where the outcome was recorded (`patch_apply_end`), it
    says what was written and whether it succeeded: a diff in its exact place goes before the patch's own matching.
    Without an outcome the patch is matched as the tool does (exact, then without white space behind, then around, then
    with plain punctuation); versions before 0.143 write LF in what they replace. A patch that stopped part way leaves
    the files before changed. Shell calls are commands.

    Edits stay on disk when a turn is aborted or a thread is rolled back; an undo puts files back that the recording
    does not hold, and is said. What a compaction repeats, and a call that stands twice, counts once. A sub-agent's
    rollout is another file: without it, a call that starts one makes the replay incomplete.
    """

    def recognises(self, sample: Sample) -> bool:
        """Lines with a type and a payload of Codex's, or the first version's session line."""
        return any(is_rollout(record) for record in sample.records)

    def read(self, recording: Recording) -> Trajectory:
        """One pass for what is known of the whole, then one for each use of `steps`."""
        ledger = Ledger(recording)

        def events(_: list[Dropped]) -> Iterator[Event]:
            return _priced(_Pass(items(recording)).events())

        def choose(choice: Choice) -> Iterator[Event]:
            found = ledger.chosen(choice)
            events = _Pass(items(recording) if found is None else found, mute=True).events()
            return (event for event in events if not isinstance(event, _Tokens))

        return Conversation(events, deed, ledger.known, choose).trajectory(self.name, recording.path)


class _Tokens(msgspec.Struct, frozen=True):
    """What the answer of the model before this line cost."""

    read: int | None
    written: int | None


class _Pass:
    """One pass over a rollout. Held are the calls that wait for their answer, and what events told of them.

    `mute` passes over what the agent says.
    """

    def __init__(self, found: Iterable[Item | Passed], *, mute: bool = False) -> None:
        self._items = found
        self._mute = mute
        self._place = Place()
        self._pairs = Pairs()
        self._open: dict[str, Call] = {}
        self._ends: dict[str, dict[str, Mapping[str, Any]]] = {}
        self._script: Script | None = None
        self._patches = 0
        self._total: Any = None

    def events(self) -> Iterator[Event | _Tokens]:
        """Calls, answers and messages, as the lines come."""
        for item in self._items:
            if isinstance(item, Passed):
                yield item
            else:
                yield from self._take(item)
        yield from self._finish_script(Ok.UNKNOWN)
        yield from self._finish_turn()

    def _take(self, item: Item) -> Iterator[Event | _Tokens]:
        kind = item.kind
        if kind in OUTPUTS:
            return self._output(item)
        if kind in ENDS:
            return self._end(item, ENDS[kind])
        if kind.endswith("_call"):
            return self._call(item)
        if kind in TURNS:
            return self._turn(item)
        if kind == "message":
            return self._message(item)
        if kind == "event:token_count":
            return self._cost(given.member(item.payload, "info"))
        if kind == "event:undo_completed" and item.payload.get("success") is not False:
            return self._nested((Call(f"line {item.line}", self._step(item, tool=UNDO)),), Ok.YES)
        return iter(self._place.about(item))

    def _turn(self, item: Item) -> Iterator[Event]:
        yield from self._finish_turn()
        if item.kind == "event:user_message":
            yield speech(item.line, given.spoken(item.payload.get("message") or item.payload.get("content")), item.time)

    def _message(self, item: Item) -> Iterator[Event]:
        text, role = given.spoken(item.payload.get("content")), item.payload.get("role")
        if role == "assistant" and text.strip():
            yield Message(PASSED if self._mute else self._step(item, message=text))
        elif role == "user" and item.bare:
            yield from self._place.about(item)
            if text.strip() and not text.lstrip().startswith(_INJECTED):
                yield speech(item.line, text, item.time)

    def _step(self, item: Item, *, tool: str = "", message: str = "", arguments: Any = None) -> Step:
        directory = self._place.directory
        return Step(
            number=0,
            line=item.line,
            agent=self._place.agent,
            tool=tool,
            arguments=arguments if type(arguments) is dict else {},
            message=message,
            time=item.time,
            directory=place_of(arguments, directory) if tool in SHELLS else directory,
            raw=item.payload if tool else None,
        )

    def _call(self, item: Item) -> Iterator[Event]:
        key = self._pairs.call(item)
        if key is None:
            return
        tool, arguments = _asked(item)
        call = self._open[key] = Call(key, self._step(item, tool=tool, arguments=arguments))
        if tool == "exec":
            from gate.agents.script import Script  # the grammar of JavaScript is for few rollouts

            yield from self._finish_script(Ok.UNKNOWN)
            self._script = Script(call, given.word(call.step.arguments, "input"))
        yield call
        if item.kind in OWN:
            yield Result(id=key, ok=Ok.YES, line=item.line)

    def _output(self, item: Item) -> Iterator[Event]:
        call = self._open.pop(self._pairs.answer(item), None)
        if call is None:
            return  # it stands twice, or its call is passed over or lost: the survey has said so
        answer = said(item.payload.get("output", item.payload.get("tools")))
        yield from self._result(call, Told(said=answer), line=item.line)
        if call.step.tool in ("exec", "wait") and answer.ok is not Ok.UNKNOWN:
            yield from self._finish_script(answer.ok)

    def _end(self, item: Item, kind: str) -> Iterator[Event]:
        """An event tells the outcome of a call, which need not stand in a line of its own."""
        self._patches += kind == "patch"
        key, waits = self._pairs.outcome(item)
        if waits and key not in self._open:
            return  # the call has been told
        payload = item.payload
        if waits:
            self._ends.setdefault(key, {})[kind] = payload
        if not self._pairs.is_new(key):
            return
        if self._script is not None:
            calls = list(self._script.patch(payload) if kind == "patch" else self._script.command(payload))
        else:
            arguments = {} if kind == "patch" else {name: payload.get(name) for name in ("command", "cwd")}
            tool = "apply_patch" if kind == "patch" else "exec_command"
            calls = [Call(key, self._step(item, tool=tool, arguments=arguments))]
        yield from self._nested(calls[:-1], Ok.UNKNOWN)
        self._ends[calls[-1].id] = {kind: payload}
        yield from self._result(calls[-1], Told(), line=item.line)
        yield calls[-1]

    def _finish_turn(self) -> Iterator[Event]:
        """The calls that were never answered, of which an event told the outcome."""
        for key in list(self._ends):
            yield from self._result(self._open.pop(key), Told())

    def _finish_script(self, ok: Ok) -> Iterator[Event]:
        """The calls of a script that no outcome was told of: those patches were not made where others have theirs."""
        script, self._script = self._script, None
        if script is not None:
            failed = ok is Ok.NO or (ok is Ok.YES and self._patches > 0)
            yield from self._nested(script.rest(), Ok.UNKNOWN, Ok.NO if failed else Ok.UNKNOWN)

    def _nested(self, calls: Iterable[Call], ok: Ok, patch: Ok = Ok.UNKNOWN) -> Iterator[Event]:
        """Calls that have no line of their own; their results come first, so that nobody waits for them."""
        for call in calls:
            came = patch if call.step.tool == "apply_patch" else ok
            yield Result(id=call.id, ok=came, detail=Told(keep=self._place.keep))
            yield call

    def _result(self, call: Call, told: Told, *, line: int = 0) -> Iterator[Event]:
        """What came of a call; in two steps where a patch stopped part way."""
        ends = self._ends.pop(call.id, {})
        told = Told(said=told.said, patch=ends.get("patch", {}), shell=ends.get("shell", {}), keep=self._place.keep)
        ok = ok_of(call, told)
        done = made(call, told, ok)
        if not done:
            yield Result(id=call.id, ok=ok, line=line, text=told.text, detail=told)
            return
        yield Result(id=call.id, ok=Ok.YES, line=line, text=told.text, detail=msgspec.structs.replace(told, last=done))
        rest = Call(f"{call.id}/rest", call.step)
        yield Result(id=rest.id, ok=ok, text=told.text, detail=msgspec.structs.replace(told, first=done))
        yield rest

    def _cost(self, info: Mapping[str, Any]) -> Iterator[_Tokens]:
        last, total = given.member(info, "last_token_usage"), info.get("total_token_usage")
        if last and total != self._total:  # the same count is told again with every change of the limits
            self._total = total
            yield _Tokens(given.count(last, "input_tokens"), given.count(last, "output_tokens"))


def _asked(item: Item) -> tuple[str, Any]:
    """The tool and the arguments of a call."""
    payload, name = item.payload, given.word(item.payload, "name")
    if item.kind == "custom_tool_call":
        return name, {"input": payload.get("input")}
    if item.kind == "local_shell_call":
        return "local_shell", payload.get("action")
    if item.kind != "function_call":
        return _NAMES.get(item.kind, item.kind.removesuffix("_call")), payload
    space = given.word(payload, "namespace")
    name = f"{space}.{name}" if space and space != "functions" else name
    try:
        return name, arguments_of(payload.get("arguments"))
    except RecordingError:  # said when the call is told
        return name, {}


def _priced(events: Iterator[Event | _Tokens]) -> Iterator[Event]:
    """The events, where what an answer cost stands with its last call or message: it is told only after them."""
    held: list[Event] = []
    last: Call | Message | None = None
    for event in events:
        if isinstance(event, _Tokens):
            yield from (_with(last, event) if last is not None and before is last else before for before in held)
            held, last = [], None
            continue
        if isinstance(event, Call | Message) and event.step.source == "agent":
            if any(isinstance(before, Result) for before in held):
                yield from held
                held = []
            last = event
        held.append(event)
    yield from held


def _with(event: Call | Message, tokens: _Tokens) -> Event:
    step = msgspec.structs.replace(event.step, tokens_in=tokens.read, tokens_out=tokens.written)
    return msgspec.structs.replace(event, step=step)
