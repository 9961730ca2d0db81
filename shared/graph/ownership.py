"""Who may read a context and write to it: its owner, or every caller if it was created as shared.

The owner is the tenant of the API key that wrote to it first. It is stored once, in an item of the context's own
partition, by a write that fails if there is one; it never changes. A request that writes to a context makes this claim
before it queues anything, so that the citation writer needs no check and its messages may come in any order, repeated
or after a crash. A context that has no owner can be read by nobody, until its next writer becomes its owner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from shared.errors import Conflict, NotFound
from shared.graph.items import OWNER_ATTRIBUTES, Item, Key, owner_item_key

if TYPE_CHECKING:
    from shared.answers.graph import ContextRef

ContextKey = tuple[str, str]  # type and id


class OwnersTable(Protocol):
    """A table with the owners of contexts (`shared.aws.dynamodb.graph_table`)."""

    def read(self, keys: Iterable[Key], attributes: Sequence[str], *, consistent: bool = False) -> dict[Key, Item]:
        """Those of the items that exist."""


class ClaimsTable(OwnersTable, Protocol):
    """The same, to be written."""

    def create(self, item: Item) -> bool:
        """Write a whole item; False if one with its key exists."""


def claim(table: ClaimsTable, context: ContextRef, tenant: str, *, shared: bool) -> None:
    """Become the owner of a context, or confirm that the tenant may write to it.

    Raises NotFound if it belongs to another tenant, Conflict if it was to be shared and exists unshared.
    """
    key = owner_item_key(context["type"], context["id"])
    stored = _stored(table, key)
    if stored is None:
        pk, sk = key
        if table.create({"pk": pk, "sk": sk, "owner": tenant, "shared": shared}):
            return
        stored = _stored(table, key) or {}
    if not is_open_to(tenant, stored):
        raise no_such_context("A context belongs to the API key that wrote to it first; use another `id`.")
    if shared and not stored.get("shared"):
        raise Conflict(
            "context.shared: the context exists and was not created as shared",
            hint="Leave `shared` out, or use another `id`: it counts only when a context is created.",
        )


def open_contexts(
    table: OwnersTable, contexts: Iterable[ContextKey], tenant: str, *, consistent: bool
) -> set[ContextKey]:
    """Those of the contexts that the tenant may read."""
    keys = {owner_item_key(*context): context for context in contexts}
    found = table.read(list(keys), OWNER_ATTRIBUTES, consistent=consistent)
    return {keys[key] for key, item in found.items() if is_open_to(tenant, item)}


def is_open_to(tenant: str, owner: Item) -> bool:
    """Whether the tenant may read and write the context with this owner."""
    return owner.get("owner") == tenant or bool(owner.get("shared"))


def no_such_context(hint: str | None = None) -> NotFound:
    """The error for a context that does not exist, and in the same words for one of another tenant."""
    hint = hint or "A context exists once a search or a POST /v1/citations of your API key has written to it."
    return NotFound("there is no such context", hint=hint)


def attributed(tenant: str, label: str | None) -> str:
    """The `by` of a mention: the tenant, and after a slash the name that the caller gives."""
    return f"{tenant}/{label}" if label else tenant


def _stored(table: OwnersTable, key: Key) -> Item | None:
    return table.read([key], OWNER_ATTRIBUTES, consistent=True).get(key)
