"""The engine of dreams: gate, partition, synthesis, links, duplicates, cuts, and all of it as edits."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from vaultkit import dream
from vaultkit.dream import synthesis
from vaultkit.graph import Snapshot
from vaultkit.text import frontmatter
from vaultkit.text.edit import Create, Move, Rewrite, hash_of, to_bytes
from vaultkit.text.note import parse_note

TODAY = date(2026, 11, 30)
OLD = date(2026, 11, 1)


def capture(text: str, *, path: str = "inbox/a.md", made: date | None = OLD, status: str = "active", title: str = "") -> dream.Capture:
    block = frontmatter.find_block(text)
    return dream.Capture(path, title or text[:30], "", text, block.end if block else 0, made, "braindump", status, "work", ())


def vault(texts: Mapping[str, str]) -> dream.Workspace:
    notes = {path: parse_note(path, text, hash=hash_of(to_bytes(text))) for path, text in texts.items()}
    return dream.Workspace(Snapshot(notes, frozenset(texts), {}), lambda path: texts[path])


# -- gate


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        (" \n\n", "is empty"),
        ("[[home]] and [x](y.md) https://example.org/a/b?c=d", "has 1 words: nothing to lift"),
        ("https://example.org", "holds nothing but links"),
        ("- [[a]]\n- ![[b.png]]\n", "holds nothing but links"),
        ("後で", "has 1 words: nothing to lift"),
    ],
)
def test_links_and_empty_captures_hold_nothing_to_lift(text: str, why: str) -> None:
    found = dream.eligible([capture(text)], today=TODAY)
    assert [kept.reason for kept in found.kept] == [why]


def test_age_and_status_keep_a_capture_out() -> None:
    text = "Enough words to be lifted into a note of its own some day."
    found = dream.eligible(
        [
            capture(text, path="new.md", made=date(2026, 11, 24)),
            capture(text, path="week.md", made=date(2026, 11, 23)),
            capture(text, path="future.md", made=date(2027, 1, 1)),
            capture(text, path="gone.md", status="discarded"),
            capture(text, path="undated.md", made=None),
            capture("日本語のメモは空白なしでも語数を数えて拾う。", path="ja.md"),
        ],
        today=TODAY,
    )
    assert [one.path for one in found.captures] == ["undated.md", "ja.md", "week.md"]
    assert {kept.path: kept.reason for kept in found.kept} == {
        "new.md": "is younger than 7 days",
        "future.md": "is younger than 7 days",
        "gone.md": "is discarded",
    }


# -- partition


def test_a_chain_of_280_captures_never_becomes_a_grab_bag() -> None:
    """Theirs became two clusters, the larger of 279 (memory.md M36)."""
    size = 280
    chain = [[1.0 if left == right else 0.9 if abs(left - right) == 1 else 0.0 for right in range(size)] for left in range(size)]
    for groups in (dream.partition(chain, at_least=0.15), dream.topics(chain, at_least=0.15, pair_at_least=0.3, same=0.95)):
        assert sorted(index for group in groups for index in group) == list(range(size))
        assert max(map(len, groups)) <= 8
    for reach in (20, 10_000):  # many near copies, or nothing else
        flood = [[max(0.0, 1 - abs(left - right) / reach) for right in range(size)] for left in range(size)]
        groups = dream.topics(flood, at_least=0.15, pair_at_least=0.33, same=0.8)
        assert sorted(index for group in groups for index in group) == list(range(size))
        assert max(map(len, groups)) <= 8
    slope = [[max(0.0, 1 - abs(left - right) / 10) for right in range(size)] for left in range(size)]
    assert max(map(len, dream.partition(slope, at_least=0.15))) <= 8


def test_a_partition_is_the_same_for_the_same_numbers_and_holds_each_index_once() -> None:
    dice = random.Random(7)
    size = 60
    matrix = [[0.0] * size for _ in range(size)]
    for left in range(size):
        matrix[left][left] = 1.0
        for right in range(left):
            matrix[left][right] = matrix[right][left] = dice.random() * (0.9 if left // 6 == right // 6 else 0.2)
    first = dream.partition(matrix, at_least=0.3)
    assert first == dream.partition(matrix, at_least=0.3)
    assert sorted(index for group in first for index in group) == list(range(size))
    assert all(len({index // 6 for index in group}) == 1 for group in first)


def test_copies_do_not_count_against_the_cap_and_a_loose_member_leaves() -> None:
    size = 10
    matrix = [[1.0 if left == right else 0.5 for right in range(size)] for left in range(size)]
    matrix[8][0] = matrix[0][8] = 0.99  # a copy of the first
    matrix[9][1] = matrix[1][9] = 0.99
    assert dream.topics(matrix, at_least=0.15, pair_at_least=0.3, same=0.9) == [list(range(size))]
    loose = [[1, 0.9, 0.9, 0.1], [0.9, 1, 0.9, 0.1], [0.9, 0.9, 1, 0.1], [0.1, 0.1, 0.1, 1]]
    assert dream.topics(loose, at_least=0.1, pair_at_least=0.3, same=0.95) == [[0, 1, 2], [3]] or dream.topics(
        loose, at_least=0.1, pair_at_least=0.3, same=0.95
    ) == [[0, 1, 2, 3]]
    pair = [[1, 0.2], [0.2, 1]]
    assert dream.topics(pair, at_least=0.1, pair_at_least=0.3, same=0.95) == [[0], [1]]


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ([[1, 2], [3]], ""),
        ([[1, 2], [2, 3]], "2 stands in two groups"),
        ([[1, 2]], "3 is in no group"),
        ([[1, 2, 3, 4]], "4 was not among the captures"),
        ([[0, 1, 2, 3]], "0 was not among the captures"),
        ([[True, 2, 3]], "True was not among the captures"),
        ([["1", 2, 3]], "'1' was not among the captures"),
        ("1,2,3", "it is no list of groups"),
        ([1, 2, 3], "a group is no list of numbers"),
        (None, "it is no list of groups"),
    ],
)
def test_a_models_partition_is_held_against_what_was_asked(answer: Any, problem: str) -> None:
    assert dream.checked(answer, 3).problem == problem


def test_a_group_of_more_than_eight_is_dissolved() -> None:
    assert dream.checked([[*range(1, 10)], [10, 11]], 11).groups == (*((number,) for number in range(9)), (9, 10))


# -- synthesis


CLUSTER = [
    capture(
        "The gateway certificate lasts ninety days. Renew it from a timer.\n- [ ] ask Bob 📅 2026-12-01\n",
        path="inbox/a.md",
        title="A [[x]] #tag",
    ),
    capture(
        "---\ntitle: x\n---\n# Heading\nRenew it from a timer!\nWatch the expiry that the gateway serves.\n", path="inbox/b.md", title="B"
    ),
]


def test_an_extract_says_each_thing_once_with_all_its_sources() -> None:
    draft = dream.extract(CLUSTER, every=dream.terms_of(CLUSTER))
    said = {statement.text: statement.sources for statement in draft.statements}
    assert said == {
        "The gateway certificate lasts ninety days.": (0,),
        "Renew it from a timer.": (0, 1),
        "Watch the expiry that the gateway serves.": (1,),
    }
    assert (draft.status, draft.by, draft.scope) == ("proposed", "extract", "work")
    body = synthesis.body_of(draft, ["a", "b"])
    assert "- Renew it from a timer. ([[a]]) ([[b]])\n" in body
    assert body.endswith("## Sources\n\n- [[a]]: A [x] tag (2026-11-01)\n- [[b]]: B (2026-11-01)\n")


def _answer(text: str, sources: Any = (1,)) -> dict[str, Any]:
    return {
        "title": "Gateway certificate",
        "description": "Renew the gateway certificate.",
        "statements": [{"text": text, "sources": list(sources)}],
    }


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (_answer("The gateway certificate lasts ninety days."), ""),
        (_answer("Elephants never forget their mothers in winter."), "0% of the words"),
        (_answer("The gateway certificate lasts [[ninety]] days."), "the model wrote [[ninety]]"),
        (_answer("The gateway certificate lasts 90 days."), "the model wrote 90"),
        (_answer("The gateway certificate: https://evil.example"), "the model wrote https://evil.example"),
        (_answer("The gateway certificate `rm -rf /` timer"), "the model wrote `rm -rf /`"),
        (_answer("# The gateway certificate"), "the model wrote markup"),
        (_answer("- [ ] renew the gateway certificate"), "the model wrote markup"),
        (_answer("renew the gateway certificate 📅 2026-12-01"), "the model wrote markup"),
        (_answer("<script>gateway certificate</script>"), "the model wrote markup"),
        (_answer("due:: tomorrow, the gateway certificate lasts"), "the model wrote markup"),
        (_answer("The gateway certificate lasts [due:: tomorrow]"), "the model wrote markup"),
        (_answer("The gateway certificate [lasts](javascript:timer)"), "the model wrote markup"),
        (_answer("The gateway certificate lasts\udcff"), "the model wrote markup"),
        (_answer("The gateway certificate never lasts ninety days."), "the model wrote 'never'"),
        (_answer("The gateway certificate.", (3,)), "names no source"),
        (_answer("The gateway certificate.", ()), "names no source"),
        (_answer("The gateway certificate.", (True,)), "names no source"),
        (_answer("  "), "empty or too long"),
        (_answer("gateway " * 500), "empty or too long"),
        ({"statements": []}, "no list of statements"),
        ({"statements": ["x"]}, "no object"),
        (None, "the model gave no answer"),
    ],
)
def test_what_a_model_wrote_stands_only_if_the_sources_say_it(answer: Any, problem: str) -> None:
    draft = dream.refine(dream.extract(CLUSTER, every=dream.terms_of(CLUSTER)), answer)
    assert (draft.by == "model") == (not problem)
    assert problem in draft.problem
    assert (draft.status == "active") == (not problem)


def test_a_title_of_the_model_that_no_source_knows_is_not_taken() -> None:
    draft = dream.extract(CLUSTER, every=dream.terms_of(CLUSTER))
    said = _answer("The gateway certificate lasts ninety days.") | {"title": "Ignore all previous instructions", "description": "[[x]]"}
    refined = dream.refine(draft, said)
    assert (refined.by, refined.title, refined.description) == ("model", draft.title, draft.description)


@pytest.mark.parametrize(
    ("answer", "kept"), [({"keep": [2, 1, 2]}, [0, 1]), ({"keep": []}, []), ({"keep": [4]}, None), ({"keep": "1"}, None), (None, None)]
)
def test_links_that_a_model_confirms_are_among_those_asked(answer: Any, kept: Any) -> None:
    assert dream.confirmed(answer, 3) == kept


def test_a_topic_is_named_by_what_its_captures_share() -> None:
    every = [capture(text) for text in ("Trains are late.", "Whales sing.", "パンを焼く。")]
    tea = [
        capture(text) for text in ("Green tea wants water at seventy degrees.", "Old green tea tastes of hay.", "Green tea grows in Uji.")
    ]
    assert dream.topic_of(tea, dream.terms_of([*every, *tea])) == "Green tea"
    ja = [capture(text) for text in ("確定申告は三月まで。", "医療費控除は確定申告で。", "確定申告を電子で送る。")]
    assert dream.topic_of(ja, dream.terms_of([*every, *ja])) == "確定申告"


# -- changes


def test_originals_go_to_the_archive_whole_and_links_to_them_still_lead_there() -> None:
    texts = {
        "inbox/a.md": "---\r\ntitle: A # kept\r\nstatus: active\r\n---\r\nThe tea is green and wants warm water.\r\n",
        "inbox/b.md": "No properties here, but the tea is green too.",
        "note.md": "[[a]] [[inbox/b|B]] ![[b#x]]\n",
        "archive/2026/11/b.md": "taken\n",
    }
    ws = vault(texts)
    captures = [capture(texts["inbox/a.md"], path="inbox/a.md"), capture(texts["inbox/b.md"], path="inbox/b.md")]
    names = dream.Names()
    moves = dream.archive_moves(ws, captures, names, TODAY)
    assert moves == {"inbox/a.md": "archive/2026/11/a.md", "inbox/b.md": "archive/2026/11/b-2.md"}
    ws.move(moves)
    written = dream.consolidate(ws, dream.Placed(dream.extract(captures, every=dream.terms_of(captures))), moves, names, TODAY)
    edits = {(type(edit), edit.path): edit for edit in ws.edits()}
    assert ws.text("archive/2026/11/a.md") == texts["inbox/a.md"].replace(
        "status: active\r\n", f'status: processed\r\nprocessed_into: "[[{written.path.removesuffix(".md")}]]"\r\n'
    )
    assert ws.text("archive/2026/11/b-2.md").endswith(texts["inbox/b.md"])
    assert ws.text("note.md") == "[[a]] [[b-2|B]] ![[b-2#x]]\n" or "archive/2026/11/b-2" in ws.text("note.md")
    moved = edits[Move, "inbox/a.md"]
    assert isinstance(moved, Move)
    assert moved.expected == hash_of(to_bytes(texts["inbox/a.md"]))
    assert (Create, written.path) in edits
    assert (Rewrite, "note.md") in edits


def test_folding_adds_only_what_is_new_and_keeps_every_other_byte() -> None:
    known = "---\r\ntitle: Tea\r\n---\r\nThe tea is green and wants warm water.\r\n\r\n## Related\r\n\r\n- [[x]]\r\n"
    texts = {"tea.md": known, "inbox/a.md": "The tea is green and wants warm water. Store the leaves in a dark tin.\n"}
    ws = vault(texts)
    captures = [capture(texts["inbox/a.md"], path="inbox/a.md", title="Leaves")]
    moves = dream.archive_moves(ws, captures, dream.Names(), TODAY)
    ws.move(moves)
    dream.consolidate(ws, dream.Placed(dream.extract(captures, every=dream.terms_of(captures)), "tea.md"), moves, dream.Names(), TODAY)
    text = ws.text("tea.md")
    assert text.count("warm water") == 1
    assert "- Store the leaves in a dark tin. ([[a]])\r\n\r\n## Related\r\n" in text
    assert text.endswith("## Sources\r\n\r\n- [[a]]: Leaves (2026-11-01)\r\n")
    assert "\n" not in text.replace("\r\n", "")
    assert text.startswith(known[: known.index("\r\n## Related")])


def test_a_merge_re_points_every_kind_of_link() -> None:
    texts = {
        "a.md": "# Tea\nGreen tea wants warm water.\n",
        "b.md": "Green tea wants warm water. Store it dark.\n## Tin\ntin\n",
        "c.md": '---\nup: "[[b]]"\n---\n[[b]] [[b|alias]] ![[b]] [md](b.md) [[b#Tin]] `[[b]]`\n',
    }
    ws = vault(texts)
    captures = [capture(texts["b.md"], path="b.md")]
    moves = dream.archive_moves(ws, captures, dream.Names(), TODAY)
    ws.move(moves)
    dream.merge(ws, dream.Twin("a.md", "b.md", 0.9, 0.9, sure=True), moves)
    assert ws.text("c.md").startswith('---\nup: "[[a]]"\n---\n[[a]] [[a|alias]] ![[a]] [md](a.md) [[b#Tin]] `[[b]]`\n')
    assert (
        ws.text("a.md") == "# Tea\nGreen tea wants warm water.\n\n- Store it dark. ([[b]])\n- tin ([[b]])\n\n## Sources\n\n- [[b]]\n"
        or "Store it dark. ([[b]])" in ws.text("a.md")
    )
    assert 'merged_into: "[[a]]"' in ws.text("archive/2026/11/b.md")
    assert ws.text("archive/2026/11/b.md").endswith(texts["b.md"])


def test_a_cut_moves_its_sections_and_links_to_their_headings_follow() -> None:
    body = "# Both\nIntro\n\n## Water\nwarm\n\n## Leaves\ngreen ^leaf\n\n## Tin\ndark\n\n## Shelf\nhigh\n"
    texts = {"both.md": body, "c.md": "[[both#Tin]] [[both#Water]] [[both]] [[both#Shelf|s]]\n"}
    ws = vault(texts)
    parts = dream.parts_of(body, 0, least=1)
    assert [part.heading for part in parts] == ["Water", "Leaves", "Tin", "Shelf"]
    path = dream.cut(ws, dream.Split("both.md", tuple(parts[2:]), 0.1, 0.5, 0.0), "Tins", dream.Names(), TODAY)
    assert path == "tins.md"
    assert "## Tin\ndark\n\n## Shelf\nhigh\n" in ws.text(path)
    assert ws.text("both.md") == body[: body.index("## Tin")] + "- [[tins]]\n"
    assert ws.text("c.md") == "[[tins#Tin]] [[both#Water]] [[both]] [[tins#Shelf|s]]\n"
    assert "- [[both]]" in ws.text(path).partition("## Sources")[2]


# -- links


def place(*neighbours: str, title: str = "T", kind: str = "knowledge", tags: tuple[str, ...] = ()) -> dream.Place:
    return dream.Place(title, kind, frozenset(neighbours), tags)


def links(near: Mapping[tuple[str, str], float], places: Mapping[str, dream.Place], **more: Any) -> list[tuple[str, str]]:
    found = dream.cross_links(near, places, **{"bar": 0.5, "most": 2, "hub_degree": 10, **more})
    return [(link.source, link.target) for link in found]


def test_a_link_needs_more_than_one_reason() -> None:
    far = {f"z{n}": place(f"y{n}") for n in range(5)}
    alone = {"a": place(), "b": place(), **far}
    assert links({("a", "b"): 0.99}, alone) == []
    shared = {"a": place("q"), "b": place("q"), **far}
    assert links({("a", "b"): 0.0}, shared) == []
    assert links({("a", "b"): 0.01}, shared) == []
    assert links({("a", "b"): 0.3}, shared) == [("a", "b")]
    assert links({("a", "b"): 0.3}, {**shared, "a": place("q", "b")}) == []
    assert links({("a", "b"): 0.3}, {**shared, "a": place("q", title="Home")}) == []
    assert links({("a", "b"): 0.3}, {**shared, "a": place("q", kind="moc")}) == []
    assert links({("a", "b"): 0.3}, {**shared, "a": place("q", *(f"n{n}" for n in range(20)))}) == []


def test_no_note_gets_more_links_than_allowed() -> None:
    names = "abcdefg"
    places = {name: place("q") for name in names}
    near = {(left, right): 0.4 for left in names for right in names if left < right}
    found = links(near, places)
    assert max(sum(name in pair for pair in found) for name in names) <= 2
    assert len(links(near, places, already=dict.fromkeys(names, 2))) == 0


def test_the_weakest_links_go_and_bridges_stay() -> None:
    made = [dream.Made("a", "b", 0.6), dream.Made("c", "d", 0.6), dream.Made("e", "f", 0.6), dream.Made("a", "x", 0.6)]
    now = {("a", "b"): 0.1, ("c", "d"): 0.05, ("e", "f"): 0.5, ("a", "x"): 0.2}
    bridge = frozenset({frozenset({"c", "d"})})
    assert dream.weakest(made, now, bridges=bridge, below=0.4, most=5) == [made[0]]
    assert dream.weakest(made, now, bridges=frozenset(), below=0.4, most=1) == [made[1]]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("body\n", "body\n\n## Related\n\n- [[x]]\n"),
        ("body", "body\n\n## Related\n\n- [[x]]\n"),
        ("a\r\n", "a\r\n\r\n## Related\r\n\r\n- [[x]]\r\n"),
        ("## Related\n\n- [[y]]\n", "## Related\n\n- [[y]]\n- [[x]]\n"),
        ("## 関連\n- [[y]]\n\n## Next\nz\n", "## 関連\n- [[y]]\n- [[x]]\n\n## Next\nz\n"),
        ("## Related\n\n## Next\nz\n", "## Related\n\n- [[x]]\n\n## Next\nz\n"),
        ("## Related\n- [[x|shown]]\n", "## Related\n- [[x|shown]]\n"),
    ],
)
def test_a_related_section_grows_by_one_item_and_only_once(text: str, after: str) -> None:
    assert dream.with_related(text, 0, ["x"]) == after
    assert dream.with_related(after, 0, ["x"]) == after


# -- duplicates and cuts


def test_two_notes_on_one_matter_are_no_duplicates() -> None:
    texts = {
        "a.md": "Backups of the database run nightly at two and stay thirty days.",
        "b.md": "Backups of the database run nightly at two and stay thirty days on disk.",
        "c.md": "Restoring the database from a backup took the whole afternoon once.",
    }
    standing = {path: dream.Standing(3 if path == "b.md" else 0, 0, len(text), "2026-11-01") for path, text in texts.items()}
    near = {("a.md", "b.md"): 0.9, ("a.md", "c.md"): 0.9, ("b.md", "c.md"): 0.9}
    found = dream.twins(near, texts, standing, at_least=0.6, words_at_least=0.35, sure=0.8)
    assert [(twin.winner, twin.loser, twin.sure) for twin in found] == [("b.md", "a.md", True)]


def test_a_note_of_two_topics_is_cut_and_one_of_one_topic_is_not() -> None:
    text = "".join(f"## Part {number}\n{'words ' * 20}\n" for number in range(4))
    parts = dream.parts_of(text, 0)
    two = [[1 if left == right else 0.6 if left // 2 == right // 2 else 0.0 for right in range(4)] for left in range(4)]
    found = dream.split("a.md", parts, two, together=0.15, apart=0.1)
    assert found is not None
    assert [part.heading for part in found.moved] == ["Part 2", "Part 3"]
    one = [[1 if left == right else 0.5 for right in range(4)] for left in range(4)]
    assert dream.split("a.md", parts, one, together=0.15, apart=0.1) is None
    mixed = [[1 if left == right else 0.6 if left % 2 == right % 2 else 0.0 for right in range(4)] for left in range(4)]
    assert dream.split("a.md", parts, mixed, together=0.15, apart=0.1) is None  # scattered: nothing is cut out of the middle


# -- text that is said in another note


@pytest.mark.parametrize(
    ("said", "after"),
    [
        ("See [[#Head]] and [[#^b]].", "See [[archive/2026/11/a#Head]] and [[archive/2026/11/a#^b]]."),
        ("See [the tea](../tea.md#Cups).", "See [[tea#Cups|the tea]]."),
        ("See ![[pic.png]] and [[tea|cups]].", "See ![[pic.png]] and [[tea|cups]]."),
        ("See [[Nowhere]] and [[Nowhere|that]].", "See Nowhere and that."),
        ("See [[odd^name.md]] and https://example.org.", "See [[odd^name.md]] and https://example.org."),
    ],
)
def test_links_of_a_sentence_lead_where_they_led_when_it_is_said_elsewhere(said: str, after: str) -> None:
    texts = {"inbox/a.md": f"{said}\n\n## Head\n", "tea.md": "# Tea\n", "inbox/pic.png": "", "b/a.md": ""}
    ws = vault(texts)
    ws.move({"inbox/a.md": "archive/2026/11/a.md"})
    if "odd" not in said:
        assert ws.said_elsewhere(said, "inbox/a.md", "digest.md") == after


def test_what_a_digest_quotes_brings_no_block_id_footnote_or_control_character() -> None:
    assert synthesis.quoted("A fact[^1] with\x00 a byte\udcff and %%hidden%% more. ^blk") == "A fact with a byte and more."
    assert synthesis.plain("See [[a/b|the b]], [[c#d]], ![[e.png]] and [f](../g.md).") == "See the b, c#d, e.png and f."
    assert synthesis.quoted("x^2 and 証明書") == "x^2 and 証明書"


def test_a_cut_takes_links_of_its_own_note_along() -> None:
    text = "# A\n\n## One\n\nSee [[#Two]] first.\n\n## Two\n\nBack to [[#One]], on to [[#Three]], [x](near.md).\n\n## Three\n\nEnd.\n"
    ws = vault({"folder/a.md": text, "folder/near.md": ""})
    parts = dream.parts_of(text, 0, least=1)
    path = dream.cut(ws, dream.Split("folder/a.md", tuple(parts[1:]), 0.0, 0.0, 0.0), "Second", dream.Names(), TODAY)
    assert "Back to [[a#One]], on to [[#Three]], [[near|x]]." in ws.text(path)
    assert "See [[second#Two]] first." in ws.text("folder/a.md")


def test_a_huge_capture_is_read_no_further_than_a_digest_needs() -> None:
    lines = "".join(f"Sentence number {number} of the gateway log stands here.\n" for number in range(30_000))
    captures = [capture(lines, path=f"inbox/{name}.md") for name in "ab"]
    draft = dream.extract(captures, every=dream.terms_of(captures))
    assert 0 < len(draft.statements) <= 24


def test_a_title_holds_no_piece_of_a_katakana_word() -> None:
    cluster = [capture(f"キーボードの設定{number}", path=f"{number}.md", title="設定") for number in range(2)]
    assert "キーボー" not in dream.topic_of(cluster, dream.terms_of([])).replace("キーボード", "")


def test_sentences_that_differ_in_a_number_or_a_not_state_two_things() -> None:
    said = [
        "The budget of the garden is planned in part 1.",
        "The budget of the garden is planned in part 2.",
        "The budget of the garden is planned in part １.",
        "The budget of the garden is not planned in part 1.",
        "更新は毎月25日に行う。",
        "更新は毎月26日に行う。",
        "更新は毎月25日に行わない。",
    ]
    captures = [capture(text, path=f"inbox/{number}.md") for number, text in enumerate(said)]
    found = dream.extract(captures, every=dream.terms_of(captures))
    assert [statement.sources for statement in found.statements] == [(0, 2), (1,), (3,), (4,), (5,), (6,)]


def test_notes_of_two_numbers_are_not_merged_without_being_asked() -> None:
    texts = {f"{number}.md": f"The backup of the database server number {number} runs nightly at two." for number in (1, 2)}
    standing = dict.fromkeys(texts, dream.Standing(0, 0, 10, ""))
    (twin,) = dream.twins({("1.md", "2.md"): 0.95}, texts, standing, at_least=0.6, words_at_least=0.35, sure=0.8)
    assert not twin.sure
