"""`python -m vaultkit` is the command line."""

from vaultkit.cli import main

main()
