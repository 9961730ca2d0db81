"""Passages of a full text that has a table of more rows than sentences are read."""

from __future__ import annotations

import pytest

from infra.local.sandbox.texts import jats as jats_texts
from tests.integration.passages import QUESTION, new_machine, passages

FOLDING = "PMC8371605"
ROWS = "".join(f"<tr><td>{number}</td><td>1</td></tr>" for number in range(2_100))
TABLE = f"<sec><title>Genes</title><table-wrap><label>Table 1</label><table>{ROWS}</table></table-wrap></sec>"


def test_the_text_behind_a_long_table_is_read_and_the_reason_says_that_not_all_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    jats_of = jats_texts.jats_of
    for source in ("europe_pmc_text", "pmc_text"):
        monkeypatch.setattr(
            f"infra.local.sandbox.services.{source}.jats_of",
            lambda *given: jats_of(*given).replace("<body>", f"<body>{TABLE}"),
        )
    with new_machine() as local:
        answer = passages(local, question=QUESTION, ids=[FOLDING])
    best, (paper,) = answer["passages"][0], answer["read"]
    assert best["text"].startswith("Removing templates changed the median error by less than 0.1 angstrom")
    assert (best["of"], best["start"] > 15_000) == ("full_text", True)
    assert (paper["full_text"], paper["reason"]) == ("available", "not all of it was read, because it is long")
