"""What a server does under load, and whether it keeps its word there."""
