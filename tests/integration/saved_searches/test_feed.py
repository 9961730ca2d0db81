"""The feed of a saved search: pages without gap or repetition, only what is requested, 304, and Atom's links."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from xml.etree.ElementTree import fromstring

import pytest

from infra.local.machine import Machine
from shared.search.sizes.token_budget import tokens
from tests.integration.saved_searches.requests import DAILY, PATH, Answer, add_events, save, send

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def saved(running: Machine) -> Iterator[dict[str, Any]]:
    made = save(running)
    yield made
    send(running, "DELETE", f"{PATH}/{made['id']}")


def read(running: Machine, saved: dict[str, Any], **parameters: Any) -> Answer:
    answer = send(running, "GET", f"{PATH}/{saved['id']}/new", **parameters)
    assert answer.status == 200, answer.text
    return answer


def numbers(running: Machine, saved: dict[str, Any], **parameters: Any) -> list[int]:
    return [event["number"] for event in read(running, saved, **parameters).json["events"]]


def follow(running: Machine, address: str) -> Answer:
    parameters: dict[str, Any] = dict(parse_qsl(urlsplit(address).query))
    return send(running, "GET", urlsplit(address).path, **parameters)


def test_a_feed_is_empty_before_the_first_event(running: Machine, saved: dict[str, Any]) -> None:
    assert read(running, saved).json == {
        "saved_search": {"id": saved["id"], "name": saved["name"]},
        "events": [],
        "next_cursor": None,
        "content_trust": "untrusted_external",
    }
    atom = fromstring(read(running, saved, format="atom").text)
    assert (atom.findall(f"{ATOM}entry"), atom.findtext(f"{ATOM}updated")) == ([], saved["created_at"])


@pytest.mark.parametrize("limit", [1, 7, 100])
def test_pages_have_every_event_once_the_newest_first_while_new_ones_come(
    running: Machine, saved: dict[str, Any], limit: int
) -> None:
    add_events(saved, range(1, 41))
    last, read_so_far, cursor = 40, [], ""
    while True:
        page = read(running, saved, limit=limit, cursor=cursor).json
        assert len(page["events"]) <= limit
        read_so_far += [event["number"] for event in page["events"]]
        add_events(saved, range(last + 1, last + 3))
        last += 2
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert read_so_far == list(range(40, 0, -1))
    newer = numbers(running, saved, after=f"{saved['id']}-{40:08d}", limit=100)
    assert newer == list(range(last, 40, -1))[:100]


@pytest.mark.parametrize("after", ["12", "00000012", "{id}-00000012"])
def test_events_after_a_cursor_are_the_later_ones(running: Machine, saved: dict[str, Any], after: str) -> None:
    add_events(saved, range(1, 21))
    assert numbers(running, saved, after=after.format(id=saved["id"])) == list(range(20, 12, -1))
    page = read(running, saved, after=after.format(id=saved["id"]), limit=5).json
    assert [event["number"] for event in page["events"]] == [20, 19, 18, 17, 16]
    rest = read(running, saved, after=after.format(id=saved["id"]), limit=5, cursor=page["next_cursor"]).json
    assert ([event["number"] for event in rest["events"]], rest["next_cursor"]) == ([15, 14, 13], None)


def test_types_are_selected_and_the_baseline_is_returned_only_on_request(
    running: Machine, saved: dict[str, Any]
) -> None:
    add_events(saved, range(1, 31), "baseline")
    add_events(saved, range(31, 33))
    add_events(saved, range(33, 34), "retracted")
    assert numbers(running, saved) == numbers(running, saved, types=",") == [33, 32, 31]
    assert numbers(running, saved, types="retracted, new_paper ,") == [33, 32, 31]
    assert numbers(running, saved, types="baseline", limit=3) == [30, 29, 28]
    page = read(running, saved, types="baseline,retracted", limit=20).json
    assert [event["number"] for event in page["events"]] == [33, *range(30, 11, -1)]
    rest = numbers(running, saved, types="baseline,retracted", limit=20, cursor=page["next_cursor"])
    assert rest == list(range(11, 0, -1))
    send(running, "PATCH", f"{PATH}/{saved['id']}", {"delivery": {"baseline": True}})
    assert len(numbers(running, saved, limit=100)) == 33


@pytest.mark.parametrize("form", ["json", "atom"])
def test_a_reader_with_a_current_copy_gets_304_until_the_next_event(
    running: Machine, saved: dict[str, Any], form: str
) -> None:
    add_events(saved, range(1, 4))
    path = f"{PATH}/{saved['id']}/new"
    first = read(running, saved, format=form)
    tag = first.headers["ETag"]
    for condition in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = send(running, "GET", path, headers={"If-None-Match": condition}, format=form)
        assert (again.status, again.text, again.headers["ETag"]) == (304, "", tag)
    assert send(running, "GET", path, headers={"If-None-Match": '"x"'}, format=form).text == first.text
    other = {"json": "atom", "atom": "json"}[form]
    assert send(running, "GET", path, headers={"If-None-Match": tag}, format=other).status == 200
    add_events(saved, range(4, 5))
    changed = send(running, "GET", path, headers={"If-None-Match": tag}, format=form)
    assert (changed.status, changed.headers["ETag"] == tag) == (200, False)
    assert (first.headers["Cache-Control"], first.headers["Vary"]) == ("private, no-cache", "Accept")


@pytest.mark.parametrize("accepts", [False, True], ids=["asked by format", "asked by Accept"])
def test_atom_page_links_can_be_requested_unchanged(running: Machine, saved: dict[str, Any], accepts: bool) -> None:
    add_events(saved, range(1, 8), title="Tom & <Jerry> \u0007")
    path = f"{PATH}/{saved['id']}/new"
    parameters: dict[str, Any] = {"limit": 3, "after": 1} | ({} if accepts else {"format": "atom"})
    headers = {"Accept": "application/atom+xml"} if accepts else {}
    answer, titles = send(running, "GET", path, headers=headers, **parameters), []
    while True:
        assert (answer.status, answer.headers["Content-Type"]) == (200, "application/atom+xml; charset=utf-8")
        feed = fromstring(answer.text)
        titles += [str(it.text) for it in feed.iterfind(f"{ATOM}entry/{ATOM}title")]
        links = {it.attrib["rel"]: it.attrib["href"] for it in feed.iterfind(f"{ATOM}link")}
        own = urlsplit(links["self"])
        assert (own.scheme, own.netloc, own.path) == ("https", "api.example.org", path)
        assert follow(running, links["self"]).text == answer.text
        if "next" not in links:
            break
        answer = follow(running, links["next"])
    assert titles == [f"New: Tom & <Jerry> {number}" for number in range(7, 1, -1)]


def test_behind_a_stage_the_links_have_it(running: Machine, saved: dict[str, Any]) -> None:
    from infra.local.gateway import rest_event

    path = f"{PATH}/{saved['id']}/new"
    event = rest_event("GET", path, headers={"x-api-key": "one", "Host": "abc.example.org"}, query={"format": ["atom"]})
    event["requestContext"] |= {"path": f"/dev{path}", "domainName": "abc.example.org"}
    feed = fromstring(running.invoke("dispatcher", event)["body"])
    link = feed.find(f"{ATOM}link")
    assert link is not None
    assert link.attrib["href"] == f"https://abc.example.org/dev{path}?format=atom"


WRONG = [
    ("format", "rss", "json, atom"), ("limit", "0", "1 to 100"), ("limit", "101", "1 to 100"),
    ("limit", "-1", "1 to 100"), ("limit", "ten", "1 to 100"), ("limit", "٥", "1 to 100"), ("limit", "9" * 5000, "100"),
    ("cursor", "0", "next_cursor"), ("cursor", "x", "next_cursor"), ("cursor", "-1", "next_cursor"),
    ("cursor", "9" * 11, "next_cursor"), ("after", "x", "an event's id"), ("after", "0" * 20 + "-", "an event's id"),
    ("after", "0" * 20 + "-00000012", "not in that of another search"),
    ("types", "news", "new_paper, now_published"), ("types", "new_paper,news", "baseline"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "message"), WRONG, ids=[f"{name}={value[:12]}" for name, value, _ in WRONG])
def test_an_unknown_parameter_is_refused_by_name(
    running: Machine, saved: dict[str, Any], name: str, value: str, message: str
) -> None:
    parameters: dict[str, Any] = {name: value}
    answer = send(running, "GET", f"{PATH}/{saved['id']}/new", **parameters)
    assert (answer.status, answer.fields) == (422, [name])
    assert message in answer.json["errors"][0]["message"]


@pytest.mark.parametrize("name", ["format", "limit", "cursor", "after", "types"])
def test_an_empty_parameter_is_an_absent_one(running: Machine, saved: dict[str, Any], name: str) -> None:
    add_events(saved, range(1, 3))
    assert read(running, saved, **{name: " "}).text == read(running, saved).text


def test_another_owners_feed_is_not_found(running: Machine, saved: dict[str, Any]) -> None:
    other = send(running, "POST", body=DAILY, key="two").json
    add_events(other, range(1, 3))
    assert send(running, "GET", f"{PATH}/{other['id']}/new").status == 404
    assert numbers(running, saved) == []


def test_a_page_within_a_budget_leads_to_the_other_events(running: Machine, saved: dict[str, Any]) -> None:
    add_events(saved, range(1, 41))
    page = read(running, saved, max_tokens=1_500).json
    assert tokens(page) <= 1_500
    shown = [event["number"] for event in page["events"]]
    assert 0 < len(shown) < 40
    assert page["truncated"]["results"] == 40 - len(shown)
    assert shown + numbers(running, saved, cursor=page["next_cursor"]) == list(range(40, 0, -1))


def test_a_feed_in_atom_within_a_budget_leads_to_the_other_events(running: Machine, saved: dict[str, Any]) -> None:
    add_events(saved, range(1, 41))
    answer = read(running, saved, format="atom", max_tokens=2_000)
    assert tokens(answer.text) <= 2_000
    entries = fromstring(answer.text).findall(f"{ATOM}entry")
    assert len(entries) == 40 - int(answer.headers["Left-Out"])
    (older,) = [it.get("href") or "" for it in fromstring(answer.text) if it.get("rel") == "next"]
    assert dict(parse_qsl(urlsplit(older).query))["cursor"] == answer.headers["Next-Cursor"]
    following = fromstring(follow(running, older).text).findall(f"{ATOM}entry")
    ids = [entry.findtext(f"{ATOM}id") or "" for entry in (*entries, *following)]
    assert [int(it.rpartition("-")[2]) for it in ids][: len(entries) + 1] == list(range(40, 39 - len(entries), -1))
