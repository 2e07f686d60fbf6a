"""Adapters: what vaultkit puts into the settings of other programs, and takes out again.

What belongs where is data in adapters/<name>/; here it is read (`manifest`), rendered for one vault (`command`), worked into files that people
own (`entries`), planned and carried out (`plan`), and remembered so that it can be undone (`ledger`).
"""
