"""The form of errors that name one field."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from shared.delivery.addresses import check_url
from shared.errors import BadRequest, FieldError, Unprocessable
from shared.graph.citation_request import read_citations
from shared.query.parser import parse
from shared.saved_searches.schedule import read_schedule

NOW = datetime(2026, 11, 22, tzinfo=UTC)
CONTEXT = {"type": "debate", "id": "1"}


@pytest.mark.parametrize("kind", [BadRequest, Unprocessable])
def test_an_error_of_one_field_names_it_in_the_message_and_in_the_list(kind: type[BadRequest]) -> None:
    error = kind.field("limit", "must be a number from 1 to 100")
    assert type(error) is kind
    assert error.message == "limit: must be a number from 1 to 100"
    assert error.errors == (FieldError("limit", "must be a number from 1 to 100"),)


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda: parse("(a OR b"), "query: a parenthesis is not closed"),
        (lambda: read_schedule("x", now=NOW), "schedule.expression: must be rate(value unit) or cron("),
        (lambda: read_schedule("rate(1 day)", "Mars", now=NOW), "schedule.timezone: 'Mars' is unknown"),
        (lambda: check_url("http://a.org"), "delivery.webhook.url: must begin with https://"),
        (lambda: read_citations({"context": CONTEXT, "text": "a" * 2_000_000}), "text: longer than "),
    ],
)
def test_each_reader_names_its_field_in_the_same_form(read: Callable[[], object], message: str) -> None:
    with pytest.raises(Unprocessable) as caught:
        read()
    assert caught.value.message.startswith(message)
    (fault,) = caught.value.errors
    assert caught.value.message == f"{fault.field}: {fault.message}"
