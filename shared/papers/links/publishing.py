"""The papers of a list of references or citations, published to the graph with the citations that the list asserts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shared.papers.dependencies import PaperDependencies
from shared.papers.request import LinksRequest
from shared.search.integrity import with_unknown_retraction
from shared.search.publishing import publish_results

if TYPE_CHECKING:
    from shared.answers.search import Queued, StoredPaper
    from shared.papers.links.stored_list import ListSummary, StoredLink


def published_links(
    summary: ListSummary, shown: Sequence[StoredLink], request: LinksRequest, dependencies: PaperDependencies
) -> Queued:
    """Publish the shown papers, for each provider which of them it asserts to be linked, and the citing sentences."""
    paper = summary["paper"]
    papers = [entry["paper"] for entry in shown if entry["paper"]]
    if summary["relation"] == "references":
        cited: dict[str, list[str]] = {}
        for entry in shown:
            for provider in entry["asserted_by"]:
                if entry["key"]:
                    cited.setdefault(provider, []).append(entry["key"])
        how = {entry["key"]: it for entry in shown if entry["key"] and (it := entry.get("in_text"))}
        published: list[StoredPaper] = [{**paper, "references": cited, "in_text": how}, *papers]
    else:
        published = [paper]
        for entry in shown:
            if entry["paper"]:
                it = entry.get("in_text")
                cited = {name: [paper["key"]] for name in entry["asserted_by"]}
                how = {paper["key"]: it} if it else {}
                published.append({**entry["paper"], "references": cited, "in_text": how})
    return publish_results(with_unknown_retraction(published), request, dependencies.publish)
