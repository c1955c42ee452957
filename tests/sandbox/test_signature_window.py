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


def refusal(now: int, *, timestamp: int, window: int) -> str | None:
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


@pytest.mark.parametrize(
    ("at", "timestamp", "window", "words"),
    [
        *((at, STAMP, 5_000, None) for at in (STAMP - 30_000, STAMP, STAMP + 5_000)),
        (STAMP - 30_001, STAMP, 5_000, "its timestamp is 30001 ms in the future"),
        (STAMP + 5_001, STAMP, 5_000, "it expired 1 ms ago"),
        (STAMP, STAMP, 0, None),
        (STAMP, STAMP, -1, "it expired 1 ms ago"),
        (STAMP, STAMP + 30_000, -30_000, None),
        (STAMP, 0, 5_000, "it expired"),
        (STAMP, LARGEST, LARGEST, "in the future"),
        (STAMP, -LARGEST, LARGEST, "it expired"),
    ],
)
def test_a_message_is_accepted_from_the_skew_to_the_end_of_its_window_and_not_beside_it(
    at: int, timestamp: int, window: int, words: str | None
) -> None:
    said = refusal(at, timestamp=timestamp, window=window)
    assert (said is None) if words is None else (words in str(said))
