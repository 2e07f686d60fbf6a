"""Random batches: applied whole or refused whole, and undone to the byte."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from vaultkit.errors import VaultkitError
from vaultkit.store.files import FileStore, disk
from vaultkit.text.edit import Create, Edit, Move, Rewrite, Trash

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
PLACES = st.sampled_from(
    ["a.md", "A.md", "b.md", "c.md", "d.md", "n/e/w.md", "sub/a.md", "sub/b.md", "Sub/c.md", "caf\u00e9.md", "日本.md", "sub"]
)
EXISTING = st.integers(0, 9).map(str)  # which of the files that are there, see `current`
DATA = st.binary(max_size=6)
EDITS = st.one_of(
    st.builds(Create, PLACES, DATA),
    st.builds(Rewrite, EXISTING, DATA, st.just("")),
    st.builds(Move, EXISTING, PLACES, st.just(""), st.none() | DATA),
    st.builds(Trash, EXISTING, st.just("")),
)
BATCHES = st.lists(st.lists(EDITS, min_size=1, max_size=4), max_size=6)
Files = dict[str, bytes]


@contextmanager
def vault() -> Iterator[tuple[Path, FileStore]]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as base, patch("os.fsync"):
        root = Path(base) / "vault"
        root.mkdir()
        (root / "a.md").write_bytes(b"a")
        (root / "sub").mkdir()
        (root / "sub/s.md").write_bytes(b"s")
        (root / "cafe\u0301.md").write_bytes(b"decomposed")
        yield root, FileStore(root, Path(base) / "state")


def files(root: Path) -> Files:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def current(store: FileStore, edit: Edit) -> Edit:
    """The edit on a file that is there, with the hash that it has now."""
    if isinstance(edit, Create):
        return edit
    there = [entry.path for entry in store.walk().entries] or ["none.md"]
    path = there[int(edit.path) % len(there)]
    digest = store.read(path).hash if path != "none.md" else ""
    match edit:
        case Rewrite(_, data):
            return Rewrite(path, data, digest)
        case Move(_, to, _, data):
            return Move(path, to, digest, data)
        case Trash():
            return Trash(path, digest)


def expected(before: Files, edits: list[Edit]) -> Files:
    """What a batch means, said with a dict; disk names are those of the vault above."""
    after = dict(before)

    def name(path: str) -> str:
        return "cafe\u0301.md" if path == "caf\u00e9.md" and "cafe\u0301.md" in before else path

    for edit in edits:
        match edit:
            case Create(path, data) | Rewrite(path, data):
                after[name(path)] = data
            case Move(path, to, _, data):
                kept = after.pop(name(path))
                after[to] = kept if data is None else data
            case Trash(path):
                place, number = f".trash/{path}", 2
                stem, extension = path.removesuffix(".md"), ".md"
                while place.casefold() in {p.casefold() for p in after}:
                    place, number = f".trash/{stem} {number}{extension}", number + 1
                after[place] = after.pop(name(path))
    return after


@settings(max_examples=120, deadline=None)
@given(BATCHES)
def test_batches_do_what_they_say_or_nothing_and_are_undone_to_the_byte(batches: list[list[Edit]]) -> None:
    with vault() as (root, store):
        states = [files(root)]
        for batch in batches:
            edits = [current(store, edit) for edit in batch]
            try:
                run = store.apply(edits, command="test", now=NOW).run
            except VaultkitError:
                assert files(root) == states[-1]
                continue
            assert files(root) == expected(states[-1], edits)
            if run:
                states.append(files(root))
        for state in reversed(states[:-1]):
            assert store.undo(now=NOW).conflicts == ()
            assert files(root) == state
        undoing = [run.id for run in store.runs() if run.undoes]
        for run, state in zip(undoing, states[1:], strict=True):
            assert store.undo(run=run, now=NOW).conflicts == ()
            assert files(root) == state


class Dead(BaseException):
    """The process is gone."""


@settings(max_examples=120, deadline=None)
@given(st.lists(EDITS, min_size=1, max_size=4), st.integers(1, 25), st.integers(1, 25), st.booleans())
def test_a_kill_at_any_moment_and_another_in_the_recovery_leave_old_or_new(batch: list[Edit], first: int, second: int, links: bool) -> None:
    with (
        vault() as (root, store),
        patch("os.link", side_effect=None if links else PermissionError(1, "no links"), wraps=os.link if links else None),
    ):
        before = files(root)
        edits = [current(store, edit) for edit in batch]
        died = dying(first, lambda: store.apply(edits, command="test", now=NOW))
        if died:
            dying(second, lambda: FileStore(root, Path(store.root).parent / "state").recover())
        store.recover()
        after = files(root)
        assert after == before or after == expected(before, edits)
        assert list(root.parent.glob("state/pending/*")) == []


def dying(at: int, act: object) -> bool:
    """Call *act* in a process that dies before its *at*-th change to the disk: each later one fails too."""
    taken = 0

    def step(_name: str, _path: str) -> None:
        nonlocal taken
        taken += 1
        if taken >= at:
            raise Dead

    with patch.object(disk, "_step", step):
        try:
            assert callable(act)
            act()
        except Dead:
            return True
        except VaultkitError:
            return False
    return False
