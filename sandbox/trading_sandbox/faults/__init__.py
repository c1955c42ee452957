"""The fault proxy in front of the server, which injects faults into the next requests; those of frames."""

from trading_sandbox.faults.fault import REQUIRED, Fault, Kind
from trading_sandbox.faults.injection import FRAMES, KINDS, Faults, as_json

__all__ = ["FRAMES", "KINDS", "REQUIRED", "Fault", "Faults", "Kind", "as_json"]
