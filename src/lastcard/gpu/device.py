"""Finding a GPU, and compiling the core's headers for it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from lastcard import _core
from lastcard.errors import LastcardError
from lastcard.rules import Rules
from lastcard.shell import install_extra

_HERE: Final = Path(__file__).parent
MAX_SEATS: Final = 10


class GpuError(LastcardError):
    """There is no GPU that could be used, or it failed.

    >>> issubclass(GpuError, LastcardError)
    True
    """


@cache  # importing CuPy and asking the driver is slow, and the answer does not change
def why_not() -> str:
    """Returns the reason why no GPU can be used here, as a sentence; empty where one can."""
    needs = f"lastcard.gpu needs an NVIDIA GPU and CuPy ({install_extra('gpu')})"
    try:
        import cupy
    except ImportError as error:
        return f"{needs}: {error}"
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"{needs}: {error}"
    return "" if count else f"{needs}: there is no such GPU"


def is_available() -> bool:
    """Returns whether a GPU can be used here."""
    return not why_not()


def require_cupy() -> ModuleType:
    """CuPy, with a GPU to run on.

    Raises:
        GpuError: saying in one sentence what is missing.
    """
    reason = why_not()
    if reason:
        raise GpuError(reason)
    import cupy

    module: ModuleType = cupy
    return module


class Kernels:
    """The kernels for one set of rules, and those rules in the GPU's memory."""

    def __init__(self, rules: Rules) -> None:
        cupy = require_cupy()
        # These rules get kernels without branches for house rules; all others share one that reads the switches.
        official = rules in (Rules.preset("official"), Rules.preset("official", players=4))
        seats = rules.players if official else MAX_SEATS
        self.rules = cupy.asarray(bytearray(_core.rules_bytes(rules._compiled)), dtype=cupy.uint8)
        self._module: Any = _compile(seats, official)
        sizes = cupy.zeros(3, dtype=cupy.uint64)
        self["read_sizes"]((1,), (1,), (sizes,))
        self.state_size, self.environment_size, self.position_size = (int(size) for size in sizes.get())

    def __getitem__(self, name: str) -> Any:
        return self._module.get_function(name)


@cache
def _compile(seats: int, is_official: bool) -> Any:
    cupy = require_cupy()
    # No fused multiply-add: it rounds once instead of twice, and scores would differ from the CPU's in the last bit.
    options = ["-std=c++20", f"-I{_HERE / 'headers'}", f"-DLASTCARD_SEATS={seats}", "-fmad=false"]
    if is_official:
        options.append("-DLASTCARD_OFFICIAL")
    module = cupy.RawModule(code=(_HERE / "kernels.cu").read_text(encoding="utf-8"), options=tuple(options))
    try:
        module.compile()
    except cupy.cuda.compiler.CompileException as error:
        raise GpuError(f"the kernels do not compile here: {error}") from None
    return module


@cache
def kernels_for(rules: Rules) -> Kernels:
    """Returns the kernels for the rules, compiled once per process; that takes a second or two.

    Raises:
        GpuError: if there is no GPU.
    """
    return Kernels(rules)
