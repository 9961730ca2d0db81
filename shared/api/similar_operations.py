"""The routes of similar papers, as the OpenAPI document describes them."""

from __future__ import annotations

from shared.answers.similar import SimilarAnswer
from shared.api.full_text_operation import PAPER_ID
from shared.api.operation import JSON, Operation
from shared.papers.similar.request import SimilarRequest

_REFUSALS = (400, 404, 409, 422, 429, 502, 503, 504)
_TEXT = (
    "Semantic Scholar's recommendations, PubMed's similar articles, OpenAlex's related works, and from the knowledge "
    "graph the papers that are cited together with the seeds or cite the same. `votes` says who names each paper. "
    "Never the seeds themselves, their versions or their notices."
)
SIMILAR = (
    Operation(
        method="GET", path="/v1/papers/{id}/similar", name="get_similar", tag="papers", summary="Papers like one",
        description=_TEXT, request=SimilarRequest, without=("seeds",), parameters=(PAPER_ID,),
        answers={JSON: SimilarAnswer}, refusals=_REFUSALS,
    ),
    Operation(
        method="POST", path="/v1/similar", name="similar", tag="papers",
        summary="Papers like several, and unlike others", description=_TEXT, request=SimilarRequest,
        answers={JSON: SimilarAnswer}, refusals=_REFUSALS,
    ),
)  # fmt: skip
