"""Paperclip's answers: REST and MCP, structured and rendered, zero hits, errors, and what is not a list of papers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from functions.providers import paperclip
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from tests.recorded.every_recording import expected, folder, manifest, needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS, ask, replay
from tests.unit.providers.test_paperclip_records import over_mcp

OWN = OWN_RECORDINGS / "paperclip"
FOUND = "Found 1 papers\n\n  1. A title\n     PMC1 · PMC · 2020-02-02\n"
TOO_MANY = "ERR: you've hit the daily limit on searches"
Answer = Callable[[httpx.Request], httpx.Response]


def executed(output: str, **fields: Any) -> dict[str, Any]:
    return {"output": output, "exit_code": 0, "result_data": None, **fields}


def called(text: str, **fields: Any) -> dict[str, Any]:
    result = {"content": [{"type": "text", "text": text}], "isError": False, **fields}
    return {"jsonrpc": "2.0", "id": 1, "result": result}


def after(rest: httpx.Response, mcp: httpx.Response) -> tuple[ProviderReply, list[str]]:
    """The leg when REST and MCP answer like this, and the requested paths."""
    requested: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requested.append(request.url.path)
        return mcp if request.url.path == "/mcp" else rest

    return ask(paperclip, answer), requested


def mcp_only(mcp: httpx.Response) -> ProviderReply:
    return after(httpx.Response(404), mcp)[0]


def test_structured_hits_go_before_rendered_ones() -> None:
    leg = replay(paperclip, OWN / "rest_structured.json")
    assert [paper.abstract is None for paper in leg.papers] == [False, True]
    assert (leg.outcome, leg.total_estimate, leg.warnings) == (Outcome.OK, 2, ())


def test_a_missing_result_data_is_read_from_the_coloured_list() -> None:
    leg = replay(paperclip, OWN / "rest_rendered_only.json")
    assert [paper.ids.paperclip for paper in leg.papers] == [
        "arx_2205.02150", "arx_2510.12536", "bio_16a264296e32", "PMC3679127", "arx_math0411250", "PMC6253932",
    ]  # fmt: skip
    assert (leg.total_estimate, leg.warnings) == (6, ())


def test_an_empty_result_data_beside_a_full_list_is_not_empty() -> None:
    leg = replay(paperclip, executed(FOUND, result_data={"papers": []}))
    assert (leg.outcome, len(leg.papers)) == (Outcome.OK, 1)


def test_json_in_place_of_the_list_is_read_over_both_interfaces() -> None:
    text = (OWN / "json_in_text.txt").read_text(encoding="utf-8")
    over_rest, mcp = replay(paperclip, executed(text)), over_mcp(OWN / "json_in_text.txt")
    assert [paper.ids.paperclip for paper in over_rest.papers] == ["PMC8341708", "med_3287fa4e6d00"]
    assert over_rest.papers == mcp.papers


def test_fewer_hits_than_announced_are_reported() -> None:
    leg = replay(paperclip, executed(FOUND.replace("1 papers", "3 papers")))
    assert leg.warnings == ("Paperclip announced 3 papers and listed 1",)


def test_a_broken_hit_is_skipped_and_the_others_are_returned() -> None:
    hits = [{"document_id": "PMC1", "title": None}, "no object", {"document_id": "PMC2", "title": "Kept"}]
    leg = replay(paperclip, executed("", result_data={"papers": hits}))
    assert [(paper.rank, paper.title) for paper in leg.papers] == [(3, "Kept")]
    assert len(leg.warnings) == 2


@pytest.mark.parametrize("name", ["zero_hits.txt", "zero_lookup.txt"])
def test_nothing_found_is_empty(name: str) -> None:
    text = (OWN / name).read_text(encoding="utf-8")
    for leg in (replay(paperclip, executed(text)), over_mcp(OWN / name)):
        assert (leg.outcome, leg.papers, leg.total_estimate) == (Outcome.EMPTY, (), 0)


@pytest.mark.parametrize(
    "body",
    [
        executed("No results found.\n[12ms]"),
        executed("Found 0 papers  [s_1]"),
        executed("", result_data={"papers": []}),
    ],
    ids=["no results", "found 0", "structured"],
)
def test_other_forms_of_zero_hits_are_empty(body: dict[str, Any]) -> None:
    assert replay(paperclip, body).outcome is Outcome.EMPTY


NO_LISTS: list[tuple[str, Any]] = [
    ("no text", executed("")),
    ("only a footer", executed("[12ms]")),
    ("more hits than a number counts", executed(f"Found {'9' * 5_000} papers\n\n  1. A title\n     PMC1")),
    ("hits announced, none listed", executed("Found 5 papers  [s_1]\n\n???")),
    ("hits that are proteins", executed("Found 1 proteins\n\n  1. CTLA4\n     P16410\n     Homo sapiens · 223 aa\n")),
    ("broken JSON in the text", executed('{"papers": [{"document_id"')),
    ("a list", [{"document_id": "PMC1", "title": "A title"}]),
    ("a detail under 200", {"detail": "Something went wrong"}),
    ("another service", {"results": []}),
    ("an apology beside no hits", executed("Search is busy, come back later.", result_data={"papers": []})),
]


@pytest.mark.parametrize("body", [body for _, body in NO_LISTS], ids=[name for name, _ in NO_LISTS])
def test_an_answer_without_a_list_is_a_bad_response(body: Any) -> None:
    leg = replay(paperclip, json.dumps(body))
    assert (leg.outcome, leg.papers) == (Outcome.BAD_RESPONSE, ())


@pytest.mark.parametrize("name", ["error_in_text.txt", "directory.txt", "trials.txt"])
def test_texts_of_other_commands_are_bad_responses(name: str) -> None:
    assert over_mcp(OWN / name).outcome is Outcome.BAD_RESPONSE


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (executed("ERR: search: timeout\n[exit 1]"), Outcome.BAD_RESPONSE),
        (executed("Error: search requires a source flag (-s)."), Outcome.BAD_RESPONSE),
        (executed("something\n[exit 2]"), Outcome.BAD_RESPONSE),
        (executed(FOUND, exit_code=1), Outcome.BAD_RESPONSE),
        (executed(TOO_MANY), Outcome.RATE_LIMITED),
    ],
    ids=["ERR", "Error", "exit line", "exit code", "limit"],
)
def test_an_error_with_status_200_is_a_failure_and_is_not_retried(body: dict[str, Any], outcome: Outcome) -> None:
    leg, requested = after(httpx.Response(200, json=body), httpx.Response(200, json=called(FOUND)))
    assert (leg.outcome, requested) == (outcome, ["/api/cli/execute"])


def test_an_error_does_not_repeat_the_servers_text() -> None:
    leg = replay(paperclip, executed("ERR: key gxl_verysecret is odd"))
    assert leg.warnings == ("Paperclip's shell answered with an error instead of papers",)


@pytest.mark.parametrize(
    "rest",
    [
        httpx.Response(503),
        httpx.Response(404, json={"detail": "Not Found"}),
        httpx.Response(200, text="<html>", headers={"content-type": "text/html"}),
        httpx.Response(200, json={"output": "Found"}),
    ],
    ids=["unavailable", "gone", "html", "no list"],
)
def test_mcp_is_called_when_rest_fails_and_the_report_says_so(rest: httpx.Response) -> None:
    leg, requested = after(rest, httpx.Response(200, json=called(FOUND)))
    assert (leg.outcome, [paper.ids.pmcid for paper in leg.papers]) == (Outcome.OK, ["PMC1"])
    assert requested[-1] == "/mcp"
    assert leg.warnings[0].startswith("REST failed (Paperclip")
    assert leg.warnings[0].endswith("queried over MCP instead")


@pytest.mark.parametrize(
    ("status", "outcome", "requests"),
    [(429, Outcome.RATE_LIMITED, 3), (401, Outcome.UNAVAILABLE, 1), (403, Outcome.UNAVAILABLE, 1),
     (400, Outcome.BAD_RESPONSE, 1), (422, Outcome.BAD_RESPONSE, 1)],
)  # fmt: skip
def test_a_rate_limit_a_refused_key_and_a_rejected_request_do_not_fall_back_to_mcp(
    status: int, outcome: Outcome, requests: int
) -> None:
    leg, requested = after(httpx.Response(status, json={"detail": "no"}), httpx.Response(200, json=called(FOUND)))
    assert (leg.outcome, requested) == (outcome, ["/api/cli/execute"] * requests)


@pytest.mark.parametrize(("status", "outcome"), [(503, Outcome.UNAVAILABLE), (404, Outcome.BAD_RESPONSE)])
def test_when_both_fail_the_leg_fails(status: int, outcome: Outcome) -> None:
    leg, requested = after(httpx.Response(status), httpx.Response(status))
    assert (leg.outcome, leg.papers, requested[-1]) == (outcome, (), "/mcp")


EVENTS = {
    "one event": f"data: {json.dumps(called(FOUND))}\n\n",
    "carriage returns": f"event: message\r\nid: 7\r\ndata: {json.dumps(called(FOUND))}\r\n\r\n",
    "notices before": f': hello\n\ndata: \n\ndata: {{"jsonrpc": "2.0", "method": "notifications/progress"}}\n\n'
    f"data: {json.dumps(called(FOUND))}\n\n",
    "data over lines": "".join(f"data: {line}\n" for line in json.dumps(called(FOUND), indent=1).splitlines()),
}


@pytest.mark.parametrize("stream", EVENTS.values(), ids=EVENTS.keys())
def test_a_stream_of_events_is_read_like_a_body(stream: str) -> None:
    leg = mcp_only(httpx.Response(200, text=stream, headers={"content-type": "text/event-stream; charset=utf-8"}))
    assert [paper.title for paper in leg.papers] == ["A title"]


@pytest.mark.parametrize(
    ("message", "outcome"),
    [
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Unknown tool"}}, Outcome.BAD_RESPONSE),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "Too many requests"}}, Outcome.RATE_LIMITED),
        ({"jsonrpc": "2.0", "id": 1, "error": "odd"}, Outcome.BAD_RESPONSE),
        (called(FOUND, isError=True), Outcome.BAD_RESPONSE),
        (called(FOUND, content=None), Outcome.BAD_RESPONSE),
        (called(FOUND, content=[]), Outcome.BAD_RESPONSE),
        ([], Outcome.BAD_RESPONSE),
        ("text", Outcome.BAD_RESPONSE),
    ],
    ids=["error", "limit", "odd error", "tool error", "no content", "empty content", "list", "text"],
)
def test_mcp_answers_without_hits(message: Any, outcome: Outcome) -> None:
    assert mcp_only(httpx.Response(200, json=message)).outcome is outcome


def test_a_stream_without_an_answer_is_a_bad_response() -> None:
    stream = httpx.Response(200, text=": ping\n\n", headers={"content-type": "text/event-stream"})
    assert mcp_only(stream).outcome is Outcome.BAD_RESPONSE


@needs_recordings
@pytest.mark.parametrize("name", sorted(expected("paperclip")))
def test_every_recording_ends_as_judged(name: str) -> None:
    """The text recordings are what the MCP tool answered, without its envelope."""
    leg = replay_recording(paperclip, name) if name.endswith(".json") else over_mcp(folder("paperclip") / name)
    assert [leg.outcome.value, len(leg.papers)] == expected("paperclip")[name]


@needs_recordings
def test_the_judgements_cover_every_recording() -> None:
    recorded = {path.name for path in folder("paperclip").iterdir()} - {"manifest.json"}
    assert set(expected("paperclip")) == recorded == set(manifest("paperclip"))
