"""Write again who cites which paper, from the lists of references: `python -m infra.graph_edges TABLE`.

For a papers table that was restored from a backup. A backup is made item by item: of a node of the tree of cited ids
that was divided meanwhile, the copy may have neither what was there before nor what was after. The lists of references
have every edge. No edge is lost by it, and what is there already is joined with it: it may be run at any time, again.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from time import sleep
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config

from shared.aws.dynamodb.errors import STORAGE_ERRORS
from shared.aws.dynamodb.graph_table import GraphTable
from shared.graph.citing_tree import add
from shared.graph.items import REFERENCES, EdgeId, Item, edges_in_list
from shared.storage_errors import TableBusy

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

# DynamoDB's clients pause longer and longer where the table throttles; a batch that it left undone is written again.
# https://docs.aws.amazon.com/boto3/latest/guide/retries.html
_PATIENT = Config(retries={"mode": "adaptive", "max_attempts": 10})
PAUSES_S = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)


def main(arguments: Sequence[str] | None = None, pause: Callable[[float], None] = sleep) -> int:
    """Exit status: 0 success, 1 the rest was not written, or a list could not be read."""
    parser = argparse.ArgumentParser(prog="python -m infra.graph_edges", description=__doc__)
    parser.add_argument("table", help="the name of the papers table")
    parser.add_argument("--after", type=_key, metavar="KEY", help="go on behind this item, as an error has said")
    given = parser.parse_args(arguments)
    after, lists, citations, unreadable = given.after, 0, 0, 0
    try:
        table = boto3.resource("dynamodb", config=_PATIENT).Table(given.table)
        for page, behind in _pages_of_lists(table, after):
            found = [edges for edges in map(_edges, page) if edges is not None]
            _add(table, list(chain.from_iterable(found)), pause)
            after = behind
            lists, unreadable = lists + len(found), unreadable + len(page) - len(found)
            citations += sum(map(len, found))
            print(f"{lists} lists of references read, {citations} citations written", file=sys.stderr)
    except STORAGE_ERRORS as error:
        command = ["python", "-m", "infra.graph_edges", given.table, *(["--after", json.dumps(after)] if after else [])]
        print(f"error: {error}\nWhat was written stays. To write the rest: {shlex.join(command)}", file=sys.stderr)
        if unreadable:
            print(f"{unreadable} lists before that could not be read; their keys are above.", file=sys.stderr)
        return 1
    if not lists and not unreadable and not given.after:
        print(f"error: {given.table} has no list of references. Is it the papers table?", file=sys.stderr)
        return 1
    print(f"{citations} citations of {lists} lists of references are in the tree of cited papers")
    if unreadable:
        print(f"error: {unreadable} lists could not be read; their keys are above.", file=sys.stderr)
    return 1 if unreadable else 0


def _key(text: str) -> dict[str, str]:
    key = json.loads(text)
    if not isinstance(key, dict) or set(key) != {"pk", "sk"} or not all(isinstance(it, str) for it in key.values()):
        raise ValueError(text)
    return key


def _edges(item: Item) -> list[EdgeId] | None:
    """The edges of a list; None, and a line about it, for one that cannot be read."""
    try:
        return edges_in_list(item)
    except (ValueError, TypeError, KeyError) as error:
        print(f"cannot read the list {item['pk']} {item['sk']}: {error!r}", file=sys.stderr)
        return None


def _add(table: Table, edges: Sequence[EdgeId], pause: Callable[[float], None]) -> None:
    """Add edges, again and again where the table is busy; raises TableBusy when it stays so for a minute."""
    for seconds in PAUSES_S:
        try:
            return add(GraphTable(table), edges)
        except TableBusy:
            print(f"the table is busy: trying again in {seconds:g} s", file=sys.stderr)
            pause(seconds)
    return add(GraphTable(table), edges)


def _pages_of_lists(
    table: Table, after: dict[str, str] | None, items_a_page: int | None = None
) -> Iterator[tuple[list[Item], dict[str, str] | None]]:
    """The lists of references behind a key, a megabyte of the table at a time, each with the key of its last item."""
    options: dict[str, Any] = {"Limit": items_a_page} if items_a_page else {}
    options |= {
        "FilterExpression": "begins_with(sk, :lists)",
        "ExpressionAttributeValues": {":lists": REFERENCES},
        "ConsistentRead": True,
    }
    while True:
        if after:
            options["ExclusiveStartKey"] = after
        response: Any = table.scan(**options)
        after = response.get("LastEvaluatedKey")
        if response["Items"]:
            yield response["Items"], after
        if not after:
            return


if __name__ == "__main__":
    sys.exit(main())
