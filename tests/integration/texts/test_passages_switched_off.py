"""The text of a paper while a source that may know a copy of it is switched off: nobody can say that there is none."""

from __future__ import annotations

import pytest

from infra.source_switch import main
from tests.integration.passages import QUESTION, new_machine, passages, send

CLOSED = "10.1016/s0140-6736(24)02716-8"


def test_a_text_is_unanswered_in_passages_as_in_full_texts(capsys: pytest.CaptureFixture[str]) -> None:
    with new_machine() as local:
        main(["off", "unpaywall", "--reason", "maintenance", "--table", "local-provider-budgets"])
        capsys.readouterr()
        _, text = send(local, "GET", f"/v1/papers/{CLOSED}/fulltext")
        answer = passages(local, question=QUESTION, ids=[CLOSED])
    assert answer["providers"]["unpaywall"]["outcome"] == "skipped_disabled"
    assert (text["status"], answer["papers_read"]) == ("unanswered", {"unanswered": 1})


def test_the_same_text_is_not_open_when_every_source_has_answered() -> None:
    with new_machine() as local:
        assert passages(local, question=QUESTION, ids=[CLOSED])["papers_read"] == {"not_open": 1}
