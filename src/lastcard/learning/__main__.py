"""`python -m lastcard.learning`: training where only torch and NumPy are installed."""

from __future__ import annotations

import argparse
import dataclasses
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lastcard.errors import LastcardError
from lastcard.learning.config import TrainConfig
from lastcard.learning.curve_text import (
    StatusLine,
    format_phase,
    format_progress,
    format_response,
    format_response_point,
)
from lastcard.learning.exploit import Target, exploit
from lastcard.learning.folder import CHECKPOINT, Folder
from lastcard.learning.league import PRICE, LeagueConfig, train_league
from lastcard.learning.run import train


def main() -> int:
    """Reads the options, trains, and prints the results."""
    options = vars(_make_parser().parse_args())
    mode = {name: options.pop(name) for name in ("out", "resume", "exploit", "deals", "league", "member")}
    shares: dict[str, Any] = {
        name: options.pop(name) for name in ("exploiter_share", "self_share", "most_rivals") if name in options
    }
    price = options.pop("price")
    if price is not None:
        # In a league it is the main network's alone.
        (shares if mode["league"] else options)["price"] = price
    status = StatusLine()

    def show(format_point: Callable[[Any], str | list[str]]) -> Callable[[Any], None]:
        def tell(point: Any) -> None:
            status.clear()
            said = format_point(point)
            print(said if isinstance(said, str) else "\n".join(said), flush=True)

        return tell

    try:
        out, resume, tick = mode["out"], mode["resume"] and not mode["league"], status.show
        config = Folder(out).resume_config(options) if resume else TrainConfig(**options)
        if mode["exploit"]:
            tell = show(format_response_point)
            response = exploit(
                Target(mode["exploit"]), config, out, tell, num_deals=mode["deals"], resume=resume, tick=tick
            )
            said = format_response(response)
        elif mode["league"]:
            league = LeagueConfig(config, **shares)
            path = train_league(league, out, mode["member"], show(format_phase), tick=tick, note=show("{}.".format))
            said = f"wrote {path}"
        else:
            said = f"wrote {train(config, out, show(format_progress), resume=resume, tick=tick)}"
    except LastcardError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        # A league resumes by itself; other runs need --resume.
        words = sys.argv[1:] if mode["league"] or resume else [*sys.argv[1:], "--resume"]
        if mode["league"] or (out / CHECKPOINT).exists():
            print(f"stopped; continue with: python -m lastcard.learning {shlex.join(words)}", file=sys.stderr)
        return 130
    print(said)
    return 0


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m lastcard.learning", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--resume", action="store_true", help="resume the run in that folder")
    parser.add_argument(
        "--exploit", metavar="AGENT", help="train a best response to random, heuristic, net, champion or net:FILE"
    )
    parser.add_argument("--deals", type=int, default=5000, help="mirrored deals that measure it; default 5000")
    parser.add_argument("--league", action="store_true", help="run a league once")
    parser.add_argument(
        "--member", type=Path, action="append", default=[], help="a network that joins the league first"
    )
    parser.add_argument("--price", type=float, help=f"default 0.0, with --league {PRICE} for the main network")
    for field in (*dataclasses.fields(LeagueConfig)[1:], *dataclasses.fields(TrainConfig)):
        if field.name == "price":
            continue
        default, name = field.default, f"--{field.name.replace('_', '-')}"
        if isinstance(default, bool):
            parser.add_argument(name, action="store_true", default=argparse.SUPPRESS)
            continue
        kind = str if isinstance(default, str) else float if isinstance(default, float) else int
        parser.add_argument(name, type=kind, default=argparse.SUPPRESS, help=f"default {default}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
