"""Text to values: no I/O."""
