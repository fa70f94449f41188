"""A person at the terminal, both inside this process with answers from a script and behind a real terminal."""

import io
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from rich.console import Console

from lastcard.cards import parse_card
from lastcard.cli.commands import main
from lastcard.cli.human_agent import YOU, Person
from lastcard.cli.input import Choice, Command, Complaint, Wish, read_answer, read_color
from lastcard.cli.narration import Teller, short_names
from lastcard.cli.reports import say_hint
from lastcard.cli.screen import Screen
from lastcard.cli.terminal_game import TerminalGame
from lastcard.observation import Observation, observe
from lastcard.record import Record, RoundRecord
from lastcard.rules import Rules, parse_rules
from lastcard.search.halving import HalvingConfig, search_by_halving
from lastcard.state import deal
from lastcard.table import Table
from tests.unit.helpers import VARIED_RULES, dealt, play, random_states, table

# Inside this process


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are left are kept in an empty folder, and the program is on the path."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["lastcard"])


class Script(Screen):
    """A screen that asks a function and keeps what it was told."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        super().__init__()
        self.console = Console(file=io.StringIO(), width=80, color_system=None, highlight=False, markup=False)
        self._answer = answer

    def ask(self, prompt: str) -> str:
        self.console.file.write(f"{prompt}\n")
        return self._answer(prompt)

    @property
    def shown(self) -> str:
        file = self.console.file
        assert isinstance(file, io.StringIO)
        return file.getvalue()


class Watched(Person):
    """A person whose last observation can be looked at."""

    observation: Observation | None = None

    def choose(self, observation: Observation):  # type: ignore[no-untyped-def]
        self.observation = observation
        return super().choose(observation)


def sit_down(
    rules: Rules, seed: int, answer: Callable[[str], str], file: Path | None = None, game: bool = False
) -> tuple[TerminalGame, Watched, Script]:
    screen = Script(answer)
    person = Watched(screen, (YOU, *short_names([YOU] + ["random"] * (rules.players - 1))[1:]))
    person.hints = HalvingConfig(simulations=60, hypotheses=16)
    sitting = TerminalGame(screen, Table(rules, [person, *["random"] * (rules.players - 1)], seed), person, file, game)
    return sitting, person, screen


def cards_in(text: str) -> set[str]:
    found = re.findall(r"(?<![\w:+-])(?:[rygb](?:\d|S|R|\+2)|w\+4|w)(?![\w+])", text)
    return {parse_card(word).text for word in found}


@pytest.mark.parametrize("text", VARIED_RULES)
def test_a_person_can_play_any_rules_and_never_sees_a_hidden_card(text: str) -> None:
    rules = parse_rules(text)
    rules = rules.replace(max_plies=min(rules.max_plies, 150))
    rng = random.Random(text)
    read = 0

    def answer(prompt: str) -> str:
        nonlocal read
        seen = person.observation
        new, read = screen.shown[read:], len(screen.shown)
        if seen is None or "next round" in prompt:
            return "q"
        known = {card.text for card in (*seen.hand, *seen.discards)}
        known |= {c.text for e in seen.history for _, cards in e.hands for c in cards}
        known |= {e.action.card.text for e in seen.history if e.action and e.action.card}
        known |= {"r5", "w"}  # typed below
        if "Reverse" not in new and "Everything: " not in new:  # help and rules name cards
            assert cards_in(new) <= known
        if rng.random() < 0.1:
            return rng.choice(["", "?", "log", "hand", "hint", "rules", "undo", "99", "nonsense", "r5", "w", "save"])
        return rng.choice([*map(str, seen.legal_actions), "1", "2", "d", "p", "g"])

    for seed in range(2):
        sitting, person, screen = sit_down(rules, seed, answer)
        read = 0
        sitting.run()
        assert sitting.table.state.is_over
        lines = [line for line in screen.shown.splitlines() if ": lastcard " not in line]  # a command stays whole
        assert max(map(len, lines)) <= 80


def test_the_first_screen_does_not_depend_on_hidden_cards() -> None:
    rules = parse_rules("official players=3")
    shown = []
    for swap in (False, True):
        deck = list(deal(rules, 5).draw_pile)
        state = deal(rules, 5)
        order = [card for i in range(7) for seat in range(3) for card in [state.hand(seat)[i]]]
        others = [i for i in range(21) if i % 3]
        if swap:
            for i in others:
                order[i], deck[i] = deck[i], order[i]
        cards = [*deck, state.top_card, *reversed(order)]
        record = Record(rules, (YOU, "random", "random"), (RoundRecord(1, 2, (0, 0, 0), tuple(cards), ()),), 1)
        screen = Script(lambda prompt: "q")
        person = Person(screen, (YOU, "random-1", "random-2"))
        TerminalGame(screen, Table.resume(record, [person, "random", "random"]), person, None, True).run()
        shown.append(screen.shown)
    assert "Your turn:" in shown[0] or "Nothing fits" in shown[0]
    assert shown[0] == shown[1]


def test_a_hint_says_what_is_best_and_why() -> None:
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return "hint" if len(asked) == 1 else "q"

    sitting, _, screen = sit_down(parse_rules("official players=3"), 3, answer)
    sitting.run()
    lines = r"(?:\n  .*)*?"  # at 80 columns either may take more than one
    hint, reason = re.findall(rf"\n  (Hint: .*{lines}%\.)\n  (.*{lines}\.)\n  Your turn", screen.shown)[0]
    hint = " ".join(hint.split())
    assert re.fullmatch(r"Hint: (play|draw).*, \d+ ± \d+ % to win; then (\S+ \d+ ± \d+ %(, )?){1,2}\.", hint)
    assert "than" in reason or "as good" in reason
    assert "seat " not in reason
    assert len(asked) == 2


def test_a_hint_where_there_is_no_choice() -> None:
    screen = Script(lambda prompt: "")
    observation = observe(table("top r5 | seat 0: g7 | seat 1: g1 g1 yR", draws="g2"), 0)
    say_hint(screen, observation, search_by_halving(observation), (YOU, "random"))
    assert screen.shown == "  Hint: draw a card.\n  It is all that the rules allow.\n"


def test_undo_goes_back_to_the_previous_decision() -> None:
    plies: list[int] = []

    def answer(prompt: str) -> str:
        plies.append(sitting.table.state.ply)
        assert person.observation is not None
        return {3: "undo", 5: "q"}.get(len(plies)) or str(person.observation.legal_actions[0])

    sitting, person, screen = sit_down(parse_rules("official"), 3, answer)
    sitting.run()
    assert len(plies) == 5
    assert plies[3] == plies[1] < plies[2]
    assert "Taken back." in screen.shown


def test_each_game_that_is_left_has_a_file_of_its_own(tmp_path: Path) -> None:
    answers: list[str] = []
    for name in ("left.txt", "left-2.txt", "left-3.txt"):
        answers[:] = ["q", "k", "d"]
        sitting, _, screen = sit_down(parse_rules("official"), 3, lambda prompt: answers.pop())
        sitting.run()
        assert f"Saved. Resume with: lastcard play --round --resume {tmp_path / 'lastcard' / name}\n" in screen.shown
    kept = [file.read_bytes() for file in sorted((tmp_path / "lastcard").iterdir())]
    again, _, _ = sit_down(parse_rules("official"), 4, lambda prompt: "q", tmp_path / "lastcard" / "left-2.txt")
    again.run()
    assert [file.read_bytes() for file in sorted((tmp_path / "lastcard").iterdir())] != kept
    assert len(list((tmp_path / "lastcard").iterdir())) == 3


def test_commands_fit_the_game_that_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    answers = iter(["rules", "save ~/own.txt", "d", "k", "q"])
    sitting, _, screen = sit_down(parse_rules("official stacking=same"), 3, lambda prompt: next(answers), game=True)
    sitting.run()
    assert "\n  Everything: lastcard rules official stacking=same\n" in screen.shown
    assert f"Saved. Resume with: lastcard play --resume {tmp_path / 'own.txt'}\n" in screen.shown
    again = "lastcard play --rules 'official stacking=same' --seed 3"
    assert screen.shown.endswith(f"The same cards again: {again}\n")


def test_a_game_without_a_decision_is_not_kept(tmp_path: Path) -> None:
    sitting, _, screen = sit_down(parse_rules("official"), 3, lambda prompt: "q")
    sitting.run()
    assert screen.shown.endswith("The same cards again: lastcard play --seed 3\n")
    assert "Saved" not in screen.shown
    assert not (tmp_path / "lastcard").exists()


@pytest.mark.parametrize("file", [None, Path("/nonexistent/game.txt")])
def test_where_saving_fails_the_person_can_save_elsewhere(
    file: Path | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", os.devnull)
    answers = iter(["d", "q", f"save {tmp_path / 'own.txt'}", "d", "q"])

    def answer(prompt: str) -> str:
        sitting.file = sitting.file if sitting.table.num_actions == 0 or sitting._is_warned else file
        return "k" if "keep it" in prompt else next(answers)

    sitting, _, screen = sit_down(parse_rules("official"), 3, answer)
    sitting.run()
    shown = screen.shown.split("The game is not saved: cannot ")
    assert len(shown) == 2
    assert "Type save FILE to save it elsewhere, or quit to leave without saving." in shown[1]
    assert shown[1].count(f"Saved. Resume with: lastcard play --round --resume {tmp_path / 'own.txt'}") == 2
    assert [action.text for action in Record.load(tmp_path / "own.txt").rounds[0].actions].count("draw") >= 2


def test_a_game_that_cannot_be_saved_is_left_when_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", os.devnull)
    answers = iter(["d", "k", "q", "q"])
    sitting, _, screen = sit_down(parse_rules("official"), 3, lambda prompt: next(answers))
    sitting.run()
    assert "The game was not saved: cannot make the folder" in screen.shown


def test_a_record_that_could_not_be_saved_once_is_saved_at_the_end(tmp_path: Path) -> None:
    file = tmp_path / "later" / "own.txt"
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        sitting.file = file
        if len(asked) == 1:
            return "q"
        file.parent.mkdir(exist_ok=True)
        assert person.observation is not None
        return str(person.observation.legal_actions[0])

    sitting, person, screen = sit_down(parse_rules("official"), 2, answer)
    sitting.run()
    assert "The game is not saved" in screen.shown
    assert f"Recorded. Replay it with: lastcard replay {file}" in screen.shown
    assert Record.load(file).rounds[0].outcome


def test_a_game_can_be_saved_between_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", os.devnull)
    between = iter(["q", f"save {tmp_path / 'Own.txt'}", "q"])

    def answer(prompt: str) -> str:
        assert person.observation is not None
        return next(between) if "next round" in prompt else str(person.observation.legal_actions[0])

    sitting, person, screen = sit_down(parse_rules("official"), 2, answer, game=True)
    sitting.run()
    assert "The game is not saved" in screen.shown
    assert Record.load(tmp_path / "Own.txt").rounds[0].outcome


def test_a_game_goes_on_until_the_target() -> None:
    def answer(prompt: str) -> str:
        assert person.observation is not None
        return "" if "next round" in prompt else str(person.observation.legal_actions[0])

    sitting, person, screen = sit_down(parse_rules("official target_score=120"), 2, answer, game=True)
    sitting.run()
    assert sitting.table.game_outcome
    assert "the game" in screen.shown
    assert f"--seed {sitting.table.seed}" in screen.shown


# What an answer means

TURN = "top r5 | seat 0: r7 b2 w r7 | seat 1: g1 g1 yR"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        *(("1", "r7"), ("r7", "r7"), (" R7 ", "r7"), ("w:g", "w:g"), ("w g", "w:g"), ("d", "draw"), ("dra", "draw")),
        *(("play r7", "r7"), ("Play 1", "r7"), ("r 7", "r7"), ("play R 7", "r7"), ("play w:g", "w:g")),
        ("play draw", "draw"),
    ],
)
def test_answers(text: str, action: str) -> None:
    assert str(read_answer(text, observe(table(TURN, draws="g2 g3"), 0))) == action


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("?", "help"),
        ("q", "quit"),
        ("u", "undo"),
        ("l", "log"),
        ("ha", "hand"),
        ("hi", "hint"),
        ("ru", "rules"),
        ("exit", "quit"),
    ],
)
def test_commands(text: str, command: str) -> None:
    assert read_answer(text, observe(table(TURN, draws="g2 g3"), 0)) == Wish(Command(command))


def test_a_file_name_keeps_its_case() -> None:
    assert read_answer("save My Game.txt", observe(table(TURN, draws="g2"), 0)) == Wish(Command.SAVE, "My Game.txt")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("b2", "b2 does not match r5."),
        ("g9", "You do not hold g9."),
        ("g 9", "You do not hold g9."),
        ("3", "There is no number 3."),
        ("keep", "keep is not possible now."),
        ("hello", "'hello' is not understood"),
        ("h", "h could be help or hand or hint."),
        ("", "Please choose: r7, w or draw."),
        ("w+4", "You do not hold w+4."),
        ("g9", "You may choose r7, w or draw."),
    ],
)
def test_complaints_say_what_is_wrong_and_what_is_legal(text: str, part: str) -> None:
    answer = read_answer(text, observe(table(TURN, draws="g2 g3"), 0))
    assert isinstance(answer, Complaint)
    assert part in answer.text


def test_a_wild_alone_asks_for_its_color() -> None:
    for text in ("w", "2"):
        answer = read_answer(text, observe(table(TURN, draws="g2 g3"), 0))
        assert isinstance(answer, Choice)
        assert len(answer.actions) == 4
    assert [read_color(text) for text in ("x", "", "bl", "g")][:2] == [None, None]


def test_a_wrong_color_is_named_and_asked_for_again() -> None:
    answers = iter(["w", "x", "w:g", "", "w", "bl"])
    screen = Script(lambda prompt: next(answers))
    observation = observe(table(TURN, draws="g2 g3"), 0)
    assert str(Person(screen, (YOU, "Bob")).choose(observation)) == "w:b"
    asked = "  Which color, r, y, g or b? (Enter: choose another card) \n"
    wrong = [f"{asked}  '{text}' is not a color.\n" for text in ("x", "w:g")]
    assert f"{''.join(wrong)}{asked}  Your turn: \n{asked}" in screen.shown


def test_u_is_never_undo_where_uno_is_called() -> None:
    state = table("top r5 | seat 0: r7 b2 | seat 1: g1 g1 yR", draws="g2 g3", rules="tournament")
    assert str(read_answer("u", observe(state, 0))) == "uno"
    state = table("top r5 | seat 0: r7 b2 g1 | seat 1: g1 yR", draws="g2 g3", rules="tournament")
    assert isinstance(read_answer("u", observe(state, 0)), Complaint)
    assert read_answer("undo", observe(state, 0)) == Wish(Command.UNDO)


def test_a_reason_is_given_for_a_forbidden_wild_draw_four() -> None:
    state = table("top r5 | seat 0: r7 w+4 | seat 1: g1 yR", draws="g2 g3")
    answer = read_answer("w+4", observe(state, 0))
    assert isinstance(answer, Complaint)
    assert "while you hold a red card" in answer.text


# What is told


@pytest.mark.parametrize("text", VARIED_RULES)
def test_the_teller_counts_hands_right(text: str) -> None:
    rules = parse_rules(text)
    for seed in range(3):
        teller = Teller(rules, [f"seat{seat}" for seat in range(rules.players)])
        for state in random_states(rules, seed, plies=150):
            teller.hear(state.history)
            assert teller.turns[-1].sizes == tuple(len(player.hand) for player in state.players)


@pytest.mark.parametrize(
    ("actions", "latest", "yours"),
    [
        ("r2", None, "plays r2"),
        ("r2 r+2", "draws 2 and is skipped", "plays r+2"),
        ("r2 r+2 r4", "draws 2 and is skipped", "plays r4"),
        ("r2 r+2 r4 rS", "plays rS", "is skipped"),
    ],
)
def test_the_table_tells_what_a_seat_did_last_or_what_happened_to_it(
    actions: str, latest: str | None, yours: str
) -> None:
    # Ann plays r2 before Bob's turn, and Bob plays after her.
    state = play(dealt(["r2 r+2 r4 b1 b2", "r9 rS g1 g2 g3"], "r5", "y9 y8 y7"), actions.replace("r2 r+2", "r2 r9 r+2"))
    teller = Teller(state.rules, ("Ann", "Bob"))
    teller.hear(state.history)
    found = [teller.latest(seat) for seat in (1, 0)]
    assert [text and text.plain for text in found] == [latest, yours]


def test_a_drawn_card_that_is_played_is_named_once() -> None:
    state = play(dealt(["r1 g1", "b1 b2"], "y5", "y8 y9"), "draw y8")
    for you, sentence in ((0, "You draw y8 and play it."), (None, "Ann draws a card and plays y8.")):
        teller = Teller(state.rules, ("Ann", "Bob"), you)
        teller.hear(observe(state, 0).history)
        assert teller.sentence(teller.turns[1]).plain == sentence


@pytest.mark.parametrize("game", [True, False])
def test_the_title_tells_the_target_of_a_game_only(game: bool) -> None:
    sitting, _, screen = sit_down(parse_rules("official"), 3, lambda prompt: "q", game=game)
    sitting.run()
    assert ("you 0 · random 0 · to 500 ──" in screen.shown, "you 0 · random 0 ──" in screen.shown) == (game, not game)


def test_a_late_call_of_uno_belongs_to_the_play() -> None:
    state = play(dealt(["r1 g1", "b1 b2"], "r5", "y9 y8", rules="official uno_penalty=2"), "r1 uno")
    teller = Teller(state.rules, ("Ann", "Bob"))
    teller.hear(state.history)
    assert teller.sentence(teller.turns[-1]).plain == "Ann plays r1 and calls UNO late."


def test_a_person_who_forgot_uno_is_asked_whether_to_call_it() -> None:
    screen = Script(lambda prompt: "u")
    state = play(dealt(["r1 g1", "b1 b2"], "r5", "y9 y8", rules="official uno_penalty=2"), "r1")
    assert Person(screen, (YOU, "Bob")).choose(observe(state, 0)).text == "uno"
    assert "u) uno (call it before you are caught)   p) pass" in screen.shown
    assert "You forgot to call UNO. Call it now, or pass? (Enter: pass)" in screen.shown


@pytest.mark.parametrize("rules", ["house", "official players=3"])
def test_a_level_that_does_not_play_these_rules_is_refused_before_the_deal(
    rules: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["lastcard", "play", "--level", "champion", "--rules", rules])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("error: champion: no network is shipped for the rules")
    assert told.err.endswith("; net plays by them\n")


def test_alike_names_get_their_seat() -> None:
    assert short_names(["halving:simulations=50", "random", "halving"]) == ("halving-0", "random", "halving-2")


# Behind a real terminal


def hear_ctrl_c() -> None:
    """Undoes what a shell does to its background jobs: they ignore Ctrl-C, and so do their children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


class Terminal:
    """A process behind a pseudo-terminal."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._master, slave = pty.openpty()
        self.shown = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lastcard.cli", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={
                **os.environ,
                "TERM": "xterm-256color",
                "COLUMNS": "80",
                "NO_COLOR": "",
                "XDG_STATE_HOME": os.devnull,  # nothing can be kept there
                **environment,
            },
            start_new_session=True,
            preexec_fn=hear_ctrl_c,  # noqa: PLW1509 - no threads here
        )
        os.close(slave)

    def wait_for(self, text: str, seconds: float = 15) -> str:
        end = time.monotonic() + seconds
        while text not in self.shown:
            ready, _, _ = select.select([self._master], [], [], max(end - time.monotonic(), 0))
            try:
                part = os.read(self._master, 65536) if ready else b""
            except OSError:
                part = b""
            assert part, f"no {text!r} in:\n{self.shown}"
            self.shown += part.decode()
        before, found, self.shown = self.shown.partition(text)
        return before + found

    def type(self, line: str) -> None:
        os.write(self._master, f"{line}\n".encode())

    def interrupt(self, expected: str) -> str:
        """Presses Ctrl-C until it is heard: readline loses one that comes just before it starts to wait for a key."""
        for _ in range(5):
            self.process.send_signal(signal.SIGINT)
            with suppress(AssertionError):
                return self.wait_for(expected, seconds=3)
        return self.wait_for(expected)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._master)


@contextmanager
def terminal(*arguments: str, **environment: str) -> Iterator[Terminal]:
    opened = Terminal(*arguments, **environment)
    try:
        yield opened
    finally:
        opened.close()


def test_ctrl_c_saves_the_record_and_it_can_be_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    with terminal("play", "--seed", "7", "--against", "first_legal", "--record", str(file)) as screen:
        assert "\x1b[" in screen.wait_for("Your turn:")
        screen.type("zzz")
        assert "is not understood" in screen.wait_for("Your turn:")
        screen.type("d")
        screen.wait_for("Your turn:")
        left = screen.interrupt("--seed 7")
        assert f"lastcard play --resume {file}" in left
        assert "Traceback" not in left
        assert screen.process.wait(10) == 0
    saved = Record.load(file)
    assert saved.agents == (YOU, "first_legal")
    assert saved.rounds[0].outcome is None
    assert saved.rounds[0].actions[0].text == "draw"
    with terminal("play", "--resume", str(file)) as screen:
        screen.wait_for("Your turn:")
        screen.type("undo")
        assert "Taken back." in screen.wait_for("Your turn:")
        screen.type("\x04")
        assert "Saved. Resume with" in screen.wait_for("--resume")
    assert Record.load(file).rounds[0].actions == ()


def test_a_kill_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    with terminal("play", "--seed", "7", "--against", "first_legal", "--record", str(file)) as screen:
        screen.wait_for("Your turn:")
        screen.type("d")
        screen.wait_for("Your turn:")
        screen.process.kill()
    assert Record.load(file).rounds[0].actions[0].text == "draw"


def test_leaving_without_record_keeps_the_game(tmp_path: Path) -> None:
    with terminal("play", "--seed", "7", "--against", "first_legal", XDG_STATE_HOME=str(tmp_path)) as screen:
        screen.wait_for("Your turn:")
        screen.type("1")
        screen.wait_for("turn 3")
        screen.wait_for("Your turn:")
        screen.type("quit")
        screen.wait_for("lastcard play --resume")
    assert len(Record.load(tmp_path / "lastcard" / "left.txt").rounds[0].actions) >= 2


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_escape_codes_where_they_are_not_wanted(environment: dict[str, str]) -> None:
    with terminal("play", "--seed", "7", "--against", "first_legal", **environment) as screen:
        shown = screen.wait_for("Your turn:")
        screen.type("d")
        shown += screen.wait_for("Your turn:")
        screen.type("quit")
        shown += screen.wait_for("Your turn:")
        screen.type("quit")
        shown += screen.wait_for("--seed 7")
    assert "\x1b" not in shown
    assert "The game was not saved" in shown


def test_the_usual_opponent_is_the_hardest_and_gives_hints() -> None:
    with terminal("play", "--seed", "7", NO_COLOR="1") as screen:
        assert "Level: hardest, which plays out a hundred thousand" in screen.wait_for("Your turn:")
        screen.type("hint")
        assert "Hint: play" in screen.wait_for("Your turn:")
        screen.type("q")
        screen.wait_for("--seed 7")
    with terminal("play", "--seed", "7", "--level", "easy", NO_COLOR="1") as screen:
        shown = screen.wait_for("Your turn:")
        screen.type("q")
    assert "you against easy" in shown
    assert "Level: easy, which counts the cards" in shown


def test_opponents_of_a_level_have_its_name(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    with terminal("play", "--level", "medium", "--players", "3", "--record", str(file), NO_COLOR="1") as screen:
        assert "you against medium-1, medium-2" in screen.wait_for("Level")
        screen.wait_for("Your hand")
        screen.type("quit")
        screen.wait_for("--resume")
    with terminal("play", "--resume", str(file), NO_COLOR="1") as screen:
        assert "Level: medium, which scores every action" in screen.wait_for("Rules")
    with terminal("play", "--against", "heuristic", NO_COLOR="1") as screen:
        assert "you against heuristic" in screen.wait_for("Rules")


def test_replay_steps_on_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "round.txt"
    Table(Rules.preset("official"), ["random", "random"], seed=1).play_round().save(file)
    with terminal("replay", str(file), "--seat", "0", NO_COLOR="1") as screen:
        for answer, expected in [("", "ply 1 of"), ("b", "ply 0 of"), ("5", "ply 5 of"), ("x", "neither")]:
            screen.wait_for("q quit: ")
            screen.type(answer)
            screen.wait_for(expected)
        screen.wait_for("q quit: ")
        screen.type("q")
        assert screen.process.wait(10) == 0
