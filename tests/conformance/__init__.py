"""The conformance kit, tested, and the program with which the Python SDK passes it."""
