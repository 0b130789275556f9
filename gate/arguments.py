"""The arguments of a program: operands, options and their values."""


def operands(words: tuple[str, ...], valued: str = "") -> list[str]:
    """The words that are neither options nor, for the options in `valued`, their values."""
    takes, found, at = valued.split(), [], 0
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
