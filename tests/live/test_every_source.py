"""The real APIs still answer in the form that the providers read. Opt-in: `make live`, never in CI."""

from __future__ import annotations

import pytest

from infra.functions import provider_names, provider_spec
from shared.outcomes import Outcome
from tests.live.sources import ask, missing


@pytest.mark.live
@pytest.mark.parametrize("name", provider_names())
def test_a_source_answers_in_the_form_that_its_provider_reads(name: str) -> None:
    if variable := missing(provider_spec(name)):
        pytest.skip(f"set {variable} to query {name}")
    reply = ask(name)
    assert reply.outcome is Outcome.OK, f"{reply.outcome.value}: {'; '.join(reply.warnings)}"
    assert reply.papers or reply.pointers
    assert all(paper.title or paper.asked for paper in reply.papers)
