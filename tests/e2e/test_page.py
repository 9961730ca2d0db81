"""The page for people, from the deployed stage path."""

from __future__ import annotations

import re

from tests.e2e.deployment import STAGE, Deployment

BROWSER = {"Accept": "text/html,application/xhtml+xml"}


def test_the_page_and_its_assets_are_served_below_the_stage_without_a_key(deployed: Deployment) -> None:
    with deployed.http("") as anyone:
        page = anyone.get("", headers=BROWSER)
        assert page.url.path == f"/{STAGE}/"
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assets = re.findall(r'(?:src|href)="(assets/[^"]+)"', page.text)
        assert len(assets) == 2
        for name in assets:
            asset = anyone.get(name)
            assert asset.status_code == 200, name
            assert "immutable" in asset.headers["cache-control"]
        assert anyone.get("v1/providers", headers=BROWSER).status_code == 401
