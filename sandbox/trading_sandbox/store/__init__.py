"""The store: state, commands and histories of the exchange in SQLite, on disk or in memory."""
