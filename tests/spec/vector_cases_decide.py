"""The retry decision, exported from the table and the function that the runtime goes by.

Alone among the tables of cases this one imports the SDK: what is attempted again is a decision of ours, and a port must
copy it. docs/recovery.md says it for people, and a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import asdict, evolve

from tests.spec.vector_cases_base import Case
from trading_runtime.call.retry import FailedAttempt, NextAttempt, Retry, decide
from trading_runtime.http.fault import Fault
from trading_runtime.operation import RetryClass

CLASSES: tuple[RetryClass, ...] = ("safe", "idempotent", "by-key", "never")
POLICY = Retry()
_HALF = 0.5


def _seconds(value: float | None) -> Any:
    return None if value is None else {"$float": repr(float(value))}


def decide_case(
    name: str, rule: str, description: str, failed: FailedAttempt, policy: Retry, jitter: float
) -> Case:
    """What an attempt leads to."""
    found = decide(failed, policy, jitter)
    if isinstance(found, NextAttempt):
        result = {"delay": _seconds(found.delay)}
    else:
        result = {"raise": found.name.lower().replace("unknown", "outcome_unknown")}
    numbers = {
        each: value if isinstance(value, int) else _seconds(value)
        for each, value in asdict(policy).items()
    }
    return {
        "name": f"decide-{name}",
        "kind": "decide",
        "description": description,
        "rule": rule,
        "given": {
            "fault": failed.fault.name.lower(),
            "retry_class": failed.retry_class,
            "attempt": failed.number,
            "time_left": _seconds(failed.time_left),
            "quota_left": int(failed.quota_left),
            "retry_after": _seconds(failed.retry_after),
            "policy": numbers,
            "jitter": _seconds(jitter),
        },
        "expect": {"result": result},
    }


def _table() -> Iterator[Case]:
    """Every fault and retry class, at the first attempt, at the second, and at the last."""
    for fault in Fault:
        for class_ in CLASSES:
            for number in range(1, POLICY.max_attempts + 1):
                failed = FailedAttempt(
                    fault=fault, retry_class=class_, number=number, time_left=9.0, quota_left=10
                )
                words = fault.name.lower().replace("_", "-")
                yield decide_case(
                    f"{words}-{class_}-{number}",
                    "outcome-table",
                    f"Attempt {number} of an operation that is {class_} ends with {words}.",
                    failed,
                    POLICY,
                    _HALF,
                )


_READ = FailedAttempt(
    fault=Fault.MAYBE_SENT, retry_class="safe", number=1, time_left=9.0, quota_left=10
)
_LIMITED = evolve(_READ, fault=Fault.RATE_LIMITED)
_MANY = Retry(max_attempts=200)
_ROWS: tuple[tuple[str, str, str, FailedAttempt, Retry, float], ...] = (
    ("no-repeats", "outcome-attempts", "One attempt is all there is.", _READ, Retry(max_attempts=1), 0.5),
    ("more-attempts", "outcome-attempts", "The last but one of five.", evolve(_READ, number=4), Retry(max_attempts=5), 0.5),
    ("quota-one", "outcome-quota", "One retry is left.", evolve(_READ, quota_left=1), POLICY, 0.5),
    ("quota-none", "outcome-quota", "No retry is left.", evolve(_READ, quota_left=0), POLICY, 0.5),
    ("jitter-none", "outcome-delay", "A random share of nothing.", _READ, POLICY, 0.0),
    ("jitter-all", "outcome-delay", "The whole delay.", _READ, POLICY, 1.0),
    ("doubled", "outcome-delay", "The bound doubles with each attempt.", evolve(_READ, number=4), _MANY, 1.0),
    ("longest", "outcome-delay", "No bound is longer than max_delay.", evolve(_READ, number=8), _MANY, 1.0),
    ("many-attempts", "outcome-delay", "Nothing overflows at the 150th attempt.", evolve(_READ, number=150), _MANY, 1.0),
    ("no-delay", "outcome-delay", "A policy without delays.", _READ, Retry(base_delay=0.0), 1.0),
    ("time-enough", "outcome-deadline", "The delay ends just before the deadline.", evolve(_READ, time_left=0.026), POLICY, 0.5),
    ("time-short", "outcome-deadline", "The delay would end at the deadline.", evolve(_READ, time_left=0.025), POLICY, 0.5),
    ("time-none", "outcome-deadline", "The deadline has passed.", evolve(_READ, time_left=0.0), POLICY, 0.0),
    ("time-past", "outcome-deadline", "The deadline has passed for a while.", evolve(_READ, time_left=-1.0), POLICY, 0.0),
    ("asked-wait", "outcome-retry-after", "The wait that is asked for comes on top.", evolve(_LIMITED, retry_after=2.0), POLICY, 0.5),
    ("asked-wait-longest", "outcome-retry-after", "The longest wait that is taken.", evolve(_LIMITED, retry_after=5.0), POLICY, 0.5),
    ("asked-wait-too-long", "outcome-retry-after", "A longer one ends the call.", evolve(_LIMITED, retry_after=5.001), POLICY, 0.5),
    ("asked-wait-beyond-deadline", "outcome-retry-after", "A wait beyond the deadline ends the call.", evolve(_LIMITED, retry_after=4.0, time_left=4.0), POLICY, 0.5),
    ("asked-wait-none", "outcome-retry-after", "A wait of nothing.", evolve(_LIMITED, retry_after=0.0), POLICY, 0.5),
    ("duplicate-read", "outcome-duplicate", "A later 409 to a read is its error.", evolve(_READ, fault=Fault.DUPLICATE, number=2), POLICY, 0.5),
    ("duplicate-by-key", "outcome-duplicate", "A later 409 says that an earlier attempt was accepted.", evolve(_READ, fault=Fault.DUPLICATE, number=2, retry_class="by-key"), POLICY, 0.5),
)  # fmt: skip

CASES: tuple[Case, ...] = (*_table(), *(decide_case(*row) for row in _ROWS))
