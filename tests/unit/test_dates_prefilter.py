"""The cheap test lets every date through, and little else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support import vectors
from tests.support.dates import WEDNESDAY
from vaultkit.text.dates import find, find_dates_in_lines, may_hold_date
from vaultkit.text.dates.phrases import DEFAULT_POLICY
from vaultkit.text.dates.prefilter import dated_lines

PROSE = "The quick brown fox jumps over a lazy dog, and nothing else happens in this sentence.\n本文はただの文章であり、特に何も書かれていない。\n"


@pytest.mark.parametrize("name", ["deadlines", "deadlines_own", "captures"])
def test_no_line_with_a_date_is_turned_away(name: str) -> None:
    for item in vectors.load(name)["items"]:
        for line in item["text"].split("\n"):
            assert may_hold_date(line) or not find._read(line, WEDNESDAY, DEFAULT_POLICY).placed, line


def test_plain_prose_is_turned_away() -> None:
    assert not may_hold_date(PROSE * 50)
    assert not may_hold_date("")


def test_lines_are_numbered_from_the_start_of_the_text() -> None:
    text = f"{PROSE}due Friday\n{PROSE}\n4/2まで"
    assert list(dated_lines(text)) == [2, 6]
    lines = dict(find_dates_in_lines(text, now=WEDNESDAY))
    assert {number: [phrase.phrase for phrase in phrases] for number, phrases in lines.items()} == {2: ["due Friday"], 6: ["4/2まで"]}
    assert all(text[phrase.start : phrase.end] == phrase.phrase for phrases in lines.values() for phrase in phrases)


def test_importing_the_package_loads_no_grammar() -> None:
    code = "import sys, vaultkit.text.dates; print(sorted(name for name in sys.modules if name.startswith('vaultkit.text.dates.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['vaultkit.text.dates.phrases']"
