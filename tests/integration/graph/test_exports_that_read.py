"""An export of papers by id adds them to the graph unless the caller says otherwise; a resource that is read never."""

from __future__ import annotations

import pytest

from infra.local.machine import Machine
from tests.integration.mcp_calls import called, resource
from tests.integration.result_sets.test_claims import sent_messages
from tests.integration.search.test_exports import file_of

PAPER = "10.7554/eLife.20391"


def test_an_export_by_id_joins_the_graph_unless_cite_in_kg_is_false(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = sent_messages(monkeypatch)
    assert "Kober" in called(local, "get_papers", ids=[PAPER], format="bibtex", cite_in_kg=False)["text"]
    assert "Kober" in resource(local, f"literature://exports?ids={PAPER}&format=bibtex")
    assert "Kober" in file_of(local, "GET", "/v1/exports", query={"ids": [PAPER], "cite_in_kg": ["false"]})[0]
    assert sent == []
    assert "Kober" in called(local, "get_papers", ids=[PAPER], format="bibtex")["text"]
    assert [paper["key"] for message in sent for paper in message["papers"]] == [f"doi:{PAPER.lower()}"]
