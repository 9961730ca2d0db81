"""`fetch` keeps its `max_tokens` with a resource as well: JSON by the API, and files and the rest by a cut text."""

from __future__ import annotations

import json
import re

import pytest

from functions.mcp_server.resources import TEMPLATES
from infra.local.machine import Machine
from shared.api.operations import OPERATIONS
from shared.client.resources import READABLE, SIZED, TEXT_TOKENS
from shared.search.sizes.token_budget import tokens
from tests.integration.mcp_calls import called, message, rpc


@pytest.fixture(scope="module")
def cited(running: Machine) -> str:
    """The address of a context with many papers."""
    found = called(running, "literature_search", query="TREM2", max_results=30, fields=["key"])["results"]
    papers = [it["key"] for it in found]
    called(running, "cite_in_context", context={"type": "debate", "id": "budget"}, papers=papers)
    running.drain_queue()
    return "literature://graph/contexts/debate/budget"


@pytest.mark.parametrize("most", [700, 1_500, 4_000])
def test_a_resource_is_within_its_budget_and_names_its_next_page(running: Machine, cited: str, most: int) -> None:
    fetched = called(running, "fetch", id=cited, max_tokens=most)
    assert tokens(fetched) <= most
    assert json.loads(fetched["text"])["next_cursor"]
    assert "truncated" not in fetched["metadata"]


def test_a_resource_without_a_budget_has_that_of_a_full_text(running: Machine, cited: str) -> None:
    address = (
        "literature://result-sets/"
        + called(running, "literature_search", query="TREM2", max_results=100, cite_in_kg=False)["result_set_id"]
    )
    whole = f"{address}?max_results=100&detail=full"
    fetched, (content,) = (
        called(running, "fetch", id=whole),
        rpc(running, "resources/read", {"uri": whole})["result"]["contents"],
    )
    assert tokens(fetched) <= TEXT_TOKENS
    assert tokens(content) <= TEXT_TOKENS
    assert json.loads(content["text"])["next_cursor"]
    result_set_id = address.rpartition("/")[2]
    file = called(running, "fetch", id=f"literature://exports?result_set_id={result_set_id}&format=bibtex")["text"]
    assert tokens(file) > TEXT_TOKENS  # half a file is of no use


def test_the_budget_of_an_address_counts_as_well(running: Machine, cited: str) -> None:
    few = called(running, "fetch", id=f"{cited}?max_tokens=500", max_tokens=4_000)
    assert json.loads(few["text"]) == json.loads(called(running, "fetch", id=f"{cited}?max_tokens=500")["text"])


def least_named(running: Machine, **arguments: object) -> int:
    """The budget that the error about one that is too small names."""
    (error,) = message(running, "fetch", arguments)["structuredContent"]["errors"]
    assert error["field"] == "max_tokens"
    return int(re.findall(r"takes (\d+)", error["message"])[0])


def test_a_budget_that_is_too_small_is_refused_with_one_that_is_enough(running: Machine, cited: str) -> None:
    least = least_named(running, id=cited, max_tokens=300)
    assert tokens(called(running, "fetch", id=cited, max_tokens=least)) <= least
    assert least_named(running, id=f"{cited}?max_tokens=300") < least


def test_a_budget_too_small_for_a_section_is_refused_with_one_that_is_enough(running: Machine) -> None:
    for_any = least_named(running, id="PMC8371605", section="1", max_tokens=300)
    least = least_named(running, id="PMC8371605", section="1", max_tokens=for_any)
    assert least > for_any
    assert called(running, "fetch", id="PMC8371605", section="1", max_tokens=least)["text"]


@pytest.mark.parametrize("path", ["providers", "graph/export?format=csv&limit=50"])
def test_a_text_that_the_api_cannot_cut_says_that_it_was_cut(running: Machine, cited: str, path: str) -> None:
    fetched = called(running, "fetch", id=f"literature://{path}", max_tokens=600)
    assert tokens(fetched) <= 600
    assert fetched["metadata"].get("truncated") or fetched["metadata"]["next_cursor"]


def test_a_file_names_its_next_page(running: Machine, cited: str) -> None:
    first = called(running, "fetch", id="literature://graph/export?format=csv&limit=2")
    cursor = first["metadata"]["next_cursor"]
    assert called(running, "fetch", id=f"literature://graph/export?format=csv&limit=2&cursor={cursor}")["text"]


def test_a_section_of_a_resource_is_refused(running: Machine, cited: str) -> None:
    (error,) = message(running, "fetch", {"id": cited, "section": "1"})["structuredContent"]["errors"]
    assert error["field"] == "section"


def test_each_route_gets_the_budget_that_it_takes() -> None:
    paths = {it.path.removeprefix("/v1/"): it for it in OPERATIONS if it.method == "GET"}
    readable = {path: it for path, it in paths.items() if path.partition("/")[0] in READABLE}
    takes = {
        path
        for path, it in readable.items()
        if "max_tokens" in {*(it.request.model_fields if it.request else ()), *(each["name"] for each in it.parameters)}
    }
    assert {path for path in readable if SIZED.fullmatch(path)} == takes


def test_the_templates_name_parameters_of_their_routes() -> None:
    routes = {it.path.removeprefix("/v1/"): it for it in OPERATIONS if it.method == "GET"}
    for template in TEMPLATES:
        path, _, listed = template.replace("{+id}", "{id}").partition("{?")
        route, named = routes[path], set(listed.removesuffix("}").split(",")) - {""}
        fields = route.request.model_fields if route.request else {}
        taken = {*fields, *(it["name"] for it in route.parameters)}
        assert named <= taken, path
        if "cursor" in named and "detail" in taken:  # the next page in the size of the first
            assert "detail" in named, path


@pytest.mark.parametrize("path", ["papers/PMC8371605", "papers/PMC8371605/fulltext", "papers/PMC8371605/references"])
def test_every_part_of_a_paper_is_a_resource(running: Machine, path: str) -> None:
    """A full text is recorded nowhere, so that its route knows no `cite_in_kg`."""
    (content,) = rpc(running, "resources/read", {"uri": f"literature://{path}"})["result"]["contents"]
    assert json.loads(content["text"])["content_trust"] == "untrusted_external"
    assert tokens(content) <= TEXT_TOKENS


def test_an_address_that_ends_like_a_full_text_is_read_as_the_paper_that_it_is(running: Machine) -> None:
    address = "literature://papers/https://www.thelancet.com/journals/lancet/article/PIIS0140-6736(20)31180-6/fulltext"
    before = called(running, "fetch", id="literature://graph/stats")["text"]
    answer = rpc(running, "resources/read", {"uri": address})
    assert "cite_in_kg" not in json.dumps(answer)
    running.drain_queue()
    assert called(running, "fetch", id="literature://graph/stats")["text"] == before
