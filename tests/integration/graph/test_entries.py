"""An entry of `papers` is the id of one paper, whole, or refused: never a part of it that names another paper."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine


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
