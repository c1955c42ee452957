"""Finding out what became of a call whose outcome is not known."""
