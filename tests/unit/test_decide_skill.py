"""The skill `decide` looks before it drafts, and the shipped skills hold by vaultkit's own check of the format too."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultkit.app.shipped import shipped
from vaultkit.records.skills import problems_of


@pytest.mark.parametrize("file", sorted(shipped("skills").glob("*/SKILL.md")), ids=lambda file: file.parent.name)
def test_a_shipped_skill_holds_by_our_own_check(file: Path) -> None:
    assert problems_of(file.read_text("utf-8"), file.parent.name) == []


def test_decide_looks_up_before_it_drafts() -> None:
    text = (shipped("skills") / "decide" / "SKILL.md").read_text("utf-8")
    assert text.index("record list --about") < text.index("record decision --goal")
