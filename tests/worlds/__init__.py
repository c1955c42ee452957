"""The client against model services in virtual time, whose truth is known (`python -m tests.worlds`)."""
