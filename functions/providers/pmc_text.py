"""PubMed Central's open full texts: JATS by OAI-PMH, for what Europe PMC does not have.

Manual: https://pmc.ncbi.nlm.nih.gov/tools/oai/ (protocol: https://www.openarchives.org/OAI/openarchivesprotocol.html)
Limits: no key; at most one request in three seconds for those who send many.
Oddities: errors come under HTTP 200. The metadata format `pmc`, the full text, is refused (cannotDisseminateFormat) for
articles whose licence does not allow reuse. E-utilities would send the front matter alone and not say so.
"""

from __future__ import annotations

import re

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.identifiers import pmc_address
from shared.bibliography.paper_ids import value_of
from shared.errors import BadResponse
from shared.full_texts.jats import read_jats_text
from shared.providers.answer_bodies import text_body
from shared.providers.http_client import Client
from shared.providers.provider import Page, ProviderSpec
from shared.query.question import TextOf

SPEC = ProviderSpec(
    name="pmc_text",
    title="PubMed Central's full texts",
    manual="https://pmc.ncbi.nlm.nih.gov/tools/oai/",
    base_url="https://pmc.ncbi.nlm.nih.gov",
    family="pmc_text",
    sorts=frozenset(),
    disciplines=frozenset(),
    operations={"full_text": ("pmcid",)},
    requests_per_second=0.33,
    concurrency=1,
    memory_mb=1024,
)
_PATH = "/api/oai/v1/mh/"
_NO_TEXT = ("cannotDisseminateFormat", "idDoesNotExist")
_ERROR = re.compile(r"<error\s{1,5}code\s{0,5}=\s{0,5}[\"']([A-Za-z]{1,40})[\"']")
_HEAD_CHARS = 5_000  # an error stands at the beginning


def full_text(request: TextOf, client: Client) -> Page:
    """Query GetRecord for the full text; a page without text where the article has none that is open."""
    pmcid = value_of(request.name)
    params: dict[str, str | int | None] = {
        "verb": "GetRecord",
        "identifier": f"oai:pubmedcentral.nih.gov:{pmcid.removeprefix('PMC')}",
        "metadataPrefix": "pmc",
    }
    body = text_body(SPEC.title, client.request("GET", _PATH, params=params, follow_redirects=True), "xml")
    error = _ERROR.search(body[:_HEAD_CHARS])
    if error and error[1] not in _NO_TEXT:
        raise BadResponse(f"PubMed Central reported the error {error[1]}")
    text = None if error else read_jats_text(SPEC.title, body, pmc_address(pmcid))
    warnings = [] if text else [f"PubMed Central has no open full text of {pmcid}"]
    query = f"GetRecord {params['identifier']}"
    return Page(papers=(), total=1 if text else 0, effective_query=query, full_text=text, warnings=warnings)


handler = provider_handler(SPEC, full_text=full_text)
