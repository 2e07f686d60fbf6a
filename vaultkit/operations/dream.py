"""`dream`: what to consolidate, link, merge, cut and take back, planned over the vault as of the last sync and written as one run.

One run is one commit: it is journalled, undone by one command, and a killed one is finished or rolled back when the vault is opened next.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from vaultkit import dream as engine
from vaultkit.app import App, Head
from vaultkit.errors import NoteChangedError
from vaultkit.graph import Snapshot, edges, edges_to, resolver_of
from vaultkit.operations.dream_journal import COMMAND, made_links, undone
from vaultkit.store import lease
from vaultkit.text import frontmatter
from vaultkit.text.edit import Create, Edit, Move, Rewrite, Trash, to_text
from vaultkit.text.ids import id_of_path
from vaultkit.text.names import slug
from vaultkit.text.passages import passage
from vaultkit.text.values import Value

if TYPE_CHECKING:
    from vaultkit.store.models import TextModel

STAGES: Final = ("consolidate", "duplicates", "links", "atomicity", "prune", "hubs")
PROPOSAL: Final = "proposal"  # type of the notes that hold proposals


class Ask(NamedTuple):
    """How far a dream goes. *merge* and *split*: near-duplicates and cuts are done, not only proposed."""

    dry_run: bool = False
    merge: bool = False
    split: bool = False
    skip: tuple[str, ...] = ()
    again: bool = False  # captures of runs that were undone take part too
    embed_seconds: float = 20.0


class Proposal(NamedTuple):
    """What a person may want to do: *kind* merge, split or hub-line. It becomes a note, so that it can be seen (memory.md M31)."""

    kind: str
    notes: tuple[str, ...]
    why: str
    path: str = ""  # of its note


class Dreamed(NamedTuple):
    """What a dream did, or with dry run would do. Paths of notes are those after the run."""

    run: str
    captures: int  # that took part
    clusters: tuple[engine.Written, ...]
    links: tuple[engine.CrossLink, ...]
    merged: tuple[engine.Twin, ...]
    cut: tuple[str, ...]  # notes that cuts made
    pruned: tuple[engine.Made, ...]
    proposals: tuple[Proposal, ...]
    edits: tuple[Edit, ...]
    skipped: tuple[engine.Kept, ...]
    notes: tuple[str, ...]  # what to tell beside: no model, stages left out
    basis: str  # what likeness was computed from: vectors or words

    @property
    def quiet(self) -> bool:
        """Was there nothing to do? The normal result of most hours."""
        return not self.edits and not self.proposals


def dream(app: App, ask: Ask) -> Dreamed:
    """Consolidate. A note that changes while the run is planned is left alone and reported; raises VaultBusyError when another dream runs."""
    if ask.dry_run:
        app.sync()
        return Planner(app, ask, frozenset()).run()
    with held(app):
        app.sync()
        left: set[str] = set()
        for _ in range(_TRIES):
            dreamed = Planner(app, ask, frozenset(left)).run()
            try:
                applied = app.commit(dreamed.edits, command=COMMAND) if dreamed.edits else None
            except NoteChangedError as error:
                left.add(error.path)
                app.sync()
                continue
            dreamed = dreamed._replace(run=applied.run if applied else "")
            _remember(app, ask, dreamed)
            return dreamed
        raise NoteChangedError(max(left))


def held(app: App) -> AbstractContextManager[None]:
    """The right to dream, on this machine and among all. Raises VaultBusyError when somebody else has it."""
    return lease.held(app.root, app.places.state, now=app.clock().replace(tzinfo=None))


def planner(app: App) -> Planner:
    """One that plans nothing by itself: review asks it single questions."""
    return Planner(app, Ask(), frozenset())


def eligible(app: App) -> int:
    """How many captures would take part: what a session start asks before it lets a dream begin. Reads no more notes than it must."""
    return len(_eligible(app, frozenset(), again=False).captures)


def diff(app: App, dreamed: Dreamed) -> str:
    """The plan as a unified diff; what moves says so."""
    from vaultkit.operations.deadlines import diff as one

    lines = []
    for edit in dreamed.edits:
        match edit:
            case Create(path, data):
                lines.append(one(path, "", to_text(data)))
            case Rewrite(path, data, _):
                lines.append(one(path, to_text(app.files.read(path).data), to_text(data)))
            case Move(path, to, _, data):
                lines.append(f"move {path} → {to}\n")
                if data is not None:
                    lines.append(one(to, to_text(app.files.read(path).data), to_text(data)))
            case Trash(path, _):
                lines.append(f"trash {path}\n")
    return "".join(lines)


def as_dict(dreamed: Dreamed, *, dry_run: bool = False) -> dict[str, Any]:
    """The JSON of `dream` (design.md §5)."""
    return {
        "run": dreamed.run,
        "dry_run": dry_run,
        "captures": dreamed.captures,
        "clusters": [cluster._asdict() for cluster in dreamed.clusters],
        "links": [{**link._asdict(), "score": round(link.score, 4)} for link in dreamed.links],
        "merged": [twin._asdict() for twin in dreamed.merged],
        "cut": list(dreamed.cut),
        "pruned": [link._asdict() for link in dreamed.pruned],
        "proposals": [one._asdict() for one in dreamed.proposals],
        "edits": [_edit_row(edit) for edit in dreamed.edits],
        "skipped": [kept._asdict() for kept in dreamed.skipped],
        "notes": list(dreamed.notes),
        "basis": dreamed.basis,
    }


def proposed(app: App) -> dict[tuple[str, frozenset[str]], str]:
    """Every proposal that stands in the vault, whatever its status: what it is about → its path."""
    snapshot = app.snapshot()
    resolver = resolver_of(snapshot)
    found = {}
    for path, note in snapshot.notes.items():
        if note.properties.get("type") == PROPOSAL:
            targets = frozenset(
                target for link in note.links if link.property == "notes" and (target := resolver.resolve(link.target, path).path)
            )
            found[str(note.properties.get("proposal")), targets] = path
    return found


def _edit_row(edit: Edit) -> dict[str, str]:
    row = {"kind": type(edit).__name__.lower(), "path": edit.path}
    return {**row, "to": edit.to} if isinstance(edit, Move) else row


_NEXT_RUN: Final = "waits for the next run: this one rewrites enough"
_WRITTEN_NOW: Final = "was edited a moment ago"
_TOO_LINKED: Final = "is linked from more notes than one run may rewrite (setting write_cap)"
_TRIES: Final = 5
_NAMED_DAY: Final = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


@dataclass(frozen=True)
class _Bars:
    """Where likeness means what. Likeness of vectors is (cosine − median of random pairs) / (1 − that median)."""

    topic: float
    pair: float
    same: float
    fold: float
    twin: float
    sure: float
    twin_words: float
    link: float


_BY_VECTORS: Final = _Bars(topic=0.15, pair=0.33, same=0.80, fold=0.62, twin=0.62, sure=0.80, twin_words=0.35, link=0.55)
_BY_WORDS: Final = _Bars(topic=0.12, pair=0.25, same=0.80, fold=0.60, twin=0.60, sure=0.80, twin_words=0.50, link=0.45)
_HUB_DEGREE: Final = 25
_NEAREST: Final = 8
_PRUNE_BELOW: Final = 0.7  # of the bar for a link
_MOST_PRUNED: Final = 5
_MOST_SPLITS: Final = 5
_TOGETHER: Final = 0.05  # parts of one topic; sentences are less alike than notes
_LONG: Final = 1500  # characters: a shorter note is not cut
_LINKED_TYPES: Final = frozenset({"knowledge", "learning", "procedure", "idea", "decision", "failure", "runbook"})
_MOST_BY_WORDS: Final = 600  # notes that are compared by words each with each


def _eligible(app: App, left: Collection[str], *, again: bool) -> engine.Eligible:
    config = app.config
    today = app.now().date()
    manifest = app.manifest()
    quiet = app.clock().timestamp() - config.intake_minutes * 60
    captures: list[engine.Capture] = []
    kept: list[engine.Kept] = []
    private = _private(app)
    taken_back = frozenset() if again else undone(app)
    for path, head in app.heads().items():
        if head.type not in config.dream_types or head.status != "active" or app.rules.is_template(path):
            continue
        if path in left:
            kept.append(engine.Kept(path, "changed while the dream was planned: left alone"))
            continue
        if path in private:
            kept.append(engine.Kept(path, "is private"))
            continue
        if path in taken_back:
            kept.append(engine.Kept(path, "was in a run that was undone, or in a digest that was turned down (--again lets it take part)"))
            continue
        made = _made(path, head, manifest[path].mtime_ns)
        if (today - made).days < config.dream_days:
            kept.append(engine.Kept(path, f"is younger than {config.dream_days} days"))
            continue
        if manifest[path].mtime_ns / 1e9 > quiet:
            kept.append(engine.Kept(path, _WRITTEN_NOW))
            continue
        if not engine.writable(path):
            kept.append(engine.Kept(path, "has a name that no link can name (# ^ | [ ])"))
            continue
        parsed, text = app.read(path)
        if why := engine.why_unwritable(text):
            kept.append(engine.Kept(path, why))
            continue
        captures.append(
            engine.Capture(
                path,
                parsed.title,
                parsed.description,
                text,
                parsed.body,
                made,
                head.type,
                head.status,
                head.scope or "inbox",
                parsed.tags,
                parsed.links,
            )
        )
    found = engine.eligible(captures, today=today, min_age_days=config.dream_days)
    return engine.Eligible(found.captures, (*kept, *found.kept))


def _made(path: str, head: Head, mtime_ns: int) -> date:
    """The day a capture was made: its property, its file's name, else when it was written last."""
    for word in (head.date[:10], *_NAMED_DAY.findall(path.rpartition("/")[2])):
        try:
            return date.fromisoformat(word)
        except ValueError:
            continue
    return datetime.fromtimestamp(mtime_ns / 1e9).date()


def _private(app: App) -> frozenset[str]:
    """Notes of which nothing may appear in another note: the text of the new one would reach a digest."""
    folders = tuple(f"{folder.strip('/')}/" for folder in app.config.private_folders if folder.strip("/"))
    paths = [path for path, head in app.heads().items() if head.type in app.config.dream_types or head.type in _LINKED_TYPES]
    return frozenset(row.path for row in app.rows(paths) if row.private or (folders and row.path.startswith(folders)))


class _Likeness(NamedTuple):
    matrix: list[list[float]]
    bars: _Bars
    basis: str
    missing: frozenset[str]  # they have no vector yet


@dataclass
class Planner:
    """One planning, over the vault as of the last sync."""

    app: App
    ask: Ask
    left: frozenset[str]
    notes: list[str] = field(default_factory=list)
    skipped: list[engine.Kept] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    basis: str = "words"
    _measured: tuple[dict[tuple[str, str], float], dict[str, engine.Place], _Bars] | None = None

    def run(self) -> Dreamed:
        """Everything, as edits that nobody has applied yet."""
        app = self.app
        stamp = self._stamp()
        quiet = not self.left and not self.ask.dry_run and app.cache.meta("dream") == stamp
        if quiet:
            return Dreamed("", 0, (), (), (), (), (), (), (), (), (), self.basis)
        self._embed()
        ws = engine.Workspace(app.snapshot(), lambda path: to_text(app.files.read(path).data))
        names = engine.Names(app.config.archive_folder, app.config.date_property)
        today = app.now().date()
        room = self._room()
        found = _eligible(app, self.left, again=self.ask.again) if self._wants("consolidate") else engine.Eligible((), ())
        self.skipped += found.kept
        placed, room = self._placed(found.captures, room)
        twins = self.twins() if self._wants("duplicates") else []
        merging = [twin for twin in twins if twin.sure] if self.ask.merge else []
        for twin in merging:
            room -= 1 + self._cost([twin.loser])
            if room < 0:  # the rest is proposed
                merging = merging[: merging.index(twin)]
                room = 0
                break
        for twin in twins:
            if twin not in merging:
                self.proposals.append(
                    Proposal("merge", (twin.winner, twin.loser), f"likeness {twin.likeness:.2f}, {twin.words:.0%} of their words shared")
                )
        captures = [capture for one in placed for capture in one.draft.captures]
        losers = [self.as_capture(twin.loser) for twin in merging]
        moves = engine.archive_moves(ws, [*captures, *losers], names, today)
        ws.move(moves)
        clusters = [engine.consolidate(ws, one, moves, names, today) for one in placed]
        for twin in merging:
            engine.merge(ws, twin, moves)
        busy = {*moves, *moves.values(), *(cluster.path for cluster in clusters), *(twin.winner for twin in merging)}
        cuts, room = self._cuts(ws, busy, names, today, room) if self._wants("atomicity") else ([], room)
        pruned = self._prune(ws, busy, max(0, room)) if self._wants("prune") else []
        links = self._relate(ws, busy, max(0, room - len(pruned))) if self._wants("links") else []
        if self._wants("hubs"):
            self._hubs(clusters)
        self._propose(ws, today)
        edits = ws.edits()
        return Dreamed(
            "", len(found.captures), tuple(clusters), tuple(links), tuple(merging), tuple(cuts), tuple(pruned), tuple(self.proposals),
            tuple(edits), tuple(self.skipped), tuple(self.notes), self.basis,
        )  # fmt: skip

    def _propose(self, ws: engine.Workspace, today: date) -> None:
        """A note for each proposal that was never made; one that was turned down stays so."""
        known = set(proposed(self.app))
        fresh = [one for one in self.proposals if (one.kind, frozenset(one.notes)) not in known]
        if len(fresh) > _MOST_PROPOSED:
            self.notes.append(f"{len(fresh) - _MOST_PROPOSED} more proposals wait until these are reviewed")
        written = []
        for one in fresh[: max(0, _MOST_PROPOSED - self._open())]:
            heads = self.app.heads()
            titles = [heads[path].title if path in heads else path for path in one.notes]
            folder = f"{self.app.config.inbox_folder}/" if self.app.config.inbox_folder else ""
            path = ws.free(f"{folder}{slug(f'{one.kind} {titles[0]}')}.md")
            ws.create(path, "")
            links = [ws.link(target, path) for target in one.notes]
            values: dict[str, Value] = {
                "title": f"{_ASKS[one.kind]}: {' + '.join(titles)}",
                "description": one.why,
                self.app.config.date_property: today.isoformat(),
                "type": PROPOSAL,
                "status": "proposed",
                "proposal": one.kind,
                "notes": [f"[[{link}]]" for link in links],
            }
            name = path.rpartition("/")[2].removesuffix(".md")
            ws.write(
                path,
                f"{frontmatter.render(values)}{one.why}\n\n`vaultkit dream review --accept {name}` does it, `--reject {name} --why …` turns it down.\n",
            )
            written.append(one._replace(path=path))
        self.proposals[:] = written

    def _open(self) -> int:
        # Those with an id are rules and skills, which `promote` answers.
        waiting = (path for path, head in self.app.heads().items() if head.type == PROPOSAL and head.status == "proposed")
        return sum(1 for path in waiting if id_of_path(path) is None)

    # -- what is asked of the model and of the vectors

    def _wants(self, stage: str) -> bool:
        return stage not in self.ask.skip and stage not in self.app.config.dream_skip

    def _stamp(self) -> str:
        """What a dream depends on: when nothing of it changed since the last one, there is nothing to do."""
        return _stamp_of(self.app, self.ask)

    def _embed(self) -> None:
        from vaultkit.operations.search import embed

        if self.app.embedded or self.app.config.embedder not in {"auto", "none"}:
            done = embed(self.app, limit_seconds=self.ask.embed_seconds)
            if done.problem:
                self.notes.append(f"vectors: {done.problem}")

    def _model(self) -> TextModel | None:
        if not self.app.config.text_model:
            return None
        from vaultkit.store import models

        return models.text_model(self.app.config.text_model, host=self.app.config.ollama_host, timeout=self.app.config.model_timeout)

    def _likeness(self, texts: Mapping[str, str]) -> _Likeness:
        """Every two of *texts* (path → passage), by vectors where the vault has them."""
        paths = list(texts)
        known = self.app.vectors.calibration if self.app.embedded else None
        if known is not None:
            import numpy as np

            rows = {path: row for path in paths if (row := self.app.vectors.vector(path)) is not None}
            if len(rows) * 2 >= len(paths):
                stacked = (
                    np.stack([rows.get(path, np.zeros(self.app.vectors.model.dimension, np.float32)) for path in paths])
                    if paths
                    else np.zeros((0, 0))
                )
                scaled = (stacked @ stacked.T - known.median) / (1 - known.median)
                self.basis = "vectors"
                return _Likeness(scaled.tolist(), _BY_VECTORS, "vectors", frozenset(paths) - rows.keys())
        return _Likeness(engine.by_words(list(texts.values())), _BY_WORDS, "words", frozenset())

    # -- consolidation

    def _room(self) -> int:
        """How many notes one run rewrites: the store refuses more than a session may, so stay below; the rest is for the next run."""
        return int(self.app.config.write_cap * 0.9)

    def _cost(self, paths: Iterable[str]) -> int:
        """How many notes are rewritten when these move: they, and those that link to them."""
        moved = set(paths)
        return len(moved | {edge.source for path in moved for edge in edges_to(self.app.snapshot(), path)})

    def _placed(self, captures: Sequence[engine.Capture], room: int) -> tuple[list[engine.Placed], int]:
        """Drafts of the clusters that fit into the room for rewrites, and what is left of it."""
        if not captures:
            return [], room
        model = self._model()
        if model is None:
            self.notes.append("no text model is configured: digests are extracts, marked as proposed")
        placed: list[engine.Placed] = []
        terms = engine.terms_of(captures)
        by_scope: dict[str, list[engine.Capture]] = {}
        for capture in captures:
            by_scope.setdefault(capture.scope, []).append(capture)
        for _, group in sorted(by_scope.items()):
            for cluster in self._clusters(group, model):
                into = self._existing(cluster)
                if len(cluster) == 1 and not into:
                    self.skipped.append(engine.Kept(cluster[0].path, "has no other of its topic yet"))
                    continue
                cost = 1 + self._cost(capture.path for capture in cluster)
                if cost > room:
                    why = _NEXT_RUN if cost <= self._room() else _TOO_LINKED
                    self.skipped += [engine.Kept(capture.path, why) for capture in cluster]
                    continue
                room -= cost
                draft = engine.extract(cluster, every=terms)
                if model is not None and not into:
                    asked = engine.ask_synthesis(draft)
                    answer = model.complete(asked.prompt, asked.schema, system=asked.system)
                    draft = engine.refine(draft, answer.value, answer.problem)
                    if draft.problem:
                        self.notes.append(f"{draft.title}: an extract, for {draft.problem}")
                placed.append(engine.Placed(draft, into))
        return placed, room

    def _clusters(self, group: Sequence[engine.Capture], model: TextModel | None) -> list[list[engine.Capture]]:
        if model is not None and len(group) > 1:
            asked = engine.ask_partition(group)
            answer = model.complete(asked.prompt, asked.schema, system=asked.system)
            checked = engine.checked((answer.value or {}).get("groups"), len(group), most=self.app.config.dream_group)
            if not checked.problem:
                return [[group[index] for index in numbers] for numbers in checked.groups]
            self.notes.append(f"topics by likeness, for the model's partition is none: {answer.problem or checked.problem}")
        likeness = self._likeness({capture.path: passage(capture.title, capture.content) for capture in group})
        bars = likeness.bars
        self.skipped += [engine.Kept(path, "has no vector yet") for path in sorted(likeness.missing)]
        found = engine.topics(
            likeness.matrix, at_least=bars.topic, pair_at_least=bars.pair, same=bars.same, most=self.app.config.dream_group
        )
        return [
            members for numbers in found if (members := [group[index] for index in numbers if group[index].path not in likeness.missing])
        ]

    def _existing(self, cluster: Sequence[engine.Capture]) -> str:
        """The knowledge note that already treats a cluster's topic, "" when none does."""
        if not self.app.embedded or self.app.vectors.calibration is None:
            return ""
        import numpy as np

        known = self.app.vectors.calibration
        rows = [row for capture in cluster if (row := self.app.vectors.vector(capture.path)) is not None]
        if not rows:
            return ""
        centre = np.mean(rows, axis=0)
        centre = centre / (np.linalg.norm(centre) or 1.0)
        private = _private(self.app)
        scopes = {capture.scope for capture in cluster}
        targets = [
            path
            for path, head in self.app.heads().items()
            if head.type == "knowledge"
            and head.status == "active"
            and path not in private
            and path not in self.left
            and {head.scope or "inbox"} == scopes
        ]
        cosines = self.app.vectors.cosines(centre.astype(np.float32), targets)
        best = max(cosines.items(), key=lambda pair: (pair[1], pair[0]), default=("", -1.0))
        return best[0] if (best[1] - known.median) / (1 - known.median) >= _BY_VECTORS.fold else ""

    # -- the whole vault

    def _subjects(self, types: Collection[str]) -> dict[str, Head]:
        private = _private(self.app)
        archive = f"{self.app.config.archive_folder}/"
        return {
            path: head
            for path, head in self.app.heads().items()
            if head.type in types
            and head.status == "active"
            and path not in private
            and path not in self.left
            and not path.startswith(archive)
        }

    def _near(self, subjects: Mapping[str, Head]) -> tuple[dict[tuple[str, str], float], _Bars]:
        """Pairs of notes that are near each other, in the unit of the bars."""
        app = self.app
        known = app.vectors.calibration if app.embedded else None
        if known is not None:
            found = app.vectors.near(subjects, subjects, nearest=_NEAREST)
            self.basis = "vectors"
            return {pair: (cosine - known.median) / (1 - known.median) for pair, cosine in found.items()}, _BY_VECTORS
        if len(subjects) > _MOST_BY_WORDS:
            self._tell_once(f"no vectors: {len(subjects):,} notes are too many to compare by words (`vaultkit sync --embed`)")
            return {}, _BY_WORDS
        paths = list(subjects)
        matrix = engine.by_words([self._passage(path) for path in paths])
        return {
            (left, right) if left < right else (right, left): matrix[i][j]
            for i, left in enumerate(paths)
            for j, right in enumerate(paths[i + 1 :], i + 1)
            if matrix[i][j] >= _BY_WORDS.topic
        }, _BY_WORDS

    def _tell_once(self, line: str) -> None:
        if line not in self.notes:
            self.notes.append(line)

    def _passage(self, path: str) -> str:
        parsed, text = self.app.read(path)
        return passage(parsed.title, text[parsed.body :])

    def twins(self) -> list[engine.Twin]:
        """Near-duplicates among the notes of each kind, best first."""
        found: list[engine.Twin] = []
        by_type: dict[str, dict[str, Head]] = {}
        for path, head in self._subjects(_LINKED_TYPES - {"decision", "failure"}).items():
            by_type.setdefault(head.type, {})[path] = head
        counters = self.app.activity.counters()
        snapshot = self.app.snapshot()
        for _, subjects in sorted(by_type.items()):
            near, bars = self._near(subjects)
            close = {pair: likeness for pair, likeness in near.items() if likeness >= bars.twin}
            paths = {path for pair in close for path in pair}
            texts = {path: self._passage(path) for path in sorted(paths)}
            standing = {
                path: engine.Standing(
                    len({edge.source for edge in edges_to(snapshot, path)}),
                    counters[path].accessed if path in counters else 0,
                    len(texts[path]),
                    subjects[path].date,
                )
                for path in paths
            }
            found += engine.twins(close, texts, standing, at_least=bars.twin, words_at_least=bars.twin_words, sure=bars.sure)
        return [twin for twin in found if not engine.why_unwritable(to_text(self.app.files.read(twin.loser).data))]

    def as_capture(self, path: str) -> engine.Capture:
        """Any note in the shape that the engine moves."""
        parsed, text = self.app.read(path)
        head = self.app.heads()[path]
        made = _made(path, head, self.app.manifest()[path].mtime_ns)
        return engine.Capture(
            path, parsed.title, parsed.description, text, parsed.body, made, head.type, head.status, head.scope, parsed.tags, parsed.links
        )

    def _places(self, subjects: Iterable[str]) -> dict[str, engine.Place]:
        """What linking asks of notes. Links that dreams made speak for no other link: else every run would add some that the last one called for."""
        neighbours = _neighbours(self.app.snapshot())
        for link in made_links(self.app):
            neighbours.get(link.source, set()).discard(link.target)
            neighbours.get(link.target, set()).discard(link.source)
        heads = self.app.heads()
        return {
            path: engine.Place(heads[path].title, heads[path].type, frozenset(neighbours.get(path, ())), heads[path].tags)
            for path in subjects
        }

    def _relate(self, ws: engine.Workspace, busy: AbstractSet[str], room: int) -> list[engine.CrossLink]:
        made = made_links(self.app)
        # Not again what a dream wrote (a person may have deleted it), and not what says the same: that is to be merged.
        out = {_pair(link.source, link.target) for link in made} | {_pair(*one.notes) for one in self.proposals if one.kind == "merge"}
        near, places, bars = self._linkable()
        links = engine.cross_links(
            {pair: likeness for pair, likeness in near.items() if _pair(*pair) not in out and not busy & set(pair)},
            places,
            bar=bars.link,
            most=self.app.config.dream_links,
            hub_degree=_HUB_DEGREE,
            already=Counter(path for link in made for path in (link.source, link.target)),
        )[:room]
        return engine.relate(ws, self._confirmed(links))

    def _linkable(self) -> tuple[dict[tuple[str, str], float], dict[str, engine.Place], _Bars]:
        """Pairs of notes that may be linked, and what is asked of each: links are made and taken back by the same measure, over the same notes."""
        if self._measured is None:
            subjects = self._subjects(_LINKED_TYPES)
            near, bars = self._near(subjects)
            self._measured = near, self._places(subjects), bars
        return self._measured

    def _confirmed(self, links: list[engine.CrossLink]) -> list[engine.CrossLink]:
        """Those that a model, where there is one, does not turn down."""
        model = self._model()
        if model is None or not links:
            return links
        heads = self.app.heads()
        asked = engine.ask_links(
            [
                (heads[link.source].title, heads[link.source].description, heads[link.target].title, heads[link.target].description)
                for link in links
            ]
        )
        answer = model.complete(asked.prompt, asked.schema, system=asked.system)
        kept = engine.confirmed(answer.value, len(links))
        if kept is None:
            self.notes.append(
                f"links by their scores alone, for the model gave no usable answer: {answer.problem or 'not the asked shape'}"
            )
            return links
        return [links[index] for index in kept]

    def _prune(self, ws: engine.Workspace, busy: AbstractSet[str], room: int) -> list[engine.Made]:
        made = made_links(self.app)
        if not made:
            return []
        from vaultkit.store import interop

        near, places, bars = self._linkable()
        pairs = {
            _pair(link.source, link.target) for link in made if {link.source, link.target} <= places.keys() - busy
        }  # what was retired or became private keeps its links
        now = engine.scores(self._of_pairs(pairs, near), places, bar=bars.link)
        scores = {link[:2]: now[pair] for link in made if (pair := _pair(link.source, link.target)) in now}
        gone: list[engine.Made] = []
        while len(gone) < min(_MOST_PRUNED, room):  # one by one: without this link another may be a bridge
            bridges = interop.bridges(self.app.snapshot(), without={frozenset(link[:2]) for link in gone})
            rest = [link for link in made if link not in gone]
            found = engine.weakest(rest, scores, bridges=bridges, below=bars.link * _PRUNE_BELOW, most=1)
            if not found:
                break
            gone += found
        return engine.unrelate(ws, gone)

    def _of_pairs(self, pairs: Collection[tuple[str, str]], near: Mapping[tuple[str, str], float]) -> dict[tuple[str, str], float]:
        """Likeness of just these pairs (*near* holds only the nearest of each note); one that cannot be compared now is left out."""
        known = self.app.vectors.calibration if self.app.embedded else None
        if known is None:
            return {pair: near.get(pair, 0.0) for pair in pairs} if len(self._subjects(_LINKED_TYPES)) <= _MOST_BY_WORDS else {}
        paths = {path for pair in pairs for path in pair}
        rows = {path: row for path in paths if (row := self.app.vectors.vector(path)) is not None}
        return {
            (left, right): (float(rows[left] @ rows[right]) - known.median) / (1 - known.median)
            for left, right in pairs
            if left in rows and right in rows
        }

    def _cuts(self, ws: engine.Workspace, busy: AbstractSet[str], names: engine.Names, today: date, room: int) -> tuple[list[str], int]:
        """Notes of more than one topic: proposed, or with *split* cut while there is room for rewrites, of which the rest comes back."""
        app = self.app
        known = app.vectors.calibration if app.embedded else None
        if known is None:
            self._tell_once("no vectors: notes are not looked through for more than one topic (`vaultkit sync --embed`)")
            return [], room
        made: list[str] = []
        for path in self._long(busy)[:_MOST_READ]:
            found = self.split_of(path)
            if found is None:
                continue
            cut, title = found
            if self.ask.split and len(made) < _MOST_SPLITS and (cost := self._cost([path])) <= room:
                room -= cost
                made.append(engine.cut(ws, cut, title, names, today))
            else:
                why = f"cohesion {cut.cohesion:.2f}; {len(cut.moved)} parts from {title!r} on stand apart ({cut.apart:.2f})"
                self.proposals.append(Proposal("split", (path,), why))
        return made, room

    def split_of(self, path: str) -> tuple[engine.Split, str] | None:
        """Where a note falls into two topics, and a title for the part that leaves. None too when nothing can embed its parts."""
        app = self.app
        known = app.vectors.calibration if app.embedded else None
        parsed, text = app.read(path)
        parts = engine.parts_of(text, parsed.body)
        if known is None or not 4 <= len(parts) <= _MOST_PARTS:
            return None
        choice = app.embedder()
        if not choice.works or not app.vectors.fits(choice.embedder):
            return None
        embedded = choice.embedder.embed([passage("", text[part.start : part.end]) for part in parts], kind="passage")
        if embedded.failed:
            return None
        matrix = ((embedded.vectors @ embedded.vectors.T - known.median) / (1 - known.median)).tolist()
        found = engine.split(path, parts, matrix, together=_TOGETHER, apart=_BY_VECTORS.topic)
        if found is None:
            return None
        moved = "\n\n".join(text[part.start : part.end] for part in found.moved)
        heading = next((part.heading for part in found.moved if part.heading), "")
        return found, heading or engine.topic_of([self.as_capture(path)._replace(text=moved, body=0)], engine.terms_of([]))

    def _long(self, busy: AbstractSet[str]) -> list[str]:
        manifest = self.app.manifest()
        subjects = self._subjects({"knowledge"})
        return sorted(path for path in subjects if manifest[path].size >= _LONG and path not in busy)

    def _hubs(self, clusters: Sequence[engine.Written]) -> None:
        """Lines that a map of content could get."""
        hubs = {path: head for path, head in self.app.heads().items() if head.type == "moc" and head.status == "active"}
        for cluster in clusters:
            words = engine.words_of(cluster.title)
            for path, head in sorted(hubs.items()):
                if words & engine.words_of(f"{head.title} {' '.join(head.tags)}"):
                    self.proposals.append(
                        Proposal("hub-line", (path, cluster.path), f"- [[{cluster.path.rpartition('/')[2].removesuffix('.md')}]]")
                    )
                    break


_MOST_PROPOSED: Final = 10  # open at one time: a person has to read them
_ASKS: Final = {"merge": "Merge", "split": "Split", "hub-line": "Add to the map"}
_MOST_READ: Final = 40  # long notes that one run looks through
_MOST_PARTS: Final = 40


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _neighbours(snapshot: Snapshot) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for edge in edges(snapshot):
        target = edge.target.path
        source = snapshot.notes.get(edge.source)
        if target is not None and target != edge.source and (source is None or source.properties.get("type") != PROPOSAL):
            found.setdefault(edge.source, set()).add(target)
            found.setdefault(target, set()).add(edge.source)
    return found


def _stamp_of(app: App, ask: Ask) -> str:
    return repr(
        (
            app.cache.meta("generation"),
            app.now().date().isoformat(),
            ask._replace(dry_run=False),
            app.config,
            app.embedding_stamp() if app.embedded else "",
        )
    )


def _remember(app: App, ask: Ask, dreamed: Dreamed) -> None:
    """The journal: which links were made and taken back, and the counts. An idle hour leaves no line."""
    if dreamed.run:
        app.activity.append(
            "dream",
            t=app.clock(),
            run=dreamed.run,
            basis=dreamed.basis,
            originals=[path for cluster in dreamed.clusters for path in cluster.originals],
            counts={
                "captures": sum(len(cluster.captures) for cluster in dreamed.clusters),
                "clusters": len(dreamed.clusters),
                "links": len(dreamed.links),
                "merged": len(dreamed.merged),
                "cut": len(dreamed.cut),
                "pruned": len(dreamed.pruned),
            },
            links=[[link.source, link.target, round(link.score, 4)] for link in dreamed.links],
            pruned=[[link.source, link.target, link.score] for link in dreamed.pruned],
        )
    # Only a run that changed nothing says that there is nothing to do: another had its caps, and a capture may have waited for its writer.
    more = bool(dreamed.edits) or any(kept.reason in {_NEXT_RUN, _WRITTEN_NOW} for kept in dreamed.skipped)
    app.cache.remember("dream", "" if more else _stamp_of(app, ask))
