"""What traders do with the SDK: keep histories, know positions and profit, manage orders.

Each module is imported by its name:

- `history`: keep a list of the service in a folder, and read it there
- `portfolio`: positions, and profit and loss, exact to the last digit
- `account`: positions and balance, as one record for the clients of either package
- `markets`: ticks and lots, and orders that are held against them before they are sent
- `orders`: open orders: find them, cancel them, wait for one
- `ladder`: quotes that shall rest, reached in the fewest edits and cancels
- `closing`: positions: close one, or leave an account without any order and position
- `guard`: run a program, and cancel all orders when it ends, hangs or is killed
- `live`: a book, open orders and positions, kept from the events of a stream
- `trades`: follow the trades of an account
- `frames`: records as a table of pandas or Polars
- `report`: profit and loss, by day and market
- `page`: a report as an HTML page, a picture or a table

`history` and `frames` need pyarrow, `page` needs matplotlib: `pip install 'trading-service-sdk[toolkit]'`.
"""

from trading_toolkit.errors import ToolkitError

__all__ = ["ToolkitError"]
