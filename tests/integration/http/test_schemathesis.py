"""schemathesis sends valid and invalid requests to the API on loopback: no error, nothing undocumented.

A bounded part, the same each time; `make bench` sends far more.
"""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug import Response

from shared.api.operations import OPERATIONS
from tests.fuzzing import fuzz, served

pytestmark = pytest.mark.slow  # fuzzing
CASES_AN_OPERATION = 12
SEED = 20


def test_the_document_and_the_api_agree_on_every_request_of_schemathesis() -> None:
    with served() as url:
        report = fuzz(url, cases_an_operation=CASES_AN_OPERATION, seed=SEED, phases="fuzzing")
    assert report.failures == 0, report.output
    assert report.operations >= len(OPERATIONS) - 1  # it leaves out the one that it has read the document from
    assert report.cases > 10 * len(OPERATIONS)


@pytest.mark.parametrize("answer", [
    Response('{"papers": "many"}', mimetype="application/json"), Response("{}", status=418), Response(status=500),
    Response("<p>", mimetype="text/html"),
])  # fmt: skip
def test_an_api_that_breaks_its_document_is_found(answer: Response) -> None:
    def change(serve: Any) -> Any:
        """The document stays true."""
        return lambda environ, start: (serve if environ["PATH_INFO"] == "/openapi.json" else answer)(environ, start)

    with served(change) as url:
        report = fuzz(url, cases_an_operation=1, seed=SEED, phases="fuzzing", path="/v1/graph/stats")
    assert report.failures, report.output
