"""Records through the program: written, listed, superseded, numbered without collision, looked up before the next one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.program import TODAY, Program


def decide(vk: Program, decision: str = "Redis", *more: str, goal: str = "Sessions survive a restart") -> str:
    words = ("record", "decision", "--goal", goal, "--option", decision, "--option", "A table in Postgres", "--decision", decision, "--why")
    return str(vk.json(*words, "We run it already", *more, "--today", TODAY)["id"])


def test_a_decision_gets_an_id_its_headings_and_its_place(vk: Program) -> None:
    done = vk.json("record", "decision", "--goal", "Sessions survive", "--option", "Redis", "--option", "A table", "--decision", "Redis",
                   "--why", "We run it", "--scope", "work", "--today", TODAY)  # fmt: skip
    assert (done["id"], done["path"], done["rejected"]) == ("DEC-001", "archive/2026/11/DEC-001.md", ["A table"])
    text = vk.read(done["path"])
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Goal", "Options", "Decision", "Why"]
    assert "scope: work" in text
    assert "[[DEC-001]]" in vk.read("decisions.md")


def test_a_japanese_draft_is_kept_as_it_is(vk: Program) -> None:
    draft = "# 置き場所\n\n## 目的\n速くする\n\n## 選択肢\n- Redis（採用）\n- メモリ（却下）\n\n## 決定\nRedis を使う。\n\n## 理由\nすでにある。\n"
    done = vk.process("record", "decision", "-", "--json", stdin=draft.encode())
    assert done.returncode == 0, done.stderr
    assert vk.read("archive/" + next(vk.vault.glob("archive/*/*/DEC-001.md")).relative_to(vk.vault / "archive").as_posix()).endswith(draft)
    assert '"rejected": ["メモリ"]' in done.stdout.decode()


def test_a_decision_without_a_decision_is_an_error_that_says_what_to_do(vk: Program) -> None:
    done = vk("record", "decision", "--goal", "Speed")
    assert (done.code, "--decision" in done.err) == (2, True)
    assert not list(vk.vault.glob("archive/*/*/DEC-*"))


def test_twenty_writers_at_once_get_twenty_ids(vk: Program) -> None:
    """Each in a process of its own; the list names them all."""
    command = [sys.executable, "-m", "vaultkit", "--vault", str(vk.vault), "record", "idea", "--idea"]
    also = [
        sys.executable,
        "-m",
        "vaultkit",
        "--vault",
        str(vk.vault),
        "record",
        "decision",
        "--goal",
        "Speed",
        "--why",
        "Because",
        "--decision",
    ]
    running = [
        subprocess.Popen(
            [*(command if number % 4 == 0 else also), f"Number {number}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
        )
        for number in range(20)
    ]
    ended = [(process.communicate(timeout=120), process.returncode) for process in running]
    assert [code for _, code in ended] == [0] * 20, ended
    stems = sorted(path.stem for path in vk.vault.glob("archive/*/*/*-*.md"))
    assert stems == [f"DEC-{number:03}" for number in range(1, 16)] + [f"IDEA-{number:03}" for number in range(1, 6)]
    assert sorted(re.findall(r"\[\[(DEC-\d+)\]\]", vk.read("decisions.md"))) == stems[:15]


@pytest.mark.parametrize("how", ["undone", "trashed", "deleted"])
def test_a_number_is_never_given_twice(vk: Program, how: str) -> None:
    decide(vk)
    decide(vk, "Valkey")
    if how == "undone":
        vk.ok("undo")
    elif how == "trashed":
        vk.ok("note", "trash", "DEC-002")
        (Path(os.environ["XDG_STATE_HOME"]) / "vaultkit").rename(vk.home / "state-of-another-machine")
    else:  # and this machine remembers nothing: the list, which syncs, does
        vk.vault.joinpath("archive/2026/11/DEC-002.md").unlink()
        (Path(os.environ["XDG_STATE_HOME"]) / "vaultkit").rename(vk.home / "state-of-another-machine")
    assert decide(vk, "Memcached") == "DEC-003"


def test_what_supersedes_stands_first_and_both_sides_say_so(vk: Program) -> None:
    decide(vk, "Redis", "--scope", "work")
    assert decide(vk, "Valkey", "--supersedes", "dec-1") == "DEC-002"
    old, new = vk.read("archive/2026/11/DEC-001.md"), vk.read("archive/2026/11/DEC-002.md")
    assert 'superseded_by: "[[DEC-002]]"' in old
    assert "status: retired" in old
    assert '- "[[DEC-001]]"' in new
    assert "scope: work" in new
    found = [hit["path"] for hit in vk.json("search", "Sessions survive a restart")["hits"] if "DEC" in hit["path"]]
    assert found == ["archive/2026/11/DEC-002.md"]
    everything = [hit["path"] for hit in vk.json("search", "Sessions survive a restart Redis", "--all")["hits"] if "DEC" in hit["path"]]
    assert everything == ["archive/2026/11/DEC-002.md", "archive/2026/11/DEC-001.md"]
    assert "superseded by [[DEC-002]]" in vk.read("decisions.md")
    again = vk("record", "decision", "--decision", "Other", "--supersedes", "DEC-001")
    assert (again.code, "DEC-002" in again.err) == (4, True)


def test_what_was_decided_before_is_shown_first_and_counted(vk: Program) -> None:
    decide(vk, "Redis", "--scope", "work")
    decide(vk, "Paint the shed", "--scope", "personal", goal="A dry shed")
    dry = vk.json("record", "decision", "--goal", "Sessions survive a crash", "--decision", "Postgres", "--scope", "work", "--dry-run")
    assert [(row["id"], row["rejected"]) for row in dry["related"]] == [("DEC-001", ["A table in Postgres"])]
    assert dry["id"] == "DEC-003"
    assert not vk.vault.joinpath("archive/2026/11/DEC-003.md").exists()
    found = vk.json("record", "list", "--about", "sessions", "--scope", "work")
    assert [row["id"] for row in found["records"]] == ["DEC-001"]
    assert vk.json("stats")["decisions_shown"] == 2


def test_a_private_decision_is_not_shown(vk: Program) -> None:
    vk.write("archive/2026/11/DEC-001.md", "---\ntype: decision\ntitle: Sessions in Redis\nprivate: true\n---\n## Decision\nRedis\n")
    assert vk.json("record", "list", "--about", "sessions redis")["records"] == []


def test_a_failure_of_a_known_pattern_takes_the_wording_of_its_lesson(vk: Program) -> None:
    vk.ok("record", "failure", "--what", "The deploy served a stale cache", "--cause", "No purge", "--lesson", "Purge after each deploy")
    dry = vk.json("record", "failure", "--what", "After the deploy a stale cache was served", "--lesson", "Clean it", "--dry-run")
    assert (dry["offered_lesson"], dry["lesson"], [row["id"] for row in dry["past"]]) == (
        "Purge after each deploy",
        "Clean it",
        ["FAIL-001"],
    )
    kept = vk.json("record", "failure", "--what", "A stale cache was served after the deploy", "--lesson", "Clean it")
    assert "Clean it" in vk.read(kept["path"])
    taken = vk.json("record", "failure", "--what", "Stale cache was served by the deploy")
    assert taken["lesson"] == "Purge after each deploy" or taken["lesson"] == "Clean it"
    same = vk.json("record", "failure", "--what", "Unlike", "--lesson", "Mine", "--pattern", "FAIL-001", "--same-lesson")
    assert "Purge after each deploy" in vk.read(same["path"])


def test_lists_are_rebuilt_whole_and_edits_by_hand_are_kept_aside(vk: Program) -> None:
    decide(vk)
    written = vk.read("decisions.md")
    vk.write("decisions.md", written.replace("# Decisions\n", "# Decisions\n\nA thought that I wrote here.\n"))
    decide(vk, "Valkey")
    assert "A thought" not in vk.read("decisions.md")
    kept = [path for path in vk.vault.glob("inbox/*edited-by-hand*.md") if "A thought that I wrote here." in path.read_text("utf-8")]
    assert len(kept) == 1
    before = vk.read("decisions.md")
    vk.ok("record", "lists")
    assert vk.read("decisions.md") == before
    assert re.findall(r"\[\[(DEC-\d+)\]\]", before) == ["DEC-002", "DEC-001"]


def test_a_list_that_a_person_wrote_is_left_alone(vk: Program) -> None:
    mine = "# My decisions\n\n- we use Redis\n"
    vk.write("decisions.md", mine)
    done = vk.json("record", "decision", "--goal", "Speed", "--decision", "Redis", "--why", "fast")
    assert vk.read("decisions.md") == mine
    assert any("left alone" in line for line in done["warnings"])


def test_properties_that_a_person_gave_a_list_stay(vk: Program) -> None:
    decide(vk)
    vk.write("decisions.md", vk.read("decisions.md").replace("type: moc\n", "type: moc\ncssclasses:\n  - wide\n"))
    decide(vk, "Valkey")
    assert "cssclasses:\n  - wide\n" in vk.read("decisions.md")
    assert not list(vk.vault.glob("inbox/*edited-by-hand*"))


def test_the_table_of_statuses_holds(vk: Program) -> None:
    decide(vk)
    refused = vk("record", "status", "DEC-001", "proposed")
    assert (refused.code, "processed or retired" in refused.err) == (5, True)
    assert vk("record", "status", "DEC-001", "却下", "--why", "x").code == 5
    assert vk("record", "status", "DEC-001", "retired").code == 2  # without a reason
    assert vk.json("record", "status", "DEC-001", "retired", "--why", "The service is gone", "--dry-run")["status"] == "retired"
    assert "status: active" in vk.read("archive/2026/11/DEC-001.md")
    vk.ok("record", "status", "DEC-001", "retired", "--why", "The service is gone")
    assert "reason: The service is gone" in vk.read("archive/2026/11/DEC-001.md")
    assert "retired" in vk.read("decisions.md")
    assert vk("record", "status", "DEC-001", "active").code == 5
    assert vk("record", "status", "DEC-001", "gone").code == 2


@pytest.mark.parametrize(("word", "status"), [("採用", "active"), ("却下", "discarded"), ("保留", "proposed")])
def test_japanese_words_are_statuses(vk: Program, word: str, status: str) -> None:
    vk.write("archive/2026/11/IDEA-004.md", f"---\ntype: idea\ntitle: 掲示板\nstatus: {word}\n---\n案\n")
    assert [row["status"] for row in vk.json("record", "list", "idea")["records"]] == [status]


def test_a_record_is_undone_with_its_line(vk: Program) -> None:
    decide(vk)
    before = vk.read("decisions.md")
    decide(vk, "Valkey")
    vk.ok("undo")
    assert vk.read("decisions.md") == before
    assert not vk.vault.joinpath("archive/2026/11/DEC-002.md").exists()


def test_gaps_that_follow_each_other_are_one_line(vk: Program) -> None:
    vk.write("log.md", "## DEC-001: Redis\nFast.\n\n## DEC-003: Postgres\nThere.\n\n## DEC-9000: Valkey\nFree.\n")
    told = vk.ok("record", "import", "log.md", "--dry-run")
    assert "gap: DEC-002 stands nowhere\ngap: DEC-004 to DEC-8999 stand nowhere\n" in told.out


def test_a_log_in_the_place_of_the_list_is_taken_in_and_kept(vk: Program) -> None:
    log = "# Our decisions\n\n## DEC-001: Redis\nFast.\n\n## DEC-003: Postgres\nThere.\n"
    vk.write("decisions.md", log)
    dry = vk.json("record", "import", "decisions.md", "--dry-run")
    assert (dry["gaps"], vk.read("decisions.md")) == (["DEC-002"], log)
    done = vk.json("record", "import", "decisions.md")
    assert [row["id"] for row in done["records"]] == ["DEC-001", "DEC-003"]
    assert any(path.read_text("utf-8") == log for path in vk.vault.glob("archive/*/*/decisions-imported.md"))
    assert re.findall(r"\[\[(DEC-\d+)\]\]", vk.read("decisions.md")) == ["DEC-003", "DEC-001"]
    vk.ok("undo")
    assert vk.read("decisions.md") == log
    assert not list(vk.vault.glob("archive/*/*/DEC-*"))
    assert decide(vk) == "DEC-004"


def _record(title: str, day: str, decision: str) -> str:
    return f"---\nid: DEC-001\ntitle: {title}\ndate: {day}\ntype: decision\nstatus: active\n---\n## Decision\n\n{decision}\n"


@pytest.mark.parametrize("place", ["archive/2026/12/DEC-001.md", "archive/2026/11/DEC-001.sync-conflict-20261201-101010-ABCDEFG.md"])
def test_an_id_that_two_machines_gave_is_told_apart_and_links_follow(vk: Program, place: str) -> None:
    vk.write("archive/2026/11/DEC-001.md", _record("Redis for sessions", "2026-11-01", "Sessions live in Redis"))
    vk.write(place, _record("Slate blue thumbnails", "2026-12-01", "The background is slate blue"))
    vk.write(
        "a.md", "The thumbnails get a slate blue background (DEC-001).\n\nSessions are in Redis, see [[DEC-001]].\n\nUnclear: DEC-001.\n"
    )
    if "sync" not in place:
        assert any(problem["rule"] == "duplicate-id" for problem in vk.json("lint", code=1)["problems"])
    done = vk.json("record", "renumber")
    assert [(one["given"], one["links"], one["unsure"]) for one in done["renumbered"]] == [("DEC-002", 1, ["a.md:5"])]
    assert vk.read("a.md") == (
        "The thumbnails get a slate blue background (DEC-002).\n\nSessions are in Redis, see [[DEC-001]].\n\nUnclear: DEC-001.\n"
    )
    moved = vk.read(done["renumbered"][0]["to"])
    assert "id: DEC-002" in moved
    assert "slate blue" in moved
    assert "[[DEC-002]]" in vk.read("decisions.md")
    assert vk.json("record", "renumber")["renumbered"] == []


def test_a_bare_id_becomes_a_wikilink_only_on_request(vk: Program) -> None:
    decide(vk)
    text = "---\ndescription: How sessions are kept alive\n---\n# On DEC-001\n\nSessions: as DEC-001 says, `DEC-001`.\n"
    vk.write("a.md", text)
    assert [row["path"] for row in vk.json("backlinks", "DEC-001") if row["path"] == "a.md"] == ["a.md"]
    assert {problem["rule"] for problem in vk.json("lint", "a.md")["problems"]} == {"bare-record"}
    vk.ok("lint", "--fix", "a.md")
    assert vk.read("a.md") == text
    vk.ok("lint", "--fix", "--rule", "bare-record", "a.md")
    assert vk.read("a.md") == text.replace("as DEC-001 says", "as [[DEC-001]] says")


def test_words_are_the_part_that_is_needed(vk: Program) -> None:
    assert vk.json("record", "idea", "Render", "the", "board", "as", "a", "feed")["title"] == "Render the board as a feed"
    assert vk("record", "idea", "Render", "--idea", "Other").code == 2
    draft = vk.process("record", "idea", "-", stdin=b"---\nsource: https://example.org\n---\n# A feed\n\nRender it.\n")
    assert draft.returncode == 0
    assert "source: https://example.org" in vk.read(next(vk.vault.glob("archive/*/*/IDEA-002.md")).relative_to(vk.vault).as_posix())


def test_the_same_decision_twice_is_told(vk: Program) -> None:
    decide(vk)
    words = ("record", "decision", "--goal", "Sessions survive a restart", "--decision", "Redis", "--why", "We run it already", "--dry-run")
    assert any("DEC-001 says the same" in line for line in vk.json(*words)["warnings"])


def test_lint_fix_renumbers(vk: Program) -> None:
    vk.write("archive/2026/11/DEC-001.md", _record("Redis for sessions", "2026-11-01", "Sessions live in Redis"))
    vk.write("archive/2026/12/DEC-001.md", _record("Slate blue thumbnails", "2026-12-01", "The background is slate blue"))
    shown = vk("--json", "lint", "--fix", "--dry-run").json
    assert shown["changed"] == ["archive/2026/12/DEC-001.md"]
    assert vk.vault.joinpath("archive/2026/12/DEC-001.md").exists()
    vk("lint", "--fix")
    assert vk.vault.joinpath("archive/2026/12/DEC-002.md").exists()


def test_recall_gives_the_successor(vk: Program) -> None:
    decide(vk)
    decide(vk, "Valkey", "--supersedes", "DEC-001")
    notes = vk.json("recall", "sessions restart")["notes"]
    assert [note["path"] for note in notes if "DEC" in note["path"]] == ["archive/2026/11/DEC-002.md"]
