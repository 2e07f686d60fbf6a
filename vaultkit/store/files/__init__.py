"""The vault on disk: walk, read, apply edits atomically (containment, lock, hash check), undo.

`walk` lists · `places` maps vault paths to disk names and keeps them inside · `plan` checks every precondition · `execute` stages, switches and
rolls back · `runs` keeps the record of each run · `undo` turns runs round · `disk` makes the system calls · `store` is the whole.
"""

from vaultkit.store.files.disk import DiskError
from vaultkit.store.files.store import FileStore
from vaultkit.store.files.walk import ignorer
from vaultkit.store.vault import Applied, Change, Entry, Left, Read, Run, Skip, Touched, Undone, Walk

__all__ = ["Applied", "Change", "DiskError", "Entry", "FileStore", "Left", "Read", "Run", "Skip", "Touched", "Undone", "Walk", "ignorer"]
