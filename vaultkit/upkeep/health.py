"""Does the memory work? Each check says what it found and, where something is wrong, what to do (memory.md M14, M44); and `stats` (M47)."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from vaultkit import wire
from vaultkit.app import App, Synced
from vaultkit.errors import VaultkitError
from vaultkit.operations import recall
from vaultkit.operations.promotion import Promoted, promoted
from vaultkit.text import bullets
from vaultkit.upkeep import golden
from vaultkit.upkeep.usage import BY_HAND, FRUITLESS, Event, Harness, by_harness

Level = Literal["ok", "info", "red"]

_EVENTS: Final = ("prompt", "opened", "judged", "decisions")


class Check(NamedTuple):
    """One thing looked at. *todo* is what to do about it; only `red` is a finding."""

    name: str
    level: Level
    text: str
    todo: str = ""


class Stats(NamedTuple):
    """Figures of use, each harness by itself."""

    harnesses: tuple[Harness, ...]
    notes: int
    rules: int
    types: dict[str, int]
    opened: int
    judged_useful: int
    promoted: tuple[Promoted, ...] = ()  # the rules that came from notes, and in how many sessions each was applied
    decisions_shown: int = 0  # how often earlier decisions were shown before one was drafted or written (memory.md M28b)


def stats(app: App) -> Stats:
    """What recall cost and what it was good for."""
    app.sync()
    events = list(app.activity.read(events=_EVENTS))
    types: dict[str, int] = {}
    for head in app.heads().values():
        types[head.type] = types.get(head.type, 0) + 1
    return Stats(
        tuple(by_harness(events)),
        sum(types.values()),
        _rules(app),
        dict(sorted(types.items(), key=lambda item: (-item[1], item[0]))),
        sum(1 for event in events if event.get("event") == "opened"),
        sum(1 for event in events if event.get("event") == "judged" and event.get("useful")),
        tuple(promoted(app)),
        sum(1 for event in events if event.get("event") == "decisions"),
    )


def health(app: App) -> list[Check]:
    """Every check, in the order in which one would look."""
    return [check for part in (_index, _descriptions, _vectors, _bullets, _golden, daemon, _use, _state) for check in part(app)]


def daemon(app: App) -> Iterator[Check]:
    """Does the daemon answer, and did it answer the prompts of late?"""
    answer = wire.ask("status", (), b"", 1.0)
    if answer is None:
        text = "none is running; the next prompt starts one"
    else:
        found = json.loads(answer)
        text = f"process {found.get('pid')}, version {found.get('version')}, {found.get('requests')} requests, {found.get('rss_mb')} MB"
    hooks = [event for event in app.activity.read(events=("prompt",)) if event.get("hook")][-_LATELY:]
    alone = sum(1 for event in hooks if event.get("served_by") == "cli")
    if len(hooks) == _LATELY and alone > _LATELY // 2:
        yield Check(
            "daemon",
            "red",
            f"{text}; {alone} of the last {_LATELY} prompts were answered without it",
            "`vaultkit daemon run` in a terminal shows why",
        )
    else:
        yield Check("daemon", "ok", text)


def _rules(app: App) -> int:
    """The lines of rules.md that are list items."""
    if not app.files.exists("rules.md"):
        return 0
    note, text = app.read("rules.md")
    return sum(1 for line in text[note.body :].splitlines() if line.lstrip().startswith(("- ", "* ", "+ ")))


def _index(app: App) -> Iterator[Check]:
    try:
        first = app.sync()
        again = app.sync()
        held = app.search.count()
    except VaultkitError as error:
        yield Check("index", "red", error.message, error.hint)
        return
    wanted, gone = app.cache.pending()
    if not first.notes:
        yield Check("index", "red", f"no note in {app.root}", "is this the right vault? name it with --vault PATH")
    elif again.changed or again.removed or wanted or gone or held != first.notes:
        yield Check(
            "index",
            "red",
            f"{first.notes:,} notes, {held:,} in the index, {again.changed + again.removed} still to bring in",
            f"end what keeps changing files, or delete {app.places.cache}: it is made again from the notes",
        )
    else:
        news = f"; {first.changed} changed and {first.removed} removed were brought in just now" if first.changed or first.removed else ""
        yield Check("index", "ok", f"{first.notes:,} notes, all in the index, nothing left to do{news}")
    yield from _skipped(first)


def _skipped(synced: Synced) -> Iterator[Check]:
    missing = [skip for skip in synced.skipped if skip.path.lower().endswith(".md")]
    if missing:
        named = ", ".join(f"{skip.path} ({skip.reason})" for skip in missing[:3])
        yield Check("notes left out", "red", f"{len(missing)}: {named}", "mend or rename them, or name them in the setting `ignore`")


def _descriptions(app: App) -> Iterator[Check]:
    own = [head for head in app.heads().values() if head.type not in {"daily", "template"} and head.status == "active"]
    if own:
        without = sum(1 for head in own if not head.description)
        stale = sum(1 for head in own if head.description and head.stale)
        text = f"{len(own) - without:,} of {len(own):,} notes have one ({100 * (len(own) - without) // len(own)} %), {stale} stale"
        yield Check(
            "descriptions", "info" if without or stale else "ok", text, "`vaultkit lint --info` lists them" if without or stale else ""
        )


def _vectors(app: App) -> Iterator[Check]:
    """Coverage, not liveness: a stale vector counts as missing, and a note that failed is named (memory.md M14)."""
    should = app.count_embeddable()
    if not app.embedded:
        if app.config.embedder in {"auto", "none"}:
            yield Check("vectors", "info", f"none: search is by words alone ({should:,} notes could have one)", "`vaultkit sync --embed`")
        else:
            yield Check("vectors", "red", f"0 of {should:,} notes have one, though embedder is {app.config.embedder}", "`vaultkit sync`")
        return
    found, model, known = app.coverage(), app.vectors.model, app.vectors.calibration
    text = f"{found.current:,} of {found.should:,} notes have a current one ({model.name}, {model.dimension} numbers)"
    if found.current < found.should:
        text += f"; {len(found.stale)} stale, {len(found.missing)} missing"
    named = [f"{path} ({why})" for path, why in list(found.failed.items())[:3]]
    if named:
        text += f"; {len(found.failed)} failed: {', '.join(named)}"
    whole = found.current == found.should
    yield Check("vectors", "ok" if whole else "red", text, "" if whole else "`vaultkit sync --embed` makes them, or says why not")
    if known is not None:
        yield Check(
            "thresholds",
            "ok",
            f"of {model.name} in this vault, from {known.pairs:,} random pairs of {known.notes:,} notes (median {known.median:.2f}): "
            f"entry {known.entry:.2f}, repetition {known.repetition:.2f}, duplicate {known.duplicate:.2f}, floor of search {known.floor:.2f}",
        )


def _bullets(app: App) -> Iterator[Check]:
    """Assumptions about data are checked on the data (memory.md M15): how long bullets are, and how much of the text they are."""
    texts: list[str] = []
    lists = 0
    for path, head in app.heads().items():
        if lists == _LISTS:
            break
        with contextlib.suppress(VaultkitError, OSError):  # moved or trashed since the sync
            note, text = app.read(path)
            if bullets.part_of(head.type, text, body=note.body) != "nothing":
                found = [entry.text for entry in bullets.bullet_entries(note, text)]
                texts += found
                lists += bool(found)
    if texts:
        told = bullets.lengths(texts)
        yield Check(
            "bullets",
            "info",
            f"{told.bullets:,} in {lists:,} list-like notes{' (the first)' if lists == _LISTS else ''}: {told.median} characters (median), "
            f"{told.p90} (p90), {told.longest} at most; {told.kept_whole:.0%} of their keywords are indexed, cut at 150 characters it were "
            f"{told.kept_at_150:.0%}, at 28 {told.kept_at_28:.0%}",
        )


_LISTS: Final = 300  # read for that


def _golden(app: App) -> Iterator[Check]:
    try:
        cases = [case for case in recall.golden(app) if case.query]
    except VaultkitError as error:
        yield Check("golden cases", "red", error.message, error.hint)
        return
    runs = golden.history(app)
    if not cases:
        yield Check(
            "golden cases",
            "info",
            "none: a change of ranking passes unseen",
            "`vaultkit eval --suggest` proposes some from what was opened",
        )
    elif not runs:
        yield Check("golden cases", "info", f"{len(cases)}, never run", "`vaultkit eval`")
    else:
        last = runs[-1]
        share, threshold, when = last.get("share"), app.config.eval_threshold, str(last.get("t"))[:10]
        bad = share is None or share < threshold
        text = f"{'nothing measured' if share is None else f'{share:g} %'} on {when} (threshold {threshold} %), {last.get('skipped', 0)} skipped"
        yield Check("golden cases", "red" if bad else "ok", text, "`vaultkit eval` names the cases that fail" if bad else "")


_LATELY: Final = 20


def _use(app: App) -> Iterator[Check]:
    events: Sequence[Event] = list(app.activity.read(events=_EVENTS))
    found = by_harness(events)
    if not found:
        yield Check("use", "info", "no prompt was recorded yet", "install the hook of your harness, or try `vaultkit recall PROMPT`")
    for one in found:
        name = "use" if one.harness == BY_HAND else f"use by {one.harness}"
        text = f"{one.used} of {one.notes} notes injected were used, {one.prompts:,} prompts"
        if one.fruitless >= FRUITLESS:
            key = json.dumps("*" if one.harness.startswith("(") else one.harness, ensure_ascii=False)
            yield Check(
                name,
                "red",
                f"{text}; nothing was used in the last {one.fruitless} sessions",
                f"turn it to on-demand: vaultkit config recall_mode '{{ {key} = \"on-demand\" }}'",
            )
        else:
            yield Check(name, "ok", text)


def _state(app: App) -> Iterator[Check]:
    folder = app.places.state
    if folder.exists() and not os.access(folder, os.W_OK):
        yield Check("activity log", "red", f"{folder} cannot be written: nothing is recorded", "make it writable")


def to_json(checks: Sequence[Check]) -> dict[str, Any]:
    """The answer of `health --json`."""
    return {"ok": not any(check.level == "red" for check in checks), "checks": [check._asdict() for check in checks]}
