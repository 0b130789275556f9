"""What keeps the judge the base's: what a change does to it, and what stands protected."""
