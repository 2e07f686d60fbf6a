"""The matrix on disk: one float32 row a note, of length 1, beside a table of paths and fingerprints.

    folder/vectors-1/            1 = SCHEMA: another layout is another folder, and older ones are deleted
        vectors.json             which files hold, of which model, with its calibration; replaced last, so a kill leaves the old ones or the new
        <generation>.npy         read by mmap
        <generation>.json        a path and the fingerprint of its embedded text for each row; what failed, and why
        vectors.lock             one process embeds at a time

A note that could not be embedded keeps the vector of its former text and counts as stale. Another model, or another dimension, starts anew.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from vaultkit.errors import IndexUnavailableError, ModelUnavailableError, VaultBusyError, VaultkitError
from vaultkit.store.vectors import calibration
from vaultkit.store.vectors.calibration import Calibration, Rows, Yardstick
from vaultkit.text.passages import fingerprint, pieces, title_of

SCHEMA: Final = 1
RECIPE: Final = 1  # raise it when text/passages or a model's prefixes change: every vector is made anew

_MANIFEST = "vectors.json"
_BATCH = 32  # notes between two looks at the clock
_SAVE_EVERY = 10.0  # seconds: what a kill costs
_GIVE_UP = 3  # batches in a row of which nothing could be embedded
_RECALIBRATE = 0.1  # of the notes changed since: the distribution may have too


class Model(NamedTuple):
    """Whose vectors these are."""

    name: str
    digest: str
    dimension: int
    recipe: int = RECIPE


class Result(Protocol):
    """What an embedder answers: a row a text, and why a row means nothing."""

    @property
    def vectors(self) -> Rows:
        """Unit rows."""

    @property
    def failed(self) -> Mapping[int, str]:
        """Index of a text → why it has no vector."""


class Source(Protocol):
    """An embedder, as `store/models` has them; stores do not import each other."""

    @property
    def name(self) -> str:
        """See `Model`."""

    @property
    def digest(self) -> str:
        """See `Model`."""

    @property
    def dimension(self) -> int:
        """See `Model`."""

    @property
    def context(self) -> int:
        """Tokens read of one text."""

    def embed(self, texts: Sequence[str], *, kind: Literal["query", "passage"] = "passage") -> Result:
        """A vector for each text; ModelUnavailableError when the model as a whole does not answer."""


class Coverage(NamedTuple):
    """How many notes should have a current vector, and how many have one. A stale one counts as missing (memory.md M14)."""

    should: int
    current: int
    stale: tuple[str, ...]  # the text has changed since
    missing: tuple[str, ...]
    failed: Mapping[str, str]  # of those two: path → why the last try failed


class Updated(NamedTuple):
    """What one run did. *wanted* notes needed a new vector; *reused* got one that the same text had before (a moved note)."""

    wanted: int
    embedded: int
    reused: int
    removed: int
    left: int
    failed: Mapping[str, str]
    seconds: float
    reason: str = ""  # why not all of *wanted*

    @property
    def ok(self) -> bool:
        """False when there was something to embed and nothing was (memory.md M14)."""
        return not self.wanted or self.embedded > 0


class Nearness(NamedTuple):
    """Cosines of one query: of the notes asked for and of the nearest ones. *median* and *spread* (to the 16 % point) are of all notes."""

    median: float
    spread: float
    cosines: Mapping[str, float]


class _State(NamedTuple):
    """One generation, opened."""

    model: Model
    matrix: Rows
    paths: tuple[str, ...]
    prints: tuple[str, ...]
    failed: Mapping[str, tuple[str, str]]  # path → fingerprint that failed, and why
    calibration: Calibration | None
    stick: Yardstick | None
    changed: int  # vectors made since that calibration
    rows: Mapping[str, int]


_NOTHING: Final = _State(Model("", "", 0), np.zeros((0, 0), np.float32), (), (), {}, None, None, 0, {})


_BLOCK: Final = 256  # notes whose cosines with all others are held at once


class Vectors:
    """The matrix in *folder*. Reading never waits for a writer; writing is one process at a time."""

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.folder = folder / f"vectors-{SCHEMA}"
        self._clock = clock
        self._state = _NOTHING
        self._seen: tuple[int, int, int] | None = None
        self._mask: tuple[_State, Collection[str], NDArray[np.bool_]] | None = None

    # -- reading -------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Have the newest generation, whichever process wrote it. What is damaged counts as nothing: it is made again from the notes."""
        for _ in range(5):  # between the manifest and its files another process may have replaced both
            seen = self._trace()
            if seen == self._seen:
                return
            try:
                self._state = self._load() if seen else _NOTHING
            except FileNotFoundError:
                continue
            except (OSError, ValueError, KeyError, TypeError, AttributeError):
                self._state = _NOTHING
            self._seen = seen
            return
        self._state, self._seen = _NOTHING, None

    @property
    def model(self) -> Model:
        """Whose vectors these are; its name is "" when there are none."""
        self.refresh()
        return self._state.model

    @property
    def calibration(self) -> Calibration | None:
        """Thresholds for this model in this vault; None before the first run."""
        self.refresh()
        return self._state.calibration

    def __len__(self) -> int:
        """How many notes have a vector."""
        self.refresh()
        return len(self._state.paths)

    def fits(self, source: Source) -> bool:
        """Whether a query that *source* embeds can be held against these vectors."""
        return self.model == _model_of(source)

    def vector(self, path: str) -> Rows | None:
        """The note's vector, current or stale."""
        self.refresh()
        row = self._state.rows.get(path)
        return None if row is None else self._state.matrix[row]

    def cosines(self, query: Rows, paths: Iterable[str]) -> dict[str, float]:
        """Cosines of these notes, as far as they have a vector."""
        self.refresh()
        rows = {path: self._state.rows[path] for path in paths if path in self._state.rows}
        if not rows:
            return {}
        found = self._state.matrix[list(rows.values())] @ query
        return dict(zip(rows, found.tolist(), strict=True))

    def nearness(self, query: Rows, *, allowed: Collection[str], nearest: int, also: Iterable[str] = ()) -> Nearness | None:
        """Cosines of the *nearest* so many notes among *allowed*, and of the notes *also* asked for. None when there are no vectors.

        Give the same object as *allowed* again and again: what it stands for is remembered.
        """
        self.refresh()
        state = self._state
        if not state.paths:
            return None
        every = state.matrix @ query
        masked = np.where(self._allowed(allowed), every, -np.inf)
        count = min(nearest, len(masked))
        best = np.argpartition(-masked, count - 1)[:count] if count else np.zeros(0, np.int64)
        cosines = {state.paths[row]: float(every[row]) for row in best if masked[row] > -np.inf}
        cosines.update((path, float(every[state.rows[path]])) for path in also if path in state.rows)
        low, median = np.quantile(every, (0.1587, 0.5))
        return Nearness(float(median), float(median - low), cosines)

    def near(self, paths: Iterable[str], among: Iterable[str], *, nearest: int) -> dict[tuple[str, str], float]:
        """Pairs of each of *paths* with its *nearest* notes of *among*, and their cosines; each pair once, its paths in order."""
        self.refresh()
        state = self._state
        asked = [state.rows[path] for path in paths if path in state.rows]
        held = np.array(sorted({state.rows[path] for path in among if path in state.rows}), dtype=np.int64)
        if not asked or len(held) < 2:
            return {}
        found: dict[tuple[str, str], float] = {}
        matrix = np.asarray(state.matrix[held])
        count = min(nearest + 1, len(held))
        for at in range(0, len(asked), _BLOCK):
            block = asked[at : at + _BLOCK]
            cosines = state.matrix[block] @ matrix.T
            best = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
            for index, row in enumerate(block):
                for column in best[index]:
                    other = int(held[column])
                    if other != row:
                        left, right = sorted((state.paths[row], state.paths[other]))
                        found[left, right] = float(cosines[index, column])
        return found

    def coverage(self, should: Mapping[str, str]) -> Coverage:
        """*should*: path → fingerprint of the text that its vector should stand for (`text.passages`)."""
        self.refresh()
        state = self._state
        stale: list[str] = []
        missing: list[str] = []
        failed: dict[str, str] = {}
        for path, wanted in should.items():
            row = state.rows.get(path)
            if row is not None and state.prints[row] == wanted:
                continue
            (missing if row is None else stale).append(path)
            tried, why = state.failed.get(path, ("", ""))
            if tried == wanted:
                failed[path] = why
        return Coverage(len(should), len(should) - len(stale) - len(missing), tuple(stale), tuple(missing), failed)

    # -- writing -------------------------------------------------------------------------------------------------------

    def update(
        self,
        wanted: Mapping[str, str],
        text_of: Callable[[str], str],
        source: Source,
        *,
        limit_seconds: float | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Updated:
        """Give every note of *wanted* (path → fingerprint) its vector, and forget all other notes.

        Only texts that changed are embedded, what failed before last; *text_of* gives a note's text then. With *limit_seconds* a run
        stops after the batch in which they pass, never before the first one: the next run goes on. What a kill costs is 10 s of work.
        """
        started = self._clock()
        with self._lock():
            self._seen = None
            self.refresh()
            run = _Run(self._state, _model_of(source), wanted)
            try:
                reason = self._embed(run, text_of, source, started, limit_seconds, progress)
                if not reason or not run.calibration:
                    self._calibrate(run, text_of, source)
            finally:
                if run.dirty:
                    self._save(run)
            left = sum(1 for path in run.todo if run.prints.get(path) != run.tried.get(path, wanted[path]))
        if not reason and left:
            reason = f"{left} of {len(run.todo)} notes could not be embedded: {next(iter(run.failed.values()), ('', ''))[1]}"
        return Updated(
            wanted=len(run.todo),
            embedded=run.embedded,
            reused=run.reused,
            removed=run.removed,
            left=left,
            failed={path: why for path, (_, why) in run.failed.items()},
            seconds=self._clock() - started,
            reason=reason,
        )

    def clear(self) -> None:
        """Forget everything."""
        with self._lock():
            for entry in self.folder.iterdir():
                if entry.suffix != ".lock":
                    entry.unlink()
        self._state, self._seen = _NOTHING, None

    def _embed(
        self,
        run: _Run,
        text_of: Callable[[str], str],
        source: Source,
        started: float,
        limit: float | None,
        progress: Callable[[int, int], None] | None,
    ) -> str:
        """Embed what is to do; why it stopped before the end."""
        saved = self._clock()
        barren = 0
        size = 1 if limit is not None else _BATCH  # the first look at the clock comes soon; then the batches grow
        at = 0
        while at < len(run.todo):
            batch = run.todo[at : at + size]
            try:
                gained = run.embed(batch, text_of, source)
            except ModelUnavailableError as error:
                return error.message
            at += len(batch)
            if progress is not None:
                progress(at, len(run.todo))
            barren = 0 if gained else barren + 1
            if barren == _GIVE_UP and at < len(run.todo):
                return f"gave up after {_GIVE_UP} batches of which nothing could be embedded: {run.failed[batch[-1]][1]}"
            now = self._clock()
            if limit is not None and now - started >= limit and at < len(run.todo):
                return f"stopped after {limit:g} s with {len(run.todo) - at} notes to go"
            if now - saved >= _SAVE_EVERY:
                self._save(run)
                saved = now
            size = min(_BATCH, size * 2)
        return ""

    def _calibrate(self, run: _Run, text_of: Callable[[str], str], source: Source) -> None:
        """Thresholds anew when the vault has changed enough. A model that does not answer now leaves the old ones."""
        known = run.calibration
        if not run.vectors or (known and run.changed + run.removed < max(1.0, _RECALIBRATE * known.notes)):
            return
        try:
            run.calibrate(text_of, source)
        except ModelUnavailableError:
            return

    # -- files ---------------------------------------------------------------------------------------------------------

    def _trace(self) -> tuple[int, int, int] | None:
        try:
            stat = (self.folder / _MANIFEST).stat()
        except OSError:
            return None
        return stat.st_ino, stat.st_mtime_ns, stat.st_size

    def _load(self) -> _State:
        manifest = json.loads((self.folder / _MANIFEST).read_bytes())
        generation = str(manifest["generation"])
        table = json.loads((self.folder / f"{generation}.json").read_bytes())
        matrix: Rows = np.load(self.folder / f"{generation}.npy", mmap_mode="r", allow_pickle=False)
        model = Model(**manifest["model"])
        paths, prints = tuple(table["paths"]), tuple(table["prints"])
        if matrix.dtype != np.float32 or matrix.shape != (len(paths), model.dimension) or len(prints) != len(paths):
            raise ValueError(f"{generation} is not whole")
        calibrated, stick = manifest["calibration"], manifest["yardstick"]
        return _State(
            model,
            matrix,
            paths,
            prints,
            {path: (tried, why) for path, (tried, why) in table["failed"].items()},
            Calibration.of(calibrated) if calibrated else None,
            Yardstick(*stick) if stick else None,
            int(manifest["changed"]),
            {path: row for row, path in enumerate(paths)},
        )

    def _save(self, run: _Run) -> None:
        generation = uuid.uuid4().hex
        paths = sorted(run.vectors)
        matrix = np.stack([run.vectors[path] for path in paths]) if paths else np.zeros((0, run.model.dimension), np.float32)
        table = {"paths": paths, "prints": [run.prints[path] for path in paths], "failed": run.failed}
        manifest = {
            "generation": generation,
            "model": run.model._asdict(),
            "calibration": run.calibration.as_dict() if run.calibration else None,
            "yardstick": run.stick,
            "changed": run.changed,
        }
        try:
            with _durable(self.folder / f"{generation}.npy") as file:
                np.save(file, matrix, allow_pickle=False)
            with _durable(self.folder / f"{generation}.json") as file:
                file.write(json.dumps(table).encode())
            fresh = self.folder / (_MANIFEST + ".new")
            with _durable(fresh) as file:
                file.write(json.dumps(manifest).encode())
            fresh.replace(self.folder / _MANIFEST)
            _sync_folder(self.folder)
            for entry in self.folder.iterdir():
                if entry.suffix in {".npy", ".json"} and entry.stem != generation and entry.name != _MANIFEST:
                    entry.unlink(missing_ok=True)
        except OSError as error:
            raise IndexUnavailableError(
                f"the vectors cannot be written to {self.folder}: {error}", hint="make room, or choose another cache folder"
            ) from error
        run.dirty = False

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.folder / "vectors.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise IndexUnavailableError(
                f"the vectors cannot be kept at {self.folder}: {error}", hint="make that folder writable, or choose another cache folder"
            ) from error
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise VaultBusyError(
                    "another vaultkit process is embedding this vault", hint="wait for it; it does the same work"
                ) from error
            for older in self.folder.parent.glob("vectors-*"):
                if older.name.removeprefix("vectors-").isdecimal() and int(older.name.removeprefix("vectors-")) < SCHEMA:
                    shutil.rmtree(older, ignore_errors=True)
            yield
        finally:
            os.close(descriptor)

    def _allowed(self, allowed: Collection[str]) -> NDArray[np.bool_]:
        if self._mask is None or self._mask[0] is not self._state or self._mask[1] is not allowed:
            mask = np.zeros(len(self._state.paths), np.bool_)
            mask[[row for row in map(self._state.rows.get, allowed) if row is not None]] = True
            self._mask = (self._state, allowed, mask)
        return self._mask[2]


class _Run:
    """One update: what is kept, what is to do, what was gained."""

    def __init__(self, state: _State, model: Model, wanted: Mapping[str, str]) -> None:
        same = state.model == model
        self.model = model
        self.vectors: dict[str, Rows] = {}
        self.prints: dict[str, str] = {}
        self.failed: dict[str, tuple[str, str]] = {}
        self.tried: dict[str, str] = {}  # path → fingerprint of what its text really was
        self.calibration = state.calibration if same else None
        self.stick = state.stick if same else None
        self.changed = state.changed if same else 0
        self.embedded = self.reused = 0
        known = dict(zip(state.prints, range(len(state.prints)), strict=True)) if same else {}
        for path, wanted_print in wanted.items():
            row = state.rows.get(path) if same else None
            if (row is None or state.prints[row] != wanted_print) and wanted_print in known:
                row = known[wanted_print]
                self.reused += 1
            if row is not None:
                self.vectors[path], self.prints[path] = state.matrix[row], state.prints[row]
            if same and path in state.failed and self.prints.get(path) != wanted_print:
                self.failed[path] = state.failed[path]
        self.removed = sum(1 for path in state.paths if path not in wanted) if same else 0
        todo = [path for path in wanted if self.prints.get(path) != wanted[path]]
        # What failed before may fail again, and must not keep the others waiting.
        self.todo = sorted(todo, key=lambda path: path in self.failed)
        self.dirty = bool(self.reused or self.removed or (state.paths and not same))

    def embed(self, paths: Sequence[str], text_of: Callable[[str], str], source: Source) -> int:
        """Embed these notes; how many got a vector."""
        texts: dict[str, str] = {}
        for path in paths:
            try:
                texts[path] = text_of(path)
            except (VaultkitError, OSError) as error:
                self._fail(path, "", f"could not be read: {error}")
        cut = {path: pieces(text, source.context) for path, text in texts.items()}
        result = source.embed([piece.text for parts in cut.values() for piece in parts], kind="passage") if cut else None
        gained = at = 0
        for path, parts in cut.items():
            assert result is not None
            rows = range(at, at + len(parts))
            at += len(parts)
            mean = np.zeros(self.model.dimension, np.float32)
            for row, piece in zip(rows, parts, strict=True):
                mean += result.vectors[row] * np.float32(piece.weight)
            length = float(np.linalg.norm(mean))
            why = next((result.failed[row] for row in rows if row in result.failed), "" if length > 0 else "its parts cancel out")
            print_ = fingerprint(texts[path])
            if why:
                self._fail(path, print_, why)
                continue
            self.vectors[path], self.prints[path], self.tried[path] = mean / np.float32(length), print_, print_
            self.failed.pop(path, None)
            gained += 1
        self.embedded += gained
        self.changed += gained
        self.dirty = True
        return gained

    def calibrate(self, text_of: Callable[[str], str], source: Source) -> None:
        """Thresholds for the vectors as they are now."""
        if self.stick is None:
            left, right = ([pair[side] for pair in calibration.SENTENCES] for side in (0, 1))
            told = source.embed([*left, *right], kind="passage")
            asked = source.embed(left, kind="query")
            if told.failed or asked.failed:
                return
            self.stick = calibration.yardstick(asked.vectors, told.vectors[: len(left)], told.vectors[len(left) :])
        paths = sorted(self.vectors)
        some = np.random.default_rng(0).permutation(len(paths))[: calibration.TITLES].tolist()
        titles: dict[int, str] = {}
        for row in some:
            with contextlib.suppress(VaultkitError, OSError):  # a note that cannot be read asks nothing
                if title := title_of(text_of(paths[row])):
                    titles[row] = title
        result = source.embed(list(titles.values()), kind="query") if titles else None
        good = [at for at in range(len(titles)) if result and at not in result.failed]
        queries = result.vectors[good] if result else np.zeros((0, self.model.dimension), np.float32)
        asked_rows = [list(titles)[at] for at in good]
        self.calibration = calibration.calibrate(np.stack([self.vectors[path] for path in paths]), queries, asked_rows, self.stick)
        self.changed = 0
        self.dirty = True

    def _fail(self, path: str, tried: str, why: str) -> None:
        self.failed[path] = (tried, why)
        self.tried[path] = tried
        self.dirty = True


def _model_of(source: Source) -> Model:
    return Model(source.name, source.digest, source.dimension)


@contextlib.contextmanager
def _durable(path: Path) -> Iterator[Any]:
    """A new file that is on the disk when the block ends."""
    with path.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
