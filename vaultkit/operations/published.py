"""Published articles that `overlap` looks at beside the notes (memory.md M27): folders, files and URLs of the setting `published`.

URLs are fetched only on request, each once; what was read is kept in the cache and is data.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from vaultkit.app import App
from vaultkit.errors import VaultkitError
from vaultkit.text.edit import to_text
from vaultkit.text.note import Note, parse_note


class Article(NamedTuple):
    """A published article. *place* is its file or URL."""

    place: str
    note: Note


class Articles(NamedTuple):
    """What could be read, and what could not and why."""

    found: tuple[Article, ...]
    told: tuple[str, ...]


def articles(app: App, *, fetch: bool = False) -> Articles:
    """Everything that the setting names; with *fetch* its URLs are fetched anew."""
    found: list[Article] = []
    told: list[str] = []
    urls = [entry for entry in app.config.published if _is_url(entry)]
    for entry in app.config.published:
        if entry in urls:
            continue
        place = app.root / Path(entry).expanduser()  # an absolute path stays as it is
        files = [place] if place.is_file() else list(_files(place)) if place.is_dir() else []
        if not files:
            told.append(f"{entry}: no article is there")
        for file in files[:_MOST]:
            try:
                found.append(Article(str(file), _read(file)))
            except OSError as error:
                told.append(f"{file}: {error.strerror}")
        if len(files) > _MOST:
            told.append(f"{entry}: {len(files) - _MOST} files more were not looked at")
    kept = _kept(app)
    if fetch and urls:
        kept, problems = _fetched(app, urls, kept)
        told += problems
    found += [Article(url, parse_note(f"{url}.md", kept[url])) for url in urls if url in kept]
    if missing := [url for url in urls if url not in kept]:
        told.append(f"{len(missing)} of {len(urls)} URLs were not fetched yet: `vaultkit overlap --fetch …`")
    return Articles(tuple(found), tuple(told))


def _fetched(app: App, urls: Sequence[str], kept: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    from vaultkit.store import web

    told: list[str] = []
    for url in urls:
        try:
            page = web.read_article(web.fetch(url, allow=app.config.fetch_allow, timeout=app.config.fetch_timeout), now=app.now())
        except VaultkitError as error:
            told.append(f"{url}: {error.message}")
            continue
        if page.problem or not page.markdown:
            told.append(f"{url}: {page.problem or 'nothing to read'}")
            continue
        kept[url] = f"# {' '.join(page.title.split())}\n\n{page.markdown[:_LONGEST]}"
    app.cache.remember("published", json.dumps({url: kept[url] for url in urls if url in kept}))
    return kept, told


def _kept(app: App) -> dict[str, str]:
    try:
        found = json.loads(app.cache.meta("published") or "{}")
    except ValueError:  # damaged: they are fetched again on request
        return {}
    return {str(url): str(text) for url, text in found.items()} if isinstance(found, dict) else {}


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in sorted(folder.rglob("*")) if file.suffix.lower() in _SUFFIXES and file.is_file() and not _hidden(file, folder))


def _hidden(file: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(folder).parts)


def _read(file: Path) -> Note:
    data = file.read_bytes()[:_LARGEST]
    if file.suffix.lower() in {".html", ".htm"}:
        from datetime import datetime

        from vaultkit.store import web

        page = web.read_article(web.Fetched(str(file), str(file), 200, "text/html", "", data), now=datetime.min)
        return parse_note(f"{file.stem}.md", f"# {' '.join(page.title.split()) or file.stem}\n\n{page.markdown}")
    return parse_note(f"{file.stem}.md", to_text(data))


def _is_url(entry: str) -> bool:
    return entry.startswith(("http://", "https://"))


_SUFFIXES: Final = frozenset({".md", ".markdown", ".txt", ".html", ".htm"})
_MOST: Final = 2_000
_LARGEST: Final = 2_000_000
_LONGEST: Final = 20_000
