"""Messages over the socket, in both directions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter
from typing_extensions import TypeAliasType

from lastcard.web.contract.base import (
    ActionText,
    Input,
    MessageId,
    Name,
    Output,
    Ply,
    Problem,
    Reaction,
)
from lastcard.web.contract.view import View


class Join(Input):
    """The first message: the game, and a token for it."""

    type: Literal["join"]
    game: Name
    token: Name
    since: Ply = 0


class Act(Input):
    """An action."""

    type: Literal["act"]
    id: MessageId
    ply: Ply
    action: ActionText


class Next(Input):
    """The next round of a game."""

    type: Literal["next"]


class Back(Input):
    """The person is back."""

    type: Literal["back"]


class Delegate(Input):
    """An agent is to play for the person, who stays and watches."""

    type: Literal["delegate"]


class React(Input):
    """A reaction of the person, for everyone at the table."""

    type: Literal["react"]
    reaction: Reaction


class Ping(Input):
    """A sign of life."""

    type: Literal["ping"]


class ViewMessage(Output):
    """The table as it is now, with the events since the last view."""

    type: Literal["view"]
    view: View


class Ack(Output):
    """An action that is stored."""

    type: Literal["ack"]
    id: MessageId
    ply: int


class Refused(Output):
    """A message that was refused."""

    type: Literal["refused"]
    id: MessageId | None
    error: Problem


class ReactionMessage(Output):
    """A reaction of a person at the table."""

    type: Literal["reaction"]
    seat: int
    reaction: Reaction


class Pong(Output):
    """The answer to a ping."""

    type: Literal["pong"]


class ErrorMessage(Output):
    """Reason for closing the connection."""

    type: Literal["error"]
    error: Problem


ClientMessage = TypeAliasType(
    "ClientMessage",
    Annotated[Join | Act | Next | Back | Delegate | React | Ping, Field(discriminator="type")],
)
ServerMessage = TypeAliasType(
    "ServerMessage",
    Annotated[
        ViewMessage | Ack | Refused | ReactionMessage | Pong | ErrorMessage,
        Field(discriminator="type"),
    ],
)
Message = Join | Act | Next | Back | Delegate | React | Ping
MESSAGES: TypeAdapter[Message] = TypeAdapter(ClientMessage)
