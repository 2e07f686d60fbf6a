"""Notes typed in Obsidian get their fields; their text stays as it was."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from vaultkit.capture import DailyNote, Known, Plan, Settings, plan_intake, why_not
from vaultkit.errors import RefusedError, UsageError
from vaultkit.text import frontmatter
from vaultkit.text.edit import Rewrite, hash_of, to_bytes, to_text
from vaultkit.text.values import Value

WRITTEN = datetime(2026, 3, 4, 10)
NOW = WRITTEN + timedelta(days=3)
PATH = "inbox/Untitled.md"


def _plan(text: str, path: str = PATH, **more: object) -> Plan:
    return plan_intake(path, text, written=WRITTEN, now=NOW, known=Known(), settings=Settings(), **more)  # type: ignore[arg-type]


def _after(text: str, path: str = PATH) -> str:
    (edit,) = _plan(text, path).edits
    assert isinstance(edit, Rewrite)
    assert edit.expected == hash_of(to_bytes(text))
    return to_text(edit.data)


def _values(text: str, path: str = PATH) -> dict[str, Value]:
    return frontmatter.read(_after(text, path)).values


def _why(text: str, path: str = PATH, *, quiet: int = 60, force: bool = False) -> str:
    return why_not(path, text, written=NOW - timedelta(minutes=quiet), now=NOW, settings=Settings(), force=force)


def test_a_phone_line_gets_its_fields_and_keeps_its_bytes() -> None:
    text = "金曜まで 見積書を送る"
    after = _after(text)
    assert after.endswith("---\n" + text)
    values = frontmatter.read(after).values
    assert values["due"] == "2026-03-06"  # counted from when it was written, not from when it was read
    assert values["type"] == "braindump"


@pytest.mark.parametrize(
    "text", ["a\r\nb by Friday\r\n", "\ufeffcall Kim\n", "call Kim \udcff\x00", "x\n---\ny\n---\n", "- [ ] call Kim by Friday\n"]
)
def test_every_byte_of_the_text_stays(text: str) -> None:
    assert to_bytes(text.removeprefix("\ufeff")) in to_bytes(_after(text))
    assert _after(text).count("call Kim") >= text.count("call Kim")


def test_properties_of_the_person_stay_as_they_are() -> None:
    text = "---\ntitle: Mine   # a comment\ntags: [a, b]\n---\ncall Kim by Friday\n"
    after = _after(text)
    assert after.startswith("---\ntitle: Mine   # a comment\n")
    values = frontmatter.read(after).values
    assert (values["title"], values["tags"]) == ("Mine", ["a", "b"])
    assert values["action_items"] != []


def test_a_deadline_that_the_person_typed_becomes_an_item() -> None:
    values = _values("---\n締切: 2026-03-20\n---\nthe report\n", "inbox/report for Kim.md")
    assert "due" not in values
    assert "📅 2026-03-20" in str(values["action_items"])


def test_a_date_of_the_note_is_what_relative_phrases_count_from() -> None:
    values = _values("---\ncreated: 2026-02-01\n---\ncall Kim by Friday\n")
    assert values["due"] == "2026-02-06"
    assert "date" not in values


def test_a_telling_file_name_is_the_title_and_is_read_too() -> None:
    values = _values("about the numbers\n", "inbox/Call Kim by Friday.md")
    assert values["title"] == "Call Kim by Friday"
    assert values["due"] == "2026-03-06"


def test_the_receipt_tells_the_notes_own_path() -> None:
    assert _plan("call Kim").receipt.path == PATH


def test_a_daily_note_is_linked_when_one_is_given() -> None:
    made = _plan("call Kim", daily=DailyNote("daily/2026-03-07.md"))
    assert [edit.path for edit in made.edits] == [PATH, "daily/2026-03-07.md"]


def test_no_mirror_line_is_written_into_the_text() -> None:
    assert "- [ ]" not in _after("call Kim by Friday")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("call Kim", ""),
        ("---\ntype: idea\n---\nx", "it has fields already (type)"),
        ("---\naction_items: []\n---\nx", "it has fields already (action_items)"),
        ("", "it is empty"),
        ("---\ntitle: x\n---\n", "it is empty"),
        ("---\na: b: c\n---\nx", "its properties cannot be read"),
    ],
)
def test_only_untouched_notes_are_taken(text: str, why: str) -> None:
    assert _why(text).startswith(why) if why else not _why(text)


def test_a_note_is_left_alone_until_it_has_been_quiet() -> None:
    assert "9 minutes ago" in _why("call Kim", quiet=9)
    assert _why("call Kim", quiet=10) == ""
    assert _why("call Kim", quiet=0, force=True) == ""


def test_a_note_in_the_future_waits_too() -> None:
    assert _why("call Kim", quiet=-5)


def test_unreadable_properties_are_refused() -> None:
    with pytest.raises(RefusedError, match="cannot be read"):
        _plan("---\na: b: c\n---\nx")


def test_an_empty_note_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing to file"):
        _plan("---\nx: 1\n---\n")


def test_intake_twice_changes_nothing_more() -> None:
    once = _after("call Kim by Friday")
    assert _plan(once).edits == ()
