"""Conversations of Cline and Roo Code: calls as blocks or written as XML, results as blocks or in words."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gate.agents import given
from gate.agents.conversation import About, Event, Made, Result, answer, speech
from gate.trajectory import Ok, Step

_BOTH = "write_to_file execute_command read_file search_files list_files list_code_definition_names browser_action"
_TALK = "use_mcp_tool access_mcp_resource ask_followup_question attempt_completion new_task"
_CLINES = "replace_in_file apply_patch new_rule plan_mode_respond plan_mode_response load_mcp_documentation condense"
_ROOS = "apply_diff insert_content search_and_replace search_replace edit_file switch_mode update_todo_list"
_MORE = "codebase_search fetch_instructions report_bug summarize_task web_fetch web_search run_slash_command skill"
TOOLS = tuple(" ".join((_BOTH, _TALK, _CLINES, _ROOS, _MORE)).split())
"""The tools that either calls by XML."""

_OPEN = re.compile(rf"<({'|'.join(TOOLS)})>")
_PARAMETER = re.compile(r"<(\w+)>(.*?)</\1>", re.DOTALL)
_LONG = ("content", "diff")
_HEADER = re.compile(r"\[(\w+)(?: for '.*?')?[^\]\n]*\] Result:[ \t]*\n?", re.DOTALL)
_FOLDER = re.compile(r"^# Current (?:Working|Workspace) Directory \((.+?)\) Files", re.MULTILINE)
_SURROUNDINGS = "<environment_details>"
_SPOKEN = re.compile(r"<(task|feedback|user_message|answer)>\n?(.*?)\n?</\1>", re.DOTALL)
_DONE = re.compile(
    r'successfully saved to|"operation":\s?"(?:created|modified)"|<operation>(?:created|modified)</operation>'
    r"|Changes successfully applied|[Ss]uccessfully applied (?:the )?patch|successfully inserted"
)
_REFUSED = re.compile(
    r"\s*(?:The user denied|The tool execution failed|The tool was not executed|Tool \[|\[ERROR\]|Missing value for"
    r"|Unable to apply|Command execution blocked|<error|Changes were rejected|This tool cannot be used"
    r"|Access to .+ is blocked"
    r'|\{"status":"(?:denied|error)")'
)
_EXIT = re.compile(r"Exit code: (-?\d+)|exit code:? (-?\d+)")
_SHOWN = re.compile(r"<final_file_content path=\".*?\">\n(.*)\n</final_file_content>", re.DOTALL)

EDITORS = frozenset(
    ["write_to_file", "replace_in_file", "new_rule", "apply_patch", "apply_diff", "insert_content", "edit_file", "edit"]
) | {"search_and_replace", "search_replace"}
"""The tools whose result says in words that the file was saved."""


def is_family(messages: Any) -> bool:
    """Whether a JSON value is a conversation of Cline or of one of its forks."""
    listed = given.objects(messages)[:12]
    if not listed or not all("role" in message and "content" in message for message in listed):
        return False
    return any(_OPEN.search(text) or _SURROUNDINGS in text or _HEADER.match(text) for text in _texts(listed)) or any(
        block.get("type") == "tool_use" and block.get("name") in TOOLS for block in _blocks(listed)
    )


def is_roos(messages: Any) -> bool:
    """Whether a conversation of the family is Roo Code's: its tools, its modes, its results."""
    listed = given.objects(messages)
    tools = tuple(_ROOS.split())
    if any(block.get("type") == "tool_use" and block.get("name") in tools for block in _blocks(listed)):
        return True
    marks = ("<slug>", '"operation":"', "<file_write_result>", *(f"<{tool}>" for tool in tools))
    return any(mark in text for text in _texts(listed) for mark in marks)


def events(messages: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[Event]:
    """What the messages of a conversation tell, each with the number of its line."""
    waiting: list[Made] = []
    tools: dict[str, str] = {}
    for number, (line, message) in enumerate(messages):
        blocks = _parts(message)
        if message.get("role") == "assistant":
            said, waiting = _calls(blocks, number)
            tools |= {call.id: str(call.tool) for call in waiting}
            usage = given.member(message, "metrics")
            yield About(model=given.word(given.member(message, "modelInfo"), "id", "modelId"))
            step = Step(
                number=0,
                line=line,
                message=said,
                time=str(message.get("ts") or ""),
                tokens_in=given.count(usage, "inputTokens"),
                tokens_out=given.count(usage, "outputTokens"),
            )
            yield from answer(step, waiting)
        elif message.get("role") == "user":
            yield from _answered(blocks, line, waiting, tools)


def exit_code(text: str) -> int | None:
    """The exit code that a result tells."""
    told = _EXIT.search(text)
    return int(told[1] or told[2]) if told else None


def shown(result: Result | None) -> str | None:
    """The file as it was saved, where the result shows it; white space at its end is not told."""
    found = _SHOWN.search(result.detail) if result and isinstance(result.detail, str) else None
    return found[1] if found else None


def _parts(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else given.objects(content)


def _blocks(messages: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for message in messages:
        yield from _parts(message)


def _texts(messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for block in _blocks(messages):
        yield given.word(block, "text") if block.get("type") == "text" else given.spoken(block.get("content"))


def _calls(blocks: Sequence[Mapping[str, Any]], number: int) -> tuple[str, list[Made]]:
    """What an answer says, and its calls."""
    said: list[str] = []
    made: list[Made] = []
    for place, block in enumerate(blocks):
        if block.get("type") == "tool_use":
            key = given.word(block, "id") or f"call {number}.{place}"
            made.append(Made(key, block.get("name"), block.get("input"), dict(block)))
        elif block.get("type") == "text":
            text, calls = _written(given.word(block, "text"), f"xml {number}.{place}")
            said.append(text)
            made += calls
    return "\n".join(text for text in said if text), made


def _written(text: str, place: str) -> tuple[str, list[Made]]:
    """The text around calls that are written as XML, and those calls; one that is not closed was never run."""
    said: list[str] = []
    made: list[Made] = []
    at = 0
    while opening := _OPEN.search(text, at):
        tool = opening[1]
        inner = text.rfind("</content>", opening.end()) if tool == "write_to_file" else opening.end()
        end = text.find(f"</{tool}>", max(inner, opening.end()))
        if end < 0:
            break
        said.append(text[at : opening.start()])
        body = text[opening.end() : end]
        at = end + len(tool) + 3
        made.append(Made(f"{place}.{len(made)}", tool, _parameters(body), {"name": tool, "xml": body}))
    said.append(text[at:])
    return "".join(said).strip(), made


def _parameters(body: str) -> dict[str, str]:
    found = {}
    for name in _LONG:
        start, end = body.find(f"<{name}>"), body.rfind(f"</{name}>")
        if 0 <= start < end:
            found[name] = body[start + len(name) + 2 : end]
            body = body[:start] + body[end + len(name) + 3 :]
    return {name: value.strip() for name, value in _PARAMETER.findall(body)} | found


def _answered(
    blocks: Sequence[Mapping[str, Any]], line: int, waiting: list[Made], tools: Mapping[str, str]
) -> Iterator[Event]:
    current: Made | None = None
    words, said = "", []
    for block in blocks:
        text = given.word(block, "text") if block.get("type") == "text" else ""
        folder = _FOLDER.search(text)
        if folder:
            yield About(directory=folder[1])
        if block.get("type") == "tool_result":
            key, told = str(block.get("tool_use_id")), given.spoken(block.get("content"))
            ok = _outcome(tools.get(key, ""), told, block.get("is_error"))
            yield Result(id=key, ok=ok, line=line, text=told, detail=told)
            continue
        header = _HEADER.match(text)
        call = next((one for one in waiting if header and one.tool == header[1]), None)
        if header and call:
            yield from _worded(current, words, line)
            waiting.remove(call)
            current, words = call, text[header.end() :]
        elif current and not text.startswith(_SURROUNDINGS):
            words += "\n" + text
        said += [match[2] for match in _SPOKEN.finditer(text)] if not header else []
    yield from _worded(current, words, line)
    if said:
        yield speech(line, "\n".join(said))


def _worded(call: Made | None, words: str, line: int) -> Iterator[Event]:
    if call:
        told = words.strip("\n")
        yield Result(id=call.id, ok=_outcome(str(call.tool), told, None), line=line, text=told, detail=told)


def _outcome(tool: str, text: str, failed: Any) -> Ok:
    """What the words of a result say of a call."""
    if failed is True or _REFUSED.match(text):
        return Ok.NO
    if tool in EDITORS:
        return Ok.YES if _DONE.search(text) else Ok.NO if text.strip() else Ok.UNKNOWN
    return Ok.YES if text.strip() or failed is False else Ok.UNKNOWN
