"""What can be checked without a GPU: signatures that one must match, and one sentence where there is none."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files

import pytest

from lastcard import gpu
from lastcard.gpu.signatures import SIGNATURES, compute_signatures
from lastcard.rules import Rules


def test_the_cpu_computes_the_committed_signatures() -> None:
    assert dict(compute_signatures(on_gpu=gpu.is_available())) == SIGNATURES


@pytest.mark.skipif(gpu.is_available(), reason="this machine has a GPU, on which everything else here runs")
@pytest.mark.parametrize(
    "use", [lambda: gpu.play_random_games(Rules.preset("official"), 1), lambda: gpu.VectorEnv(1, Rules.preset("mini"))]
)
def test_without_a_gpu_there_is_one_sentence(use: object) -> None:
    assert callable(use)
    with pytest.raises(gpu.GpuError, match=r"^lastcard\.gpu needs an NVIDIA GPU and CuPy \(pip install [^\n]*$"):
        use()


def test_importing_it_needs_nothing() -> None:
    code = "import sys, lastcard.gpu; sys.exit(any(name in sys.modules for name in ('cupy', 'torch', 'numpy')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_headers_are_shipped() -> None:
    package = files("lastcard.gpu")
    assert package.joinpath("kernels.cu").is_file()
    assert package.joinpath("headers", "rules", "environment.hpp").is_file()
