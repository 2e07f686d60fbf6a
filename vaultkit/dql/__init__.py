"""The Dataview query language."""
