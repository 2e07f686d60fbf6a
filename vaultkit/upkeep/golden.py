"""Golden evaluation: fixed prompts with the notes that must come, or must not (memory.md M45)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from vaultkit import __version__
from vaultkit import recall as engine
from vaultkit.app import App
from vaultkit.operations import recall
from vaultkit.store.activity import ActivityLog
from vaultkit.upkeep.usage import opened_after

FILE: Final = "eval.jsonl"

Outcome = Literal["passed", "failed", "skipped"]


class Case(NamedTuple):
    """One golden case and how it went. *rank* is that of the first expected note, 0: not among the candidates."""

    query: str
    outcome: Outcome
    rank: int
    k: int
    injected: bool  # an expected note stands in the digest itself
    reason: str
    gone: tuple[str, ...] = ()


class Report(NamedTuple):
    """One run. *share* is that of the passed among the measured cases, in percent; None when nothing was measured."""

    cases: tuple[Case, ...]
    passed: int
    failed: int
    skipped: int
    share: float | None
    threshold: int
    injected: int
    trend: tuple[float, ...]  # of the runs before, oldest first

    @property
    def good(self) -> bool:
        """Is the threshold met? Cases that are all skipped measure nothing, and that is not good."""
        return self.share >= self.threshold if self.share is not None else not self.cases


def evaluate(app: App) -> Report:
    """Run every case of golden.yml, and keep the result."""
    app.sync()
    golden = recall.golden(app)
    everywhere = tuple(path for case in golden if not case.query for path in case.never)
    cases = tuple(_run(app, case, everywhere) for case in golden if case.query)
    count = {outcome: sum(1 for case in cases if case.outcome == outcome) for outcome in ("passed", "failed", "skipped")}
    measured = count["passed"] + count["failed"]
    share = round(100 * count["passed"] / measured, 1) if measured else None
    before = tuple(float(row["share"]) for row in history(app) if isinstance(row.get("share"), (int, float)))
    report = Report(
        cases,
        count["passed"],
        count["failed"],
        count["skipped"],
        share,
        app.config.eval_threshold,
        sum(1 for case in cases if case.injected),
        before[-_TREND:],
    )
    if cases:
        told = {name: getattr(report, name) for name in ("passed", "failed", "skipped", "share", "threshold", "injected")}
        _log(app).append("eval", t=app.clock(), version=__version__, **told)
    return report


def history(app: App) -> list[dict[str, Any]]:
    """The runs that were kept, oldest first."""
    return list(_log(app).read(events=("eval",)))


class Suggested(NamedTuple):
    """A case that use suggests; *turns* whose prompts were not kept suggest none."""

    cases: tuple[tuple[str, tuple[str, ...]], ...]
    unknown: int


def suggest(app: App) -> Suggested:
    """Prompts after which a note was opened that they had been shown, as cases that golden.yml does not have yet."""
    app.sync()
    manifest = app.manifest()
    known = {case.query for case in recall.golden(app)}
    events = list(app.activity.read(events=("prompt", "opened")))
    found: dict[str, dict[str, None]] = {}
    unknown = 0
    for turn, paths in opened_after(events):
        there = [path for path in paths if path in manifest]
        query = " ".join(str(turn.get("prompt") or "").split())
        if there and not query:
            unknown += 1
        elif there and query not in known:
            found.setdefault(query, {}).update(dict.fromkeys(there))
    return Suggested(tuple((query, tuple(paths)) for query, paths in found.items()), unknown)


_TREND: Final = 8


def _log(app: App) -> ActivityLog:
    return ActivityLog(app.places.state, name=FILE)


def _run(app: App, case: recall.Golden, everywhere: Sequence[str]) -> Case:
    manifest = app.manifest()
    expect, never = list(_named(manifest, case.expect)), list(_named(manifest, case.never))
    gone = tuple(path for path in (*case.expect, *case.never) if not list(_named(manifest, [path])))
    if not case.expect and not case.never:
        return Case(case.query, "skipped", 0, case.k, injected=False, reason="it expects nothing and forbids nothing")
    if (case.expect and not expect) or not (expect or never):
        return Case(case.query, "skipped", 0, case.k, injected=False, reason=f"gone: {', '.join(gone)}", gone=gone)
    prompt = engine.clean(case.query)
    if prompt.noise:
        outcome: Outcome = "failed" if expect else "passed"
        return Case(case.query, outcome, 0, case.k, injected=False, reason=f"recall takes it for noise: {prompt.reason}", gone=gone)
    policy = recall.policy_of(app, "")
    rows, stats = recall.candidates(app, prompt, policy)
    ranked = [one.path for one in engine.rank(prompt, rows, stats, policy, uses=recall.uses_of(app), now=app.now())]
    digest = recall.look_up(app, prompt, policy).digest.paths
    rank = next((at for at, path in enumerate(ranked, 1) if path in expect), 0)
    wrong = [path for path in digest if path in never or path in everywhere]
    if wrong:
        reason = f"it injects {', '.join(wrong)}, which must never come"
    elif expect and not rank:
        reason = f"{expect[0]} is not found" + ("" if _recallable(app, expect, policy) else ": it is private, muted or not active")
    elif rank > case.k:
        reason = f"its note is at rank {rank}"
    else:
        reason = ""
    return Case(case.query, "failed" if reason else "passed", rank, case.k, any(path in expect for path in digest), reason, gone)


def _named(manifest: Any, paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        yield from (name for name in (path, f"{path}.md") if name in manifest)


def _recallable(app: App, paths: Sequence[str], policy: engine.Policy) -> bool:
    return any(engine.allowed(row, policy) for row in app.rows(paths))
