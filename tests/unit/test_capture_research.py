"""Findings: every claim has a source, or they stay a proposal."""

from __future__ import annotations

from datetime import datetime

import pytest

from vaultkit.capture import DailyNote, Known, Request, Research, Settings, claims_of, save
from vaultkit.errors import RefusedError
from vaultkit.text import frontmatter
from vaultkit.text.edit import Create, to_bytes, to_text

NOW = datetime(2026, 11, 30, 10)
GOOD = """# Do bees sleep?

Asked because of the garden.

## Findings

- Bees rest at night: https://example.org/bees_(rest).
- They hold each other's legs
  ([a study](https://example.org/legs)).
- See also [[beekeeping|the garden note]]
  - with a detail that has no source of its own

## Method

- looked around
"""


def _save(text: str, **more: object) -> Research:
    return save(Request(text, NOW, **more), DailyNote("daily/2026-11-30.md"), Known(), Settings())  # type: ignore[arg-type]


def _text(made: Research) -> str:
    edit = made.plan.edits[0]
    assert isinstance(edit, Create)
    return to_text(edit.data)


def test_claims_are_the_top_bullets_under_findings() -> None:
    claims = claims_of(GOOD)
    assert [claim.line for claim in claims] == [7, 8, 10]
    assert [claim.sources for claim in claims] == [
        ("https://example.org/bees_(rest)",),
        ("https://example.org/legs",),
        ("[[beekeeping]]",),
    ]


def test_good_findings_are_stored_as_they_are() -> None:
    made = _save(GOOD)
    assert made.refusal is None
    assert to_bytes(GOOD) in to_bytes(_text(made))
    values = frontmatter.read(_text(made)).values
    assert (values["type"], values["status"], values["title"]) == ("research", "active", "Do bees sleep?")
    told = made.plan.receipt.as_dict()
    assert (told["claims"], len(told["sources"])) == (3, 3)
    assert [edit.path for edit in made.plan.edits] == ["inbox/2026-11-30-do-bees-sleep.md", "daily/2026-11-30.md"]


def test_a_claim_without_a_source_is_refused_and_kept_as_a_proposal() -> None:
    made = _save(GOOD + "\n## Findings\n\n- Bees dream\n")
    assert isinstance(made.refusal, RefusedError)
    assert "line 18" in made.refusal.message or "Bees dream" in made.refusal.message
    assert frontmatter.read(_text(made)).values["status"] == "proposed"
    assert any("Bees dream" in note for note in made.plan.receipt.notes)


@pytest.mark.parametrize("text", ["no findings at all", "## Findings\n\njust prose https://example.org/x\n", "## Findings\n"])
def test_findings_without_claims_are_refused_and_kept(text: str) -> None:
    made = _save(text)
    assert made.refusal is not None
    assert text in _text(made)


@pytest.mark.parametrize("source", ["https://", "https://...", "[[]]", "<!-- https://example.org/x -->", "example.org/x", "see above"])
def test_what_is_no_source_does_not_count(source: str) -> None:
    assert claims_of(f"## Findings\n\n- a claim {source}\n")[0].sources == ()


def test_properties_of_the_findings_are_kept_in_one_block() -> None:
    made = _save("---\ntitle: Bees   # mine\ncustom: 1\n---\n## Findings\n\n- a https://example.org/x\n")
    text = _text(made)
    assert text.startswith("---\ntitle: Bees   # mine\n")
    values = frontmatter.read(text).values
    assert (values["title"], values["custom"], values["type"]) == ("Bees", 1, "research")
    assert text.count("---\n") == 2


def test_dates_in_findings_are_no_deadlines() -> None:
    assert _save(GOOD + "\nSupport ends 2027-03-01, pay by Friday.\n").plan.receipt.action_items == ()
