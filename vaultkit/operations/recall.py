"""Recall at a prompt: the few notes that matter as one line each, or nothing; muting; and why a turn got what it got."""

from __future__ import annotations

import hashlib
import time
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from vaultkit import graph
from vaultkit import recall as engine
from vaultkit.app import App
from vaultkit.errors import ConfigError, NotFoundError
from vaultkit.recall.activation import tokens_of
from vaultkit.text.edit import Create, Edit, Rewrite, hash_of, printable, to_bytes, to_text

GOLDEN = "golden.yml"

_HEADER = """# Golden cases of recall: prompts with the notes that must come (`expect`) or must not (`never`). A case without a query holds for every prompt.
"""


_NOTHING: Final = engine.Stats(0, {})
_NONE: Final[frozenset[str]] = frozenset()


class Ask(NamedTuple):
    """One prompt. *hook*: a harness asks by itself at each turn, so that its setting recall_mode holds; by hand there is always an answer."""

    prompt: str
    mode: engine.Mode | None = None
    size: int = 2000
    session: str = ""
    harness: str = ""
    served_by: str = "cli"
    hook: bool = False
    everything: bool = False  # superseded, retired, discarded, processed notes as well
    shown: frozenset[str] | None = None  # what the session was shown before; None: as the activity log says


class Line(NamedTuple):
    """One note of a digest."""

    path: str
    title: str
    description: str
    score: float
    why: dict[str, Any]


class Recalled(NamedTuple):
    """The answer to a prompt; *text* is the digest, "" when nothing fits."""

    mode: str
    used: str
    fallback: str
    confidence: str
    served_by: str
    latency_ms: float
    notes: tuple[Line, ...]
    text: str


def to_json(found: Recalled) -> dict[str, Any]:
    """The answer of `recall --json`."""
    return found._asdict() | {"notes": [note._asdict() for note in found.notes]}


def recall(app: App, ask: Ask, *, started: float | None = None) -> Recalled:
    """What *ask* gets. The index is brought up to date by the prompt that needs it."""
    began = time.perf_counter() if started is None else started
    prompt = engine.clean(ask.prompt)
    setting = mode_for(app, ask.harness)
    hint: dict[str, Any] = {}
    if ask.hook and setting != "always":
        quiet = engine.answer(engine.clean(""), (), _NOTHING, engine.Policy(), mode=ask.mode)
        answer = quiet._replace(fallback=f"recall_mode is {setting}")
    elif prompt.noise:
        answer = engine.answer(prompt, (), _NOTHING, engine.Policy(), mode=ask.mode, size=ask.size)
    else:
        app.sync()
        policy = policy_of(app, ask.harness)._replace(inactive=ask.everything)
        shown = _shown(app, ask.session) if ask.shown is None else ask.shown
        if app.config.hints == "off" or not app.config.text_model:
            answer = look_up(app, prompt, policy, mode=ask.mode, size=ask.size, shown=shown)
        else:
            answer, hint = _hinted(app, prompt, policy, ask, shown)
    notes = tuple(
        Line(one.path, one.row.title, engine.line_of(one.row).description, round(one.score, 4), dict(one.why())) for one in answer.notes
    )
    took = (time.perf_counter() - began) * 1000
    result = Recalled(
        answer.mode, answer.used, answer.fallback, answer.confidence, ask.served_by, round(took, 2), notes, answer.digest.text
    )
    record(app, ask, result, hint=hint)
    return result


def _hinted(
    app: App, prompt: engine.Prompt, policy: engine.Policy, ask: Ask, shown: frozenset[str]
) -> tuple[engine.Recalled, dict[str, Any]]:
    """The answer with what a model proposes to look for, and what became of that (memory.md M24)."""
    from vaultkit.operations import hints

    first = candidates(app, prompt, policy)
    start = hints.in_thread(app) if ask.served_by == "daemon" else hints.in_process(app)
    job = hints.Job(uuid.uuid4().hex, f"{ask.harness}\n{ask.session}", "")
    found = hints.hint(app, prompt, job, start=start, hook=ask.hook)
    answer = look_up(app, prompt, policy, mode=ask.mode, size=ask.size, shown=shown, found=first, terms=found.terms)
    return answer, found.as_dict(app.config.hints)


def look_up(
    app: App,
    prompt: engine.Prompt,
    policy: engine.Policy,
    *,
    mode: engine.Mode | None = None,
    size: int = 2000,
    shown: frozenset[str] = _NONE,
    found: tuple[list[engine.Row], engine.Stats] | None = None,
    terms: Sequence[str] = (),
) -> engine.Recalled:
    """The answer as of the last sync; nothing is recorded. *found*: candidates that are known already; *terms*: a model's, to look for as well."""
    rows, stats = found or candidates(app, prompt, policy)
    asked = engine.prompt_of(terms, prompt) if terms else None
    return engine.answer(
        prompt,
        rows,
        stats,
        policy,
        mode=mode,
        uses=uses_of(app),
        backlinks=_backlinks(app) if (mode or engine.mode_of(prompt)) == "graph-overview" else None,
        now=app.now(),
        size=size,
        shown=shown,
        hinted=(asked, *candidates(app, asked, policy)) if asked and asked.words else None,
    )


def candidates(app: App, prompt: engine.Prompt, policy: engine.Policy) -> tuple[list[engine.Row], engine.Stats]:
    """The notes that are scored for a prompt, and in how many notes its tokens stand."""
    first = app.search.candidates(prompt.tokens, limit=engine.CANDIDATES)

    def find(depth: int) -> Sequence[str]:
        return first.paths if depth == engine.CANDIDATES else app.search.candidates(prompt.tokens, limit=depth).paths

    return engine.gather(find, app.rows, policy), engine.Stats(first.notes, first.found)


def listed(app: App, paths: Sequence[str], *, harness: str, mode: engine.Mode = "targeted") -> str:
    """These notes as a digest shows them, as far as the harness may see them; as of the last sync."""
    policy = policy_of(app, harness)
    found = {row.path: row for row in app.rows(list(paths)) if engine.allowed(row, policy)}
    return engine.render([engine.line_of(found[path]) for path in paths if path in found], mode).text


def mode_for(app: App, harness: str) -> str:
    """always, off or on-demand: what the setting recall_mode says of a harness, `*` of those that it does not name."""
    modes = app.config.recall_mode
    return str(modes.get(harness) or modes.get("*") or "always")


class Muted(NamedTuple):
    """A note that no digest shows any more."""

    path: str
    already: bool


def mute(app: App, name: str) -> Muted:
    """From the next prompt on, keep a note out of every digest; it becomes a negative golden case."""
    app.sync()
    path = app.find(name)
    if path in _never(app):
        return Muted(path, already=True)
    import json

    entry = f"- never: [{json.dumps(path, ensure_ascii=False)}]\n  why: muted on {app.now().date().isoformat()}\n"
    edit: Edit
    if app.files.exists(GOLDEN):
        found = app.files.read(GOLDEN)
        old = to_text(found.data)
        edit = Rewrite(GOLDEN, to_bytes(old + ("" if not old or old.endswith("\n") else "\n") + entry), hash_of(found.data))
    else:
        edit = Create(GOLDEN, to_bytes(_HEADER + entry))
    app.commit([edit], command=f"recall mute {path}")
    return Muted(path, already=False)


def why(app: App, turn: str = "") -> dict[str, Any]:
    """The recorded event of a turn: its id, or the last one."""
    events = [event for event in app.activity.read(events=("prompt",)) if not turn or str(event.get("turn", "")).startswith(turn)]
    if not events:
        raise NotFoundError(
            "no such turn was recorded" if turn else "no prompt was recorded yet", hint="`vaultkit recall PROMPT` records one"
        )
    return events[-1]


class Golden(NamedTuple):
    """One case of golden.yml."""

    query: str
    expect: tuple[str, ...]
    never: tuple[str, ...]
    k: int


def golden(app: App) -> list[Golden]:
    """The cases of golden.yml, [] when there is none. Raises ConfigError for a file that cannot be read."""
    if not app.files.exists(GOLDEN):
        return []
    import yaml

    try:
        found = yaml.load(printable(to_text(app.files.read(GOLDEN).data)), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - a safe loader both ways
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(f"{GOLDEN}: {error}", hint="correct that file") from error
    if found is None:  # nothing but comments
        return []
    if not isinstance(found, list):
        raise ConfigError(f"{GOLDEN} is no list of cases", hint="each case is `- query: …` with `expect: [path]` or `never: [path]`")
    return [_case(case, number) for number, case in enumerate(found, 1)]


def _case(case: Any, number: int) -> Golden:
    try:
        return Golden(
            _scalar(case.get("query") or ""), _paths(case.get("expect")), _paths(case.get("never")), max(1, int(case.get("k") or 5))
        )
    except (AttributeError, TypeError, ValueError):
        raise ConfigError(
            f"{GOLDEN}: case {number} cannot be read", hint="each case is `- query: …` with `expect: [path]` or `never: [path]`, `k: 5`"
        ) from None


def _paths(value: Any) -> tuple[str, ...]:
    return tuple(map(_scalar, value)) if isinstance(value, list) else (_scalar(value),) if value else ()


def _scalar(value: Any) -> str:
    """A value as text; a list or a map in its place is an error, and may stand for more values than any memory holds."""
    if isinstance(value, (list, dict, set)):
        raise TypeError(f"a {type(value).__name__}")
    return str(value)


def _never(app: App) -> frozenset[str]:
    """Paths that no prompt may get."""
    return frozenset(path for case in golden(app) if not case.query for path in case.never)


def policy_of(app: App, harness: str) -> engine.Policy:
    """What may reach a harness at all (memory.md M22b)."""
    scopes = app.config.recall_scopes.get(harness) if harness else None
    return engine.Policy(scopes=scopes, private_folders=app.config.private_folders, muted=_never(app))


def uses_of(app: App) -> dict[str, engine.Use]:
    """How each note was used."""
    found = {}
    for path, counter in app.activity.counters().items():
        last = datetime.fromisoformat(counter.last_accessed) if counter.last_accessed else None
        found[path] = engine.Use(counter.accessed, last, counter.useful)
    return found


def _backlinks(app: App) -> dict[str, int]:
    counts: dict[str, int] = {}
    for edge in graph.edges(app.snapshot()):
        if edge.target.path is not None and edge.target.path != edge.source:
            counts[edge.target.path] = counts.get(edge.target.path, 0) + 1
    return counts


def _shown(app: App, session: str) -> frozenset[str]:
    """What this session was shown since it began or was compacted."""
    shown: set[str] = set()
    if session:
        for event in app.activity.read(events=("shown", "compact", "clear")):
            if event.get("session") == session:
                shown = shown | {str(event["path"])} if event["event"] == "shown" else set()
    return frozenset(shown)


def record(app: App, ask: Ask, result: Recalled, *, hint: Mapping[str, Any] | None = None) -> None:
    """The event of a turn, and what it showed."""
    now = app.clock()
    digest = hashlib.sha256(ask.prompt.encode("utf-8", "surrogatepass")).hexdigest()
    turn = f"{now:%m%d%H%M%S}-{digest[:6]}"
    fields: dict[str, Any] = {
        "turn": turn,
        "session": ask.session,
        "harness": ask.harness,
        "prompt_hash": digest[:16],
        "prompt_length": len(ask.prompt),
        "mode": result.mode,
        "used": result.used,
        "fallback": result.fallback,
        "confidence": result.confidence,
        "served_by": result.served_by,
        "latency_ms": result.latency_ms,
        "hook": ask.hook,
        "setting": mode_for(app, ask.harness),
        "characters": len(result.text),
        "tokens": tokens_of(result.text),
        "notes": [{"path": note.path, "score": note.score, **note.why} for note in result.notes],
    }
    if hint:
        fields["hint"] = dict(hint)
    if app.config.record_prompts:
        fields["prompt"] = ask.prompt
    app.activity.append("prompt", t=now, **fields)
    for note in result.notes:
        app.activity.append("shown", t=now, path=note.path, session=ask.session, harness=ask.harness, turn=turn)
