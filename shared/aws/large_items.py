"""Values larger than a DynamoDB item: compressed, then split, then written so that a reader never sees half.

    pk = <key>   sk = head               data (when it fits), or `parts` and their `generation`
    pk = <key>   sk = <generation>#<n>   one part

The parts are written before the head that names them, and a generation is a hash of the contents: a reader gets the
old value or the new one whole, or nothing.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import DynamoDBServiceResource

# DynamoDB takes 400 kB an item, names and all.
PART_BYTES = 350_000
KEYS_IN_A_BATCH = 100


@dataclass(frozen=True, slots=True)
class Stored:
    """A value and when it was stored (epoch seconds)."""

    data: bytes
    stored_at: int


class LargeItems:
    """Bytes by key, with an end of life."""

    def __init__(self, dynamodb: DynamoDBServiceResource, table_name: str) -> None:
        self._dynamodb = dynamodb
        self._table = dynamodb.Table(table_name)

    def put(self, values: Mapping[str, bytes], *, stored_at: int, expires_at: Mapping[str, int]) -> None:
        """Write each value; the heads last."""
        heads = []
        with self._table.batch_writer() as writer:
            for key, data in values.items():
                head, parts = _packed(key, data)
                life = {"stored_at": stored_at, "expires_at": expires_at[key]}
                heads.append({**head, **life})
                for part in parts:
                    writer.put_item(Item={**part, **life})
        with self._table.batch_writer() as writer:
            for head in heads:
                writer.put_item(Item=head)

    def get(self, keys: Sequence[str], *, now: int) -> dict[str, Stored]:
        """The values that are whole and alive; DynamoDB may keep an expired item for days."""
        heads = [head for head in self._read((key, "head") for key in keys) if int(head["expires_at"]) > now]
        wanted = [
            (str(head["pk"]), f"{head['generation']}#{number}")
            for head in heads
            for number in range(int(head.get("parts", 0)))
        ]
        parts = {(str(item["pk"]), str(item["sk"])): bytes(item["data"]) for item in self._read(wanted)}
        found = {}
        for head in heads:
            data = _unpacked(head, parts)
            if data is not None:
                found[str(head["pk"])] = Stored(data, int(head["stored_at"]))
        return found

    def _read(self, keys: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
        waiting: list[Any] = [{"pk": pk, "sk": sk} for pk, sk in dict.fromkeys(keys)]
        found: list[dict[str, Any]] = []
        while waiting:
            asked, waiting = waiting[:KEYS_IN_A_BATCH], waiting[KEYS_IN_A_BATCH:]
            answer: Any = self._dynamodb.batch_get_item(RequestItems={self._table.name: {"Keys": asked}})
            found += answer["Responses"].get(self._table.name, [])
            waiting += answer["UnprocessedKeys"].get(self._table.name, {}).get("Keys", [])
        return found


def _packed(key: str, data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    packed = zlib.compress(data, 6)
    if len(packed) <= PART_BYTES:
        return {"pk": key, "sk": "head", "data": packed}, []
    generation = hashlib.sha256(packed).hexdigest()[:16]
    pieces = [packed[start : start + PART_BYTES] for start in range(0, len(packed), PART_BYTES)]
    parts = [{"pk": key, "sk": f"{generation}#{number}", "data": piece} for number, piece in enumerate(pieces)]
    return {"pk": key, "sk": "head", "generation": generation, "parts": len(pieces)}, parts


def _unpacked(head: Mapping[str, Any], parts: Mapping[tuple[str, str], bytes]) -> bytes | None:
    if "data" in head:
        return zlib.decompress(bytes(head["data"]))
    names = [(str(head["pk"]), f"{head['generation']}#{number}") for number in range(int(head["parts"]))]
    if not all(name in parts for name in names):
        return None
    return zlib.decompress(b"".join(parts[name] for name in names))
