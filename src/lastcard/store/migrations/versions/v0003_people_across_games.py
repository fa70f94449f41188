"""Add seats given up, personal links and people who wait."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Takes a store to version 3."""
    op.create_table(
        "links",
        sa.Column("link_hash", sa.String(length=64), nullable=False, comment="SHA-256 of the secret in the link."),
        sa.Column("expires", sa.DateTime(), nullable=False, comment="When it stops working."),
        sa.PrimaryKeyConstraint("link_hash"),
        comment="Personal links that were not used yet.",
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_links_expires"), "links", ["expires"], unique=False)

    op.create_table(
        "further_tokens",
        sa.Column("token_hash", sa.String(length=64), nullable=False, comment="SHA-256 of the token."),
        sa.Column("game_id", sa.Integer(), nullable=False, comment="The game."),
        sa.Column("seat", sa.Integer(), nullable=True, comment="The seat; nothing for a record that was uploaded."),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("token_hash"),
        comment="Tokens of the same seats on other devices, made by personal links.",
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_further_tokens_game_id"), "further_tokens", ["game_id"], unique=False)

    op.create_table(
        "link_seats",
        sa.Column("link_hash", sa.String(length=64), nullable=False, comment="The link."),
        sa.Column("game_id", sa.Integer(), nullable=False, comment="A game that it carries."),
        sa.Column("seat", sa.Integer(), nullable=True, comment="The seat; nothing for a record that was uploaded."),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["games.id"],
        ),
        sa.ForeignKeyConstraint(
            ["link_hash"],
            ["links.link_hash"],
        ),
        sa.PrimaryKeyConstraint("link_hash", "game_id"),
        comment="Seats that personal links carry.",
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_link_seats_game_id"), "link_seats", ["game_id"], unique=False)

    op.create_table(
        "waiting",
        sa.Column("id", sa.Integer(), nullable=False, comment="Number; the smallest has waited longest."),
        sa.Column(
            "token_hash", sa.String(length=64), nullable=False, comment="SHA-256 of the token that will hold a seat."
        ),
        sa.Column("kind", sa.String(length=200), nullable=False, comment="The game wanted, as JSON; equal ones meet."),
        sa.Column("level", sa.String(length=40), nullable=False, comment="The level of agents that fill in."),
        sa.Column("name", sa.Text(), nullable=False, comment="The person's name, which the server made up."),
        sa.Column("fills", sa.DateTime(), nullable=False, comment="When agents take the seats that are still free."),
        sa.Column(
            "expires", sa.DateTime(), nullable=False, comment="When it no longer counts, unless the person asks again."
        ),
        sa.Column("game_id", sa.Integer(), nullable=True, comment="The game, once one was found."),
        sa.Column("seat", sa.Integer(), nullable=True, comment="The seat in it."),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token_hash"),
        comment="People who wait for others to play with.",
    )
    op.create_index(op.f("ix_waiting_game_id"), "waiting", ["game_id"], unique=False)
    op.create_index(op.f("ix_waiting_kind"), "waiting", ["kind"], unique=False)

    op.create_table(
        "departures",
        sa.Column("game_id", sa.Integer(), nullable=False, comment="The game."),
        sa.Column(
            "token_hash", sa.String(length=64), nullable=False, comment="SHA-256 of the token that held the seat."
        ),
        sa.Column("seat", sa.Integer(), nullable=False, comment="The seat."),
        sa.Column(
            "how",
            sa.String(length=10),
            nullable=False,
            comment="`left`: others may take the seat; `resigned`: an agent has it.",
        ),
        sa.Column("at", sa.DateTime(), nullable=False, comment="When that was."),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["sittings.game_id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "token_hash"),
        comment="Seats that people have given up.",
        sqlite_with_rowid=False,
    )
