"""Add processes that serve the store together, and the games that each of them owns."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Takes a store to version 4."""
    op.create_table(
        "processes",
        sa.Column(
            "id", sa.Integer(), nullable=False, comment="Number, never used again: the fencing token of its leases."
        ),
        sa.Column("address", sa.Text(), nullable=False, comment="Host and port at which the other processes reach it."),
        sa.Column(
            "secret", sa.String(length=64), nullable=False, comment="What they have to know to be answered there."
        ),
        sa.Column(
            "expires", sa.DateTime(), nullable=False, comment="When it counts as dead, by the clock of the database."
        ),
        sa.Column(
            "usage",
            sa.Text(),
            nullable=False,
            comment="How much its busiest users have taken of their limits, as JSON.",
        ),
        sa.PrimaryKeyConstraint("id"),
        comment="Processes that serve the store together, in PostgreSQL.",
    )

    op.create_table(
        "leases",
        sa.Column("game_id", sa.Integer(), nullable=False, comment="The game."),
        sa.Column(
            "process_id",
            sa.Integer(),
            nullable=False,
            comment="The process that has it in memory: no other may write it.",
        ),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["games.id"],
        ),
        sa.ForeignKeyConstraint(["process_id"], ["processes.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id"),
        comment="Owners of games, in PostgreSQL; a lease ends with its process.",
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_leases_process_id"), "leases", ["process_id"], unique=False)
