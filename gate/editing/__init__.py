"""How a recorded edit becomes content: texts, edits, patches, and files they are done to."""
