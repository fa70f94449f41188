"""Add the tables of friends and studies."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Takes a store to version 2."""
    op.create_table(
        "analyses",
        sa.Column("game_id", sa.Integer(), nullable=False, comment="The game, which is finished."),
        sa.Column(
            "analyst", sa.String(length=500), nullable=False, comment="Who judged, with every option and the seed."
        ),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False, comment="The round's number."),
        sa.Column("result", sa.Text(), nullable=False, comment="As in `rounds` of `lastcard analyse --json`."),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "analyst", "round"),
        comment="Value of every decision of a round.",
    )
    op.create_table(
        "branches",
        sa.Column("game_id", sa.Integer(), nullable=False, comment="The game, a sitting of one round."),
        sa.Column(
            "record", sa.Text(), nullable=False, comment="The round as far as it was played elsewhere, as a record."
        ),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game_id"),
        comment="Games that continue from a ply of another game.",
    )
    op.create_table(
        "imports",
        sa.Column("game_id", sa.Integer(), nullable=False, comment="The game, which has a `key`."),
        sa.Column("token_hash", sa.String(length=64), nullable=False, comment="SHA-256 of the token that deletes it."),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game_id"),
        comment="Records that were uploaded to a server.",
    )
    op.create_table(
        "holders",
        sa.Column("game_id", sa.Integer(), nullable=False, comment="The game."),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False, comment="The seat that was taken."),
        sa.Column("token_hash", sa.String(length=64), nullable=False, comment="SHA-256 of the person's token."),
        sa.Column("name", sa.Text(), nullable=False, comment="The person's name."),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["sittings.game_id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "seat"),
        comment="People who came to a game by its link.",
        sqlite_with_rowid=False,
    )
