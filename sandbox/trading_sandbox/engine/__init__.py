"""The exchange engine: deterministic, in Decimal, without HTTP, a clock or random numbers."""
