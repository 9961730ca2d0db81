"""The HTTP requests that are recorded, in their order: each is (name, method, path) and what `Recorder.http` takes."""

from __future__ import annotations

from typing import Any

ELIFE = "10.7554%2FeLife.20391"
REVIEW = "10.1098%2Frsif.2017.0387"
SEARCH = "/v1/literature-search"
TREM2 = {"query": "TREM2 microglia", "max_results": 2}
SOME = ["crossref", "openalex", "pubmed"]  # where all seven would show no more, and take longer
FEW = {"providers": SOME, **TREM2}
DEBATE = {"type": "debate", "id": "42"}
CITED = {"context": DEBATE, "by": "agent-7", "text": "See doi:10.7554/eLife.20391, PMID:29618526 and arXiv:1706.03762."}
ONCE = {"Idempotency-Key": "citations-1"}
ATTENTION = "Vaswani A. et al. (2017). Attention is all you need."
JSON_TYPE = {"Content-Type": "application/json"}

Case = tuple[str, str, str, dict[str, Any]]

SEARCHES: list[Case] = [
    ("search", "POST", SEARCH, {"body": TREM2, "effects": True}),
    ("search_again", "POST", SEARCH, {"body": TREM2, "effects": True}),
    ("search_fresh", "POST", SEARCH, {"body": {**FEW, "fresh": True, "max_results": 1}}),
    ("search_by_get", "GET", SEARCH, {"query": {"query": "TREM2 microglia", "max_results": "2", "detail": "compact"}}),
    ("search_compact", "POST", SEARCH, {"body": {**TREM2, "detail": "compact"}}),
    ("search_full", "POST", SEARCH, {"body": {**TREM2, "detail": "full"}}),
    ("search_fields", "POST", SEARCH, {"body": {**TREM2, "fields": ["key", "title", "citation_uri"]}}),
    ("search_max_tokens", "POST", SEARCH, {"body": {**TREM2, "max_results": 10, "max_tokens": 700}}),
    ("search_abstract_chars", "POST", SEARCH, {"body": {**TREM2, "abstract_chars": 80}}),
    ("search_without_abstract", "POST", SEARCH, {"body": {**TREM2, "include_abstract": False}}),
    ("search_by_citations", "POST", SEARCH, {"body": {**FEW, "sort": "citations", "detail": "compact"}}),
    ("search_by_date", "POST", SEARCH, {"body": {**FEW, "sort": "date", "detail": "compact"}}),
    ("search_ranked_by_relevance", "POST", SEARCH,
     {"body": {**TREM2, "ranking": "relevance", "detail": "compact"}}),
    ("search_ranked_by_impact", "POST", SEARCH, {"body": {**TREM2, "ranking": "impact", "detail": "compact"}}),
    ("search_filtered", "POST", SEARCH, {"body": {
        "query": "microglia", "providers": SOME, "date_from": "2015", "date_to": "2021-06", "author": "Colonna",
        "detail": "compact",
        "publication_types": ["journal-article"], "exclude_preprints": True, "include_retracted": False}}),
    ("search_open_access", "POST", SEARCH,
     {"body": {**FEW, "open_access": True, "min_citations": 10, "detail": "compact"}}),
    ("search_journal", "POST", SEARCH, {"body": {"providers": SOME, "query": "TREM2", "journal": "Cell",
                                                 "detail": "compact"}}),
    ("search_wordings", "POST", SEARCH,
     {"body": {"providers": SOME, "queries": ["TREM2 microglia", "TREM2 AND Alzheimer"], "max_results": 3,
               "detail": "compact"}}),
    ("search_operators", "POST", SEARCH,
     {"body": {"providers": SOME, "query": '"disease-associated microglia" NOT mouse', "max_results": 2,
               "detail": "compact"}}),
    ("search_context", "POST", SEARCH,
     {"body": {**TREM2, "providers": "crossref,pubmed", "context": DEBATE, "detail": "compact"}, "effects": True}),
    ("search_not_cited", "POST", SEARCH, {"body": {"query": "microglia", "providers": ["arxiv", "openalex"],
     "cite_in_kg": False, "max_results": 1, "detail": "compact"}, "effects": True}),
    ("search_nothing_found", "POST", SEARCH, {"body": {"providers": SOME, "query": "xyzzyplugh"}}),
    *((f"search_as_{name.replace('-', '_')}", "GET", SEARCH,
       {"query": {"query": "complement synapse", "providers": "crossref,pubmed", "format": name}})
      for name in ("bibtex", "ris", "csl-json", "csv", "markdown")),
    ("search_accepts_ris", "GET", SEARCH, {"query": {"query": "complement synapse", "providers": "crossref,pubmed"},
                                           "headers": {"Accept": "application/x-research-info-systems"}}),
    ("search_unknown_format", "GET", SEARCH, {"query": {"query": "TREM2", "format": "docx"}}),
    ("search_without_query", "POST", SEARCH, {"body": {}}),
    ("search_many_faults", "POST", SEARCH, {"body": {"query": "a", "max_results": 1000, "providers": ["google"],
     "date_from": "2020-13", "colour": "red", "sort": "size"}}),
    ("search_unbalanced_query", "POST", SEARCH, {"body": {"query": "(TREM2 AND"}}),
    ("search_unknown_fields", "POST", SEARCH, {"body": {"query": "a", "fields": ["key", "shoe_size"]}}),
    ("search_no_json", "POST", SEARCH, {"raw": '{"query": '}),
    ("search_no_object", "POST", SEARCH, {"raw": '["TREM2"]'}),
    ("search_no_body", "POST", SEARCH, {}),
    ("search_too_large", "POST", SEARCH, {"raw": '{"query": "TREM2"}' + " " * 70_000}),
    ("search_other_media_type", "POST", SEARCH,
     {"raw": "query=TREM2", "headers": {"Content-Type": "application/x-www-form-urlencoded"}}),
    ("search_by_put", "PUT", SEARCH, {"body": TREM2}),
    ("search_wrong_cursor", "POST", SEARCH, {"body": {"cursor": "bm9uZQ"}}),
    ("search_expired_cursor", "POST", SEARCH,
     {"body": {"cursor": "ZjljNWY2NmY2NmJiYTIzMzBiNzM0ODg4MjU0Y2VlMDA6Mg"}}),
    ("pubmed_search", "POST", "/v1/pubmed-search", {"body": TREM2}),
    ("pubmed_search_by_get", "GET", "/v1/pubmed-search", {"query": {"query": "TREM2", "max_results": "1"}}),
    ("pubmed_search_elsewhere", "POST", "/v1/pubmed-search", {"body": {**TREM2, "providers": ["crossref"]}}),
]  # fmt: skip

PAPERS: list[Case] = [
    ("papers", "POST", "/v1/papers", {"body": {"ids": ["PMC5938574", "arXiv:1706.03762v7", "PMID:1", "not an id"],
                                              "detail": "compact"}, "effects": True}),
    ("papers_fields", "POST", "/v1/papers", {"body": {"ids": "10.7554/eLife.20391", "fields": "key,title,year"}}),
    ("papers_none", "POST", "/v1/papers", {"body": {"ids": []}}),
    ("paper", "GET", f"/v1/papers/{REVIEW}", {}),
    ("paper_compact", "GET", "/v1/papers/PMID:29618526", {"query": {"detail": "compact"}}),
    ("paper_unknown", "GET", "/v1/papers/10.9999%2Fnone", {}),
    ("paper_no_id", "GET", "/v1/papers/12345", {}),
    ("references", "GET", f"/v1/papers/{ELIFE}/references", {"query": {"max_results": "2"}}),
    ("citations", "GET", f"/v1/papers/{ELIFE}/citations", {"query": {"max_results": "2", "detail": "compact"}}),
    ("references_unknown", "GET", "/v1/papers/10.9999%2Fnone/references", {}),
    ("references_wrong", "GET", f"/v1/papers/{ELIFE}/references", {"query": {"max_results": "0"}}),
    *((f"network_{form}", "POST", "/v1/citation-network",
       {"body": {"seeds": ["10.7554/eLife.20391"], "max_nodes": 5, "format": form}})
      for form in ("json", "graphml", "svg")),
    ("network_of_references", "POST", "/v1/citation-network",
     {"body": {"seeds": ["10.1098/rsif.2017.0387"], "max_nodes": 4, "direction": "references"}}),
    ("network_unknown", "POST", "/v1/citation-network", {"body": {"seeds": ["10.9999/none"]}}),
    ("network_wrong", "POST", "/v1/citation-network", {"body": {"seeds": ["10.7554/eLife.20391"], "depth": 3}}),
    ("resolve", "POST", "/v1/resolve", {"body": {"references": [
        ATTENTION, {"title": "Attention is all you want"}, {"doi": "10.7554/eLife.20391"}], "detail": "compact"}}),
    ("resolve_fields", "POST", "/v1/resolve",
     {"body": {"title": "Attention is all you need", "year": 2017, "fields": ["key", "title"]}}),
    ("resolve_nothing", "POST", "/v1/resolve", {"body": {}}),
    *((f"export_{name.replace('-', '_')}", "POST", "/v1/exports",
       {"body": {"ids": ["10.1098/rsif.2017.0387", "arXiv:1706.03762"], "format": name}})
      for name in ("bibtex", "ris", "csl-json", "csv", "markdown")),
    ("export_by_get", "GET", "/v1/exports", {"query": {"ids": "10.7554/eLife.20391,PMID:1", "format": "ris"}}),
    ("export_unknown", "GET", "/v1/exports", {"query": {"ids": "10.9999/none"}}),
    ("export_expired", "POST", "/v1/exports", {"body": {"result_set_id": "0" * 32, "format": "ris"}}),
    ("export_wrong", "POST", "/v1/exports", {"body": {"format": "docx"}}),
    ("passages", "POST", "/v1/passages", {"body": {"claim": "Without templates the error changed.", "max_passages": 2,
                                                   "ids": ["PMC8371605", "arXiv:1706.03762", "10.9999/none"]}}),
    ("passages_wrong", "POST", "/v1/passages", {"body": {"claim": "?", "question": "Why?", "max_passages": 0}}),
]  # fmt: skip

GRAPH: list[Case] = [
    ("cite", "POST", "/v1/citations", {"body": CITED, "headers": ONCE, "effects": True}),
    ("cite_again", "POST", "/v1/citations", {"body": CITED, "headers": ONCE, "effects": True}),
    ("cite_other_under_the_same_key", "POST", "/v1/citations",
     {"body": {**CITED, "by": "agent-8"}, "headers": ONCE}),
    ("cite_without_key", "POST", "/v1/citations",
     {"body": {"context": DEBATE, "ids": ["10.7554/eLife.20391", "10.9999/none"]}, "effects": True}),
    ("cite_without_context", "POST", "/v1/citations", {"body": {"text": "doi:10.7554/eLife.20391"}}),
    ("cite_nothing", "POST", "/v1/citations", {"body": {"context": DEBATE, "text": "nothing"}}),
    ("cite_no_json", "POST", "/v1/citations", {"raw": "doi:10.7554/eLife.20391"}),
    ("graph_paper", "GET", f"/v1/graph/papers/{ELIFE}", {"query": {"limit": "2"}}),
    ("graph_paper_cited_by", "GET", f"/v1/graph/papers/{ELIFE}", {"query": {"list": "contexts", "limit": "1"}}),
    ("graph_paper_cites", "GET", f"/v1/graph/papers/{ELIFE}", {"query": {"list": "cites", "limit": "1"}}),
    ("graph_paper_unknown", "GET", "/v1/graph/papers/10.9999%2Fnothing", {}),
    ("graph_paper_no_id", "GET", "/v1/graph/papers/12345", {}),
    ("graph_paper_wrong_list", "GET", f"/v1/graph/papers/{ELIFE}", {"query": {"list": "friends"}}),
    ("graph_paper_wrong_cursor", "GET", f"/v1/graph/papers/{ELIFE}", {"query": {"list": "cites", "cursor": "none"}}),
    ("graph_context", "GET", "/v1/graph/contexts/debate/42", {"query": {"limit": "2"}}),
    ("graph_context_unknown", "GET", "/v1/graph/contexts/debate/43", {}),
    ("graph_context_wrong", "GET", "/v1/graph/contexts/dinner/42", {}),
    ("graph_stats", "GET", "/v1/graph/stats", {}),
    *((f"graph_export_{form}", "GET", "/v1/graph/export", {"query": {"format": form, "limit": "2"}})
      for form in ("jsonld", "graphml", "csv")),
    ("graph_export_edges", "GET", "/v1/graph/export", {"query": {"format": "csv", "kind": "edges"}}),
    ("graph_export_wrong", "GET", "/v1/graph/export", {"query": {"format": "docx"}}),
]  # fmt: skip

SERVICE: list[Case] = [
    ("health", "GET", "/health", {}),
    ("providers", "GET", "/v1/providers", {}),
    ("llms_txt", "GET", "/llms.txt", {}),
    ("unknown_route", "GET", "/v1/nothing", {}),
    ("unknown_method", "DELETE", "/health", {}),
]
