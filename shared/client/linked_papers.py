"""The papers that one paper cites, or that cite it."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from .errors import ToolError, bad_request, renamed
from .json_types import JsonObject, ToolAnswer
from .transport import read

RELATIONS = ("references", "citations", "similar")  # `similar` takes several seeds, and is not a list of one paper

# What only some of the calls of `citation_network` take.
_NETWORK, _LISTS = ("",), ("references", "citations")
_TAKEN: dict[str, tuple[str, ...]] = {
    "direction": _NETWORK, "depth": _NETWORK, "max_nodes": _NETWORK, "format": _NETWORK, "unlike": ("similar",),
    "sort": _LISTS, "cursor": _LISTS, "max_results": RELATIONS, "date_from": RELATIONS, "date_to": RELATIONS,
}  # fmt: skip


def refuse_not_taken(relation: str, given: JsonObject) -> None:
    """Raises ToolError for the first argument that would have no effect with this relation, or without one.

    `given` has no defaults.
    """
    if relation not in ("", *RELATIONS):
        raise bad_request("relation", f"must be one of {', '.join(RELATIONS)}")
    for name, relations in _TAKEN.items():
        if name in given and relation not in relations:
            others = [it for it in relations if it]
            there = f"with relation {' or '.join(others)}" if others else "without relation"
            raise bad_request(name, f"is taken only {there}", "Leave it out: it would have no effect.")


def linked_papers(seeds: Sequence[str], relation: str, page: JsonObject) -> ToolAnswer:
    """A page of the references or citations of the one seed. Raises ToolError for several."""
    ids = [seeds] if isinstance(seeds, str) else list(seeds)
    if len(ids) != 1:
        raise bad_request(
            "seeds", f"must be one paper with relation {relation}", "With relation similar, several may be given."
        )
    try:
        return read(f"/v1/papers/{quote(str(ids[0]), safe='', errors='replace')}/{relation}", page)
    except ToolError as error:
        raise renamed(error, "id", "seeds") from None
