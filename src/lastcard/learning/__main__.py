"""`python -m lastcard.learning`: training where only torch and NumPy are installed."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lastcard.errors import AgentError, LastcardError
from lastcard.learning.curve_text import StatusLine, format_point, format_responses
from lastcard.learning.doors import HELP, list_options
from lastcard.learning.exploit import Target, configure_responses, exploit, resume_exploit
from lastcard.learning.folder import CHECKPOINT, RUNS, Folder
from lastcard.learning.recipes import RECIPES, configure_training
from lastcard.learning.run import train


def main() -> int:
    """Reads the options, trains, and prints the results."""
    options = vars(_make_parser().parse_args())
    own = {name: options.pop(name) for name in ("out", "resume", "recipe", "exploit", "starts", "deals", "jobs")}
    status, out = StatusLine(), own["out"]

    def tell(point: Any) -> None:
        status.clear()
        print("\n".join(format_point(point)), flush=True)

    try:
        said = (_exploit if own["exploit"] else _train)(own, options, tell, status)
    except LastcardError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        words = sys.argv[1:] if own["resume"] else [*sys.argv[1:], "--resume"]
        if (out / CHECKPOINT).exists() or (out / RUNS).exists():
            print(f"stopped; continue with: python -m lastcard.learning {shlex.join(words)}", file=sys.stderr)
        return 130
    status.clear()
    print(said)
    return 0


def _train(own: dict[str, Any], given: dict[str, Any], tell: Callable[[Any], None], status: StatusLine) -> str:
    if len(own["starts"]) > 1:
        raise AgentError("--start can be given once; with --exploit it is repeatable")
    if own["starts"]:
        given["start"] = own["starts"][0]
    config = configure_training(own["recipe"], given, Folder(own["out"]) if own["resume"] else None)
    return f"wrote {train(config, own['out'], tell, resume=own['resume'], tick=status.show)}"


def _exploit(own: dict[str, Any], given: dict[str, Any], tell: Callable[[Any], None], status: StatusLine) -> str:
    target, out = Target(own["exploit"]), own["out"]
    kept: dict[str, Any] = {"num_deals": own["deals"], "jobs": own["jobs"], "tick": status.show}
    if own["resume"]:
        return format_responses(resume_exploit(target, own["starts"], given, out, tell, **kept))
    return format_responses(exploit(target, configure_responses(target, own["starts"], given), out, tell, **kept))


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m lastcard.learning", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="Folder of the run.")
    parser.add_argument("--recipe", help=HELP["recipe"], choices=RECIPES)
    parser.add_argument("--resume", action="store_true", help=HELP["resume"])
    parser.add_argument(
        "--exploit", metavar="AGENT", help="Train best responses to random, heuristic, net, champion or net:FILE."
    )
    parser.add_argument("--start", dest="starts", action="append", default=[], help=HELP["starts"])
    parser.add_argument("--deals", type=int, default=5000, help=f"{HELP['deals']} [default: %(default)s]")
    parser.add_argument("--jobs", type=int, default=1, help=f"{HELP['jobs']} [default: %(default)s]")
    for option in list_options().values():
        kind: dict[str, Any] = {"action": "store_true"} if option.kind is bool else {"type": option.kind}
        text = f"{option.help} [default: {option.default}]".replace("%", "%%")
        if option.field != "start":
            parser.add_argument(option.flag, default=argparse.SUPPRESS, help=text, **kind)
    return parser


if __name__ == "__main__":
    sys.exit(main())
