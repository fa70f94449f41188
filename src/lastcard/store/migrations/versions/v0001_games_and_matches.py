"""Make the tables of games, matches and sittings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Takes a store to version 1."""
    op.create_table(
        "agents",
        sa.Column("id", sa.Integer(), nullable=False, comment="Number."),
        sa.Column(
            "kind",
            sa.String(length=8),
            nullable=False,
            comment="`agent`, `person`, or `other`: anything else with a name.",
        ),
        sa.Column("name", sa.Text(), nullable=False, comment="The name without options."),
        sa.Column("configuration", sa.Text(), nullable=False, comment="The name with every option, defaults included."),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("kind", "configuration"),
        comment="Who plays; equal configurations are one row.",
    )
    op.create_index(op.f("ix_agents_name"), "agents", ["name"], unique=False)
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), nullable=False, comment="Number."),
        sa.Column("began", sa.DateTime(), nullable=False, comment="When it was begun."),
        sa.Column("finished", sa.DateTime(), nullable=True, comment="When nothing was left to play."),
        sa.Column("lastcard", sa.String(length=40), nullable=False, comment="The version of lastcard that began it."),
        sa.Column("rules", sa.Text(), nullable=False, comment="Rules, in their shortest form."),
        sa.Column("players", sa.Integer(), nullable=False, comment="Number of seats."),
        sa.Column("seed", sa.String(length=80), nullable=False, comment="Fixes every result."),
        sa.Column("tournament", sa.Text(), nullable=False, comment="Everything that fixes the results, as JSON."),
        sa.PrimaryKeyConstraint("id"),
        comment="Matches of `lastcard arena --store`.",
    )
    op.create_table(
        "store",
        sa.Column(
            "version", sa.Integer(), autoincrement=False, nullable=False, comment="Version of the schema; one row."
        ),
        sa.Column("created", sa.DateTime(), nullable=False, comment="When the store was made."),
        sa.Column("lastcard", sa.String(length=40), nullable=False, comment="The version of lastcard that made it."),
        sa.PrimaryKeyConstraint("version"),
        comment="Identity of the database.",
    )
    op.create_table(
        "chunks",
        sa.Column("match_id", sa.Integer(), nullable=False, comment="The match."),
        sa.Column("pairing", sa.Integer(), autoincrement=False, nullable=False, comment="The pairing's number in it."),
        sa.Column(
            "number", sa.Integer(), autoincrement=False, nullable=False, comment="The chunk's number in the pairing."
        ),
        sa.Column("result", sa.Text(), nullable=False, comment="Results of the deals, as a line of `--out`."),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.id"],
        ),
        sa.PrimaryKeyConstraint("match_id", "pairing", "number"),
        comment="Finished parts of a match; one is stored whole, with its games, and once.",
    )
    op.create_table(
        "match_agents",
        sa.Column("match_id", sa.Integer(), nullable=False, comment="The match."),
        sa.Column(
            "number", sa.Integer(), autoincrement=False, nullable=False, comment="The agent's number in it, from 0."
        ),
        sa.Column("agent_id", sa.Integer(), nullable=False, comment="Who that is."),
        sa.Column("name", sa.Text(), nullable=False, comment="As it was asked for."),
        sa.Column(
            "rating", sa.Float(), nullable=True, comment="On the scale of Elo around 1500, from this match alone."
        ),
        sa.Column("rating_error", sa.Float(), nullable=True, comment="Half the width of its 95 % interval."),
        sa.ForeignKeyConstraint(
            ["agent_id"],
            ["agents.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.id"],
        ),
        sa.PrimaryKeyConstraint("match_id", "number"),
        comment="Agents of a match, with their ratings.",
    )
    op.create_index(op.f("ix_match_agents_agent_id"), "match_agents", ["agent_id"], unique=False)
    op.create_table(
        "games",
        sa.Column("id", sa.Integer(), nullable=False, comment="Number."),
        sa.Column(
            "key",
            sa.String(length=200),
            nullable=True,
            comment="A name of the caller's choice; a retry finds the game by it.",
        ),
        sa.Column("match_id", sa.Integer(), nullable=True, comment="The match it belongs to, if any."),
        sa.Column("pairing", sa.Integer(), nullable=True, comment="With `chunk`, where in the match."),
        sa.Column("chunk", sa.Integer(), nullable=True, comment="With `pairing`, where in the match."),
        sa.Column(
            "began", sa.DateTime(), nullable=False, comment="When it was begun; of a whole record, when it was added."
        ),
        sa.Column("finished", sa.DateTime(), nullable=True, comment="Nothing while it is played."),
        sa.Column("rules", sa.Text(), nullable=False, comment="Rules, in their shortest form."),
        sa.Column("players", sa.Integer(), nullable=False, comment="Number of seats."),
        sa.Column("seed", sa.String(length=80), nullable=True, comment="The table's seed, unless it is withheld."),
        sa.Column("winner", sa.Integer(), nullable=True, comment="The seat that won, if one did."),
        sa.Column("rounds", sa.Integer(), nullable=False, comment="How many rounds; 0 while it is played."),
        sa.Column("plies", sa.Integer(), nullable=False, comment="How many plies in all rounds; 0 while it is played."),
        sa.Column("record", sa.Text(), nullable=True, comment="The record as text; nothing while it is played."),
        sa.ForeignKeyConstraint(
            ["match_id", "pairing", "chunk"],
            ["chunks.match_id", "chunks.pairing", "chunks.number"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
        comment="Single rounds and games of many; those played inside the core are only counted, in `chunks`.",
    )
    op.create_index("games_of_chunk", "games", ["match_id", "pairing", "chunk"], unique=False)
    op.create_index(op.f("ix_games_finished"), "games", ["finished"], unique=False)
    op.create_index(op.f("ix_games_rules"), "games", ["rules"], unique=False)
    op.create_table(
        "actions",
        sa.Column("game_id", sa.Integer(), nullable=False, comment="The game."),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False, comment="The round's number."),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False, comment="Place in the round, from 1."),
        sa.Column("seat", sa.Integer(), nullable=False, comment="The seat that acted."),
        sa.Column("action", sa.String(length=20), nullable=False, comment="The action, in notation."),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "round", "number"),
        comment="Every action, of games in progress as well.",
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rounds",
        sa.Column("game_id", sa.Integer(), nullable=False, comment="The game, once it is finished."),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False, comment="The round's number."),
        sa.Column("dealer", sa.Integer(), nullable=False, comment="Seat of the dealer."),
        sa.Column("winner", sa.Integer(), nullable=True, comment="The seat that won the round, if one did."),
        sa.Column(
            "ending",
            sa.String(length=20),
            nullable=True,
            comment="How it ended, as in a record's `Result`; nothing if it was broken off.",
        ),
        sa.Column(
            "points", sa.String(length=120), nullable=True, comment="Points scored by each seat, with spaces between."
        ),
        sa.Column("plies", sa.Integer(), nullable=False, comment="How many plies."),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "number"),
        comment="The rounds of finished games.",
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seats",
        sa.Column("game_id", sa.Integer(), nullable=False, comment="The game."),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False, comment="The seat, from 0."),
        sa.Column("agent_id", sa.Integer(), nullable=False, comment="Who sat there."),
        sa.Column("name", sa.Text(), nullable=False, comment="As the record names it."),
        sa.Column("points", sa.Integer(), nullable=False, comment="The score at the end; 0 while the game is played."),
        sa.ForeignKeyConstraint(
            ["agent_id"],
            ["agents.id"],
        ),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "seat"),
        comment="Who sat where.",
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_seats_agent_id"), "seats", ["agent_id"], unique=False)
    op.create_table(
        "sittings",
        sa.Column("game_id", sa.Integer(), nullable=False, comment="The game, which has a `key`."),
        sa.Column("seat", sa.Integer(), nullable=False, comment="The seat of the person who began it."),
        sa.Column("token_hash", sa.String(length=64), nullable=False, comment="SHA-256 of the person's token."),
        sa.Column("round", sa.Integer(), nullable=False, comment="The round dealt last; 0 while people gather."),
        sa.Column("settings", sa.Text(), nullable=False, comment="Settings of the request, as JSON."),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game_id"),
        comment="Games that people play on a server.",
    )
