"""The command `trading-sdk`: what the SDK and the toolkit can do, from a shell."""
