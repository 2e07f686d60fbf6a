"""The marked block of a rules file: the only part that promotion ever writes (memory.md M33). Pure.

    <!-- vaultkit:rules:start -->
    - Purge the cache after each deploy ^PROP-003
    <!-- vaultkit:rules:end -->

The block id leads from the rule to the proposal with its evidence, and is no part of the rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from vaultkit.errors import RefusedError

START: Final = "<!-- vaultkit:rules:start -->"
END: Final = "<!-- vaultkit:rules:end -->"


class Rule(NamedTuple):
    """A line of the block; *id* is its proposal's, "" for a line that a person wrote there."""

    line: str
    id: str = ""


def rules_in(text: str, *, name: str = "rules.md") -> list[Rule]:
    """The rules of the block; none when there is no block."""
    span = _span(text, name)
    if span is None:
        return []
    found = []
    for line in text[span[0] : span[1]].splitlines():
        item = _ITEM.match(line)
        if item and item[1].strip():
            found.append(Rule(item[1].strip(), item[2] or ""))
    return found


def others_in(text: str, *, name: str = "rules.md") -> list[str]:
    """The list items of a rules file outside our block: a person's own rules."""
    span = _span(text, name)
    rest = text if span is None else text[: span[0]] + text[span[1] :]
    return [item[1].strip() for line in rest.splitlines() if (item := _ITEM.match(line)) and item[1].strip()]


def with_rules(text: str, rules: Sequence[Rule], *, name: str = "rules.md", ids: bool = True) -> str:
    """*text* with these rules in its block, every other byte as it was. Without a block one is put at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"- {rule.line}{f' ^{rule.id}' if rule.id and ids else ''}" for rule in rules]
    inner = newline + "".join(line + newline for line in lines)
    span = _span(text, name)
    if span is not None:
        return text[: span[0]] + inner + text[span[1] :]
    glue = "" if not text or text.endswith(("\n", "\r")) else newline
    return f"{text}{glue}{newline if text.strip() else ''}{START}{inner}{END}{newline}"


def _span(text: str, name: str) -> tuple[int, int] | None:
    """What stands between the marks. Raises RefusedError when they are not one pair."""
    starts, ends = text.count(START), text.count(END)
    if not starts and not ends:
        return None
    start, end = text.find(START) + len(START), text.find(END)
    if (starts, ends) != (1, 1) or end < start:
        raise RefusedError(f"the marks of vaultkit's block in {name} are not one pair", hint=f"leave one {START} and, below it, one {END}")
    return start, end


_ITEM: Final = re.compile(r"^[ \t]*[-*+][ \t]+(.*?)(?:[ \t]+\^(PROP-\d+))?[ \t]*$")
