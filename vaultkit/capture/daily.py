"""The day's note: one line that links a capture, the note made from its template when it is missing. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import NamedTuple

from vaultkit.text import frontmatter
from vaultkit.text.edit import Create, Edit, Rewrite, hash_of, to_bytes
from vaultkit.text.markdown import scan
from vaultkit.text.moment import format_moment


class DailyNote(NamedTuple):
    """The day's note as it is: *text* is None when there is none yet, *template* None when none is set (or it is missing)."""

    path: str
    text: str | None = None
    template: str | None = None
    day: date | None = None  # the day that it stands for; None: the day of the capture
    date_format: str = "YYYY-MM-DD"
    time_format: str = "HH:mm"


class Linked(NamedTuple):
    """The edit that links a capture, and what a person should know about it."""

    edit: Edit
    note: str = ""


def link_in_daily(daily: DailyNote, link: str, title: str, *, now: datetime, heading: str = "") -> Linked:
    """One line `- [[link|title]]` at the end of the daily note, or of the section under *heading*."""
    line = daily_line(link, title)
    if daily.text is not None:
        data = to_bytes(daily.text)
        return Linked(Rewrite(daily.path, to_bytes(with_line(daily.text, line, heading)), hash_of(data)))
    note = ""
    text = ""
    if daily.template is not None:
        if "<%" in daily.template:
            text = daily.template
            note = f"{daily.path} was made from a Templater template: its <% %> commands stand there unrendered, run Templater on it"
        else:
            text = render_template(
                daily.template, daily.path, now=now, day=daily.day, date_format=daily.date_format, time_format=daily.time_format
            )
    return Linked(Create(daily.path, to_bytes(with_line(text, line, heading))), note)


def daily_line(link: str, title: str) -> str:
    """The bullet; a title that only repeats the link is left out, and nothing in it can end the link."""
    shown = re.sub(r"[\[\]|`\n\r]+|%%|<!--|-->", " ", title)
    shown = " ".join(shown.split())
    return f"- [[{link}]]" if not shown or shown == link.rsplit("/", 1)[-1] else f"- [[{link}|{shown}]]"


def with_line(text: str, line: str, heading: str = "") -> str:
    """*text* with *line* at its end, or at the end of the section under *heading* (made when it is missing)."""
    newline = "\r\n" if "\r\n" in text else "\n"
    wanted = heading.strip().lstrip("#").strip()
    if not wanted:
        return _appended(text, line, newline)
    block = frontmatter.find_block(text)
    found = next((h for h in scan(text, body=block.end if block else 0).headings if h.text.strip().casefold() == wanted.casefold()), None)
    if found is None:
        level = heading.strip()[: len(heading.strip()) - len(heading.strip().lstrip("#"))] or "##"
        gap = newline if text.strip() else ""
        return _appended(_ended(text, newline) + gap + f"{level} {wanted}{newline}", line, newline)
    section = text[: found.section_end]
    rest = text[found.section_end :]
    kept = section.rstrip()
    gap = section[len(kept) :]
    tail = (
        (newline if rest and gap.count("\n") < 2 else "") + gap.removeprefix("\r").removeprefix("\n")
        if rest
        else gap.removeprefix("\r").removeprefix("\n")
    )
    return f"{kept}{newline}{line}{newline}{tail}{rest}"


def render_template(
    template: str, path: str, *, now: datetime, day: date | None = None, date_format: str = "YYYY-MM-DD", time_format: str = "HH:mm"
) -> str:
    """Obsidian's own template variables: `{{title}}`, `{{date}}`, `{{time}}`, the last two with a format of their own."""
    when = datetime.combine(day, now.time()) if day is not None else now
    title = path.rsplit("/", 1)[-1].removesuffix(".md")
    formats: dict[str, Callable[[str], str]] = {
        "title": lambda _: title,
        "date": lambda pattern: format_moment(when, pattern or date_format),
        "time": lambda pattern: format_moment(when, pattern or time_format),
    }
    return _VARIABLE.sub(lambda match: formats[match["name"].lower()](match["format"] or ""), template)


_VARIABLE = re.compile(r"\{\{\s*(?P<name>title|date|time)\s*(?::(?P<format>[^{}\n]*))?\}\}", re.IGNORECASE)


def _appended(text: str, line: str, newline: str) -> str:
    return f"{_ended(text, newline)}{line}{newline}"


def _ended(text: str, newline: str) -> str:
    return text if not text or text.endswith("\n") else text + newline
