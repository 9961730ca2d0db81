"""arXiv's records: what the index has of a paper, and the entry of the feed that shows it."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from xml.etree.ElementTree import Element, SubElement, register_namespace

from infra.local.sandbox.arxiv.index import Document
from infra.local.sandbox.facts import Fact, variant
from shared.bibliography.identifiers import arxiv_of_doi, read_doi
from shared.bibliography.text import fold
from shared.query.query import first_day

ATOM, OPENSEARCH = "http://www.w3.org/2005/Atom", "http://a9.com/-/spec/opensearch/1.1/"
ARXIV = "http://arxiv.org/schemas/atom"
# The categories of arXiv's taxonomy by the topic of the corpus; the first is the primary one.
CATEGORIES = {
    "transformers-llm": ("cs.CL", "cs.LG"),
    "retrieval-rag-ir": ("cs.IR", "cs.CL"),
    "protein-structure-prediction": ("q-bio.BM", "cs.LG"),
    "crispr-gene-editing": ("q-bio.GN",),
    "trem2-microglia-alzheimer": ("q-bio.NC",),
    "covid-19": ("q-bio.PE", "physics.soc-ph"),
    "climate-glacier": ("physics.ao-ph", "physics.geo-ph"),
    "systematic-reviews-meta-analysis": ("stat.ME", "cs.DL"),
}
_OTHER = ("cs.DL",)
# The venues of the published versions that the corpus knows by their DOIs alone, by how these DOIs begin.
VENUES = {
    "10.1038/s42256-024-": "Nature Machine Intelligence (2024)",
    "10.1109/cvpr.2018.": "IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR), 2018",
    "10.18653/v1/d19-1": "Proceedings of EMNLP-IJCNLP 2019",
    "10.18653/v1/n19-1": "Proceedings of NAACL-HLT 2019",
}
register_namespace("", ATOM)
register_namespace("opensearch", OPENSEARCH)
register_namespace("arxiv", ARXIV)


def document(fact: Fact) -> Document:
    """Return what the index has of a paper."""
    return Document(
        title=fact.title,
        abstract=fact.abstract or "",
        authors=tuple(_name(author) for author in fact.authors),
        categories=categories(fact),
        comments=_comment(fact),
        journal_ref=_journal_ref(fact),
        doi=" ".join(_dois(fact)),
        arxiv_id=fact.arxiv_id or "",
        submitted="".join(sign for sign in submitted(fact)[:16] if sign.isdigit()),
    )


def categories(fact: Fact) -> tuple[str, ...]:
    """Return a paper's categories by its topics, each once."""
    found = dict.fromkeys(name for topic in fact.topics for name in CATEGORIES.get(topic, ()))
    return tuple(found) or _OTHER


def submitted(fact: Fact) -> str:
    """Return the date and time of the first version, which the real API always has."""
    return f"{first_day(fact.publication_date or str(fact.year or 2000)).isoformat()}T17:59:46Z"


def updated(fact: Fact) -> str:
    """Return the date and time of the version that is shown; each later version came three months after the last."""
    first = first_day(fact.publication_date or str(fact.year or 2000))
    return f"{(first + timedelta(days=91 * (_version(fact) - 1))).isoformat()}T17:59:46Z"


def _version(fact: Fact) -> int:
    """Return the number of the version that is shown: of one paper in five a later one."""
    return 1 if variant(fact, 5) else 2 + variant(fact, 3)


def entry(fact: Fact) -> Element:
    """Return the entry of a feed."""
    version = f"{fact.arxiv_id}v{_version(fact)}"
    found = Element(f"{{{ATOM}}}entry")
    add(found, ATOM, "id", f"http://arxiv.org/abs/{version}")
    add(found, ATOM, "title", fact.title if variant(fact, 4) else _wrapped(fact.title))
    add(found, ATOM, "updated", updated(fact))
    add(found, ATOM, "link", href=f"https://arxiv.org/abs/{version}", rel="alternate", type="text/html")
    if not _is_withdrawn(fact):
        pdf = f"https://arxiv.org/pdf/{version}"
        add(found, ATOM, "link", href=pdf, rel="related", type="application/pdf", title="pdf")
    add(found, ATOM, "summary", _summary(fact))
    for name in categories(fact):
        add(found, ATOM, "category", term=name, scheme=ARXIV)
    if not variant(fact, 50):  # authors name classes of other schemes, several in one element
        add(found, ATOM, "category", term="68T05; 62H30", scheme=ARXIV)
    add(found, ATOM, "published", submitted(fact))
    if comment := _comment(fact):
        add(found, ARXIV, "comment", comment)
    add(found, ARXIV, "primary_category", term=categories(fact)[0])
    if _journal_ref(fact):
        add(found, ARXIV, "journal_ref", _journal_ref(fact))
    for person in fact.authors:
        author = add(found, ATOM, "author")
        add(author, ATOM, "name", _name(person))
        if variant(fact, 50) == 0:
            add(author, ARXIV, "affiliation", "Institute of Examples")
    if dois := _dois(fact):
        add(found, ARXIV, "doi", " ".join(dois))
        add(found, ATOM, "link", rel="related", href=f"https://doi.org/{dois[0]}", title="doi")
    return found


def add(parent: Element, namespace: str, tag: str, text: str | None = None, **attributes: str) -> Element:
    """Append an element and return it."""
    child = SubElement(parent, f"{{{namespace}}}{tag}", attributes)
    child.text = text
    return child


def _name(author: tuple[str | None, str | None]) -> str:
    family, given = author
    return " ".join(part for part in (given, family) if part)


def _dois(fact: Fact) -> list[str]:
    """Return the DOIs of the published versions, which one author in three types in; never arXiv's own."""
    return (
        []
        if variant(fact, 3)
        else [doi for doi in map(read_doi, (fact.doi, *fact.versions)) if doi and not arxiv_of_doi(doi)]
    )


def _journal_ref(fact: Fact) -> str:
    """Return the reference to the published version: most authors who type in its DOI type in this as well."""
    if not (dois := _dois(fact)):
        return ""
    if fact.journal and fold(fact.journal) != "arxiv":
        return f"{fact.journal} {fact.volume or ''} ({fact.year})"
    return next((venue for start, venue in VENUES.items() if dois[0].startswith(start)), "")


def _is_withdrawn(fact: Fact) -> bool:
    return (fact.retraction or {}).get("status") == "retracted"


def _comment(fact: Fact) -> str:
    if _is_withdrawn(fact):
        return "This paper has been withdrawn by the authors"
    pages = f"{variant(fact, 30) + 5} pages"
    if variant(fact, 25) == 12:
        return f"{pages}, with\n  an appendix"
    return pages if variant(fact, 8) else ""


def _summary(fact: Fact) -> str:
    """Return the abstract as its authors pasted it: over several lines, or with a command of LaTeX."""
    text = fact.abstract or ""
    if text and variant(fact, 8) == 1:
        longest = max(text.split(), key=len)
        text = text.replace(longest, rf"\emph{{{longest}}}", 1)
    return f"  {_wrapped(text, indent='' if variant(fact, 5) else '  ')}\n" if variant(fact, 5) < 2 else text


@cache
def _wrapped(text: str, indent: str = "  ") -> str:
    """Break a text in the middle, as in metadata that authors paste; titles' further lines are indented."""
    words = text.split()
    half = len(words) // 2
    return f"{' '.join(words[:half])}\n{indent}{' '.join(words[half:])}" if half else text
