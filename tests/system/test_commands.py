"""The smaller commands, errors and exit codes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.program import Program
from vaultkit.cli import root
from vaultkit.cli._commands import COMMANDS, GROUPS
from vaultkit.upkeep.schedule import JOBS


def test_help_names_every_command_with_the_commands_own_line() -> None:
    import click

    context = click.Context(root)
    assert sorted(name for _, names in GROUPS for name in names) == sorted(COMMANDS)
    for name, (_, _, line) in COMMANDS.items():
        command = root.get_command(context, name)
        assert command is not None
        assert (command.help or "").strip().splitlines()[0] == line, name


def test_help_imports_no_third_party_but_click() -> None:
    code = "import sys; sys.argv=['vaultkit','--help']\ntry:\n import vaultkit.cli; vaultkit.cli.main(['--help'])\nexcept SystemExit: pass\nprint([m for m in ('yaml','tantivy','httpx','rich','numpy','ollama','frontmatter','trafilatura') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_importing_the_package_loads_no_third_party() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys, vaultkit; print('click' in sys.modules, vaultkit.__version__)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("False 0.")


@pytest.mark.parametrize(
    ("words", "code", "name"),
    [
        (("note", "read", "nothing"), 3, "note-not-found"),
        (("note", "create", "a:b", "x"), 5, "unsafe-name"),
        (("note", "create", "../out", "x"), 5, "outside-vault"),
        (("note", "create", ".obsidian/x", "x"), 5, None),
        (("note", "create", "home", "x"), 4, "note-exists"),
        (("serch", "x"), 2, "usage"),
        (("search",), 2, "usage"),
        (("lookahead", "--today", "yesterday"), 2, "usage"),
        (("lookahead", "done", "nope12"), 3, "not-found"),
        (("capture", "  "), 2, "usage"),
        (("capture", "--as", "holiday", "x"), 2, "usage"),
        (("config", "inbox_foldr"), 2, "config"),
        (("grep", "-E", "("), 2, "query-syntax"),
        (("undo", "--run", "nope"), 3, "not-found"),
        (("undo", "--since", "soon"), 2, "usage"),
    ],
)
def test_an_error_has_its_code_and_says_what_to_do(vk: Program, words: tuple[str, ...], code: int, name: str | None) -> None:
    error = vk.json(*words, code=code)["error"]
    assert error["message"]
    assert error["hint"], error
    if name:
        assert error["code"] == name


def test_no_vault_is_said_with_the_next_step(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(program.home)
    done = program("search", "x", vault=False)
    assert done.code == 3
    assert "vaultkit init" in done.err


def test_an_adopted_vault_keeps_every_byte(program: Program) -> None:
    program.write("00 Inbox/one.md", "---\ncreated: 2026-01-02\n---\nThe lease ends on 31 March 2027.\n")
    program.write("Notes/two.md", "---\nbad: [\n---\n[[one]] [[nothing]]\n")
    program.write("Templates/t.md", "{{title}} by Friday\n")
    before = {path: path.read_bytes() for path in program.vault.rglob("*") if path.is_file()}
    made = program.json("init", str(program.vault))
    assert made["adopted"] is True
    assert made["created"] == [".vaultkit.toml"]
    assert made["report"]["notes"] == 3
    assert made["report"]["prose_dates"] == 1
    assert made["report"]["broken_yaml"] == 1
    assert {path: path.read_bytes() for path in before} == before
    settings = program.read(".vaultkit.toml")
    assert 'inbox_folder = "00 Inbox"' in settings
    assert 'date_property = "created"' in settings
    assert not (program.vault / ".git").exists()
    again = program.json("init", str(program.vault))
    assert (again["adopted"], again["created"]) == (True, [])


def test_a_new_vault_is_what_obsidian_expects(vk: Program) -> None:
    settings = vk.vault / ".obsidian"
    assert not (settings / "community-plugins.json").exists()
    assert json.loads((settings / "daily-notes.json").read_text()) == {
        "folder": "daily",
        "format": "YYYY-MM-DD",
        "template": "templates/daily",
    }
    for file in settings.glob("*.json"):
        json.loads(file.read_text())
    assert vk("lint", "--info").code == 0
    if shutil.which("git"):
        assert (
            subprocess.run(["git", "-C", str(vk.vault), "status", "--porcelain"], capture_output=True, text=True, check=True).stdout == ""
        )


def test_notes_are_read_made_appended_to_moved_and_trashed(vk: Program) -> None:
    made = vk.json("note", "create", "topics/certs", "# Certs\n\nSee [[home]].")
    assert (made["path"], len(made["hash"])) == ("topics/certs.md", 64)
    vk.ok("note", "append", "certs", "one more line")
    assert vk.ok("note", "read", "certs").out == "# Certs\n\nSee [[home]].\none more line\n"
    vk.write("a.md", "[[certs|the certs]] and [[topics/certs#Certs]]\n")
    moved = vk.json("note", "move", "certs", "topics/tls")
    assert (moved["path"], moved["rewritten"]) == ("topics/tls.md", ["a.md"])
    assert vk.read("a.md") == "[[tls|the certs]] and [[topics/tls#Certs]]\n"
    assert vk.json("backlinks", "tls")[0]["path"] == "a.md"
    trashed = vk.json("note", "trash", "tls")
    assert "links lead to it" in trashed["warnings"][0]
    assert (vk.vault / ".trash/topics/tls.md").exists()
    assert vk("lint").code == 1
    vk.ok("undo")
    assert (vk.vault / "topics/tls.md").exists()
    assert vk("lint").code == 0


def test_a_new_name_that_takes_over_links_is_reported(vk: Program) -> None:
    vk.write("deep/plan.md", "x\n")
    vk.write("a.md", "[[plan]]\n")
    done = vk("note", "create", "plan", "shorter path")
    assert done.code == 0
    assert "will mean plan.md" in done.err


def test_dry_runs_change_nothing(vk: Program) -> None:
    vk.write("inbox/x.md", "send it by Friday\n")
    vk.write("a.md", "[[x]] due tomorrow\n")
    before = {path: path.read_bytes() for path in vk.vault.rglob("*.md")}
    for words in (
        ("note", "move", "x", "y"),
        ("note", "trash", "x"),
        ("note", "append", "x", "z"),
        ("note", "create", "new", "z"),
        ("capture", "z"),
        ("intake",),
        ("lint", "--fix"),
    ):
        assert vk(*words, "--dry-run").code in {0, 1}
    assert {path: path.read_bytes() for path in vk.vault.rglob("*.md")} == before
    assert vk.json("history") == []


def test_grep_finds_lines_with_context_and_folded(vk: Program) -> None:
    vk.write("a.md", "one\nＧｉｔＬａｂ guides\nthree\n")
    assert vk.json("grep", "guides", "-C", "1")["matches"] == [
        {"path": "a.md", "line": 2, "text": "ＧｉｔＬａｂ guides", "before": ["one"], "after": ["three"]}
    ]
    assert vk.json("grep", "gitlab")["matches"] == []
    assert vk.json("grep", "gitlab", "--fold")["matches"][0]["line"] == 2
    assert vk.json("grep", "-E", "^th.ee$")["matches"] == [{"path": "a.md", "line": 3, "text": "three"}]
    assert vk("grep", "nothing of the kind").code == 0


@pytest.mark.parametrize(
    "query", ["C++", "foo:bar", '"x', "[[a]]", "🚀", "a AND", "-x", "*", "x" * 50_000, "日" * 1000, "\udcff", "\0", "' OR 1=1", "会議"]
)
def test_any_text_is_a_valid_query(vk: Program, query: str) -> None:
    assert vk.json("search", "--", query)["query"] == query or "\udcff" in query


def test_search_finds_japanese_and_filters(vk: Program) -> None:
    vk.write("a.md", "---\ntags: [設計]\ntype: knowledge\n---\n# 会議の議事録\n締切は金曜日、背景色を変更する。ＧｉｔＬａｂ\n")
    vk.write("b.md", "---\nstatus: retired\n---\n# 会議の古い議事録\n")
    for query in ("会議", "締切", "背景色", "gitlab", "GitLab", "git lab", "ＧｉｔＬａｂ"):
        assert [hit["path"] for hit in vk.json("search", query)["hits"]] == ["a.md"], query
    assert [hit["path"] for hit in vk.json("search", "会議", "--all")["hits"]] == ["a.md", "b.md"]
    assert vk.json("search", "会議", "--tag", "設計")["hits"][0]["path"] == "a.md"
    assert vk.json("search", "会議", "--type", "moc")["hits"] == []
    assert "vaultkit grep" in vk.ok("search", "nothingofthekind").out


def test_removed_and_renamed_notes_leave_no_ghosts(vk: Program) -> None:
    file = vk.write("ghost.md", "boo unique\n")
    assert len(vk.json("search", "boo")["hits"]) == 1
    file.rename(vk.vault / "spirit.md")
    assert [hit["path"] for hit in vk.json("search", "boo")["hits"]] == ["spirit.md"]
    (vk.vault / "spirit.md").unlink()
    assert vk.json("search", "boo")["hits"] == []


def test_a_deleted_or_broken_cache_is_made_again(vk: Program) -> None:
    vk.write("a.md", "unique words\n")
    assert vk.json("search", "unique")["hits"]
    cache = Path(os.environ["XDG_CACHE_HOME"]) / "vaultkit"
    shutil.rmtree(cache)
    assert vk.json("search", "unique")["hits"]
    for file in cache.rglob("*"):
        if file.is_file():
            file.write_bytes(b"garbage")
    assert vk.json("search", "unique")["hits"]
    for file in cache.rglob("meta.json"):
        file.unlink()
    assert vk.json("search", "unique")["hits"]


def test_bad_notes_are_skipped_with_a_word_and_the_rest_goes_on(vk: Program) -> None:
    vk.write("good.md", "fine words\n")
    vk.write("bytes.md", b"\xff\xfe\x00 fine too\n")
    vk.write("yaml.md", "---\na: [\n---\nfine as well\n")
    vk.write("copy (conflicted copy 2026-01-01).md", "fine copy\n")
    vk.write("large.md", "fine " * 2_500_000)
    (vk.vault / "out.md").symlink_to("/etc/hostname")
    synced = vk.json("sync")
    reasons = {item["path"]: item["reason"] for item in synced["skipped"]}
    assert set(reasons) == {"copy (conflicted copy 2026-01-01).md", "large.md", "out.md"}
    found = {hit["path"] for hit in vk.json("search", "fine")["hits"]}
    assert found == {"good.md", "bytes.md", "yaml.md"}
    rules = {problem["rule"] for problem in vk.json("lint", code=1)["problems"]}
    assert {"bad-yaml", "conflict-copy"} <= rules


def test_an_empty_vault_is_no_success(program: Program) -> None:
    (program.vault / ".obsidian").mkdir(parents=True)
    assert program("lookahead").code == 3
    assert program("lint").code == 3


def test_the_cap_on_rewrites_says_how_to_go_on(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        vk.write(f"n{number}.md", "---\ndate: 2026-11-30\n---\nsend the report by 2026-12-24\n")
    monkeypatch.setenv("VAULTKIT_WRITE_CAP", "3")
    error = vk.json("lint", "--fix", code=5)["error"]
    assert error["code"] == "cap-reached"
    assert "write_cap" in error["hint"]
    monkeypatch.setenv("VAULTKIT_WRITE_CAP", "10")
    assert vk("lint", "--fix").code == 0


def test_undo_takes_back_a_session(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    vk.ok("capture", "by hand")
    monkeypatch.setenv("VAULTKIT_SESSION", "wild-agent")
    vk.ok("capture", "one")
    vk.ok("capture", "two")
    monkeypatch.delenv("VAULTKIT_SESSION")
    vk.ok("undo", "--session", "wild-agent")
    assert len(list((vk.vault / "inbox").glob("*.md"))) == 1


def test_autocommit_commits_and_says_so(vk: Program) -> None:
    vk.write("a.md", "x\n")
    assert vk.ok("autocommit").out.startswith("committed 1 file")
    assert vk.ok("autocommit").out.startswith("nothing changed")
    vk.write("a.md", "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\n")
    assert "conflict markers" in vk.ok("autocommit").out


def test_settings_are_shown_set_and_unset(vk: Program) -> None:
    assert vk.json("config", "write_cap")[0]["value"] == 100
    vk.ok("config", "write_cap", "7")
    assert vk.json("config", "write_cap")[0] | {"doc": ""} == vk.json("config", "write_cap")[0] | {"doc": "", "value": 7, "origin": "user"}
    vk.ok("config", "--unset", "write_cap")
    assert vk.json("config", "write_cap")[0]["value"] == 100
    vk.ok("config", "--in-vault", "inbox_folder", "00 Inbox")
    assert 'inbox_folder = "00 Inbox"' in vk.read(".vaultkit.toml")
    assert "daily_heading" in vk.read(".vaultkit.toml")
    assert vk.json("config", "--in-vault", "ollama_host", "http://evil.example", code=2)["error"]["code"] == "config"


def test_a_vault_that_names_a_host_is_refused(vk: Program) -> None:
    vk.write(".vaultkit.toml", 'ollama_host = "http://evil.example"\n')
    assert vk.json("search", "x", code=2)["error"]["code"] == "config"


def test_schedule_shows_what_it_would_write(vk: Program) -> None:
    shown = vk.json("schedule", "install", "--with", "cron", "--dry-run")
    assert len(shown["lines"]) == len(JOBS)
    assert all(sys.executable in line and str(vk.vault) in line for line in shown["lines"])
    assert len(vk.json("schedule", "install", "autocommit", "--with", "systemd", "--dry-run")["files"]) == 2
    assert vk.json("schedule", "install", "nope", "--with", "cron", "--dry-run", code=2)["error"]["hint"]


def test_the_lookahead_writes_into_the_daily_note_once(vk: Program) -> None:
    vk.ok("capture", "--today", "2026-11-30T09:00", "pay the invoice by Wednesday")
    for _ in range(2):
        assert vk("lookahead", "--to-daily", "--quiet", "--exit-zero", "--today", "2026-12-01").code == 0
    daily = vk.read("daily/2026-12-01.md")
    assert daily.count("pay the invoice") == 1
    assert daily.count("vaultkit:lookahead:start") == 1


def test_an_ics_file_keeps_days_as_days(vk: Program) -> None:
    import icalendar

    vk.ok("capture", "--today", "2026-11-30T09:00", "pay the invoice by Wednesday")
    vk.ok("capture", "--today", "2026-11-30T09:00", "dentist appointment tomorrow at 15:00")
    done = vk("lookahead", "--ics", "--today", "2026-11-30")
    assert done.code == 1
    calendar = icalendar.Calendar.from_ical(done.out)
    todo = next(iter(calendar.walk("VTODO")))
    event = next(iter(calendar.walk("VEVENT")))
    assert str(todo.decoded("due")) == "2026-12-02"
    assert str(event.decoded("dtstart")) == "2026-12-01 15:00:00"


def test_the_graph_has_the_numbers_of_links(vk: Program) -> None:
    vk.write("a.md", "[[home]] [[b]] [[b]]\n")
    vk.write("b.md", "[[a]]\n")
    rows = {row["path"]: row for row in vk.json("graph")}
    assert rows["a.md"]["links"] == sum(row["count"] for row in vk.json("links", "a"))
    assert rows["a.md"]["backlinks"] == sum(row["count"] for row in vk.json("backlinks", "a"))
    csv = vk.home / "graph.csv"
    vk.ok("graph", "--csv", str(csv), "--graphml", str(vk.home / "graph.graphml"))
    assert csv.read_text().count("\n") > 2
    assert "<graphml" in (vk.home / "graph.graphml").read_text()


def test_open_prints_an_address_that_obsidian_reads(vk: Program) -> None:
    opened = vk.json("open", "home", "--dry-run")
    assert opened["uri"].startswith("obsidian://open?path=%2F")
    assert " " not in opened["uri"]
    assert vk("open", "nothing", "--dry-run").code == 3


def test_completion_scripts_come_from_the_program(vk: Program) -> None:
    for shell in ("zsh", "fish"):
        assert "_VAULTKIT_COMPLETE" in vk.ok("completion", shell).out
