"""A fetched page → the article in it, as Markdown with headings, lists, code, tables, quotes and absolute links."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from vaultkit.capture.request import Article
from vaultkit.store.web.decode import decode
from vaultkit.store.web.fetch import Fetched

# Less text than this is a shell that scripts would fill, a consent page or a paywall's teaser.
_MIN_TEXT: Final = 200
_MAX_PAGES: Final = 300
# facts/capture.md §4: one clean container converts best (20 of 20 checks, trafilatura's own Markdown 18).
_COVERS, _AT_MOST = 0.8, 1.5
_JUNK: Final = (
    "script",
    "style",
    "noscript",
    "template",
    "nav",
    "aside",
    "footer",
    "form",
    "button",
    "iframe",
    "svg",
    "dialog",
    "input",
    "select",
)
_CONTAINERS: Final = ".//article | .//main | .//*[@role='main'] | .//section | .//div | .//body"


def read_article(fetched: Fetched, *, now: datetime) -> Article:
    """The article of a page or PDF; *problem* says why there is none."""
    shell = Article(
        url=fetched.url,
        final_url=fetched.final_url,
        fetched=now.isoformat(timespec="minutes"),
        sha256=hashlib.sha256(fetched.data).hexdigest() if fetched.data else "",
    )
    if fetched.problem:
        return shell._replace(problem=fetched.problem)
    if fetched.media == "application/pdf" or fetched.data[:5] == b"%PDF-":
        return _pdf(shell, fetched.data)
    text = decode(fetched.data, fetched.charset)
    if fetched.media in {"text/plain", "text/markdown"} or not _looks_like_html(text):
        body = text.replace("\r\n", "\n").replace("\x00", "").strip()
        if not body:
            return shell._replace(problem="the page is empty")
        title = next((line.strip("# \t") for line in body.splitlines() if line.strip("# \t")), "")
        return shell._replace(title=title[:200], markdown=body, extractor="text")
    return _html(shell, text)


def _html(shell: Article, text: str) -> Article:
    import lxml.etree
    import lxml.html

    with _quiet():
        import trafilatura

        try:
            tree = lxml.html.document_fromstring(_without_declaration(text))
        except (lxml.etree.LxmlError, ValueError, RecursionError) as error:
            return shell._replace(problem=f"the page is no HTML that can be read ({error})")
        address = shell.final_url or shell.url
        with contextlib.suppress(ValueError):  # a malformed <base> or link: relative links then stay as they are
            tree.make_links_absolute(address, resolve_base_href=True, handle_failures="ignore")
        whole = lxml.html.tostring(tree, encoding="unicode")
        plain = (
            trafilatura.extract(whole, url=address, output_format="txt", include_comments=False, include_tables=True, favor_recall=True)
            or ""
        )
        found = trafilatura.extract_metadata(whole, default_url=address)
        marked = ""
        container = _container(tree, plain)
        if container is None:
            marked = trafilatura.extract(
                whole, url=address, output_format="markdown", include_comments=False, include_tables=True, include_links=True, include_images=True, include_formatting=True, favor_recall=True
            ) or ""  # fmt: skip
    title = (found.title if found else "") or (tree.findtext(".//title") or "").strip()
    known = shell._replace(
        title=_line(title),
        author=_line((found.author if found else "") or ""),
        published=_line((found.date if found else "") or ""),
    )
    if container is not None:
        marked = _markdown(container)
        known = known._replace(extractor="container+markdownify")
    else:
        known = known._replace(extractor="trafilatura")
    if len(re.sub(r"\s", "", plain)) < _MIN_TEXT and len(re.sub(r"\s", "", marked)) < _MIN_TEXT:
        return known._replace(problem="hardly any text: the page needs scripts, a consent or a log-in", extractor="")
    return known._replace(markdown=marked.strip())


def _container(tree: Any, plain: str) -> Any:
    """The smallest element that holds most of what trafilatura found and not much more; None when there is none."""
    wanted = _squeezed(plain)
    if len(wanted) < _MIN_TEXT:
        # Little was found; a page's one article may say more (extractors drop what repeats).
        only = tree.xpath(".//article") or tree.xpath(".//main | .//*[@role='main']")
        return only[0] if len(only) == 1 and len(_squeezed(_visible(only[0]))) >= _MIN_TEXT else None
    pieces = [piece for line in plain.splitlines() if len(piece := _squeezed(line.strip("|-*>#` "))) >= 8]
    total = sum(map(len, pieces)) or 1
    best: Any = None
    best_size = 0
    for element in tree.xpath(_CONTAINERS):
        size = len(_squeezed(_visible(element)))
        if not size or size > _AT_MOST * len(wanted) or (best is not None and size >= best_size):
            continue
        text = _squeezed(_visible(element))
        if sum(len(piece) for piece in pieces if piece in text) >= _COVERS * total:
            best, best_size = element, size
    return best


def _markdown(element: Any) -> str:
    import lxml.html
    from bs4 import BeautifulSoup
    from markdownify import MarkdownConverter

    def language(code: Any) -> str:
        for node in (code, *code.find_all("code")):
            for name in node.get("class") or ():
                if name.startswith(("language-", "lang-", "highlight-source-")):
                    return str(name.split("-")[-1])
        return ""

    soup = BeautifulSoup(lxml.html.tostring(element, encoding="unicode"), "lxml")
    for junk in soup.find_all(list(_JUNK)):
        junk.decompose()
    converter = MarkdownConverter(heading_style="ATX", bullets="-", code_language_callback=language, escape_misc=False)
    return re.sub(r"\n{3,}", "\n\n", converter.convert_soup(soup))


def _pdf(shell: Article, data: bytes) -> Article:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        return shell._replace(problem=f"the PDF cannot be opened ({error})")
    try:
        pages = []
        for number in range(min(len(document), _MAX_PAGES)):
            page = document[number]
            words = page.get_textpage()
            pages.append(words.get_text_bounded().replace("\r\n", "\n").replace("\x00", "").strip())
            words.close()
            page.close()
        title = _line(document.get_metadata_value("Title") or "")
        author = _line(document.get_metadata_value("Author") or "")
        cut = f"\n\n(the first {_MAX_PAGES} of {len(document)} pages)" if len(document) > _MAX_PAGES else ""
    except pypdfium2.PdfiumError as error:
        return shell._replace(problem=f"the PDF cannot be read ({error})")
    finally:
        document.close()
    body = "\n\n".join(page for page in pages if page)
    if not body:
        return shell._replace(title=title, author=author, problem="the PDF holds no text (scanned pages)")
    first = next((line.strip() for line in body.splitlines() if line.strip()), "")
    return shell._replace(title=title or first[:120], author=author, markdown=body + cut, extractor="pypdfium2")


def _visible(element: Any) -> str:
    return "".join(element.xpath(f".//text()[not({' or '.join(f'ancestor::{name}' for name in _JUNK)})]"))


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:300]


def _looks_like_html(text: str) -> bool:
    return re.search(r"<(?:!doctype|html|head|body|article|main|div|p|h1|table|meta)\b", text[:20000], re.IGNORECASE) is not None


def _without_declaration(text: str) -> str:
    # lxml refuses text that declares an encoding.
    return re.sub(r"\A\s*<\?xml[^>]*\?>", "", text).replace("\x00", "")


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Third-party extractors log to the root; their notes are no concern of the reader."""
    names = ("trafilatura", "htmldate", "justext", "courlan")
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
