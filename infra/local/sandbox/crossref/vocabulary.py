"""The names that Crossref's API knows: parameters, types of works, and elements that can be selected.

Sources: rest_api.md of CrossRef/rest-api-doc, the recorded answer of `/types`, and the element list of habanero 2.9.
"""

from __future__ import annotations

PARAMETERS = frozenset({
    "query", "rows", "offset", "sample", "facet", "filter", "sort", "order", "cursor", "select", "mailto", "pingback",
    "url", "filename", "parent", "test", "debug",
})  # fmt: skip
TYPES = {
    "book": "Book", "book-chapter": "Book Chapter", "book-part": "Part", "book-section": "Book Section",
    "book-series": "Book Series", "book-set": "Book Set", "book-track": "Book Track", "component": "Component",
    "database": "Database", "dataset": "Dataset", "dissertation": "Dissertation", "edited-book": "Edited Book",
    "grant": "Grant", "journal": "Journal", "journal-article": "Journal Article", "journal-issue": "Journal Issue",
    "journal-volume": "Journal Volume", "monograph": "Monograph", "other": "Other", "peer-review": "Peer Review",
    "posted-content": "Posted Content", "proceedings": "Proceedings", "proceedings-article": "Proceedings Article",
    "proceedings-series": "Proceedings Series", "reference-book": "Reference Book",
    "reference-entry": "Reference Entry", "report": "Report", "report-component": "Report Component",
    "report-series": "Report Series", "standard": "Standard",
}  # fmt: skip
SELECTS = frozenset({
    "DOI", "ISBN", "ISSN", "URL", "abstract", "accepted", "alternative-id", "approved", "archive", "article-number",
    "assertion", "author", "chair", "clinical-trial-number", "container-title", "content-created", "content-domain",
    "contributor", "created", "degree", "deposited", "editor", "event", "funder", "group-title", "indexed",
    "is-referenced-by-count", "issn-type", "issue", "issued", "license", "link", "member", "original-title", "page",
    "posted", "prefix", "published", "published-online", "published-print", "publisher", "publisher-location",
    "reference", "references-count", "relation", "resource", "score", "short-container-title", "short-title",
    "standards-body", "subject", "subtitle", "title", "translator", "type", "update-policy", "update-to", "updated-by",
    "volume",
})  # fmt: skip
