"""The semantic index: one vector a note in a memory-mapped matrix, thresholds calibrated for this model and vault. Derived, disposable.

Vectors        the matrix on disk: open, update, coverage, cosines
Calibration    what a cosine means here, from random pairs of notes
Likeness       the three questions that similarity answers (memory.md M18); each names kinds and statuses, none asks for everything
"""

from __future__ import annotations

import os
import sys

if "numpy" not in sys.modules:
    # Two BLAS threads on two busy cores wait for each other: 280 ms where one takes 1.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from vaultkit.store.vectors.calibration import Calibration
from vaultkit.store.vectors.likeness import About, Like, Liked, Likeness, similar
from vaultkit.store.vectors.matrix import Coverage, Model, Source, Updated, Vectors

__all__ = ["About", "Calibration", "Coverage", "Like", "Liked", "Likeness", "Model", "Source", "Updated", "Vectors", "similar"]
