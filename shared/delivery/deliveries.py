"""What is handed to the deliverer: which events go where. Small messages; events and secrets stay at home."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from shared.canonical_json import chunked, json_bytes
from shared.errors import MessageRefused

Channel = Literal["webhook", "sns"]
EVENTS_A_DELIVERY = 50
TOPIC_BYTES = 200_000  # SNS takes 256 kB, of which JSON's escapes and the envelope have their part


@dataclass(frozen=True, slots=True)
class Delivery:
    """Events of a saved search, by their numbers (both inclusive), on their way to a webhook or to the topic."""

    owner: str
    search_id: str
    first: int
    last: int
    channel: Channel

    @property
    def id(self) -> str:
        """The same for every attempt, so that a receiver knows what it has had."""
        return f"{self.search_id}-{self.first:08d}-{self.last:08d}"

    @property
    def size(self) -> int:
        """How many numbers it spans."""
        return self.last - self.first + 1


def deliveries(saved: Mapping[str, Any], above: int, last: int) -> Iterator[Delivery]:
    """The events above this number up to the last, for each place that they shall go to."""
    wanted: list[Channel] = ["sns"] if saved["delivery"]["sns"] else []
    if saved["delivery"]["webhook"] and saved["delivery"]["webhook"].get("status") != "disabled":
        wanted.append("webhook")
    for first in range(above + 1, last + 1, EVENTS_A_DELIVERY):
        for channel in wanted:
            until = min(first + EVENTS_A_DELIVERY - 1, last)
            yield Delivery(saved["owner"], saved["id"], first, until, channel)


def to_message(delivery: Delivery) -> dict[str, Any]:
    """The delivery as JSON-ready data."""
    return asdict(delivery)


def read_delivery(data: Any) -> Delivery:
    """What `to_message` wrote. Raises MessageRefused for anything else."""
    try:
        found = Delivery(**data)
    except TypeError as error:
        raise MessageRefused("not a delivery of ours") from error
    texts, numbers = (found.owner, found.search_id), (found.first, found.last)
    if not all(isinstance(it, str) for it in texts) or not all(type(it) is int for it in numbers):
        raise MessageRefused("a delivery of ours has texts and whole numbers")
    if found.channel not in get_args(Channel) or not 0 < found.first <= found.last < found.first + EVENTS_A_DELIVERY:
        raise MessageRefused("no such channel, or not these events")
    return found


def told_unasked(saved: Mapping[str, Any], kind: str) -> bool:
    """Whether events of this type are told where nobody names types: the baseline only where its delivery has it."""
    return bool(kind != "baseline" or saved["delivery"]["baseline"])


def in_sizes(events: Sequence[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    """The events in parts that a topic takes; one event is far smaller than that."""
    return chunked(events, lambda event: (json_bytes(event, ensure_ascii=False),), (TOPIC_BYTES,))
