"""Signing: keys, canonical text, signed requests. Pure: time and window are arguments."""
