"""The table of commands: name → module of vaultkit.cli, attribute, the line that `--help` shows (a test holds it against the command's own)."""

from __future__ import annotations

from collections.abc import Mapping

COMMANDS: Mapping[str, tuple[str, str, str]] = {
    "init": ("vault", "init", "Make a new vault, or adopt an existing folder without touching a note."),
    "capture": ("capture", "capture", "File a line, a dump or a URL; deadlines go into fields (/braindump)."),
    "intake": ("capture", "intake", "Give notes typed in Obsidian's inbox their fields."),
    "research": ("capture", "research", "Store findings that have a source on every claim."),
    "lookahead": ("deadlines", "lookahead", "Warn about deadlines, from the fields."),
    "lint": ("deadlines", "lint", "Find dates in prose that nothing warns about, broken links, bad YAML."),
    "search": ("search", "search", "Search notes; answers with a table of contents."),
    "grep": ("search", "grep", "Find a literal or a regular expression in all notes."),
    "query": ("query", "query", "Answer a Dataview query (TABLE, LIST, TASK, CALENDAR) without Obsidian."),
    "recall": ("recall", "recall", "What a prompt would be given: the few notes that matter, or nothing."),
    "why": ("recall", "why", "Why a turn got what it got."),
    "context": ("knowing", "context", "What session start injects: rules, deadlines, open items, decisions."),
    "overlap": ("knowing", "overlap", "Warn about notes that overlap with a planned title or outline."),
    "eval": ("knowing", "eval_", "Run the golden cases of recall."),
    "stats": ("knowing", "stats", "What recall costs and what of it is used, harness by harness."),
    "dream": ("dream", "dream", "Turn captures that ripened into linked notes (consolidation)."),
    "health": ("knowing", "health", "Say whether the memory works, and what to do where it does not."),
    "sync": ("search", "sync", "Bring everything derived up to date with the files."),
    "note": ("notes", "note", "Read, create, append to, move or trash a note."),
    "daily": ("notes", "daily", "Show or make the daily note."),
    "open": ("notes", "open_", "Open a note in Obsidian."),
    "links": ("links", "links", "Links of a note."),
    "backlinks": ("links", "backlinks", "Links to a note."),
    "unresolved": ("links", "unresolved", "Links that lead nowhere."),
    "orphans": ("links", "orphans", "Notes that no other note links to."),
    "deadends": ("links", "deadends", "Notes without a link."),
    "tags": ("links", "tags", "Tags and how often they stand."),
    "tasks": ("links", "tasks", "Tasks of a note or of the vault."),
    "properties": ("links", "properties", "Properties of a note or of the vault."),
    "graph": ("links", "graph", "Measures of the link graph, through obsidiantools and NetworkX."),
    "undo": ("history", "undo", "Take back what vaultkit changed."),
    "history": ("history", "history", "What vaultkit changed, newest first."),
    "autocommit": ("history", "autocommit", "Commit the vault if anything changed."),
    "schedule": ("upkeep", "schedule", "Install, remove or show the timers of autocommit and lookahead."),
    "daemon": ("daemon", "daemon", "Start, stop or show the warm process that answers prompts."),
    "mcp": ("mcp", "mcp", "Serve the vault over MCP, on standard input and output."),
    "config": ("upkeep", "config", "Show or set settings."),
    "completion": ("upkeep", "completion", "Print the shell's completion script."),
}

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Start", ("init", "config", "completion")),
    ("Capture", ("capture", "intake", "research")),
    ("Deadlines", ("lookahead", "lint")),
    ("Find", ("search", "grep", "query", "recall", "context", "overlap", "sync")),
    ("Know", ("why", "eval", "stats", "health")),
    ("Ripen", ("dream",)),
    ("Notes", ("note", "daily", "open")),
    ("Links", ("links", "backlinks", "unresolved", "orphans", "deadends", "tags", "tasks", "properties", "graph")),
    ("Safety", ("undo", "history", "autocommit", "schedule", "daemon")),
    ("Serve", ("mcp",)),
)
