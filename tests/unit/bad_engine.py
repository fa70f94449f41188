"""An engine that does what the word on its command line says, each in its own way wrong or unusual."""

import json
import os
import signal
import subprocess
import sys
import time

MODE = sys.argv[1]
NOTE = sys.argv[2] if len(sys.argv) > 2 else ""
SLEEPER = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(1000)"]


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def sleep() -> None:
    while True:
        time.sleep(100)


def scatter() -> None:
    """Starts processes that are hard to find, and notes who they are."""
    found = []
    for clean in (False, True):
        # In a session of its own, the second without the environment it was given.
        environment: dict[str, str] | None = {} if clean else None
        child = subprocess.Popen(SLEEPER, start_new_session=True, env=environment)
        found.append(child.pid)
    # Orphaned: its parent ends immediately.
    orphan = f"import subprocess; print(subprocess.Popen({SLEEPER!r}, stdout=-3, start_new_session=True).pid)"
    found.append(int(subprocess.check_output([sys.executable, "-I", "-S", "-c", orphan])))
    with open(NOTE, "a", encoding="ascii") as file:
        file.write(" ".join(map(str, (os.getpid(), *found))) + "\n")


def greet() -> None:
    if MODE == "lost":
        scatter()
    match MODE:
        case "parent":
            child = subprocess.Popen(SLEEPER)
            with open(NOTE, "w", encoding="ascii") as file:
                file.write(f"{os.getpid()} {child.pid}")
            say("name parent")
            say("lastcard 1")
        case "mute":
            sleep()
        case "dead":
            sys.exit(3)
        case "newer":
            say("name newer")
            say("lastcard 2")
        case "nameless":
            say("lastcard 1")
        case "optional":
            say("name optional")
            for number in range(200):
                say(f'option {{"name": "option{number}", "type": "int", "default": 0}}')
            say("lastcard 1")
        case _:
            say(f"name {MODE}")
            say('option {"name": "seed", "type": "int", "default": 0}')
            say("lastcard 1")


def go() -> None:
    match MODE:
        case "sleepy" | "parent":
            sleep()
        case "liar":
            say("best y9" if NOTE == "legal" else "best swap:9")
        case "babbler":
            say("best anything")
        case "dying":
            sys.exit("out of ideas")
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "closed":
            os.close(1)
            sleep()
        case "flood":
            while True:
                say('info {"simulations": 1, "seconds": 0, "actions": []}')
        case "torrent":
            while True:
                os.write(1, b"x" * 60000)
        case "bytes":
            os.write(1, b"best \xff\xfe\n")
        case "refusing":
            say("error no idea")
        case "twice":
            say("best draw")
            say("best draw")
        case "lost":
            sleep()
        case "late":
            pass  # it answers `stop` only
        case "parent":
            sleep()
        case "daemons":
            scatter()
            say("best draw")
        case "stoppable":
            say('info {"simulations": 1, "seconds": 0, "actions": []}')
        case _:
            say("best draw")


if MODE in ("deaf", "stubborn"):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    word = line.split()[0]
    if word == "lastcard":
        greet()
    elif word == "ready":
        say("ready")
        if MODE == "deaf":
            sleep()
    elif word == "go":
        go()
    elif word == "position":
        legal = json.loads(line.removeprefix("position"))["legal_actions"]
    elif word == "stop" and MODE == "stoppable":
        say("best draw")
    elif word == "stop" and MODE == "late":
        time.sleep(0.05)
        say(f"best {legal[0]}")
    elif word == "quit" and MODE != "stubborn":
        break
while MODE in ("stubborn", "lost"):
    time.sleep(100)
