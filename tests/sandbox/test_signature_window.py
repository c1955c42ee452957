"""When a message is accepted, to the millisecond: as long as its window says, and not early."""

from __future__ import annotations

import pytest

from trading_runtime.signing.keys import Keypair
from trading_runtime.signing.request import sign_request
from trading_sandbox.web import auth
from trading_sandbox.web.refusals import Refusal

KEY = Keypair(b"\x07" * 32)
STAMP = 1_748_970_123_456
LARGEST = 2**63 - 1


def refusal(now: int, *, timestamp: int = STAMP, window: int = 5_000) -> str | None:
    """What is said at this time of a message, or None if it is accepted."""
    signed = sign_request(
        {},
        signing_type="list_api_keys",
        signer=KEY,
        account=KEY.address,
        timestamp=timestamp,
        expiry_window=window,
    )
    try:
        auth.verified(signed.body, "list_api_keys", now, lambda _: None, omitted=())
    except Refusal as refused:
        return str(refused)
    return None


@pytest.mark.parametrize("at", [STAMP - 30_000, STAMP, STAMP + 5_000])
def test_a_message_is_accepted_from_the_skew_to_the_end_of_its_window(at: int) -> None:
    assert refusal(at) is None


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (STAMP - 30_001, "its timestamp is 30001 ms in the future"),
        (STAMP + 5_001, "it expired 1 ms ago"),
    ],
)
def test_a_millisecond_outside_it_is_refused(at: int, words: str) -> None:
    assert words in str(refusal(at))


@pytest.mark.parametrize(
    ("timestamp", "window", "words"),
    [
        (STAMP, 0, None),
        (STAMP, -1, "it expired 1 ms ago"),
        (STAMP + 30_000, -30_000, None),
        (0, 5_000, "it expired"),
        (-1, 5_000, "it expired"),
        (LARGEST, 5_000, "in the future"),
        (LARGEST, LARGEST, "in the future"),
        (STAMP + 30_001, LARGEST, "in the future"),
        (-LARGEST, LARGEST, "it expired"),
    ],
)
def test_extreme_times_and_windows_open_nothing(
    timestamp: int, window: int, words: str | None
) -> None:
    said = refusal(STAMP, timestamp=timestamp, window=window)
    assert (said is None) if words is None else (words in str(said))
