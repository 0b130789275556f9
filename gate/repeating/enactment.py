"""One recorded command line done again: what of it can be is, in the order in which a shell ran it."""

from collections.abc import Callable, Iterable

import msgspec

from gate.cmdline import effects, sequence, shell
from gate.cmdline.lexer import Word
from gate.cmdline.sequence import Chain, Group, Part
from gate.cmdline.wrapper import program
from gate.errors import NotRepeated
from gate.path import printable
from gate.repeating.act import Act, may_change, unwrapped
from gate.repeating.site import Site

_LONGEST = 100
_DEEPEST = 4


class Done(msgspec.Struct, frozen=True):
    """One simple command that may change files; `reason` says why it was not repeated, and is empty when it was."""

    text: str
    reason: str = ""


class Enactment:
    """One line under way. `folder` is where it ran (None: not in the workspace); it moves with `cd`.

    `failed` says that the line ended in a failure: what ran before the part that failed is done, what came after it
    is not. `patched` says that its calls of apply_patch are edits of the step already. `said` are the scripts that
    package managers announced. `tell` hears of every command that may change files, after it is done or is not.
    With `listen` what the line prints is kept.
    """

    def __init__(
        self,
        site: Site,
        folder: str | None,
        *,
        failed: bool,
        patched: bool,
        said: Iterable[str],
        tell: Callable[[Done], None],
        listen: bool = False,
    ) -> None:
        self._site, self._folder = site, folder
        self._failed, self._patched = failed, patched
        self._said = list(said)
        self._tell = tell
        self._told = 0
        self._depth = 0
        self._over = False
        self._by = ""
        self._listen = listen
        self._printed: list[bytes | None] = []

    @property
    def printed(self) -> bytes | None:
        """What the line has printed; None where that is not known of all of it."""
        known = [part for part in self._printed if part is not None]
        return b"".join(known) if len(known) == len(self._printed) else None

    def line(self, text: str, *, final: bool = True) -> bool | None:
        """Do what can be done of it; whether it succeeded, None where that is not known."""
        told = self._told
        line = sequence.read(text)
        succeeded = self._chains(line.chains, final=final and not line.stopped)
        if not line.stopped or self._over:
            return succeeded
        self._printed.append(None)
        changing = sum(bool(effects.changes(simple)) for simple in shell.commands(text))
        if changing > self._told - told:
            self._say(text, line.stopped)
        return None

    def _say(self, text: str, reason: str = "") -> None:
        self._told += 1
        words = " ".join(text.split())
        shown = words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
        self._tell(Done(printable(f"{shown} (by {self._by[:_LONGEST]})" if self._by else shown), reason))

    def _chains(self, chains: tuple[Chain, ...], *, final: bool) -> bool | None:
        succeeded: bool | None = True
        for number, chain in enumerate(chains, 1):
            if not self._over:
                succeeded = self._chain(chain, final=final and number == len(chains))
        return succeeded

    def _chain(self, chain: Chain, *, final: bool) -> bool | None:
        succeeded: bool | None = True
        for number, (operator, pipeline) in enumerate(chain.pipelines, 1):
            unknown = succeeded is None and (operator == "||" or (operator == "&&" and self._failed))
            if unknown:
                self._skip(pipeline)
            elif operator != "||" and not self._over:
                succeeded = self._pipeline(pipeline, final=final and number == len(chain.pipelines))
        return succeeded

    def _skip(self, pipeline: tuple[Part | Group, ...]) -> None:
        for part in pipeline:
            if isinstance(part, Group):
                for chain in part.body:
                    for _, inner in chain.pipelines:
                        self._skip(inner)
            elif may_change(part):
                self._say(part.text, "whether it ran is not known")

    def _pipeline(self, parts: tuple[Part | Group, ...], *, final: bool) -> bool | None:
        succeeded: bool | None = True
        output: bytes | None = None
        for number, part in enumerate(parts, 1):
            if isinstance(part, Part):
                wanted = self._listen or any(isinstance(later, Part) and may_change(later) for later in parts[number:])
                succeeded, output = self._part(part, output, final=final, wanted=wanted)
            elif len(parts) == 1:
                succeeded = self._group(part, final=final)
            else:
                self._skip((part,))
                succeeded = output = None
        if not isinstance(parts[-1], Group) or len(parts) > 1:
            self._printed.append(output)
        return succeeded

    def _group(self, group: Group, *, final: bool) -> bool | None:
        folder = self._folder
        succeeded = self._chains(group.body, final=final)
        if group.parentheses:
            self._folder = folder
        return succeeded

    def _part(self, part: Part, given: bytes | None, *, final: bool, wanted: bool) -> tuple[bool | None, bytes | None]:
        """Whether the command succeeded, and what it printed; None where that is not known."""
        try:
            words = unwrapped(part.words)
            if isinstance(words, str):
                return self._nested(words, self._folder, final=final)
            return self._command(part, words, given, final=final, wanted=wanted)
        except NotRepeated as error:
            if may_change(part):
                self._say(part.text, error.message)
            return None, None

    def _command(
        self, part: Part, words: tuple[Word, ...], given: bytes | None, *, final: bool, wanted: bool
    ) -> tuple[bool | None, bytes | None]:
        name = program(words[0].text) if words else ":"
        if name in ("cd", "pushd", "popd", "chdir"):
            self._change_folder(words[1:])
            return True, b""
        if name in ("exit", "return"):
            self._over = True
            return None, None
        if name in ("apply_patch", "applypatch") and self._patched:
            return True, b""
        act = Act(self._site, self._folder, part, words)
        script = act.script(self._said)
        if script is not None:
            return self._nested(script.text, script.folder, final=final, by=part.text)
        if self._failed and final and act.changes and not act.may_write_and_fail():
            raise NotRepeated("the recording says that it failed", kind="recorded_failure")
        outcome = act.do(given, wanted=wanted)
        if outcome.done:
            self._say(part.text)
        return outcome.succeeded, outcome.output

    def _change_folder(self, words: tuple[Word, ...]) -> None:
        target = next((word for word in words if not word.text.startswith("-")), None)
        try:
            names = self._site.expanded(target, self._folder) if target is not None else []
            self._folder = self._site.place(names[0], self._folder) if len(names) == 1 else None
        except NotRepeated:
            self._folder = None

    def _nested(self, text: str, folder: str | None, *, final: bool, by: str = "") -> tuple[bool | None, bytes | None]:
        """A line within the line, and what it prints; `by` is the call of the script that it is."""
        if self._depth >= _DEEPEST:
            raise NotRepeated("it is nested too deeply", kind="syntax")
        around, over, caller = self._folder, self._over, self._by
        before, self._printed = self._printed, []
        self._folder, self._depth, self._by = folder, self._depth + 1, by or caller
        try:
            return self.line(text, final=final), self.printed
        finally:
            self._folder, self._depth, self._over, self._by = around, self._depth - 1, over, caller
            self._printed = before
