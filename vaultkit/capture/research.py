"""Research findings: a note like any other, and a check that every claim names its source. Pure.

A claim is a top-level bullet under `## Findings`; its source a URL or a wikilink in it or in its continuation lines. Findings with a claim
that has none are refused, and still kept: as a proposal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from vaultkit.capture.clauses import strip_task_fields
from vaultkit.capture.daily import DailyNote, link_in_daily
from vaultkit.capture.drafts import Draft, draft
from vaultkit.capture.plans import Plan, link_text, note_text, properties, receipt_of
from vaultkit.capture.request import Known, Request, Settings
from vaultkit.capture.titles import clean
from vaultkit.errors import RefusedError
from vaultkit.text import frontmatter
from vaultkit.text.edit import Create, Edit, to_bytes
from vaultkit.text.markdown import scan
from vaultkit.text.values import Value


class Claim(NamedTuple):
    """One finding. *line* is 1-based in the given text."""

    text: str
    line: int
    sources: tuple[str, ...]


class Research(NamedTuple):
    """What to write, what to tell, and why it counts as refused (None: it does not)."""

    plan: Plan
    claims: tuple[Claim, ...]
    refusal: RefusedError | None


def claims_of(text: str) -> list[Claim]:
    """The claims of a findings text with their sources."""
    block = frontmatter.find_block(text)
    found = scan(text, body=block.end if block is not None else 0)
    sections = [heading for heading in found.headings if _FINDINGS.match(heading.text.strip())]
    claims: list[Claim] = []
    for section in sections:
        bullets = [bullet for bullet in found.bullets if section.body <= bullet.start < section.section_end]
        top = [bullet for bullet in bullets if bullet.parent < 0]
        for index, bullet in enumerate(top):
            end = top[index + 1].start if index + 1 < len(top) else section.section_end
            later = next((heading.start for heading in found.headings if bullet.start < heading.start < end), end)
            whole = text[bullet.start : min(end, later)]
            claims.append(Claim(clean(bullet.text), bullet.line, tuple(_sources(whole))))
    return claims


def save(request: Request, daily: DailyNote | None, known: Known, settings: Settings) -> Research:
    """The edits that store findings. Apply them, then raise `refusal` when there is one: nothing is lost."""
    claims = claims_of(request.text)
    missing = [claim for claim in claims if not claim.sources]
    refusal = _refusal(claims, missing)
    own = frontmatter.read(request.text)
    request = request._replace(type=request.type or "research", title=request.title or _title(request.text, own.values))
    thought = draft(request, known, settings)
    if refusal is not None:
        thought = thought._replace(status="proposed")
    elif isinstance(status := own.values.get("status"), str):
        thought = thought._replace(status=status)
    edits: list[Edit] = [Create(thought.path, to_bytes(_note(thought, own, known)))]
    notes = list(thought.warnings)
    if daily is not None:
        linked = link_in_daily(daily, link_text(thought.path, known), thought.title, now=request.now, heading=settings.daily_heading)
        edits.append(linked.edit)
        notes += [linked.note] if linked.note else []
    notes += [f"line {claim.line} has no source: {claim.text[:80]}" for claim in missing[:20]]
    sources = tuple(dict.fromkeys(source for claim in claims for source in claim.sources))
    told = receipt_of(thought, known, daily=daily.path if daily else None, notes=notes)._replace(claims=len(claims), sources=sources)
    return Research(Plan(tuple(edits), told), tuple(claims), refusal)


_FINDINGS: Final = re.compile(r"^(?:key |main )?(?:findings?|claims?|results?|調査結果|わかったこと|分かったこと|結果)\s*$", re.IGNORECASE)
_SOURCE: Final = re.compile(r"https?://[^\s<>\"'「」、。|]+|!?\[\[([^\[\]\n]+)\]\]")
_PLACEHOLDER: Final = re.compile(r"^https?://(?:\.{3}|…|example\b)?/?$")


def _sources(text: str) -> list[str]:
    found: list[str] = []
    for match in _SOURCE.finditer(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)):
        source = f"[[{match[1].split('|')[0].strip()}]]" if match[1] else _trimmed(match[0])
        if source not in found and not _PLACEHOLDER.match(source) and source != "[[]]":
            found.append(source)
    return found


def _trimmed(address: str) -> str:
    """The address without the punctuation of its sentence; a closing bracket stays when it was opened inside."""
    address = address.rstrip(".,;:!?*_`")
    while address.endswith((")", "]")) and address.count(address[-1]) > address.count({")": "(", "]": "["}[address[-1]]):
        address = address[:-1].rstrip(".,;:!?*_`")
    return address


def _refusal(claims: list[Claim], missing: list[Claim]) -> RefusedError | None:
    if not claims:
        return RefusedError(
            "the findings hold no claim: it is kept as a proposal",
            hint="put each claim in a top-level bullet under `## Findings`, with a URL or [[note]] as its source",
        )
    if missing:
        first = missing[0]
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        return RefusedError(
            f"no source in line {first.line}{more}: {first.text[:80]}; the findings are kept as a proposal",
            hint="add a URL or [[note]] to each claim, or drop the claim",
        )
    return None


def _title(text: str, values: Mapping[str, Value]) -> str:
    own = values.get("title")
    if isinstance(own, str) and own.strip():
        return own.strip()
    block = frontmatter.find_block(text)
    headings = scan(text, body=block.end if block is not None else 0).headings
    first = next((heading for heading in headings if not _FINDINGS.match(heading.text.strip())), None)
    return clean(strip_task_fields(first.text)) if first is not None and first.level == 1 else ""


def _note(thought: Draft, own: frontmatter.Frontmatter, known: Known) -> str:
    """The findings under our properties; a block of their own is kept and completed, so that the note has one block."""
    text = thought.request.text
    if own.block is None or not own.readable:
        return note_text(thought, known)
    wanted = properties(thought)
    changes: dict[str, frontmatter.Change] = {name: value for name, value in wanted.items() if name not in own.values}
    if thought.status == "proposed":
        changes["status"] = "proposed"
    changed = frontmatter.edit(text, changes, order=tuple(wanted))
    return changed if changed.endswith("\n") else changed + "\n"
