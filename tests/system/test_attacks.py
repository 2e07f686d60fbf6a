"""What a new user, an unlucky user and a hostile vault do to the program: no fault, no lost note, no write where none belongs."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import pytest

from tests.support.program import Program
from vaultkit import agenda, app, config
from vaultkit.cli import root
from vaultkit.cli._commands import COMMANDS
from vaultkit.errors import IndexUnavailableError, NoteChangedError, RefusedError, UnavailableError
from vaultkit.operations import deadlines, search
from vaultkit.operations import vault as vaults
from vaultkit.store import git
from vaultkit.store.cache import SCHEMA
from vaultkit.text import names
from vaultkit.upkeep import schedule

FRIDAY = ("--today", "2026-11-30T09:00")
CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def _files(vault: Path) -> dict[str, bytes]:
    return {
        path.relative_to(vault).as_posix(): path.read_bytes() for path in vault.rglob("*") if path.is_file() and ".git" not in path.parts
    }


# -- streams, terminals, JSON


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_fault_and_no_file_gets_its_number(vk: Program, closed: str) -> None:
    vk.write("a.md", "text\n")
    program = [sys.executable, "-m", "vaultkit", "--vault", str(vk.vault)]
    for words in (["note", "read", "a"], ["--json", "tags"], ["lookahead", "--ics"], ["note", "create", f"b{len(closed)}", "hello"]):
        done = subprocess.run(["sh", "-c", f'"$@" {closed}', "sh", *program, *words], capture_output=True, check=False)
        assert done.returncode == 0, (words, done)
        assert b"fault" not in done.stdout + done.stderr
    assert vk.read(f"b{len(closed)}.md") == "hello\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [("config",), ("--json", "config"), ("note", "read", "home")])
def test_a_full_disk_behind_stdout_is_told_by_the_exit_code(vk: Program, words: tuple[str, ...]) -> None:
    program = [sys.executable, "-m", "vaultkit", "--vault", str(vk.vault), *words]
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_names_and_text_of_a_hostile_vault_do_not_reach_the_terminal_raw(vk: Program) -> None:
    vk.write("red\x1b[31m\u202e.md", "# t\x1b]0;x\x07\n- [ ] task \x1b[2J 📅 2026-12-01\nby 2026-12-05 see [[gone\x9b]]\n")
    vk.write("two\nlines.md", "---\ndue: 2026-12-02\nbad: [\n---\n")
    vk.write("plan.md", "- [ ] two 📅 2026-12-02 🆔 aaa111\n")
    vk.write("two\nthree.md", "- [ ] three 📅 2026-12-02\n")
    for words in (
        *(("lookahead",), ("lint",), ("lint", "--fix", "--dry-run"), ("search", "task"), ("grep", "task"), ("tasks",), ("orphans",)),
        *(("unresolved",), ("sync",), ("note", "read", "red"), ("graph",), ("intake", "--dry-run"), ("lookahead", "--line")),
    ):
        done = vk(*FRIDAY, *words)
        assert not CONTROL.search(done.out + done.err), (words, done)
        assert not any(line.startswith(("lines.md", "three.md")) for line in done.out.splitlines()), words
    assert vk.json("grep", "task")["matches"][0]["text"] == "- [ ] task \x1b[2J 📅 2026-12-01"


def test_text_of_every_script_reaches_the_terminal_as_it_is(vk: Program) -> None:
    vk.write("a.md", "- [ ] 会議　資料 👨‍👩‍👧 naïve\u00a0x 📅 2026-12-01\r\n")
    assert "会議　資料 👨‍👩‍👧 naïve\u00a0x" in vk.ok("tasks").out
    vk.write("daily/2026-11-30.md", "one\r\ntwo\r\n")
    assert vk.ok(*FRIDAY, "daily").out == "one\ntwo\n"


def test_json_stays_json_for_numbers_that_json_lacks(vk: Program) -> None:
    vk.write("a.md", "---\na: .nan\nb: [.inf, {c: -.inf}]\nd: 1.5\n---\n")

    def refuse(word: str) -> None:
        raise AssertionError(word)

    found = json.loads(vk("--json", "properties", "a").out, parse_constant=refuse)
    assert found == {"a": None, "b": [None, {"c": None}], "d": 1.5}


def test_every_command_reports_a_missing_vault_as_json(program: Program) -> None:
    arguments = {
        **dict.fromkeys(("capture", "recall", "overlap", "search", "grep", "open", "links", "backlinks"), ("x",)),
        "note": ("read", "x"),
        "schedule": ("status",),
        "research": ("save", __file__),
        "record": ("list",),
        "promote": ("list",),
        "obsidian": ("status",),
        "query": ("LIST",),
        "install": ("codex",),
        "session": ("list",),
    }
    without = {"init", "completion", "daemon", "uninstall", "doctor", "hook"}  # hook: nothing on stdout, exit 0, whatever happens
    for name in COMMANDS:
        if name in without:
            continue
        done = program("--vault", str(program.home / "none"), "--json", name, *arguments.get(name, ()), vault=False)
        error = json.loads(done.out)["error"]
        assert (done.code, error["code"], bool(error["hint"])) == (3, "vault-not-found", True), name


def test_every_help_says_something() -> None:
    def walk(command: click.Command, context: click.Context, name: str) -> None:
        assert command.hidden or (command.help or "").strip(), name
        if isinstance(command, click.Group):
            for each in command.list_commands(context):
                found = command.get_command(context, each)
                assert found is not None
                walk(found, click.Context(found, parent=context), f"{name} {each}")

    walk(root, click.Context(root), "vaultkit")


# -- words on the command line


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("undo", "--run", ""), 2),
        (("undo", "--session", " "), 2),
        (("undo", "--since", ""), 2),
        (("lint", ""), 3),
        (("lint", "--fix", ""), 3),
        (("tags", ""), 3),
        (("tasks", ""), 3),
        (("properties", ""), 3),
        (("note", "trash", ""), 3),
        (("note", "move", "home", ""), 2),
        (("note", "move", "runbooks", ""), 2),
        (("--today", "", "lookahead"), 2),
        (("--vault", "", "tags"), 3),
        (("init", ""), 2),
        (("tasks", "--status", ""), 2),
    ],
)
def test_an_empty_shell_variable_never_means_everything(vk: Program, words: tuple[str, ...], code: int) -> None:
    vk.write("runbooks/a.md", "by 2026-12-05\n")
    before = _files(vk.vault)
    error = vk.json(*words, code=code)["error"]
    assert error["hint"]
    assert _files(vk.vault) == before


@pytest.mark.parametrize("word", ["9" * 30 + "d", "²d", "999999999d", "0001-01-01", "9999999999999h"])
def test_a_time_that_no_calendar_has_is_a_usage_error(vk: Program, word: str) -> None:
    assert vk.json("undo", "--since", word, code=2)["error"]["code"] == "usage"


def test_a_rule_that_does_not_exist_is_no_clean_vault(vk: Program) -> None:
    assert "prose-date" in vk.json("lint", "--rule", "prose-dates", code=2)["error"]["hint"]


def test_fix_of_one_rule_leaves_the_notes_that_keep_it(vk: Program) -> None:
    vk.write("al.md", "---\naliases: [Alf]\n---\n")
    vk.write("link.md", "[[Alf]]\n")
    vk.write("date.md", "ship it by 2026-12-05\n")
    assert vk.json(*FRIDAY, "lint", "--fix", "--rule", "alias-link")["changed"] == ["link.md"]
    assert vk.read("link.md") == "[[al|Alf]]\n"
    assert vk.read("date.md") == "ship it by 2026-12-05\n"
    assert vk.json(*FRIDAY, "lint", "--fix", "--rule", "prose-date")["changed"] == ["date.md"]


def test_every_rule_that_a_lint_names_can_be_asked_for(vk: Program) -> None:
    vk.write("a.md", "---\na: [\n---\n[[none]]\n")
    vk.write("b.md", "---\ntags: x\ndue: never\n---\nby 2026-12-05\n")
    vk.write("c.canvas", "{")
    vk.write("d.canvas", "{}")
    vk.write("a (conflicted copy 2026-01-02).md", "x\n")
    found = {problem["rule"] for problem in vk.json(*FRIDAY, "lint", "--info", code=1)["problems"]}
    assert {"bad-yaml", "bad-canvas", "empty-canvas", "conflict-copy", "unparsable-date"} <= found <= set(deadlines.RULES)
    assert set(agenda.RULES) < set(deadlines.RULES)


def test_a_new_canvas_is_empty_and_no_problem(vk: Program) -> None:
    vk.write("new.canvas", "{}")
    vk.write("newer.canvas", "")
    assert vk("lint").code == 0


def test_a_pattern_that_tries_every_split_is_stopped(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_SECONDS_A_NOTE", 0.2)
    vk.write("a.md", "a" * 60 + "!\n")
    error = vk.json("grep", "-E", "(a+)+$", code=2)["error"]
    assert "a.md" in error["message"]
    assert vk.json("grep", "-E", "a+!$")["matches"][0]["line"] == 1


# -- settings


@pytest.mark.parametrize(
    "line",
    [
        'fiscal_year_end = "x"',
        'fiscal_year_end = "02-30"',
        "week_ends = 7",
        'inbox_folder = "a/.b"',
        'inbox_folder = "a//b"',
        'inbox_folder = "a\\u0000b"',
        'due_property = ""',
        'due_property = " due"',
        'due_property = "action_items"',
        "lock_timeout = nan",
        "lock_timeout = inf",
        "workers = 100000",
        "undo_days = 99999999999999999",
        "intake_minutes = 99999999999999",
        'daily_heading = "a\\nb"',
        "write_cap = " + "9" * 5000,
        "ignore = " + "[" * 5000,
    ],
)
def test_a_setting_that_would_break_later_breaks_at_once(vk: Program, line: str) -> None:
    (vk.home / "config.toml").write_text(line)
    done = vk.process("--json", "lookahead", env={"VAULTKIT_CONFIG": str(vk.home / "config.toml")})
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["code"], bool(error["hint"])) == (2, "config", True)


def test_a_variable_that_is_a_setting_misspelt_is_told(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULTKIT_SOMETHING_ELSE", "x")
    vk.ok("tags")
    monkeypatch.setenv("VAULTKIT_INBOX_FOLDR", "x")
    assert "VAULTKIT_INBOX_FOLDER" in vk.json("tags", code=2)["error"]["hint"]


def test_folders_and_properties_may_be_japanese(vk: Program) -> None:
    vk.ok("config", "--in-vault", "inbox_folder", "受信　箱")
    vk.ok("config", "--in-vault", "due_property", "締切　日")
    assert vk.json(*FRIDAY, "capture", "call Bob by Friday")["path"].startswith("受信　箱/")


def test_a_vault_s_settings_file_can_neither_hang_nor_reach_out(vk: Program) -> None:
    file = vk.vault / config.VAULT_FILE
    file.unlink()
    os.mkfifo(file)
    assert vk.json("tags", code=2)["error"]["code"] == "config"
    file.unlink()
    (vk.home / "secret.toml").write_text('inbox_folder = "stolen"\n')
    file.symlink_to(vk.home / "secret.toml")
    for words in (("tags",), ("config", "--in-vault", "inbox_folder", "x")):
        assert "out of the vault" in vk.json(*words, code=2)["error"]["message"]
    file.unlink()
    file.write_bytes(b"# " + b"x" * 2_000_000)
    assert vk.json("tags", code=2)["error"]["code"] == "config"


def test_setting_a_value_writes_through_no_name_that_a_vault_prepared(vk: Program) -> None:
    mine = vk.home / "profile"
    mine.write_text("precious\n")
    for name in (f".{config.VAULT_FILE}.new", f"{config.VAULT_FILE}.new", f"{config.VAULT_FILE}.tmp"):
        (vk.vault / name).symlink_to(mine)
    vk.ok("config", "--in-vault", "inbox_folder", "box")
    assert mine.read_text() == "precious\n"
    assert config.load(vk.vault).inbox_folder == "box"


def test_a_settings_file_that_cannot_be_written_leaves_nothing_behind(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _files(vk.vault)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert vk.json("config", "--in-vault", "inbox_folder", "box", code=1)["error"]["code"] == "system"
    assert _files(vk.vault) == before


@pytest.mark.parametrize(
    "text",
    [
        b"[",
        b"\xff\xfe",
        b"[" * 50_000,
        b"a: &a [x]\n",
        b"- query: [a]\n",
        b"- null\n",
        b"- &a [x, x, x, x, x, x, x, x, x]\n"
        + b"".join(b"- &%c [" % (98 + n) + b", ".join([b"*%c" % (97 + n)] * 9) + b"]\n" for n in range(12))
        + b"- {query: x, expect: [*m]}\n",
        b"- !!python/object/apply:os.system [touch pwned]\n",
    ],
)
def test_a_hostile_golden_file_is_told_and_starts_nothing(vk: Program, text: bytes) -> None:
    vk.write("golden.yml", text)
    for words in (("eval",), ("recall", "where does this vault start")):
        assert vk.json(*words, code=2)["error"]["code"] == "config"
    done = vk("eval")
    assert len(done.err.splitlines()) == 2
    assert not Path("pwned").exists()
    vk.write("golden.yml", b"# nothing yet\n")
    assert vk.json("eval")["cases"] == []


# -- daily notes as a vault configures them


@pytest.mark.parametrize(
    "settings",
    [
        b"{",
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"folder": "../out"}',
        b'{"folder": ".obsidian"}',
        b'{"folder": "a//b"}',
        b'{"folder": "home.md"}',
        b'{"folder": "x\\u0000y"}',
        b'{"folder": "\\ud800"}',
        b'{"format": "[../../out]"}',
        b'{"format": "HH:mm"}',
        b'{"format": " "}',
        b'{"format": "' + b"Y" * 5000 + b'"}',
        b'{"template": "../../etc/passwd"}',
        b'{"folder": ["a"], "format": {"b": 1}, "template": 3}',
    ],
)
def test_a_capture_is_kept_whatever_daily_notes_json_says(vk: Program, settings: bytes) -> None:
    vk.write(".obsidian/daily-notes.json", settings)
    receipt = vk.json(*FRIDAY, "capture", "call Bob by Friday")
    assert (vk.vault / receipt["path"]).exists()
    assert receipt["daily"]
    assert receipt["path"].rsplit("/", 1)[-1].removesuffix(".md") in vk.read(receipt["daily"])
    assert vk(*FRIDAY, "daily", "--create").code == 0
    assert vk(*FRIDAY, "lookahead", "--to-daily").code == 1


def test_a_daily_note_that_cannot_be_written_costs_only_its_link(vk: Program) -> None:
    shutil.rmtree(vk.vault / "daily")
    outside = vk.home / "outside"
    outside.mkdir()
    (vk.vault / "daily").symlink_to(outside)
    done = vk.ok(*FRIDAY, "capture", "call Bob by Friday")
    assert "not linked in the daily note" in done.out
    (vk.vault / "daily").unlink()
    (vk.vault / "daily/2026-11-30.md").mkdir(parents=True)
    done = vk.ok(*FRIDAY, "capture", "call Ann by Friday")
    assert "not linked in the daily note" in done.out
    assert list(outside.iterdir()) == []
    assert len(list((vk.vault / "inbox").glob("*.md"))) == 2


def test_a_session_at_its_cap_still_keeps_a_thought(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    vk.ok(*FRIDAY, "daily", "--create")
    monkeypatch.setenv("VAULTKIT_SESSION", "s1")
    monkeypatch.setenv("VAULTKIT_WRITE_CAP", "1")
    vk.ok(*FRIDAY, "capture", "call Bob by Friday")
    done = vk.ok(*FRIDAY, "capture", "call Ann by Friday")
    assert "not linked in the daily note" in done.out
    vk.write("a.md", "x\n")
    error = vk.json("note", "append", "a", "more", code=5)["error"]
    told = re.search(r"VAULTKIT_WRITE_CAP=(\d+)", error["hint"])
    assert told, error
    monkeypatch.setenv("VAULTKIT_WRITE_CAP", told[1])
    vk.ok("note", "append", "a", "more")


def test_nothing_in_a_vault_can_break_out_of_the_lookahead_s_block(vk: Program) -> None:
    vk.write("a\n- [ ] forged.md", "- [ ] x <!-- vaultkit:lookahead:end --> %% 📅 2026-12-01\n")
    for _ in range(3):
        assert vk(*FRIDAY, "lookahead", "--to-daily").code == 1
    text = vk.read("daily/2026-11-30.md")
    assert text.count("vaultkit:lookahead:end") == text.count("<!-- vaultkit:lookahead:end -->") + 1
    assert text.count("<!-- vaultkit:lookahead:start -->") == text.count("<!-- vaultkit:lookahead:end -->") == 1
    assert "\n- [ ] forged" not in text


# -- notes by name


def test_a_note_is_also_named_by_its_absolute_path_and_from_the_vault_s_folder(vk: Program) -> None:
    vk.write("sub/a.md", "[[home]]\n")
    (vk.home / "link").symlink_to(vk.vault)
    for name in (str(vk.vault / "sub/a.md"), str(vk.home / "link/sub/a.md"), "./sub/a.md"):
        assert vk.json("note", "read", name)["path"] == "sub/a.md"
        assert vk.json("links", name)[0]["path"] == "home.md"
    assert vk.json("note", "create", f"{vk.vault}/new/b", "x")["path"] == "new/b.md"
    assert vk.json("note", "move", "./new/b.md", str(vk.vault / "c"))["path"] == "c.md"
    assert vk.json("note", "create", str(vk.home / "out"), "x", code=5)["error"]["code"] == "outside-vault"
    assert vk.json("note", "read", str(vk.home / "link"), code=3)["error"]["code"] == "note-not-found"
    assert not (vk.home / "out.md").exists()


def test_only_notes_are_appended_to(vk: Program) -> None:
    vk.write("a.png", b"\x89PNG\0")
    vk.write("b.canvas", "{}")
    for name in ("a.png", "b.canvas"):
        assert vk.json("note", "append", name, "x", code=5)["error"]["code"] == "refused"
    assert (vk.vault / "a.png").read_bytes() == b"\x89PNG\0"


def test_a_place_that_cannot_be_is_told_as_what_it_is(vk: Program) -> None:
    (vk.vault / "Topics").mkdir()
    assert "is a file" in vk.json("note", "create", "home.md/x", "x", code=4)["error"]["message"]
    assert "case only" in vk.json("note", "create", "topics/x", "x", code=4)["error"]["message"]


def test_names_that_hide_are_refused_or_told(vk: Program) -> None:
    for name in ("\u200b", "\u2060\u200d", "\u3000\u200b"):
        assert vk.json("note", "create", f"a/{name}.md", "x", code=5)["error"]["code"] == "unsafe-name"
    names.check_name("é👍.md")
    vk.write("plan.md", "x\n")
    made = vk.json("note", "create", "plan (conflicted copy 2026-01-02)", "x")
    assert "will not be indexed" in made["warnings"][0]


def test_a_long_name_can_be_trashed_twice(vk: Program) -> None:
    for name in ("x" * 252, "あ" * 84):
        for text in ("one", "two"):
            vk.write(f"{name}.md", text)
            vk.ok("note", "trash", name)
        assert sorted(path.read_text() for path in (vk.vault / ".trash").glob(f"{name[:80]}*")) == ["one", "two"]


# -- moving folders


def test_a_moved_folder_leaves_no_shell_and_comes_back_whole(vk: Program) -> None:
    vk.write("old/deep/a.md", "[[b]]\n")
    vk.write("old/b.md", "[[a]]\n")
    vk.write("か\u3099/c.md", "[[old/b]]\n")
    before = _files(vk.vault)
    moved = vk.json("note", "move", "old", "new")
    assert (moved["path"], moved["hash"], moved["moved"]) == ("new", "", ["new/b.md", "new/deep/a.md"])
    assert not (vk.vault / "old").exists()
    vk.ok("note", "move", "が", "き")
    assert not (vk.vault / "か\u3099").exists()
    vk.ok("undo")
    vk.ok("undo")
    assert _files(vk.vault) == before


def test_a_folder_moves_into_another_with_a_slash_and_keeps_what_it_hides(vk: Program) -> None:
    vk.write("old/a.md", "x\n")
    vk.write("old/.keep", "")
    done = vk.ok("note", "move", "old", "runbooks/")
    assert (vk.vault / "runbooks/old/a.md").exists()
    assert "still holds files" in done.err
    assert (vk.vault / "old/.keep").exists()
    vk.write("inbox/a1.md", "x\n")
    assert "inbox_folder still names inbox" in vk.ok("note", "move", "inbox", "box").err


def test_an_empty_folder_is_not_taken_for_a_note_elsewhere(vk: Program) -> None:
    vk.write("else/empty.md", "x\n")
    (vk.vault / "empty").mkdir()
    assert vk.json("note", "move", "empty", "full", code=3)["error"]["code"] == "note-not-found"
    assert (vk.vault / "else/empty.md").exists()


def test_case_only_renames_work_for_notes_and_are_explained_for_folders(vk: Program) -> None:
    vk.write("sub/a.md", "x\n")
    vk.ok("note", "move", "a", "sub/A")
    assert (vk.vault / "sub/A.md").exists()
    assert "third name" in vk.json("note", "move", "sub", "Sub", code=4)["error"]["hint"]
    vk.ok("note", "move", "sub", "tmp")
    vk.ok("note", "move", "tmp", "Sub")
    assert (vk.vault / "Sub/A.md").exists()
    assert "nothing was changed" in vk.ok("note", "move", "Sub/A", "Sub/A").err


def test_a_move_tells_which_notes_it_could_not_look_into(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULTKIT_MAX_NOTE_MB", "1")
    vk.write("big.md", "[[a]] " * 200_000)
    vk.write("a.md", "x\n")
    assert "big.md" in vk.ok("note", "move", "a", "b").err


# -- other programs at work


def test_a_note_that_changes_between_look_and_fix_keeps_the_change(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    vk.write("al.md", "---\naliases: [Alf]\n---\n")
    vk.write("a.md", "[[Alf]] one\n")
    vk.write("b.md", "[[Alf]]\n")
    kept, done = deadlines._fixed, list[str]()

    def meddle(opened: app.App, *others: Any) -> str | None:
        if not done:
            done.append("x")
            vk.write("a.md", "prefix [[Alf]] two\n")
            (vk.vault / "b.md").rename(vk.vault / "moved.md")
        return kept(opened, *others)

    monkeypatch.setattr(deadlines, "_fixed", meddle)
    vk("lint", "--fix")
    assert vk.read("a.md") == "prefix [[al|Alf]] two\n"
    assert vk.read("moved.md") in {"[[Alf]]\n", "[[al|Alf]]\n"}
    vk("lint", "--fix")
    assert vk.read("moved.md") == "[[al|Alf]]\n"


def test_an_append_and_a_move_are_planned_anew_when_a_note_changed_under_them(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    vk.write("a.md", "x\n")
    vk.write("b.md", "[[a]]\n")
    kept, tries = app.App.commit, list[str]()

    def commit(self: app.App, edits: Any, *, command: str) -> Any:
        tries.append(command)
        if len(tries) % 2:
            vk.write("b.md", f"[[a]] {len(tries)}\n")
        return kept(self, edits, command=command)

    monkeypatch.setattr(app.App, "commit", commit)
    vk.ok("note", "append", "b", "more")
    assert vk.read("b.md") == "[[a]] 1\nmore\n"
    vk.ok("note", "move", "a", "c")
    assert vk.read("b.md") == "[[c]] 3\n"
    assert len(tries) == 4
    vk.write("b.md", "y\n")
    read = vk.json("note", "read", "b")["hash"]
    vk.write("b.md", "z\n")
    assert vk.json("note", "append", "b", "w", "--expect", read, code=4)["error"]["code"] == "note-changed"


def test_work_that_never_settles_ends_with_the_conflict(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    vk.write("a.md", "x\n")
    monkeypatch.setattr(app.App, "commit", lambda *_, **__: (_ for _ in ()).throw(NoteChangedError("a.md")))
    assert vk.json("note", "append", "a", "y", code=4)["error"]["code"] == "note-changed"
    assert vk.read("a.md") == "x\n"


# -- derived state and folders outside the vault


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE heads SET data = x'00'",
        "UPDATE notes SET data = x'ff00'",
        "UPDATE notes SET data = x''",
        "UPDATE extracts SET data = x'5b'",
        "UPDATE heads SET data = (SELECT data FROM notes LIMIT 1)",
        "DELETE FROM heads",
        "DELETE FROM notes",
        "DROP TABLE heads",
        "INSERT OR REPLACE INTO meta VALUES ('recent', '[1]')",
        "INSERT OR REPLACE INTO meta VALUES ('recent', '{')",
    ],
)
def test_a_damaged_cache_is_made_anew(vk: Program, damage: str) -> None:
    vk.write("a.md", "[[home]] by 2026-12-05 📅\n- [ ] x 📅 2026-12-01\n")
    expected = [vk(*FRIDAY, *words).out for words in (("lookahead",), ("links", "a"), ("search", "home"), ("lint",))]
    (file,) = (vk.home / "XDG_CACHE_HOME").rglob("notes-*.sqlite")
    for words, out in zip((("lookahead",), ("links", "a"), ("search", "home"), ("lint",)), expected, strict=True):
        with sqlite3.connect(file) as database:
            database.execute(damage)
        database.close()
        done = vk(*FRIDAY, *words)
        assert done.out == out, (words, done)
    assert vk(*FRIDAY, "capture", "call Bob by Friday").code == 0


def test_what_earlier_versions_cached_is_removed(vk: Program) -> None:
    (file,) = (vk.home / "XDG_CACHE_HOME").rglob("notes-*.sqlite")
    old = file.with_name(f"notes-{SCHEMA - 1}-311.sqlite")
    newer = file.with_name(f"notes-{SCHEMA + 1}-311.sqlite")
    old.write_bytes(b"x")
    newer.write_bytes(b"x")
    for path in file.parent.glob(f"{file.name}*"):
        path.unlink()
    vk.ok("tags")
    assert not old.exists()
    assert newer.exists()


def test_a_write_stands_although_the_index_cannot_follow(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, calls = app.App.sync, list[int]()

    def sync(self: app.App, *arguments: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise IndexUnavailableError("the disk of the cache is full", hint="make room")
        return kept(self, *arguments)

    monkeypatch.setattr(app.App, "sync", sync)
    receipt = vk.json(*FRIDAY, "capture", "call Bob by Friday")
    assert (vk.vault / receipt["path"]).exists()
    assert len(calls) >= 2


def test_reading_needs_no_state_folder_and_writing_says_which(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    (vk.home / "file").write_text("x")
    monkeypatch.setenv("XDG_STATE_HOME", str(vk.home / "file"))
    for words in (("tags",), ("search", "home"), ("lookahead",), ("note", "read", "home"), ("history",)):
        assert vk(*words).code == 0, words
    error = vk.json("note", "create", "x", "x", code=1)["error"]
    assert str(vk.home / "file") in error["message"]
    assert "XDG_STATE_HOME" in error["hint"]


def test_a_working_folder_that_is_gone_matters_only_to_who_looks_there(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = vk.home / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert vk("tags").code == 0
    assert vk("--json", "tags", vault=False).json["error"]["code"] == "vault-not-found"


def test_a_symlink_to_the_vault_itself_is_not_called_outside(vk: Program) -> None:
    (vk.vault / "self").symlink_to(".")
    assert {row["path"]: row["reason"] for row in vk.json("sync")["skipped"]}["self"] == "symlink to the vault itself, not followed"


# -- init


def test_init_refuses_places_that_are_none(program: Program) -> None:
    (program.home / "loop").symlink_to("loop")
    (program.home / "dangling").symlink_to("nowhere")
    for words in (("init", str(program.home / "loop")), ("init", str(program.home / "dangling"))):
        assert program.json(*words, code=2)["error"]["hint"]
    assert program.json("init", str(program.home / "other"), code=2)["error"]["message"] == "two places are named"
    assert not (program.home / "other").exists()


def test_the_next_step_that_init_prints_can_be_pasted(program: Program) -> None:
    place = program.home / 'it\'s "mine" $(touch pwned) 日本'
    done = program("init", str(place), vault=False)
    assert done.code == 0
    line = done.out.strip().splitlines()[-1].removeprefix("next: vaultkit ")
    pasted = subprocess.run(["sh", "-c", f'for word in {line}; do echo "$word"; done'], capture_output=True, text=True, check=True)
    assert pasted.stdout.splitlines()[2] == str(place)


def test_half_a_template_is_never_left(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, seen = Path.read_bytes, list[Path]()

    def full(self: Path) -> bytes:
        seen.append(self)
        if len(seen) == 9:
            raise OSError(28, "No space left on device")
        return kept(self)

    monkeypatch.setattr(Path, "read_bytes", full)
    assert program.json("init", str(program.vault), code=1)["error"]["code"] == "system"
    assert list(program.vault.iterdir()) == []
    monkeypatch.setattr(Path, "read_bytes", kept)
    assert program.json("init", str(program.vault))["adopted"] is False


def test_the_date_property_of_an_adopted_vault_is_found_in_a_sample(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vaults, "_SAMPLE", 5)
    for number in range(40):
        program.write(f"n{number}.md", "---\ncreated: 2026-01-02\n---\n")
    assert program.json("init", str(program.vault))["report"]["guesses"] == {"date_property": "created"}


# -- other people's tools


def test_the_timers_of_others_survive_a_crontab_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answers = {"crontab -l": (1, "", "crontab: you are not allowed to use this program")}

    def run(command: Any, text: str = "") -> subprocess.CompletedProcess[str]:
        code, out, err = answers[" ".join(command)]
        return subprocess.CompletedProcess(list(command), code, out, err)

    monkeypatch.setattr(schedule, "_run", run)
    with pytest.raises(UnavailableError, match="not allowed"):
        schedule.read_crontab()
    for words in ("no crontab for root", "crontab: can't open 'root': No such file or directory"):
        answers["crontab -l"] = (1, "", words)
        assert schedule.read_crontab() == ""
    odd = "# a\x0cform feed\u2028and a separator\n\n@daily x\n"
    plan = schedule.plan_install(tmp_path, ["autocommit"], kind="cron", home=tmp_path, crontab=odd)
    assert plan.crontab is not None
    assert plan.crontab.startswith(odd)
    assert schedule.plan_remove(tmp_path, [], kind="cron", home=tmp_path, crontab=plan.crontab).crontab == odd


@pytest.mark.parametrize("kind", ["systemd", "launchd", "cron"])
def test_a_vault_s_name_cannot_add_lines_to_a_timer(tmp_path: Path, kind: schedule.Kind) -> None:
    with pytest.raises(RefusedError):
        schedule.plan_install(tmp_path / "a\n* * * * * evil", [], kind=kind, home=tmp_path)


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_autocommit_starts_no_program_that_the_repository_names_and_leaves_our_own_temporary_files(vk: Program) -> None:
    script = vk.home / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {vk.home}/ran\n")
    script.chmod(0o755)
    for setting in ("core.fsmonitor", "core.pager", "core.editor", "gpg.program"):
        subprocess.run(["git", "-C", str(vk.vault), "config", setting, str(script)], check=True)
    vk.write("a.md", "x\n")
    vk.write(".vk-20261130-0001-0.new", "half")
    vk.write("sub/.vk-20261130-0001-1.new", "half")
    assert vk.json("autocommit")["files"] == 1
    assert not (vk.home / "ran").exists()
    assert "vk-" not in subprocess.run(["git", "-C", str(vk.vault), "ls-files"], capture_output=True, text=True, check=True).stdout
    assert vk.json("autocommit")["reason"] == "nothing changed since the last commit"


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_a_folder_that_only_looks_like_a_repository_is_none(vk: Program) -> None:
    inner = vk.vault / "notes"
    subprocess.run(["git", "init", "-q", "--bare", str(inner)], check=True)
    (inner / ".obsidian").mkdir()
    (inner / "a.md").write_text("x\n")
    assert git.autocommit(inner, now=datetime(2026, 11, 30), allow_outer=True).committed is False


def test_an_interval_that_no_calendar_can_say_is_left_out(vk: Program) -> None:
    vk.write("a.md", "- [ ] x 📅 2026-12-01 🔁 every 99999999999999999999 days\n- [ ] y 📅 2026-12-01 🔁 every 2 weeks\n")
    done = vk(*FRIDAY, "lookahead", "--ics")
    assert done.code == 1
    assert done.out.count("BEGIN:VTODO") == 2
    assert done.out.count("RRULE:") == 1
    assert vk.json(*FRIDAY, "lookahead", "--ics", code=2)["error"]["code"] == "usage"


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_bash_completes_both_names_of_the_program(vk: Program, tmp_path: Path) -> None:
    for name in ("vaultkit", "vk"):
        program = tmp_path / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m vaultkit "$@"\n')
        program.chmod(0o755)
    script = (
        'eval "$(vaultkit completion bash)"; complete -p vaultkit vk >/dev/null || exit 9\n'
        'c() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _vaultkit_completion "$1"; echo "${COMPREPLY[*]}"; }\n'
        "c vaultkit capt; c vk note tr; c vk lookahead --level ''; c vk nosuch '' >/dev/null\n"
    )
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, env=env)
    assert done.stdout.splitlines() == ["capture", "trash", "today soon week month"], done
    assert done.stderr == ""
