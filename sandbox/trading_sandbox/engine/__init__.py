"""The exchange itself: deterministic, in Decimal, without HTTP, clock or chance."""
