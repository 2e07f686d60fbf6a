"""Capture: a line, a dump, a page, findings, or a note typed elsewhere becomes a well-formed note. Values in, edits out; no I/O.

request → draft → (questions → refine) → plan → edits and a receipt
"""

from __future__ import annotations

from vaultkit.capture.actions import Unseen
from vaultkit.capture.daily import DailyNote, daily_line, render_template, with_line
from vaultkit.capture.drafts import Draft, Item, draft
from vaultkit.capture.intake import plan_intake, why_not
from vaultkit.capture.model import questions, refine
from vaultkit.capture.plans import Plan, plan, raw_hash_of, raw_of
from vaultkit.capture.receipt import Receipt
from vaultkit.capture.request import NOTE_TYPES, Article, Known, Recent, Request, Settings, raw_hash
from vaultkit.capture.research import Claim, Research, claims_of, save
from vaultkit.capture.scopes import Verdict, classify
from vaultkit.capture.themes import Theme
from vaultkit.text.asking import ModelAsk

__all__ = [
    "NOTE_TYPES",
    "Article",
    "Claim",
    "DailyNote",
    "Draft",
    "Item",
    "Known",
    "ModelAsk",
    "Plan",
    "Receipt",
    "Recent",
    "Request",
    "Research",
    "Settings",
    "Theme",
    "Unseen",
    "Verdict",
    "claims_of",
    "classify",
    "daily_line",
    "draft",
    "plan",
    "plan_intake",
    "questions",
    "raw_hash",
    "raw_hash_of",
    "raw_of",
    "refine",
    "render_template",
    "save",
    "why_not",
    "with_line",
]
