"""The conformance kit: it proves a port of the SDK by its pipes alone. README.md has the protocol.

It reads spec/vectors and runs trading_sandbox. It imports neither the SDK nor its runtime, so that it may
contradict them.
"""
