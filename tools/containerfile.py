"""Runs the steps of the Containerfile without a container engine, in a bare Debian.

    python3 tools/containerfile.py --shell | chroot DEBIAN sh -s SOURCE

The printed script is POSIX shell. It must run as root, with /proc and /dev mounted and SOURCE (by default the current
folder) a checkout of lastcard.
Each stage gets a copy of the Debian of its own, so that a stage which lacks a package fails here as it would in an
image. Then the script starts the container's command as the container's user, asks the health check until it passes,
looks for the engine for browsers, stops the server and looks for the store in the volume.

Standard library only: it runs before anything is installed.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
STEPS = ("COPY", "ENV", "RUN", "WORKDIR")
SETTINGS = ("CMD", "ENTRYPOINT", "EXPOSE", "HEALTHCHECK", "USER", "VOLUME")


class ContainerfileError(ValueError):
    """The Containerfile has a line that this program does not know how to run."""


@dataclass
class Stage:
    """One `FROM` and what follows it."""

    name: str
    base: str
    steps: list[tuple[str, str]] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)

    def command(self) -> list[str]:
        """Words that the container starts."""
        return [*read_words(self.settings["ENTRYPOINT"]), *read_words(self.settings["CMD"])]

    def health(self) -> list[str]:
        """Words that check the container's health."""
        _, found, command = self.settings["HEALTHCHECK"].partition("CMD ")
        if not found:
            raise ContainerfileError("HEALTHCHECK: expected CMD and a JSON list of words")
        return read_words(command)


def read_words(text: str) -> list[str]:
    """Reads the exec form of a command: a JSON list of words."""
    try:
        words = json.loads(text)
    except json.JSONDecodeError:
        words = None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ContainerfileError(f"expected a JSON list of words, not {text}")
    return words


def parse(text: str) -> list[Stage]:
    """Reads the stages of a Containerfile.

    Raises:
        ContainerfileError: if a line is not understood.
    """
    stages: list[Stage] = []
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        instruction, _, rest = line.partition(" ")
        if instruction == "FROM":
            stages.append(_begin(rest, len(stages)))
        elif not stages:
            raise ContainerfileError(f"{instruction} before the first FROM")
        elif instruction in STEPS:
            stages[-1].steps.append((instruction, rest))
        elif instruction in SETTINGS:
            stages[-1].settings[instruction] = rest
        else:
            raise ContainerfileError(f"unknown instruction {instruction}; known: FROM, {', '.join(STEPS + SETTINGS)}")
    return stages


def _begin(text: str, number: int) -> Stage:
    base, *rest = text.split()
    if rest and (len(rest) != 2 or rest[0].upper() != "AS"):
        raise ContainerfileError(f"FROM {text}: expected an image, and AS with a name")
    if not re.search(r"/debian:12\b", base):
        raise ContainerfileError(f"FROM {base}: only Debian 12 can be run here")
    return Stage(rest[1] if rest else f"stage{number}", base)


def copies(words: str) -> tuple[str | None, list[str], str]:
    """Reads a COPY: the stage it copies from, what it copies, and where to."""
    *sources, target = words.split()
    stage = None
    if sources and sources[0].startswith("--from="):
        stage = sources.pop(0).removeprefix("--from=")
    options = [word for word in sources if word.startswith("--")]
    if options or not sources:
        raise ContainerfileError(f"COPY {words}: expected files and a folder, and no option but --from")
    return stage, sources, target


HEAD = """\
#!/bin/sh
# Printed by tools/containerfile.py from the Containerfile.
set -eu
source=$(cd "${1:-.}" && pwd)
stages=${STAGES:-/stages}
server=
release() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    for stage in "$stages"/*; do
        umount -R "$stage/proc" "$stage/dev" 2>/dev/null || true
    done
}
trap release EXIT
begin() {
    echo "== container stage $1"
    mkdir -p "$stages/$1/proc" "$stages/$1/dev" "$stages/$1/tmp"
    chmod 1777 "$stages/$1/tmp"
    for part in /*; do
        case $part in /proc|/dev|/sys|/tmp|"$stages"|"$source") ;; *) cp -ax "$part" "$stages/$1/" ;; esac
    done
    mount --bind /proc "$stages/$1/proc"
    mount --rbind /dev "$stages/$1/dev" && mount --make-rslave "$stages/$1/dev"
}
# COPY from the checkout: what .dockerignore lets through.
send() {
    target=$1; shift; mkdir -p "$target"
    for name; do
        if [ -e "$source/$name" ]; then cp -a --no-preserve=ownership "$source/$name" "$target"; fi
    done
}
# COPY from a stage: the content of a folder goes into the target, a file goes into it under its own name.
copy() {
    mkdir -p "$2"
    if [ -d "$1" ]; then set -- "$1/." "$2"; fi
    cp -a --no-preserve=ownership "$1" "$2"
}
release
rm -rf --one-file-system "$stages"
export DEBIAN_FRONTEND=noninteractive
"""

TAIL = """\
echo "== container: start, health check, stop"
user="setpriv --reuid={user} --regid={user} --init-groups --no-new-privs env {variables}"
check() {{ chroot "$stages/{stage}" $user {health} >/dev/null 2>&1; }}
if check; then
    echo "container: another server answers at this port; stop it first" >&2
    exit 1
fi
chroot "$stages/{stage}" $user sh -c {start} & server=$!
tries=0
until check; do
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || {{ echo "container: the health check never passed" >&2; exit 1; }}
    kill -0 "$server" 2>/dev/null || {{ echo "container: the server stopped by itself" >&2; exit 1; }}
    sleep 0.5
done
engine='import sys; from lastcard.web.engine_files import has_engine; sys.exit(not has_engine())'
chroot "$stages/{stage}" $user python3 -c "$engine" \\
    || {{ echo "container: no engine for browsers" >&2; exit 1; }}
kill -TERM "$server"
status=0; wait "$server" || status=$?
server=
[ "$status" = 130 ] || {{ echo "container: the server stopped with status $status, not 130" >&2; exit 1; }}
[ -n "$(find "$stages/{stage}{volume}" -name '*.db' -user {user_id})" ] \\
    || {{ echo "container: no store in {volume}" >&2; exit 1; }}
du -shx "$stages/{stage}" | sed 's/^/container: size /; s/\\t.*//'
echo "container: passed"
"""


def read_ignored(text: str) -> list[str]:
    """The names that a .dockerignore lets through; it has to refuse everything else."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    if lines[:1] != ["*"]:
        raise ContainerfileError(".dockerignore: expected * first, then what is sent, such as !src")
    return [line.removeprefix("!") for line in lines if line.startswith("!")]


def write_script(stages: list[Stage], sent: list[str]) -> str:
    """The shell script that builds the stages, then starts the last one and checks it."""
    names = {stage.name for stage in stages}
    lines = [HEAD]
    for stage in stages:
        lines.append(f"begin {stage.name}")
        lines += _write_steps(stage, names, sent)
    return "\n".join(lines) + "\n" + _write_tail(stages[-1])


def _write_steps(stage: Stage, names: set[str], sent: list[str]) -> list[str]:
    folder, variables, lines = "/", "", []
    here = f'"$stages"/{stage.name}'
    for instruction, rest in stage.steps:
        if instruction == "WORKDIR":
            folder = rest
            lines.append(f"mkdir -p {here}{folder}")
        elif instruction == "ENV":
            variables = f"{variables} {rest}".strip()
        elif instruction == "RUN":
            inside = f"cd {folder} && {rest}"
            lines.append(f"echo {shlex.quote('-- RUN ' + rest)}")
            lines.append(f"chroot {here} env {variables} sh -ec {shlex.quote(inside)}")
        else:
            lines += _write_copy(rest, here, folder, names, sent)
    return lines


def _write_copy(rest: str, here: str, folder: str, names: set[str], sent: list[str]) -> list[str]:
    origin, sources, target = copies(rest)
    place = target if target.startswith("/") else f"{folder}/{target}"
    if origin is None:
        if sources != ["."]:
            raise ContainerfileError(f"COPY {rest}: expected COPY . and a folder; .dockerignore says what is copied")
        return [f"send {here}{place} {shlex.join(sent)}"]
    if origin not in names:
        raise ContainerfileError(f"COPY {rest}: there is no stage {origin}")
    return [f'copy "$stages"/{origin}/{name.lstrip("/")} {here}{place}' for name in sources]


def _write_tail(last: Stage) -> str:
    variables = " ".join(rest for instruction, rest in last.steps if instruction == "ENV")
    folders = [rest for instruction, rest in last.steps if instruction == "WORKDIR"]
    user = last.settings["USER"]
    start = f"cd {folders[-1] if folders else '/'} && exec {shlex.join(last.command())}"
    return TAIL.format(
        user=user,
        user_id=f'"$(chroot "$stages/{last.name}" id -u {user})"',
        stage=last.name,
        variables=variables,
        start=shlex.quote(start),
        health=shlex.join(last.health()),
        volume=last.settings["VOLUME"],
    )


def main() -> int:
    """Prints the script, or one line that says what is wrong."""
    parser = argparse.ArgumentParser(description="Run the steps of a Containerfile in a bare Debian.")
    parser.add_argument("--shell", action="store_true", required=True, help="print the steps as a shell script")
    parser.add_argument("--file", type=Path, default=ROOT / "Containerfile", help="the Containerfile to read")
    file = parser.parse_args().file
    try:
        sent = read_ignored((ROOT / ".dockerignore").read_text(encoding="utf-8"))
        print(write_script(parse(file.read_text(encoding="utf-8")), sent), end="")
    except (ContainerfileError, OSError, KeyError) as error:
        print(f"error: {file.name}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
