"""Undo: byte for byte, with git or without, and never over what a person changed since."""

from __future__ import annotations

import os
import shutil
import stat
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from vaultkit.errors import ConflictError, NotFoundError, UsageError
from vaultkit.store.files import FileStore, Left, plan
from vaultkit.text.edit import Create, Edit, Move, Rewrite, Trash, hash_of

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
BYTES = b"\xef\xbb\xbf---\r\ntags: [a]\r\n---\r\nno newline, \xff\x00"


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """What only a power cut would show cannot be tested here."""
    monkeypatch.setattr(os, "fsync", lambda _fd: None)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("a.md", "b.md", "c.md", "d.md"):
        (tmp_path / "vault").mkdir(exist_ok=True)
        (tmp_path / "vault" / name).write_bytes(BYTES + name.encode())
    return tmp_path / "vault"


@pytest.fixture
def store(root: Path, tmp_path: Path) -> FileStore:
    return FileStore(root, tmp_path / "state")


def everything(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def apply(store: FileStore, *edits: Edit, session: str = "", minute: int = 0) -> str:
    return store.apply(edits, command="test", session=session, now=NOW + timedelta(minutes=minute)).run


def rewrite(store: FileStore, path: str, data: bytes, **how: object) -> str:
    return apply(store, Rewrite(path, data, store.read(path).hash), **how)  # type: ignore[arg-type]


def big_batch(store: FileStore) -> str:
    h = {name: store.read(name).hash for name in ("a.md", "b.md", "c.md", "d.md")}
    return apply(
        store,
        Create("new/folder/n.md", b"new"),
        Rewrite("a.md", b"other", h["a.md"]),
        Move("b.md", "x/b.md", h["b.md"]),
        Move("c.md", "x/c.md", h["c.md"], b"moved and changed"),
        Trash("d.md", h["d.md"]),
    )


def test_every_kind_of_edit_is_taken_back_byte_for_byte(store: FileStore, root: Path) -> None:
    before = everything(root)
    run = big_batch(store)
    done = store.undo(now=NOW)
    assert everything(root) == before
    assert (done.runs, done.conflicts) == ((run,), ())
    assert sorted(done.restored) == ["a.md", "b.md", "c.md", "d.md", "new/folder/n.md"]
    assert [p.name for p in root.iterdir() if p.is_dir()] == [], "folders that the run made are gone too"


def test_an_undo_can_be_undone_and_that_too(store: FileStore, root: Path) -> None:
    before = everything(root)
    run = big_batch(store)
    after = everything(root)
    for _ in range(3):
        [undoing] = store.undo(run=run, now=NOW).by
        assert everything(root) == before
        assert [r.undone for r in store.runs() if r.id == run] == [True]
        store.undo(run=undoing, now=NOW)
        assert everything(root) == after
        assert [r.undone for r in store.runs() if r.id == run] == [False]


def test_without_a_choice_undo_goes_back_run_by_run(store: FileStore, root: Path) -> None:
    states = [everything(root)]
    for text in (b"1", b"2", b"3"):
        rewrite(store, "a.md", text)
        states.append(everything(root))
    for state in reversed(states[:-1]):
        store.undo(now=NOW)
        assert everything(root) == state
    with pytest.raises(NotFoundError):
        store.undo(now=NOW)


def test_a_session_is_taken_back_and_others_stay(store: FileStore, root: Path) -> None:
    rewrite(store, "a.md", b"tame", session="tame")
    rewrite(store, "b.md", b"wild 1", session="wild")
    rewrite(store, "b.md", b"wild 2", session="wild")
    apply(store, Create("wild.md", b""), session="wild")
    done = store.undo(session="wild", now=NOW)
    assert len(done.runs) == len(done.by) == 3
    assert done.conflicts == ()
    assert everything(root)["a.md"] == b"tame"
    assert everything(root)["b.md"] == BYTES + b"b.md"
    assert "wild.md" not in everything(root)
    with pytest.raises(NotFoundError):
        store.undo(session="wild", now=NOW)


def test_everything_since_a_time_is_taken_back(store: FileStore, root: Path) -> None:
    rewrite(store, "a.md", b"early", minute=0)
    rewrite(store, "a.md", b"late", minute=10)
    apply(store, Create("late.md", b""), minute=11)
    assert len(store.undo(since=NOW + timedelta(minutes=10), now=NOW).runs) == 2
    assert everything(root)["a.md"] == b"early"
    assert "late.md" not in everything(root)


def test_a_time_without_zone_is_local(store: FileStore) -> None:
    local = datetime(2026, 11, 30, 9, 0)
    store.apply([Create("x.md", b"")], command="test", now=local)
    assert len(store.undo(since=local, now=NOW).runs) == 1


def test_session_and_time_narrow_each_other_and_a_run_stands_alone(store: FileStore, root: Path) -> None:
    apply(store, Create("1.md", b""), session="s", minute=0)
    apply(store, Create("2.md", b""), session="s", minute=10)
    run = apply(store, Create("3.md", b""), session="t", minute=10)
    store.undo(session="s", since=NOW + timedelta(minutes=5), now=NOW)
    assert {"1.md", "3.md"} <= everything(root).keys()
    assert "2.md" not in everything(root)
    with pytest.raises(UsageError):
        store.undo(run=run, session="t", now=NOW)
    with pytest.raises(NotFoundError):
        store.undo(run="20990101-0001", now=NOW)


def test_what_a_person_changed_since_is_left_and_reported(store: FileStore, root: Path) -> None:
    before = everything(root)
    big_batch(store)
    (root / "a.md").write_bytes(b"typed since")
    (root / "x/b.md").write_bytes(b"typed since, too")
    (root / "c.md").write_bytes(b"a new c")
    (root / "new/folder/n.md").unlink()
    done = store.undo(now=NOW)
    assert set(done.conflicts) == {
        Left("a.md", "it was changed since"),
        Left("x/b.md", "it was changed since"),
        Left("x/c.md", "another file stands at c.md now"),
    }
    assert done.restored == ("d.md",)
    assert everything(root) == {
        "a.md": b"typed since",
        "x/b.md": b"typed since, too",
        "x/c.md": b"moved and changed",
        "c.md": b"a new c",
        "d.md": before["d.md"],
    }


def test_a_conflict_can_be_resolved_and_the_rest_undone_later(store: FileStore, root: Path) -> None:
    before = everything(root)
    run = big_batch(store)
    (root / "a.md").write_bytes(b"typed since")
    assert store.undo(now=NOW).conflicts == (Left("a.md", "it was changed since"),)
    (root / "a.md").write_bytes(b"other")
    assert store.undo(run=run, now=NOW).restored == ("a.md",)
    assert everything(root) == before
    with pytest.raises(ConflictError, match="taken back already"):
        store.undo(run=run, now=NOW)


def test_an_undo_with_nothing_but_conflicts_is_no_run(store: FileStore, root: Path) -> None:
    rewrite(store, "a.md", b"1")
    (root / "a.md").unlink()
    done = store.undo(now=NOW)
    assert (done.runs, done.by, done.conflicts) == ((), (), (Left("a.md", "it is no longer there"),))
    assert len(store.runs()) == 1


def test_a_run_whose_file_is_gone_anyway_counts_as_undone(store: FileStore, root: Path) -> None:
    rewrite(store, "a.md", b"1")
    apply(store, Create("x.md", b""))
    (root / "x.md").unlink()
    done = store.undo(now=NOW)
    assert (done.restored, done.conflicts) == ((), ())
    store.undo(now=NOW)
    assert everything(root)["a.md"] == BYTES + b"a.md", "the second undo goes one run further back"


def test_a_dry_run_tells_the_same_and_changes_nothing(store: FileStore, root: Path) -> None:
    rewrite(store, "a.md", b"1", session="s")
    rewrite(store, "a.md", b"2", session="s")
    apply(store, Move("a.md", "m.md", store.read("a.md").hash), session="s")
    rewrite(store, "m.md", b"3", session="s")
    apply(store, Create("n.md", b""), session="s")
    (root / "n.md").write_bytes(b"typed since")
    before, runs = everything(root), store.runs()
    told = store.undo(session="s", now=NOW, dry_run=True)
    assert (everything(root), store.runs()) == (before, runs)
    done = store.undo(session="s", now=NOW)
    assert done._replace(by=()) == told
    assert everything(root)["a.md"] == BYTES + b"a.md"


def test_a_trashed_note_comes_back_even_when_the_trash_was_emptied(store: FileStore, root: Path) -> None:
    before = everything(root)
    (root / "a.md").chmod(0o640)
    run = apply(store, Trash("a.md", store.read("a.md").hash))
    shutil.rmtree(root / ".trash")
    [undoing] = store.undo(now=NOW).by
    assert everything(root) == before
    assert stat.S_IMODE((root / "a.md").stat().st_mode) == 0o640
    store.undo(run=undoing, now=NOW)
    assert "a.md" not in everything(root)
    assert store.undo(run=run, now=NOW).restored == ("a.md",)


def test_a_large_file_from_an_emptied_trash_is_reported(store: FileStore, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "KEEP_TRASHED", 4)
    apply(store, Trash("a.md", store.read("a.md").hash))
    shutil.rmtree(root / ".trash")
    assert store.undo(now=NOW).conflicts == (Left(".trash/a.md", "it is no longer there"),)


def test_a_damaged_record_restores_nothing_wrong(store: FileStore, root: Path, tmp_path: Path) -> None:
    run = rewrite(store, "a.md", b"1")
    record = tmp_path / "state/runs" / run
    record.write_bytes(record.read_bytes()[:-3] + b"???")
    assert store.undo(now=NOW).conflicts == (Left("a.md", "what it was is no longer in the record"),)
    assert everything(root)["a.md"] == b"1"


def test_an_unreadable_record_is_left_out(store: FileStore, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "state/runs").mkdir(parents=True)
    (tmp_path / "state/runs/20261130-0007").write_bytes(b"not a record")
    run = apply(store, Create("x.md", b""))
    assert run == "20261130-0008"
    assert [r.id for r in store.runs()] == [run]
    assert "cannot be read" in caplog.text


def test_a_name_comes_back_in_the_form_that_it_had(store: FileStore, root: Path) -> None:
    decomposed = "cafe\u0301.md"
    (root / decomposed).write_bytes(b"x")
    apply(store, Move("caf\u00e9.md", "coffee.md", hash_of(b"x")))
    store.undo(now=NOW)
    assert decomposed in everything(root)


def test_a_folder_that_became_a_symlink_is_not_followed(store: FileStore, root: Path, tmp_path: Path) -> None:
    apply(store, Create("sub/n.md", b"x"))
    (root / "sub").rename(tmp_path / "moved away")
    (root / "sub").symlink_to(tmp_path / "moved away")
    [left] = store.undo(now=NOW).conflicts
    assert left.path == "sub/n.md"
    assert (tmp_path / "moved away/n.md").read_bytes() == b"x"


def test_a_folder_in_the_place_of_a_note_is_a_conflict(store: FileStore, root: Path) -> None:
    apply(store, Create("n.md", b"x"))
    (root / "n.md").unlink()
    (root / "n.md").mkdir()
    assert store.undo(now=NOW).conflicts == (Left("n.md", "it was changed since"),)


def test_folders_with_other_files_in_them_stay(store: FileStore, root: Path) -> None:
    apply(store, Create("deep/er/n.md", b"x"))
    (root / "deep/mine.md").write_bytes(b"mine")
    store.undo(now=NOW)
    assert (root / "deep/mine.md").exists()
    assert not (root / "deep/er").exists()
