"""A long list of references goes through the queue and the checker, which resolves them by the dispatcher."""

from __future__ import annotations

from tests.e2e.deployment import Deployment, until
from tests.integration.reference_checks import reference_lines

PATH = "v1/reference-checks"
DONE_S = 240.0


def test_a_long_list_is_checked_by_the_worker_under_its_own_role(deployed: Deployment) -> None:
    started = deployed.caller.post(PATH, json={"references": reference_lines(60, with_doi=True)})
    assert started.status_code == 202, started.text
    where = f"{PATH}/{started.json()['check_id']}"
    assert started.headers["Location"].endswith(f"/{where}")

    def ended() -> bool:
        return bool(deployed.caller.get(where).json()["state"] != "running")

    until(DONE_S, ended)
    check = deployed.caller.get(where, params={"max_results": 200}).json()
    assert (check["state"], check["done"], check["returned"]) == ("done", 60, 60)
    assert check["counts"]["matched"] >= 55
    corrected = deployed.caller.get(f"{where}/document")
    assert corrected.status_code == 200
    assert "checked: DOI added" in corrected.text or check["counts"]["matched"] == 60
