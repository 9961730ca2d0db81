"""The whole document, asked rightly and wrongly by schemathesis, of the API on loopback: no fault, nothing untold.

A bounded part, the same each time; `make bench` asks far more.
"""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug import Response

from shared.api.operations import OPERATIONS
from tests.fuzzing import fuzz, served

CASES_AN_OPERATION = 12
SEED = 20


@pytest.mark.parametrize(
    ("cases_an_operation", "at_least"), [(1, 1), pytest.param(CASES_AN_OPERATION, 10, marks=pytest.mark.slow)]
)
def test_the_document_and_the_api_agree_on_everything_that_schemathesis_asks(
    cases_an_operation: int, at_least: int
) -> None:
    with served() as url:
        told = fuzz(url, cases_an_operation=cases_an_operation, seed=SEED, phases="fuzzing")
    assert told.failures == 0, told.told
    assert told.operations >= len(OPERATIONS) - 1  # it leaves out the one that it has read the document from
    assert told.cases > at_least * len(OPERATIONS)


@pytest.mark.slow
@pytest.mark.parametrize("answer", [
    Response('{"papers": "many"}', mimetype="application/json"), Response("{}", status=418), Response(status=500),
    Response("<p>", mimetype="text/html"),
])  # fmt: skip
def test_an_api_that_breaks_its_document_is_found(answer: Response) -> None:
    def change(serve: Any) -> Any:
        """The document stays true."""
        return lambda environ, start: (serve if environ["PATH_INFO"] == "/openapi.json" else answer)(environ, start)

    with served(change) as url:
        told = fuzz(url, cases_an_operation=1, seed=SEED, phases="fuzzing", path="/v1/graph/stats")
    assert told.failures, told.told
