"""The matrix of vectors: what is embedded, what is kept, what a kill or a failing model leaves, what coverage says."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests.support.embedder import FakeEmbedder
from vaultkit.errors import IndexUnavailableError, NoteNotFoundError, VaultBusyError
from vaultkit.store.vectors import Updated, Vectors
from vaultkit.text.passages import fingerprint

Texts = dict[str, str]


def some(count: int, *, start: int = 0) -> Texts:
    """Notes that say different things."""
    return {f"n{at:04}.md": f"Title {at}\nword{at} word{at * 7 % 11} and common words" for at in range(start, start + count)}


def run(vectors: Vectors, texts: Texts, source: FakeEmbedder, **options: float) -> Updated:
    return vectors.update({path: fingerprint(text) for path, text in texts.items()}, texts.__getitem__, source, **options)  # type: ignore[arg-type]


def prints(texts: Texts) -> Texts:
    return {path: fingerprint(text) for path, text in texts.items()}


@pytest.fixture
def vectors(tmp_path: Path) -> Vectors:
    return Vectors(tmp_path)


class Ticks:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


# -- what is embedded --------------------------------------------------------------------------------------------------


def test_every_note_gets_a_vector_and_only_changed_ones_another(vectors: Vectors) -> None:
    source, texts = FakeEmbedder(), some(50)
    first = run(vectors, texts, source)
    assert (first.wanted, first.embedded, first.left, first.reason, first.ok) == (50, 50, 0, "", True)
    source.texts.clear()
    texts["n0003.md"] = "Title 3\nsomething else"
    second = run(vectors, texts, source)
    assert (second.wanted, second.embedded) == (1, 1)
    assert source.texts == ["Title 3\nsomething else"]
    assert vectors.coverage(prints(texts)).current == 50


def test_a_moved_note_takes_its_vector_with_it(vectors: Vectors) -> None:
    source, texts = FakeEmbedder(), some(40)
    run(vectors, texts, source)
    source.texts.clear()
    texts["archive/n0000.md"] = texts.pop("n0000.md")
    moved = run(vectors, texts, source)
    assert (moved.wanted, moved.reused, moved.removed) == (0, 1, 1)
    assert source.texts == []
    assert vectors.vector("n0000.md") is None
    assert vectors.vector("archive/n0000.md") is not None


def test_nothing_to_do_writes_nothing(vectors: Vectors) -> None:
    texts = some(5)
    run(vectors, texts, FakeEmbedder())
    before = sorted(entry.name for entry in vectors.folder.iterdir())
    again = run(vectors, texts, FakeEmbedder())
    assert (again.wanted, again.ok) == (0, True)
    assert sorted(entry.name for entry in vectors.folder.iterdir()) == before


@pytest.mark.parametrize("other", [FakeEmbedder("other"), FakeEmbedder(digest="2"), FakeEmbedder(dimension=16)])
def test_another_model_or_dimension_starts_anew(vectors: Vectors, other: FakeEmbedder) -> None:
    texts = some(8)
    run(vectors, texts, FakeEmbedder())
    assert not vectors.fits(other)
    again = run(vectors, texts, other)
    assert again.embedded == 8
    assert vectors.fits(other)
    found = vectors.vector("n0001.md")
    assert found is not None
    assert len(found) == other.dimension


def test_a_long_text_is_read_in_pieces_and_stays_one_row(vectors: Vectors) -> None:
    source = FakeEmbedder(context=60)
    texts = {"long.md": "Title\n" + " ".join(f"word{at}" for at in range(80)), **some(3)}
    run(vectors, texts, source)
    assert len(vectors) == 4
    longest = [text for text in source.texts if text.startswith("Title\n")]
    assert len(longest) > 3
    whole = FakeEmbedder().embed([texts["long.md"]]).vectors[0]
    assert vectors.cosines(whole, ["long.md"])["long.md"] > 0.9


def test_a_text_that_changed_meanwhile_is_embedded_as_it_is_now(vectors: Vectors) -> None:
    texts = some(3)
    wanted = prints(texts)
    texts["n0001.md"] = "changed while the run went on"
    done = vectors.update(wanted, texts.__getitem__, FakeEmbedder())
    assert done.left == 0
    assert vectors.coverage(prints(texts)).current == 3
    assert vectors.coverage(wanted).stale == ("n0001.md",)


# -- failures ----------------------------------------------------------------------------------------------------------


def test_a_failed_note_keeps_its_old_vector_and_is_stale(vectors: Vectors) -> None:
    texts = some(6)
    run(vectors, texts, FakeEmbedder())
    before = vectors.vector("n0002.md")
    assert before is not None
    texts["n0002.md"] = "poison"
    done = run(vectors, texts, FakeEmbedder(fails=lambda text: "gave NaN" if "poison" in text else ""))
    assert done.failed == {"n0002.md": "gave NaN"}
    assert not done.ok
    after = vectors.vector("n0002.md")
    assert after is not None
    assert np.array_equal(before, after)
    coverage = vectors.coverage(prints(texts))
    assert (coverage.should, coverage.current, coverage.stale, coverage.missing) == (6, 5, ("n0002.md",), ())
    assert coverage.failed == {"n0002.md": "gave NaN"}


def test_a_run_that_embeds_none_of_fifty_is_a_failure_with_its_reason(vectors: Vectors) -> None:
    done = run(vectors, some(50), FakeEmbedder(fails=lambda _: "gave a vector of zeros"))
    assert (done.wanted, done.embedded, done.ok) == (50, 0, False)
    assert "gave a vector of zeros" in done.reason
    coverage = vectors.coverage(prints(some(50)))
    assert (coverage.current, len(coverage.missing)) == (0, 50)


def test_a_model_that_goes_away_ends_the_run_and_what_was_done_is_kept(vectors: Vectors) -> None:
    source, texts = FakeEmbedder(), some(100)
    source.calls_left = 2
    done = run(vectors, texts, source)
    assert (done.embedded, done.left, done.reason) == (64, 36, "the model went away")
    assert done.ok
    source.calls_left = 100
    again = run(vectors, texts, source)
    assert (again.wanted, again.embedded, again.left) == (36, 36, 0)


def test_a_model_that_never_answers_is_a_failure_with_its_reason(vectors: Vectors) -> None:
    source = FakeEmbedder()
    source.calls_left = 0
    done = run(vectors, some(3), source)
    assert (done.embedded, done.ok, done.reason) == (0, False, "the model went away")


def test_a_note_that_cannot_be_read_is_reported(vectors: Vectors) -> None:
    texts = some(3)

    def text_of(path: str) -> str:
        if path == "n0001.md":
            raise NoteNotFoundError(path)
        return texts[path]

    done = vectors.update(prints(texts), text_of, FakeEmbedder())
    assert done.embedded == 2
    assert "could not be read" in done.failed["n0001.md"]
    assert vectors.coverage(prints(texts)).missing == ("n0001.md",)


def test_what_failed_before_comes_last(vectors: Vectors) -> None:
    texts = {"a.md": "poison a", **some(3)}
    source = FakeEmbedder(fails=lambda text: "no" if "poison" in text else "")
    run(vectors, texts, source)
    texts.update(some(3, start=10))
    source.texts.clear()
    run(vectors, texts, source)
    assert source.texts[:4] == [*some(3, start=10).values(), "poison a"]


def test_a_failure_that_is_over_is_forgotten(vectors: Vectors) -> None:
    texts = {"a.md": "poison a", **some(3)}
    run(vectors, texts, FakeEmbedder(fails=lambda text: "no" if "poison" in text else ""))
    done = run(vectors, texts, FakeEmbedder())
    assert (done.embedded, done.failed) == (1, {})
    assert vectors.coverage(prints(texts)).failed == {}


# -- slices ------------------------------------------------------------------------------------------------------------


def test_a_slice_stops_after_its_seconds_and_the_next_goes_on(tmp_path: Path) -> None:
    ticks, texts = Ticks(), some(100)
    vectors = Vectors(tmp_path, clock=ticks)

    def slow(path: str) -> str:
        ticks.now += 0.1
        return texts[path]

    seen: list[tuple[int, int]] = []
    done = vectors.update(prints(texts), slow, FakeEmbedder(), limit_seconds=2, progress=lambda at, of: seen.append((at, of)))
    assert (done.embedded, done.left) == (31, 69)  # batches of 1, 2, 4, 8, 16
    assert "stopped after 2 s with 69 notes to go" in done.reason
    assert seen == [(1, 100), (3, 100), (7, 100), (15, 100), (31, 100)]
    rest = vectors.update(prints(texts), texts.__getitem__, FakeEmbedder(), limit_seconds=2)
    assert (rest.wanted, rest.left, rest.reason) == (69, 0, "")


def test_a_slice_of_no_time_at_all_still_embeds_something(vectors: Vectors) -> None:
    done = run(vectors, some(5), FakeEmbedder(), limit_seconds=0)
    assert done.embedded == 1
    assert done.ok


def test_a_long_run_is_saved_now_and_then(tmp_path: Path) -> None:
    ticks, texts = Ticks(), some(100)
    vectors = Vectors(tmp_path, clock=ticks)
    sizes: list[int] = []

    def slow(path: str) -> str:
        ticks.now += 0.5
        return texts[path]

    vectors.update(prints(texts), slow, FakeEmbedder(), progress=lambda *_: sizes.append(len(Vectors(tmp_path))))
    assert sizes == [0, 32, 64, 96]


# -- the files ---------------------------------------------------------------------------------------------------------


def test_another_process_sees_the_newest_generation(vectors: Vectors) -> None:
    other = Vectors(vectors.folder.parent)
    assert len(other) == 0
    run(vectors, some(4), FakeEmbedder())
    assert len(other) == 4
    run(vectors, some(2), FakeEmbedder())
    assert len(other) == 2
    assert len(list(vectors.folder.glob("*.npy"))) == 1


@pytest.mark.parametrize("damage", ["manifest", "table", "matrix", "short", "gone", "other"])
def test_what_is_damaged_is_made_again(vectors: Vectors, damage: str) -> None:
    texts = some(5)
    run(vectors, texts, FakeEmbedder())
    (matrix,) = vectors.folder.glob("*.npy")
    table = matrix.with_suffix(".json")
    match damage:
        case "manifest":
            (vectors.folder / "vectors.json").write_text("{")
        case "table":
            table.write_text("[]")
        case "matrix":
            matrix.write_bytes(b"nothing")
        case "short":
            np.save(matrix, np.zeros((3, 32), np.float32))
        case "gone":
            matrix.unlink()
        case "other":
            (vectors.folder / "vectors.json").write_text(json.dumps({"generation": 1}))
    fresh = Vectors(vectors.folder.parent)
    assert len(fresh) == 0
    assert fresh.calibration is None
    assert fresh.coverage(prints(texts)).missing == tuple(texts)
    assert run(fresh, texts, FakeEmbedder()).embedded == 5
    assert fresh.coverage(prints(texts)).current == 5


def test_only_one_process_embeds_at_a_time(vectors: Vectors) -> None:
    other = Vectors(vectors.folder.parent)
    texts = some(2)

    def text_of(path: str) -> str:
        with pytest.raises(VaultBusyError):
            run(other, texts, FakeEmbedder())
        return texts[path]

    assert vectors.update(prints(texts), text_of, FakeEmbedder()).embedded == 2


def test_a_folder_that_cannot_be_written_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "vectors-1").write_text("a file stands here")
    with pytest.raises(IndexUnavailableError, match="cannot be kept"):
        run(Vectors(tmp_path), some(1), FakeEmbedder())


def test_an_older_layout_is_deleted(vectors: Vectors) -> None:
    older = vectors.folder.with_name("vectors-0")
    older.mkdir()
    run(vectors, some(1), FakeEmbedder())
    assert not older.exists()


def test_clear_forgets_everything(vectors: Vectors) -> None:
    run(vectors, some(3), FakeEmbedder())
    vectors.clear()
    assert len(vectors) == 0
    assert vectors.model.name == ""


def test_paths_that_are_not_utf8_are_kept(vectors: Vectors) -> None:
    texts = {"caf\udce9.md": "Title\nbody", **some(2)}
    run(vectors, texts, FakeEmbedder())
    assert vectors.coverage(prints(texts)).current == 3


KILLED = """
import sys
from pathlib import Path
from tests.support.embedder import FakeEmbedder
from vaultkit.store import vectors as store
from vaultkit.store.vectors import matrix
from vaultkit.text.passages import fingerprint

matrix._SAVE_EVERY = 0.0
texts = {f"n{at}.md": f"Title {at} {sys.argv[2]}" for at in range(400)}
print("ready", flush=True)
while True:
    vectors = store.Vectors(Path(sys.argv[1]))
    for word in ("x", "y"):
        now = {path: f"{text} {word}" for path, text in texts.items()}
        vectors.update({path: fingerprint(text) for path, text in now.items()}, now.__getitem__, FakeEmbedder())
"""


def test_a_kill_leaves_the_old_vectors_or_the_new_ones(tmp_path: Path) -> None:
    for turn in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(tmp_path), str(turn)], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.05 + 0.04 * turn)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        left = Vectors(tmp_path)
        names = {entry.name for entry in left.folder.iterdir()} if left.folder.exists() else set()
        if "vectors.json" in names:
            assert len(left) > 0  # a manifest never names what is not whole
    texts = {f"n{at}.md": f"Title {at}" for at in range(400)}
    assert run(Vectors(tmp_path), texts, FakeEmbedder()).left == 0
    assert len(list(Vectors(tmp_path).folder.glob("*.npy"))) == 1


# -- cosines -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def shelf(vectors: Vectors) -> Vectors:
    run(vectors, {"a.md": "red apple", "b.md": "green apple", "c.md": "blue sky over the sea", "d.md": "tax form"}, FakeEmbedder())
    return vectors


def test_the_nearest_are_those_among_the_allowed(shelf: Vectors) -> None:
    query = FakeEmbedder().embed(["red apple"]).vectors[0]
    near = shelf.nearness(query, allowed=frozenset({"b.md", "c.md", "d.md"}), nearest=1)
    assert near is not None
    assert list(near.cosines) == ["b.md"]
    every = sorted(shelf.cosines(query, ["a.md", "b.md", "c.md", "d.md"]).values())
    assert near.median == pytest.approx((every[1] + every[2]) / 2)


def test_notes_that_words_found_are_measured_too(shelf: Vectors) -> None:
    query = FakeEmbedder().embed(["red apple"]).vectors[0]
    near = shelf.nearness(query, allowed=frozenset({"a.md"}), nearest=10, also=["d.md", "gone.md"])
    assert near is not None
    assert sorted(near.cosines) == ["a.md", "d.md"]
    assert near.cosines["a.md"] == pytest.approx(1.0)


def test_without_vectors_nothing_is_near(vectors: Vectors) -> None:
    query = FakeEmbedder().embed(["x"]).vectors[0]
    assert vectors.nearness(query, allowed=(), nearest=3) is None
    assert vectors.cosines(query, ["a.md"]) == {}


def test_what_is_allowed_is_looked_at_anew_after_an_update(shelf: Vectors) -> None:
    query = FakeEmbedder().embed(["red apple"]).vectors[0]
    allowed = frozenset({"a.md", "e.md"})
    assert shelf.nearness(query, allowed=allowed, nearest=5) is not None
    run(shelf, {"a.md": "red apple", "e.md": "red apple pie"}, FakeEmbedder())
    near = shelf.nearness(query, allowed=allowed, nearest=5)
    assert near is not None
    assert sorted(near.cosines) == ["a.md", "e.md"]


# -- calibration -------------------------------------------------------------------------------------------------------


def test_thresholds_are_stored_and_stand_in_order(vectors: Vectors) -> None:
    run(vectors, some(60), FakeEmbedder())
    known = Vectors(vectors.folder.parent).calibration
    assert known is not None
    assert known.notes == 60
    assert known.pairs == 60 * 59 // 2
    assert known.median < known.repetition < known.duplicate < 1
    assert known.query_median < known.entry <= 1


def test_the_same_vault_gives_the_same_thresholds(tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(Vectors(tmp_path / name), some(60), FakeEmbedder())
    assert Vectors(tmp_path / "one").calibration == Vectors(tmp_path / "two").calibration


def test_thresholds_are_computed_anew_when_a_tenth_of_the_notes_has_changed(vectors: Vectors) -> None:
    texts = some(100)
    run(vectors, texts, FakeEmbedder())
    first = vectors.calibration
    for at in range(9):
        texts[f"n{at:04}.md"] = f"changed {at}"
        run(vectors, texts, FakeEmbedder())
    assert vectors.calibration == first
    texts["n0009.md"] = "changed 9"
    run(vectors, texts, FakeEmbedder())
    assert vectors.calibration != first


def test_a_vault_of_near_copies_does_not_call_everything_a_duplicate(vectors: Vectors) -> None:
    words = "the same long agenda of every single weekly meeting that we ever had in this office"
    run(vectors, {f"{at}.md": f"{words} topic{at} person{at * 3} place{at * 5}" for at in range(60)}, FakeEmbedder(dimension=256))
    known = vectors.calibration
    assert known is not None
    assert known.median > 0.7
    assert known.duplicate > known.high


def test_an_empty_vault_has_no_thresholds(vectors: Vectors) -> None:
    done = run(vectors, {}, FakeEmbedder())
    assert done.ok
    assert vectors.calibration is None


def test_one_note_is_calibrated_by_the_fixed_sentences(vectors: Vectors) -> None:
    run(vectors, some(1), FakeEmbedder())
    known = vectors.calibration
    assert known is not None
    assert known.pairs == 0
    assert 0 < known.duplicate < 1


def test_a_model_that_goes_away_before_the_thresholds_leaves_the_vectors(vectors: Vectors) -> None:
    source = FakeEmbedder()
    source.calls_left = 1
    assert run(vectors, some(5), source).embedded == 5
    assert vectors.calibration is None
    source.calls_left = 10
    run(vectors, some(6), source)
    assert vectors.calibration is not None
