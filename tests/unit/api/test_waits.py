"""A wait in an answer is a finite number of seconds, a day at most, or null."""

from __future__ import annotations

import json
import math

import pytest

from shared.aws.rest_api.problem_responses import problem
from shared.errors import StorageUnavailable
from shared.outcomes import Outcome
from shared.providers.provider import failed, report_to_json

WAITS = [
    (math.inf, 86_400.0), (math.nan, None), (-1.0, 0.0), (1e300, 86_400.0), (86_400.0, 86_400.0), (2.5, 2.5),
    (None, None),
]  # fmt: skip


@pytest.mark.parametrize(("wait", "reported"), WAITS)
def test_a_problem_states_it_in_body_and_header(wait: float | None, reported: float | None) -> None:
    response = problem(StorageUnavailable("not now", retry_after_s=wait), "a-request")
    body = json.loads(str(response.body), parse_constant=pytest.fail)
    assert body["retry_after_s"] == reported
    assert response.headers.get("Retry-After") == (None if reported is None else str(math.ceil(reported)))


@pytest.mark.parametrize(("wait", "reported"), WAITS)
def test_a_leg_states_it_in_its_report(wait: float | None, reported: float | None) -> None:
    report = report_to_json(failed("arxiv", "arxiv", Outcome.RATE_LIMITED, "too many requests", retry_after_s=wait))
    assert report["retry_after_s"] == reported
