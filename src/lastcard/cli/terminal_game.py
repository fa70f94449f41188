"""A game that one person plays at the terminal."""

from __future__ import annotations

import itertools
from pathlib import Path

from lastcard.agents import Level
from lastcard.cards import format_cards
from lastcard.cli.engines import say_forfeit
from lastcard.cli.human_agent import YOU, Leave, Person, TakeBack, is_forced
from lastcard.cli.narration import Teller
from lastcard.cli.screen import Screen
from lastcard.engine.forfeit import judge_forfeit
from lastcard.engine.program import EngineError
from lastcard.errors import LastcardError, RecordError
from lastcard.files import state_folder
from lastcard.observation import observe
from lastcard.rules import format_rules
from lastcard.shell import command
from lastcard.table import Table


class TerminalGame:
    """Deals, lets everyone act, keeps the record on disk, and takes back. The person sits in seat 0."""

    def __init__(
        self, screen: Screen, table: Table, person: Person, file: Path | None, game: bool, level: Level | None = None
    ) -> None:
        self.screen = screen
        self.table = table
        self.person = person
        self.file = file
        self.game = game
        self.level = level
        self._teller = Teller(table.rules, person.names, you=0)
        self._decisions = self._find_decisions()
        person.save = self._save_as
        person.is_game = game
        self._is_warned = False

    def run(self) -> None:
        """Plays until the round or game is over or the person leaves.

        Raises:
            RecordError: if the record cannot be written, or there is nothing to resume.
        """
        if self.table.game_outcome:
            raise RecordError(f"the game in that record is over; view it with: {command('replay', str(self.file))}")
        self._save()
        self._greet()
        while True:
            try:
                self._play()
            except (Leave, KeyboardInterrupt, EOFError):
                if not self._leave():
                    continue
            except EngineError as error:
                self._say_forfeit(error)
            else:
                self._say_end()
            return

    def _greet(self) -> None:
        length = f"first to {self.table.rules.target_score}" if self.game else "one round"
        self.screen.say(f"lastcard: you against {', '.join(self.person.names[1:])}")
        if self.level:
            self.screen.say(f"Level: {self.level.name}, which {self.level.summary}")
        self.screen.say(f"Rules: {format_rules(self.table.rules)}, {length}")
        self.screen.say("Cards: r y g b for the color, then 0-9, S Skip, R Reverse or +2 Draw Two;")
        self.screen.say("       w is a Wild, w+4 a Wild Draw Four")
        commands = "? helps, hint advises, undo takes back your last move, quit leaves"
        self.screen.say(f"Type a card or its number; {commands}.")

    # Playing

    def _play(self) -> None:
        while True:
            self._play_round()
            self._say_result()
            if not self.game or self.table.game_outcome:
                return
            self._await_next_round()

    def _play_round(self) -> None:
        while not self.table.state.is_over:
            state = self.table.state
            decides = state.seat == 0 and not is_forced(observe(state, 0))
            self.person.may_undo = bool(self._decisions)
            start = self.table.num_actions
            try:
                self.table.play_ply()
            except TakeBack:
                self._take_back()
                continue
            if decides:
                self._decisions.append(start)
            if decides or self.table.state.seat == 0:
                self._save()
        self._save()

    def _await_next_round(self) -> None:
        also = ", undo takes back your last move" if self._decisions else ""
        typed = self.screen.ask(f"  Enter deals the next round{also}, q leaves: ").strip()
        answer = typed.lower()
        if answer.startswith("q"):
            raise Leave
        if answer.split()[:1] == ["save"]:
            self.person.keep(typed[4:].strip())
            self._await_next_round()
        elif answer.startswith("u") and self._decisions:
            self._take_back()
        else:
            self.table.next_round()
            self._decisions.clear()

    def _take_back(self) -> None:
        if not self._decisions:
            return
        self.table.undo(self._decisions.pop())
        self.person.forget()
        self.screen.say("Taken back.", indent=2)
        self._save()

    def _find_decisions(self) -> list[int]:
        """Number of actions before each decision of the person, in a round that is resumed."""
        record = self.table.record
        states = record.replay(len(record.rounds) - 1) if record.rounds else ()
        last = len(record.rounds[-1].actions) if record.rounds else 0
        return [
            index
            for index, state in enumerate(states)
            if index < last and state.seat == 0 and not is_forced(observe(state, 0))
        ]

    def _save(self) -> None:
        """Saves the game in its file, if it has one. A failure that the person knows of stops nothing."""
        if not self.file:
            return
        try:
            self.table.record.save(self.file)
        except LastcardError:
            if not self._is_warned:
                raise

    def _save_as(self, path: Path) -> None:
        self.table.record.save(path)
        if self._is_warned:
            self.file = path

    # Saying how it went

    def _say_result(self) -> None:
        observation = observe(self.table.state, 0)
        self.person.tell(observation)
        assert observation.outcome
        self.screen.say()
        self.screen.say(self._teller.result(observation.outcome), indent=2)
        if observation.hand:
            points = sum(card.points for card in observation.hand)
            self.screen.say(f"You still held {format_cards(observation.hand)} ({points} points).", indent=2, hang=2)
        target = f" (to {observation.rules.target_score})" if self.game else ""
        self.screen.say(f"Scores: {self._teller.scores(observation.scores)}{target}", indent=2, hang=2)
        self.screen.say()

    def _say_forfeit(self, error: EngineError) -> None:
        state = self.table.state
        assert state.seat is not None
        say_forfeit(self.screen, self.person.names, judge_forfeit(state, state.seat, error), indent=2)
        if self.game:
            self.screen.say("The game ends with it.", indent=2)
        self._is_warned = True
        self._leave()

    def _say_end(self) -> None:
        outcome = self.table.game_outcome
        if outcome and self.game:
            name = None if outcome.winner is None else self.person.names[outcome.winner]
            if name is None:
                self.screen.say("Nobody wins the game.", indent=2)
            else:
                self.screen.say("You win the game!" if name == YOU else f"{name} wins the game.", indent=2)
        self._say_seed()
        if self.file:
            try:
                self.table.record.save(self.file)
            except LastcardError as error:
                self.screen.say(f"The game was not saved: {error}.", indent=2)
            else:
                self._say_file("Recorded. Replay it with:", "replay")

    def _leave(self) -> bool:
        """Saves the game; returns False if that failed for the first time, so that the person can save it elsewhere."""
        self.screen.say()
        try:
            if not self.file and (self._decisions or len(self.table.record.rounds) > 1):
                self.file = _free_file()
            if self.file:
                self.table.record.save(self.file)
                self._say_file("Saved. Resume with:", *self.person.resume)
        except LastcardError as error:
            if not self._is_warned:
                self._is_warned = True
                self.screen.say(f"The game is not saved: {error}.", indent=2)
                self.screen.say("Type save FILE to save it elsewhere, or quit to leave without saving.", indent=2)
                return False
            self.screen.say(f"The game was not saved: {error}.", indent=2)
        self._say_seed()
        return True

    def _say_file(self, text: str, *words: str) -> None:
        self.screen.say(f"{text} {command(*words, str(self.file))}", indent=2, whole=True)

    def _say_seed(self) -> None:
        rules = format_rules(self.table.rules)
        asked = () if rules == "official" else ("--rules", rules)
        again = command("play", *asked, "--seed", str(self.table.seed))
        self.screen.say(f"The same cards again: {again}", indent=2, whole=True)


def _free_file() -> Path:
    """Returns a new file in the user's state folder, for a game that was left without `--record`."""
    folder = state_folder(RecordError)
    names = itertools.chain(["left.txt"], (f"left-{number}.txt" for number in itertools.count(2)))
    return next(folder / name for name in names if not (folder / name).exists())
