"""Date phrases in English and Japanese prose, with spans and roles. Pure; no dependency.

A line is put in its normal form and masked (`mask`), rules see the parts of dates in it (`numeric`, `english`, `japanese`), parts that
belong together become phrases (`combine`), and the words around each tell its role (`roles`). Policy: `DatePolicy`.
"""

from __future__ import annotations

from .find import find_dates, find_dates_in_lines, find_unplaced
from .phrases import Confidence, DatePhrase, DatePolicy, Role, Unplaced
from .prefilter import may_hold_date

__all__ = ["Confidence", "DatePhrase", "DatePolicy", "Role", "Unplaced", "find_dates", "find_dates_in_lines", "find_unplaced", "may_hold_date"]
