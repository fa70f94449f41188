"""Runs a program of lastcard as on Windows, as far as that can be tried elsewhere: `python windows.py PROGRAM`.

Only lastcard's own modules see this Windows; the libraries that they import see the real system. Names that Windows
lacks are missing, files that are not opened as binary get "\\r\\n", and a file that is open cannot be replaced.
"""

from __future__ import annotations

import builtins
import os
import pathlib
import runpy
import signal
import sys
import types
from typing import Any

MISSING_MODULES = {"curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
WINDOWS_FLAGS = {"O_APPEND", "O_CREAT", "O_EXCL", "O_RDONLY", "O_RDWR", "O_TRUNC", "O_WRONLY"}
WINDOWS_SIGNALS = {"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN"}
UNIX_FUNCTIONS = """
chown fchdir fchmod fchown fdatasync fork forkpty getegid geteuid getgid getgroups getpgid getpgrp getpriority getresgid
getresuid getsid getuid initgroups killpg lchown major makedev minor mkfifo mknod nice openpty pathconf pidfd_open pipe2
posix_fadvise posix_fallocate posix_spawn pread pwrite readv sched_getaffinity sched_setaffinity sched_setscheduler
sched_yield sendfile set_blocking setgid setpgid setpriority setsid setuid statvfs sync sysconf tcgetpgrp uname wait
wait3 wait4 waitid writev
"""
O_BINARY = 1 << 40


def is_unix_only(name: str) -> bool:
    """True for a name of `os` or `signal` that Windows lacks."""
    if name in UNIX_FUNCTIONS.split() or name.startswith(("P_", "W", "CLD_", "SCHED_", "RTLD_", "pidfd_", "pthread_")):
        return name != "W_OK"
    known = WINDOWS_FLAGS | {"O_BINARY"} if name.startswith("O_") else WINDOWS_SIGNALS
    return name.startswith(("O_", "SIG")) and name not in known


class Altered(types.ModuleType):
    """A module with other names in it."""

    def __init__(self, real: types.ModuleType, **names: object) -> None:
        super().__init__(real.__name__)
        self.__dict__.update(names)
        self.__dict__["_real"] = real

    def __getattr__(self, name: str) -> Any:
        if self._real is not sys and is_unix_only(name):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} on Windows")
        return getattr(self._real, name)


texts: set[int] = set()
"""Open files that were not opened as binary."""


def open_file(path: Any, flags: int, mode: int = 0o777) -> int:
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied", str(path))
    descriptor = os.open(path, flags & ~O_BINARY, mode)
    if not flags & O_BINARY:
        texts.add(descriptor)
    return descriptor


def close_file(descriptor: int) -> None:
    texts.discard(descriptor)
    os.close(descriptor)


def write(descriptor: int, data: Any) -> int:
    if descriptor in texts:
        data = bytes(data)
        os.write(descriptor, data.replace(b"\n", b"\r\n"))
        return len(data)
    return os.write(descriptor, data)


def seek(descriptor: int, position: int, how: int) -> int:
    return os.lseek(descriptor, min(position, 1 << 40), how)  # Windows goes further than the file systems of Linux


def replace(source: Any, target: Any) -> None:
    held = {os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")}
    if {os.path.realpath(source), os.path.realpath(target)} & held:
        raise PermissionError(13, "The file is in use by another process", str(source))
    os.replace(source, target)


MODULES = {
    "os": Altered(
        os,
        name="nt",
        O_BINARY=O_BINARY,
        open=open_file,
        close=close_file,
        lseek=seek,
        write=write,
        replace=replace,
        rename=replace,
    ),
    "signal": Altered(signal),
    "sys": Altered(sys, platform="win32"),
    "msvcrt": types.SimpleNamespace(LK_NBLCK=2, locking=lambda file, mode, count: None),
}
import_module = builtins.__import__


def import_as_on_windows(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
    if (globals or {}).get("__name__", "").partition(".")[0] == "lastcard":
        if name in MISSING_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if name in MODULES:
            return MODULES[name]
    return import_module(name, globals, locals, fromlist, level)


if __name__ == "__main__":
    builtins.__import__ = import_as_on_windows
    runpy.run_path(str(pathlib.Path(sys.argv[1])))
