"""The fault proxy in front of the server: it injects faults into the next requests."""

from trading_sandbox.faults.fault import REQUIRED, Fault, Kind
from trading_sandbox.faults.injection import KINDS, Faults, as_json

__all__ = ["KINDS", "REQUIRED", "Fault", "Faults", "Kind", "as_json"]
