"""What the exchange knows and has done, in SQLite: on disk, or in memory."""
