"""Command lines: taken apart as a shell reads them, what they change and what they reach."""
