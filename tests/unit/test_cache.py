"""The cache: rows in, rows out, and nothing lost silently when it is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultkit.errors import IndexUnavailableError, VaultBusyError
from vaultkit.store.cache import Cache, Parsed, Row


def parsed(path: str, digest: str = "h") -> Parsed:
    return Parsed(Row(path, 1, 2, digest, 1), b"head", b"note", b"")


def test_rows_come_back_and_go(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store([parsed("a.md"), parsed("b.md")], [])
    assert set(cache.manifest()) == {"a.md", "b.md"}
    assert cache.heads() == {"a.md": b"head", "b.md": b"head"}
    assert cache.extracts() == {}
    cache.store([], ["a.md"], [Row("b.md", 9, 9, "h", 1)])
    assert cache.manifest()["b.md"][:3] == ("b.md", 9, 9)
    assert cache.note(["a.md", "b.md"]) == {"b.md": b"note"}
    cache.close()


def test_what_the_index_has_not_committed_stays_pending(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store([parsed("a.md", "1"), parsed("b.md", "1")], [])
    assert cache.pending() == (["a.md", "b.md"], [])
    cache.store([parsed("b.md", "2")], [])
    cache.mark_indexed([("a.md", "1"), ("b.md", "1")], [], "g1")
    assert cache.pending() == (["b.md"], [])  # it changed while the index was written
    cache.store([], ["a.md"])
    assert cache.pending() == (["b.md"], ["a.md"])
    cache.forget_index()
    assert cache.pending() == (["b.md"], [])
    assert cache.meta("generation") == "g1"
    cache.close()


@pytest.mark.parametrize("damage", [b"", b"garbage" * 1000, b"SQLite format 3\0" + b"\0" * 5000])
def test_a_damaged_file_is_made_again(tmp_path: Path, damage: bytes) -> None:
    cache = Cache(tmp_path)
    cache.store([parsed("a.md")], [])
    cache.close()
    for file in tmp_path.glob("notes-*"):
        file.write_bytes(damage)
    again = Cache(tmp_path)
    assert again.manifest() == {}
    again.store([parsed("a.md")], [])
    assert set(again.manifest()) == {"a.md"}
    again.close()


def test_another_process_is_waited_for_only_so_long(tmp_path: Path) -> None:
    first, second = Cache(tmp_path, timeout=0.1), Cache(tmp_path, timeout=0.1)
    with first.lock(), pytest.raises(VaultBusyError), second.lock():
        pass
    with second.lock():
        pass
    assert not second.changed_elsewhere()
    first.remember("x", "1")
    assert second.changed_elsewhere()
    assert second.meta("x") == "1"
    first.close()
    second.close()


def test_a_place_that_cannot_be_written_is_an_error_with_a_hint(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(IndexUnavailableError) as caught:
        Cache(tmp_path / "file" / "below")
    assert "XDG_CACHE_HOME" in caught.value.hint
