"""Safe fetch and article extraction. The only module that goes to the network, and only for a URL that the user gave.

Rules: facts/capture.md §4. What was fetched is data: nothing in it is ever followed or run.
"""

from __future__ import annotations

from vaultkit.store.web.article import read_article
from vaultkit.store.web.decode import decode
from vaultkit.store.web.fetch import Fetched, fetch

__all__ = ["Fetched", "decode", "fetch", "read_article"]
