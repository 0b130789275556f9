"""What the oracles share that look at a transcript, at files, at a program's end or at a test run."""
