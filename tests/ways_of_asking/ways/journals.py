"""Names of journals in every spelling: only that journal's papers come back, from whichever source."""

from __future__ import annotations

from typing import Any

from tests.ways_of_asking.way import Way

KIND = "Journals"
_NEJM = ("10.1056/nejmoa1211851", "10.1056/nejmoa1211103")
_LIKE_NATURE = ("10.1038/ncomms7176", "10.1038/s41591-019-0695-9", "10.1038/nrn.2016.7", "10.1038/s41593-019-0566-1")
_ANY_NAME = r"(?:new england journal of medicine|n\.? engl\.? j\.? med)"


def _journal(name: str, why: str, query: str = "Alzheimer", **expected: Any) -> Way:
    return Way(typed=query, why=why, fields={"journal": name, "max_results": 100}, **expected)


_SENT = {
    "pubmed": rf'(?i)"(?:the )?{_ANY_NAME}"\[(?:ta|journal|jour)\]',
    "europe_pmc": rf'(?i)JOURNAL:"(?:the )?{_ANY_NAME}"',
    "openalex": r"primary_location\.source\.id:",
}
WAYS = (
    _journal("New England Journal of Medicine", "The full name.", among=_NEJM, exact=_SENT),
    _journal("The New England Journal of Medicine", "With its article.", among=_NEJM, exact=_SENT),
    _journal("new england journal of medicine", "In small letters.", among=_NEJM, exact=_SENT),
    _journal("N Engl J Med", "NLM's abbreviation.", among=_NEJM, exact=_SENT),
    _journal("N. Engl. J. Med.", "ISO 4, with full stops.", among=_NEJM, exact=_SENT),
    _journal("NEJM", "The acronym.", among=_NEJM, exact=_SENT),
    _journal(
        "Nature",
        "Not Nature Medicine and not Nature Communications.",
        among=("10.1038/nature11729",),
        absent=_LIKE_NATURE,
    ),
    _journal(
        "Science",
        "Not Science Translational Medicine.",
        among=("10.1126/science.1072994",),
        absent=("10.1126/scitranslmed.3009093", "10.1038/nrn.2016.7"),
    ),
    _journal(
        "Nature Neuroscience",
        "Not Nature.",
        "microglia",
        among=("10.1038/s41593-019-0566-1",),
        absent=("10.1038/nature21029",),
    ),
    _journal("Nat Neurosci", "Its abbreviation.", "microglia", among=("10.1038/s41593-019-0566-1",)),
    _journal(
        "Proceedings of the National Academy of Sciences",
        "A name that indexes lengthen.",
        "protein",
        among=("10.1073/pnas.0805923106",),
    ),
    _journal("PNAS", "Its acronym.", "protein", among=("10.1073/pnas.0805923106",)),
    _journal("J Exp Med", "An abbreviation of four words.", "TREM2", among=("10.1084/jem.20142322",)),
    _journal("Lancet", "Without its article.", "hydroxychloroquine", among=("10.1016/s0140-6736(20)31180-6",)),
    _journal("JAMA Neurology", "An acronym in a name.", "TREM2", among=("10.1001/jamaneurol.2013.6237",)),
    _journal(
        "Journal of Things That Do Not Exist",
        "Nothing comes, and PubMed's dropped phrase does not widen the search.",
        absent=_NEJM,
    ),
)
