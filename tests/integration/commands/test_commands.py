"""The commands of the console script: what each prints, where it sends its requests, and how it ends."""

from __future__ import annotations

import io
import json
import shlex
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from infra.local.__main__ import _parser, main
from infra.local.next_commands import next_lines
from shared.answers.search import Action
from shared.json_types import JsonObject

PROJECT = Path(__file__).parents[3] / "pyproject.toml"
REFERENCE = (
    "Zhao N. et al. Elevating microglia TREM2 reduces amyloid seeding and suppresses disease-associated microglia. "
    "J Exp Med 2022"
)


def test_the_console_script_is_the_command_line() -> None:
    script = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["scripts"]["literature-search"]
    module, _, name = script.partition(":")
    assert getattr(import_module(module), name) is main


def test_a_search_as_json_is_the_answer_alone_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "TREM2 microglia", "--sandbox", "--format", "json", "--max-results", "2"]) == 0
    shown = capsys.readouterr()
    assert len(json.loads(shown.out)["results"]) == 2
    assert shown.err == "searching for “TREM2 microglia” …\n"


def test_similar_papers_are_a_table_with_votes_or_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["similar", "PMID:29618526", "--unlike", "10.1002/jrsm.1411", "--sandbox", "--max-results", "2"]
    assert main([*given, "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (len(answer["results"]), answer["unlike"]) == (2, ["doi:10.1002/jrsm.1411"])
    assert main(given) == 0
    shown = capsys.readouterr().out
    assert answer["results"][0]["key"] in shown
    votes = answer["results"][0]["votes"]
    assert ", ".join(f"{name} {vote['rank']}" for name, vote in votes.items()) in shown
    assert main(["similar", "10.9999/none", "--sandbox"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "start"), [("bibtex", "@"), ("ris", "TY  - "), ("csv", "\ufeff"), ("csl-json", "["), ("markdown", "")]
)
def test_a_search_in_a_citation_format_is_the_file(form: str, start: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "TREM2 microglia", "--sandbox", "--format", form, "--max-results", "1"]) == 0
    shown = capsys.readouterr().out
    assert "TREM2" in shown
    assert shown.lstrip("\ufeff").startswith(start.lstrip("\ufeff"))


def test_references_are_resolved_from_arguments_and_from_stdin(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["resolve", REFERENCE, "A made-up title that nobody has written", "--sandbox", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [entry["status"] for entry in answer["references"]] == ["matched", "not_found"]
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{REFERENCE}\n\n"))
    assert main(["resolve", "--sandbox"]) == 0
    shown = capsys.readouterr()
    assert "1 matched · 0 mismatched · 0 ambiguous" in shown.out
    assert "\x1b[" not in shown.out


def test_an_export_names_on_stderr_what_was_not_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "10.1084/jem.20212479", "10.1000/nothing", "--sandbox", "--format", "ris"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("TY  - JOUR")
    assert "1 requested paper not found: 10.1000/nothing\n" in shown.err
    assert main(["export", "10.1084/jem.20212479", "36107206", "PMID:36107206", "--sandbox"]) == 0
    shown = capsys.readouterr()
    assert "warning: not ids of papers: 36107206\n" in shown.err
    assert "warning: ids of papers that are there already: PMID:36107206\n" in shown.err


def test_an_export_names_on_stderr_each_paper_where_none_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "10.1000/nothing", "10.9999/none", "--sandbox"]) != 0
    shown = capsys.readouterr().err
    assert ("10.1000/nothing" in shown, "10.9999/none" in shown) == (True, True)


def test_a_number_alone_is_refused_once_with_how_a_pmid_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "36107206", "--sandbox"]) == 2
    shown = capsys.readouterr().err
    assert shown.count("not an id of a paper") == 1
    assert shown.count("PMID:36107206") == 1
    assert "\ntry: If it is a PMID, write PMID:36107206." in shown


def test_an_export_takes_ids_with_a_comma_between_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "10.1084/jem.20212479,PMID:36107206", "--sandbox"]) == 0
    shown = capsys.readouterr()
    assert shown.out.count("@article{") == 1  # both ids name the same paper
    assert "not found" not in shown.err


@pytest.mark.parametrize(
    ("command", "accepted"),
    [
        (["search", "x", "--sort", "foo"], "'relevance', 'citations' or 'date'"),
        (["search", "x", "--max-results", "500"], "from 1 to 100, not 500"),
        (["search", "x", "--date-from", "20x"], "YYYY, YYYY-MM or YYYY-MM-DD"),
        (["search", "x", "--providers", "nope"], "valid: all, arxiv"),
        (["similar", "10.1000/a", "--max-results", "0"], "max_results"),
        (["export", "nothing"], "Write a DOI"),
    ],
)
def test_a_value_that_the_api_refuses_is_wrong_usage_and_the_error_says_what_is_accepted(
    command: list[str], accepted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--sandbox"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert accepted in shown.err


def test_a_problem_is_one_error_with_what_to_do_next(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "TREM2", "--sandbox", "--max-results", "1000"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "max_results" in shown.err
    assert "\ntry: " in shown.err
    assert "`errors`" not in shown.err


@pytest.mark.parametrize(
    "command",
    [
        ["search", "TREM2"],
        ["resolve", REFERENCE],
        ["export", "10.1084/jem.20212479"],
        ["similar", "10.1084/jem.20212479"],
        ["passages", "TREM2"],
        ["exhaustive", "TREM2"],
        ["check-references", str(PROJECT.parent / "README.md")],
    ],
    ids=lambda it: it[0],
)
def test_a_service_that_cannot_be_reached_is_named_with_what_to_do(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITERATURE_SEARCH_URL", "http://127.0.0.1:9")
    assert main(command) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "cannot be reached" in shown.err
    assert "try: " in shown.err


def test_the_help_names_the_commands_that_use_no_service_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "every command but serve, demo and event uses the service at LITERATURE_SEARCH_URL" in shown


@pytest.mark.parametrize(("command", "example"), [("search", 'search "TREM2'), ("resolve", 'resolve "Vaswani')])
def test_a_command_without_its_argument_shows_an_example(
    command: str, example: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main([command, "--sandbox"]) == 2
    assert example in capsys.readouterr().err


def test_an_event_outside_of_a_checkout_says_where_the_examples_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["event", "events/rest_api_post.json"]) == 2
    assert "events/ of a checkout" in capsys.readouterr().err


def test_a_search_writes_no_file_without_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["search", "TREM2 microglia", "--sandbox"]) == 0
    assert list(tmp_path.iterdir()) == []
    assert main(["search", "TREM2 microglia", "--sandbox", "--pictures", "drawn"]) == 0
    assert [path.name for path in (tmp_path / "drawn").iterdir()] == ["search-graph.svg"]


def test_without_a_service_that_goes_on_no_next_page_is_promised(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "TREM2 microglia", "--sandbox", "--max-results", "1"]) == 0
    (line,) = [it for it in capsys.readouterr().out.splitlines() if it.startswith("next (the next page)")]
    assert "LITERATURE_SEARCH_URL" in line
    assert "--cursor" not in line
    assert main(["search", "TREM2 microglia", "--sandbox", "--cursor", "YTox"]) == 2
    assert "LITERATURE_SEARCH_URL" in capsys.readouterr().err


def test_a_command_that_may_help_next_keeps_the_sandbox(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "TREM2 microglia", "--sandbox", "--max-results", "1"]) == 0
    (command,) = _offered(capsys.readouterr().out)
    assert main(command) == 0
    assert capsys.readouterr().out.startswith("@")
    assert "--sandbox" in command


@pytest.mark.parametrize("sandbox", [True, False])
@pytest.mark.parametrize(
    ("operation", "arguments", "texts"),
    [
        ("find_passages", {"question": "-why?", "ids": ["PMID:1", "PMID:2"]}, {"question": "-why?"}),
        ("find_passages", {"question": "Why?", "ids": ["PMID:1"]}, {"question": "Why?", "ids": ["PMID:1"]}),
        ("get_papers", {"ids": ["-x", "PMID:1"]}, {"ids": ["-x", "PMID:1"]}),
        ("literature_search", {"query": "-x", "open_access": False}, {"query": "-x", "open_access": None}),
        ("literature_search", {"query": "x", "open_access": True}, {"words": "x", "open_access": True}),
    ],
)
def test_an_offered_command_is_read_back_as_the_call_that_it_is(
    operation: str, arguments: JsonObject, texts: JsonObject, sandbox: bool
) -> None:
    (line,) = next_lines([Action(tool=operation, arguments=arguments, why="it helps")], sandbox=sandbox, remote=True)
    options = _parser().parse_args(shlex.split(line.partition("infra.local ")[2]))
    assert options.sandbox is sandbox
    assert {name: getattr(options, name) for name in texts} == texts


def test_a_call_that_no_command_can_make_is_not_offered() -> None:
    calls: list[Action] = [
        {
            "tool": "literature_search",
            "arguments": {"query": "x", "language": "de"},
            "why": "a field without an option",
        },
        {"tool": "cite_in_context", "arguments": {}, "why": "an operation without a command"},
        {"tool": "literature_search", "arguments": {"query": "-x y", "providers": ["pubmed", "crossref"]}, "why": "it"},
    ]
    (line,) = next_lines(calls, sandbox=False, remote=True)
    assert line.endswith("search --providers pubmed,crossref '--query=-x y'")


def _offered(shown: str) -> list[list[str]]:
    """The arguments of the commands that a search offers."""
    lines = [line.partition("): ")[2] for line in shown.splitlines() if line.startswith("next (")]
    return [shlex.split(line.partition(" -m infra.local ")[2]) for line in lines if " -m infra.local " in line]


# Last: the module's machine stays until the end, and a process can hold one.
def test_a_deployed_service_is_called_when_its_address_is_set(
    address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITERATURE_SEARCH_URL", address)
    assert main(["export", "10.1084/jem.20212479"]) == 0
    assert capsys.readouterr().out.startswith("@article{")


@pytest.mark.parametrize(
    "query",
    [
        ["TREM2 microglia", "--max-results", "2", "--providers", "pubmed,crossref"],
        ["What does TREM2 do in 'microglia'?", "--max-results", "3"],
        ["find me recent open access reviews on TREM2"],
        ["10.1084/jem.20212479"],
        ["vaswani 2017"],
        [REFERENCE],
        ["--author", "Colonna", "--max-results", "1"],
    ],
    ids=lambda it: str(it)[:40],
)
def test_every_command_that_a_search_offers_can_be_pasted(
    address: str, query: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITERATURE_SEARCH_URL", address)
    assert main(["search", *query]) == 0
    offered = _offered(capsys.readouterr().out)
    assert offered
    for command in offered:
        assert main(command) == 0, command


def test_the_next_page_is_a_command_that_shows_other_papers(
    address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITERATURE_SEARCH_URL", address)
    assert main(["search", "TREM2 microglia", "--max-results", "2"]) == 0
    first = capsys.readouterr().out
    (command,) = [it for it in _offered(first) if "--cursor" in it]
    assert main([*command, "--format", "json"]) == 0
    papers = json.loads(capsys.readouterr().out)["results"]
    assert len(papers) == 2
    assert not [it for it in papers if it["doi"] in first]
