"""Claude Code's recordings: sessions, sub-agents, and the stream that `claude -p` prints."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from gate.agents.claude import AGENTS, EDITORS, KNOWN, LOOKERS, SHELLS, edits_of, shell_text
from gate.agents.entry import Entry, entry, passes, result_of, text_of
from gate.agents.session import ANSWERS, SKIPPED, TALK, Session
from gate.errors import RecordingError
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Choice, Command, Edit, Lost, Ok, Step, Trajectory, named_files

_EXIT = re.compile(r"(?:Error: )?Exit code (\d+)")
_OUTPUT = 64 * 1024
_TELLING = EDITORS | SHELLS | AGENTS  # whose structured result says what the model was not told


class ClaudeCode(Reader):
    """Claude Code's session files (`~/.claude/projects/*/*.jsonl`), those of its sub-agents, and its `stream-json`.

    Edit, MultiEdit, Write and NotebookEdit are replayed as the tool does them; what the result records goes before
    the arguments, since a person may have changed the proposal. Bash and PowerShell are commands. Results are matched
    by the id of the call; a call without one has an unknown outcome. Lines that a resumed session repeats count once.
    What a person rewound to before (two prompts after the same work, of which the later goes on) was put back from
    version 2 on, and is not applied. Sub-agents whose lines are here count; one whose lines are not, and that may
    have edited, makes the replay incomplete. Lines of other types hold no work and are left out; a type that this
    reader does not know is counted.
    """

    def recognises(self, sample: Sample) -> bool:
        """Lines with `sessionId`, `uuid` and `parentUuid`, or those of the stream; other agents' look-alikes differ."""
        if any(record.get("type") in ("tool_call", "thinking") for record in sample.records):  # Cursor, Factory Droid
            return False
        return any(_is_ours(record) for record in sample.records)

    def read(self, recording: Recording) -> Trajectory:
        """One pass over the lines for what is live and what is known of the whole, then one for each use of `steps`."""
        session = Session()
        for number, line in recording.lines():
            session.add(number, line, recording)
        return Trajectory(
            format=self.name,
            steps=_Steps(recording, session),
            path=recording.path,
            agent=f"Claude Code {session.version}".strip(),
            model=session.model,
            directory=session.directory or session.aside,
            roots=tuple(session.roots),
            dropped=session.left_out(),
        )


def _is_ours(record: Mapping[str, Any]) -> bool:
    kind, message = record.get("type"), record.get("message")
    stored = {"sessionId", "uuid", "parentUuid"} <= record.keys()
    if kind == "summary":
        return "leafUuid" in record
    if kind == "system" and record.get("subtype") == "init":
        return {"session_id", "tools"} <= record.keys()
    if kind not in TALK:
        return stored and str(kind) in SKIPPED
    stream = {"session_id", "parent_tool_use_id"} <= record.keys()
    return (stored or stream) and isinstance(message, dict) and "content" in message


class _Call(msgspec.Struct):
    """One call of a tool, or one message, until its result is there."""

    line: int
    entry: Entry
    agent: str
    turn: int
    source: str = "agent"
    message: Any = None
    text: str = ""
    block: Mapping[str, Any] | None = None
    answer: Mapping[str, Any] | None = None
    result: Any = None
    tokens: tuple[int | None, int | None] = (None, None)
    done: bool = True
    told: bool = False
    passed: bool = False


class _Steps(Iterable[Step]):
    """The steps of a session, or a choice of them, read anew whenever they are iterated."""

    def __init__(self, recording: Recording, session: Session, choice: Choice | None = None) -> None:
        self._recording = recording
        self._session = session
        self._choice = choice

    def __iter__(self) -> Iterator[Step]:
        rewound = self._session.rewound()
        calls = _Reading(self._recording, self._session, self._choice).calls()
        for number, call in enumerate(calls, 1):
            if self._choice is None or not (call.passed or call.block is None):
                yield _step(number, call, self._session, undone=any(call.line in span for span in rewound))

    def chosen(self, choice: Choice) -> "_Steps":
        """The steps as far as they are wanted, as in Trajectory."""
        return _Steps(self._recording, self._session, choice)


class _Reading:
    """One pass over the lines: calls in their order, each with the result that comes later, often out of order."""

    def __init__(self, recording: Recording, session: Session, choice: Choice | None) -> None:
        self._choice = choice
        self._line = b""
        self._recording = recording
        self._session = session
        self._waiting: deque[_Call] = deque()
        self._open: dict[str, _Call] = {}
        self._known: set[str] = set()
        self._latest: dict[str, _Call] = {}
        self._turn = 0

    def calls(self) -> Iterator[_Call]:
        """Every call and message. One is held back, since the next line may belong to it."""
        wanted, waiting = self._session.wanted, self._waiting
        for number, line in self._recording.lines():
            mark = wanted[number - 1]
            if not mark or (mark == ANSWERS and self._choice and not self._open):
                continue  # the results of calls that are passed over
            told = entry(number, line, self._recording)
            if told is None:
                continue
            self._line = line
            self._take(number, told)
            while len(waiting) > 1 and waiting[0].done:
                yield self._tell()
        while waiting:
            yield self._tell()

    def _tell(self) -> _Call:
        call = self._waiting.popleft()
        call.told = True
        return call

    def _take(self, number: int, told: Entry) -> None:
        content = told.message.content
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        said = []
        for block in blocks if isinstance(blocks, list) else ():
            kind = block.get("type") if isinstance(block, dict) else None
            if kind == "text" and isinstance(block.get("text"), str) and block["text"].strip():
                said.append(block["text"])
            elif kind == "tool_use" and told.type == "assistant":
                self._call(number, told, block, "\n".join(said))
                said = []
            elif kind == "tool_result":
                self._result(told, block, blocks)
        if said:
            self._say(number, told, "\n".join(said))

    def _call(self, number: int, told: Entry, block: Mapping[str, Any], text: str) -> None:
        key = str(block.get("id"))
        if key in self._known:
            return
        self._known.add(key)
        call = self._new(number, told, text)
        call.line, call.block = number, block
        call.passed = self._choice is not None and passes(block, self._line, self._choice)
        call.done = call.passed or key not in self._session.answered
        if not call.done:
            self._open[key] = call

    def _result(self, told: Entry, block: Mapping[str, Any], blocks: list[Any]) -> None:
        key = str(block.get("tool_use_id"))
        call = self._open.get(key)
        if call is None:
            return
        alone = len(blocks) == 1 or sum(1 for other in blocks if _is_result(other)) == 1
        try:
            # Of other tools it is a repetition of what the model was told, and many bytes.
            whole = call.block is not None and str(call.block.get("name")) in _TELLING
            result = result_of(told, whole=whole) if alone else None
        except RecordingError:
            return
        del self._open[key]
        call.answer, call.done, call.result = block, True, result

    def _say(self, number: int, told: Entry, text: str) -> None:
        if told.type == "assistant":
            self._new(number, told, text)
        elif not (told.agent or told.is_meta or told.is_compact_summary):
            self._turn += not text.startswith("[Request interrupted")
            self._new(number, told, text).source = "user"

    def _new(self, number: int, told: Entry, text: str) -> _Call:
        """A call, or the message before it that has been held back for it."""
        agent, message = told.agent, told.message
        latest = self._latest.get(agent)
        same = latest is not None and latest.message is not None and latest.message == message.id
        if latest is not None and same and latest.block is None and not latest.told:
            latest.text = "\n".join(filter(None, (latest.text, text)))
            latest.tokens = message.tokens
            return latest
        call = _Call(number, told, agent, self._turn)
        call.message, call.text = message.id, text
        if latest is not None and same and not latest.told:
            latest.tokens = (None, None)  # they are the message's: its last call has them
        if not (same and latest is not None and latest.told):
            call.tokens = message.tokens
        self._waiting.append(call)
        self._latest[agent] = call
        return call


def _is_result(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_result"


def _step(number: int, call: _Call, session: Session, *, undone: bool) -> Step:
    block = call.block or {}
    tool, arguments = str(block.get("name") or ""), block.get("input")
    where = call.entry.cwd
    directory = where if isinstance(where, str) and where else session.directory
    ok, observation = _ok(call), text_of(call.answer)
    known = not tool or tool in KNOWN
    edits, lost = _edits(call, tool, arguments, ok, session)
    return Step(
        number=number,
        line=call.line,
        source=call.source,
        agent=call.agent,
        turn=call.turn,
        answer=call.message if isinstance(call.message, str) else "",
        tool=tool,
        arguments=arguments if isinstance(arguments, dict) else {},
        observation=observation,
        message=call.text,
        time=str(call.entry.timestamp or ""),
        tokens_in=call.tokens[0],
        tokens_out=call.tokens[1],
        ok=ok if tool else Ok.YES,
        edits=edits,
        commands=_commands(call, arguments, directory, observation) if tool in SHELLS else (),
        directory=directory,
        names=() if known else named_files(arguments),
        known=known,
        undone=undone,
        lost=lost,
        raw=call.block,
    )


def _ok(call: _Call) -> Ok:
    if call.answer is None or (isinstance(call.result, dict) and call.result.get("interrupted") is True):
        return Ok.UNKNOWN
    return Ok.NO if call.answer.get("is_error") is True else Ok.YES


def _edits(call: _Call, tool: str, arguments: Any, ok: Ok, session: Session) -> tuple[tuple[Edit, ...], Lost | None]:
    """The edits of a call, or what is missing of them."""
    version = call.entry.version or session.version
    try:
        edits = edits_of(tool, arguments, call.result, version=str(version))
    except RecordingError as error:
        return (), Lost(error.message, error.kind) if ok is not Ok.NO else None
    if tool in AGENTS and ok is not Ok.NO:
        return (), _sub_agent(call, arguments, session)
    if tool in SHELLS and ok is not Ok.NO and shell_text(arguments) is None:
        return (), Lost("input.command: expected a command, found none", "broken_step")
    return edits, None


def _sub_agent(call: _Call, arguments: Any, session: Session) -> Lost | None:
    """What is lost with a sub-agent: nothing when its lines are here, or when it has edited no file."""
    told = call.result if isinstance(call.result, dict) else {}
    agent = told.get("agentId")
    here = session.agents
    if str(agent) in here or str((call.block or {}).get("id")) in here or (agent is None and "sidechain" in here):
        return None
    kind = told.get("agentType") or (arguments.get("subagent_type") if isinstance(arguments, dict) else None)
    stats = told.get("toolStats")
    if str(kind) in LOOKERS or (isinstance(stats, dict) and stats.get("editFileCount") == 0):
        return None
    return Lost(f"the recording of its sub-agent {agent or kind or ''} is not here, with any edit it made", "sub_agent")


def _commands(call: _Call, arguments: Any, directory: str | None, observation: str) -> tuple[Command, ...]:
    text = shell_text(arguments)
    if text is None:
        return ()
    told = call.result if isinstance(call.result, dict) else {}
    streams = [part for part in (told.get("stdout"), told.get("stderr")) if isinstance(part, str) and part]
    failed = _EXIT.match(observation)
    ended = call.answer is not None and not told.get("interrupted") and not told.get("backgroundTaskId")
    code = (
        int(failed[1]) if failed else 0 if ended and call.answer and call.answer.get("is_error") is not True else None
    )
    output = "\n".join(streams) if streams else observation
    return (Command(text=text, directory=directory, exit_code=code, output=output[:_OUTPUT]),)
