"""Dream: captures that ripened become linked knowledge (memory.md M35-M42). Pure: what to ask, then answers → changes, then edits.

gate         which captures take part                    partition    captures by topic, as one partition
synthesis    a cluster as one note, with its sources     duplicates   notes that say the same twice
links        cross-links, and which to take back         atomicity    notes that treat more than one topic
changes      all of it as changes to notes               workspace    changes as one list of edits

Deterministic: a model, where there is one, answers questions, and its answers are held against what was asked.
"""

from vaultkit.dream.atomicity import Part, Split, parts_of, split, texts_of
from vaultkit.dream.changes import (
    Names,
    Placed,
    Written,
    archive_moves,
    consolidate,
    cut,
    merge,
    relate,
    unrelate,
    why_unwritable,
    with_item,
)
from vaultkit.dream.duplicates import Standing, Twin, twins
from vaultkit.dream.gate import Capture, Eligible, Kept, eligible, substance
from vaultkit.dream.lexical import by_words
from vaultkit.dream.links import (
    CrossLink,
    Made,
    Place,
    cross_links,
    is_hub,
    related_targets,
    scores,
    weakest,
    with_related,
    without_related,
)
from vaultkit.dream.partition import MOST, Answered, checked, partition, topics
from vaultkit.dream.sentences import sentences, words_of
from vaultkit.dream.synthesis import (
    Draft,
    Statement,
    Terms,
    ask_links,
    ask_partition,
    ask_synthesis,
    confirmed,
    extract,
    refine,
    terms_of,
    topic_of,
)
from vaultkit.dream.workspace import Workspace, writable
from vaultkit.text.asking import ModelAsk

__all__ = [
    "MOST",
    "Answered",
    "Capture",
    "CrossLink",
    "Draft",
    "Eligible",
    "Kept",
    "Made",
    "ModelAsk",
    "Names",
    "Part",
    "Place",
    "Placed",
    "Split",
    "Standing",
    "Statement",
    "Terms",
    "Twin",
    "Workspace",
    "Written",
    "archive_moves",
    "ask_links",
    "ask_partition",
    "ask_synthesis",
    "by_words",
    "checked",
    "confirmed",
    "consolidate",
    "cross_links",
    "cut",
    "eligible",
    "extract",
    "is_hub",
    "merge",
    "partition",
    "parts_of",
    "refine",
    "relate",
    "related_targets",
    "scores",
    "sentences",
    "split",
    "substance",
    "terms_of",
    "texts_of",
    "topic_of",
    "topics",
    "twins",
    "unrelate",
    "weakest",
    "why_unwritable",
    "with_item",
    "with_related",
    "without_related",
    "words_of",
    "writable",
]
