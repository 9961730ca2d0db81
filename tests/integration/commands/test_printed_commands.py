"""The command line prints what the service says, whatever signs are in it, and wrong settings are wrong usage."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, cast

import pytest
from pytest_httpserver import HTTPServer

from infra.local.__main__ import _parser, main
from infra.local.show import show_answer

if TYPE_CHECKING:
    from shared.answers.search import SearchAnswer

# Codes of pictures, markup, and signs that a terminal moves by.
SIGNS = [
    "x :dna: y",
    "tab\there",
    "a\rb",
    "bell\x07",
    "[bold]x[/bold]",
    "quote ' and \" $HOME `id`",
    "two\nlines",
    "𝛽 中",
]


def _answer(query: str) -> SearchAnswer:
    answer = {
        "results": [],
        "returned": 0,
        "total_count": 0,
        "search_time_ms": 1,
        "cache": "miss",
        "complete": True,
        "providers": {},
        "hints": [{"reason": "spelling", "message": f"Did you mean: {query}"}],
        "next_actions": [{"tool": "literature_search", "arguments": {"query": query}, "why": "it helps"}],
    }
    return cast("SearchAnswer", answer)


@pytest.mark.parametrize("query", SIGNS)
def test_an_offered_command_is_printed_as_it_can_be_pasted(query: str, capfd: pytest.CaptureFixture[str]) -> None:
    show_answer(_answer(query), sandbox=True)
    printed = capfd.readouterr().out.partition("next (it helps): ")[2]
    options = _parser().parse_args(shlex.split(printed.partition("infra.local ")[2]))
    assert options.words == query


def test_a_code_of_a_picture_in_a_hint_stays_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    show_answer(_answer("x :dna: y"), sandbox=True)
    assert "hint (spelling): Did you mean: x :dna: y\n" in capsys.readouterr().out


@pytest.mark.parametrize("url", ["ftp://x", "localhost:8080", "http://[::1", "http://"])
def test_an_address_that_is_none_is_wrong_usage(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The help: 1 no answer, 2 wrong usage."""
    monkeypatch.setenv("LITERATURE_SEARCH_URL", url)
    assert main(["search", "TREM2"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"LITERATURE_SEARCH_URL is '{url}'" in shown.err


@pytest.mark.parametrize("url", ["ftp://user:secret@host/", "user:secret@host", "http://user:secret@[::1"])
def test_no_password_of_an_address_is_printed(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITERATURE_SEARCH_URL", url)
    assert main(["search", "TREM2"]) == 2
    assert "secret" not in "".join(capsys.readouterr())


def test_a_redirect_names_where_it_leads(
    httpserver: HTTPServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {"location": "https://user:secret@api.example.org/v1/literature-search"}
    httpserver.expect_request(re.compile(".*")).respond_with_data("", 301, headers)
    monkeypatch.setenv("LITERATURE_SEARCH_URL", httpserver.url_for(""))
    assert main(["search", "TREM2"]) == 2
    shown = capsys.readouterr().err
    assert "LITERATURE_SEARCH_URL redirects to https://api.example.org\n" in shown
    assert "secret" not in shown


@pytest.mark.parametrize("key", ["schlüssel", " ", "key "])
def test_a_key_that_is_none_is_wrong_usage(
    key: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITERATURE_SEARCH_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("LITERATURE_SEARCH_API_KEY", key)
    assert main(["search", "TREM2"]) == 2
    assert "LITERATURE_SEARCH_API_KEY" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (403, '{"message": "Forbidden"}', "error: Forbidden\ntry: Send a valid API key."),  # API Gateway's own words
        (502, "<html>Bad Gateway</html>", "answered HTTP 502 without a JSON object"),
        (200, "<html>Log in</html>", "answered HTTP 200 without a JSON object"),
        (200, "[]", "answered HTTP 200 without a JSON object"),
    ],
)
@pytest.mark.parametrize("command", [["search", "TREM2", "--format", "bibtex"], ["exhaustive", "TREM2"]], ids=" ".join)
def test_an_answer_that_is_not_the_apis_is_no_answer(
    status: int, body: str, said: str, command: list[str], httpserver: HTTPServer,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    httpserver.expect_request(re.compile(".*")).respond_with_data(body, status)
    monkeypatch.setenv("LITERATURE_SEARCH_URL", httpserver.url_for(""))
    assert main(command) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err
