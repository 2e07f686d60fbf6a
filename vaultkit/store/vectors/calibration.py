"""What a cosine means for this model and in this vault, from the distribution of random pairs.

A cosine of .75 is nothing with e5, where nearly every pair is above it, and a near-copy with USE. So thresholds are places between the
vault's own random pairs (median m) and 1, or so many of their spreads above m:

    duplicate   m + .62 (1 − m)    the same said again in other words
    repetition  m + .50 (1 − m)    the same again, told freely: counted, never skipped
    entry       m' + 2.5 s'        a question and a note about it; m' and s' are of a title, asked as a query, against other notes
    scale       of fixed sentences: paraphrases' mean − unrelated ones' mean; the unit in which search adds meaning to words

m and s come from the middle of the distribution (s = m − its 16 % point), so that real duplicates among the pairs do not shift them.
Where a vault has few notes, the fixed sentences speak for the missing pairs. The labelled pairs of tests/vectors/pairs.json (two
languages) show for the embedded model what these places separate: 114 of 120 are on their side, as many as with multilingual e5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]

DUPLICATE: Final = 0.62
REPETITION: Final = 0.50
ENTRY: Final = 2.5  # spreads
FLOOR: Final = 2.0  # spreads: what shares no word with a query is shown from here on

TITLES: Final = 100  # asked as queries
_PAIRS: Final = 20_000
_FEW: Final = 30  # notes: fewer say little about the vault
_LEAST_SCALE: Final = 0.02


class Calibration(NamedTuple):
    """Thresholds and what they were computed from; `health` shows them."""

    notes: int
    pairs: int
    median: float  # of random pairs of notes
    spread: float
    high: float  # 99.9 % of random pairs lie below
    query_median: float  # of titles against other notes
    query_spread: float
    scale: float
    entry: float
    repetition: float
    duplicate: float

    @property
    def floor(self) -> float:
        """A note without a word of the query is a hit from this cosine on.

        In the test vault the right note of all Japanese paraphrases lies above it, the best note of 9 of 16 queries about nothing below.
        """
        return min(1.0, self.query_median + FLOOR * self.query_spread)

    def as_dict(self) -> dict[str, float]:
        """For JSON."""
        return self._asdict()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The reverse of `as_dict`. Raises KeyError or ValueError on anything else."""
        return cls(*(kind(values[name]) for name, kind in zip(cls._fields, (int, int, *[float] * 9), strict=True)))


class Yardstick(NamedTuple):
    """Cosines of the fixed sentences under this model."""

    same: float
    unrelated: float
    spread: float
    query_unrelated: float
    query_spread: float
    scale: float


def yardstick(queries: Rows, left: Rows, right: Rows) -> Yardstick:
    """*left* and *right* are the two columns of SENTENCES as passages, *queries* the left one as queries."""
    strangers = _strangers(len(left))
    passages, asked = (left @ right.T)[strangers], (queries @ right.T)[strangers]
    scale = float(np.mean(np.sum(queries * right, axis=1))) - float(np.median(asked))
    return Yardstick(
        float(np.mean(np.sum(left * right, axis=1))),
        *_middle(passages),
        *_middle(asked),
        max(scale, _LEAST_SCALE),
    )


def calibrate(notes: Rows, queries: Rows, asked: Sequence[int], stick: Yardstick) -> Calibration:
    """*queries* are titles of some notes, as queries; *asked* their rows in *notes*. The same notes give the same thresholds."""
    random = np.random.default_rng(0)
    median, spread, high, pairs = stick.unrelated, stick.spread, stick.unrelated + 3 * stick.spread, 0
    query_median, query_spread = stick.query_unrelated, stick.query_spread
    if len(notes) > 1:
        left = random.integers(0, len(notes), _PAIRS)
        right = (left + random.integers(1, len(notes), _PAIRS)) % len(notes)
        cosines = _pairwise(notes, left, right)
        share = min(1.0, len(notes) / _FEW)
        own, own_spread = _middle(cosines)
        median, spread = _mixed(share, own, median), _mixed(share, own_spread, spread)
        high, pairs = float(np.quantile(cosines, 0.999)), min(_PAIRS, len(notes) * (len(notes) - 1) // 2)
        if len(queries):
            rows = np.asarray(asked)[:, None]
            others = (rows + random.integers(1, len(notes), (len(queries), min(200, len(notes) * 2)))) % len(notes)
            # Each title by itself, so that two languages in one vault do not pass for a wide distribution; and gathered one at a time:
            # all at once would be a copy of the matrix many times over.
            middles = np.array([_middle(notes[row] @ query) for row, query in zip(others, queries, strict=True)])
            own, own_spread = (float(number) for number in np.median(middles, axis=0))
            query_median, query_spread = _mixed(share, own, query_median), _mixed(share, own_spread, query_spread)
    return Calibration(
        notes=len(notes),
        pairs=pairs,
        median=median,
        spread=spread,
        high=high,
        query_median=query_median,
        query_spread=query_spread,
        scale=stick.scale,
        entry=min(1.0, query_median + ENTRY * query_spread),
        repetition=median + REPETITION * (1 - median),
        duplicate=median + DUPLICATE * (1 - median),
    )


def _strangers(count: int) -> NDArray[np.bool_]:
    """Which pairs of sentences have nothing to do with each other: all but those of one row, and of the same row in the other language."""
    row = np.arange(count) % (count // 2)
    strangers: NDArray[np.bool_] = row[:, None] != row[None, :]
    return strangers


def _middle(cosines: Rows) -> tuple[float, float]:
    low, median = np.quantile(cosines, (0.1587, 0.5))
    return float(median), max(float(median - low), 1e-4)


def _mixed(share: float, own: float, general: float) -> float:
    return share * own + (1 - share) * general


def _pairwise(rows: Rows, left: NDArray[np.int64], right: NDArray[np.int64]) -> Rows:
    """Cosines of rows that stand in no order, block by block: the matrix stays where it is mapped."""
    return np.concatenate(
        [
            np.einsum("ij,ij->i", rows[left[at : at + 1000]], rows[right[at : at + 1000]], dtype=np.float32)
            for at in range(0, len(left), 1000)
        ]
    )


# The first half English, the second the same in Japanese; each row says one thing twice.
SENTENCES: Final[tuple[tuple[str, str], ...]] = (
    ("The train was cancelled because of heavy snow.", "Snowfall stopped the railway service."),
    ("She repaired the broken window herself.", "The cracked pane was fixed by her own hands."),
    ("Prices of vegetables went up this month.", "Greens have become more expensive lately."),
    ("The doctor told him to sleep more.", "He was advised by his physician to get extra rest."),
    ("We moved the meeting to Thursday.", "The appointment was shifted to Thursday."),
    ("The program crashes when the file is empty.", "An empty input makes the software stop with an error."),
    ("Our dog is afraid of thunder.", "Loud storms frighten the family pet."),
    ("He is learning to bake bread.", "He practises making loaves in the oven."),
    ("大雪で電車が止まった。", "雪がひどく、鉄道は運休になった。"),
    ("割れた窓を自分で直した。", "ひびの入ったガラスを自力で修理した。"),
    ("今月は野菜の値段が上がった。", "最近、青物が高くなっている。"),
    ("医者にもっと眠るように言われた。", "睡眠を増やすよう先生に勧められた。"),
    ("打ち合わせを木曜に移した。", "会議は木曜日に変更になった。"),
    ("ファイルが空だとプログラムが落ちる。", "入力が何もないとソフトが異常終了する。"),
    ("うちの犬は雷を怖がる。", "飼っている犬は落雷の音におびえる。"),
    ("パンの焼き方を習っている。", "オーブンで食パンを作る練習をしている。"),
)
