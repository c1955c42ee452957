"""The runtime of a generated client: what no template should repeat. It knows no service."""
