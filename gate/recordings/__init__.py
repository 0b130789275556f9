"""Recorded formats: one file each, found by lying here, recognised by content."""
