"""The answers that are mutated: of the sandbox to each operation of each source, and recorded ones where at hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import httpx

from infra.functions import provider_names, providers_for
from infra.local.machine import SANDBOX_KEY
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import read_facts
from infra.local.sandbox.server import Sandbox
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Paper
from shared.bibliography.paper_ids import id_texts, scheme_of, value_of
from shared.outcomes import Outcome
from shared.papers.texts.sources import ADDRESS
from shared.providers.answering import answer_question
from shared.providers.http_client import Client
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.query.question import Citation, Links, Listing, Lookup, Match, Question, Similar, TextOf
from tests.live.sources import TEXTS
from tests.replay import CONTENT_TYPES, NOW, OWN_RECORDINGS, RECORDINGS

QUERIES = ("TREM2 microglia", "language", "retraction", "glacier")
RECORDS = 6  # in one answer of the sandbox
LOOKED_UP = 4
TRIED_HEADS = 20
LINKED = 6  # papers that each cite as many others
HEADS = 100  # papers among which those with lists are looked for, in one answer
_MAX_BYTES, _MAX_RECORDS = 250_000, 25  # of a recorded answer: larger ones only take longer
OTHER_TEXTS = {"arxiv": ["arxiv:1409.0473"]}  # one that arXiv has as LaTeX alone
_FOLDERS = {"europe_pmc": "europepmc"}  # of recordings


class Recorded(NamedTuple):
    """One HTTP answer, and the request that it answers; a path of None answers any."""

    path: str | None
    status: int
    content_type: str
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One operation of a source: the question, the answers to its requests, and the reply that they give."""

    provider: str
    name: str  # of the question, or of the file
    question: Question
    answers: tuple[Recorded, ...]
    clean: ProviderReply
    head: Paper | None = None  # of references, citations and a text: whose they are


class Replay(httpx.BaseTransport):
    """Answers each request with the recorded answers of its path in turn; the last is repeated."""

    def __init__(self) -> None:
        self.answers: list[Recorded] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The answer to one request."""
        of_path = [it for it in self.answers if it.path in (None, request.url.path)] or self.answers[-1:]
        if len(of_path) > 1:
            self.answers.remove(of_path[0])
        status, kind = of_path[0].status, of_path[0].content_type
        return httpx.Response(status, content=of_path[0].body, headers={"content-type": kind}, request=request)


class _Recorder(httpx.BaseTransport):
    """Sends requests on and records their answers."""

    inner = httpx.HTTPTransport(verify=False)  # loopback; a TLS context takes longer to make than to ask

    def __init__(self) -> None:
        self.answers: list[Recorded] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request on."""
        response = self.inner.handle_request(request)
        body = response.read()
        kind = response.headers.get("content-type", "")
        self.answers.append(Recorded(request.url.path, response.status_code, kind, body))
        return httpx.Response(response.status_code, content=body, headers={"content-type": kind}, request=request)


def module_of(provider: str) -> ModuleType:
    """The source's file."""
    return import_module(f"functions.providers.{provider}")


def client_of(module: ModuleType, http: httpx.Client, base_url: str = "http://source.test") -> Client:
    """A client that does not wait."""
    return Client(
        title=module.SPEC.title,
        base_url=base_url,
        http=http,
        time_left=lambda: 15.0,
        sleep=lambda _: None,
        jitter=lambda: 0.0,
        now=lambda: NOW,
        key=SANDBOX_KEY if module.SPEC.needs_key else None,
        contact="dev@example.org",
    )


def ask(module: ModuleType, question: Question, client: Client) -> ProviderReply:
    """The source's reply to a question, by its real functions."""
    return answer_question(module.SPEC, getattr(module, question.operation), question, client, lambda: 0.25)


@cache  # it takes seconds, and nothing changes an exchange
def collect(*, recordings: bool = True) -> tuple[Exchange, ...]:
    """All exchanges, in a fixed order."""
    if recordings:
        return *collect(recordings=False), *_recorded(replaying())
    with Sandbox(_corpus(), faults={}) as sandbox:
        return tuple(_of_sandbox(sandbox))


def _corpus() -> Corpus:
    """The sandbox's papers, of which some more cite each other by PMID: PubMed and Europe PMC list them so."""
    facts = read_facts()
    in_pubmed = [fact for fact in facts if fact.pmid]
    citing, cited = in_pubmed[:LINKED], tuple(f"PMID:{fact.pmid}" for fact in in_pubmed[LINKED : 2 * LINKED])
    return Corpus(tuple(replace(it, references=(*it.references, *cited)) if it in citing else it for it in facts))


def _of_sandbox(sandbox: Sandbox) -> Iterator[Exchange]:
    searched: list[Exchange] = []
    for provider in providers_for("search"):
        questions = [Query(text=text, limit=RECORDS) for text in QUERIES]
        searched += [it for question in questions if (it := _exchange(sandbox, provider, question.text, question))]
    yield from searched
    papers = [paper for exchange in searched for paper in exchange.clean.papers]
    heads = _heads(sandbox)
    for provider in provider_names():
        operations = module_of(provider).SPEC.operations
        if "listing" in operations:
            listings = [Listing(Query(text=text), size=RECORDS) for text in QUERIES]
            yield from (it for page in listings if (it := _exchange(sandbox, provider, page.query.text, page)))
        if "lookup" in operations:
            yield from _lookups(sandbox, provider, papers, operations["lookup"])
        for relation in ("references", "citations", "similar"):
            if relation in operations:
                first = heads if relation == "similar" else _linked_first(sandbox, relation, heads)
                yield from _links(sandbox, provider, first, relation, operations[relation])
        for scheme in operations.get("full_text", ()):
            for name in (TEXTS[scheme], *OTHER_TEXTS.get(scheme, ())):
                ids = Identifiers(**({} if scheme == ADDRESS else {scheme: value_of(name)}))
                head = Paper(provider="recorded", rank=1, title="A paper with a text", ids=ids)
                if found := _exchange(sandbox, provider, name, TextOf(name), head):
                    yield found
        if "match" in operations:
            printed = [it for it in papers if bool(it.volume) is (provider != "arxiv")]  # it is sent preprints alone
            question = Match(tuple(map(_cited, printed[:2])))
            if found := _exchange(sandbox, provider, "citations", question):
                yield found


def _heads(sandbox: Sandbox) -> list[Paper]:
    """Papers whose lists are asked for."""
    questions = [Query(text=text, limit=HEADS) for text in QUERIES]
    found = [_exchange(sandbox, provider, "", it) for provider in providers_for("search") for it in questions]
    papers = [paper for exchange in found if exchange for paper in exchange.clean.papers]
    return list({paper.ids: paper for paper in papers}.values())


def _linked_first(sandbox: Sandbox, relation: str, papers: list[Paper]) -> list[Paper]:
    """The papers with the longest lists first."""
    corpus = sandbox.corpus
    linked = corpus.cited if relation == "references" else corpus.citing

    def links(paper: Paper) -> int:
        fact = next((corpus.by_name[name] for name in _cited_names(paper) if name in corpus.by_name), None)
        return len(linked("openalex", fact)) if fact else -1

    return sorted(papers, key=links, reverse=True)


def _cited_names(paper: Paper) -> list[str]:
    return [name.lower() for name in (paper.ids.doi, paper.ids.pmid and f"PMID:{paper.ids.pmid}") if name]


def _exchange(
    sandbox: Sandbox, provider: str, name: str, question: Question, head: Paper | None = None
) -> Exchange | None:
    """One exchange with the sandbox; None if it found nothing."""
    module, recorder = module_of(provider), _Recorder()
    http = httpx.Client(transport=recorder, trust_env=False)
    base_url = sandbox.base_urls[f"{provider.upper()}_BASE_URL"]
    clean = ask(module, question, client_of(module, http, base_url))
    if clean.outcome is not Outcome.OK:
        return None
    # The sandbox has all sources on one host, each under its name.
    answers = tuple(it._replace(path=(it.path or "").removeprefix(f"/{provider}")) for it in recorder.answers)
    return Exchange(
        provider=provider, name=f"{question.operation} {name}", question=question, answers=answers, clean=clean,
        head=head,
    )  # fmt: skip


def _names(papers: list[Paper], schemes: tuple[str, ...]) -> dict[str, Paper]:
    """Names of papers in the best of these schemes that they have."""
    names: dict[str, Paper] = {}
    for paper in papers:
        own = {scheme_of(name): name for name in id_texts(paper.ids)}
        best = next((own[scheme] for scheme in schemes if scheme in own), None)
        if best and best not in names:
            names[best] = paper
    return names


def _lookups(sandbox: Sandbox, provider: str, papers: list[Paper], schemes: tuple[str, ...]) -> Iterator[Exchange]:
    for scheme in schemes:
        names = sorted(_names(papers, (scheme,)))
        for some in (names[:LOOKED_UP], names[-1:]):
            if some and (found := _exchange(sandbox, provider, f"{scheme} x {len(some)}", Lookup(tuple(some)))):
                yield found


def _links(
    sandbox: Sandbox, provider: str, heads: list[Paper], relation: str, schemes: tuple[str, ...]
) -> Iterator[Exchange]:
    """Two lists of references, citations or similar papers that are not empty."""
    found = 0
    for name, head in list(_names(heads, schemes).items())[:TRIED_HEADS]:
        linked = Links("references" if relation == "references" else "citations", name, 30)
        question = Similar((name,), limit=30) if relation == "similar" else linked
        exchange = _exchange(sandbox, provider, name, question, head)
        if exchange:
            yield exchange
            found += 1
        if found == 2:
            return


def _cited(paper: Paper) -> Citation:
    return Citation(
        title=paper.title, authors=tuple(author.display for author in paper.authors[:1]), year=paper.year,
        journal=paper.journal, volume=paper.volume, pages=paper.pages,
    )  # fmt: skip


def replaying() -> tuple[Replay, httpx.Client]:
    """A transport and its client; a client of httpx takes longer to make than a case to run."""
    transport = Replay()
    return transport, httpx.Client(transport=transport, trust_env=False)


def _recorded(replay: tuple[Replay, httpx.Client]) -> Iterator[Exchange]:
    """Recorded answers to searches in one request, and lists of references and citations, by folder."""
    transport, http = replay
    for provider in provider_names():
        module = module_of(provider)
        for path in _files(provider):
            answer = Recorded(None, 200, CONTENT_TYPES[path.suffix], path.read_bytes())
            transport.answers = [answer]
            question, head = _question_of(path.stem)
            if question.operation not in module.SPEC.operations:
                continue
            try:
                clean = ask(module, question, client_of(module, http))
            except Exception:  # a recording of another operation
                continue
            if clean.outcome is Outcome.OK and 0 < len(clean.papers) + len(clean.pointers) <= _MAX_RECORDS:
                yield Exchange(
                    provider=provider, name=f"recorded {path.name}", question=question,
                    answers=(answer,), clean=clean, head=head,
                )  # fmt: skip


def _question_of(stem: str) -> tuple[Question, Paper | None]:
    """The question that a recorded file answers, by its name; with the paper whose list it is."""
    for relation in ("references", "citations"):
        if stem.startswith(relation):
            ids = Identifiers(doi="10.1000/head", pmid="1", openalex="W1")
            head = Paper(provider="recorded", rank=1, title="The paper whose list this is", ids=ids)
            return Links("references" if relation == "references" else "citations", "pmid:1"), head
    return Query(text="TREM2"), None


def _files(provider: str) -> list[Path]:
    folders = (OWN_RECORDINGS / provider, RECORDINGS / _FOLDERS.get(provider, provider))
    files = [path for folder in folders if folder.is_dir() for path in sorted(folder.iterdir())]
    answers = [it for it in files if it.suffix in CONTENT_TYPES and it.stem not in ("manifest", "outcomes")]
    return [path for path in answers if path.stat().st_size <= _MAX_BYTES]
