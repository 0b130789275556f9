"""A gate for pull requests that coding agents write."""

__version__ = "0.1.0"
