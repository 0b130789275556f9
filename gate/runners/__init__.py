"""Test runners: one file each, found by lying here."""
