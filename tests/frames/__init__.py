"""The SDK beside pandas and numpy: run by the nox session frames, which installs them."""
