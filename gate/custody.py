"""What is to be said of the bundles that a manifest names: the environment at hand, and whether they came first."""

import posixpath
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from gate.desk import Desk
from gate.entry import Entry
from gate.errors import BundleError
from gate.judge import Bench
from gate.path import printable
from gate.plan import Planned
from gate.policy import Require
from gate.report import Finding, Severity
from gate.review import Review

if TYPE_CHECKING:
    from gate.bundles.contents import Contents

_STRICT = (Require.NONE, Require.COMPATIBLE, Require.EXACT)
NO_PIN = "there is no env_pin.json"


class Custody(msgspec.Struct, frozen=True, kw_only=True):
    """How one bundle stands here: its hash, the fields in which the machine differs, and what a rate lacks."""

    place: str
    digest: str
    tasks: int
    drift: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()

    @property
    def finding(self) -> Finding:
        """The notice of every report."""
        tasks = f"{self.tasks} task{'' if self.tasks == 1 else 's'}"
        rate = f"No rate of it is publishable: {'; '.join(self.gaps)}." if self.gaps else ""
        drift = f"This machine is not the pinned one: {'; '.join(self.drift)}." if self.drift else ""
        parts = (f"The bundle {self.place} with {tasks} is sha256:{self.digest}.", rate, drift)
        return Finding(severity=Severity.NOTICE, kind="bundle", message=" ".join(filter(None, parts)))


def of_bundles(
    review: Review, bench: Bench, desk: Desk, pairs: Sequence[tuple[Entry, Planned]], *, python: str | None
) -> Iterator[Finding]:
    """A notice for each bundle of which a task is in scope.

    BundleError where the machine is further from the pinned one than its entry allows: nothing is judged.
    """
    for place in desk.bundles:
        mine = [(entry, task) for entry, task in pairs if _is_of(entry, place, desk) and task.in_scope]
        if mine:
            require = max((entry.require or Require.COMPATIBLE for entry, _ in mine), key=_STRICT.index)
            drift, missing = _environment(review, desk, place, require=require, python=python)
            yield Custody(
                place=place,
                digest=desk.bundles[place].digest,
                tasks=len(desk.bundles[place].tasks),
                drift=drift,
                gaps=(*missing, *_provenance(review, bench, place, desk.folder, [task for _, task in mine])),
            ).finding


def _is_of(entry: Entry, place: str, desk: Desk) -> bool:
    return entry.bundle is not None and desk.beside(desk.folder, entry.bundle) == place


def _environment(
    review: Review, desk: Desk, place: str, *, require: Require | None, python: str | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """In what the machine differs from the pin, and what the pin does not say."""
    if not (review.asked.commands and review.judges):
        pin = desk.bundles[place].pin
        return (), (NO_PIN,) if pin is None else pin.gaps
    return environment_of(
        desk.bundles[place],
        require=require,
        python=python,
        # The lock file of the head: that is what was installed here.
        read_lock=lambda name: review.head.read(posixpath.normpath(posixpath.join(place, name))),
    )


def environment_of(
    contents: "Contents",
    *,
    require: Require | None,
    python: str | None,
    read_lock: Callable[[str], bytes | None],
    needs_pin: bool = True,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """In what this machine differs from a bundle's pin, and what the pin does not say.

    `require` is `compatible` where it is None. BundleError where the machine is further from the pin than that, or
    where there is no pin and one is needed.
    """
    from gate.bundles import environment  # only a run with a bundle in scope needs it

    place, pin = contents.label, contents.pin
    require = Require.COMPATIBLE if require is None else require
    if pin is None:
        if needs_pin and require is not Require.NONE:
            raise BundleError(
                f"{place}: there is no env_pin.json, and `require: {require}` asks for one; write it with "
                f"`gate bundle pin {printable(place)}`, or judge without one by `require: none` (`--require none`)",
                kind="no_pin",
            )
        return (), (NO_PIN,)
    drifts = environment.drift_here(pin, python=python, read_lock=read_lock)
    refused = environment.refused(drifts, require)
    if refused:
        raise BundleError(
            f"{place}: this machine is too far from the environment that the bundle was pinned in "
            f"(`require: {require}`): {'; '.join(drift.line for drift in refused)}. "
            "With `require: none` (`--require none`) differences are shown and not refused",
            kind="environment",
        )
    strayed = [f"the {drift.field} is not the pinned one" for drift in drifts if not drift.compatible]
    return tuple(drift.line for drift in drifts), (*pin.gaps, *strayed)


def _provenance(review: Review, bench: Bench, place: str, folder: str, tasks: Sequence[Planned]) -> Iterator[str]:
    """Why nothing shows that the bundle came before what is judged: recordings, or folders that an agent finished."""
    from gate.bundles.provenance import Provenance  # see above

    head = review.change.head if review.change else None
    found = Provenance(review.git, place=place, judge=bench.commit or head, head=head)
    recordings = [recorded for task in tasks for recorded in task.recordings]
    finished = {
        posixpath.normpath(posixpath.join(folder, task.task.finished)): f"tasks/{task.id}/fixtures"
        for task in tasks
        if task.task is not None and task.task.finished is not None
    }
    elsewhere = next((recorded.path for recorded in recordings if recorded.elsewhere), None)
    reason = found.of_files(sorted({recorded.path for recorded in recordings}), review.head.tree)
    reason = reason or found.of_folders(finished)
    if reason:
        yield reason
    elif not recordings and not finished:
        yield "nothing that an agent has left is judged"
    elif elsewhere is not None:
        yield f"{elsewhere} is no file of a commit, so nothing shows that the bundle was pinned before it"
