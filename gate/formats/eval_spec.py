"""Eval specs: `eval.yaml` with stimuli, environments and graders."""

import posixpath
from collections.abc import Iterator
from typing import Any

import msgspec

from gate.desk import Desk, Drafted, Format
from gate.document import Document, DocumentError, Path, dotted, parse
from gate.errors import SourceError, TaskError, noted, together
from gate.oracle import Oracle
from gate.reference import References, Written
from gate.scoring import Scoring
from gate.setting import Setting, layered, read_setting
from gate.shape import shaped, shown
from gate.stimulus import Defaults, Grader, Spec, Stimulus, Words
from gate.task import Environment, Revision, State, Task

PROJECT = ".vally.yaml"


class EvalSpec(Format):
    """An eval spec: every stimulus is a task, and its graders are oracles.

    A stimulus's own environment is laid over that of the root: what stands nearer wins, lists are replaced, maps are
    merged. An environment may be named; it is looked up in `.vally.yaml` beside the spec or above it.
    """

    def tasks(self, place: str, desk: Desk) -> Iterator[Drafted]:
        """Every stimulus; a broken one with its problem. TaskError where the spec cannot be read as a whole."""
        try:
            document = parse(desk.read(place), name=place, aliases=True)
            if not isinstance(document.value, dict):
                raise DocumentError(f"expected an eval spec as a mapping, found {shown(document.value)}", kind="type")
            reading = _Reading(place, document, desk)
        except SourceError as error:
            raise TaskError(f"the eval spec cannot be read: {error.message}", kind=error.kind) from None
        except DocumentError as error:
            raise TaskError(error.at(place), kind=error.kind) from None
        for number, value in enumerate(reading.spec.stimuli):
            yield reading.drafted(value, ("stimuli", number))


class _Reading:
    """One eval spec, being read."""

    def __init__(self, place: str, document: Document, desk: Desk) -> None:
        self._place, self._document, self._desk = place, document, desk
        self._wrong = document.fault
        self._folder = posixpath.dirname(place)
        self.spec = shaped(document, Spec, document.value)
        if not self.spec.stimuli:
            raise self._wrong(("stimuli",), "there is no stimulus in the list", kind="missing_key")
        if self.spec.defaults is not None and self.spec.config is not None:
            raise self._wrong(("config",), "stands beside `defaults`, which is its newer name; keep one of them")
        self._defaults = self.spec.defaults or self.spec.config or Defaults()
        self._root = self._setting(self.spec, ())
        self._weights = self._scoring()

    def drafted(self, value: Any, at: Path) -> Drafted:
        """One stimulus, or why it is none."""
        line = self._document.line(at)
        name = value.get("name") if isinstance(value, dict) else None
        name = name if isinstance(name, str) and name.strip() else dotted(at)
        try:
            stimulus = shaped(self._document, Stimulus, value, at=at)
            if not stimulus.name.strip():
                raise self._wrong((*at, "name"), "expected a name, found nothing")
            task = self._task(stimulus, at)
        except DocumentError as error:
            return Drafted(name=name, problem=error.at(self._place), kind=error.kind, path=self._place, line=line)
        return Drafted(name=name, task=task, golden=self._golden(stimulus, at), path=self._place, line=line)

    def _task(self, stimulus: Stimulus, at: Path) -> Task:
        setting = layered(self._root, self._setting(stimulus, at))
        plain = setting.repository is not None and setting.repository.is_here
        head = plain and not setting.files and not setting.setup
        return Task(
            id=stimulus.name,
            name=stimulus.name,
            description=stimulus.description or self.spec.description or "",
            prompt=_joined(stimulus.prompt),
            tags=(*_tags(self.spec.tags), *_tags(stimulus.tags)),
            workspace=Revision("base") if head else Environment(repository=setting.repository, files=setting.files),
            oracles=self._oracles(stimulus, at),
            state=State.HEAD if head else State.REPLAY,
            setup=setting.setup,
            variables=setting.variables,
            rubric=_listed(stimulus.rubric),
            scoring=self._scored(stimulus, at),
            path=self._place,
            line=self._document.line(at),
        )

    def _golden(self, stimulus: Stimulus, at: Path) -> Written | None:
        references = References(
            patch=stimulus.golden_patch,
            command=stimulus.golden_command,
            trajectory=stimulus.golden_trajectory,
            custom_metrics=stimulus.golden_custom_metrics,
        )
        if references == References():
            return None
        where = self._document.place(self._place, at)
        return Written(references=references, folder=self._folder, where=where, prefix="golden_")

    def _oracles(self, stimulus: Stimulus, at: Path) -> tuple[Oracle, ...]:
        if not stimulus.graders:
            raise self._wrong((*at, "graders"), "there is no grader, so nothing would be asked", kind="missing_key")
        found: list[Oracle] = []
        narrowed: list[str] = []
        mistakes: list[DocumentError] = []
        for number, value in enumerate(stimulus.graders):
            with noted(mistakes):
                place = (*at, "graders", number)
                grader = shaped(self._document, Grader, value, at=place)
                kind = self._desk.catalogue.find(grader.type)
                if grader.narrowed and kind is not None and "turn" not in kind.__struct_fields__:
                    narrowed.append(grader.name or grader.type)
                    continue
                parameters = {**grader.config, **self._besides(grader, stimulus, kind)}
                found.append(self._desk.catalogue.decode(self._document, {"type": grader.type, **parameters}, place))
        if mistakes:
            raise together(mistakes)
        if narrowed:
            reason = f"cannot be narrowed to a turn (they look at the workspace): {', '.join(narrowed)}"
            raise self._wrong((*at, "graders"), f"these graders {reason}; take `turn` and `scope` out", kind="turn")
        return tuple(found)

    def _besides(self, grader: Grader, stimulus: Stimulus, kind: type[Oracle] | None) -> dict[str, Any]:
        """What a grader is given beside its `config`: the rubric and the judge's model where it takes them."""
        told: dict[str, Any] = {"name": grader.name, "turn": grader.turn, "scope": grader.scope}
        fields = kind.__struct_fields__ if kind is not None else ()
        offered = {
            "rubric": _listed(stimulus.rubric) or None,
            "model": self._desk.judge_model or self._defaults.judge_model,
            "reasoning_effort": self._desk.judge_reasoning_effort or self._defaults.judge_reasoning_effort,
        }
        told |= {key: value for key, value in offered.items() if key in fields and key not in grader.config}
        return {key: value for key, value in told.items() if value is not None}

    def _setting(self, level: Spec | Stimulus, at: Path) -> Setting:
        """The environment that one level names: `agent_environment`, with `environment` over it."""
        found = Setting()
        for key in ("agent_environment", "environment"):
            value = getattr(level, key)
            if isinstance(value, str):
                found = layered(found, self._named(value, (*at, key)))
            elif value is not None:
                found = layered(found, read_setting(self._document, value, (*at, key), self._folder))
        return found

    def _named(self, name: str, at: Path) -> Setting:
        """An environment of `.vally.yaml`, in the spec's folder or the nearest one above it."""
        folder = self._folder
        while not self._desk.exists(posixpath.join(folder, PROJECT)):
            if not folder:
                reason = f"the environment {name!r} is named, and there is no {PROJECT} here or above that holds it"
                raise self._wrong(at, reason, kind="environment")
            folder = posixpath.dirname(folder)
        place = posixpath.join(folder, PROJECT)
        try:
            project = parse(self._desk.read(place), aliases=True)
            known = project.value.get("environments") if isinstance(project.value, dict) else None
            if not isinstance(known, dict) or name not in known:
                names = ", ".join(f"`{key}`" for key in known) if isinstance(known, dict) else "none"
                raise self._wrong(
                    at, f"there is no environment {name!r} in {place}; it has {names}", kind="environment"
                )
            return read_setting(project, known[name], ("environments", name), folder)
        except SourceError as error:
            raise self._wrong(at, f"{place} cannot be read: {error.message}", kind=error.kind) from None
        except DocumentError as error:
            if error.message.startswith(f"`{dotted(at)}`"):
                raise
            raise self._wrong(at, f"of {error.at(place)}", kind=error.kind) from None

    def _scoring(self) -> Scoring:
        told, at = self.spec.scoring, ("scoring",)
        if told.threshold is not None and not 0 <= told.threshold <= 1:
            raise self._wrong((*at, "threshold"), f"expected a number from 0 to 1, found {told.threshold:g}")
        for name, weight in told.weights.items():
            if self._desk.catalogue.find(name) is None:
                raise self._wrong((*at, "weights", name), f"there is no grader {name!r}", kind="unknown_oracle")
            if weight < 0:
                raise self._wrong((*at, "weights", name), f"expected a number that is not negative, found {weight:g}")
        weights = {name.replace("-", "_"): weight for name, weight in told.weights.items()}
        return Scoring(threshold=told.threshold, weights=weights)

    def _scored(self, stimulus: Stimulus, at: Path) -> Scoring | None:
        graders = [shaped(self._document, Grader, value) for value in stimulus.graders]
        for number, grader in enumerate(graders):
            if grader.weight is not None and (grader.weight < 0 or grader.name is None):
                reason = "a weight that is not negative needs a `name` beside it"
                raise self._wrong((*at, "graders", number, "weight"), reason)
        named = {str(grader.name): grader.weight for grader in graders if grader.weight is not None}
        scoring = msgspec.structs.replace(self._weights, named=named)
        return None if scoring == Scoring() else scoring


def _joined(text: Words) -> str:
    return text if isinstance(text, str) else "\n\n".join(text)


def _listed(text: Words) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def _tags(tags: dict[str, Any] | list[str]) -> tuple[str, ...]:
    return tuple(tags) if isinstance(tags, list) else tuple(f"{key}:{value}" for key, value in tags.items())
