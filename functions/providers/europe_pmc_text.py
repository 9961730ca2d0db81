"""Europe PMC's open full texts: the articles of PubMed Central's open-access subset, as JATS.

Manual: https://europepmc.org/RestfulWebService (fullTextXML)
Limits: no key, no published rate; a budget of its own, so that texts do not use up the searches' one.
Oddities: an article without open text is a 404, and so is one that does not exist; articles of which only a scan is
open have front matter without a body.
"""

from __future__ import annotations

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.paper_ids import value_of
from shared.errors import BadResponse
from shared.full_texts.jats import read_jats_text
from shared.providers.answer_bodies import text_body
from shared.providers.http_client import Client
from shared.providers.provider import Page, ProviderSpec
from shared.query.question import TextOf

SPEC = ProviderSpec(
    name="europe_pmc_text",
    title="Europe PMC's full texts",
    manual="https://europepmc.org/RestfulWebService",
    base_url="https://www.ebi.ac.uk",
    family="europe_pmc_text",
    sorts=frozenset(),
    disciplines=frozenset(),
    operations={"full_text": ("pmcid",)},
    requests_per_second=2.0,
    concurrency=2,
    memory_mb=1024,  # an article of twelve million characters, as elements
)
_ARTICLE = "https://europepmc.org/article/PMC/{}"


def full_text(request: TextOf, client: Client) -> Page:
    """Query /{PMCID}/fullTextXML; a page without text where the article has none that is open."""
    pmcid = value_of(request.name)
    path = f"/europepmc/webservices/rest/{pmcid}/fullTextXML"
    text = None
    try:
        answer = client.request("GET", path)
    except BadResponse as error:
        if error.status != 404:
            raise
    else:
        text = read_jats_text(SPEC.title, text_body(SPEC.title, answer, "xml"), _ARTICLE.format(pmcid))
    warnings = [] if text else [f"Europe PMC has no open full text of {pmcid}"]
    return Page(papers=(), total=1 if text else 0, effective_query=path, full_text=text, warnings=warnings)


handler = provider_handler(SPEC, full_text=full_text)
