"""The old name of `tests.doubles.server`."""

from tests.doubles.server import (
    Peer,
    Play,
    Server,
    answer,
    answers,
    cut,
    in_child,
    secured,
    tunnel,
)

__all__ = ["Peer", "Play", "Server", "answer", "answers", "cut", "in_child", "secured", "tunnel"]
