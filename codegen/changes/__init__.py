"""What changed between two specs, and for whom: `python -m codegen diff OLD NEW`."""
