"""The items of the papers table: their keys and attributes. Pure.

    pk = paper#<canonical key>  sk = paper                        newest state, first_seen, ids, providers
    pk = alias#<id>             sk = alias                        every canonical key that was seen with this id
    pk = paper#<canonical key>  sk = references#<provider> <digest>   a list of cited ids that a provider states, packed
    pk = citing#<digits>        sk = segment#<digest>       edges by cited id, packed (`citing_tree`): who cites it
    pk = citing#<digits>        sk = split                  there are nodes below this one
    pk = cited#<target>         sk = paper#<canonical key> <provider> one such edge, of an id that very many cite
    pk = paper#<canonical key>  sk = in_text#<target>             the sentences in which it cites the target, what for
    pk = context#<type>#<id>    sk = <at> <relation> <position> <target> <digest>    one mention, with by and text
    pk = context#<type>#<id>    sk = owner                        the tenant that owns it, and whether it is shared

Index by_target (hash key `target`, range key `source`): the mentions of an id by time. Under papers#<0-f> it lists the
papers themselves. In-text citations have no `source`: they are not in it.

Before packed lists, every edge was an item with a copy in the index, `EdgeId.old_key`; before the tree, every edge was
an item of the cited id. Such edges are still read.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import Literal, NamedTuple, TypedDict

from shared.compression import decompressed, smallest
from shared.graph.identity import StoredIds

Key = tuple[str, str]  # pk and sk
Relation = Literal["cited_in", "shown_in"]
NO_POSITION = "-"
OWNER = "owner"
EDGE, REFERENCES, CITED = "cites#", "references#", "cited#"
CITING, SEGMENT, SPLIT = "citing#", "segment#", "split"
# The partitions of the index that list all papers: sixteen, so that no partition takes every write.
SHARDS = tuple(f"papers#{number:x}" for number in range(16))
# Attributes to request from the table: for the key alone, the identity of papers, their states, owners, the counts.
KEY_ATTRIBUTES = ("pk", "sk")
IDENTITY_ATTRIBUTES = ("pk", "sk", "ids", "providers", "homes")
STATE_ATTRIBUTES = ("pk", "sk", "seen_at", "digest", "first_seen", "paper", "retraction")
OWNER_ATTRIBUTES = ("pk", "sk", "owner", "shared")
IN_TEXT_ATTRIBUTES = ("pk", "sk", "in_text")
COUNT_ATTRIBUTES = ("pk", "sk", "ids", "homes", "target", "cited")


class Item(TypedDict, total=False):
    """The attributes of an item; which of them exist depends on its kind, and on those that were requested.

    Moments are ISO 8601 in UTC.
    """

    pk: str
    sk: str
    target: str  # hash key of the index
    source: str  # range key of the index
    # Of a paper
    paper: str  # JSON of `shared.answers.graph.PaperState`
    retraction: str  # what is known of it (`shared.graph.known_retractions`)
    seen_at: str
    digest: str
    first_seen: str
    ids: AbstractSet[str]
    providers: AbstractSet[str]
    written: AbstractSet[str]  # the reference lists that were stored whole as one item an edge
    # Of a reference list
    cited: bytes  # see `packed_ids`
    # Of a segment of the tree of cited ids
    edges: bytes  # see `citing_tree`
    # Of an in-text citation
    in_text: str  # JSON of `shared.answers.in_text.InText`
    # Of an alias
    homes: AbstractSet[str]  # canonical keys
    # Of a mention
    at: str
    relation: Relation
    where: int | Decimal
    by: str
    text: str
    # Of a context's owner
    owner: str
    shared: bool


class MentionKey(NamedTuple):
    """The parts of a mention's sort key: the order is by time and, within a text, by position."""

    at: str
    relation: str
    position: str
    target: str
    digest: str

    @classmethod
    def parse(cls, sort_key: str) -> MentionKey:
        """The parts of a sort key."""
        return cls(*sort_key.split(" "))

    def sort_key(self) -> str:
        """The parts as a sort key."""
        return " ".join(self)


def paper_item_key(canonical_key: str) -> Key:
    """The item with the state of a paper."""
    return f"paper#{canonical_key}", "paper"


def alias_item_key(name: str) -> Key:
    """The item of an id."""
    return f"alias#{name}", "alias"


class EdgeId(NamedTuple):
    """An edge as one provider states it: the canonical key of the citing paper, the cited id, the provider."""

    source: str
    target: str
    provider: str

    @property
    def key(self) -> Key:
        """Its item. A space sorts before every character of an id, so edges are in the order of citing papers."""
        return f"{CITED}{self.target}", f"paper#{self.source} {self.provider}"

    @property
    def old_key(self) -> Key:
        """Its item in tables that were written before reference lists were packed."""
        return f"paper#{self.source}", f"{EDGE}{self.target} {self.provider}"


def edge_in(item: Item) -> EdgeId:
    """The edge of an item of either form."""
    end, _, provider = item["sk"].partition("#")[2].partition(" ")
    of = item["pk"].partition("#")[2]
    return EdgeId(end, of, provider) if item["pk"].startswith(CITED) else EdgeId(of, end, provider)


def references_item_key(canonical_key: str, provider: str, list_digest: str) -> Key:
    """The item of one list of references."""
    return f"paper#{canonical_key}", f"{REFERENCES}{provider} {list_digest}"


def packed_ids(ids: Iterable[str]) -> bytes:
    """Ids as one attribute: in order, divided by the space that no id has, compressed."""
    return smallest(" ".join(sorted(set(ids))).encode())


def edges_in_list(item: Item) -> list[EdgeId]:
    """The edges that a stored list of references states."""
    source, provider = canonical_key_in(item), item["sk"].removeprefix(REFERENCES).partition(" ")[0]
    # boto3 returns bytes in an object of its own, which bytes() reads.
    return [EdgeId(source, target, provider) for target in decompressed(bytes(item["cited"])).decode().split(" ")]


def in_text_item_key(canonical_key: str, target: str) -> Key:
    """The item that says how a paper cites another in its text, beside the edges between them."""
    return f"paper#{canonical_key}", f"in_text#{target}"


def target_in(key: Key) -> str:
    """The cited id in the key of an in-text citation."""
    return key[1].partition("#")[2]


def context_partition(context_type: str, context_id: str) -> str:
    """The partition with the mentions of a context."""
    return f"context#{context_type}#{context_id}"


def owner_item_key(context_type: str, context_id: str) -> Key:
    """The item with the owner of a context; it sorts after all mentions, which begin with a digit."""
    return context_partition(context_type, context_id), OWNER


def key_of(item: Item) -> Key:
    """The primary key of an item."""
    return item["pk"], item["sk"]


def canonical_key_in(item: Item) -> str:
    """The canonical key in the partition key of a paper, or of a list of its references."""
    return item["pk"].removeprefix("paper#")


def stored_ids(item: Item) -> StoredIds:
    """The ids and providers of a paper's item."""
    return StoredIds(frozenset(item["ids"]), frozenset(item.get("providers", ())))


def canonical_keys_of(item: Item) -> frozenset[str]:
    """The canonical keys of an alias item; none for an item that does not exist."""
    return frozenset(item.get("homes", ()))
