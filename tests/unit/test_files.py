"""The one writer of files: whole or not at all, in the right place, and with the file's name in every error."""

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import lastcard as lc
from lastcard import files
from lastcard.arena.ledger import Ledger
from lastcard.arena.schedule import Tournament
from lastcard.errors import LastcardError, RecordError
from lastcard.files import Output, check_output, read_file, write_file
from lastcard.network import Network
from lastcard.store import open_store
from lastcard.weights import Weights
from tests.unit.devices import make_device


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_has_the_mode_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "new", "text", RecordError)
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "new") == 0o640
    assert os.listdir(tmp_path) == ["new"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_an_old_file_keeps_its_mode(mode: int, tmp_path: Path) -> None:
    file = tmp_path / "old"
    file.touch()
    file.chmod(mode)
    write_file(file, b"bytes", RecordError)
    assert (mode_of(file), file.read_bytes()) == (mode, b"bytes")


def test_a_symlink_is_followed(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    target, link, chain = tmp_path / "deep" / "target", tmp_path / "link", tmp_path / "chain"
    link.symlink_to("deep/target")  # of something that is not there yet
    chain.symlink_to(link)
    write_file(chain, "one", RecordError)
    write_file(link, "two", RecordError)
    assert (target.read_text(), link.is_symlink(), chain.is_symlink()) == ("two", True, True)
    assert os.listdir(tmp_path / "deep") == ["target"]


def test_a_pipe_is_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_file(pipe, "r5 " * 100_000, RecordError)
    reader.join()
    assert read == ["r5 " * 100_000]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_is_written_directly(tmp_path: Path) -> None:
    record = lc.Table(lc.Rules.preset("mini"), ["random", "random"], seed=7).play_round()
    null, full = make_device(tmp_path, "null"), make_device(tmp_path, "full")
    record.save(null)
    with pytest.raises(RecordError, match=r"cannot write '.*full': No space left on device"):
        record.save(full)
    assert stat.S_ISCHR(os.stat(null).st_mode)
    assert stat.S_ISCHR(os.stat(full).st_mode)


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.parametrize("kind", ["file", "pipe"])
def test_standard_output_is_written_directly(name: str, kind: str, tmp_path: Path) -> None:
    code = f"""
from lastcard.errors import RecordError
from lastcard.files import write_file
print("before")
write_file({name!r}, "written\\n", RecordError)
print("after")
"""
    file = tmp_path / "out"
    with file.open("w") as out:
        stdout = out if kind == "file" else subprocess.PIPE
        ran = subprocess.run([sys.executable, "-c", code], stdout=stdout, text=True, check=True)
    assert (file.read_text() if kind == "file" else ran.stdout) == "before\nwritten\nafter\n"


def test_a_block_that_raises_leaves_everything_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("before")
    for path in (file, tmp_path / "new"):
        with suppress(ZeroDivisionError), Output(path, RecordError) as output:
            output.write("half")
            raise ZeroDivisionError
    assert (file.read_text(), os.listdir(tmp_path)) == ("before", ["file"])


def test_errors_of_the_block_are_its_own(tmp_path: Path) -> None:
    with pytest.raises(BrokenPipeError), Output(tmp_path / "file", RecordError):
        raise BrokenPipeError


def test_a_new_file_replaces_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with Output(file, RecordError, is_new=True) as output:
        output.write("first")
    with pytest.raises(RecordError, match="File exists"), Output(file, RecordError, is_new=True):
        pass
    late = tmp_path / "late"
    output = Output(late, RecordError, is_new=True).__enter__()
    output.write("second")
    late.write_text("someone else's")
    with pytest.raises(RecordError, match="File exists"):
        output.__exit__(None, None, None)
    assert (file.read_text(), late.read_text(), len(os.listdir(tmp_path))) == ("first", "someone else's", 2)


def test_a_file_that_a_crash_interrupts_is_old_or_new(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old " * 1000)
    code = f"""
import os, signal
from lastcard.errors import RecordError
from lastcard.files import Output
with Output({str(file)!r}, RecordError) as output:
    output.write("new " * 1000)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert file.read_text() == "old " * 1000
    write_file(file, "newer", RecordError)
    assert file.read_text() == "newer"


BAD_NAMES = ["", " ", "x" * 300, "a/" * 3000 + "x", "nul\0", "\ud800", "missing/folder/file", 7, None, b"bytes"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_no_file_has(name: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record = lc.Table(lc.Rules.preset("mini"), ["random", "random"], seed=7).play_round()
    cup = Tournament(("random", "random"), lc.Rules.preset("mini"), num_deals=1)
    tries: list[Callable[[Any], object]] = [
        lambda path: write_file(path, "text", RecordError),
        lambda path: read_file(path, RecordError),
        lambda path: check_output(path, RecordError, "--out"),
        record.save,
        lc.Record.load,
        Weights.load,
        Weights.shipped(2).save,
        Network.load,
        open_store,
        lambda path: open_store(path, read_only=True),
        lambda path: Ledger.create(path, cup),
        Ledger.resume,
    ]
    for attempt in tries:
        with pytest.raises(LastcardError):
            attempt(name)
    assert os.listdir(tmp_path) == []


def test_a_text_that_is_not_unicode_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="not valid Unicode"):
        write_file(tmp_path / "file", "\ud800", RecordError)
    assert os.listdir(tmp_path) == []


def test_a_file_in_a_folder_that_takes_no_others_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may write everywhere, so the system is made to refuse."""
    file, usual = tmp_path / "file", os.open
    file.write_text("a long text before")

    def refuse(path: Path, flags: int, *mode: int) -> int:
        if flags & os.O_CREAT:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return usual(path, flags, *mode)

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path)
    with pytest.raises(RecordError, match="file': Permission denied: its folder takes no new files"):
        write_file(file, "after", RecordError)
    with pytest.raises(RecordError, match=r"--out: cannot write .*Permission denied"):
        check_output(file, RecordError, "--out")
    monkeypatch.undo()
    assert file.read_text() == "a long text before"


def test_no_other_module_writes_files() -> None:
    source = Path(files.__file__).parent
    ways = ("write_text(", "write_bytes(", '.open("w', '.open("a', '.open("x', "os.replace(", ".savefig(path", '.part"')
    found = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if any(way in path.read_text(encoding="utf-8") for way in ways)
    }
    assert found == {"files.py", "store/sqlite_file.py"}  # SQLite makes a store's copy itself


def test_errors_are_of_the_type_that_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(LastcardError) as caught:
        write_file(tmp_path, "text", RecordError)
    assert type(caught.value) is RecordError
    assert str(tmp_path) in str(caught.value)
