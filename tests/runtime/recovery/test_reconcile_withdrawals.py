"""What `reconcile` says of withdrawals, whose lists show no idempotency keys."""

from __future__ import annotations

import pytest

from tests.interface import page
from tests.runtime.recovery.histories import (
    MINE,
    Histories,
    LocalClock,
    message,
    settled,
    soon_after_signing,
    state,
    unknown,
    withdrawal,
)
from trading_sdk import Client

ALIKE = "a list shows a matching record, but another message may have made it"
ADVICE = "; client.resend(error) sends it again with the same idempotency key, which is safe"


@pytest.mark.parametrize(("key", "advice"), [(MINE, ADVICE), (None, "")])
def test_a_similar_withdrawal_is_shown_with_advice_if_the_message_has_a_key(
    client: Client, histories: Histories, key: str | None, advice: str
) -> None:
    histories.show("spot.withdrawal_history", page(withdrawal(at=soon_after_signing())))

    settlement = settled(client, unknown(message("spot.withdraw", key)))

    assert (settlement.state, settlement.reason) == ("unsettled", ALIKE + advice)
    assert [record.batch_nonce for record in settlement.records] == [3]


def test_without_a_similar_record_a_withdrawal_may_have_been_executed_nevertheless(
    client: Client, clock: LocalClock
) -> None:
    expected = ("unsettled", "no list shows a matching record" + ADVICE)

    assert state(client, unknown(message("spot.withdraw"), ago=0)) == expected
    assert clock.slept == 0, "no list can ever tell, so there is nothing to wait for"
