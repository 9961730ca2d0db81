"""Without the setting, no re-ranker is imported, invoked or mentioned."""

from __future__ import annotations

import os
import sys

from tests.integration.passages import QUESTION, new_machine, passages
from tests.integration.reranking import FUNCTION, reasons, search


def test_without_the_setting_nothing_of_it_is_there() -> None:
    for name in [it for it in sys.modules if it.startswith("functions.reranker") or it.endswith("reranker_call")]:
        del sys.modules[name]
    with new_machine() as plain:
        assert FUNCTION not in plain.functions
        assert "RERANKER_FUNCTION" not in os.environ
        found, answer = search(plain), passages(plain, question=QUESTION, ids=["PMC8371605"])
    assert {it["score_parts"]["rerank"] for it in answer["passages"]} == {None}
    assert not any("rerank" in it["score_parts"] for it in found["results"])
    assert not [it for it in sys.modules if it.startswith("functions.reranker") or it.endswith("reranker_call")]
    assert not {"reranked", "not_reranked"} & {*reasons(found), *reasons(answer)}
