"""The messages of the delivery queue: which events of a saved search go to which channel.

A message holds event numbers only; the deliverer reads events and secrets from the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from shared.canonical_json import chunked, json_bytes
from shared.delivery.settings import DeliverySettings, Subscription
from shared.errors import MessageRefused

if TYPE_CHECKING:
    from shared.answers.saved_searches import Event

Channel = Literal["webhook", "sns"]
EVENTS_A_DELIVERY = 50
TOPIC_BYTES = 200_000  # SNS accepts 256 kB, including JSON escapes and the envelope


class DeliveryMessage(TypedDict):
    """A message of the delivery queue, in JSON."""

    owner: str
    search_id: str
    first: int
    last: int
    channel: Channel


@dataclass(frozen=True, slots=True)
class Delivery:
    """Events of a saved search, by their numbers (both inclusive), and the channel to deliver them to."""

    owner: str
    search_id: str
    first: int
    last: int
    channel: Channel

    @property
    def id(self) -> str:
        """The delivery's id, the same on every attempt, so that a receiver can detect duplicates."""
        return f"{self.search_id}-{self.first:08d}-{self.last:08d}"

    @property
    def size(self) -> int:
        """The number of event numbers in the range."""
        return self.last - self.first + 1


def deliveries(saved: Subscription, above: int, last: int) -> Iterator[Delivery]:
    """Divide the events numbered above `above`, up to `last`, into one delivery per fifty events and active channel."""
    settings = saved["delivery"]
    channels: list[Channel] = ["sns"] if settings["sns"] else []
    if settings["webhook"] and settings["webhook"].get("status") != "disabled":
        channels.append("webhook")
    for first in range(above + 1, last + 1, EVENTS_A_DELIVERY):
        for channel in channels:
            until = min(first + EVENTS_A_DELIVERY - 1, last)
            yield Delivery(saved["owner"], saved["id"], first, until, channel)


def to_message(delivery: Delivery) -> DeliveryMessage:
    """Convert the delivery to JSON-ready data."""
    return {
        "owner": delivery.owner,
        "search_id": delivery.search_id,
        "first": delivery.first,
        "last": delivery.last,
        "channel": delivery.channel,
    }


def read_delivery(data: object) -> Delivery:
    """Validate a parsed message and return its delivery. Raises MessageRefused for any other JSON."""
    fields = tuple(DeliveryMessage.__annotations__)
    if not isinstance(data, dict) or data.keys() != set(fields):
        raise MessageRefused(f"not a delivery message: it must have the fields {', '.join(fields)}")
    delivery = Delivery(**data)
    texts, numbers = (delivery.owner, delivery.search_id), (delivery.first, delivery.last)
    if not all(isinstance(it, str) for it in texts) or not all(type(it) is int for it in numbers):
        raise MessageRefused("in a delivery message, owner and search_id are texts, first and last are integers")
    in_range = 0 < delivery.first <= delivery.last < delivery.first + EVENTS_A_DELIVERY
    if delivery.channel not in get_args(Channel) or not in_range:
        raise MessageRefused("a delivery message has an unknown channel, or an invalid range of events")
    return delivery


def delivered_by_default(settings: DeliverySettings, kind: str) -> bool:
    """Return whether events of this type are delivered when no types are requested."""
    return kind != "baseline" or settings["baseline"]


def chunk_by_bytes(events: Sequence[Event]) -> Iterator[list[Event]]:
    """Divide the events into chunks that fit into an SNS message; a single event always fits."""
    return chunked(events, lambda event: (json_bytes(event, ensure_ascii=False),), (TOPIC_BYTES,))
