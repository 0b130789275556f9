"""The arguments of a program: operands, options and their values."""

import posixpath


def operands(words: tuple[str, ...], valued: str = "") -> list[str]:
    """The words that are neither options nor, for the options in `valued`, their values."""
    takes, at = valued.split(), 0
    found: list[str] = []
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            return found + list(words[at:])
        if word.startswith("-") and word != "-":
            at += word in takes
        else:
            found.append(word)
    return found


def value(words: tuple[str, ...], *options: str) -> str | None:
    """The value of an option: `-t DIR`, `-tDIR`, `--target=DIR`."""
    for at, word in enumerate(words):
        for option in options:
            if word == option:
                return words[at + 1] if words[at + 1 :] else None
            if option.startswith("--") and word.startswith(f"{option}="):
                return word[len(option) + 1 :]
            if not option.startswith("--") and len(option) == 2 and word.startswith(option):
                return word[2:]
    return None


def has(words: tuple[str, ...], short: str, *long: str) -> bool:
    """Whether one of the options is there: the letters of `short` in any cluster, or a long one."""
    for word in words:
        if word == "--":
            return False
        if word.partition("=")[0] in long:
            return True
        if short and word[:1] == "-" and word[1:2] != "-" and set(short) & set(word[1:]):
            return True
    return False


def git_verb(words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The folder of git's own `-C`, and the words from git's verb on."""
    folder = ""
    while words and words[0].startswith("-"):
        if words[0] == "-C" and words[1:]:
            folder = posixpath.join(folder, words[1])
        words = words[2 if words[0] in ("-C", "-c", "--git-dir", "--work-tree", "--namespace") else 1 :]
    return folder, words
