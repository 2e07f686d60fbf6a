"""Promotion: proposals out of notes, and what a yes or a no does with them (memory.md M32-M34).

Nothing reaches rules.md, a harness's rules file or the skills folder but by `accept`, which is recorded in the proposal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final, NamedTuple

from vaultkit import recall as engine
from vaultkit.app import App
from vaultkit.capture import raw_of
from vaultkit.errors import ConflictError, ModelUnavailableError, NoteNotFoundError, RefusedError, UsageError, VaultkitError
from vaultkit.operations import alike
from vaultkit.operations._again import settled
from vaultkit.operations.context import RULES
from vaultkit.operations.proposals import Proposal, link_to, named, number_of, proposal_note, proposals, waiting
from vaultkit.operations.recall import policy_of
from vaultkit.operations.records import find, highest_of
from vaultkit.records import notes, promotion, rules, skills
from vaultkit.records.draft import PARTS
from vaultkit.records.promotion import Candidate, Room, Source
from vaultkit.records.rules import Rule
from vaultkit.store import outside
from vaultkit.text.edit import Create, Edit, Rewrite, hash_of, printable, to_bytes, to_text
from vaultkit.text.ids import RecordId, id_of_path
from vaultkit.text.note import Note
from vaultkit.text.values import Value

AT_ONCE: Final = 5  # proposals of one run: promotion goes in batches
SCORE: Final = 2  # of 9: less is not worth a line
THIRD: Final = 3  # so many procedures of a kind are a skill
_EMBEDDING: Final = 5.0  # seconds
GROWN: Final = 2  # times the signal that was turned down: then it may be proposed again


class Excluded(NamedTuple):
    """What is not proposed, and why."""

    line: str
    reason: str
    sources: tuple[str, ...]


class Proposed(NamedTuple):
    """What `propose` found; *waiting* more would have been proposed."""

    proposals: tuple[Proposal, ...]
    excluded: tuple[Excluded, ...]
    waiting: int
    looked_at: int
    dry_run: bool


class Answered(NamedTuple):
    """What a yes or a no did."""

    id: str
    path: str
    status: str
    line: str
    written: tuple[str, ...]
    dropped: str = ""
    warnings: tuple[str, ...] = ()
    diff: str = ""
    dry_run: bool = False


def propose(app: App, *, dry_run: bool = False, limit: int = AT_ONCE) -> Proposed:
    """Rules that active learnings, failures and decisions speak for, and skills that procedures do, as notes that wait for a yes."""

    def write() -> Proposed:
        with nullcontext() if dry_run else app.numbers.lock():
            return _propose(app, limit, dry_run=dry_run)

    return settled(app, write)


def _propose(app: App, limit: int, *, dry_run: bool) -> Proposed:
    app.sync()
    known = proposals(app)
    text = _rules_text(app)
    block = [rule.line for rule in rules.rules_in(text)]
    standing = [*block, *rules.others_in(text)]
    looked_at, found, excluded = _sifted(app, known, standing)
    number = highest_of(app, "proposal")
    edits: list[Edit] = []
    made: list[Proposal] = []
    for one, before in found[:limit]:
        asked = _worded(app, one)
        if not asked.draft and (same := promotion.says_already(asked.line, standing)):
            excluded.append(Excluded(asked.line, f"it is said already: {same}", tuple(source.path for source in asked.sources)))
            continue
        number += before is None
        given = str(RecordId("proposal", number)) if before is None else before.id
        applied = _applied_lines(app, text)
        space = promotion.room(asked.line, block, lines=len(standing), most=app.config.rules_lines, applied=applied)
        edit = _rule_note(app, given, asked, space, before)
        edits.append(edit)
        made.append(_of_candidate(given, edit.path, asked, space))
    skilled, more = _skills(app, known, number, excluded)
    edits += more
    if not dry_run and edits:
        app.numbers.give({"proposal": max([number, *(number_of(one.id) for one in skilled)])})
        app.commit(edits, command="promote propose")
    return Proposed((*made, *skilled), tuple(excluded), max(0, len(found) - limit), looked_at, dry_run)


_Found = list[tuple[Candidate, Proposal | None]]  # with the proposal that was turned down, where it comes back


def _sifted(app: App, known: Sequence[Proposal], standing: Sequence[str]) -> tuple[int, _Found, list[Excluded]]:
    """How many notes were looked at, the rules that they speak for, the weightiest first, and what is left out and why."""
    taken = {path for one in known if one.status == "proposed" for path in one.sources}
    sources = [one for one in _sources(app) if one.path not in taken]
    likeness = _likeness(app, sources)
    ripe = [promotion.candidate(group, likeness) for group in promotion.groups(sources, likeness) if promotion.ripe(group)]
    said = [*standing, *(one.line for one in known if one.status == "proposed")]
    same = _same_meaning(app, [one.line for one in ripe], said)
    found: _Found = []
    excluded: list[Excluded] = []
    for one in ripe:
        before = _turned_down(known, one)
        if why := _why_not(one, before, promotion.says_already(one.line, said) or same.get(one.line, "")):
            excluded.append(Excluded(one.line, why, tuple(source.path for source in one.sources)))
        else:
            found.append((one, before))
    found.sort(key=lambda pair: (-pair[0].score, -pair[0].signal, pair[0].line))
    return len(sources), found, excluded


def _why_not(one: Candidate, before: Proposal | None, same: str) -> str:
    """Why a rule is not proposed, "" when it is."""
    if why := promotion.why_no_rule(one.line, "\n".join(f"{source.title}\n{source.said}\n{source.text}" for source in one.sources)):
        return f"it {why}"
    if same:
        return f"it is said already: {same}"
    if before is not None and one.signal < GROWN * before.signal:
        return f"{before.id} was turned down at {before.signal} ({before.reason}); now {one.signal}"
    return f"it scores {one.score} of 9" if one.score < SCORE else ""


def _same_meaning(app: App, lines: Sequence[str], said: Sequence[str]) -> dict[str, str]:
    """Lines that a rule says in other words, and the rule; nothing without a model."""
    known = app.vectors.calibration if app.embedded and lines and said else None
    choice = app.embedder() if known is not None else None
    if known is None or choice is None or not choice.works:
        return {}
    try:
        rows = choice.embedder.embed([*lines, *said], kind="passage")
    except ModelUnavailableError:
        app.forget_embedder()
        return {}
    if rows.failed:
        return {}
    cosines = rows.vectors[: len(lines)] @ rows.vectors[len(lines) :].T
    return {line: said[int(row.argmax())] for line, row in zip(lines, cosines, strict=True) if row.max() >= known.duplicate}


def accept(app: App, name: str, *, line: str = "", drop: str = "", dry_run: bool = False) -> Answered:
    """A yes. A rule goes into the marked block, a skill is drafted; the notes that it came from say where it went."""

    def write() -> Answered:
        app.sync()
        found = waiting(app, name)
        if found.proposes == "skill":
            return _make_skill(app, found, name=line, dry_run=dry_run)
        return _accept_rule(app, found, line, drop, dry_run=dry_run)

    return settled(app, write)


def reject(app: App, name: str, *, why: str, dry_run: bool = False) -> Answered:
    """A no. The reason and how strong the signal was are kept; it comes back when the signal has doubled."""
    if not why.strip():
        raise UsageError("why not?", hint="say so with --why TEXT: the reason is kept")

    def write() -> Answered:
        app.sync()
        found = waiting(app, name)
        text = to_text(app.files.read(found.path).data)
        edit = notes.change_status(found.path, text, found.status, "discarded", why=why, more={"signal": found.signal})
        if not dry_run:
            app.commit([edit], command=f"promote reject {found.id}")
        return Answered(found.id, found.path, "discarded", found.line, (found.path,), dry_run=dry_run, diff=_diff(app, [edit]))

    return settled(app, write)


def make_skill(app: App, name: str, *, called: str = "", dry_run: bool = False) -> Answered:
    """Draft the SKILL.md of a proposal that was accepted; its notes are retired with a link to it."""

    def write() -> Answered:
        app.sync()
        found = named(app, name)
        if found.proposes != "skill":
            raise UsageError(f"{found.id} proposes a rule", hint=f"`vaultkit promote accept {found.id}` writes it")
        if found.status != "active" and not dry_run:
            raise RefusedError(
                f"{found.id} is {found.status}: nothing reaches the skills folder without a yes",
                hint=f"`vaultkit promote accept {found.id}`",
            )
        return _make_skill(app, found, name=called, dry_run=dry_run)

    return settled(app, write)


class Stored(NamedTuple):
    """What is known about a procedure that was just stored. *proposal* asks for a skill, *skill* is one that exists already."""

    alike: tuple[str, ...] = ()
    proposal: str = ""
    skill: str = ""
    kept_back: str = ""

    def told(self) -> tuple[str, ...]:
        """Lines for a receipt."""
        lines = []
        if self.skill:
            lines.append(f"this is already skill {self.skill}")
        if self.alike:
            often = {1: "once", 2: "twice"}.get(len(self.alike), f"{len(self.alike)} times")
            lines.append(f"the same was done {often} before: {', '.join(self.alike[:5])}")
        if self.proposal:
            lines.append(f"{self.proposal} proposes a skill: `vaultkit promote accept {self.proposal}`, or `reject`")
        if self.kept_back:
            lines.append(f"no skill is proposed: {self.kept_back}")
        return tuple(lines)


def after_stored(app: App, path: str, *, dry_run: bool = False) -> Stored:
    """Count a procedure that was stored. It is stored in any case: what was turned down keeps back the proposal only."""

    def write() -> Stored:
        with nullcontext() if dry_run else app.numbers.lock():
            app.sync()
            if app.embedded and app.embedder().works:  # else the two before it may have no vector yet
                app.embed(_EMBEDDING, anew=False)
            text = alike.text_of(app, path)
            skill = next((name for old in alike.already(app, text).paths if (name := _skill_of(app, old))), "")
            same = alike.repetitions(app, text, but={path}).paths
            if skill or len(same) + 1 < THIRD:
                return Stored(same, skill=skill)
            edits, proposal, kept_back = _skill_proposal(app, proposals(app), (path, *same), highest_of(app, "proposal") + 1)
            if edits and not dry_run:
                app.numbers.give({"proposal": number_of(proposal)})
                app.commit(edits, command=f"promote propose {proposal}")
            return Stored(same, proposal, kept_back=kept_back)

    return settled(app, write)


class Promoted(NamedTuple):
    """A rule that came from notes, and in how many sessions it was applied."""

    id: str
    line: str
    applied: int


def promoted(app: App) -> list[Promoted]:
    """The rules of our block that came from notes (as of the last sync)."""
    counts = _applied(app)
    return [Promoted(rule.id, rule.line, counts.get(rule.id, 0)) for rule in rules.rules_in(_rules_text(app)) if rule.id]


def note_applied(app: App, said: str, *, session: str = "") -> list[str]:
    """Which promoted rules a session followed, as far as the words of what it said and did tell; each is counted once a session."""
    known = {str(event.get("rule")) for event in app.activity.read(events=("applied",)) if session and event.get("session") == session}
    found = [
        rule.id for rule in rules.rules_in(_rules_text(app)) if rule.id and rule.id not in known and promotion.followed(rule.line, said)
    ]
    for one in found:
        app.activity.append("applied", t=app.clock(), rule=one, path=RULES, session=session)
    return found


def mirror(app: App, *, text: str | None = None) -> tuple[list[str], list[str]]:
    """Bring the blocks of the harnesses' own rules files (setting rules_files) in line with rules.md: what was written, what was met."""
    written: list[str] = []
    told: list[str] = []
    standing = rules.rules_in(_rules_text(app) if text is None else text)
    for name in app.config.rules_files:
        file = Path(name).expanduser()
        if not file.is_absolute() or file.resolve().is_relative_to(app.root.resolve()):
            told.append(f"{name} is {'inside the vault' if file.is_absolute() else 'no absolute path'}: nothing was written there")
            continue
        try:
            before = outside.read(file)
            if before is None:
                told.append(f"{name} does not exist: nothing was written there")
                continue
            after = to_bytes(rules.with_rules(to_text(before), standing, name=name, ids=False))
            if after != before and (standing or rules.START in to_text(before)):
                outside.replace(file, after, expected=before)
                written.append(name)
        except VaultkitError as error:
            told.append(f"{name}: {error.message}")
    return written, told


# -- answers


def _accept_rule(app: App, found: Proposal, line: str, drop: str, *, dry_run: bool) -> Answered:
    worded = promotion.plain(line) or found.line
    before = _rules_text(app)
    exists = app.files.exists(RULES)
    block = rules.rules_in(before)
    others = rules.others_in(before)
    if any(rule.line == worded for rule in block):
        raise ConflictError(f"the rules say that already: {worded}", hint=f"`vaultkit promote reject {found.id} --why …`")
    dropped = _to_drop(app, block, before, worded, drop, lines=len(block) + len(others))
    kept = [rule for rule in block if rule != dropped]
    after = rules.with_rules(before or _RULES_NOTE, [*kept, Rule(worded, found.id)])
    rewritten: Edit = Rewrite(RULES, to_bytes(after), hash_of(to_bytes(before))) if exists else Create(RULES, to_bytes(after))
    edits: list[Edit] = [rewritten, _accepted(app, found, {"rule": worded})]
    link = f"[[{RULES.removesuffix('.md')}#^{found.id}]]"
    edits += [_pointed(app, path, {"promoted_to": link}) for path in found.sources]
    if dropped is not None and dropped.id:
        edits += _drop_note(app, dropped, found.id)
    diff = _diff(app, edits)
    warnings: list[str] = []
    written = [edit.path for edit in edits]
    if not dry_run:
        app.commit(edits, command=f"promote accept {found.id}")
        app.activity.append("promoted", t=app.clock(), rule=found.id, session=app.session)
        outer, warnings = mirror(app, text=after)
        written += outer
    return Answered(
        found.id, found.path, "active", worded, tuple(written), dropped.line if dropped else "", tuple(warnings), diff, dry_run=dry_run
    )


def _to_drop(app: App, block: Sequence[Rule], text: str, line: str, drop: str, *, lines: int) -> Rule | None:
    """The rule that goes: the one that was named, or, where no line is free, the one that is the least used."""
    if drop:
        wanted = drop.strip().casefold()
        found = [rule for rule in block if rule.id.casefold() == wanted or rule.line.casefold().startswith(wanted)]
        if len(found) != 1:
            raise UsageError(
                f"{drop!r} is {'no rule' if not found else 'several rules'} of the block",
                hint="name one by its id (PROP-003) or its first words",
            )
        return found[0]
    space = promotion.room(line, [rule.line for rule in block], lines=lines, most=app.config.rules_lines, applied=_applied_lines(app, text))
    if not space.full:
        return None
    goes = space.fold or space.drop
    if not goes:
        raise RefusedError(f"the rules have {lines} lines, and none of them is vaultkit's", hint="take one of your own out, then accept")
    return next(rule for rule in block if rule.line == goes)


def _drop_note(app: App, dropped: Rule, by: str) -> list[Edit]:
    """What is dropped for another is retired; its text stays in its proposal."""
    try:
        path = find(app, dropped.id)
    except NoteNotFoundError:
        return []
    text = to_text(app.files.read(path).data)
    if app.head([path])[path].status != "active":
        return []
    return [notes.change_status(path, text, "active", "retired", why=f"dropped for {by}")]


def _make_skill(app: App, found: Proposal, *, name: str, dry_run: bool) -> Answered:
    if name and skills.skill_name(name) != name:
        raise UsageError(f"{name!r} is no name for a skill", hint="1 to 64 of a-z, 0-9 and single hyphens")
    sources = [one for one in (_source(app, path) for path in found.sources) if one is not None]
    if not sources:
        raise RefusedError(f"the notes of {found.id} are gone", hint="`vaultkit promote reject` it")
    drafted = skills.draft_skill(sources, name=name, fallback=f"skill {found.id}")
    if wrong := skills.problems_of(drafted.text, drafted.name):
        raise RefusedError(f"the drafted skill does not hold: {'; '.join(wrong)}", hint="mend the notes that it is drafted from")
    path = f"{app.config.skills_folder}/{drafted.name}/SKILL.md"
    if app.files.is_taken(path):
        raise ConflictError(f"{path} exists already", hint=f"`vaultkit promote skill {found.id} --name ANOTHER`")
    link = f"[[{path.removesuffix('.md')}]]"
    edits: list[Edit] = [Create(path, to_bytes(drafted.text)), _accepted(app, found, {"skill": drafted.name})]
    for one in sources:
        if app.head([one.path])[one.path].status == "active":
            text, why = to_text(app.files.read(one.path).data), f"it is skill {drafted.name}"
            edits.append(notes.change_status(one.path, text, "active", "retired", why=why, more={"promoted_to": link}))
        else:
            edits.append(_pointed(app, one.path, {"promoted_to": link}))
    diff = _diff(app, edits)
    if not dry_run:
        app.commit(edits, command=f"promote skill {found.id}")
        app.activity.append("promoted", t=app.clock(), rule=found.id, session=app.session)
    return Answered(found.id, found.path, "active", drafted.name, tuple(edit.path for edit in edits), diff=diff, dry_run=dry_run)


def _accepted(app: App, found: Proposal, more: Mapping[str, Value]) -> Rewrite:
    """The recorded yes."""
    text = to_text(app.files.read(found.path).data)
    day = app.now().date().isoformat()
    return notes.change_status(found.path, text, found.status, "active", more={"accepted": day, **more})


def _pointed(app: App, path: str, changes: Mapping[str, Value]) -> Rewrite:
    return notes.rewrite(path, to_text(app.files.read(path).data), changes)


def _diff(app: App, edits: Sequence[Edit]) -> str:
    from vaultkit.operations.deadlines import diff

    parts = []
    for edit in edits:
        if isinstance(edit, (Create, Rewrite)):
            before = to_text(app.files.read(edit.path).data) if isinstance(edit, Rewrite) else ""
            parts.append(diff(edit.path, before, to_text(edit.data)))
    return printable("".join(parts))


# -- proposals as notes


def _rule_note(app: App, given: str, found: Candidate, space: Room, before: Proposal | None) -> Edit:
    told = [
        f"- [[{link_to(app, one.path)}]] ({one.kind}): opened {one.accessed} times, judged useful {one.useful} times"
        for one in found.sources
    ]
    why = {"Harm if broken": found.harm, "Not done by default": found.unusual}
    body = [
        "## Rule", "", f"> {found.line}", "", "A draft, taken from a note: word it with `--line` when you accept it." if found.draft else
        "Worded by a local model and checked against the notes.", "", "## Evidence", "", *told, "", "## Score", "",
        *(f"- {name}: {weight.points} of 3 ({', '.join(weight.why)})" for name, weight in why.items()), f"- together {found.score} of 9",
        "", "## Fold or drop", "", str(space), "",
    ]  # fmt: skip
    return proposal_note(
        app,
        given,
        before,
        f"Rule: {found.line}",
        "rule",
        found.line,
        [one.path for one in found.sources],
        "\n".join(body),
        draft=found.draft,
    )


def _of_candidate(given: str, path: str, found: Candidate, space: Room) -> Proposal:
    return Proposal(
        given,
        path,
        "rule",
        found.line,
        "proposed",
        found.signal,
        found.draft,
        tuple(one.path for one in found.sources),
        found.score,
        f"{found.harm.points} of 3: {', '.join(found.harm.why)}",
        f"{found.unusual.points} of 3: {', '.join(found.unusual.why)}",
        tuple({"path": one.path, "kind": one.kind, "accessed": one.accessed, "useful": one.useful} for one in found.sources),
        str(space),
        problem=found.problem,
    )


def _turned_down(known: Sequence[Proposal], found: Candidate) -> Proposal | None:
    """The discarded proposal that this is again: the same line, or half of the same notes."""
    paths = {one.path for one in found.sources}
    for one in known:
        shared = len(paths & set(one.sources))
        if one.status == "discarded" and one.proposes == "rule":
            half = shared * 2 >= max(1, min(len(paths), len(one.sources)))
            if (shared and half) or promotion.says_already(found.line, [one.line]):
                return one
    return None


# -- skills


def _skills(app: App, known: Sequence[Proposal], number: int, excluded: list[Excluded]) -> tuple[list[Proposal], list[Edit]]:
    """Skills that procedures speak for, where no capture has proposed them yet."""
    made: list[Proposal] = []
    edits: list[Edit] = []
    seen = {path for one in known if one.proposes == "skill" and one.status == "proposed" for path in one.sources}
    for path in sorted(path for path, head in app.heads().items() if head.type == "procedure" and head.status == "active"):
        if path in seen:
            continue
        same = alike.repetitions(app, alike.text_of(app, path), but={path}).paths
        group = (path, *(other for other in same if other not in seen))
        if len(group) < THIRD:
            continue
        seen.update(group)
        more, proposal, kept_back = _skill_proposal(app, known, group, number + 1)
        if kept_back:
            excluded.append(Excluded(app.head([path])[path].title, kept_back, group))
        if more:
            edits += more
            number = max(number, number_of(proposal))
            title = app.head([path])[path].title
            made.append(Proposal(proposal, more[0].path, "skill", title, "proposed", len(group), True, group))
    return made, edits


def _skill_proposal(app: App, known: Sequence[Proposal], group: Sequence[str], number: int) -> tuple[list[Edit], str, str]:
    """The edit that proposes a skill, the proposal's id, and why there is none."""
    for one in known:
        if one.proposes == "skill" and one.status == "proposed" and set(group) & set(one.sources):
            return [], one.id, ""
    before = _skill_turned_down(app, known, group)
    if before is not None and len(group) < GROWN * before.signal:
        return [], "", f"{before.id} was turned down at {before.signal} ({before.reason}); now {len(group)}"
    heads = app.head(list(group))
    title = heads[group[0]].title
    given = before.id if before else str(RecordId("proposal", number))
    body = "\n".join(
        ["## Skill", "", f"> {title}", "", f"{len(group)} procedures do the same.", "", "## Evidence", "",
         *(f"- [[{link_to(app, path)}]] {heads[path].title}" for path in group), ""]
    )  # fmt: skip
    return [proposal_note(app, given, before, f"Skill: {title}", "skill", title, group, body, draft=True)], given, ""


def _skill_turned_down(app: App, known: Sequence[Proposal], group: Sequence[str]) -> Proposal | None:
    discarded = [one for one in known if one.proposes == "skill" and one.status == "discarded"]
    if not discarded:
        return None
    if shared := next((one for one in discarded if set(group) & set(one.sources)), None):
        return shared
    others = {one.path for one in known if one.proposes != "skill"}
    like = alike.reproposals(app, alike.text_of(app, group[0]), but=others).paths
    return next((one for one in discarded if one.path in like), None)


def _skill_of(app: App, path: str) -> str:
    """The skill that a retired procedure became, "" for none."""
    own = app.read(path)[0].properties.get("promoted_to")
    target = own.strip().removeprefix("[[").removesuffix("]]") if isinstance(own, str) else ""
    return target.rpartition("/")[0].rpartition("/")[2] if target.endswith("/SKILL") else ""


# -- what is looked at


def _sources(app: App) -> list[Source]:
    """Active learnings, failures and decisions that no rule came from yet. Nothing private: every session loads the rules."""
    heads = app.heads()
    snapshot = app.snapshot()
    wanted = [
        path
        for path, head in heads.items()
        if head.type in _KINDS and head.status == "active" and not head.successor and not snapshot.notes[path].properties.get("promoted_to")
    ]
    policy = policy_of(app, "")
    allowed = [row.path for row in app.rows(wanted) if engine.allowed(row, policy)]
    return [one for one in (_source(app, path) for path in sorted(allowed)) if one is not None and one.said]


def _source(app: App, path: str) -> Source | None:
    try:
        note, text = app.read(path)
        head = app.head([path])[path]
    except (VaultkitError, OSError, KeyError):
        return None  # it went away meanwhile
    parts = notes.read_record(note, text, head.type).parts if head.type in PARTS else {}
    counter = app.activity.counters().get(path)
    pattern = note.properties.get("pattern")
    return Source(
        path,
        head.type,
        head.title,
        promotion.said_by(head.type, parts, head.title, head.description, raw_of(text)),
        raw_of(text).strip(),
        head.date[:10],
        head.scope,
        pattern if isinstance(pattern, str) else str(id_of_path(path) or "") if head.type == "failure" else "",
        (counter.accessed if counter else 0) + _count(note, "accessed"),
        (counter.useful if counter else 0) + _count(note, "useful"),
    )


def _count(note: Note, name: str) -> int:
    value = note.properties.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _likeness(app: App, sources: Sequence[Source]) -> Callable[[Source, Source], float]:
    """By meaning where the notes have vectors, and by words."""
    words = promotion.by_words(sources)
    known = app.vectors.calibration if app.embedded else None
    if known is None:
        return words
    near: dict[str, Mapping[str, float]] = {}

    def both(left: Source, right: Source) -> float:
        if left.path not in near:
            vector = app.vectors.vector(left.path)
            near[left.path] = app.vectors.cosines(vector, [one.path for one in sources]) if vector is not None else {}
        return max(words(left, right), near[left.path].get(right.path, 0.0) / known.repetition)

    return both


def _worded(app: App, found: Candidate) -> Candidate:
    """In a local model's words, where one is configured and what it says holds."""
    if not app.config.text_model:
        return found
    from vaultkit.store import models

    asked = promotion.question(found)
    model = models.text_model(app.config.text_model, host=app.config.ollama_host, timeout=app.config.model_timeout)
    answer = model.complete(asked.prompt, asked.schema, system=asked.system)
    return promotion.worded(found, answer.value, answer.problem)


def _rules_text(app: App) -> str:
    try:
        return to_text(app.files.read(RULES).data)
    except NoteNotFoundError:
        return ""


def _applied(app: App) -> dict[str, int]:
    counts: dict[str, int] = {}
    for event in app.activity.read(events=("applied",)):
        counts[str(event.get("rule"))] = counts.get(str(event.get("rule")), 0) + 1
    return counts


def _applied_lines(app: App, text: str) -> dict[str, int]:
    counts = _applied(app)
    return {rule.line: counts.get(rule.id, 0) for rule in rules.rules_in(text)}


_KINDS: Final = ("learning", "failure", "decision")
_RULES_NOTE: Final = "---\ntitle: Rules\ndescription: The standing rules that every session loads.\ntype: rule\n---\n\n# Rules\n"
