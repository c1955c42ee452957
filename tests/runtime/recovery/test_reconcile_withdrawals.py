"""What `reconcile` says of withdrawals, whose lists show no idempotency keys."""

from __future__ import annotations

import pytest

from tests.interface import page
from tests.runtime.recovery.histories import (
    MINE,
    Histories,
    message,
    settled,
    soon_after_signing,
    state,
    unknown,
    withdrawal,
)
from trading_sdk import Client

ALIKE = "a list shows a matching record, but another message may have made it"
ADVICE = "; send it again only with the same idempotency key: a 409 then says that it was accepted"


@pytest.mark.parametrize(("key", "advice"), [(MINE, ADVICE), (None, "")])
def test_a_similar_withdrawal_is_shown_with_advice_if_the_message_has_a_key(
    client: Client, histories: Histories, key: str | None, advice: str
) -> None:
    histories.show("spot.withdrawal_history", page(withdrawal(at=soon_after_signing())))

    settlement = settled(client, unknown(message("spot.withdraw", key)))

    assert (settlement.state, settlement.reason) == ("unsettled", ALIKE + advice)
    assert [record.batch_nonce for record in settlement.records] == [3]


def test_without_a_similar_record_a_withdrawal_was_not_executed(client: Client) -> None:
    expected = ("not executed", "no list shows a matching record")

    assert state(client, unknown(message("spot.withdraw"))) == expected
