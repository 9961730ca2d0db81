"""The fields of a search request that decide nothing of what is searched for."""

from __future__ import annotations

# How long one call waits, from where it goes on, and what it does with the papers: they do not even change the form of
# its answer.
CALL_FIELDS = {"cursor", "fresh", "timeout_ms", "patience_ms", "context"}
# The fields that decide the form of an answer and what is done with it, not its results: each caller's own.
FORM_FIELDS = CALL_FIELDS | {
    "detail", "fields", "abstract_chars", "max_tokens", "include_abstract", "max_results", "cite_in_kg",
}  # fmt: skip
