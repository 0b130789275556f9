"""How two contents, or two trees, differ, as git tells it."""
