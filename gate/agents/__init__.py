"""How the tools of particular agents edit, and what their recordings look like beside the steps."""
