"""vaultkit: an Obsidian vault as the memory of every coding agent. Importing this loads no third party."""

__version__ = "0.1.0"
