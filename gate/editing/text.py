"""Text as editing tools see it: line ends, encodings, and halves of surrogate pairs."""

import msgspec

LF = b"\n"
CRLF = b"\r\n"
_UTF16 = b"\xff\xfe"
_LOOKED_AT = 4096


class Text(msgspec.Struct, frozen=True):
    """A file as a tool reads it that works on UTF-8 with LF ends and puts the file's own ways back.

    `body` is that UTF-8 text. `ends` are the file's line ends: those that prevail in its first 4096 characters, as
    the tools of coding agents count them. `wide` says that the file is UTF-16 with a byte order mark.
    """

    body: bytes
    ends: bytes = LF
    wide: bool = False

    @classmethod
    def of(cls, content: bytes) -> "Text":
        """The text of a file's bytes. Bytes that are not valid become U+FFFD, as they do in those tools."""
        wide = content.startswith(_UTF16)
        body = encoded(content.decode("utf-16-le", "replace")) if wide else content
        if not wide and not content.isascii():
            text = content.decode("utf-8", "replace")
            body = text.encode() if "\ufffd" in text else content
        if CRLF not in body:
            return cls(body, LF, wide)
        head = body[:_LOOKED_AT]
        paired = head.count(CRLF)
        ends = CRLF if paired > head.count(LF) - paired else LF
        return cls(body.replace(CRLF, LF), ends, wide)

    def put(self, body: bytes) -> bytes:
        """The bytes of the file when its text is `body`: line ends and encoding are the file's."""
        if self.ends == CRLF:
            body = body.replace(CRLF, LF).replace(LF, CRLF)
        return body.decode("utf-8", "replace").encode("utf-16-le") if self.wide else body


def encoded(text: str) -> bytes:
    """UTF-8 for a decoded JSON string; half of a surrogate pair becomes U+FFFD, as in every tool made with Node."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def decoded(content: bytes) -> str:
    """The text of a file as tools written in Python read it: every line end is LF, and none comes back.

    Bytes that are not UTF-8 become surrogate escapes, so that `stored` gives them back.
    """
    return content.replace(CRLF, LF).replace(b"\r", LF).decode("utf-8", "surrogateescape")


def stored(text: str) -> bytes:
    """The bytes of a text that `decoded` gave; half of a surrogate pair becomes U+FFFD."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return encoded(text)
