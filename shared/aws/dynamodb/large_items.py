"""Values larger than a DynamoDB item: compressed, and written so that a reader never sees an incomplete one.

    pk = <key>     sk = head               `packed` (when it is small), or where the value is:
                                           `file` of a bucket, or without a bucket `parts` and their `generation`
    pk = <key>     sk = <generation>#<n>   one part
    pk = <alias>   sk = head               `at` = the key of the value that this is an alias of; `complete`; `first`,
                                           if its beginning is kept here

Files and parts are written before the heads that refer to them, and named by a digest of the content: a reader gets
the old value or the new one, or nothing. Reading takes one request for the head and at most one for the rest, or one
for each file at the same time. With a bucket, heads are small whatever the value: changing one costs a write unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.aws.dynamodb.batches import Item, ReadOptions, put_batches, read_batches
from shared.aws.dynamodb.errors import try_write
from shared.canonical_json import digest
from shared.compression import Damaged, compressed, decompressed

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import DynamoDBServiceResource

    from shared.aws.s3.files import Files

# DynamoDB's limit is 400 kB per item, with its attribute names.
PART_BYTES = 350_000
# With a bucket, a value up to this size is in its head: a file costs as much as writing 8 kB, and as reading 26 kB.
INLINE_BYTES = 3_000
# The condition that no item is in the way: DynamoDB deletes an expired one days later.
ABSENT = "attribute_not_exists(pk) OR expires_at <= :now"
VALUE_ATTRIBUTES = ("packed", "generation", "parts", "file")  # the attributes of a head that are its value


@dataclass(frozen=True, slots=True)
class Alias:
    """Another key of a value; times are epoch seconds.

    An alias of an incomplete value does not replace one of a complete value that has not expired.
    """

    key: str
    written_at: int
    expires_at: int
    complete: bool = True
    first: bytes | None = None  # what most readers need of the value, in a form of their own


@dataclass(frozen=True, slots=True)
class Stored:
    """A value and when it was stored, in the unit of its writer."""

    data: bytes
    stored_at: int


class LargeItems:
    """Bytes by key, with an expiry in epoch seconds. Methods raise TableBusy and botocore's errors."""

    def __init__(self, dynamodb: DynamoDBServiceResource, table_name: str, files: Files | None = None) -> None:
        self.table, self._files = dynamodb.Table(table_name), files

    def put(self, key: str, data: bytes, *, stored_at: int, expires_at: int, alias: Alias | None = None) -> None:
        """Write a value, heads last, under its key and its alias."""
        self.put_packed(key, compressed(data), stored_at=stored_at, expires_at=expires_at, alias=alias)

    def put_packed(
        self, key: str, packed: bytes, *, stored_at: int, expires_at: int, alias: Alias | None = None
    ) -> None:
        """Write a value that is compressed already."""
        head, parts = self._divided(key, packed)
        times = {"stored_at": stored_at, "expires_at": expires_at}
        put_batches(self.table, [{**part, **times} for part in parts])
        heads: list[Item] = [{**head, **times}]
        if alias:
            parts_of: Item = {field: head[field] for field in ("generation", "parts", "file") if field in head}
            of_alias: Item = {"pk": alias.key, "sk": "head", "at": key, **parts_of, "complete": alias.complete}
            first: Item = {"first": alias.first} if alias.first else {}
            heads.append({**of_alias, **first, "stored_at": stored_at, "expires_at": alias.expires_at})
        if alias and not alias.complete:
            put_batches(self.table, heads[:1])
            self._put_unless_complete(heads[1], alias.written_at)
        else:
            put_batches(self.table, heads)

    def put_if(
        self, key: str, data: bytes, condition: str, values: Mapping[str, int | bool], *, stored_at: int, **head: int
    ) -> bool:
        """Write a value if the condition holds for the head that is stored under its key; False if it does not.

        `head` has further attributes of the new head, `expires_at` among them.
        """
        packed, parts = self._divided(key, compressed(data))
        put_batches(self.table, [{**part, "stored_at": stored_at, "expires_at": head["expires_at"]} for part in parts])
        item = {**packed, "stored_at": stored_at, **head}
        return try_write(
            self.table.put_item, Item=item, ConditionExpression=condition, ExpressionAttributeValues=values
        )

    def _put_unless_complete(self, head: Item, now: int) -> None:
        try_write(
            self.table.put_item,
            Item=head,
            ConditionExpression=f"{ABSENT} OR complete = :incomplete",
            ExpressionAttributeValues={":now": now, ":incomplete": False},
        )

    def get(self, keys: Sequence[str], *, now: int) -> dict[str, Stored]:
        """The complete, unexpired values among these keys."""
        return self.values(self.heads(keys).values(), now=now)

    def heads(self, keys: Sequence[str], attributes: Sequence[str] = ()) -> dict[str, Item]:
        """The heads that exist, expired or not: they may have attributes besides their value. Only these, if named."""
        options: ReadOptions = {"ProjectionExpression": ", ".join(("pk", *attributes))} if attributes else {}
        heads = read_batches(self.table, ((key, "head") for key in keys), options=options)
        return {str(head["pk"]): head for head in heads}

    def values(self, heads: Iterable[Item], *, now: int) -> dict[str, Stored]:
        """The complete, unexpired values of these heads; DynamoDB may delete an expired item days later."""
        unexpired = [head for head in heads if int(head["expires_at"]) > now]
        items = read_batches(self.table, (key for it in unexpired for key in _rest(it)))
        rest = {(str(item["pk"]), str(item["sk"])): item for item in items}
        names = list(dict.fromkeys(str(head["file"]) for head in unexpired if "file" in head))
        files = self._files.read(names) if self._files and names else {}
        values = {}
        for head in unexpired:
            data = files.get(str(head["file"])) if "file" in head else _joined(head, rest)
            if data is not None:
                with suppress(Damaged):  # a damaged value counts as absent
                    values[str(head["pk"])] = Stored(decompressed(data), int(head["stored_at"]))
        return values

    def _divided(self, key: str, packed: bytes) -> tuple[Item, list[Item]]:
        """The head of a value, and its parts; its file is written."""
        if self._files is None or len(packed) <= INLINE_BYTES:
            return _parts(key, packed)
        name = file_name(key, packed)
        self._files.put(name, packed)
        return {"pk": key, "sk": "head", "file": name}, []


def file_name(key: str, packed: bytes) -> str:
    """Where the value of a key is in the bucket."""
    return f"{key.replace('#', '/')}/{digest(packed, 16)}"


def _parts(key: str, packed: bytes) -> tuple[Item, list[Item]]:
    if len(packed) <= PART_BYTES:
        return {"pk": key, "sk": "head", "packed": packed}, []
    generation = digest(packed, 16)
    pieces = [packed[start : start + PART_BYTES] for start in range(0, len(packed), PART_BYTES)]
    parts: list[Item] = [
        {"pk": key, "sk": f"{generation}#{number}", "packed": piece} for number, piece in enumerate(pieces)
    ]
    return {"pk": key, "sk": "head", "generation": generation, "parts": len(pieces)}, parts


def _rest(head: Item) -> list[tuple[str, str]]:
    """The keys of the other items of the value."""
    if "file" in head:
        return []
    where = str(head.get("at", head["pk"]))
    if "parts" in head:
        return [(where, f"{head['generation']}#{number}") for number in range(int(head["parts"]))]
    return [(where, "head")] if "at" in head else []


def _joined(head: Item, rest: Mapping[tuple[str, str], Item]) -> bytes | None:
    pieces = [rest.get(key, {}).get("packed") for key in _rest(head)] or [head.get("packed")]
    if any(piece is None for piece in pieces):
        return None
    return b"".join(bytes(piece) for piece in pieces)  # type: ignore[arg-type]
