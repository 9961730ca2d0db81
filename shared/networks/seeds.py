"""The seeds of a citation network."""

from __future__ import annotations

from shared.errors import FieldError, Unprocessable
from shared.papers.request import NetworkRequest
from shared.papers.seeds import read_names
from shared.validation import refusal


def seed_names(request: NetworkRequest) -> list[str]:
    """The normalised names of the seeds, each once.

    Raises Unprocessable for a text that is not an id, and for more seeds than `max_nodes`.
    """
    names, errors = read_names("seeds", request.seeds)
    if request.max_nodes < len(request.seeds):
        errors.append(FieldError("max_nodes", f"must be at least {len(request.seeds)}, the number of seeds"))
    if errors:
        raise refusal(Unprocessable, errors)
    return names
