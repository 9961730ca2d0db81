"""Writes messages into the papers table: reads the stored items, plans the missing writes, carries them out.

Any order of messages, any repetition and any crash between two writes lead to the same graph, because every item is a
fact or grows by a join (`shared.graph.facts`), or holds some of the edges (`shared.graph.citing_tree`). The state of a
paper is written only over the state that was read; if another writer changed it in between, the message is read and
planned again.
"""

from __future__ import annotations

from typing import Protocol

from shared.graph.citing_tree import DividedTable, divide_full_nodes
from shared.graph.facts import PLAN_ATTRIBUTES, Plan, Update, keys_to_read, plan
from shared.graph.items import Item, Key
from shared.graph.messages import Message
from shared.storage_errors import TableBusy

ATTEMPTS = 5


class WritableTable(DividedTable, Protocol):
    """A table that can be read and written (`shared.aws.dynamodb.graph_table`)."""

    def read(self, keys: list[Key], attributes: tuple[str, ...], *, consistent: bool) -> dict[Key, Item]:
        """Those of the items that exist."""

    def update(self, update: Update) -> bool:
        """False if the item is not as expected."""


def write_message(message: Message, table: WritableTable) -> int:
    """Write what a message states; returns the number of items written. Raises TableBusy and the table's errors."""
    for _ in range(ATTEMPTS):
        stored = table.read(keys_to_read(message), PLAN_ATTRIBUTES, consistent=True)
        needed = plan(message, stored)
        if _carry_out(needed, table):
            # If this fails, the message is delivered again, and finds that all of it is stored.
            for segment in needed.segments:
                divide_full_nodes(table, segment)
            joins, facts = (needed.papers, needed.aliases, needed.in_text), (needed.facts, needed.segments)
            return sum(map(len, (*joins, *facts, needed.reference_lists)))
    raise TableBusy(f"other writers changed the same papers during each of {ATTEMPTS} attempts")


def _carry_out(needed: Plan, table: WritableTable) -> bool:
    for update in (*needed.papers, *needed.aliases, *needed.in_text):
        if not table.update(update):
            return False
    table.put([*needed.facts, *needed.segments])
    table.put(list(needed.reference_lists))
    return True
