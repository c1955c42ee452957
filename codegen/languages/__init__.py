"""How names and types of the IR are written in a language."""
