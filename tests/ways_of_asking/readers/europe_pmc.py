"""Europe PMC's query language (https://europepmc.org/searchsyntax), which is Lucene's with fields in capitals.

Words without a field are looked for in the full text as well, and all of them are required.
"""

from __future__ import annotations

from infra.local.sandbox.server import RecordedRequest
from tests.ways_of_asking.expression import Malformed
from tests.ways_of_asking.readers import lucene
from tests.ways_of_asking.readers.sent import Sent, listed, only_fields, parameters, whole, without_filters

TEXTS = frozenset(
    ("", "TITLE", "ABSTRACT", "TITLE_ABS", "BODY", "KW", "MESH", "METHODS", "RESULTS", "INTRO", "DISCUSS")
)
IDS = frozenset(("DOI", "EXT_ID", "PMCID", "PMID", "SRC"))
FILTERS = IDS | listed(
    "PUBLISHER AUTH AUTHORID AUTH_FIRST AUTH_LAST JOURNAL ISSN FIRST_PDATE E_PDATE P_PDATE PUB_YEAR PUB_TYPE LANG "
    "OPEN_ACCESS HAS_ABSTRACT HAS_FT HAS_PDF IN_EPMC IN_PMC CITED CITES AFF GRANT_AGENCY HAS_FREE_FULLTEXT "
    "RETRACTED"
)


def read(request: RecordedRequest) -> Sent:
    """Read a request to the search, or to the lists of references and citations."""
    sent = parameters(request)
    text = sent.get("query", "")
    if not text:
        return Sent("europe_pmc", "lookup", request.path, whole(request))
    try:
        tree = lucene.parse(text, lambda name: name in TEXTS | FILTERS)
    except Malformed as error:
        return Sent("europe_pmc", "search", text, whole(request), wrong=str(error))
    if only_fields(tree, IDS):
        return Sent("europe_pmc", "lookup", text, whole(request))
    synonyms = " (synonym=true)" if sent.get("synonym", "").lower() == "true" else ""
    return Sent("europe_pmc", "search", text + synonyms, whole(request), without_filters(tree, FILTERS))
