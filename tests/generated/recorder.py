"""The old names of `tests.doubles.server`."""

from tests.doubles.server import Received as Recorded
from tests.doubles.server import Server as Recorder

recording = Recorder

__all__ = ["Recorded", "Recorder", "recording"]
