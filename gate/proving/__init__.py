"""Oracles proved by controls."""
