"""Messages into the papers table: what is known is read, what is still needed is worked out, that much is written.

Any order of messages, any repetition and any crash between two writes end in the same table, because every item is a
fact or grows by a join (`shared.graph.facts`). A paper's state is written only over the state that was read; when
another writer came in between, the message is worked out anew.
"""

from __future__ import annotations

from typing import Protocol

from shared.graph.facts import KNOWN, Item, Key, Plan, Update, known_keys, plan
from shared.graph.messages import Message
from shared.storage_errors import TableBusy

ATTEMPTS = 5


class WritableTable(Protocol):
    """What a writer needs of a table."""

    def read(self, keys: list[Key], attributes: tuple[str, ...], *, consistent: bool) -> dict[Key, Item]:
        """The items there are."""

    def put(self, items: list[Item]) -> None:
        """Write whole items."""

    def update(self, update: Update) -> bool:
        """False when the item is no longer as expected."""


def write_message(message: Message, table: WritableTable) -> int:
    """Make the graph hold what a message says; the number of items written. Raises TableBusy and the table's errors."""
    for _ in range(ATTEMPTS):
        known = table.read(known_keys(message), KNOWN, consistent=True)
        needed = plan(message, known)
        if _carry_out(needed, table):
            return sum(map(len, (needed.papers, needed.aliases, needed.facts, needed.marks)))
    raise TableBusy(f"others wrote the same papers {ATTEMPTS} times in between")


def _carry_out(needed: Plan, table: WritableTable) -> bool:
    for update in (*needed.papers, *needed.aliases):
        if not table.update(update):
            return False
    table.put(list(needed.facts))
    for mark in needed.marks:  # they expect nothing
        table.update(mark)
    return True
