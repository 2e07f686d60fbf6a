"""The lexical index: what is found and in which order, and what becomes of an index that is lost, broken, locked or interrupted."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from vaultkit.errors import IndexUnavailableError, VaultBusyError
from vaultkit.store.search import Doc, SearchIndex
from vaultkit.text.tokens import pooled

Build = Callable[..., SearchIndex]


def note(path: str, title: str = "", body: str = "", *, tags: tuple[str, ...] = (), **fields: str | bool) -> Doc:
    """A document as the app makes it."""
    return Doc(path, pooled(title or path, tags, body), tags=tags, folder=path.rpartition("/")[0], **fields)  # type: ignore[arg-type]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SearchIndex]:
    with SearchIndex(tmp_path, wait=0.3) as made:
        made.clear()
        yield made


def paths(index: SearchIndex, query: str, **options: object) -> list[str]:
    """The paths that a query finds."""
    return [hit.path for hit in index.search(query, **options)]  # type: ignore[arg-type]


# -- finding -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> SearchIndex:
    """Notes to be found by many spellings."""
    made = SearchIndex(tmp_path_factory.mktemp("shelf"))
    made.clear()
    made.update(
        [
            note("a.md", "Runner", "moved to GitLab"),
            note("b.md", "移行", "ＧｉｔＬａｂに移した"),
            note("c.md", "Old", "a git lab of ours"),
            note("d.md", "Other", "nothing of it"),
            note("hit.md", "記録", "会議室で締切を決め、背景色を変えた。 C++ foo:bar 🚀 x [[aa]] 3.11", tags=("raretag-lighthouse",)),
            note("miss.md", "別の話", "天気がよい"),
        ]
    )
    return made


@pytest.mark.parametrize("query", ["GitLab", "gitlab", "ＧｉｔＬａｂ", "git lab", "git-lab"])
def test_every_spelling_finds_every_note_that_has_the_name(shelf: SearchIndex, query: str) -> None:
    assert set(paths(shelf, query)) == {"a.md", "b.md", "c.md"}


@pytest.mark.parametrize(
    "query", ["会議", "締切", "背景色", "C++", "foo:bar", "🚀", '"x', "[[aa]]", "3.11", "raretag-lighthouse", "締め切り"]
)
def test_any_text_is_a_query(shelf: SearchIndex, query: str) -> None:
    assert paths(shelf, query)[:1] == ["hit.md"]


@pytest.mark.parametrize(
    "query", ["", " ", "—", "\x00", "\ud800", "zzz", "*", "q AND", "-q", "'", "`", "\\", "((", "what's \"(the", "a" * 50_000]
)
def test_text_that_asks_for_nothing_finds_nothing(shelf: SearchIndex, query: str) -> None:
    assert shelf.search(query) == []


def test_a_pasted_page_is_a_query(index: SearchIndex) -> None:
    index.update([note("note.md", "Title", "the very last word: zebrafish")])
    assert paths(index, " ".join(f"word{n}" for n in range(3900)) + " zebrafish") == ["note.md"]


def test_a_title_outranks_a_tag_and_a_tag_the_body(index: SearchIndex) -> None:
    index.update(
        [
            note("body.md", "One", "zebra and more of the same length"),
            note("tag.md", "Two", "something and more of the same length", tags=("zebra",)),
            note("title.md", "Zebra", "something and more of the same length"),
        ]
    )
    assert paths(index, "zebra") == ["title.md", "tag.md", "body.md"]


def test_a_body_full_of_one_word_does_not_outrank_the_title(index: SearchIndex) -> None:
    index.update([note("stuffed.md", "Log", "zebra " * 200), note("zebra.md", "Zebra", "One note about it. " + "More about that. " * 20)])
    assert paths(index, "zebra") == ["zebra.md", "stuffed.md"]


def test_the_note_whose_whole_name_was_asked_for_comes_first(index: SearchIndex) -> None:
    long = " ".join(f"word{n}" for n in range(300))
    index.update([note("hub.md", "一覧", "検索 " * 4), note("named.md", "検索", long), *(note(f"{n}.md", "他", "短い") for n in range(20))])
    first, second = index.search("検索")
    assert (first.path, second.path) == ("named.md", "hub.md")
    assert first.terms == ("検索",)
    assert (round(first.score, 1), second.score) == (1.0, 0.99)
    assert [hit.score for hit in index.search("検索", tags=("none",))] == []
    index.update([note("hub.md", "一覧", "検索 " * 4, tags=("list",))])
    assert [hit.score for hit in index.search("検索", tags=("list",))] == [1.0]


def test_covering_more_of_the_query_ranks_first(index: SearchIndex) -> None:
    index.update(
        [
            note("hub.md", "Deploy", "deploy deploy deploy", tags=("deploy",)),
            note("right.md", "Notes", "The cache is purged on deploy by the runner."),
            *(note(f"{n}.md", "Filler", "deploy " + "words that fill a note " * 5) for n in range(20)),
        ]
    )
    best = index.search("how is the cache purged on deploy by the runner")[0]
    assert (best.path, best.coverage) == ("right.md", 1.0)
    assert best.terms == ("cache", "purged", "deploy", "runner")


def test_a_query_that_is_mostly_about_something_else_is_covered_badly(index: SearchIndex) -> None:
    index.update([note("a.md", "Tests", "unit tests"), *(note(f"{n}.md", "Filler", "tests") for n in range(9))])
    assert all(hit.coverage < 0.4 for hit in index.search("fix the failing test of parser module frobnicate"))


def test_hits_show_the_words_of_the_query(index: SearchIndex) -> None:
    index.update([note("a.md", "議事録", "会議室の予約とwifi")])
    (hit,) = index.search("会議室 Wi-Fi 火星")
    assert hit.terms == ("会議室", "wifi")
    assert 0 < hit.coverage < 1
    assert hit.score <= 1
    assert hit.bm25 > 0


def test_halves_of_a_word_count_only_where_they_meet_by_design(index: SearchIndex) -> None:
    often = [note(f"{n}.md", "Filler", "note book and more") for n in range(30)]
    index.update([note("whole.md", "Shop", "bought a notebook"), *often])
    assert paths(index, "notebook", limit=40) == ["whole.md"]


def test_equals_come_in_the_order_of_their_paths(index: SearchIndex) -> None:
    names = [f"{n:03}.md" for n in range(200)]
    docs = [note(name, "Same", "zebra") for name in names]
    random.Random(7).shuffle(docs)
    index.update(docs)
    assert paths(index, "zebra") == names[:10]
    assert paths(index, "zebra", limit=200) == names


def test_no_hits_are_asked_for_and_none_come(index: SearchIndex) -> None:
    index.update([note("a.md", "Zebra")])
    assert index.search("zebra", limit=0) == []


# -- filters -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def filed(tmp_path_factory: pytest.TempPathFactory) -> SearchIndex:
    """Notes that differ in all but their word."""
    made = SearchIndex(tmp_path_factory.mktemp("filed"))
    made.clear()
    made.update(
        [
            note("work/plan.md", "Zebra", type="decision", scope="project/alpha", tags=("infra/tls", "Ops")),
            note("work/old/idea.md", "Zebra", type="idea", scope="work", status="retired"),
            note("home.md", "Zebra", type="learning", scope="personal", tags=("ops",)),
            note("daily/2026-11-30.md", "Zebra", type="daily", ranked=False),
            note("templates/note.md", "Zebra", status="retired", ranked=False),
        ]
    )
    return made


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"work/plan.md", "home.md"}),
        ({"statuses": ("retired",)}, {"work/old/idea.md"}),
        ({"statuses": ("active", "retired")}, {"work/plan.md", "work/old/idea.md", "home.md"}),
        ({"statuses": ()}, {"work/plan.md", "work/old/idea.md", "home.md"}),
        ({"types": ("decision", "learning")}, {"work/plan.md", "home.md"}),
        ({"types": ("daily",)}, {"daily/2026-11-30.md"}),
        ({"scopes": ("project",)}, {"work/plan.md"}),
        ({"scopes": ("project/alpha", "personal")}, {"work/plan.md", "home.md"}),
        ({"tags": ("ops",)}, {"work/plan.md", "home.md"}),
        ({"tags": ("#OPS", "infra")}, {"work/plan.md"}),
        ({"tags": ("infra/tls",)}, {"work/plan.md"}),
        ({"tags": ("tls",)}, set()),
        ({"folder": "work"}, {"work/plan.md"}),
        ({"folder": "Work/", "everything": True}, {"work/plan.md", "work/old/idea.md"}),
        ({"folder": "work/old", "everything": True}, {"work/old/idea.md"}),
        ({"everything": True}, {"work/plan.md", "work/old/idea.md", "home.md", "daily/2026-11-30.md", "templates/note.md"}),
        ({"everything": True, "types": ("idea",)}, {"work/old/idea.md"}),
    ],
)
def test_filters(filed: SearchIndex, options: dict[str, object], expected: set[str]) -> None:
    assert set(paths(filed, "zebra", **options)) == expected


def test_a_filter_changes_no_score(filed: SearchIndex) -> None:
    plain = {hit.path: hit.bm25 for hit in filed.search("zebra", everything=True)}
    assert {hit.path: hit.bm25 for hit in filed.search("zebra", tags=("ops",))}.items() <= plain.items()


# -- writing -----------------------------------------------------------------------------------------------------------


def test_a_note_that_changes_leaves_no_ghost(index: SearchIndex) -> None:
    index.update([note("a.md", "Zebra"), note("b.md", "Zebra")])
    index.update([note("a.md", "Yak")], ["b.md"])
    assert paths(index, "zebra") == []
    assert paths(index, "yak") == ["a.md"]
    assert index.count() == 1


def test_a_note_that_changes_often_keeps_its_score(index: SearchIndex) -> None:
    for n in range(12):
        index.update([note("a.md", f"Zebra {n}")])
    assert [(hit.score, hit.coverage) for hit in index.search("zebra")] == [(1.0, 1.0)]


def test_the_same_path_twice_in_one_update_is_one_note(index: SearchIndex) -> None:
    index.update([note("a.md", "Zebra"), note("a.md", "Yak")])
    assert (paths(index, "zebra"), paths(index, "yak"), index.count()) == ([], ["a.md"], 1)


def test_another_handle_sees_a_commit_at_once(index: SearchIndex, tmp_path: Path) -> None:
    index.update([note("a.md", "Zebra")])
    with SearchIndex(tmp_path) as other:
        assert not other.open()
        assert paths(other, "zebra") == ["a.md"]
        index.update([note("b.md", "Zebra")])
        assert paths(other, "zebra") == ["a.md", "b.md"]
        index.rebuild([note("c.md", "Zebra")])
        assert paths(other, "zebra") == ["c.md"]


def test_paths_that_are_no_utf8_come_back(index: SearchIndex) -> None:
    odd = os.fsdecode(b"caf\xe9.md")
    index.update([note(odd, "Zebra"), note("日本/会議.md", "Zebra")])
    assert paths(index, "zebra") == [odd, "日本/会議.md"]
    index.update([], [odd])
    assert paths(index, "zebra") == ["日本/会議.md"]


def test_what_the_callers_iterator_raises_is_the_callers_and_nothing_is_committed(index: SearchIndex) -> None:
    index.update([note("a.md", "Zebra")], generation="1")

    def docs() -> Iterator[Doc]:
        yield note("b.md", "Zebra")
        raise PermissionError("a note")

    with pytest.raises(PermissionError, match="a note"):
        index.update(docs(), generation="2")
    assert paths(index, "zebra") == ["a.md"]
    assert index.generation == "1"
    index.update([note("b.md", "Zebra")])  # the lock is free again
    assert paths(index, "zebra") == ["a.md", "b.md"]


def test_the_generation_is_that_of_the_last_write(index: SearchIndex, tmp_path: Path) -> None:
    assert index.generation == ""
    index.update([note("a.md")], generation="one")
    index.update([], ["a.md"], generation="two")
    assert SearchIndex(tmp_path).generation == "two"


# -- an index in need --------------------------------------------------------------------------------------------------


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A closed index of 50 notes, generation "1"."""
    with SearchIndex(tmp_path) as made:
        assert made.open()
        made.rebuild([note(f"{n}.md", f"Zebra {n}", "a body of some words", tags=("a/b",)) for n in range(50)], generation="1")
    return tmp_path


def test_nothing_there_must_be_built(tmp_path: Path) -> None:
    fresh = SearchIndex(tmp_path / "not yet")
    assert fresh.open()
    assert not (tmp_path / "not yet").exists()
    with pytest.raises(IndexUnavailableError, match="no usable search index"):
        fresh.search("zebra")
    with pytest.raises(IndexUnavailableError, match="no usable search index"):
        fresh.update([note("a.md")])


def _each(suffix: str, change: Callable[[Path], object]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        found = [path for path in folder.iterdir() if path.name.endswith(suffix)]
        assert found
        for path in found:
            change(path)

    return damage


def _halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _garble(path: Path) -> None:
    data = path.read_bytes()
    kept = len(data) // 4  # with its footer whole, tantivy itself would notice nothing before it panics
    path.write_bytes(random.Random(3).randbytes(len(data) - kept) + data[-kept:])


def _replace_by_folder(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    path.mkdir()


_DAMAGE: dict[str, Callable[[Path], None]] = {
    **{f"half of {suffix}": _each(suffix, _halve) for suffix in (".term", ".idx", ".store", ".fast", ".fieldnorm")},
    **{f"garbled {suffix}": _each(suffix, _garble) for suffix in (".term", ".idx", ".store", ".fast")},
    "no segment": _each(".idx", Path.unlink),
    "no meta.json": _each("meta.json", Path.unlink),
    "half of meta.json": _each("meta.json", _halve),
    "an empty meta.json": _each("meta.json", lambda path: path.write_bytes(b"")),
    "a folder for a meta.json": _each("meta.json", _replace_by_folder),
    "another schema": _each("meta.json", lambda path: path.write_text(path.read_text().replace('"shown"', '"other"'))),
    "no index, only a folder": _replace_by_folder,
}


@pytest.mark.parametrize("damage", _DAMAGE.values(), ids=_DAMAGE)
def test_a_damaged_index_is_noticed_and_rebuilt(filled: Path, damage: Callable[[Path], None], capfd: pytest.CaptureFixture[str]) -> None:
    index = SearchIndex(filled)
    damage(index.folder)
    assert index.open()
    with pytest.raises(IndexUnavailableError):
        index.search("zebra")
    index.rebuild([note("a.md", "Zebra")], generation="2")
    assert (paths(index, "zebra"), index.generation) == (["a.md"], "2")
    assert not SearchIndex(filled).open()
    assert "panicked" not in capfd.readouterr().err


def test_damage_under_an_open_index_is_a_clear_error_and_the_next_sync_rebuilds(filled: Path) -> None:
    index = SearchIndex(filled)
    assert not index.open()
    shutil.rmtree(index.folder)
    with pytest.raises(IndexUnavailableError) as caught:
        index.search("zebra")
    assert "sync" in caught.value.hint
    assert SearchIndex(filled).open()


def test_an_index_without_a_trusted_marker_works_but_has_no_generation(filled: Path) -> None:
    index = SearchIndex(filled)
    marker = index.folder / "vaultkit.json"
    for text in ("", "{", "[]", "{}", json.dumps({"generation": "1", "meta": "of another commit", "files": {}})):
        marker.write_text(text)
        assert not index.open()
        assert index.generation == ""
        assert len(paths(index, "zebra")) == 10


def test_older_schemas_are_cleared_away_and_newer_ones_kept(tmp_path: Path) -> None:
    for name in ("lexical-0", "lexical-999", "lexical-mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "meta.json").write_text("{}")
    SearchIndex(tmp_path).clear()
    assert {path.name for path in tmp_path.iterdir()} == {"lexical-1", "lexical-999", "lexical-mine"}


def test_a_file_where_the_folder_should_be_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    index = SearchIndex(tmp_path / "cache")
    with pytest.raises(IndexUnavailableError, match="cannot be opened"):
        index.rebuild([note("a.md")])


@contextmanager
def _may_not_write(folder: Path) -> Iterator[None]:
    """Everything below *folder* read-only; root, to whom that is nothing, becomes nobody."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)


def test_a_read_only_index_is_a_clear_error(filled: Path) -> None:
    with tempfile.TemporaryDirectory() as place:  # pytest's own folders are closed to nobody
        folder = Path(place) / "cache"
        shutil.copytree(filled, folder, copy_function=shutil.copy2)
        Path(place).chmod(0o755)
        with _may_not_write(folder):
            for call in (SearchIndex(folder).open, lambda: SearchIndex(folder).search("zebra"), SearchIndex(folder).clear):
                with pytest.raises(IndexUnavailableError, match="cannot be opened") as caught:
                    call()
                assert "writable" in caught.value.hint
        assert paths(SearchIndex(folder), "zebra 7")[:1] == ["7.md"]  # and nothing was lost by it


_HOLD = """
import sys, tantivy
writer = tantivy.Index.open(sys.argv[1]).writer(heap_size=15_000_000, num_threads=1)
print("held", flush=True)
sys.stdin.read()
"""


def test_a_writer_of_another_process_is_waited_for_and_then_reported(filled: Path) -> None:
    index = SearchIndex(filled, wait=0.2)
    command = [sys.executable, "-c", _HOLD, str(index.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdin
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(VaultBusyError):
            index.update([note("a.md", "Yak")])
        with pytest.raises(VaultBusyError):
            index.clear()
        assert len(paths(index, "zebra")) == 10  # readers wait for no one
        holder.stdin.close()
        holder.wait()
    index.update([note("a.md", "Yak")])
    assert paths(index, "yak") == ["a.md"]


_COMMIT = """
import sys
from pathlib import Path
from vaultkit.store.search import Doc, SearchIndex
index = SearchIndex(Path(sys.argv[1]))
for batch in range(int(sys.argv[2]), 1000):
    index.update([Doc(f"{n}.md", f"zebra batch{batch}") for n in range(20)], generation=str(batch))
    print(batch, flush=True)
"""


def test_a_killed_writer_leaves_a_whole_batch_or_an_unknown_generation(tmp_path: Path) -> None:
    rng = random.Random(20261130)
    SearchIndex(tmp_path).clear()
    batch = 0
    for _ in range(6):
        command = [sys.executable, "-c", _COMMIT, str(tmp_path), str(batch)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout
            done = int(writer.stdout.readline())
            time.sleep(rng.uniform(0, 0.15))
            writer.send_signal(signal.SIGKILL)
            rest = writer.stdout.read().split()
        done = int(rest[-1]) if rest else done
        index = SearchIndex(tmp_path)
        assert not index.open()
        committed = next(number for number in (done + 1, done) if index.search(f"batch{number}"))
        assert index.count() == len(index.search(f"batch{committed}", limit=50)) == 20
        assert index.generation in {str(committed), ""}
        index.rebuild([note("a.md")], generation="whole")
        assert (index.count(), index.generation) == (1, "whole")
        index.update([], ["a.md"])
        batch = done + 2
