"""A note as HTML. Raw HTML in notes is shown as text: note text is data, and must not run in a client's page."""

from __future__ import annotations

from vaultkit.text import frontmatter


def render(text: str) -> str:
    """The body of a note, without its properties."""
    from markdown_it import MarkdownIt

    block = frontmatter.find_block(text)
    rendered: str = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).render(text[block.end if block else 0 :])
    return rendered
