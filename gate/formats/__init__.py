"""Task formats: one file each, found by lying here."""
