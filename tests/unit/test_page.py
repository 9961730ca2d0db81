"""How the page for people is served; `make pages` tests what it does in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from functions.public_pages import page
from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.closed_service import closed_service

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SCRIPT = "page.ABCD1234.js"
LOCK = Path(page.__file__).parent / "web" / "package-lock.json"


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A page of three small files, and a file that is none of it."""
    files = {"index.html": "<!doctype html>", SCRIPT: "1", "style.ABCD1234.css": "a{}", "key.txt": "no"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(page, "BUILT", tmp_path)
    page._files.cache_clear()
    yield tmp_path
    page._files.cache_clear()


def root(headers: dict[str, str], *, address: str = "/") -> Response[str] | None:
    event = rest_event("GET", "/", headers=headers)
    event["requestContext"]["path"] = address
    return page.page_document(APIGatewayProxyEvent(event))


def test_a_browser_gets_the_page_with_a_strict_policy() -> None:
    answer = root(BROWSER)
    assert answer is not None
    assert (answer.status_code, answer.body) == (200, "<!doctype html>")
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert (answer.headers["Cache-Control"], answer.headers["Vary"]) == ("no-cache", "Accept")
    policy = str(answer.headers["Content-Security-Policy"])
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert "unsafe" not in policy
    assert "http" not in policy


@pytest.mark.parametrize("headers", [{}, {"Accept": "*/*"}, {"Accept": "application/json"}])
def test_other_clients_do_not_get_the_page(headers: dict[str, str]) -> None:
    assert root(headers) is None


def test_the_root_without_its_slash_leads_to_the_one_with_it() -> None:
    """The page's addresses are relative: `assets/…` of `/prod` would be `/assets/…`."""
    answer = root(BROWSER, address="/prod")
    assert answer is not None
    assert (answer.status_code, answer.headers["Location"]) == (308, "prod/")
    assert (found := root(BROWSER, address="/prod/")) is not None
    assert found.status_code == 200


def test_assets_may_be_stored_for_ever() -> None:
    answer = page.page_asset(SCRIPT)
    assert answer is not None
    assert (answer.status_code, answer.body) == (200, "1")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    style = page.page_asset("style.ABCD1234.css")
    assert style is not None
    assert style.headers["Content-Type"] == "text/css; charset=utf-8"


@pytest.mark.parametrize("name", ["key.txt", "index.html", "page.js", "..", "../page.py", "/etc/hosts", ""])
def test_nothing_else_is_an_asset(name: str) -> None:
    assert page.page_asset(name) is None


def test_without_a_built_page_the_root_has_none(built: Path) -> None:
    (built / "index.html").unlink()
    page._files.cache_clear()
    assert root(BROWSER) is None


def test_the_page_and_its_assets_need_no_key(local: Machine) -> None:
    with closed_service(local) as address:
        assert httpx.get(f"{address}/", headers=BROWSER).status_code in (200, 404)  # it need not be built
        assert httpx.get(f"{address}/assets/{SCRIPT}").status_code == 404
        assert httpx.get(f"{address}/v1/providers", headers=BROWSER).status_code == 401


def test_the_document_names_no_other_host_and_has_no_inline_script() -> None:
    source = (Path(page.__file__).parent / "web" / "src" / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"https?://|<script>|style=|onload", source)
    assert 'src="%SCRIPT%"' in source


def test_the_lock_file_names_no_registry_and_has_every_hash() -> None:
    packages = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    fetched = {name: it for name, it in packages.items() if name}
    assert fetched
    assert [name for name, it in fetched.items() if "resolved" in it or not it.get("integrity")] == []
