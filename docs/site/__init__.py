"""Builds the site from docs/, from the pages that stand elsewhere, and from the spec. Not shipped."""
