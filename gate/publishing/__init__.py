"""What is sent to GitHub: the check run, the comment, and the client that sends them."""
