"""A tournament on Ray's own cluster of several nodes on this machine: Ctrl-C, then a node's death.

A program of its own, since Ray leaves threads and handlers behind. It takes the tournament as JSON and the place to
keep it in, a file or the URL of a store, and says as JSON what happened.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

from lastcard.arena.ledger import Ledger
from lastcard.arena.results import Results
from lastcard.arena.schedule import Tournament
from lastcard.arena.stored import KeptMatch
from lastcard.arena.summary import summarize
from lastcard.arena.tournament_run import run_tournament
from lastcard.store import open_store

NODE = {"num_cpus": 1, "object_store_memory": 80 * 1024**2, "include_dashboard": False}
WATCHFUL = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 4}


def count_dead_nodes() -> int:
    return sum(not node["Alive"] for node in ray.nodes())


@contextmanager
def keep(place: str, tournament: Tournament | None = None) -> Iterator[Ledger | KeptMatch]:
    """Keeps a new tournament there, or resumes the one that is there."""
    if "://" not in place:
        file = Path(place)
        with Ledger.create(file, tournament) if tournament else Ledger.resume(file) as ledger:
            yield ledger
        return
    with open_store(place) as store:
        yield KeptMatch.begin(store, tournament) if tournament else KeptMatch.resume(store)


def main(tournament: Tournament, place: str) -> dict[str, object]:
    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "num_cpus": 0, "_system_config": WATCHFUL})
    doomed = cluster.add_node(**NODE)  # the only one that can play, so that it dies with a chunk
    dead: list[int] = []

    def interrupt(results: Results) -> None:
        if results.num_deals >= tournament.num_deals // 4:
            os.kill(os.getpid(), signal.SIGINT)

    def kill_node(results: Results) -> None:
        dead.append(count_dead_nodes())
        if len(dead) == 2:
            time.sleep(0.05)  # the next chunk is on its way to it
            cluster.remove_node(doomed, allow_graceful=False)
            cluster.add_node(**NODE)

    with keep(place, tournament) as ledger:
        stopped = run_tournament(tournament, 1, ledger, interrupt, ray=cluster.address)
    with keep(place) as ledger:
        finished = run_tournament(tournament, 1, ledger, kill_node, ray=cluster.address)
    cluster.shutdown()
    fields = summarize(finished).to_dict()
    del fields["timing"]
    with keep(place) as ledger:
        kept = [(chunk.pairing, chunk.number) for chunk in ledger.chunks]
    return {
        "stopped": [stopped.was_stopped, stopped.is_complete, stopped.num_deals],
        "dead_nodes": dead,
        "chunks": sorted(kept),
        "summary": fields,
    }


if __name__ == "__main__":
    print(json.dumps(main(Tournament.from_dict(json.loads(sys.argv[1])), sys.argv[2])))
