"""PATCH by heading, block id or property: text → text, no I/O. Errors: PatchError and its kinds (vaultkit.errors), with the plugin's codes.

- `apply1(text, Patch1(…))`: the header dialect (Local REST API up to 4.x, and 5.x with `Markdown-Patch-Version: 1`).
- `apply2(text, instruction)`: the JSON dialect of 5.x; every byte that it does not name stays, those of the properties too.
- `read_target(text, type, target)` and `document_map(text)`: what a targeted GET answers.
"""

from __future__ import annotations

from vaultkit.text.patch.first import JSON, MARKDOWN, OPERATIONS, SCOPES, Patch1, apply1
from vaultkit.text.patch.outline import outline
from vaultkit.text.patch.reading import read_target
from vaultkit.text.patch.second import Patched2, apply2, matches
from vaultkit.text.patch.targets import DELIMITER, TARGET_TYPES, address, document_map, find_section, heading_path, version

__all__ = [
    "DELIMITER",
    "JSON",
    "MARKDOWN",
    "OPERATIONS",
    "SCOPES",
    "TARGET_TYPES",
    "Patch1",
    "Patched2",
    "address",
    "apply1",
    "apply2",
    "document_map",
    "find_section",
    "heading_path",
    "matches",
    "outline",
    "read_target",
    "version",
]
