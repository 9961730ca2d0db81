"""The route that a path which is none was probably meant to be, where a word stands before an id."""

from __future__ import annotations

import pytest

from shared.api.nearest_route import nearest_route


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("/v1/fulltext/PMC1", "GET /v1/papers/{id}/fulltext"),
        ("/v1/references/PMC1", "GET /v1/papers/{id}/references"),
        ("/v1/citations/10.1000/x", "GET /v1/papers/{id}/citations"),
        ("/similar/10.1000/x", "GET /v1/papers/{id}/similar"),
        ("/v1/contexts/debate/42", "GET /v1/graph/contexts/{type}/{id}"),
        ("/v1/facets/abc", "GET /v1/result-sets/{id}/facets"),
        ("/v1/paper/10.1000/x/reference", "GET /v1/papers/{id}/references"),
        ("/v1/usage/2026", None),
        ("/v1//x", None),
        ("/v1/", None),
    ],
)
def test_a_word_before_an_id_names_the_route_that_has_it_behind_the_id(path: str, nearest: str | None) -> None:
    assert nearest_route(path) == nearest
