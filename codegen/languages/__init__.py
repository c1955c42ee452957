"""How names and types of the IR are written, a module for each language."""
