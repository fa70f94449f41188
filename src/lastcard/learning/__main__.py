"""`python -m lastcard.learning`: training where only torch and NumPy are installed."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from lastcard.errors import LastcardError
from lastcard.learning.config import TrainConfig
from lastcard.learning.report import StatusLine, format_progress
from lastcard.learning.run import Progress, train


def main() -> int:
    """Reads the options, trains, and says where the network is."""
    parser = argparse.ArgumentParser(prog="python -m lastcard.learning", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--resume", action="store_true", help="go on with the run in that folder")
    for field in dataclasses.fields(TrainConfig):
        default = field.default
        kind = str if isinstance(default, str) else float if isinstance(default, float) else int
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=kind, default=default, help=f"default {default}")
    options = vars(parser.parse_args())
    out, resume = options.pop("out"), options.pop("resume")
    status = StatusLine()

    def tell(point: Progress) -> None:
        status.clear()
        print(format_progress(point, config.players), flush=True)

    try:
        config = TrainConfig(**options)
        path = train(config, out, tell, resume=resume, tick=status.show)
    except LastcardError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"stopped; --resume goes on with {out}", file=sys.stderr)
        return 130
    print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
