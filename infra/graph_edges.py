"""Write again who cites which paper, from the lists of references: `python -m infra.graph_edges TABLE`.

For a papers table that was restored from a backup. A backup is made item by item: of a node of the tree of cited ids
that was divided meanwhile, the copy may have neither what was there before nor what was after. The lists of references
have every edge. No edge is lost by it, and what is there already is joined with it: it may be run at any time, again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.dynamodb.graph_table import GraphTable
from shared.graph.citing_tree import add
from shared.graph.items import REFERENCES, Item, edges_in_list
from shared.storage_errors import TableBusy

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 success, 1 AWS returned an error: then it is run again."""
    parser = argparse.ArgumentParser(prog="python -m infra.graph_edges", description=__doc__)
    parser.add_argument("table", help="the name of the papers table")
    name = parser.parse_args(arguments).table
    lists = edges = 0
    try:
        table = boto3.resource("dynamodb").Table(name)
        for page in _pages_of_lists(table):
            found = [edge for item in page for edge in edges_in_list(item)]
            add(GraphTable(table), found)
            lists, edges = lists + len(page), edges + len(found)
            print(f"{lists} lists of references read, {edges} citations written", file=sys.stderr)
    except (ClientError, BotoCoreError, TableBusy) as error:
        print(
            f"error: {error}\nRun it again: what was written stays, and it begins at the first list.", file=sys.stderr
        )
        return 1
    print(f"{edges} citations of {lists} lists of references are in the tree of cited papers")
    return 0


def _pages_of_lists(table: Table) -> Iterator[list[Item]]:
    """The lists of references of the whole table, a megabyte of the table at a time."""
    options: dict[str, Any] = {
        "FilterExpression": "begins_with(sk, :lists)",
        "ExpressionAttributeValues": {":lists": REFERENCES},
        "ConsistentRead": True,
    }
    while True:
        response: Any = table.scan(**options)
        if response["Items"]:
            yield response["Items"]
        if "LastEvaluatedKey" not in response:
            return
        options["ExclusiveStartKey"] = response["LastEvaluatedKey"]


if __name__ == "__main__":
    sys.exit(main())
