"""Files that people name: the one way to read and write them, with errors that name the file."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final

from lastcard.errors import LastcardError, shorten

_MOST_LINKS: Final = 40
"""Number of symlinks that Linux follows."""
_MOST_NAME: Final = 200
"""Characters of a path in a message."""
# O_NOCTTY: opening a terminal must not make it the controlling terminal of this process. Only Unix has it, and only
# Windows O_BINARY: without that, it would write "\r\n" for every byte that is a newline.
_FLAGS: Final = os.O_WRONLY | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def check_path(path: object, error: type[LastcardError]) -> Path:
    """Returns the path if the operating system can take it as one.

    Raises:
        LastcardError: of the given type, if it is empty or no text, or holds characters that no file name can.
    """
    if not isinstance(path, str | Path):
        raise error(f"expected the name of a file, not {shorten(path)}")
    text = str(path)
    if not text.strip() or path == Path():
        raise error(f"expected the name of a file, not {shorten(text)}")
    try:
        is_name = b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        is_name = False
    if not is_name:
        raise error(f"{shorten(text)} is not a valid file name: remove the characters that no file name can have")
    return Path(path)


def read_file(path: str | Path, error: type[LastcardError], most_bytes: int | None = None) -> bytes:
    """Returns the contents of a file.

    Raises:
        LastcardError: of the given type, naming the file, if it cannot be read or is longer than that.
    """
    checked = check_path(path, error)
    try:
        with checked.open("rb") as file:
            # One byte more than allowed tells that the file is too long, without reading all of it.
            data = file.read() if most_bytes is None else file.read(most_bytes + 1)
    except OSError as failure:
        raise error(f"cannot read {name_file(path)}: {_explain(checked, failure)}") from None
    if most_bytes is not None and len(data) > most_bytes:
        raise error(f"cannot read {name_file(path)}: it is longer than {most_bytes:,} bytes")
    return data


def find_change(path: str | Path, error: type[LastcardError]) -> int:
    """Returns the time of the last change of a file, in nanoseconds; 0 if there is none.

    Raises:
        LastcardError: of the given type, if the path is not valid.
    """
    try:
        return check_path(path, error).stat().st_mtime_ns
    except OSError:
        return 0  # reading the file reports the reason


def write_file(path: str | Path, data: str | bytes, error: type[LastcardError]) -> None:
    """Writes a file, as `Output` does.

    Raises:
        LastcardError: of the given type, naming the file.
    """
    with Output(path, error) as output:
        output.write(data)


def check_output(path: str | Path, error: type[LastcardError], option: str) -> None:
    """Checks that a file could be written there, before time is spent on what it is to hold.

    Raises:
        LastcardError: of the given type, naming the option and the file.
    """
    try:
        checked = check_path(path, error)
        with _naming(checked, error):
            status = _find_status(checked)
            if status and stat.S_ISDIR(status.st_mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            is_device = is_open_stream(checked) or (status and not stat.S_ISREG(status.st_mode))
            for place in ([checked] if status else []) + ([] if is_device else [_resolve(checked).parent]):
                if not os.access(place, os.W_OK):
                    reason = errno.EACCES if place.exists() else errno.ENOENT
                    raise OSError(reason, os.strerror(reason))
    except LastcardError as refused:
        raise error(f"{option}: {refused}") from None


class Output:
    """A file being written: whole or not at all, and on the disk when the block ends. Use it with `with`.

    Symlinks are followed, and a file that exists keeps its mode. Devices, pipes and `/dev/stdout` are written directly.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Output(f"{folder}/hand.txt", LastcardError) as output:
    ...         output.write("r5 b2 w")
    ...     read_file(f"{folder}/hand.txt", LastcardError)
    b'r5 b2 w'
    """

    def __init__(self, path: str | Path, error: type[LastcardError], *, is_new: bool = False) -> None:
        """Takes a path and the type of errors; with `is_new`, nothing may be there already."""
        self._path = check_path(path, error)
        self._error = error
        self._is_new = is_new
        self._descriptor = -1
        self._target: Path | None = None
        self._part: Path | None = None

    def __enter__(self) -> Output:
        """Opens the file.

        Raises:
            LastcardError: of the given type, naming the file.
        """
        with _naming(self._path, self._error):
            if self._is_new and os.path.lexists(self._path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
            straight = _open_straight(self._path)
            self._descriptor = self._open_part() if straight is None else straight
        return self

    def write(self, data: str | bytes) -> None:
        """Writes all of it.

        Raises:
            LastcardError: of the given type, naming the file.
        """
        try:
            left = data.encode() if isinstance(data, str) else data
        except UnicodeEncodeError:
            raise self._error(f"cannot write {name_file(self._path)}: the text is not valid Unicode") from None
        with _naming(self._path, self._error):
            write_all(self._descriptor, left)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Gives the file its name, or, if the block raised, leaves everything as it was."""
        try:
            with _naming(self._path, self._error):
                try:
                    if kind is None and self._target:
                        # Before the rename: after a crash the name must never point to a file that is half written.
                        os.fsync(self._descriptor)
                finally:
                    os.close(self._descriptor)  # Windows renames no file that is open
                if kind is None and self._target:
                    self._publish(self._target)
        finally:
            if self._part:
                with contextlib.suppress(OSError):  # the first error is the one to report
                    self._part.unlink()

    def _open_part(self) -> int:
        """Opens the file that is to take the target's place."""
        target = self._target = _resolve(self._path)
        status = _find_status(target)
        # In the same folder: a rename is atomic only within one file system.
        part = target.with_name(f".lastcard-{os.urandom(8).hex()}.part")
        try:
            # The mode of any new file: the user's umask takes away what it should not have.
            descriptor = os.open(part, _FLAGS | os.O_CREAT | os.O_EXCL, 0o666)
        except PermissionError as refused:
            # Not in place: a full disk would leave neither the old content nor the new.
            raise PermissionError(refused.errno, f"{refused.strerror}: its folder takes no new files") from None
        self._part = part
        if status and hasattr(os, "fchown"):  # Windows has neither owners nor modes
            with contextlib.suppress(OSError):  # only root may change the owner
                os.fchown(descriptor, status.st_uid, status.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
        return descriptor

    def _publish(self, target: Path) -> None:
        if self._part is None:
            return
        if self._is_new:
            link_new(self._part, target)
            return
        is_new = not target.exists()
        os.replace(self._part, target)
        self._part = None
        _sync_name(target, is_new=is_new)


def write_all(descriptor: int, data: bytes) -> None:
    """Writes all of it, however little the system takes each time.

    Raises:
        OSError: if that fails; a part may be written.
    """
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def link_new(part: Path, target: Path) -> None:
    """Gives a finished file a second name; unlike a rename, never in the place of another.

    Raises:
        OSError: if there is something already, or the system does not allow it.
    """
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        # Not atomic, unlike a link: between this check and the rename another process could create the target.
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        os.rename(part, target)
    _sync_name(target, is_new=True)


def _sync_name(target: Path, *, is_new: bool) -> None:
    """Waits until the name of a finished file is on the disk; where that fails, a new file goes."""
    try:
        sync_folder(target.parent)
    except OSError:
        if is_new:
            target.unlink()
        raise


def sync_file(path: Path) -> None:
    """Waits until a file is on the disk.

    Raises:
        OSError: if it cannot be written.
    """
    descriptor = os.open(path, os.O_RDWR)  # Windows syncs no file that is open to read
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Waits until the names in a folder are on the disk, where the system can.

    Raises:
        OSError: if they cannot be written.
    """
    if sys.platform == "win32":
        return  # it opens no folder
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        # A folder that may not be read, or a file system that cannot sync one.
        if error.errno not in (errno.EACCES, errno.EINVAL, errno.ENOTSUP):
            raise


def state_folder(error: type[LastcardError]) -> Path:
    """The user's folder for what lastcard keeps between runs; makes it.

    Raises:
        LastcardError: of the given type, naming the folder.
    """
    try:
        home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    except RuntimeError:
        raise error("there is no home folder; set XDG_STATE_HOME to the folder to use") from None
    folder = check_path(home, error) / "lastcard"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise error(f"cannot make the folder {name_file(folder)}: {failure.strerror}") from None
    return folder


def name_file(path: str | Path) -> str:
    """Quotes a path for a message, cut to a readable length."""
    return shorten(str(path), _MOST_NAME)


@contextlib.contextmanager
def _naming(path: Path, error: type[LastcardError]) -> Iterator[None]:
    """Turns errors of the operating system into those that name the file."""
    try:
        yield
    except OSError as failure:
        raise error(f"cannot write {name_file(path)}: {_explain(path, failure)}") from failure


def _explain(path: Path, failure: OSError) -> str:
    if failure.errno == errno.ENOENT:
        with contextlib.suppress(OSError):
            folder = _resolve(path).parent
            if not folder.is_dir():
                return f"there is no folder {name_file(folder)}"
    return failure.strerror or str(failure)


def _resolve(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _find_status(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _open_straight(path: Path) -> int | None:
    """Opens what is no regular file; None if the path names one, or nothing yet."""
    number = _find_descriptor(path)
    if number is not None:
        with contextlib.suppress(AttributeError, ValueError, OSError):
            sys.stdout.flush()  # buffered output must come first
        return os.dup(number)
    status = _find_status(path)
    if status is None or stat.S_ISREG(status.st_mode):
        return None
    return os.open(path, _FLAGS)


def is_open_stream(path: Path) -> bool:
    """Returns whether a path names something that this process already has open, such as `/dev/stdout`."""
    return _find_descriptor(path) is not None


def _find_descriptor(path: Path) -> int | None:
    """Finds the number of this process's open file that a path such as `/dev/stdout` names.

    Even where that is a regular file, it must not be replaced: who opened it would write on into the old one.
    """
    text = os.path.abspath(path)
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(text)
        if name.isdigit() and re.fullmatch(rf"/proc/{os.getpid()}(/task/\d+)?/fd", os.path.realpath(folder)):
            return int(name)
        if not os.path.islink(text):
            return None
        text = os.path.normpath(os.path.join(folder, os.readlink(text)))
    return None
