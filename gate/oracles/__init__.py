"""Oracles: one file each, found by lying here; the file name is the type."""
