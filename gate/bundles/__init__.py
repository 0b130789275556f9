"""Bundles: tasks, oracles and metrics that one manifest hashes, with the environment that they were made for."""
