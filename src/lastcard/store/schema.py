"""Tables of a store. Comments describe the columns, as does docs/reference/store.md."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Column,
    DateTime,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

VERSION: Final = 1
"""Version of the schema; a store of any other is refused."""

METADATA: Final = MetaData()

STORE: Final = Table(
    "store",
    METADATA,
    Column("version", Integer, primary_key=True, autoincrement=False, comment="Version of the schema; one row."),
    Column("created", DateTime, nullable=False, comment="When the store was made."),
    Column("lastcard", String(40), nullable=False, comment="The version of lastcard that made it."),
    comment="Identity of the database.",
)

AGENTS: Final = Table(
    "agents",
    METADATA,
    Column("id", Integer, primary_key=True, comment="Number."),
    Column("kind", String(8), nullable=False, comment="`agent`, `person`, or `other`: anything else with a name."),
    Column("name", Text, nullable=False, index=True, comment="The name without options."),
    Column("configuration", Text, nullable=False, comment="The name with every option, defaults included."),
    UniqueConstraint("kind", "configuration"),
    comment="Who plays; equal configurations are one row.",
)

MATCHES: Final = Table(
    "matches",
    METADATA,
    Column("id", Integer, primary_key=True, comment="Number."),
    Column("began", DateTime, nullable=False, comment="When it was begun."),
    Column("finished", DateTime, comment="When nothing was left to play."),
    Column("lastcard", String(40), nullable=False, comment="The version of lastcard that began it."),
    Column("rules", Text, nullable=False, comment="Rules, in their shortest form."),
    Column("players", Integer, nullable=False, comment="Number of seats."),
    Column("seed", String(80), nullable=False, comment="Fixes every result."),
    Column("tournament", Text, nullable=False, comment="Everything that fixes the results, as JSON."),
    comment="Matches of `lastcard arena --store`.",
)

MATCH_AGENTS: Final = Table(
    "match_agents",
    METADATA,
    Column("match_id", ForeignKey("matches.id"), primary_key=True, comment="The match."),
    Column("number", Integer, primary_key=True, autoincrement=False, comment="The agent's number in it, from 0."),
    Column("agent_id", ForeignKey("agents.id"), nullable=False, index=True, comment="Who that is."),
    Column("name", Text, nullable=False, comment="As it was asked for."),
    Column("rating", Float, comment="On the scale of Elo around 1500, from this match alone."),
    Column("rating_error", Float, comment="Half the width of its 95 % interval."),
    comment="Agents of a match, with their ratings.",
)

CHUNKS: Final = Table(
    "chunks",
    METADATA,
    Column("match_id", ForeignKey("matches.id"), primary_key=True, comment="The match."),
    Column("pairing", Integer, primary_key=True, autoincrement=False, comment="The pairing's number in it."),
    Column("number", Integer, primary_key=True, autoincrement=False, comment="The chunk's number in the pairing."),
    Column("result", Text, nullable=False, comment="Results of the deals, as a line of `--out`."),
    comment="Finished parts of a match; one is stored whole, with its games, and once.",
)

GAMES: Final = Table(
    "games",
    METADATA,
    Column("id", Integer, primary_key=True, comment="Number."),
    Column("key", String(200), unique=True, comment="A name of the caller's choice; a retry finds the game by it."),
    Column("match_id", Integer, comment="The match it belongs to, if any."),
    Column("pairing", Integer, comment="With `chunk`, where in the match."),
    Column("chunk", Integer, comment="With `pairing`, where in the match."),
    Column("began", DateTime, nullable=False, comment="When it was begun; of a whole record, when it was added."),
    Column("finished", DateTime, index=True, comment="Nothing while it is played."),
    Column("rules", Text, nullable=False, index=True, comment="Rules, in their shortest form."),
    Column("players", Integer, nullable=False, comment="Number of seats."),
    Column("seed", String(80), comment="The table's seed, unless it is withheld."),
    Column("winner", Integer, comment="The seat that won, if one did."),
    Column("rounds", Integer, nullable=False, comment="How many rounds; 0 while it is played."),
    Column("plies", Integer, nullable=False, comment="How many plies in all rounds; 0 while it is played."),
    Column("record", Text, comment="The record as text; nothing while it is played."),
    ForeignKeyConstraint(["match_id", "pairing", "chunk"], ["chunks.match_id", "chunks.pairing", "chunks.number"]),
    comment="Single rounds and games of many; those played inside the core are only counted, in `chunks`.",
)
Index("games_of_chunk", GAMES.c.match_id, GAMES.c.pairing, GAMES.c.chunk)

SEATS: Final = Table(
    "seats",
    METADATA,
    Column("game_id", ForeignKey("games.id"), primary_key=True, comment="The game."),
    Column("seat", Integer, primary_key=True, autoincrement=False, comment="The seat, from 0."),
    Column("agent_id", ForeignKey("agents.id"), nullable=False, index=True, comment="Who sat there."),
    Column("name", Text, nullable=False, comment="As the record names it."),
    Column("points", Integer, nullable=False, comment="The score at the end; 0 while the game is played."),
    comment="Who sat where.",
    sqlite_with_rowid=False,
)

ROUNDS: Final = Table(
    "rounds",
    METADATA,
    Column("game_id", ForeignKey("games.id"), primary_key=True, comment="The game, once it is finished."),
    Column("number", Integer, primary_key=True, autoincrement=False, comment="The round's number."),
    Column("dealer", Integer, nullable=False, comment="Seat of the dealer."),
    Column("winner", Integer, comment="The seat that won the round, if one did."),
    Column("ending", String(20), comment="How it ended, as in a record's `Result`; nothing if it was broken off."),
    Column("points", String(120), comment="Points scored by each seat, with spaces between."),
    Column("plies", Integer, nullable=False, comment="How many plies."),
    comment="The rounds of finished games.",
    sqlite_with_rowid=False,
)

ACTIONS: Final = Table(
    "actions",
    METADATA,
    Column("game_id", ForeignKey("games.id"), primary_key=True, comment="The game."),
    Column("round", Integer, primary_key=True, autoincrement=False, comment="The round's number."),
    Column("number", Integer, primary_key=True, autoincrement=False, comment="Place in the round, from 1."),
    Column("seat", Integer, nullable=False, comment="The seat that acted."),
    Column("action", String(20), nullable=False, comment="The action, in notation."),
    comment="Every action, of games in progress as well.",
    sqlite_with_rowid=False,
)

SITTINGS: Final = Table(
    "sittings",
    METADATA,
    Column("game_id", ForeignKey("games.id"), primary_key=True, comment="The game, which has a `key`."),
    Column("seat", Integer, nullable=False, comment="The seat of the person who began it."),
    Column("token_hash", String(64), nullable=False, comment="SHA-256 of the person's token."),
    Column("round", Integer, nullable=False, comment="The round dealt last; 0 while people gather."),
    Column("settings", Text, nullable=False, comment="Settings of the request, as JSON."),
    comment="Games that people play on a server.",
)

HOLDERS: Final = Table(
    "holders",
    METADATA,
    Column("game_id", ForeignKey("sittings.game_id"), primary_key=True, comment="The game."),
    Column("seat", Integer, primary_key=True, autoincrement=False, comment="The seat that was taken."),
    Column("token_hash", String(64), nullable=False, comment="SHA-256 of the person's token."),
    Column("name", Text, nullable=False, comment="The person's name."),
    comment="People who came to a game by its link.",
    sqlite_with_rowid=False,
)

IMPORTS: Final = Table(
    "imports",
    METADATA,
    Column("game_id", ForeignKey("games.id"), primary_key=True, comment="The game, which has a `key`."),
    Column("token_hash", String(64), nullable=False, comment="SHA-256 of the token that deletes it."),
    comment="Records that were uploaded to a server.",
)

BRANCHES: Final = Table(
    "branches",
    METADATA,
    Column("game_id", ForeignKey("games.id"), primary_key=True, comment="The game, a sitting of one round."),
    Column("record", Text, nullable=False, comment="The round as far as it was played elsewhere, as a record."),
    comment="Games that continue from a ply of another game.",
)

DEPARTURES: Final = Table(
    "departures",
    METADATA,
    Column("game_id", ForeignKey("sittings.game_id"), primary_key=True, comment="The game."),
    Column("token_hash", String(64), primary_key=True, comment="SHA-256 of the token that held the seat."),
    Column("seat", Integer, nullable=False, comment="The seat."),
    Column("how", String(10), nullable=False, comment="`left`: others may take the seat; `resigned`: an agent has it."),
    Column("at", DateTime, nullable=False, comment="When that was."),
    comment="Seats that people have given up.",
    sqlite_with_rowid=False,
)

FURTHER_TOKENS: Final = Table(
    "further_tokens",
    METADATA,
    Column("token_hash", String(64), primary_key=True, comment="SHA-256 of the token."),
    Column("game_id", ForeignKey("games.id"), nullable=False, index=True, comment="The game."),
    Column("seat", Integer, comment="The seat; nothing for a record that was uploaded."),
    comment="Tokens of the same seats on other devices, made by personal links.",
    sqlite_with_rowid=False,
)

LINKS: Final = Table(
    "links",
    METADATA,
    Column("link_hash", String(64), primary_key=True, comment="SHA-256 of the secret in the link."),
    Column("expires", DateTime, nullable=False, index=True, comment="When it stops working."),
    comment="Personal links that were not used yet.",
    sqlite_with_rowid=False,
)

LINK_SEATS: Final = Table(
    "link_seats",
    METADATA,
    Column("link_hash", ForeignKey("links.link_hash"), primary_key=True, comment="The link."),
    Column("game_id", ForeignKey("games.id"), primary_key=True, index=True, comment="A game that it carries."),
    Column("seat", Integer, comment="The seat; nothing for a record that was uploaded."),
    comment="Seats that personal links carry.",
    sqlite_with_rowid=False,
)

WAITING: Final = Table(
    "waiting",
    METADATA,
    Column("id", Integer, primary_key=True, comment="Number; the smallest has waited longest."),
    Column(
        "token_hash", String(64), nullable=False, unique=True, comment="SHA-256 of the token that will hold a seat."
    ),
    Column("kind", String(200), nullable=False, index=True, comment="The game wanted, as JSON; equal ones meet."),
    Column("level", String(40), nullable=False, comment="The level of agents that fill in."),
    Column("name", Text, nullable=False, comment="The person's name, which the server made up."),
    Column("fills", DateTime, nullable=False, comment="When agents take the seats that are still free."),
    Column("expires", DateTime, nullable=False, comment="When it no longer counts, unless the person asks again."),
    Column("game_id", ForeignKey("games.id"), index=True, comment="The game, once one was found."),
    Column("seat", Integer, comment="The seat in it."),
    comment="People who wait for others to play with.",
)

PROCESSES: Final = Table(
    "processes",
    METADATA,
    Column("id", Integer, primary_key=True, comment="Number, never used again: the fencing token of its leases."),
    Column("address", Text, nullable=False, comment="Host and port at which the other processes reach it."),
    Column("secret", String(64), nullable=False, comment="What they have to know to be answered there."),
    Column("expires", DateTime, nullable=False, comment="When it counts as dead, by the clock of the database."),
    Column("usage", Text, nullable=False, comment="How much its busiest users have taken of their limits, as JSON."),
    comment="Processes that serve the store together, in PostgreSQL.",
)

LEASES: Final = Table(
    "leases",
    METADATA,
    Column("game_id", ForeignKey("games.id"), primary_key=True, comment="The game."),
    Column(
        "process_id",
        ForeignKey("processes.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
        comment="The process that has it in memory: no other may write it.",
    ),
    comment="Owners of games, in PostgreSQL; a lease ends with its process.",
    sqlite_with_rowid=False,
)
