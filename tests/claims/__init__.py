"""Tests of the rooms on what a recording claims."""
