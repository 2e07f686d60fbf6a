"""Properties of the agenda: reading never fails, writing reads back, changes stay where they belong, nothing is dropped."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from vaultkit.agenda import (
    LEVELS,
    Field,
    Item,
    Level,
    Seen,
    extract,
    extract_from_row,
    extract_to_row,
    lookahead,
    merge,
    new_id,
    parse_task_text,
    plan_done,
    plan_fix,
    plan_snooze,
    render_item,
    tier_of,
)
from vaultkit.agenda.tasks import with_done, with_due, with_id, with_show_from
from vaultkit.errors import RefusedError, VaultkitError
from vaultkit.text.note import parse_note

TODAY = date(2026, 3, 4)
quick = settings(deadline=None, max_examples=60)

days = st.dates(date(2000, 1, 1), date(2099, 12, 31))
clocks = st.one_of(st.none(), st.times().map(lambda time: time.strftime("%H:%M")))
ids = st.one_of(st.just(""), st.from_regex(r"\A[a-z0-9]{6}\Z"))
words = st.lists(
    st.sampled_from(["Send", "slides", "to", "Priya", "#work", "[[Ann]]", "見積もり", "送る", "A: b", '"q"', "c\\d", "`x`", "{y}", "50%"]),
    min_size=1,
    max_size=5,
)
plain = words.map(" ".join)
FRAGMENTS = [
    "📅", "📅 2026-03-06", "📅 2026-13-45", "⏳ 2026-03-05", "✅ 2026-03-01", "✅", "🔁 every week", "🔁", "🆔 k3f9a1", "🆔", "[due:: 2026-03-07]", "[due:: x]",
    "(@2026-03-08 17:00)", "@{2026-03-09}", "due:2026-03-10", "DEADLINE: <2026-03-11 Wed>", "17:00", "^b", "`📅 2026-01-01`", "by Friday", "来週金曜まで", "due 2026-04-01",
    "word", "- [ ] ", "- [x] ", "- ", "> ", "\n", "\n\n", "\r\n", "```\n", "%%", "<!--", "-->", "# ", "---\n", "action_items:\n", '  - "a 📅 2026-03-06"\n', "due: 2026-03-06\n",
    "trackers: [x, {text: y}]\n", "\ufe0f", "\u00a0", "\x00", "\udc80", "[[", "]]", "((", "::",
]  # fmt: skip
soup = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join))


@quick
@given(soup)
def test_any_text_can_be_read_as_a_task(text: str) -> None:
    for strict in (False, True):
        task = parse_task_text(text, strict=strict)
        assert task.text == " ".join(task.text.split())


@quick
@given(soup, st.booleans())
def test_any_text_can_be_read_as_a_note_and_its_items_stand_on_lines_that_exist(text: str, fenced: bool) -> None:
    text = f"---\naction_items:\n{text}\n---\n{text}" if fenced else text
    found = extract(parse_note("n.md", text), text)
    assert extract_from_row("n.md", extract_to_row(found)) == found
    lines = text.count("\n") + 1
    assert all(1 <= item.line <= lines for item in found.items)


@quick
@given(plain, days, clocks, ids, st.sampled_from(["", "every week", "every month on the 1st"]), st.one_of(st.none(), days))
def test_a_written_item_reads_back(text: str, due: date, time: str | None, name: str, recurrence: str, show_from: date | None) -> None:
    task = parse_task_text(render_item(text, due=due, time=time, id=name, recurrence=recurrence, show_from=show_from))
    assert task == (text, due, time, name, None, False, recurrence, show_from, "")


@quick
@given(plain, days, clocks, ids, days)
def test_changing_one_field_leaves_all_others(text: str, due: date, time: str | None, name: str, day: date) -> None:
    before = parse_task_text(line := render_item(text, due=due, time=time, id=name))
    assert parse_task_text(with_done(line, day)) == before._replace(done=day)
    assert parse_task_text(with_due(line, day)) == before._replace(due=day)
    assert parse_task_text(with_show_from(line, day)) == before._replace(show_from=day)
    assert parse_task_text(with_id(line, "zzzzzz")) == before._replace(id=name or "zzzzzz")


@st.composite
def notes(draw: st.DrawFn) -> str:
    """A note with both fields, mirrored lines, other properties and comments."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    rows: list[str] = []
    lines: list[str] = []
    for at in range(draw(st.integers(1, 4))):
        item = render_item(
            draw(plain), due=draw(days), time=draw(clocks), id=f"id{at:04}", recurrence=draw(st.sampled_from(["", "", "every week"]))
        )
        quoted = item.replace("\\", "\\\\").replace('"', '\\"')
        rows.append(f'  - "{quoted}"{draw(st.sampled_from(["", " # why"]))}')
        if draw(st.booleans()):
            lines.append(f"{draw(st.sampled_from(['- ', '  * ', '> 1. ']))}[ ] {item}{draw(st.sampled_from(['', ' ^b1']))}")
    head = ["---", "title: 'T'  # keep", "action_items:", *rows, "other: [a, b]", "---", "Some words", ""]
    return newline.join([*head, *lines, "", "the end"])


@quick
@given(notes(), st.integers(0, 3))
def test_done_closes_one_item_and_touches_no_other_line(text: str, at: int) -> None:
    name = f"id{at:04}"
    assume(name in text)
    after = plan_done(parse_note("n.md", text), text, name, today=TODAY)
    before = {item.id: item for item in extract(parse_note("n.md", text), text).items}
    now = {item.id: item for item in extract(parse_note("n.md", after), after).items}
    assert not now[name].open
    assert all(
        (now[other].open, now[other].due, now[other].text) == (item.open, item.due, item.text)
        for other, item in before.items()
        if other != name
    )
    old, new = text.split("\n"), after.split("\n")
    assert [line for line in old if name not in line] == [line for line in new if line in old and name not in line]
    assert ("\r" in text) == ("\r" in after)
    assert plan_done(parse_note("n.md", after), after, name, today=TODAY) == after


@quick
@given(notes(), st.integers(0, 3), st.integers(1, 40000))
def test_a_snooze_hides_nothing_on_its_due_date(text: str, at: int, count: int) -> None:
    name = f"id{at:04}"
    assume(name in text)
    try:
        after = plan_snooze(parse_note("n.md", text), text, name, today=TODAY, days=count)
    except VaultkitError as error:
        assert isinstance(error, RefusedError)  # noqa: PT017 - the other outcome is checked below
        return
    item = next(item for item in extract(parse_note("n.md", after), after).items if item.id == name)
    assert item.show_from == TODAY + timedelta(days=count)
    assert item.show_from <= item.due
    assert [due.item.id for due in lookahead([item], today=item.due).items] == [name]


@quick
@given(
    notes(),
    st.lists(st.sampled_from(["by 2026-05-01 send it", "- [ ] 2026年5月2日までに提出", "- [x] Send", "expires on 2026-06-01"]), max_size=3),
)
def test_a_fix_is_done_once(text: str, prose: list[str]) -> None:
    text = text.replace("[ ]", "[x]", 1) + "".join(f"\n\n{line}" for line in prose)
    note = parse_note("n.md", text)
    fixed = plan_fix(note, text, today=TODAY)
    if fixed is not None:
        assert plan_fix(parse_note("n.md", fixed), fixed, today=TODAY) is None


FIELDS: tuple[Field, ...] = ("action_items", "trackers", "task")
due_lists = st.lists(
    st.tuples(st.integers(-50, 50), st.booleans(), st.one_of(st.none(), st.integers(-5, 60)), st.sampled_from(FIELDS)), max_size=20
)


@quick
@given(due_lists, days, st.sampled_from(LEVELS))
def test_the_lookahead_drops_nothing_that_is_due(rows: list[tuple[int, bool, int | None, Field]], today: date, level: Level) -> None:
    items = [
        Item(
            f"i{at}",
            "x",
            today + timedelta(days=left),
            None,
            "n.md",
            at,
            field,
            opened,
            "",
            None if show is None else today + timedelta(days=show),
        )
        for at, (left, opened, show, field) in enumerate(rows)
    ]
    look = lookahead(items, today=today, level=level)
    shown = [due.item for due in look.items]
    assert len(set(shown)) == len(shown)
    assert [item.due for item in shown] == sorted(item.due for item in shown)
    assert {item for item in items if item.open and item.due <= today} <= set(shown)
    assert look.open_items == sum(item.open for item in items)
    for item in shown:
        assert item.open
        assert tier_of(item, today) is not None


seen = st.one_of(st.none(), st.builds(Seen, days, clocks, st.none(), st.booleans()))


@quick
@given(plain, days, days, clocks, clocks, st.sampled_from(" x-/"), st.booleans(), seen)
def test_a_merge_is_settled_at_once_and_warns_on_the_earlier_date(
    text: str, ours: date, theirs: date, our_time: str | None, their_time: str | None, mark: str, closed: bool, last: Seen | None
) -> None:
    field = render_item(text, due=ours, time=our_time, id="aaaaaa")
    field = with_done(field, TODAY) if closed else field
    body = render_item(text, due=theirs, time=their_time, id="aaaaaa")
    merged = merge(field, body, mark=mark, last=last, today=TODAY)
    after, line = parse_task_text(merged.field), parse_task_text(merged.body)
    assert merged.warn == min(day for day in (after.due, line.due) if day is not None)
    if not merged.conflicts:
        assert (after.due, after.time, after.text) == (line.due, line.time, line.text)
        again = merge(
            merged.field,
            merged.body,
            mark=merged.mark,
            last=Seen(after.due, after.time, after.show_from, after.done is not None or after.cancelled),
            today=TODAY,
        )
        assert (again.field, again.body, again.mark) == (merged.field, merged.body, merged.mark)


@quick
@given(st.text(max_size=30), st.integers(0, 5))
def test_new_ids_never_collide(text: str, count: int) -> None:
    taken: set[str] = set()
    for _ in range(count + 1):
        made = new_id(text, taken)
        assert made not in taken
        taken.add(made)
