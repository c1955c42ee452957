"""Ids that the SDK makes itself: each is used for one message, unless its caller uses it again.

Whoever finds a record with such an id knows which message made it, whatever the clocks say.
"""

from __future__ import annotations

from typing import Any, TypeAlias
from uuid import UUID


class MintedUUID(UUID):
    """A random UUID that was made here. A copy of it is a plain UUID, as if the caller gave it."""

    calls: set[tuple[str, str, str]]
    """The calls that it was used for: service, account and call. Whoever makes it sets it past the lock of a UUID."""

    def __reduce__(self) -> tuple[Any, ...]:
        return UUID, (str(self),)

    def __repr__(self) -> str:
        return f"UUID({str(self)!r})"


Use: TypeAlias = tuple[str, str, str]
"""A service, an account, and an id that was used there."""

# Of the process and not of a client: a program may give an id that one client made, and of whose message
# nothing is known, to another client of the same account, and both must know then that it settles nothing.
unknown: set[Use] = set()
"""Ids of messages whose outcome this process does not know, or did not. There are few."""
shared: set[Use] = set()
"""Ids that this process used for several messages, so that a record of it may be of either."""
