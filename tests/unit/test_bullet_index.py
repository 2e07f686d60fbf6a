"""The bullet index: what is found where in long lists, by day, and what becomes of an index that is lost or interrupted."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest

from vaultkit.errors import IndexUnavailableError, VaultBusyError
from vaultkit.store.bullets import BulletIndex, Listed, listed
from vaultkit.text.bullets import around, bullet_entries, part_of, saved
from vaultkit.text.note import parse_note


def note(path: str, text: str, *, kind: str = "knowledge", status: str = "active", day: date | None = None) -> Listed:
    parsed = parse_note(path, text)
    entries = bullet_entries(parsed, text, part=part_of(kind, text, body=parsed.body), day=day)
    return listed(path, entries, type=kind, status=status)


@pytest.fixture
def index(tmp_path: Path) -> BulletIndex:
    made = BulletIndex(tmp_path, wait=0.3)
    made.clear()
    return made


def found(index: BulletIndex, query: str, **options: object) -> list[tuple[str, int]]:
    return [(hit.path, hit.line) for hit in index.search(query, **options)]  # type: ignore[arg-type]


# -- a file of 2,000 bullets -------------------------------------------------------------------------------------------

_THINGS = ["server", "invoice", "garden", "bridge", "letter", "ticket", "engine", "window"]
_DONE = ["checked", "moved", "repaired", "ordered", "cancelled", "painted", "counted"]


def _bullet(number: int) -> str:
    return f"{_DONE[number % 7]} the {_THINGS[number % 8]} of house{number * 13 % 977} with colleague{number}"


LONG = "# Everything\n" + "".join(
    (f"\n## 2024-{number // 56 % 12 + 1:02}-{number // 2 % 28 + 1:02}\n" if number % 20 == 0 else "")
    + f"- {_bullet(number)}\n    - 第{number}回の打ち合わせで{'予算契約設計採用検索監視認証障害'[number % 8 * 2 : number % 8 * 2 + 2]}を決めた\n"
    for number in range(1000)
)
LINES = LONG.split("\n")


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> BulletIndex:
    made = BulletIndex(tmp_path_factory.mktemp("long"))
    made.clear()
    others = [note(f"other{at}.md", "".join(f"- {_DONE[at % 7]} a {_THINGS[at % 8]} number{n}\n" for n in range(8))) for at in range(20)]
    made.update([note("long.md", LONG), *others], generation="1")
    return made


def test_a_file_of_two_thousand_bullets_is_two_thousand_entries(long: BulletIndex) -> None:
    assert long.count() == 2000 + 20 * 8


def test_the_end_of_a_long_file_is_found_as_well_as_its_head(long: BulletIndex) -> None:
    """Of 50 bullets within the first 4,000 characters and of 50 at the end every one comes first for its own words, in both languages."""
    head = [at for at, line in enumerate(LINES) if line.lstrip().startswith("- ") and sum(len(each) + 1 for each in LINES[:at]) < 4000][:50]
    tail = [at for at, line in enumerate(LINES) if line.lstrip().startswith("- ")][-50:]
    for places in (head, tail):
        assert len(places) == 50
        for at in places:
            hits = long.search(LINES[at].strip().removeprefix("- "), limit=1)
            assert (hits[0].path, hits[0].line) == ("long.md", at + 1), LINES[at]
            assert hits[0].coverage == 1.0


def test_a_few_words_of_the_last_bullet_are_enough(long: BulletIndex) -> None:
    (hit, *_) = long.search("colleague999")
    assert LINES[hit.line - 1].startswith("- ")
    assert "colleague999" in LINES[hit.line - 1]
    assert hit.terms == ("colleague999",)


def test_what_is_handed_on_is_a_small_part_of_the_file(long: BulletIndex) -> None:
    shown = [around(LONG, hit.line, hit.end_line) for hit in long.search("repaired the bridge", limit=5, paths=["long.md"])]
    assert len(shown) == 5
    assert saved(shown, [LONG]) > 0.95
    assert saved([], []) == 0.0


def test_a_day_gives_what_stands_under_its_heading(long: BulletIndex) -> None:
    at = next(at for at, line in enumerate(LINES) if line.startswith("## 2024-05"))
    day = date.fromisoformat(LINES[at].removeprefix("## "))
    hits = long.search(on=day, limit=100)
    assert [hit.line for hit in hits] == list(range(at + 2, at + 42))
    assert {hit.day for hit in hits} == {day}
    some = long.search("repaired", on=day, limit=100)
    assert some
    assert all("repaired" in LINES[hit.line - 1] for hit in some if hit.coverage == 1)


# -- finding -----------------------------------------------------------------------------------------------------------


def test_spellings_of_one_word_meet(index: BulletIndex) -> None:
    filler = "- filler\n" * 5
    index.update(
        [
            note("a.md", "- the runner moved to GitLab\n" + filler),
            note("b.md", "- ランナーをＧｉｔＬａｂへ\n" + filler),
            note("c.md", "- a git lab of ours\n" + filler),
        ]
    )
    for query in ("git lab", "gitlab", "GitLab", "ＧｉｔＬａｂ"):
        assert sorted(path for path, _ in found(index, query))[:3] == ["a.md", "b.md", "c.md"], query


def test_an_entry_has_the_words_of_its_headings(index: BulletIndex) -> None:
    text = "## Postgres\n- vacuum at night\n- more memory\n## Nginx\n- vacuum the dust\n- x\n- y\n"
    index.update([note("a.md", text)])
    assert found(index, "postgres vacuum")[0] == ("a.md", 2)


def test_kinds_statuses_and_notes_are_filters(index: BulletIndex) -> None:
    text = "- alpha one\n" * 5
    index.update([note("a.md", text), note("b.md", text, status="retired"), note("d.md", text, kind="daily", day=date(2026, 11, 30))])
    assert {path for path, _ in found(index, "alpha", limit=50)} == {"a.md", "d.md"}
    assert {path for path, _ in found(index, "alpha", limit=50, statuses=())} == {"a.md", "b.md", "d.md"}
    assert {path for path, _ in found(index, "alpha", limit=50, types=["daily"])} == {"d.md"}
    assert {path for path, _ in found(index, "alpha", limit=50, paths=["a.md"])} == {"a.md"}


@pytest.mark.parametrize("query", ["", "   ", "?!", "foo:bar AND (", "\udcff", "x" * 100_000, "word " * 5000])
def test_any_text_is_a_query(index: BulletIndex, query: str) -> None:
    index.update([note("a.md", "- some word\n" * 5)])
    assert all(hit.path == "a.md" for hit in index.search(query))


def test_a_day_without_entries_has_none(index: BulletIndex) -> None:
    index.update([note("a.md", "- some word\n" * 5)])
    assert index.search(on=date(2026, 1, 1)) == []
    assert index.search("word", on=date(2026, 1, 1)) == []


def test_no_room_means_no_hits(index: BulletIndex) -> None:
    index.update([note("a.md", "- some word\n" * 5)])
    assert index.search("word", limit=0) == []


def test_paths_that_are_not_utf8_come_back_as_they_are(index: BulletIndex) -> None:
    index.update([note("caf\udce9.md", "- some word\n" * 5)])
    assert found(index, "word", limit=1) == [("caf\udce9.md", 1)]
    index.update([], ["caf\udce9.md"])
    assert index.count() == 0


# -- keeping step ------------------------------------------------------------------------------------------------------


def test_a_note_is_replaced_whole_and_forgotten_whole(index: BulletIndex) -> None:
    index.update([note("a.md", "- old\n" * 7), note("b.md", "- other\n" * 5)], generation="1")
    index.update([note("a.md", "- new\n" * 5)], generation="2")
    assert (found(index, "old"), index.count(), index.generation) == ([], 10, "2")
    index.update([], ["a.md"], generation="3")
    assert (found(index, "new"), index.count(), index.generation) == ([], 5, "3")


def test_nothing_to_write_only_sets_the_generation(index: BulletIndex) -> None:
    index.update([note("a.md", "- x\n" * 5)], generation="1")
    before = (index.folder / "meta.json").read_bytes()
    index.update([], ["never-a-list.md"], generation="2")
    assert index.generation == "2"
    assert (index.folder / "meta.json").read_bytes() == before


def test_another_process_sees_what_was_committed(index: BulletIndex) -> None:
    other = BulletIndex(index.folder.parent)
    assert not other.open()
    index.update([note("a.md", "- word\n" * 5)], generation="1")
    assert (found(other, "word", limit=1), other.generation) == ([("a.md", 1)], "1")


def test_an_index_that_is_not_there_must_be_built(tmp_path: Path) -> None:
    index = BulletIndex(tmp_path)
    assert index.open()
    assert index.generation == ""
    with pytest.raises(IndexUnavailableError, match="no usable bullet index"):
        index.search("x")


@pytest.mark.parametrize("damage", ["meta", "segments"])
def test_a_damaged_index_must_be_built_again(index: BulletIndex, damage: str) -> None:
    index.update([note("a.md", "- word\n" * 5)], generation="1")
    for entry in index.folder.iterdir():
        if (entry.name == "meta.json") == (damage == "meta") and not entry.name.startswith(".") and entry.name != "vaultkit.json":
            entry.write_bytes(b"broken")
    other = BulletIndex(index.folder.parent)
    if not other.open():
        with pytest.raises(IndexUnavailableError, match="damaged"):
            other.search("word")
    assert other.generation == ""
    other.clear()
    other.update([note("a.md", "- word\n" * 5)], generation="2")
    assert found(other, "word", limit=1) == [("a.md", 1)]


def test_two_writers_do_not_wait_for_ever(index: BulletIndex) -> None:
    other = BulletIndex(index.folder.parent, wait=0.1)
    other.open()

    def notes() -> object:
        yield note("a.md", "- word\n" * 5)
        with pytest.raises(VaultBusyError):
            other.update([note("b.md", "- word\n" * 5)])

    index.update(notes())  # type: ignore[arg-type]
    assert {path for path, _ in found(index, "word", limit=20)} == {"a.md"}


def test_an_error_of_the_caller_leaves_the_index_as_it_was(index: BulletIndex) -> None:
    index.update([note("a.md", "- word\n" * 5)], generation="1")

    def notes() -> object:
        yield note("b.md", "- word\n" * 5)
        raise KeyError("the caller's")

    with pytest.raises(KeyError, match="the caller's"):
        index.update(notes())  # type: ignore[arg-type]
    assert (index.count(), index.generation) == (5, "1")


def test_a_folder_that_cannot_be_written_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "bullets-1").write_text("a file stands here")
    with pytest.raises(IndexUnavailableError, match="cannot be opened"):
        BulletIndex(tmp_path).clear()


def test_an_older_layout_is_deleted(tmp_path: Path) -> None:
    older = tmp_path / "bullets-0"
    older.mkdir()
    BulletIndex(tmp_path).clear()
    assert not older.exists()


KILLED = """
import sys
from pathlib import Path
from vaultkit.store.bullets import BulletIndex, Listed, Row

index = BulletIndex(Path(sys.argv[1]), wait=5)
if index.open():
    index.clear()
print("ready", flush=True)
number = 0
while True:
    number += 1
    index.update([Listed("a.md", [Row(at, at, "", f"word run{number}") for at in range(50)])], generation=str(number))
"""


def test_a_kill_leaves_whole_notes_and_a_generation_that_tells(tmp_path: Path) -> None:
    for turn in range(3):
        process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.1 + 0.05 * turn)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        index = BulletIndex(tmp_path)
        if index.open():
            assert index.generation == ""
            continue
        assert index.count() in {0, 50}
        if index.generation:
            assert len(index.search(f"run{index.generation}", limit=100)) == 50
