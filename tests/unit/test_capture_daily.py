"""The line in the daily note."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from vaultkit.capture import DailyNote, daily_line, render_template, with_line
from vaultkit.capture.daily import link_in_daily
from vaultkit.text.edit import Create, Rewrite, hash_of

NOW = datetime(2026, 11, 30, 9, 5)
LINE = "- [[n]]"


@pytest.mark.parametrize(
    ("text", "heading", "after"),
    [
        ("", "", "- [[n]]\n"),
        ("a", "", "a\n- [[n]]\n"),
        ("a\n", "", "a\n- [[n]]\n"),
        ("a\r\n", "", "a\r\n- [[n]]\r\n"),
        ("## Log\n- x\n\n## Next\nfoo", "## Log", "## Log\n- x\n- [[n]]\n\n## Next\nfoo"),
        ("## Log\n\n## Next\n", "Log", "## Log\n- [[n]]\n\n## Next\n"),
        ("## Log\n## Next\n", "log", "## Log\n- [[n]]\n\n## Next\n"),
        ("# D\n\n## Log\n", "Log", "# D\n\n## Log\n- [[n]]\n"),
        ("x", "### Captured", "x\n\n### Captured\n- [[n]]\n"),
        ("", "Captured", "## Captured\n- [[n]]\n"),
        ("## Log\n### Sub\ny\n\n\n## Z", "Log", "## Log\n### Sub\ny\n- [[n]]\n\n\n## Z"),
        ("---\nLog: 1\n---\n## Log\n", "Log", "---\nLog: 1\n---\n## Log\n- [[n]]\n"),
    ],
)
def test_the_line_goes_to_the_end_or_under_its_heading(text: str, heading: str, after: str) -> None:
    assert with_line(text, LINE, heading) == after


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("Call mum", "- [[2026-11-30-x|Call mum]]"),
        ("2026-11-30-x", "- [[2026-11-30-x]]"),
        ("", "- [[2026-11-30-x]]"),
        ("a | b [[c]] %% `d`\ne <!-- f", "- [[2026-11-30-x|a b c d e f]]"),
        ("見積書を送る", "- [[2026-11-30-x|見積書を送る]]"),
    ],
)
def test_no_title_can_end_its_link(title: str, line: str) -> None:
    assert daily_line("2026-11-30-x", title) == line


def test_an_existing_note_is_rewritten_from_the_bytes_it_had() -> None:
    edit = link_in_daily(DailyNote("daily/d.md", "old\udcff\n"), "n", "T", now=NOW).edit
    assert edit == Rewrite("daily/d.md", b"old\xff\n- [[n|T]]\n", hash_of(b"old\xff\n"))


def test_a_missing_note_is_made_from_its_template() -> None:
    daily = DailyNote("daily/2026-11-29.md", None, "# {{title}}\n{{date}} {{date:DD.MM.}} {{time}}\n", date(2026, 11, 29))
    linked = link_in_daily(daily, "n", "T", now=NOW)
    assert linked.edit == Create("daily/2026-11-29.md", b"# 2026-11-29\n2026-11-29 29.11. 09:05\n- [[n|T]]\n")
    assert linked.note == ""


def test_a_templater_template_is_not_rendered_and_the_receipt_says_so() -> None:
    template = "# <% tp.date.now() %>\n{{title}}\n"
    linked = link_in_daily(DailyNote("d.md", None, template), "n", "T", now=NOW)
    assert linked.edit == Create("d.md", template.encode() + b"- [[n|T]]\n")
    assert "Templater" in linked.note


def test_without_a_template_the_note_is_just_the_line() -> None:
    assert link_in_daily(DailyNote("d.md"), "n", "T", now=NOW).edit == Create("d.md", b"- [[n|T]]\n")


def test_unknown_variables_stay_as_they_are() -> None:
    assert render_template("{{mood}} {{ TITLE }}", "a/b.md", now=NOW) == "{{mood}} b"
