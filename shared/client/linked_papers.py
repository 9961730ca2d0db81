"""The papers that one paper cites, or that cite it."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from .errors import bad_request
from .json_types import JsonObject, ToolAnswer
from .transport import read

RELATIONS = ("references", "citations", "similar")  # `similar` takes several seeds, and is no list of one paper


def linked_papers(seeds: Sequence[str], relation: str, page: JsonObject) -> ToolAnswer:
    """A page of the references or citations of the one seed. Raises ToolError for several, or another relation."""
    ids = [seeds] if isinstance(seeds, str) else list(seeds)
    if relation not in RELATIONS:
        raise bad_request("relation", f"must be one of {', '.join(RELATIONS)}")
    if len(ids) != 1:
        raise bad_request("seeds", "must be one paper where relation is given")
    return read(f"/v1/papers/{quote(str(ids[0]), safe='')}/{relation}", page)
