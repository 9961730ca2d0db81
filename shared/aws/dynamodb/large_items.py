"""Values larger than a DynamoDB item: compressed, then split, then written so that a reader never sees half.

    pk = <key>     sk = head               `packed` (when it fits), or `parts` and their `generation`
    pk = <key>     sk = <generation>#<n>   one part
    pk = <alias>   sk = head               `at` = the key whose value this is another name for

The parts are written before the heads that name them, and a generation is a hash of the contents: a reader gets the
old value or the new one whole, or nothing. A value is read with one request for its head and at most one for the rest.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shared.aws.dynamodb.batches import put_batches, read_batches
from shared.canonical_json import digest

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import DynamoDBServiceResource

# DynamoDB takes 400 kB an item, names and all.
PART_BYTES = 350_000

Head = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Stored:
    """A value and when it was stored, in the unit that its writer used."""

    data: bytes
    stored_at: int


class LargeItems:
    """Bytes by key, with an end of life in epoch seconds. Raises TableBusy and botocore's errors."""

    def __init__(self, dynamodb: DynamoDBServiceResource, table_name: str) -> None:
        self.table = dynamodb.Table(table_name)

    def put(
        self, key: str, data: bytes, *, stored_at: int, expires_at: int, alias: tuple[str, int] | None = None
    ) -> None:
        """Write a value, heads last; `alias` is another name for it and the end of that name's life."""
        head, parts = _packed(key, data)
        life = {"stored_at": stored_at, "expires_at": expires_at}
        put_batches(self.table, [{**part, **life} for part in parts])
        heads = [{**head, **life}]
        if alias:
            name, until = alias
            named: dict[str, Any] = {field: head[field] for field in ("generation", "parts") if field in head}
            heads.append({"pk": name, "sk": "head", "at": key, **named, "stored_at": stored_at, "expires_at": until})
        put_batches(self.table, heads)

    def get(self, keys: Sequence[str], *, now: int) -> dict[str, Stored]:
        """The values that are whole and alive, by the keys asked."""
        return self.values(self.heads(keys).values(), now=now)

    def heads(self, keys: Sequence[str]) -> dict[str, Head]:
        """The heads there are, alive or not: they may tell more than their value."""
        return {str(head["pk"]): head for head in read_batches(self.table, ((key, "head") for key in keys))}

    def values(self, heads: Iterable[Head], *, now: int) -> dict[str, Stored]:
        """The values of heads that are whole and alive; DynamoDB may keep an expired item for days."""
        alive = [head for head in heads if int(head["expires_at"]) > now]
        items = read_batches(self.table, (key for it in alive for key in _rest(it)))
        rest = {(str(item["pk"]), str(item["sk"])): item for item in items}
        found = {}
        for head in alive:
            data = _unpacked(head, rest)
            if data is not None:
                found[str(head["pk"])] = Stored(data, int(head["stored_at"]))
        return found


def _packed(key: str, data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    packed = zlib.compress(data, 6)
    if len(packed) <= PART_BYTES:
        return {"pk": key, "sk": "head", "packed": packed}, []
    generation = digest(packed, 16)
    pieces = [packed[start : start + PART_BYTES] for start in range(0, len(packed), PART_BYTES)]
    parts = [{"pk": key, "sk": f"{generation}#{number}", "packed": piece} for number, piece in enumerate(pieces)]
    return {"pk": key, "sk": "head", "generation": generation, "parts": len(pieces)}, parts


def _rest(head: Head) -> list[tuple[str, str]]:
    """What must be read beside the head."""
    where = str(head.get("at", head["pk"]))
    if "parts" in head:
        return [(where, f"{head['generation']}#{number}") for number in range(int(head["parts"]))]
    return [(where, "head")] if "at" in head else []


def _unpacked(head: Head, rest: Mapping[tuple[str, str], Head]) -> bytes | None:
    pieces = [rest.get(key, {}).get("packed") for key in _rest(head)] or [head.get("packed")]
    if any(piece is None for piece in pieces):
        return None
    return zlib.decompress(b"".join(bytes(piece) for piece in pieces))  # type: ignore[arg-type]
