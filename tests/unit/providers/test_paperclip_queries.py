"""Queries to Paperclip: one command line, whose user text can never become an option or a second command."""

from __future__ import annotations

import json
import shlex
from typing import Any

import httpx
import pytest

from functions.providers import paperclip
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.replay import ask, requests_of

NOTHING = {"output": "No papers found.", "exit_code": 0, "result_data": None}


def command(**fields: Any) -> str:
    """The arguments that a query sends."""
    query = Query(**{"text": "TREM2 microglia", **fields})
    (request,) = requests_of(paperclip, query, [NOTHING])
    return str(json.loads(request.content)["raw"])


def leg(**fields: Any) -> ProviderReply:
    query = Query(**{"text": "TREM2 microglia", **fields})
    return ask(paperclip, lambda request: httpx.Response(200, json=NOTHING), query)


def test_one_call_requests_rest_with_the_key_in_a_header() -> None:
    (request,) = requests_of(paperclip, Query(text="TREM2 microglia"), [NOTHING])
    assert (request.method, request.url.path, request.url.query) == ("POST", "/api/cli/execute", b"")
    assert request.headers["x-api-key"] == "secret-key"
    assert json.loads(request.content) == {
        "command": "search", "raw": "-s papers 'TREM2 microglia' -n 100 --all",
    }  # fmt: skip


def test_mcp_is_sent_the_same_command_and_takes_both_content_types() -> None:
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(404)

    ask(paperclip, answer, Query(text="TREM2 microglia"))
    request = sent[-1]
    assert (request.url.path, request.headers["x-api-key"]) == ("/mcp", "secret-key")
    assert request.headers["accept"] == "application/json, text/event-stream"
    body = json.loads(request.content)
    assert (body["jsonrpc"], body["method"], body["params"]["name"]) == ("2.0", "tools/call", "paperclip")
    call = body["params"]["arguments"]
    assert (call["command"], call["skip_truncation"]) == ("search -s papers 'TREM2 microglia' -n 100 --all", True)


BASE = "-s papers 'TREM2 microglia' -n 100 --all"


@pytest.mark.parametrize(
    ("fields", "arguments"),
    [
        pytest.param({}, BASE, id="words"),
        pytest.param({"limit": 7}, BASE.replace("100", "7"), id="limit"),
        pytest.param({"author": "Colonna M"}, f"{BASE} --author 'Colonna'", id="author"),
        pytest.param({"author": "Laurens van der Maaten"}, f"{BASE} --author 'van der Maaten'", id="particles"),
        pytest.param({"journal": "Cell"}, f"{BASE} --journal 'Cell'", id="journal"),
        pytest.param({"exclude_preprints": True}, BASE.replace("papers", "pmc"), id="no preprints"),
        pytest.param({"sort": "date"}, f"{BASE} --sort date", id="newest"),
        pytest.param({"sort": "citations"}, BASE, id="most cited"),
        pytest.param({"date_from": "2020", "date_to": "2020"}, BASE.replace("--all", "--year 2020"), id="a year"),
        pytest.param({"date_from": "2020-03", "date_to": "2020-05"}, BASE.replace("--all", "--year 2020"), id="months"),
        pytest.param(
            {"date_from": "2020-03-01", "date_to": "2020-03-09"}, BASE.replace("--all", "--year 2020"), id="days"
        ),
        pytest.param({"date_from": "2019", "date_to": "2020-02-29"}, f"{BASE} --since 2019-01-01", id="two years"),
        pytest.param({"date_from": "2020-05"}, f"{BASE} --since 2020-01-01", id="since"),
        pytest.param({"date_to": "2020-01-31"}, BASE, id="until"),
        pytest.param({"open_access": True}, BASE, id="open access"),
        pytest.param({"min_citations": 5}, BASE, id="citations"),
        pytest.param({"publication_types": ("review",)}, BASE, id="types"),
        pytest.param({"exclude_retracted": True}, BASE, id="no retracted"),
        pytest.param({"text": "How do microglia clear amyloid?"},
                     "-s papers 'How do microglia clear amyloid?' -n 100 --all", id="a whole question"),
        pytest.param({"text": "TREM2[tiab] AND au:colonna AND 2015:2020[dp]"},
                     "-s papers 'TREM2' -n 100 --all", id="tags"),
        pytest.param({"text": '"base editing"'}, "-s papers 'base editing' -e -n 100 --all", id="one phrase"),
        pytest.param({"text": '"base editing" AND (mouse OR rat) NOT "review article"'},
                     "-s papers 'base editing mouse rat' -n 100 --all", id="operators"),
    ],
)  # fmt: skip
def test_a_query_becomes_arguments(fields: dict[str, Any], arguments: str) -> None:
    assert command(**fields) == arguments


@pytest.mark.parametrize(
    ("text", "argument"),
    [
        ("x' -s fda 'y", "x' -s fda 'y"),
        ("Alzheimer's disease", "Alzheimer's disease"),
        ("it''s", "it''s"),
        ("a; rm -rf /x", "a; rm -rf /x"),
        ("$(id) `id` | cat > x & y", None),
        ("back\\slash\\", "back\\slash\\"),
        ("-n 1000", "n 1000"),
        ("--help me", "help me"),
        ("/fda/us pembrolizumab", "fda/us pembrolizumab"),
        ("line\nbreak\r\n\ttab", "line break tab"),
        ("zero\x00byte\x1b~2m", "zero byte ~2m"),
        ("γ-secretase β≥2", "γ-secretase β≥2"),
    ],
    ids=["injection", "apostrophe", "two quotes", "semicolon", "substitution", "backslashes", "option", "long option",
         "corpus path", "line breaks", "control characters", "greek"],
)  # fmt: skip
@pytest.mark.parametrize("field", ["text", "journal"])
def test_user_text_is_one_argument(field: str, text: str, argument: str | None) -> None:
    raw = command(**{field: text})
    words = shlex.split(raw)
    place = 2 if field == "text" else words.index(f"--{field}") + 1
    assert words[place] == (argument or words[place])
    assert words[:2] == ["-s", "papers"]
    assert len(words) == (6 if field == "text" else 8)
    assert raw.isprintable()


@pytest.mark.parametrize("name", ["x' -s fda '", "O'Neill", "--all Lee", "a; rm -rf /", "/fda Lee"])
def test_an_author_is_one_argument(name: str) -> None:
    words = shlex.split(command(author=name))
    assert words[:2] == ["-s", "papers"]
    assert len(words) == 8
    assert not words[words.index("--author") + 1].startswith(("-", "/"))


def test_a_rendered_query_keeps_the_quotes_closed_for_any_number_of_them() -> None:
    for quotes in range(1, 6):
        assert shlex.split(command(text=f"a{chr(39) * quotes}b"))[2] == f"a{chr(39) * quotes}b"


@pytest.mark.parametrize(
    ("fields", "unsupported"),
    [
        ({"min_citations": 5}, ("min_citations",)),
        ({"publication_types": ("review",)}, ("publication_types",)),
        ({"exclude_retracted": True}, ("exclude_retracted",)),
        ({"text": "tea OR coffee"}, ("operators",)),
        ({"text": '"green tea"'}, ("operators",)),
        ({"open_access": True}, ("open_access",)),
        ({"date_to": "2020"}, ("date",)),
        ({"author": "Lee", "journal": "Cell", "exclude_preprints": True, "date_from": "2020"}, ()),
    ],
    ids=["citations", "types", "retracted", "operators", "one phrase", "open access", "to a date", "applied"],
)
def test_filters_that_paperclip_does_not_apply_are_reported(
    fields: dict[str, Any], unsupported: tuple[str, ...]
) -> None:
    assert leg(**fields).unsupported_filters == unsupported


@pytest.mark.parametrize(
    ("fields", "word"),
    [({"text": "tea NOT coffee"}, "NOT"), ({"date_to": "2019"}, "dates"), ({"sort": "citations"}, "cannot sort")],
    ids=["operators", "range of years", "sort"],
)
def test_an_approximation_is_reported(fields: dict[str, Any], word: str) -> None:
    (warning,) = leg(**fields).warnings
    assert word in warning


def test_a_plain_query_has_no_warnings() -> None:
    assert leg(date_from="2020-01", date_to="2020-12", sort="date").warnings == ()


def test_the_effective_query_is_the_command_without_the_key() -> None:
    assert leg().effective_query == f"search {BASE}"


@pytest.mark.parametrize("status", [200, 401, 404, 429, 500])
def test_the_key_is_never_reported(status: int) -> None:
    body = {**NOTHING, "detail": "secret-key"} if status != 200 else NOTHING
    reply = ask(paperclip, lambda request: httpx.Response(status, json=body), Query(text="TREM2"))
    assert "secret-key" not in f"{reply.effective_query} {reply.warnings}"


def test_without_a_key_no_request_is_sent() -> None:
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json=NOTHING)

    reply = ask(paperclip, answer, Query(text="TREM2"), key=None)
    assert (reply.outcome, sent) == (Outcome.SKIPPED_NO_KEY, [])


def test_a_lower_date_alone_needs_no_warning() -> None:
    assert leg(date_from="2019-03").warnings == ()


@pytest.mark.parametrize(
    "message",
    [
        "ERR: search: unknown option: --all\n[exit 2]",
        "ERR: search: no such option: --all",
        "Error: No such option --all",
    ],
)
@pytest.mark.parametrize("rest", [True, False], ids=["REST", "MCP"])
def test_an_option_that_this_release_does_not_know_is_left_out(message: str, rest: bool) -> None:
    """`--all` and `--since`."""
    sent: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        if request.url.path != "/mcp" and not rest:
            return httpx.Response(404)
        line = body["raw"] if rest else body["params"]["arguments"]["command"]
        sent.append(line)
        text = message if "--all" in line else "No papers found."
        content = {"result": {"content": [{"type": "text", "text": text}]}}
        return httpx.Response(200, json={"output": text, "exit_code": 0} if rest else content)

    reply = ask(paperclip, answer, Query(text="TREM2 microglia", date_from="2020"))
    assert ["--all" in line for line in sent] == [True, False]
    assert ["--since" in line for line in sent] == [True, True]
    assert (reply.outcome, "--all" in str(reply.effective_query)) == (Outcome.EMPTY, False)
    assert any("older papers may be missing" in warning for warning in reply.warnings)


def test_a_refused_date_is_left_out_and_an_option_that_was_not_sent_is_an_error() -> None:
    sent: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.content)["raw"])
        return httpx.Response(200, json={"output": "ERR: search: --since must be a window", "exit_code": 0})

    reply = ask(paperclip, answer, Query(text="TREM2 microglia", date_from="2020"))
    assert ["--since" in line for line in sent] == [True, False]
    assert reply.outcome is Outcome.BAD_RESPONSE


def test_a_date_that_was_refused_is_not_called_applied() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        refused = "--since" in json.loads(request.content)["raw"]
        return httpx.Response(200, json={"output": "ERR: search: no --since" if refused else "No papers found"})

    reply = ask(paperclip, answer, Query(text="TREM2 microglia", date_from="2020"))
    assert (reply.outcome, reply.unsupported_filters) == (Outcome.EMPTY, ("date",))


def test_an_author_without_a_text_is_not_searched_for() -> None:
    assert leg(text="", author="Jennifer Doudna").outcome is Outcome.SKIPPED_UNSUPPORTED_FILTER
