"""The code paths that this CPU can run: compiled from core/cpu/probe.cpp."""

def code_paths() -> tuple[str, ...]:
    """Returns the code paths that this CPU can run, the fastest last."""
