"""Holds a release to what it changed: `nox -s release-check`."""
