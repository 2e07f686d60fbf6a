"""A fetched page as the body of a note. What the page's author wrote must do nothing in the reader's vault. Pure.

Outside code: no rule line that could end a block, no comment marks, no live task, tag, wikilink, inline field or template command. In code:
no fence that a plugin would run. Remote images become links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from vaultkit.capture.request import Article
from vaultkit.text.edit import printable


def article_body(article: Article) -> str:
    """Where the page came from, then its text; only the reason when it could not be read."""
    facts = [
        ("author", article.author),
        ("published", article.published),
        ("fetched", article.fetched),
        ("sha256", article.sha256),
        ("extractor", article.extractor),
    ]
    lines = [f"> {name}: {_one_line(value)}" for name, value in facts if value.strip()]
    if article.final_url and article.final_url != article.url:
        lines.insert(0, f"> asked for: {_one_line(article.url)}")
    if article.problem:
        lines.append(f"> not read: {_one_line(article.problem)}")
    head = "\n".join(lines) + "\n" if lines else ""
    text = neutral(article.markdown)
    return head + ("\n" + text if head and text else text)


def neutral(markdown: str) -> str:
    """*markdown* with everything that acts inside Obsidian made plain text; headings, lists, code, tables, quotes and links stay."""
    out = "\n".join(_lines(printable(markdown).replace("\r\n", "\n").replace("\0", "\ufffd").strip("\n")))
    return out + "\n" if out else ""


_FENCE: Final = re.compile(r"(?P<lead>\s*(?:>\s?|[-*+]\s+|\d+[.)]\s+)*)(?P<fence>`{3,}|~{3,})(?P<info>.*)$")
# Code blocks in these languages are run or rendered by Obsidian or by common plugins.
_RUN: Final = re.compile(
    r"(?:dataviewjs|dataview|tasks|query|base|bases|button|js-engine|jsengine|templater|run-\w+|meta-bind[\w-]*|chart|advanced-chart|charts|ad-\w+|"
    r"admonition|excalibrain|kanban|tracker|calendar|customjs|leaflet|timeline|inlinejs|quickadd|metabind|buttons|contributiongraph|todoist|gallery|img-gallery)\b",
    re.IGNORECASE,
)
_RULE: Final = re.compile(r"^(\s*(?:>\s?)*)(?:-\s*){3,}$")
_SETEXT: Final = re.compile(r"^(\s*)(=+|-{2,})\s*$")
_CHECKBOX: Final = re.compile(r"^(\s*(?:>\s?)*(?:[-*+]|\d{1,9}[.)])\s+)\[(.)\](?=\s)")
_IMAGE: Final = re.compile(r"!\[([^\]\n]*)\]\(\s*<?(https?://[^\s)>]+)>?(?:\s+[^)\n]*)?\)")
_INLINE_CODE: Final = re.compile(r"(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)")
_ADDRESS: Final = re.compile(r"\]\([^)\n]*\)|<https?://[^>\s]+>|https?://[^\s)>\]]+")


def _lines(text: str) -> Iterator[str]:
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if match is not None and not fence:
            fence = match["fence"]
            info = match["info"].strip().lstrip("{").lstrip(".")
            yield f"{match['lead']}{fence}text" if _RUN.match(info) else line
        elif match is not None and match["fence"][0] == fence[0] and len(match["fence"]) >= len(fence) and not match["info"].strip():
            fence = ""
            yield line
        elif fence:
            yield line
        else:
            yield _plain(line)
    if fence:
        yield fence


def _plain(line: str) -> str:
    if rule := _RULE.match(line) or _SETEXT.match(line):
        return f"{rule[1]}***"
    line = _CHECKBOX.sub(r"\1\\[\2]", line)
    out: list[str] = []
    position = 0
    for match in _INLINE_CODE.finditer(line):
        out.append(_words(line[position : match.start()]))
        # Dataview runs inline code that begins with = or $=.
        code = match["code"]
        out.append(
            f"{match['ticks']}\u200b{code.lstrip()}{match['ticks']}" if code.lstrip().startswith(("=", "$=", "dv", "<%")) else match[0]
        )
        position = match.end()
    out.append(_words(line[position:]))
    return "".join(out)


def _words(text: str) -> str:
    text = _IMAGE.sub(lambda match: f"[{match[1] or 'image'}]({match[2]})", text)
    out: list[str] = []
    position = 0
    for match in _ADDRESS.finditer(text):
        out.append(_escaped(text[position : match.start()]))
        out.append(match[0].replace("%%", "%25%25"))
        position = match.end()
    out.append(_escaped(text[position:]))
    return "".join(out)


def _escaped(text: str) -> str:
    text = text.replace("%%", "%&#37;").replace("[[", r"\[\[").replace("<%", "&lt;%").replace("::", ":&#58;").replace("<!--", "&lt;!--")
    text = re.sub(r"<(/?)(vault-memory|script|iframe|style|object|embed)\b", r"&lt;\1\2", text, flags=re.IGNORECASE)
    return re.sub(r"(^|(?<=[\s(]))#(?=[^\s#])", r"\\#", text)


def _one_line(text: str) -> str:
    return " ".join(printable(text).replace("%%", "%").replace("[[", "[").split())
