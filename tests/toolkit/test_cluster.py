"""Many accounts are kept by a cluster of Dask, also if one of its workers dies."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.toolkit.market import exchange, trade
from trading_sdk import Client
from trading_toolkit import history


class Dying:
    """Connects, and kills its worker the first time that the service answers."""

    def __init__(self, url: str, account: str, mark: Path) -> None:
        self.url, self.account, self.mark = url, account, mark

    def __call__(self) -> Client:
        return Client(self.url, account=self.account, on_event=self.die)

    def die(self, event: object) -> None:
        if type(event).__name__ == "AttemptAnswered" and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)


def test_what_a_dying_worker_left_is_done_by_another_one(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with exchange() as sandbox:
        keys = [sandbox.create_account(usdc="100000") for _ in range(3)]
        for seed, key in enumerate(keys):
            trade(sandbox, key, 5, seed)
        jobs = [
            history.Job(
                connect=Dying(sandbox.url, key.address, tmp_path / "died"),
                list="trades",
                folder=str(tmp_path / key.address),
            )
            for key in keys
        ]
        # Any free port: with None it takes 8787, and warns if that is in use.
        options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
        with (
            distributed.LocalCluster(**options) as cluster,
            distributed.Client(cluster) as dask,
        ):
            done = list(history.sync_many(jobs, executor=dask.get_executor()))
        by_folder = {each.job.folder: each for each in done}
        for key in keys:
            each = by_folder[str(tmp_path / key.address)]
            with Client(sandbox.url, signer=key) as client:
                count = len(client.trades.history().to_list())
            assert each.report is not None, each.error
            assert each.report.rows == count > 0
            assert history.verify(tmp_path / key.address).problems == ()
    assert (tmp_path / "died").exists()
