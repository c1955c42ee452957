"""The network: one request out, one whole answer back, within a deadline."""
