"""Recorded commands done again where that is safe, in memory and in a throw-away workspace."""
