"""A tournament on Ray's own cluster of several nodes on this machine: Ctrl-C, then a node's death.

A program of its own, since Ray leaves threads and handlers behind. It takes the tournament as JSON and the file to keep
it in, and says as JSON what happened.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

from lastcard.arena.ledger import Ledger
from lastcard.arena.results import Results
from lastcard.arena.run import run_tournament
from lastcard.arena.schedule import Tournament
from lastcard.arena.summary import summarize

NODE = {"num_cpus": 1, "object_store_memory": 80 * 1024**2, "include_dashboard": False}
WATCHFUL = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 4}


def count_dead_nodes() -> int:
    return sum(not node["Alive"] for node in ray.nodes())


def main(tournament: Tournament, file: Path) -> dict[str, object]:
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

    with Ledger.create(file, tournament) as ledger:
        stopped = run_tournament(tournament, 1, ledger, interrupt, ray=cluster.address)
    with Ledger.resume(file) as ledger:
        finished = run_tournament(tournament, 1, ledger, kill_node, ray=cluster.address)
    cluster.shutdown()
    fields = summarize(finished, rated=False).to_dict()
    del fields["timing"]
    with Ledger.resume(file) as ledger:
        kept = [(chunk.pairing, chunk.number) for chunk in ledger.chunks]
    return {
        "stopped": [stopped.was_stopped, stopped.is_complete, stopped.num_deals],
        "dead_nodes": dead,
        "chunks": sorted(kept),
        "summary": fields,
    }


if __name__ == "__main__":
    print(json.dumps(main(Tournament.from_dict(json.loads(sys.argv[1])), Path(sys.argv[2]))))
