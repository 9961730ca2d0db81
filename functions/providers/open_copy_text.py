"""Open copies: the PDF of a copy that another source has located, where no source has the text with a structure.

Manual: https://www.iso.org/standard/75839.html (ISO 32000-2, PDF); addresses and licences are those that Unpaywall,
OpenAlex, Semantic Scholar and Europe PMC state.
Limits: none are published by so many hosts; one request a second over all of them is one a second for each at most.
Oddities: an address may lead to a page for people, to a login or to a check that no program passes. Files state no
licence that could be trusted and no structure. A scan has no text.
"""

from __future__ import annotations

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.full_text import FullText
from shared.bibliography.paper_ids import value_of
from shared.errors import BadResponse
from shared.full_texts.pdf_pages import ENCRYPTED, UnreadablePdf
from shared.full_texts.pdf_process import read_pages_apart
from shared.full_texts.pdf_text import text_of_pages
from shared.providers.http_client import Client
from shared.providers.located_copies import fetch_pdf
from shared.providers.provider import ANY_HOST, Page, ProviderSpec
from shared.query.question import TextOf

SPEC = ProviderSpec(
    name="open_copy_text",
    title="Open copies",
    manual="https://www.iso.org/standard/75839.html",
    base_url=ANY_HOST,
    family="open_copy_text",
    sorts=frozenset(),
    disciplines=frozenset(),
    operations={"full_text": ("url",)},
    requests_per_second=1.0,
    concurrency=2,
    memory_mb=1769,  # a whole processor; the file, its pages, and at most 900 MB of the child that reads them
)
_QUERY_CHARS = 300
RESERVED_S = 0.5  # for what follows the child


def full_text(request: TextOf, client: Client) -> Page:
    """Fetch the file and read it in a child process; a page without text where there is no PDF, or a scan."""
    address = value_of(request.name)
    copy = fetch_pdf(address, client)
    text, why = _text(copy.body, address, client) if copy.body else (None, copy.why)
    return Page(
        papers=(),
        total=1 if text else 0,
        effective_query=address[:_QUERY_CHARS],
        full_text=text,
        warnings=[why] if why else [],
    )


def _text(body: bytes, address: str, client: Client) -> tuple[FullText | None, str | None]:
    """The text, or why there is none. Encrypted files are not opened, also those that need no password."""
    try:
        text = text_of_pages(read_pages_apart(body, client.time_left() - RESERVED_S), address)
    except UnreadablePdf as error:
        if str(error) == ENCRYPTED:
            return None, f"the copy is a PDF that {error}"
        raise BadResponse(f"the copy is a PDF that {error}") from error
    return text, None if text else "the PDF has no text that can be read: it may be a scan"


handler = provider_handler(SPEC, full_text=full_text)
