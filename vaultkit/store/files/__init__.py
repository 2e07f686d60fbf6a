"""The vault on disk: walk, read, apply edits atomically (containment, lock, hash check), undo.

`walk` lists · `places` maps vault paths to disk names and keeps them inside · `plan` checks every precondition · `execute` stages, switches and
rolls back · `runs` keeps the record of each run · `undo` turns runs round · `disk` makes the system calls · `store` is the whole.
"""

from vaultkit.store.files.disk import DiskError
from vaultkit.store.files.runs import Change, Run
from vaultkit.store.files.store import Applied, FileStore, Read
from vaultkit.store.files.undo import Left, Undone
from vaultkit.store.files.walk import Entry, Skip, Walk

__all__ = ["Applied", "Change", "DiskError", "Entry", "FileStore", "Left", "Read", "Run", "Skip", "Undone", "Walk"]
