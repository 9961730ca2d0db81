"""An entry of `papers` is the id of one paper, whole, or refused: never a part of it that names another paper."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.errors import Unprocessable
from shared.graph.citation_request import read_citations


def cite(local: Machine, paper: str) -> tuple[int, Any]:
    body = {"context": {"type": "debate", "id": "entries"}, "papers": [paper]}
    answer = local.invoke("dispatcher", rest_event("POST", "/v1/citations", body=json.dumps(body)))
    return answer["statusCode"], json.loads(answer["body"])


@pytest.mark.parametrize("paper", ["10.1234/a=b", "10.1234/a,b", "10.1093/x<1>2"])
def test_an_entry_is_cited_as_the_whole_id(running: Machine, paper: str) -> None:
    status, answer = cite(running, paper)
    assert status == 200
    assert answer["mentions"][0]["id"] == f"doi:{paper}"


@pytest.mark.parametrize("paper", ["PMID:1\u0662\u0663", "10.1234/a b", "W1\u0662\u0663", "CorpusId:1\u0662"])
def test_an_entry_that_is_no_id_is_refused(running: Machine, paper: str) -> None:
    assert cite(running, paper)[0] == 422


@pytest.mark.parametrize(
    ("papers", "cited"),
    [
        ("10.1234/a,PMID:36107206", ["10.1234/a", "36107206"]),
        ("10.1234/a,b", ["10.1234/a,b"]),
        ("10.1234/a,10.1234/b;PMC12", ["10.1234/a", "10.1234/b", "PMC12"]),
        ("10.1234/a 10.1234/b", ["10.1234/a", "10.1234/b"]),
    ],
)
def test_one_text_cites_each_id_in_it(papers: str, cited: list[str]) -> None:
    _, mentions = read_citations({"context": {"type": "debate", "id": "entries"}, "papers": papers})
    assert [it.id for it in mentions] == cited


@pytest.mark.parametrize("paper", ["10.1234/a,PMID:36107206", "10.1234/a,10.1234/b", "10.1234/a,36107206"])
def test_an_entry_with_two_ids_is_refused(paper: str) -> None:
    with pytest.raises(Unprocessable):
        read_citations({"context": {"type": "debate", "id": "entries"}, "papers": [paper]})
