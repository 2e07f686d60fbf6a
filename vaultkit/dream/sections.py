"""List items in a section of a note: the one way in which dreams write into notes that people wrote. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from vaultkit.text.markdown import Heading, scan


def section(text: str, body: int, names: Collection[str]) -> Heading | None:
    """The first section whose heading is one of *names* (folded)."""
    return next((heading for heading in scan(text, body=body).headings if heading.text.strip().casefold() in names), None)


def newline_of(text: str) -> str:
    """The line end that a note uses."""
    return "\r\n" if "\r\n" in text else "\n"


def with_items(text: str, body: int, items: Sequence[str], names: Collection[str], heading: str) -> str:
    """*text* with list items at the end of the section called one of *names*, which is made at the note's end where there is none.

    Every other character stays, but the blank lines at the section's end. A note whose last code fence or comment is open is left as it is:
    what is put behind that would be no list.
    """
    if not items:
        return text
    newline = newline_of(text)
    listed = "".join(f"- {item}{newline}" for item in items)
    found = section(text, body, names)
    if found is None:
        gap = "" if not text[body:].strip() and text[:body].endswith(("\n", "")) else newline if text.endswith("\n") else newline * 2
        after = f"{text}{gap}## {heading}{newline}{newline}{listed}"
        made = section(after, body, {heading.casefold()})
        return after if made is not None and _holds(after, made, listed) else text
    after = _appended(text, found.body, found.section_end, listed, newline)
    grown = section(after, body, names)
    return after if grown is not None and _holds(after, grown, listed) else text


def before_sections(text: str, body: int, items: Sequence[str], names: Collection[str]) -> str:
    """*text* with list items before the first section called one of *names*, else at its end."""
    if not items:
        return text
    newline = newline_of(text)
    listed = "".join(f"- {item}{newline}" for item in items)
    found = section(text, body, names)
    return _appended(text, body, found.start if found else len(text), listed, newline)


def lines(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The lines between two offsets: start, end with the line end, text."""
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop + 1
        yield at, stop, text[at:stop]
        at = stop


def _appended(text: str, start: int, end: int, listed: str, newline: str) -> str:
    """List items behind what stands between *start* and *end*: joined to a list, else apart from it by a blank line."""
    kept = text[start:end].rstrip("\r\n \t")
    tail = text[end:]
    head = text[:start]
    if not kept:
        gap = (
            newline
            if head.endswith("\n") and head.strip() and not head.rstrip().endswith("---")
            else ""
            if not head.strip() or head.endswith("\n")
            else newline * 2
        )
    elif kept.rsplit("\n", 1)[-1].lstrip().startswith(("- ", "* ", "+ ")):
        gap = newline
    else:
        gap = newline * 2
    return f"{head}{kept}{gap}{listed}{newline if tail else ''}{tail}"


def _holds(text: str, found: Heading, listed: str) -> bool:
    """Is what was added read as part of the section?"""
    return listed in text[found.body : found.section_end] and len(scan(text, body=found.start).bullets) >= listed.count("\n")
