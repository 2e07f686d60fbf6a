"""Decisions, failures, ideas and proposals: kinds, statuses, ids, lists, promotion. Values in, edits out; no I/O.

draft ──▶ notes.create + notes.supersede + lists.rebuild ──▶ edits        memory.md M28-M34
"""
