"""Start workspaces made ready, and brought to their right end by golden input."""
