"""What a recording says that its steps printed, held against what the replay gives."""
