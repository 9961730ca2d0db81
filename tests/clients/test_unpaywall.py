"""unpywall, an independent client of Unpaywall, against the sandbox."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infra.local.sandbox.server import Sandbox

unpywall = pytest.importorskip("unpywall")
requests = pytest.importorskip("requests")

DOI, OTHER = "10.1038/s41586-021-03819-2", "10.1016/j.neuron.2013.02.026"


@pytest.fixture
def client(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The client with an address, whose requests go to the sandbox; it keeps its cache in a directory of the test."""
    base, get = sandbox.base_urls["UNPAYWALL_BASE_URL"], requests.get
    redirected: Callable[[str], Any] = lambda url: get(url.replace("https://api.unpaywall.org", base))  # noqa: E731
    monkeypatch.setattr(requests, "get", redirected)
    monkeypatch.setenv("MANDATORY_WAIT_TIME", "0")
    monkeypatch.setenv("UNPAYWALL_EMAIL", "dev@example.org")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(unpywall.Unpywall, "cache", None)
    return unpywall.Unpywall


def test_a_doi(client: Any) -> None:
    assert client.get_json(DOI)["doi"] == DOI
    assert list(client.doi([DOI])["doi"]) == [DOI]


def test_the_links_of_a_copy(client: Any) -> None:
    record = client.get_json(DOI)
    best = record["best_oa_location"]
    assert client.get_doc_link(DOI) == (best["url"] if best else None)
    assert client.get_all_links(DOI) == [place["url"] for place in record["oa_locations"]]


@pytest.mark.parametrize("doi", ["10.48550/arXiv.1706.03762", "10.9999/none"])
def test_a_doi_that_crossref_does_not_hold(client: Any, doi: str) -> None:
    with pytest.raises(requests.exceptions.HTTPError, match="404"):
        client.get_json(doi)


def test_a_search(client: Any) -> None:
    closed, free = client.query("microglia"), client.query("protein structure prediction", is_oa=True)
    assert all("microglia" in title.lower() for title in closed["title"])
    assert (set(closed["is_oa"]), set(free["is_oa"])) == ({False}, {True})


CALLS: dict[str, Callable[[Any], Any]] = {
    "several": lambda on: list(on.doi([DOI, OTHER])["doi"]) == [DOI, OTHER],
    "extended": lambda on: set(on.doi([DOI], format="extended", errors="ignore")["doi"]) == {DOI},
    "unknown ones ignored": lambda on: list(on.doi(["10.9999/none", DOI], errors="ignore")["doi"]) == [DOI],
    "anew": lambda on: len(on.doi([DOI], force=True)) == len(on.doi([DOI], ignore_cache=True)) == 1,
    "extended search": lambda on: len(on.query("protein structure", is_oa=True, format="extended", errors="ignore")),
    "nothing found": lambda on: on.query("xqzzv") is None,
    "search as JSON": lambda on: on.get_json(query="microglia")["results"],
    "file": lambda on: on.get_pdf_link(DOI) == (on.get_json(DOI)["best_oa_location"] or {}).get("url_for_pdf"),
}


@pytest.mark.filterwarnings("ignore")  # the client warns of its own
@pytest.mark.parametrize("call", CALLS)
def test_a_call_of_the_manual(client: Any, call: str) -> None:
    assert CALLS[call](client)
