"""Device files to write into."""

import os
import stat
from pathlib import Path

import pytest


def make_device(folder: Path, name: str) -> str:
    """The path of the device `null` or `full`; for root, who could replace the machine's own, of another like it."""
    machines = f"/dev/{name}"
    if os.geteuid() != 0:
        return machines
    device = folder / name
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.stat(machines).st_rdev)
        os.close(os.open(device, os.O_WRONLY))
    except PermissionError:
        pytest.skip("root may make no devices here")
    return str(device)
