"""The fields that each of Semantic Scholar's endpoints knows, and the refusal of others.

https://api.semanticscholar.org/api-docs/graph: `fields` is one comma-separated value, `authors.name` is a subfield.
What the bulk search and the links of a paper lack is documented there; subfields that do not exist are refused.
"""

from __future__ import annotations

_BASIC = frozenset((
    "paperId", "corpusId", "externalIds", "url", "title", "abstract", "venue", "publicationVenue", "year",
    "referenceCount", "citationCount", "influentialCitationCount", "isOpenAccess", "openAccessPdf", "fieldsOfStudy",
    "s2FieldsOfStudy", "publicationTypes", "publicationDate", "journal", "citationStyles", "authors",
    "textAvailability",
))  # fmt: skip
_NESTED = frozenset(("citations", "references", "embedding", "tldr"))
_PAPER = _BASIC | _NESTED
_AUTHOR = frozenset((
    "authorId", "externalIds", "url", "name", "affiliations", "homepage", "paperCount", "citationCount", "hIndex",
))  # fmt: skip
_SNIPPET = frozenset((
    "snippet.text", "snippet.snippetKind", "snippet.section", "snippet.snippetOffset", "snippet.annotations",
    "snippet.annotations.sentences", "snippet.annotations.refMentions",
))  # fmt: skip
EDGE = frozenset(("contexts", "intents", "contextsWithIntent", "isInfluential"))
SIDES = {"references": "citedPaper", "citations": "citingPaper"}


class RefusedError(Exception):
    """A request that the API refuses, with its status and its message."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


def unacceptable(name: str, value: str) -> RefusedError:
    """Return the refusal of a parameter's value, or of a parameter that does not exist."""
    return RefusedError(f"Unacceptable query params: [{name}={value}]")


def read_fields(text: str | None, kind: str) -> list[str]:
    """Return the requested fields of an endpoint. Raises RefusedError naming the unknown ones.

    `kind` is paper, batch, search, bulk, links, recommendations, author or snippet. Without `text` the fields are the
    endpoint's own.
    """
    always, default = ("authorId", "name") if kind == "author" else ("paperId", "title")
    names = [name for name in (text or default).split(",") if name]
    unknown = [name for name in names if not _is_known(name, kind)]
    if unknown:
        raise RefusedError(f"Unrecognized or unsupported fields: [{', '.join(unknown)}]")
    return list(dict.fromkeys([always, *names]))


def _is_known(name: str, kind: str) -> bool:
    root, _, rest = name.partition(".")
    match kind:
        case "snippet":
            return name in _SNIPPET
        case "author":
            return name in _AUTHOR | {"papers"} or (root == "papers" and _is_known(rest, "bulk"))
        case "links":
            return name in _BASIC | EDGE or (root in SIDES.values() and rest in _BASIC)
        case "bulk" | "recommendations":
            return name in _BASIC or (root == "authors" and rest in _AUTHOR)
    return (
        name in _PAPER
        or (root == "authors" and rest in _AUTHOR)
        or (root in ("citations", "references") and _is_known(rest, "bulk"))
        or name in ("embedding.specter_v1", "embedding.specter_v2")
        or (kind == "paper" and name == "citationStyles.bibtex")
    )


def subfields(names: list[str], root: str, default: tuple[str, ...]) -> list[str]:
    """Return what is requested of one nested record: of `authors.name,authors.url` name and url."""
    found = [name.partition(".")[2] for name in names if name.startswith(f"{root}.")]
    return found if root not in names else list(dict.fromkeys([*default, *found]))
