"""Code in other languages than Python: whether it writes files that it finds while it runs, as its words suggest."""

import re

_FINDS = re.compile(
    r"readdir|opendir|\bglob|walk|scandir|fast-glob|\bDir\[|Dir\.(?:glob|each|children|entries)|Find\.find|File::Find"
    r"|DirectoryIterator|process\.argv|Deno\.args|@?\bARGV\b|\$argv|git ls-files|git grep|git diff|\bstdin\b|STDIN"
    r"|<>|\bfindSync|listFiles"
)
_WRITES = re.compile(
    r"(?:writeFile|appendFile|writeTextFile|unlink|rename|copyFile|truncate|file_put_contents|createWriteStream|outputFile"
    r"|Bun\.write|File\.write|IO\.write|FileUtils\.\w+|\b(?:fs|Deno)\.rm|cpSync|rmSync)(?:Sync)?\s*\(?\s*(?P<first>[^\s,)]*)"
    r"|(?:File\.open|fopen|\bopen)\s*\(?\s*(?P<opened>[^\s,)]+)\s*,\s*['\"][wa+>]"
)
_TOLD = re.compile(r"['\"][^'\"$#{}]*['\"]|`[^`$]*`")


def writes_what_it_finds(code: str) -> bool:
    """Whether it looks for files, and writes some that it does not name."""
    if not _FINDS.search(code):
        return False
    found = (one["first"] or one["opened"] or "" for one in _WRITES.finditer(code))
    return any(not _TOLD.fullmatch(first) for first in found)
