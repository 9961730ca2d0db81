"""An optional provider is queried by a lookup only for papers that no other provider has."""

from __future__ import annotations

from typing import Any

import pytest

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Pointer
from shared.outcomes import Outcome
from shared.papers.links.lists import get_links
from shared.papers.request import LinksRequest
from shared.providers.capabilities import ProviderCapabilities
from shared.search.disciplines import default_providers, pick, unrelated
from tests.unit.papers.known_papers import CAPABILITIES, SEARCH, Sources, paper

DATACITE = ProviderCapabilities(operations={**SEARCH, "lookup": ("doi",)}, optional=True, registry=True)
DATA_SET, ARTICLE = "10.5281/zenodo.1", "10.1000/a"


def sources(**how: Any) -> Sources:
    records = [paper("datacite", doi=DATA_SET), paper("datacite", doi=ARTICLE), paper("crossref", doi=ARTICLE)]
    return Sources(records, capabilities={**CAPABILITIES, "datacite": DATACITE}, **how)


def test_it_is_not_queried_for_what_another_provider_has() -> None:
    it = sources()
    (found,) = it.look_up(f"doi:{ARTICLE}").requests
    assert it.queried_names("datacite") == []
    assert "datacite" not in [*found.outcomes, *found.may_know]


def test_it_is_queried_for_the_rest_once_the_others_have_answered() -> None:
    it = sources()
    article, data_set = it.look_up(f"doi:{ARTICLE}", f"doi:{DATA_SET}").requests
    assert it.queried_names("datacite") == [(f"doi:{DATA_SET}",)]
    assert [request.paper and request.paper.key for request in (article, data_set)] == [
        f"doi:{ARTICLE}", f"doi:{DATA_SET}",
    ]  # fmt: skip
    assert it.queries[-1].provider == "datacite"
    assert it.queries[-1].at > it.queries[0].at


def test_it_is_queried_among_the_first_if_the_request_names_it() -> None:
    it = sources()
    it.look_up(f"doi:{ARTICLE}", only={"datacite"})
    assert it.queried_names("datacite") == [(f"doi:{ARTICLE}",)]


@pytest.mark.parametrize(
    "failing", [{"broken": {"datacite": Outcome.UNAVAILABLE}}, {"needs_s": {"datacite": 60.0}}], ids=["fails", "late"]
)
def test_a_paper_that_it_may_hold_is_unanswered_if_it_does_not_answer(failing: dict[str, Any]) -> None:
    (request,) = sources(**failing).look_up(f"doi:{DATA_SET}").requests
    assert request.paper is None
    assert "datacite" in request.may_know


@pytest.mark.parametrize("answering", [[], ["unpaywall"]], ids=["none", "one of copies alone"])
def test_it_is_not_queried_if_no_index_answered(answering: list[str]) -> None:
    failing = {name: Outcome.UNAVAILABLE for name in CAPABILITIES if name not in answering}
    it = sources(broken=failing)
    (request,) = it.look_up(f"doi:{ARTICLE}").requests
    assert it.queried_names("datacite") == []
    assert not request.not_found


def test_a_slow_provider_leaves_time_for_it() -> None:
    (request,) = sources(needs_s={"crossref": 60.0}).look_up(f"doi:{DATA_SET}").requests
    assert request.paper
    assert request.paper.key == f"doi:{DATA_SET}"


def test_a_search_queries_it_only_by_name() -> None:
    disciplines = {"openalex": ["any"], "pubmed": ["biomedical"], "datacite": []}
    assert default_providers(disciplines) == {"openalex", "pubmed"}
    assert "datacite" not in pick(["protein folding"], disciplines)
    assert "datacite" not in unrelated(["school reform"], disciplines)


def test_it_is_not_queried_for_the_records_of_a_list() -> None:
    """A list has up to a hundred DOIs without a record, for which all sources are queried if the translator fails."""
    listed = {"crossref": [Pointer(rank=1, ids=Identifiers(doi=DATA_SET))]}
    it = Sources(
        [paper("datacite", doi=DATA_SET), paper("crossref", doi=ARTICLE)],
        listed,
        capabilities={**CAPABILITIES, "datacite": DATACITE},
        broken={"semantic_scholar": Outcome.UNAVAILABLE},
    )
    request = LinksRequest.model_validate({"id": ARTICLE})
    it.run(lambda dependencies: get_links("references", request, dependencies))
    assert it.queried_names("crossref")[-1] == (f"doi:{DATA_SET}",)
    assert it.queried_names("datacite") == []


@pytest.mark.parametrize(
    "failing", [{"broken": {"datacite": Outcome.UNAVAILABLE}}, {"needs_s": {"datacite": 60.0}}], ids=["fails", "late"]
)
def test_a_paper_is_not_called_absent_while_a_registry_that_may_hold_it_fails(failing: dict[str, Any]) -> None:
    (request,) = sources(**failing).look_up(f"doi:{DATA_SET}").requests
    assert not request.not_found


def test_an_optional_provider_that_is_no_registry_is_not_queried_for_the_rest() -> None:
    core = ProviderCapabilities(operations={**SEARCH, "lookup": ("doi",)}, optional=True)
    it = Sources(capabilities={**CAPABILITIES, "core": core})
    (request,) = it.look_up("doi:10.9999/nobody").requests
    assert request.not_found
    assert it.queried_names("core") == []


def test_an_id_that_only_a_registry_accepts_does_not_wait_for_the_others() -> None:
    trials = ProviderCapabilities(operations={**SEARCH, "lookup": ("nct",)}, optional=True, registry=True)
    it = sources(needs_s={"openalex": 6.0})
    it.capabilities = {**CAPABILITIES, "clinicaltrials": trials}
    trial, _ = it.look_up("nct:NCT04280705", f"doi:{ARTICLE}", timeout_ms=3_000).requests
    assert trial.outcomes["clinicaltrials"].answered
