"""Claude Code's recordings: sessions, sub-agents, and the stream that `claude -p` prints."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gate.agents.calls import Call, calls
from gate.agents.claude import AGENTS, KNOWN, LOOKERS, SHELLS, edits_of, shell_text
from gate.agents.entry import text_of
from gate.agents.session import SKIPPED, TALK, Session
from gate.errors import RecordingError
from gate.mention import named_files
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Choice, Command, Edit, Lost, Ok, Step, Trajectory

_EXIT = r"(?:Error: )?Exit code (\d+)"
_OUTPUT = 64 * 1024


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
        session = Session(recording)
        return Trajectory(
            format=self.name,
            steps=_Steps(recording, session),
            path=recording.path,
            agent=f"Claude Code {session.version}".strip(),
            model=session.model,
            directory=session.directory or session.aside,
            roots=tuple(session.roots),
            dropped=session.left_out(),
            events=tuple(session.events),
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


class _Steps(Iterable[Step]):
    """The steps of a session, or a choice of them, read anew whenever they are iterated."""

    def __init__(self, recording: Recording, session: Session, choice: Choice | None = None) -> None:
        self._recording = recording
        self._session = session
        self._choice = choice

    def __iter__(self) -> Iterator[Step]:
        rewound = self._session.rewound()
        for call in calls(self._recording, self._session, self._choice):
            if self._choice is None or not (call.passed or call.block is None):
                yield _step(call, self._session, undone=any(call.line in span for span in rewound))

    def chosen(self, choice: Choice) -> "_Steps":
        """The steps as far as they are wanted, as in Trajectory."""
        return _Steps(self._recording, self._session, choice)


def _step(call: Call, session: Session, *, undone: bool) -> Step:
    block = call.block or {}
    tool, arguments = str(block.get("name") or ""), block.get("input")
    where = call.entry.cwd
    directory = where if isinstance(where, str) and where else session.directory
    ok, observation = _ok(call), text_of(call.answer)
    known = not tool or tool in KNOWN
    edits, lost = _edits(call, tool, arguments, ok, session)
    return Step(
        number=call.number,
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


def _ok(call: Call) -> Ok:
    if call.answer is None or (isinstance(call.result, dict) and call.result.get("interrupted") is True):
        return Ok.UNKNOWN
    return Ok.NO if call.answer.get("is_error") is True else Ok.YES


def _edits(call: Call, tool: str, arguments: Any, ok: Ok, session: Session) -> tuple[tuple[Edit, ...], Lost | None]:
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


def _sub_agent(call: Call, arguments: Any, session: Session) -> Lost | None:
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


def _commands(call: Call, arguments: Any, directory: str | None, observation: str) -> tuple[Command, ...]:
    text = shell_text(arguments)
    if text is None:
        return ()
    told = call.result if isinstance(call.result, dict) else {}
    streams = [part for part in (told.get("stdout"), told.get("stderr")) if isinstance(part, str) and part]
    failed = re.match(_EXIT, observation)
    ended = call.answer is not None and not told.get("interrupted") and not told.get("backgroundTaskId")
    code = (
        int(failed[1]) if failed else 0 if ended and call.answer and call.answer.get("is_error") is not True else None
    )
    output = "\n".join(streams) if streams else observation
    return (Command(text=text, directory=directory, exit_code=code, output=output[:_OUTPUT]),)
