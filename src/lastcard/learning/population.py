"""The file of a league: who is in it, how each was made, and what the main network last won against it."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from lastcard.arena.core_match import Contestant, HeuristicContestant, NetContestant, RandomContestant
from lastcard.errors import AgentError, shorten
from lastcard.learning.measure import Score

LEAGUE: Final = "league.json"
_FORMAT: Final = "lastcard-league"
_POLICIES: Final[dict[str, Contestant]] = {"random": RandomContestant(), "heuristic": HeuristicContestant()}
_PARTS: Final = 10**9
NUM_POLICIES: Final = len(_POLICIES)
_LEAST_WEIGHT: Final = 0.1
"""Weight of a member that always loses: it still plays sometimes, so that beating it is not forgotten."""


@dataclass(frozen=True, slots=True)
class Member:
    """An opponent: a policy of the package, or a frozen network."""

    name: str
    file: str
    """Path of a network relative to the folder of the league; empty for a policy."""
    made: Mapping[str, Any]
    """Training metadata."""
    score: Score | None = None
    """Last result of the main network against it."""

    @property
    def weight(self) -> float:
        """Share of rounds that the main network can still gain against it."""
        return _LEAST_WEIGHT + (1 - self.score.share if self.score else 0.5)

    def contestant(self, folder: Path) -> Contestant:
        """Agent that plays the matches."""
        return NetContestant(str(folder / self.file)) if self.file else _POLICIES[self.name]

    def to_dict(self) -> dict[str, Any]:
        """Returns JSON values."""
        score = self.score and {name: round(value, 5) for name, value in dataclasses.asdict(self.score).items()}
        return {"name": self.name, "file": self.file, "made": dict(self.made), "score": score}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Member:
        """Reads what `to_dict` wrote."""
        score = Score(**fields["score"]) if fields["score"] else None
        return cls(str(fields["name"]), str(fields["file"]), dict(fields["made"]), score)


@dataclass(slots=True)
class Population:
    """All members of a league, and what happened in it so far."""

    rules: str
    players: int
    members: list[Member] = field(default_factory=list)
    history: list[dict[str, Any]] = field(default_factory=list)
    """One entry for every phase that is over."""

    @classmethod
    def found(cls, rules: str, players: int) -> Population:
        """A league of the fixed policies alone."""
        members = [Member(name, "", {"made_by": "a policy of the package"}) for name in _POLICIES]
        return cls(rules, players, members)

    def add(self, member: Member) -> None:
        """Lets a member join.

        Raises:
            AgentError: if there is one of that name.
        """
        if any(known.name == member.name for known in self.members):
            raise AgentError(f"the league has a member {shorten(member.name)} already; name the file differently")
        self.members.append(member)

    def rate(self, scores: Mapping[str, Score]) -> None:
        """Keeps what the main network won."""
        self.members = [
            dataclasses.replace(member, score=scores.get(member.name, member.score)) for member in self.members
        ]

    def divide(self, share: float, most: int) -> dict[str, float]:
        """Divides a share of the rounds between `most` members: the fixed policies, and those that win most often.

        A member whose part is too small for a round is left out.

        >>> Population.found("official", 2).divide(0.8, most=8)
        {'random': 0.4, 'heuristic': 0.4}
        """
        # A beaten policy has the least weight of all, and would be the first to be forgotten.
        ranked = sorted(self.members, key=lambda member: (bool(member.file), -member.weight))
        chosen = {member.name: member.weight for member in ranked[:most]}
        total = sum(chosen.values())
        # Rounded down, so that the parts together are never more than the share.
        parts = {name: math.floor(share * weight / total * _PARTS) / _PARTS for name, weight in chosen.items()}
        return {member.name: parts[member.name] for member in self.members if parts.get(member.name)}

    def to_bytes(self) -> bytes:
        """The contents of the file."""
        fields = {
            "format": _FORMAT,
            "rules": self.rules,
            "players": self.players,
            "members": [member.to_dict() for member in self.members],
            "history": self.history,
        }
        return (json.dumps(fields, indent=1) + "\n").encode()

    @classmethod
    def read(cls, path: Path) -> Population:
        """Reads what `to_bytes` wrote.

        Raises:
            AgentError: if that is no league.
        """
        try:
            fields = json.loads(path.read_text(encoding="utf-8"))
            if fields["format"] != _FORMAT:
                raise AgentError(f"{path}: format must be {_FORMAT}, not {shorten(fields['format'])}")
            members = [Member.from_dict(member) for member in fields["members"]]
            return cls(str(fields["rules"]), int(fields["players"]), members, list(fields["history"]))
        except OSError as error:
            raise AgentError(f"cannot read {path}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError) as error:
            raise AgentError(f"{path}: not the file of a league: {shorten(str(error))}") from None
