"""What differs between the plugin's versions (facts/rest-api.md §0, §10), as one table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way of speaking the API. *version* is what `GET /` tells clients, who choose their calls by it."""

    name: str
    version: str
    headers_alone: bool  # Target-Type and Target without Markdown-Patch-Version mean the 1.x format
    second: bool  # PATCH 2.x: JSON instructions, and parts named in the URL
    map_version: int  # of a document map when none is asked for
    periodic: bool
    dql: bool
    move: bool
    copy: bool
    html: bool
    links: bool  # links and backlinks in note+json
    unresolved: bool
    joined: bool  # %2F separates folders
    empty_folders: bool  # listings show them
    lenient_types: bool  # Content-Type may have parameters
    reject_default: bool  # 3.x: what stands there already is refused unless Apply-If-Content-Preexists says otherwise
    ascending: bool  # 3.x: best search hits last
    url_targets: bool = True


def _made(name: str, version: str, on: str, *, map_version: int) -> Dialect:
    flags = dict.fromkeys(on.split(), True)
    off = {field: False for field in Dialect.__dataclass_fields__ if field not in {"name", "version", "map_version", "url_targets"}}
    return Dialect(name, version, map_version=map_version, **{**off, **flags})


DIALECTS: Final[dict[str, Dialect]] = {
    dialect.name: dialect
    for dialect in (
        _made(
            "compat",
            "5.1.0",
            "headers_alone second periodic dql move copy html links unresolved joined empty_folders lenient_types",
            map_version=1,
        ),
        _made("3", "3.6.2", "headers_alone periodic dql joined reject_default ascending", map_version=1),
        _made("4", "4.1.7", "headers_alone periodic move links joined", map_version=1),
        _made("5", "5.1.0", "second move copy html links unresolved", map_version=2),
    )
}
