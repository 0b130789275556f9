"""Scripts that measure, by hand; the tests never look at a clock."""
