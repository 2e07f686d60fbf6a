"""The life of a note as one table (memory.md M31). Nothing is deleted: what is over gets another status."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from vaultkit.errors import RefusedError, UsageError

# From → to. What is turned down is first a proposal; a proposal that was turned down may come back as one; what is retired stays so.
NEXT: Final[Mapping[str, frozenset[str]]] = {
    "proposed": frozenset({"active", "discarded"}),
    "active": frozenset({"processed", "retired"}),
    "processed": frozenset({"retired"}),
    "discarded": frozenset({"proposed"}),
    "retired": frozenset(),
}
STATUSES: Final = tuple(NEXT)

# The words that people write for them; 採用/却下/保留 are those of Japanese decision logs.
WORDS: Final[Mapping[str, str]] = {
    **{status: status for status in NEXT},
    **dict.fromkeys(("accepted", "adopted", "approved", "採用", "採択", "有効"), "active"),
    **dict.fromkeys(("rejected", "declined", "却下", "不採用", "棄却"), "discarded"),
    **dict.fromkeys(("on hold", "pending", "open", "deferred", "保留", "検討中"), "proposed"),
    **dict.fromkeys(("superseded", "obsolete", "deprecated", "replaced", "廃止", "撤回"), "retired"),
    **dict.fromkeys(("処理済み", "処理済"), "processed"),
}


def read_status(word: str) -> str:
    """The status that *word* means, "" for none."""
    return WORDS.get(unicodedata.normalize("NFKC", word).strip().casefold(), "")


def status_named(word: str) -> str:
    """The same of a word that somebody gave. Raises UsageError for none."""
    if found := read_status(word):
        return found
    raise UsageError(f"{word!r} is no status", hint=f"statuses are {', '.join(STATUSES)} (採用, 却下, 保留 are read too)")


def check_move(what: str, before: str, after: str) -> None:
    """Raise RefusedError unless a note of status *before* may become *after*. To stay as it is, is no move."""
    if after != before and after not in NEXT[before]:
        allowed = " or ".join(sorted(NEXT[before])) or "nothing else"
        raise RefusedError(f"{what} is {before} and cannot become {after}", hint=f"what is {before} may become {allowed}")
