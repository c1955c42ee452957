"""The exchange over HTTP, routed and decoded with the code generated from the spec."""
