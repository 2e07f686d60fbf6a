"""From draft to edits: the note, and its line in the daily note. Pure.

Task lines and links stand above the captured text: a comment mark or an open code fence in it must hide nothing of ours. The text
itself is kept byte for byte, as one piece, at the note's end.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from vaultkit.capture.articles import article_body
from vaultkit.capture.daily import DailyNote, link_in_daily
from vaultkit.capture.drafts import Draft, Item
from vaultkit.capture.receipt import Receipt
from vaultkit.capture.request import Known, raw_hash
from vaultkit.capture.themes import Theme
from vaultkit.text import frontmatter
from vaultkit.text.edit import Create, Edit, to_bytes
from vaultkit.text.values import Value


class Plan(NamedTuple):
    """What to write, and what to tell."""

    edits: tuple[Edit, ...]
    receipt: Receipt


def plan(draft: Draft, daily: DailyNote | None, known: Known) -> Plan:
    """The edits that store *draft* and link it in *daily* (None: this vault keeps no daily notes)."""
    edits: list[Edit] = [Create(draft.path, to_bytes(note_text(draft, known)))]
    notes = list(draft.warnings)
    if daily is not None:
        linked = link_in_daily(
            daily, link_text(draft.path, known), draft.title, now=draft.request.now, heading=draft.settings.daily_heading
        )  # fmt: skip
        edits.append(linked.edit)
        notes += [linked.note] if linked.note else []
    return Plan(tuple(edits), receipt_of(draft, known, daily=daily.path if daily else None, notes=notes))


def receipt_of(draft: Draft, known: Known, *, daily: str | None, notes: Sequence[str] = ()) -> Receipt:
    """What *draft* tells."""
    return Receipt(
        path=draft.path,
        title=draft.title,
        description=draft.description,
        type=draft.type,
        scope=draft.scope.scope,
        confidence=draft.scope.confidence,
        themes=tuple(theme_text(theme, known) for theme in draft.themes),
        action_items=draft.action_items,
        trackers=draft.trackers,
        unplaced=draft.unplaced,
        daily=daily,
        similar=draft.similar,
        status=draft.status,
        question=question_of(draft),
        notes=tuple(notes),
    )


def question_of(draft: Draft) -> str:
    """What the receipt asks when the scope is not clear."""
    if draft.scope.confidence == "high":
        return ""
    why = f" ({draft.scope.why})" if draft.scope.why else ""
    return f"which scope{why}? It is filed as inbox: set `scope` in the note, or capture with --as work, personal or project/NAME"


def note_text(draft: Draft, known: Known) -> str:
    """The whole note: properties, task lines, links, then the text as it was given."""
    head = frontmatter.render(properties(draft))
    ours = [f"- [ ] {item.entry()}" for item in draft.action_items if not item.own_line]
    if links := [theme_text(theme, known) for theme in draft.themes if theme.path]:
        ours += ["", "Related: " + ", ".join(links)] if ours else ["Related: " + ", ".join(links)]
    top = "".join(line + "\n" for line in ours) + ("\n" if ours else "")
    raw = draft.request.text
    body = raw if raw.endswith("\n") or not raw else raw + "\n"
    if draft.request.article is not None:
        article = article_body(draft.request.article)
        body = body + "\n" + article if body.strip() and article else body or article
    return head + top + body


def properties(draft: Draft) -> dict[str, Value]:
    """The frontmatter, in the order of the contract. An empty list says that there was none to find."""
    names = draft.settings
    values: dict[str, Value] = {
        "title": draft.title,
        "description": draft.description,
        names.date_property: draft.request.now.date().isoformat(),
        "tags": list(draft.tags),
        "scope": draft.scope.scope,
        "type": draft.type,
        "status": draft.status,
    }
    if draft.due is not None:
        values[names.due_property] = draft.due.isoformat()
    values[names.actions_property] = entries(draft.action_items)
    values[names.trackers_property] = entries(draft.trackers)
    if source := source_of(draft):
        values["source"] = source
    return values


def source_of(draft: Draft) -> str:
    """Where the capture came from: the page's final address, else what the request names."""
    article = draft.request.article
    return (article.final_url or article.url) if article is not None else draft.request.source.strip()


def entries(items: Sequence[Item]) -> list[Value]:
    """The entries of one of the two fields."""
    return [item.entry() for item in items]


def theme_text(theme: Theme, known: Known) -> str:
    """A theme as the receipt names it: `infra`, or `[[tls|TLS]]`."""
    if not theme.path:
        return theme.text
    link = link_text(theme.path, known)
    return f"[[{link}]]" if link.casefold() == theme.text.casefold() else f"[[{link}|{theme.text}]]"


def link_text(path: str, known: Known) -> str:
    """How a wikilink to *path* is written: the bare name where no other note has it."""
    if known.link is not None:
        return known.link(path)
    name = path.rsplit("/", 1)[-1]
    shared = any(other != path and _same_name(other.rsplit("/", 1)[-1], name) for other in known.paths)
    return (path if shared else name).removesuffix(".md")


def raw_of(text: str) -> str:
    """The captured text inside a note that `plan` wrote (its properties, task lines and links taken off)."""
    block = frontmatter.find_block(text)
    body = text[block.end :] if block is not None else text
    lines = body.split("\n")
    at = 0
    while at < len(lines) and lines[at].startswith("- [") and "🆔" in lines[at]:
        at += 1
    if at and at + 1 < len(lines) and not lines[at] and lines[at + 1].startswith("Related: [["):
        at += 1
    if at < len(lines) and lines[at].startswith("Related: [["):
        at += 1
    if at and at < len(lines) and not lines[at]:
        return "\n".join(lines[at + 1 :])
    return body


def raw_hash_of(text: str) -> str:
    """`raw_hash` of the text captured in a note; the app keeps it to recognise the same capture made twice."""
    return raw_hash(raw_of(text))


def _same_name(one: str, other: str) -> bool:
    """Whether two file names answer to the same bare link: case and Unicode form do not count."""
    if one.isascii() and other.isascii():
        return one.lower() == other.lower()
    return unicodedata.normalize("NFC", one).casefold() == unicodedata.normalize("NFC", other).casefold()
