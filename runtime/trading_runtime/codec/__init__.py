"""Between Python and JSON: what a caller may pass, requests out, answers in."""
