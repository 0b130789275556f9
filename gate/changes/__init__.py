"""The change under review: what it is, how each event names it, and the history it needs."""
