"""arXiv's texts: the HTML that it makes of newer papers, or else their LaTeX source.

Manual: https://info.arxiv.org/about/accessible_HTML.html, https://info.arxiv.org/help/unpack.html
Limits: one request in three seconds over one connection (https://info.arxiv.org/help/api/tou.html).
Oddities: HTML states the licence and the version, the source neither: its licence is on the abstract's page. Papers
before December 2023 mostly have no HTML (404), and one whose source only includes a PDF has HTML without text. A
package may be a tar, one file or a PDF, with or without a content coding, so that its bytes decide what it is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.full_text import FullText
from shared.bibliography.licences import read_licence
from shared.bibliography.paper_ids import value_of
from shared.errors import BadResponse
from shared.full_texts.latex import read_latex_text
from shared.full_texts.latexml import read_latexml
from shared.providers.answer_bodies import Answer, text_body
from shared.providers.http_client import Client
from shared.providers.provider import Page, ProviderSpec
from shared.query.question import TextOf

SPEC = ProviderSpec(
    name="arxiv_text",
    title="arXiv's texts",
    manual="https://info.arxiv.org/about/accessible_HTML.html",
    base_url="https://arxiv.org",
    family="arxiv_text",
    sorts=frozenset(),
    disciplines=frozenset(),
    operations={"full_text": ("arxiv",)},
    requests_per_second=0.33,
    concurrency=1,
    memory_mb=1024,
)
_ABSTRACT_PAGE = "https://arxiv.org/abs/{}"
_LICENCE = re.compile(r"class=\"abs-license\"[^>]{0,100}>\s{0,100}<a\s[^>]{0,300}?href=\"([^\"]{1,300})\"")


def full_text(request: TextOf, client: Client) -> Page:
    """Query /html/{id}; where that has no text, /e-print/{id} and, for its licence, /abs/{id}.

    A page without text where arXiv has neither.
    """
    arxiv = value_of(request.name)
    paths = f"/html/{arxiv}"
    page = _get(paths, client)
    text: FullText | None = None
    if page:
        text = read_latexml(SPEC.title, text_body(SPEC.title, page, "html"), f"https://arxiv.org/html/{arxiv}")
    if text is None:
        paths = f"{paths}, /e-print/{arxiv}"
        text = _from_source(arxiv, client)
    warnings = [] if text else [f"arXiv has neither HTML nor a LaTeX source of {arxiv} with text"]
    return Page(papers=(), total=1 if text else 0, effective_query=paths, full_text=text, warnings=warnings)


def _from_source(arxiv: str, client: Client) -> FullText | None:
    package = _get(f"/e-print/{arxiv}", client)
    text = read_latex_text(SPEC.title, package.body, _ABSTRACT_PAGE.format(arxiv)) if package else None
    page = _get(f"/abs/{arxiv}", client) if text else None
    if not text or not page:
        return text
    stated = _LICENCE.search(text_body(SPEC.title, page, "html"))
    return replace(
        text, license=read_licence(stated[1]) if stated else None, license_text=stated[1] if stated else None
    )


def _get(path: str, client: Client) -> Answer | None:
    try:
        return client.request("GET", path, follow_redirects=True)
    except BadResponse as error:
        if error.status == 404:
            return None
        raise


handler = provider_handler(SPEC, full_text=full_text)
