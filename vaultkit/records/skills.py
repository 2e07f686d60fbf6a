"""Skills drafted from procedures, by the rules of agentskills.io: name, description, a body below 500 lines. Pure.

<name>/SKILL.md   name: 1-64 of a-z 0-9 and single hyphens, the folder's own name; description: at most 1,024 characters
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from vaultkit.records import promotion
from vaultkit.records.promotion import Source
from vaultkit.text import frontmatter
from vaultkit.text.markdown import scan
from vaultkit.text.values import Value

KEYS: Final = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
_NAME_SIZE, _DESCRIPTION_SIZE, _COMPATIBILITY_SIZE, _LINES = 64, 1024, 500, 500


class Skill(NamedTuple):
    """A drafted skill: its folder's name, and the text of its SKILL.md."""

    name: str
    text: str


def draft_skill(sources: Sequence[Source], *, name: str = "", fallback: str) -> Skill:
    """A SKILL.md that holds what its notes say, the fullest first; steps that another note also has are not repeated."""
    lead, *rest = sorted(sources, key=lambda one: (-len(one.text), one.path))
    title = _CALLED.split(lead.title, maxsplit=1)[0].strip() or lead.title
    named = name or skill_name(title) or skill_name(fallback)
    said = lead.said.strip() or title
    use = "" if title.casefold() in said.casefold() else f" Use for: {title}."
    description = _cut(f"{said.rstrip('.。')}.{use}", _DESCRIPTION_SIZE)
    body = [f"# {title}", "", _DATA, ""]
    kept: list[frozenset[str]] = []
    for one in (lead, *rest):
        lines = [line for line in _body(one.text).splitlines() if not _is_said(line, kept)]
        kept += [promotion.words(line) for line in lines]
        if any(line.strip() for line in lines):
            body += [*([f"## {one.title}", ""] if one is not lead else []), "\n".join(lines).strip("\n"), ""]
    body += ["## Drafted from", "", *(f"- {one.path}" for one in (lead, *rest)), ""]
    values: dict[str, Value] = {"name": named, "description": description}
    return Skill(named, frontmatter.render(values) + "\n" + "\n".join(body[:_LINES]))


def problems_of(text: str, folder: str) -> list[str]:
    """What a SKILL.md in *folder* has wrong, by the rules of the format."""
    matter = frontmatter.read(text)
    if matter.block is None or not matter.readable:
        return ["it has no frontmatter that can be read"]
    return [*_about_keys(matter.values, folder), *_about_body(text[matter.block.end :])]


def _about_keys(values: Mapping[str, Value], folder: str) -> list[str]:
    found = [f"{key!r} is no key of the format" for key in values if key not in KEYS]
    name, description = values.get("name"), values.get("description")
    if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > _NAME_SIZE:
        found.append(f"the name {name!r} is not 1 to {_NAME_SIZE} of a-z, 0-9 and single hyphens")
    elif name != folder:
        found.append(f"the name {name!r} is not its folder's, {folder!r}")
    if not isinstance(description, str) or not description.strip():
        found.append("it has no description")
    elif len(description) > _DESCRIPTION_SIZE:
        found.append(f"the description is longer than {_DESCRIPTION_SIZE} characters")
    compatibility = values.get("compatibility", "")
    if not isinstance(compatibility, str) or len(compatibility) > _COMPATIBILITY_SIZE:
        found.append(f"compatibility is not a text of at most {_COMPATIBILITY_SIZE} characters")
    return found


def _about_body(body: str) -> list[str]:
    found = [] if body.strip() else ["it says nothing"]
    return [*found, f"it is longer than {_LINES} lines"] if body.count("\n") > _LINES else found


def skill_name(title: str) -> str:
    """A title as a skill's name; "" when nothing of it can stand there (a Japanese title)."""
    flat = unicodedata.normalize("NFKD", title.casefold())
    named = _OTHER.sub("-", "".join(char for char in flat if not unicodedata.combining(char))).strip("-")
    return named[:_NAME_SIZE].strip("-") if sum(char.isalpha() for char in named) > 2 else ""


def _body(text: str) -> str:
    """A note's text without its first H1: the skill has its own."""
    first = next((heading for heading in scan(text).headings if heading.level == 1), None)
    return text[: first.start] + text[first.body :] if first else text


def _is_said(line: str, kept: Sequence[frozenset[str]]) -> bool:
    """Does another note have this step, in nearly the same words?"""
    mine = promotion.words(line)
    return bool(mine) and any(len(mine & other) >= _SAME * len(mine | other) for other in kept)


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else text[: size - 1].rstrip() + "…"


_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SAME: Final = 0.8
_CALLED: Final = re.compile(r"[:：,、。;；(（]|\s[—–-]\s|\.\s")
_OTHER: Final = re.compile(r"[^a-z0-9]+")
_DATA: Final = "Drafted by vaultkit from the notes named at its end. Read it through before the first use."
