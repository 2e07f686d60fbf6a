"""/search/simple/ and /search/ (facts/rest-api.md §9)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from operator import itemgetter
from typing import Any, Final, NamedTuple

from vaultkit.errors import NoteNotFoundError, VaultkitError
from vaultkit.rest.answers import Answer, Request, RestError, json_answer, json_row, json_word, rows_answer
from vaultkit.rest.dialect import Dialect
from vaultkit.rest.jsonlogic import Stop, compile_logic
from vaultkit.rest.library import Library, Seen, View
from vaultkit.rest.notes import linked, metadata, value_of
from vaultkit.text.edit import to_text

JSONLOGIC: Final = "application/vnd.olrapi.jsonlogic+json"
DQL: Final = "application/vnd.olrapi.dataview.dql+txt"
_JOINT: Final = "\n\n"  # between a note's name and its text, where both are searched as one
_SECONDS: Final = 5.0  # clients give up after six
_MOST_MATCHES: Final = 20_000  # past these a note shows its first match only: one letter stands a million times in a large vault
_MOST_QUERY: Final = 1_000_000


class _Text(NamedTuple):
    """A note as it is searched: *folded* is name, joint and text in lower case, of the same length as these; *wide*: `_is_wide`."""

    seen: Seen
    folded: str
    text: str
    wide: bool


class Searching:
    """Both searches of one vault."""

    def __init__(self, library: Library, dialect: Dialect) -> None:
        self._library = library
        self._dialect = dialect
        self._texts: dict[str, _Text] = {}  # what is searched of each note; each entry is right for the file that it saw

    def answer(self, request: Request, rest: str) -> Answer:
        """Which of the two is meant."""
        name = rest.strip("/").lower()
        if request.method != "POST" or name not in {"", "simple"}:
            raise RestError(40400)
        return self._simple(request) if name else self._query(request)

    # -- words

    def _simple(self, request: Request) -> Answer:
        queries = request.query.get("query", [])
        if len(queries) != 1:
            raise RestError(40090, "A single '?query=' parameter is required.")
        length = _context_length(request)
        words = list(dict.fromkeys(fold(word) for word in queries[0].split()))
        found: list[tuple[float, str]] = []
        budget = _MOST_MATCHES
        for path, note in self._holding(words):
            matches = _matches(path, note, words, length, few=budget <= 0) if note else []
            budget -= len(matches)
            score = -1 / max(1, len(matches))
            shown = int(score) if score == int(score) else score
            found.append((score if self._dialect.ascending else -score, _hit(path, shown, matches)))
        found.sort(key=itemgetter(0))
        return rows_answer(hit for _, hit in found)

    def _holding(self, words: list[str]) -> list[tuple[str, _Text | None]]:
        """The notes that all *words* stand in, in path order; without words every note, and nothing of it."""
        view = self._library.view()
        if not words:
            return [(path, None) for path in view.order]
        found: list[tuple[str, _Text | None]] = []
        texts, files = self._texts, view.files
        for path in view.order:
            known = texts.get(path)
            if known is None or known.seen != files[path]:
                known = self._load(path, files[path])
                if known is None:
                    continue
            folded = known.folded
            for word in words:
                if word not in folded:
                    break
            else:
                found.append((path, known))
        if len(texts) > len(files):
            for path in texts.keys() - files.keys():
                texts.pop(path, None)
        return found

    def _load(self, path: str, seen: Seen) -> _Text | None:
        try:
            text = to_text(self._library.read(path).data)
        except NoteNotFoundError:
            return None
        found = self._texts[path] = _Text(seen, fold(f"{_name(path)}{_JOINT}{text}"), text, _is_wide(text))
        return found

    # -- queries

    def _query(self, request: Request) -> Answer:
        kind = request.header("content-type")
        if not kind:
            raise RestError(40011)
        if self._dialect.lenient_types:
            kind = kind.partition(";")[0].strip().lower()
        if kind == JSONLOGIC:
            return self._jsonlogic(request)
        if kind == DQL and self._dialect.dql:
            return self._dql(request)
        raise RestError(40012)

    def _jsonlogic(self, request: Request) -> Answer:
        if len(request.body) > _MOST_QUERY:
            raise RestError(40070, "the query is too long")
        query = value_of(request)
        view = self._library.view()
        found = []
        end = time.monotonic() + _SECONDS
        try:
            with compile_logic(query, end) as logic:
                for path in view.order:
                    try:
                        result = logic.apply(_Entry(self._library, view, self._dialect, path))
                    except NoteNotFoundError:
                        continue
                    except Stop as error:
                        raise RestError(40070, f"{error} (while processing {path})") from error
                    if result or (isinstance(result, (int, float)) and result != result):  # noqa: PLR0124
                        found.append(json_row(filename=path, result=result))
        except Stop as error:
            raise RestError(40070, str(error)) from error
        return rows_answer(found)

    def _dql(self, request: Request) -> Answer:
        return json_answer(dql_table(self._library, to_text(request.body)))


def dql_table(library: Library, query: str) -> list[dict[str, Any]]:
    """A Dataview TABLE as `[{filename, result: {column: value}}]`."""
    from vaultkit.operations import query as queries

    try:
        with library.app() as app:
            return queries.to_rest(queries.query(app, query, seconds=_SECONDS))
    except VaultkitError as error:
        raise RestError(40070, f"{error.message}; {error.hint}" if error.hint else error.message) from error


class _Entry(Mapping[str, Any]):
    """A note's note+json object, each field made when it is asked for."""

    __slots__ = ("_dialect", "_known", "_library", "_path", "_view")

    def __init__(self, library: Library, view: View, dialect: Dialect, path: str) -> None:
        self._library = library
        self._view = view
        self._dialect = dialect
        self._path = path
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            self._known.update(self._made(name))
        return self._known[name]

    def __iter__(self) -> Any:
        links = ("links", "backlinks") if self._dialect.links else ()
        return iter(("tags", "frontmatter", "stat", "path", "content", *links, *(("unresolvedLinks",) if self._dialect.unresolved else ())))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _made(self, name: str) -> dict[str, Any]:
        match name:
            case "path":
                return {"path": self._path}
            case "tags" | "frontmatter":
                return metadata(self._view, self._path)
            case "stat":
                return {"stat": self._library.stat(self._path)._asdict()}
            case "content":
                return {"content": to_text(self._library.read(self._path).data)}
            case _:
                return linked(self._view, self._dialect, self._path)


def _units(text: str) -> int:
    """How many UTF-16 units a text has, which JavaScript counts in."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _is_wide(text: str) -> bool:
    """Whether some character takes two UTF-16 units."""
    return not text.isascii() and _units(text) > len(text)


def fold(text: str) -> str:
    """Lower case, character by character where else the length would change: offsets count in the text itself."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1][:-3]


def _matches(path: str, note: _Text, words: list[str], length: int, *, few: bool) -> list[str]:
    """Where the words stand in a note, as JSON. A match across the joint of name and text is none."""
    spans: list[tuple[int, int]] = []
    for word in words:
        at = note.folded.find(word)
        while at >= 0:
            spans.append((at, at + len(word)))
            at = -1 if few else note.folded.find(word, at + len(word))
    name = _name(path)
    joint = len(name)
    spans.sort()
    return [_match(name, note, span, joint, length) for span in spans if span[1] <= joint or span[0] >= joint + len(_JOINT)]


def _match(name: str, note: _Text, span: tuple[int, int], joint: int, length: int) -> str:
    """One match as JSON."""
    start, end = span
    if end <= joint:
        text, source, context, wide = name, "filename", name, _is_wide(name)
    else:
        start, end = start - joint - len(_JOINT), end - joint - len(_JOINT)
        text, source, context, wide = note.text, "content", note.text[max(0, start - length) : end + length], note.wide
    if wide:
        start, end = _units(text[:start]), _units(text[:end])
    return (
        f'      {{\n        "match": {{\n          "start": {start},\n          "end": {end},\n'
        f'          "source": "{source}"\n        }},\n        "context": {json_word(context)}\n      }}'
    )


def _hit(path: str, score: float, matches: list[str]) -> str:
    shown = "[\n" + ",\n".join(matches) + "\n    ]" if matches else "[]"
    return f'  {{\n    "filename": {json_word(path)},\n    "score": {score},\n    "matches": {shown}\n  }}'


def _context_length(request: Request) -> int:
    word = request.query.get("contextLength", ["100"])[-1]
    try:
        return max(0, min(int(float(word)), 100_000))
    except (ValueError, OverflowError):
        return 100
