"""The file that keeps a tournament: what is played in its first line, then a line for each finished chunk."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from lastcard.agents import AgentLike
from lastcard.arena.results import ChunkResult
from lastcard.arena.schedule import Tournament
from lastcard.errors import RecordError, shorten
from lastcard.files import Output, check_path, name_file, write_all
from lastcard.locks import lock_file
from lastcard.shell import command

FORMAT: Final = "lastcard-arena"
VERSION: Final = 1


class Ledger:
    """An append-only file; a line that was written is on the disk.

    Make one with `create` or `resume`, and close it or use it with `with`.
    """

    def __init__(self, path: Path, file: FileIO, tournament: Tournament, chunks: list[ChunkResult]) -> None:
        self.path = path
        self.tournament = tournament
        self.chunks = chunks
        """Chunks that the file held when it was opened."""
        self.note = ""
        """A note for the user."""
        self.keeps_games = False
        self._file = file

    @classmethod
    def create(cls, path: Path, tournament: Tournament) -> Ledger:
        """A new file.

        Raises:
            RecordError: if there is a file of that name already, or it cannot be written.
        """
        header = {"format": FORMAT, "version": VERSION, "tournament": tournament.to_dict()}
        try:
            with Output(path, RecordError, is_new=True) as output:
                output.write(_format(header))
        except RecordError as error:
            if not isinstance(error.__cause__, FileExistsError):
                raise
            raise RecordError(f"{path} already exists; continue it with --resume {path}") from None
        return cls.resume(path, [entrant.info for entrant in tournament.own.values()])

    @classmethod
    def resume(cls, path: Path, agents: Sequence[AgentLike] = ()) -> Ledger:
        """Opens a file to resume it; an incomplete last line is dropped.

        Agents of your own have to be given again: nothing is imported for a name in a file.

        Raises:
            RecordError: if it cannot be read and written, or is not the file of a tournament; it stays as it is.
        """
        try:
            # Unbuffered: what could not be written must not be tried again when the file is closed.
            file = check_path(path, RecordError).open("r+b", buffering=0)
        except OSError as error:
            raise RecordError(f"cannot resume {name_file(path)}: {error.strerror}") from None
        try:
            # Before it is read: what another process appended in between would be overwritten.
            _lock(path, file)
            return cls._read(path, file, agents)
        except OSError as error:
            file.close()
            raise RecordError(f"cannot resume {name_file(path)}: {error.strerror or error}") from None
        except BaseException:
            file.close()
            raise

    @classmethod
    def _read(cls, path: Path, file: FileIO, agents: Sequence[AgentLike]) -> Ledger:
        data = file.read()
        # Only a line with its end is whole: a crash can cut off the last one.
        end = data.rfind(b"\n") + 1
        lines = data[:end].split(b"\n")[:-1]
        header = _parse(lines[0]) if lines else None
        if header is None or header.get("format") != FORMAT or not isinstance(header.get("tournament"), dict):
            raise RecordError(f"{path} is not the file of a tournament; {command('arena', '--out', 'FILE')} writes one")
        if header.get("version") != VERSION:
            raise RecordError(
                f"{path} is of version {shorten(header.get('version'))}; this lastcard reads version {VERSION}"
            )
        tournament = Tournament.from_dict(header["tournament"], agents)
        ledger = cls(path, file, tournament, [])
        for number, line in enumerate(lines[1:], 2):
            fields = _parse(line)
            if fields is None:
                raise RecordError(f"{path}, line {number} is damaged; the file stays as it is")
            ledger.chunks.append(ChunkResult.from_dict(fields, tournament.rules.players))
        if end < len(data):
            file.truncate(end)
            ledger.note = f"The last line of {path} had been cut off; that chunk is played again."
        file.seek(end)
        return ledger

    @property
    def resume_arguments(self) -> tuple[str, ...]:
        """Arguments of `lastcard arena` that resume it."""
        return "--resume", str(self.path)

    def append(self, chunk: ChunkResult) -> None:
        """Commits a chunk to disk before it returns."""
        self._write(chunk.to_dict())

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, fields: Mapping[str, object]) -> None:
        try:
            write_all(self._file.fileno(), _format(fields))
            # Before the chunk counts: after a crash, --resume must find every chunk that was reported.
            os.fsync(self._file.fileno())
        except OSError as error:
            raise RecordError(f"cannot write {name_file(self.path)}: {error.strerror}") from None


def _lock(path: Path, file: FileIO) -> None:
    """Locks the file: two writers would overwrite each other."""
    try:
        lock_file(file.fileno())
    except OSError:
        raise RecordError(f"{path} is in use by another lastcard") from None


def _format(fields: Mapping[str, object]) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None
