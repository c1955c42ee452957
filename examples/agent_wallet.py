"""Trade with a key that cannot manage API keys, and with the rate limit of an API key.

Usage: python examples/agent_wallet.py     (the environment: see examples/README.md)

The owner's key stays where it is safe. The trading machine gets an agent wallet: it signs for the owner's
account, and cannot create or revoke API keys. Bind the wallet to the account first, on the exchange's site or
with the control `bind_agent` of the sandbox.
"""

from __future__ import annotations

import os

from trading_sdk import AuthenticationError, Client, Keypair


def main() -> None:
    url = os.environ["TRADING_BASE_URL"]
    owner = Keypair.from_base58(os.environ["TRADING_PRIVATE_KEY"])
    agent = Keypair.from_base58(os.environ["TRADING_AGENT_KEY"])

    with Client(url, signer=owner) as client:
        api_key = client.api_keys.create().api_key

    # On the trading machine: the owner's address, the agent's key, and the API key.
    with Client(url, signer=agent, account=owner.address, api_key=api_key) as trader:
        placed = trader.orders.create(
            symbol="BTC", side="bid", price="60000", amount="0.01", tif="ALO", reduce_only=False
        )
        print("the agent placed order", placed.order_id, "for", trader.account_address)
        trader.orders.cancel(symbol="BTC", order_id=placed.order_id)
        try:
            trader.api_keys.create()
        except AuthenticationError as refused:
            print("the agent cannot create keys:", refused)

    with Client(url, signer=owner) as client:
        client.api_keys.revoke(api_key=api_key)
        print("revoked the API key")


if __name__ == "__main__":
    main()
