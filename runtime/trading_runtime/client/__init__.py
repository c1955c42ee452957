"""The client that a generated package extends: its options, its environment variables and its methods."""
