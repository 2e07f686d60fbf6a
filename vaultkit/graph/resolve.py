"""Where a link leads. Pure: a set of paths in, an answer per link. Rules: facts/obsidian-semantics.md §2 "Resolution"."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple


class Resolved(NamedTuple):
    """Where a link leads. *path* is None when nothing answers.

    *ambiguous* names the other files that answer to the same name and were not chosen; *tie* says that only the alphabet decided
    (Obsidian itself is unstable there).
    """

    path: str | None
    ambiguous: tuple[str, ...] = ()
    tie: bool = False


NOWHERE: Final = Resolved(None)
MOST_NAMED: Final = 9  # of the files that a link might mean and does not


class Resolver:
    """Link resolution over a set of vault-relative paths (notes and attachments alike; dot-folders left out by the caller)."""

    def __init__(self, paths: Iterable[str]) -> None:
        by_path: defaultdict[str, list[str]] = defaultdict(list)
        by_name: defaultdict[str, list[str]] = defaultdict(list)
        for path in paths:
            key = fold(path)
            by_path[key].append(path)
            by_name[key.rpartition("/")[2]].append(path)
        self._by_path = dict(by_path)
        self._deepest = max((key.count("/") for key in by_path), default=0)
        # One index for each number of trailing path components that some link named; the first is always needed.
        self._by_tail: dict[int, dict[str, list[str]]] = {1: dict(by_name)}
        self._known: dict[str, Resolved | _Namesakes] = {}

    def resolve(self, target: str, source: str) -> Resolved:
        """Where link *target* (no subpath) in note *source* leads. "" is the source itself."""
        known = self._known.get(target)
        if known is None:
            if not target:
                return Resolved(source)
            if target.startswith(("./", "../")):
                return self._exact_note(_joined(_folder(source), target))
            known = self._known[target] = self._look_up(target)
        return known if isinstance(known, Resolved) else known.seen_from(source)

    def exact(self, path: str) -> Resolved:
        """The file at that vault path, its extension spelt out (as canvas nodes name files)."""
        found = self._by_path.get(fold(path))
        return _by_spelling(found, path) if found else NOWHERE

    def namesakes(self, path: str) -> list[str]:
        """The files whose names a link to *path* might also mean: same file name up to case, Unicode form and a final `.md`."""
        name = fold(path).rpartition("/")[2]
        keys = {name, f"{name}.md", name.removesuffix(".md")}
        return sorted(found for key in keys for found in self._by_tail[1].get(key, ()) if found != path)

    def link_text(self, path: str, source: str, *, style: str = "shortest") -> str:
        """How a new wikilink from *source* to *path* is written (`shortest | relative | absolute`), without `.md`."""
        whole = path.removesuffix(".md")
        name = whole.rpartition("/")[2]
        relative = relative_path(whole, _folder(source))
        tries = [whole, path]
        if style == "relative":
            tries = [relative, f"./{relative}", *tries]
        elif style == "shortest" and not self.namesakes(path):
            tries = [name, *tries]
        for text in (*(unicodedata.normalize("NFC", text) for text in tries), *tries):  # the app lists decomposed names composed
            if self.resolve(text, source).path == path:
                return text
        return path

    def stolen_by(self, path: str) -> Callable[[str], bool]:
        """A test for link targets: would creating *path* change what the target means? Used to report before creating.

        It looks from outside and from the new file's own folder; `retargeted_by` answers for the links that exist.
        """
        if not self.namesakes(path):
            return lambda _target: False
        after = self.with_file(path)
        outside = ("\0/outside.md", path)  # a folder that no file can be in, and the folder where the new name is nearest

        def stolen(target: str) -> bool:
            return any(self.resolve(target, source).path not in (None, after.resolve(target, source).path) for source in outside)

        return stolen

    def with_file(self, path: str) -> Resolver:
        """The resolver of the same vault with one more file."""
        return Resolver([*(known for found in self._by_path.values() for known in found if known != path), path])

    def _look_up(self, target: str) -> Resolved | _Namesakes:
        """The answer for a target that does not depend on the source's folder, or the files to choose from."""
        rooted = target.startswith("/")
        name = target.lstrip("/")
        for spelling in _spellings(name):
            key = fold(spelling)
            if found := self._by_path.get(key):
                return _by_spelling(found, spelling)
            if not rooted and (found := self._tails(key.count("/") + 1).get(key)):
                return _Namesakes(found, spelling) if len(found) > 1 else Resolved(found[0])
        trimmed = target.strip()
        return self._look_up(trimmed) if trimmed and trimmed != target else NOWHERE

    def _exact_note(self, path: str | None) -> Resolved:
        for spelling in _spellings(path) if path else ():
            if found := self._by_path.get(fold(spelling)):
                return _by_spelling(found, spelling)
        return NOWHERE

    def _tails(self, depth: int) -> dict[str, list[str]]:
        """Files by their last *depth* path components, for links such as `[[b/Note]]` that mean `a/b/Note.md`."""
        tails = self._by_tail.get(depth)
        if tails is None and depth > self._deepest:
            return {}
        if tails is None:
            grown: defaultdict[str, list[str]] = defaultdict(list)
            for key, found in self._by_path.items():
                parts = key.rsplit("/", depth)
                if len(parts) > depth:
                    grown["/".join(parts[1:])].extend(found)
            tails = self._by_tail[depth] = dict(grown)
        return tails


def fold(path: str) -> str:
    """A path or target for comparing: NFC, lower case, no-break space as space."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).lower()).replace("\u00a0", " ")


class _Namesakes:
    """Several files that answer to one target; the source's own folder decides, then the shortest path."""

    __slots__ = ("_best", "_nearest", "_own")

    def __init__(self, files: list[str], spelling: str) -> None:
        chosen = [_by_spelling(twins, spelling) for twins in _grouped(files, fold)]  # twins differ by case or Unicode form only
        chosen.sort(key=lambda found: (_length(found.path or ""), found.path or ""))
        first = chosen[0]
        tie = first.tie or (len(chosen) > 1 and _length(chosen[1].path or "") == _length(first.path or ""))
        ordered = [found.path for found in chosen if found.path] + [path for found in chosen for path in found.ambiguous]
        # Every folder of a vault may hold a README: the answer names a few of the others, else memory would grow with their square.
        self._nearest = ordered[: MOST_NAMED + 1]
        self._best = Resolved(first.path, self._others(first.path), tie)
        self._own = {_folder(twins[0]): _by_spelling(twins, spelling) for twins in _grouped(files, _folder)}

    def seen_from(self, source: str) -> Resolved:
        own = self._own.get(_folder(source))
        return Resolved(own.path, self._others(own.path), own.tie) if own else self._best

    def _others(self, chosen: str | None) -> tuple[str, ...]:
        return tuple(path for path in self._nearest if path != chosen)[:MOST_NAMED]


def _grouped(paths: list[str], key: Callable[[str], str]) -> Iterable[list[str]]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        groups[key(path)].append(path)
    return groups.values()


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _by_spelling(files: list[str], spelling: str) -> Resolved:
    """Of files whose paths differ only by case or Unicode form, the one spelt as the link spells it."""
    if len(files) == 1:
        return Resolved(files[0])
    composed = unicodedata.normalize("NFC", spelling)

    def distance(path: str) -> int:
        return 0 if path.endswith(spelling) else 1 if unicodedata.normalize("NFC", path).endswith(composed) else 2

    first, *rest = sorted(files, key=lambda path: (distance(path), path))
    return Resolved(first, tuple(rest), tie=distance(first) == distance(rest[0]))


def _spellings(name: str) -> tuple[str, str]:
    """The file names that a target may mean, likelier first: only a name with a dot can already hold its extension."""
    return (name, f"{name}.md") if "." in name.rpartition("/")[2] else (f"{name}.md", name)


def _length(path: str) -> int:
    """How long Obsidian sees the path: UTF-16 units of the composed form."""
    return len(path) if path.isascii() else len(unicodedata.normalize("NFC", path).encode("utf-16-le", "surrogatepass")) // 2


def _joined(folder: str, relative: str) -> str | None:
    """The vault path that `./x` or `../x` means in *folder*; None when it leads out of the vault."""
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def relative_path(path: str, folder: str) -> str:
    """*path* as seen from *folder*: `x`, `sub/x` or `../x`."""
    here, there = (folder.split("/") if folder else []), path.split("/")
    shared = 0
    while shared < min(len(here), len(there) - 1) and here[shared] == there[shared]:
        shared += 1
    return "/".join([".."] * (len(here) - shared) + there[shared:])
