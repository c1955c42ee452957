"""The exchange behind HTTP, routed and decoded by what is generated from the spec."""
