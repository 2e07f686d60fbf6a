from __future__ import annotations

import pytest

from vaultkit.errors import UnsafeNameError
from vaultkit.text.names import check_name, conflict_copy_of, maybe_copy_of, slug, why_unsafe


@pytest.mark.parametrize(
    "name",
    [
        "a.md",
        "obsidian-cli.md",
        "Meeting notes 2.md",
        "日本語のメモ.md",
        "v1.2.md",
        "a (b) & c's, d+e=f.md",
        "😀.md",
        "inbox/2026-11-30-x.md",
        "console.md",
        "com10.md",
        "x" * 252 + ".md",
    ],
)
def test_ordinary_names_may_be_created(name: str) -> None:
    check_name(name)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a*b.md", "contains *"),
        ('a"b.md', 'contains "'),
        ("a\\b.md", "contains \\"),
        ("a<b.md", "contains <"),
        ("a>b.md", "contains >"),
        ("a:b.md", "contains :"),
        ("a|b.md", "contains |"),
        ("a?b.md", "contains ?"),
        ("a#b.md", "contains #"),
        ("a^b.md", "contains ^"),
        ("a[b.md", "contains ["),
        ("a]b.md", "contains ]"),
        ("100%% sure.md", "contains %%"),
        ("a\x07b.md", "contains the character U+0007"),
        ("a\nb.md", "contains the character U+000A"),
        ("a\u2028b.md", "contains the character U+2028"),
        ("a\udcffb.md", "contains the character U+DCFF"),
        ("a\u202eb.md", "contains \\u202e"),
        (".hidden.md", "begins with a dot, which hides it"),
        (" a.md", "begins or ends with a space"),
        ("a .md", "begins or ends with a space"),
        ("a.txt ", "begins or ends with a space"),
        ("a..md", "ends with a dot"),
        ("folder.", "ends with a dot"),
        (".md", "is empty"),
        ("", "is empty"),
        ("con.md", "is reserved on Windows"),
        ("NUL.backup.md", "is reserved on Windows"),
        ("Lpt9", "is reserved on Windows"),
        ("COM¹.md", "is reserved on Windows"),
        ("x" * 253 + ".md", "is longer than 255 bytes"),
        ("日" * 85 + ".md", "is longer than 255 bytes"),
    ],
)
def test_names_that_some_system_cannot_hold_are_refused(name: str, why: str) -> None:
    assert why_unsafe(name) == (why if why != "contains \\" else "contains \\\\")
    with pytest.raises(UnsafeNameError) as caught:
        check_name(f"folder/{name}")
    assert caught.value.hint
    caught.value.message.encode()


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Cache invalidation on deploy", "cache-invalidation-on-deploy"),
        ("  What?! -- really...  ", "what-really"),
        ("Don't panic", "dont-panic"),
        ("v1.2: the API/CLI", "v1-2-the-api-cli"),
        ("ＧｉｔＬａｂ の設定", "gitlab-の設定"),
        ("サーバー・更新 手順。", "サーバー-更新-手順"),
        ("か\u3099くせい", "がくせい"),
        ("ﾊﾝｶｸ", "ハンカク"),
        ("हिन्दी नोट", "हिन्दी-नोट"),
        ("Ünïcode ÉTÉ", "ünïcode-été"),
        ("葛\U000e0100城市", "葛城市"),
        ("☎️ call 📞 Priya", "call-priya"),
        ("soft\u00adhyphen", "softhyphen"),
        ("🎉", "untitled"),
        ("", "untitled"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "con-note"),
    ],
)
def test_a_title_becomes_a_hyphenated_name_in_its_own_script(title: str, name: str) -> None:
    assert slug(title) == name


def test_a_long_slug_is_cut_between_words_where_it_can_be() -> None:
    assert slug("alpha beta gamma delta", max_bytes=18) == "alpha-beta-gamma"
    assert slug("alpha beta gamma delta", max_bytes=16) == "alpha-beta-gamma"
    assert slug("a " + "b" * 50, max_bytes=20) == "a-" + "b" * 18
    assert slug("会議" * 60) == "会議" * 33
    assert len(slug("会議の記録" * 60).encode()) <= 200


@pytest.mark.parametrize(
    ("path", "original"),
    [
        ("a/Plan (Conflicted copy Anna's phone 202611301200).md", "a/Plan.md"),
        ("Plan (Conflicted copy a (b) 202611301200).md", "Plan.md"),
        ("Plan.sync-conflict-20261130-120000-ABCDEFG.md", "Plan.md"),
        ("img.sync-conflict-20261130-120000.png", "img.png"),
        ("Plan (priya's conflicted copy 2026-11-30).md", "Plan.md"),
        ("Plan (conflicted copy 2026-11-30 120000).md", "Plan.md"),
        ("Plan (Conflicted copy a 202611301200) (Conflicted copy b 202611301300).md", "Plan.md"),
        ("計画 (Conflicted copy 電話 202611301200).md", "計画.md"),
        ("Plan.md", None),
        ("Plan (notes on conflicted copies).md", None),
        ("Plan (draft 2026-11-30).md", None),
        ("Syria (conflict).md", None),
        ("(Conflicted copy x 202611301200).md", None),
    ],
)
def test_conflict_copies_are_known_by_their_names(path: str, original: str | None) -> None:
    assert conflict_copy_of(path) == original
    assert conflict_copy_of(path, {"Plan.md", "Syria.md"}) == original


@pytest.mark.parametrize(
    "mark", ["case conflict", "Case Conflict 1", "conflicted copy", "Anna's conflicted copy", "Selective Sync Conflict"]
)
def test_an_undated_mark_counts_only_beside_its_original(mark: str) -> None:
    assert conflict_copy_of(f"a/Plan ({mark}).md", {"a/Plan.md"}) == "a/Plan.md"
    assert conflict_copy_of(f"a/Plan ({mark}).md", {"Plan.md"}) is None


def test_a_number_is_only_a_hint() -> None:
    assert maybe_copy_of("a/Plan 2.md", {"a/Plan.md"}) == "a/Plan.md"
    assert maybe_copy_of("a/Plan 2.md", {"Plan.md"}) is None
    assert maybe_copy_of("Plan 1.md", {"Plan.md"}) is None
    assert maybe_copy_of("Plan.md", {"Plan.md"}) is None
    assert conflict_copy_of("Plan 2.md", {"Plan.md"}) is None
