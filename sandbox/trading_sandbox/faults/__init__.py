"""The fault proxy in front of the server: it injects faults into the next requests."""

from trading_sandbox.faults.catalog import KINDS
from trading_sandbox.faults.fault import REQUIRED, Fault, Kind
from trading_sandbox.faults.injection import Faults, as_json
from trading_sandbox.faults.options import OPTIONS, Option

__all__ = ["KINDS", "OPTIONS", "REQUIRED", "Fault", "Faults", "Kind", "Option", "as_json"]
