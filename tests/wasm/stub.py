"""Modules in place of the core that crash at every call."""

EXIT_CODE = 7
_I32, _FUNCTION, _MEMORY, _GLOBAL = 0x7F, 0, 2, 3
_CONST, _CALL, _UNREACHABLE, _END = 0x41, 0x10, 0x00, 0x0B
_ADDRESS = (_CONST, 0x10)


def make_stub(*, traps: bool) -> bytes:
    """Returns the bytes of a module with the exports of the core: it traps, or calls `proc_exit` like a C program."""
    types = [([_I32], []), ([], []), ([_I32], [_I32]), ([_I32, _I32], [_I32])]
    bodies = {
        "_initialize": (1, ()),
        "allocate": (2, _ADDRESS),
        "release": (0, ()),
        "call": (3, (_UNREACHABLE,) if traps else (_CONST, EXIT_CODE, _CALL, 0, _UNREACHABLE)),
    }
    exports = [("memory", _MEMORY, 0), ("__stack_pointer", _GLOBAL, 0)]
    exports += [(name, _FUNCTION, 1 + index) for index, name in enumerate(bodies)]
    return b"".join(
        (
            b"\0asm\1\0\0\0",
            _section(1, [bytes([0x60, len(taken), *taken, len(given), *given]) for taken, given in types]),
            _section(2, [_text("wasi_snapshot_preview1") + _text("proc_exit") + bytes([_FUNCTION, 0])]),
            _section(3, [bytes([kind]) for kind, _ in bodies.values()]),
            _section(5, [bytes([0, 1])]),
            _section(6, [bytes([_I32, 1, *_ADDRESS, _END])]),
            _section(7, [_text(name) + bytes([kind, index]) for name, kind, index in exports]),
            _section(10, [bytes([len(body) + 2, 0, *body, _END]) for _, body in bodies.values()]),
        )
    )


def _text(words: str) -> bytes:
    return bytes([len(words)]) + words.encode()


def _section(number: int, entries: list[bytes]) -> bytes:
    content = bytes([len(entries)]) + b"".join(entries)
    return bytes([number, len(content)]) + content
