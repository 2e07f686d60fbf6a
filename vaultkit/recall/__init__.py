"""At each prompt the few notes that matter, or nothing. Pure: records and word counts in, a digest out.

    prompt ──clean──▶ words, or noise ──▶ tokens ──(the search index)──▶ candidates, and in how many notes each token stands
    candidates ──allowed──▶ rank ──▶ judge: high · medium · low · none ──▶ render: one line a note

`answer` is all of it for one prompt. What may not be recalled (`Policy`) is left out before anything is scored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from vaultkit.recall import digest, gate
from vaultkit.recall import hints as hinting
from vaultkit.recall import rank as ranking
from vaultkit.recall.activation import Activated, Edge, Entry, spread
from vaultkit.recall.digest import Digest, Line, line_of, render
from vaultkit.recall.gate import Confidence, Judged, judge
from vaultkit.recall.hints import prompt_of
from vaultkit.recall.index import Row, record_of, successor_of
from vaultkit.recall.prompt import MODES, Mode, Prompt, clean, mode_of
from vaultkit.recall.rank import CANDIDATES, Policy, Scored, Stats, Use, allowed, bonus_of, gather, rank

__all__ = [
    "CANDIDATES",
    "MODES",
    "Activated",
    "Confidence",
    "Digest",
    "Edge",
    "Entry",
    "Judged",
    "Line",
    "Mode",
    "Policy",
    "Prompt",
    "Recalled",
    "Row",
    "Scored",
    "Stats",
    "Use",
    "allowed",
    "answer",
    "bonus_of",
    "clean",
    "gather",
    "judge",
    "line_of",
    "mode_of",
    "prompt_of",
    "rank",
    "record_of",
    "render",
    "spread",
    "successor_of",
]


class Recalled(NamedTuple):
    """What one prompt gets, and how that came about."""

    mode: Mode  # chosen, from the prompt alone or by the caller
    used: Mode
    fallback: str  # why *used* is not *mode*, or why nothing was looked up; else ""
    confidence: Confidence
    notes: tuple[Scored, ...]  # those in the digest
    digest: Digest


def answer(
    prompt: Prompt,
    candidates: Iterable[Row],
    stats: Stats,
    policy: Policy,
    *,
    mode: Mode | None = None,
    uses: Mapping[str, Use] | None = None,
    backlinks: Mapping[str, int] | None = None,
    now: datetime | None = None,
    size: int = digest.SIZE,
    shown: Collection[str] = (),
    weights: ranking.Settings = ranking.DEFAULTS,
    bars: gate.Settings = gate.DEFAULTS,
    hinted: tuple[Prompt, Iterable[Row], Stats] | None = None,
) -> Recalled:
    """The digest for *prompt* out of *candidates*; "" when none of them is worth it. *shown* were shown before in this session.

    *hinted*: what a model proposed to look for as well, as a prompt with candidates of its own.
    """
    chosen = mode or mode_of(prompt)
    if prompt.noise:
        return Recalled(chosen, chosen, f"noise: {prompt.reason}", "none", (), Digest("", ()))
    used: Mode = "targeted" if chosen == "graph-overview" and backlinks is None else chosen
    fallback = "" if used == chosen else "the links of the vault are not known"
    scored = rank(prompt, candidates, stats, policy, mode=used, uses=uses, backlinks=backlinks, now=now, settings=weights)
    judged = judge(scored, prompt, stats, mode=used, settings=bars)
    if hinted:
        asked, rows, counts = hinted
        asked = hinting.known(asked, counts)
        found = rank(asked, rows, counts, policy, uses=uses, now=now, settings=weights)
        second = hinting.Hinted(asked, found, judge(found, asked, counts, mode=used, settings=bars))
        judged = hinting.widen(judged, second, most=dict(bars.most)[used])
    text = render(map(line_of, (one.row for one in judged.shown)), used, size=size, shown=shown)
    return Recalled(chosen, used, fallback, judged.confidence, tuple(one for one in judged.shown if one.path in text.paths), text)
