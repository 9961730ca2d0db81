"""The request for papers like some and unlike others."""

from __future__ import annotations

from pydantic import Field, model_validator

from shared.papers.request import IDS_FORMS, MAX_SEEDS, PaperIds, ProviderRequest, Since, Until
from shared.search.requests.date_range import check_order
from shared.search.requests.input_forms import Whole
from shared.search.requests.search_request import Detail, IncludeAbstract, Sized


class SimilarRequest(Sized, ProviderRequest):
    """Papers like the seeds."""

    seeds: PaperIds = Field(min_length=1, max_length=MAX_SEEDS, description=f"{IDS_FORMS} Up to 10.")
    unlike: PaperIds = Field((), max_length=MAX_SEEDS, description="Ids of papers that the results are not to be like.")
    max_results: Whole = Field(20, ge=1, le=100, description="The most similar so many.")
    date_from: Since = None
    date_to: Until = None
    detail: Detail = "compact"
    include_abstract: IncludeAbstract = False

    _fits_together = model_validator(mode="after")(check_order)
