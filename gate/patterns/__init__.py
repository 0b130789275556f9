"""Regular expressions of users: Python's, and JavaScript's read as JavaScript does."""
