"""Pages as the service would send them: made up, the same for a seed, no two records alike."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from uuid import UUID

PAGE_OF_FUNDING = 4_000
"""The largest that the interface document allows."""
PAGE_OF_ORDERS = 1_000
PAGE_OF_TRADES = 4_000
"""It names no maximum for trades; this is the only one that it names."""

_START = 1_760_000_000_000
_STATUSES = {"open": 3, "partially_filled": 2, "filled": 10, "cancelled": 8, "rejected": 1}
_TYPES = {"limit": 16, "market": 3, "stop_limit": 1, "stop_market": 1, "take_profit_market": 1}
_REASONS = ("cancel", "force_cancel", "expired", "post_only_rejected", "self_trade_prevented")
_TRADE_SIDES = ("open_long", "open_short", "close_long", "close_short")
_CAUSES = {"normal": 40, "market_liquidation": 1, "settlement": 1}


def page(records: list[dict[str, Any]]) -> bytes:
    """A page of a list, from which there is more."""
    cursor = "eyJ0IjoxNzYwMDAwMDAwMDAwLCJpIjo0MDAwfQ"
    envelope = {"success": True, "data": records, "next_cursor": cursor, "has_more": True}
    return json.dumps(envelope, separators=(",", ":")).encode()


def funding(count: int, seed: int) -> list[dict[str, Any]]:
    """Funding records, an hour apart (section 2.5)."""
    random = Random(seed)
    return [_funding(random, number) for number in range(count)]


def _funding(random: Random, number: int) -> dict[str, Any]:
    oracle = random.uniform(48_000, 52_000)
    return {
        "oracle_price": f"{oracle:.6f}",
        "bid_impact_price": f"{oracle * random.uniform(0.9995, 1):.6f}",
        "ask_impact_price": f"{oracle * random.uniform(1, 1.0005):.6f}",
        "funding_rate": f"{random.uniform(-0.0001, 0.0001):.8f}",
        "next_funding_rate": f"{random.uniform(-0.0001, 0.0001):.8f}",
        "created_at": _START - 3_600_000 * number,
    }


def orders(count: int, seed: int) -> list[dict[str, Any]]:
    """Orders of every status and several types (section 2.1)."""
    random = Random(seed)
    return [_order(random, number) for number in range(count)]


def _order(random: Random, number: int) -> dict[str, Any]:
    status, type_ = _pick(random, _STATUSES), _pick(random, _TYPES)
    price, amount = f"{random.uniform(48_000, 52_000):.1f}", random.randrange(100, 1_000_000)
    share = {"filled": 1.0, "partially_filled": random.random()}.get(status, 0.0)
    stops, ended = type_ not in ("limit", "market"), status in ("cancelled", "rejected")
    made = _START - random.randrange(10_000) - 10_000 * number
    return {
        "order_id": 900_000_000 - number,
        "client_order_id": _uuid(random) if random.random() < 0.8 else None,
        "symbol": random.choice(("BTC", "ETH")),
        "side": random.choice(("bid", "ask")),
        "price": price,
        "initial_price": price,
        "average_filled_price": price if share else "0",
        "amount": f"{amount / 100_000:.5f}",
        "filled_amount": f"{amount * share / 100_000:.5f}",
        "order_status": status,
        "order_type": type_,
        "stop_price": f"{random.uniform(48_000, 52_000):.1f}" if stops else None,
        "stop_parent_order_id": 800_000_000 + number if stops else None,
        "reduce_only": stops,
        "reason": random.choice(_REASONS) if ended else None,
        "created_at": made,
        "updated_at": made + random.randrange(10_000),
    }


def trades(count: int, seed: int) -> list[dict[str, Any]]:
    """Trades of every side, now and then a liquidation (section 2.2)."""
    random = Random(seed)
    return [_trade(random, number) for number in range(count)]


def _trade(random: Random, number: int) -> dict[str, Any]:
    price, amount = random.uniform(48_000, 52_000), random.randrange(100, 1_000_000) / 100_000
    return {
        "history_id": 700_000_000 - number,
        "order_id": 900_000_000 - number,
        "client_order_id": _uuid(random),
        "symbol": random.choice(("BTC", "ETH")),
        "amount": f"{amount:.5f}",
        "price": f"{price:.1f}",
        "entry_price": f"{price * random.uniform(0.99, 1.01):.1f}",
        "fee": f"{price * amount * 0.0004:.6f}",
        "pnl": f"{random.uniform(-500, 500):.6f}",
        "event_type": random.choice(("fulfill_taker", "fulfill_maker")),
        "side": random.choice(_TRADE_SIDES),
        "created_at": _START - 1_000 * number,
        "cause": _pick(random, _CAUSES),
    }


def _pick(random: Random, weights: dict[str, int]) -> str:
    return random.choices(list(weights), list(weights.values()))[0]


def _uuid(random: Random) -> str:
    return str(UUID(int=random.getrandbits(128), version=4))
