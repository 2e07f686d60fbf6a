"""PATCH 1.x against the plugin's engine: byte for byte, but where a case is marked as one of its quirks and ours is the safe reading."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tests.support import vectors
from vaultkit.errors import PatchError
from vaultkit.text import frontmatter
from vaultkit.text.patch import Patch1, apply1, outline

NAME = "patch_vectors"
# Cases without a quirk that are knowingly not met, each with its reason: none.
EXCEPTIONS: dict[str, str] = {}


class Got(NamedTuple):
    text: str | None
    error: PatchError | None


def ask(case: Any, *, compat: bool = False) -> Got:
    wanted = case["instruction"]
    patch = Patch1(
        wanted["operation"],
        wanted["targetType"],
        wanted["target"],
        wanted["content"],
        wanted.get("contentType", "text/markdown"),
        create=wanted.get("createTargetIfMissing", False),
        trim=wanted.get("trimTargetWhitespace", False),
        reject_preexisting=not wanted.get("applyIfContentPreexists", False),
    )
    try:
        return Got(apply1(case["document"], patch, compat=compat), None)
    except PatchError as error:
        return Got(None, error)


def is_exact(case: Any, got: Got) -> bool:
    expected = case["expected"]
    if expected["ok"]:
        return bool(got.text == expected["document"])
    return got.error is not None and expected["error"]["reason"] in {None, got.error.reason}


def _headings(text: str) -> Counter[str]:
    return Counter(section.text for section in outline(text).sections[1:])


def _nothing_glued(case: Any, got: Got) -> bool:
    return got.text is not None and not (_headings(case["expected"]["document"]) - Counter()) - _headings(case["document"]) - _headings(
        got.text
    )


def _one_line_end(_: Any, got: Got) -> bool:
    return got.text is not None and len(set(re.findall("\r\n|\n|\r", got.text))) == 1


def _both_lines_named(_: Any, got: Got) -> bool:
    return got.error is not None and got.error.reason == "ambiguous-target" and len(re.findall(r"\d+", got.error.message)) == 2


def _properties_right(case: Any, got: Got) -> bool:
    """The property is set, the others have their values, one block stands; or the block was no list of properties and nothing is written."""
    before = frontmatter.read(case["document"])
    if not before.readable:
        return got.error is not None and got.error.rest_code == 40005
    assert got.text is not None
    after = frontmatter.read(got.text)
    others = {name: value for name, value in after.values.items() if name != case["instruction"]["target"]}
    body = case["document"][before.block.end if before.block else 0 :]
    was = {name: value for name, value in before.values.items() if name != case["instruction"]["target"]}
    assert after.block is not None
    return after.readable and others == was and got.text[after.block.end :] == body


def _comments_kept(case: Any, got: Got) -> bool:
    return _properties_right(case, got) and all(line in (got.text or "") for line in case["document"].split("\n") if "#" in line)


def _blocks_kept(case: Any, got: Got) -> bool:
    """As many blocks of each kind as before, and the new text is among them; or the text does not fit and is refused."""
    if got.error is not None:
        return got.error.reason == "content-type-invalid-for-target"
    assert got.text is not None
    kinds = [Counter(found.kind for found in outline(text).elements) for text in (case["document"], got.text)]
    return kinds[0] == kinds[1] and str(case["instruction"]["content"]).strip() in got.text


def _nested_in_place(case: Any, got: Got) -> bool:
    lines = case["document"].split("\n")
    return got.text is not None and sum(old == new for old, new in zip(lines, got.text.split("\n"), strict=True)) == len(lines) - 1


def _pipe_escaped(_: Any, got: Got) -> bool:
    return got.text is not None and "\\|" in got.text


def _heading_found(case: Any, got: Got) -> bool:
    return got.text is not None and len(got.text) > len(case["document"])


def _error_with_code(_: Any, got: Got) -> bool:
    return got.error is not None and got.error.rest_code in {40005, 40057, 40080}


# A quirk of theirs → what the safe reading owes, and why it is not copied.
SAFE: dict[str, tuple[Callable[[Any, Got], bool], str]] = {
    "content-glued-to-next-heading": (_nothing_glued, "text run into the next heading's line unmakes the heading"),
    "mixed-or-broken-line-endings": (_one_line_end, "a CRLF note stays one"),
    "duplicate-sibling-resolves-to-last": (_both_lines_named, "which heading is meant is not clear; the setting compat takes the last"),
    "duplicate-block-id-resolves-to-last": (_both_lines_named, "likewise"),
    "frontmatter-corrupted": (_properties_right, "an empty block stays one block; a scalar is not taken apart"),
    "yaml-comments-and-quoting-lost": (_comments_kept, "comments and quoting survive"),
    "text-spliced-into-structured-block": (_blocks_kept, "a list, quote or table stays one"),
    "fence-broken": (_blocks_kept, "text for a code block goes inside its fence"),
    "nested-list-item-position": (_nested_in_place, "the item that has the id changes, not the one around it"),
    "table-pipe-not-escaped": (_pipe_escaped, "a cell holds one cell"),
    "bom-hides-first-heading": (_heading_found, "a byte order mark is no part of the heading"),
    "untyped-exception": (_error_with_code, "an error with a code"),
    "replace-missing-creates": (_nothing_glued, "asked for, so done"),
}


def verdict(case: Any) -> str:
    """exact, safe or fail."""
    got = ask(case)
    if is_exact(case, got):
        return "exact"
    quirks = case.get("quirks", ())
    return "safe" if quirks and all(quirk in SAFE and SAFE[quirk][0](case, got) for quirk in quirks) else "fail"


@pytest.fixture(scope="module")
def verdicts() -> dict[str, str]:
    return {case["id"]: verdict(case) for case in vectors.load(NAME)["vectors"]}


def test_every_case_is_met_to_the_byte_or_read_safely(verdicts: dict[str, str]) -> None:
    count = Counter(verdicts.values())
    vectors.report(NAME, count["exact"] + count["safe"], len(verdicts))
    print(f"patch_vectors: exact {count['exact']}, safe deviation {count['safe']}, fail {count['fail']}")
    assert [name for name, found in verdicts.items() if found == "fail" and name not in EXCEPTIONS] == []


def test_only_quirks_deviate(verdicts: dict[str, str]) -> None:
    marked = {case["id"] for case in vectors.load(NAME)["vectors"] if case.get("quirks")}
    assert {name for name, found in verdicts.items() if found == "safe"} <= marked


def test_compat_takes_the_last_of_several_as_the_plugin_does() -> None:
    twins = [case for case in vectors.load(NAME)["vectors"] if any("duplicate" in quirk for quirk in case.get("quirks", ()))]
    assert twins
    assert all(is_exact(case, ask(case, compat=True)) for case in twins)
