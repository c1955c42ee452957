"""The old name of `tests.doubles.orders`."""

from tests.doubles.orders import api_error

__all__ = ["api_error"]
