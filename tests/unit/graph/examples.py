"""Results and messages to feed the graph with, made up and small."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from shared.bibliography.identifiers import Identifiers
from shared.graph.messages import citation_messages, messages

IDS: dict[str, str | None] = dict.fromkeys(Identifiers.__dataclass_fields__)
NOON = "2026-11-20T12:00:00Z"
DEBATE = {"type": "debate", "id": "7"}


def result(**changes: Any) -> dict[str, Any]:
    """A result as an answer holds it; give ids by their names, `key` where it is not that of the best id."""
    ids = {**IDS, "doi": "10.7554/elife.20391"} | {name: changes.pop(name) for name in IDS if name in changes}
    key = next((f"{scheme}:{ids[scheme]}" for scheme in ("doi", "pmid", "arxiv") if ids[scheme]), "title:0")
    base = {
        "key": key,
        "doi": ids["doi"],
        "pmid": ids["pmid"],
        "title": "Neurodegenerative disease mutations in TREM2",
        "authors": [f"Author {number}" for number in range(9)],
        "author_count": 9,
        "year": 2016,
        "publication_date": "2016-12-20",
        "journal": "eLife",
        "type": "journal-article",
        "citation_count": 5,
        "citation_uri": "https://example.org/paper",
        "external_ids": ids,
        "retraction": {"status": "none", "notice_doi": None, "date": None},
        "abstract": "Long text that the graph does not keep.",
    }
    return {**base, **changes}


def papers_body(*results: Mapping[str, Any], context: Mapping[str, str] | None = None, seen_at: str = NOON) -> str:
    """The one message for these results."""
    (message,) = messages(results, context, seen_at)
    return json.dumps(message)


def citations_body(
    *ids: str, context: Mapping[str, str] = DEBATE, by: str | None = None, at: str = NOON, start: int | None = None
) -> str:
    """The one message for a context that cites these ids, one after the other from `start` on."""
    mentions: Sequence[Mapping[str, Any]] = [
        {"id": name, "where": None if start is None else start + number, "text": name}
        for number, name in enumerate(ids)
    ]
    (message,) = citation_messages(context, mentions, by, at)
    return json.dumps(message)
