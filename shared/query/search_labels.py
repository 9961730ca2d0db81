"""What stands before a search that was copied: the databases, `search strategy`, the heading of an appendix.

    PubMed (MEDLINE): (tau OR amyloid) AND mice          Ovid MEDLINE(R) ALL <1946 to March 01, 2022>: exp Stroke/
    Search strategy for Embase.com – 'stroke'/exp        Table S2. Scopus (n = 1,204): TITLE-ABS-KEY(tau)

It is a label only before an expression, which no title is: `PubMed: the bibliographic database`.
"""

from __future__ import annotations

import re

from shared.bibliography.stop_words import FUNCTION_WORDS

_SERVICES = (
    r"pubmed(?:\.gov)?|pub med|medline|embase(?:\.com)?|scopus|cinahl|psyc(?:info|articles)|cochrane|central|library"
    r"|web of science|wos|core collection|google scholar|ovid(?:sp)?|ebsco(?:host)?|proquest|wiley|elsevier|clarivate"
    r"|eric|amed|lilacs|scielo|ieee(?: xplore)?|acm|digital|arxiv|europe pmc|semantic scholar|openalex|nlm|ncbi|apa"
    r"|pedro|sportdiscus|epistemonikos|clinicaltrials\.gov|who ictrp|ictrp|cnki|wanfang|sinomed|ichushi"
    r"|lens\.org|academic search|business source|emcare|inspec|compendex|engineering village|jstor|hmic|dblp|assia"
    r"|socindex|sociological abstracts|dissertations (?:&|and) theses(?: global)?|bvs|koreamed|crossref"
    r"|epub ahead of print|in-process|non-indexed citations|daily|plus|complete|full text"
)
_NOUNS = (
    r"(?:dates? of )?search(?:es|ed|ing)?|strateg(?:y|ies)|syntax|strings?|terms?|quer(?:y|ies)|boolean|equation"
    r"|expression|databases?|platform|interface|results?|hits|lines?|full|final|complete|example|electronic|detailed|sample"
    r"|(?:s[0-9]{1,2} )?(?:appendix|table|supplement(?:ary)?|file|box|figure)(?: [a-z]?[0-9]{1,2}[a-z]?|(?=[ .]))"
)
_DATES = (
    r"[0-9]{1,4}(?:[/.-][0-9]{1,4}){2}|[0-9]{1,2}(?:st|nd|rd|th)?|[12][0-9]{3}|[0-9]{1,3}(?:,[0-9]{3})+|present|current|inception|to|until|week|run|date"
    r"|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}"
)
_OF_A_SENTENCE = r"we|i|here|run|use|try|please|this|these|key|main"  # before words of a search alone
_SMALL = (
    r"via|used|using|for|in|on|of|from|through|with|the|my|our|all|and|&|following|as follows|is|was|were|are"
    rf"|{_OF_A_SENTENCE}"
)
_WORD = rf"(?:{_SERVICES}|{_NOUNS}|{_SMALL}|{_DATES})(?![^\W_])"
# Before a query: `the search strategy of "E. coli"`, `search and "rescue"` and `the search for the "self"` are titles.
_LAST_WORD = rf"(?!(?:of|and|&|in|on|from|through|via|the)\b){_WORD}"
_ASIDE = r"\([^()]{1,60}\)|<[^<>]{1,60}>"  # `(Ovid)`, `(R)`, `(n = 1,204)`, `<1946 to March 01, 2022>`
# `Search strings "in vivo"`, `Full search (FS) AND motion estimation`; a phrase with an operator is a search.
_NO_TITLE = rf"(?!(?:(?:{_NOUNS}) ){{1,9}}(?:\"(?!.* (?-i:AND|OR|NOT) )|\([^() ]+\)))"
# Before a group or a phrase with an operator: `PubMed ("tau"[ti] OR amyloid) AND mice`.
_DATABASE = (
    r"(?:pubmed|medline|embase|scopus|cinahl|psycinfo|cochrane|web of science|ovid|ebscohost|proquest|lilacs)"
    rf"(?:[ /,]{{1,2}}(?:medline|library|core collection|{_ASIDE}))*"
)
_SEARCH = r"search|strateg|quer|strings?\b|terms\b"
_BEGINNING = rf"(?:(?:{_SERVICES}|{_NOUNS}|my|our|the)(?![^\W_])|(?:{_OF_A_SENTENCE}) (?=[^:\"(]*(?:{_SEARCH})))"
_MARKED = r"[#*_• -]{0,4}"  # as Markdown marks a heading
_NUMBER = r"(?:\(?(?:[0-9]{1,2}|[a-z])[.)] )?"  # in a list: `1. PubMed: …`
_WORDS = (
    rf"{_MARKED}{_NUMBER}(?={_BEGINNING})(?:(?:{_WORD}|{_ASIDE})(?:[ ,;./|]{{0,3}}(?:[–-] )?)(?:: )?){{1,20}}{_MARKED}"
)
_LABEL = re.compile(
    rf"{_WORDS}(?:(?<=: )|(?<=[–-] )| ?[:–—=]{_MARKED})(?=\S)"
    # `we searched PubMed for (tau OR amyloid) AND mice`
    rf"|(?=[^\"(]*(?:{_SEARCH}))(?={_BEGINNING}){_NO_TITLE}(?:{_WORD},? ){{1,20}}{_LAST_WORD},? (?=[\"(])"
    rf"|{_DATABASE} (?=[\"(](?![^\"() ]+\)).*(?: (?-i:AND|OR|NOT) |\)\.[a-z]{{2}})"
    r"|(?-i:T[SI]=|TITLE-ABS-KEY ?\(|exp )|'[^']+'/)",
    re.I,
)
# A line above others that says what they are: `lines` or `Table 2` alone may be a part of a text.
_HEADING = re.compile(rf"(?=.*(?:{_SERVICES}|search|strateg|quer))(?:{_WORDS}[:–—]?{_MARKED})", re.I)


def label_of_search(text: str) -> str:
    """What may be the label at the beginning of a text, with the blank behind it; empty if a sentence follows."""
    found = _LABEL.match(text)
    first = text[found.end() :].split(" ", 1)[0] if found else ""
    is_sentence = first[1:] == first[1:].lower() and first.casefold() in FUNCTION_WORDS["en"]  # `The`, but not `IT`
    return found[0] if found and not is_sentence else ""


def is_heading(line: str) -> bool:
    """Whether a line has nothing but such words."""
    return _HEADING.fullmatch(" ".join(line.split())) is not None
