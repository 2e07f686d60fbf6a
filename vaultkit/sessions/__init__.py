"""What each event of a session does. The faces hand in what a hook said; what comes back is what it prints, and one line for stderr on trouble.

    start     the context (memory.md M26), shorter on resume and compaction, never twice; what a killed worker left is taken up again
    prompt    recall → the digest
    tool      a note that was really read counts, in the activity log only (M43)
    turn      what was asked and answered, redacted, into the session's file
    compact   the same before detail is lost; what was shown may be shown again
    end       into the queue; a detached worker does the slow part (`sessions.worker`)

Only `start` and `prompt` look into the vault, and nothing here writes into it.
"""

from __future__ import annotations

from vaultkit.sessions.events import Answer, Call, hook, needs_vault
from vaultkit.sessions.listing import Listed, listing
from vaultkit.sessions.log import hooks_log
from vaultkit.sessions.sweep import unwatch, watch

__all__ = ["Answer", "Call", "Listed", "hook", "hooks_log", "listing", "needs_vault", "unwatch", "watch"]
