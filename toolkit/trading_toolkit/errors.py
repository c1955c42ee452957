"""The error of the toolkit. What the service answers stays an error of the SDK."""

from __future__ import annotations


class ToolkitError(Exception):
    """Something that the toolkit was given, or found on disk, is wrong.

    The text says what, where, and what would be right. Nothing that was stored before is lost.
    """
