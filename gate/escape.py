"""Hostile text made harmless: one function for each place where text of an agent, a test or a file name is shown.

What a file name holds beside UTF-8 arrives as lone surrogates (PEP 383) and is shown as `\\xff`.
"""

import functools
import re
from typing import Any

import msgspec

_JOINT = "\u200b"
"""Put into a mention or reference, so that no reader of Markdown or e-mail takes it for one."""

_HIDDEN = (
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0d\ufeff\uffa0"
    r"\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e0fff" + "".join(f"\\U{plane:04x}fffe\\U{plane:04x}ffff" for plane in range(1, 17)) + "]"
)
"""Control and format characters, separators of lines, surrogates, noncharacters, and what is drawn as nothing."""

# Nothing of this is compiled before hostile text is met: the hook's quick path shows plain names only.
_hidden = functools.cache(lambda: re.compile(_HIDDEN))
_unusual = functools.cache(lambda: re.compile(r"[^\n\t -~]+"))  # five times as fast to look through as _HIDDEN
_workflow_line = functools.cache(lambda: re.compile(r"^([^\S\n]*)::", re.MULTILINE))
_attachment = functools.cache(lambda: re.compile(r"(?<=\[)\[(?=\s*ATTACHMENT)", re.IGNORECASE))
_logging_command = functools.cache(lambda: re.compile(r"##([A-Za-z]*)\["))
_ansi = functools.cache(
    lambda: re.compile(
        r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
        r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)"  # OSC and its kin, ended
        r"|\x1b[ -/]*[0-OQ-WYZ\\`a-~]"
    )
)
_live = functools.cache(
    lambda: re.compile(
        r"[0-9A-Fa-f]{6}(?=[0-9A-Fa-f])"  # a commit of seven digits or more
        r"|@|#(?=\w)|(?i:gh|ghsa|cve)-|www(?=\.)|:(?=//)|:(?=[\w+-]+:)"
    )
)
_INSIDE = r"[&<>\\`*\[\]~|$]|(?<![^\W_])_|_(?![^\W_])"
_inside = functools.cache(lambda: re.compile(_INSIDE))
_markup = functools.cache(lambda: re.compile(_INSIDE + r"|^[#+\-=:]|^\d(?=\d*[.)])"))


def command_data(text: str) -> str:
    """The message of a workflow command, as `@actions/core` writes it and the runner reads it back."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """A property of a workflow command, as `@actions/core` writes it; the runner trims the last one."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


def plain(text: str, *, newlines: bool = False) -> str:
    r"""Text for a terminal or a log, where nothing is invisible: `\x1b`, `\u{202e}`, `\xff` for bytes of no UTF-8.

    A new line is shown as `\n` too, unless `newlines` keeps it (and takes CR LF for one). Tabs stay.
    """
    if newlines:
        text = text.replace("\r\n", "\n")
    if not (text.isascii() and text.isprintable()):
        text = _unusual().sub(lambda run: _hidden().sub(_visible, run[0]), text)
    return text if newlines else text.replace("\n", "\\n")


def uncoloured(text: str) -> str:
    """The same text without what sets colours; whatever else a terminal would obey stays, to be shown."""
    return re.sub(r"\x1b\[[0-9;:]*m", "", text)


def unsequenced(text: str) -> str:
    """The same text without any sequence that a terminal obeys; the very same where it has none."""
    if text.isascii() and "\x1b" not in text:
        return text
    return _ansi().sub("", text) if re.search(r"[\x1b\x80-\x9f]", text) else text


def log_safe(text: str) -> str:
    r"""Whole lines, none of which a CI's log takes for a command; they stay readable: `\::error`, `##\[error]`.

    GitHub's runner trims white space before `::` and finds `##[` anywhere, Azure's `##vso[`, TeamCity's `##teamcity[`.
    """
    shown = _logging_command().sub(r"##\\\1[", plain(text, newlines=True))
    return _workflow_line().sub(r"\1\\::", shown)


def log_line(text: str) -> str:
    """One line of a CI's log, whatever the text holds."""
    return log_safe(plain(text))


def xml(text: str) -> str:
    """Text that an XML 1.0 document can hold, terminal sequences left out; quoting of `<` and `&` is the writer's."""
    if text.isascii() and text.isprintable():
        return text
    return plain(unsequenced(text), newlines=True)


def xml_document(document: str) -> str:
    """The same document, of which no line is a command for whoever prints it in a CI's log."""
    if "##" in document:  # to look takes far less time than to replace nothing
        document = _logging_command().sub(r"#&#35;\1[", document)
    return _workflow_line().sub(r"\1&#58;:", document) if "::" in document else document


def unattached(text: str) -> str:
    r"""The same text, in which no reader of JUnit XML finds a file to publish: `[\[ATTACHMENT|/etc/passwd]]`.

    Jenkins, GitLab and Azure Pipelines look for such words in the output of a case.
    """
    return _attachment().sub(r"\\\g<0>", text) if "[[" in text else text


def encodable(text: str) -> str:
    """Text that UTF-8 can hold: lone surrogates shown, all else as it is."""
    return text if text.isascii() else re.sub("[\ud800-\udfff]", _visible, text)


def json_text(value: Any) -> str:
    """The value as JSON, indented, that UTF-8 can hold: lone surrogates shown, all else as it is."""
    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:  # a file name that is not UTF-8, somewhere
        data = msgspec.json.encode(_encodable(msgspec.to_builtins(value)))
    return msgspec.json.format(data, indent=2).decode()


def json_document(document: str) -> str:
    """The same document, in which nothing is invisible, and no line a command for whoever prints it in a CI's log."""
    document = _logging_command().sub(r"#\\u0023\1[", document)
    return _unusual().sub(lambda run: _hidden().sub(_json_escape, run[0]), document)


def markdown(text: str) -> str:
    """One line of Markdown, or of text in HTML, that does nothing: no markup, link, mention or reference."""
    return _inert(plain(" ".join(text.split("\n"))).strip(), _markup())


def inline(text: str) -> str:
    """As `markdown`, for a part of a line that something else begins: there is less to escape, and blanks stay."""
    return _inert(plain(" ".join(text.split("\n"))), _inside())


def _inert(shown: str, markup: re.Pattern[str]) -> str:
    return markup.sub(_entity, _live().sub(rf"\g<0>{_JOINT}", shown))


def fence(text: str) -> str:
    """A fenced block of Markdown that shows the lines of the text; no run of backticks in it is as long."""
    shown = log_safe(text).rstrip("\n")
    ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", shown)), default=0))
    return f"{ticks}text\n{shown}\n{ticks}\n"


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, dict):
        return {encodable(key): _encodable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(one) for one in value]
    return value


def _visible(hidden: re.Match[str]) -> str:
    code = ord(hidden[0])
    if hidden[0] == "\r":
        return "\\r"
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"


def _json_escape(hidden: re.Match[str]) -> str:
    units = hidden[0].encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _entity(character: re.Match[str]) -> str:
    return f"&#{ord(character[0])};"
