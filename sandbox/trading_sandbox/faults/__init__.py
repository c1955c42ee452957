"""The fault proxy in front of the server: it injects faults into the next requests."""

from trading_sandbox.faults.fault import Fault
from trading_sandbox.faults.kind import REQUIRED, Kind
from trading_sandbox.faults.kinds import KINDS
from trading_sandbox.faults.options import OPTIONS, Option
from trading_sandbox.faults.registry import Faults, as_json

__all__ = ["KINDS", "OPTIONS", "REQUIRED", "Fault", "Faults", "Kind", "Option", "as_json"]
