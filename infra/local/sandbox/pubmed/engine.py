"""How PubMed reads a query: https://pubmed.ncbi.nlm.nih.gov/help/ (How PubMed works, Search field tags, Phrase index).

- Operators are AND, OR, NOT in capitals, read from left to right; between terms without an operator stands AND.
- Words without a tag are mapped: the longest run that is a MeSH term or a journal (both also searched in all fields) or
  an author; else each word with its other endings.
- A tag turns mapping off and belongs to all words since the last operator: a phrase, or else each word with the tag.
- A word that PubMed does not know is left out, with a remark. A quoted phrase that its phrase index does not hold finds
  nothing; `"…"[ti:~0]` finds it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from infra.local.sandbox.pubmed.index import LONGEST_PHRASE, Index, Tokens, day, period, tokens
from infra.local.sandbox.pubmed.vocabulary import FIELDS, STOP_WORDS
from shared.bibliography.identifiers import DOI_START

Papers = frozenset[int]
_DATE = r'"?\d{4}(?:/\d{1,2}){0,2}"?'
_LEXEMES = re.compile(
    rf'(?P<range>{_DATE}\s?(?:\[[^\[\]]*\])?\s?:\s?{_DATE}\s?\[[^\[\]]*\])|(?P<quoted>"[^"]*")|(?P<tag>\[[^\[\]]*\])'
    r'|(?P<open>\()|(?P<close>\))|(?P<word>[^\s()\[\]"]+)'
)
_BOUND = re.compile(r"\d{4}(?:/\d{1,2}){0,2}")
_NEAR = re.compile(r"(.*):~(\d{1,4})")
_TEXT_FIELDS = {"All Fields", "Title", "Abstract", "Title/Abstract", "Text Word", "Affiliation"}
_SHORTEST_STEM = 4  # letters before `*`


@dataclass
class Reading:
    """What a query means: the papers that it finds, its translation, and remarks on what was left out."""

    papers: Papers = frozenset()
    translation: str = ""
    words: list[str] = field(default_factory=list)  # of the text fields, for the order by relevance
    translations: list[tuple[str, str]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    unknown_quoted: list[str] = field(default_factory=list)
    unknown_fields: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


@dataclass
class _Group:
    """One level of parentheses: what its terms so far find (None: nothing was understood), and what comes next."""

    papers: Papers | None = None
    text: str = ""
    operator: str = ""
    run: list[str] = field(default_factory=list)  # words without a tag, since the last operator


def read(term: str, index: Index, today: date) -> Reading:
    """Read a query; any text is one."""
    return _Reader(index, today).read(term)


class _Reader:
    def __init__(self, index: Index, today: date) -> None:
        self.index, self.today, self.result = index, today, Reading()

    def read(self, term: str) -> Reading:
        if term.count('"') % 2:
            term = term[: term.rindex('"')] + " " + term[term.rindex('"') + 1 :]
            self.result.messages.append("Unmatched double quote ignored.")
        groups = [_Group()]
        lexemes = list(_LEXEMES.finditer(term))
        for place, lexeme in enumerate(lexemes):
            following = lexemes[place + 1] if place + 1 < len(lexemes) else None
            self._take(lexeme, following, groups)
        while len(groups) > 1:  # a parenthesis that is never closed ends here
            self._close(groups)
        self._flush(groups[0])
        self.result.papers, self.result.translation = groups[0].papers or frozenset(), groups[0].text
        return self.result

    def _take(self, lexeme: re.Match[str], following: re.Match[str] | None, groups: list[_Group]) -> None:
        group, text = groups[-1], lexeme[0]
        if lexeme["open"]:
            self._flush(group)
            groups.append(_Group())
        elif lexeme["close"]:
            if len(groups) > 1:
                self._close(groups)
        elif lexeme["range"]:
            self._flush(group)
            self._add(group, self._range(text))
        elif lexeme["tag"]:
            run, group.run = " ".join(group.run), []
            if run:
                self._add(group, self._tagged(run, text, quoted=False))
        elif lexeme["quoted"]:
            self._flush(group)
            tag = following["tag"] if following else None
            self._add(group, self._tagged(text, tag or "[All Fields]", quoted=True))
        elif text in ("AND", "OR", "NOT"):
            self._flush(group)
            group.operator = text
        else:
            group.run.append(text)

    def _close(self, groups: list[_Group]) -> None:
        inner = groups.pop()
        self._flush(inner)
        if inner.papers is not None:
            self._add(groups[-1], (inner.papers, f"({inner.text})"))

    def _flush(self, group: _Group) -> None:
        run, group.run = group.run, []
        if run:
            self._map(group, run)

    def _add(self, group: _Group, found: tuple[Papers, str] | None) -> None:
        """Combine with what stands to the left; a term that was left out takes its operator with it."""
        operator, group.operator = group.operator or "AND", ""
        if found is None:
            return
        papers, text = found
        if group.papers is None:
            group.papers, group.text = (self.index.every - papers if operator == "NOT" else papers), text
            return
        joined = {"AND": group.papers & papers, "OR": group.papers | papers, "NOT": group.papers - papers}
        group.papers, group.text = joined[operator], f"{group.text} {operator} {text}"

    def _map(self, group: _Group, run: list[str]) -> None:
        """Automatic term mapping of words without a tag: the longest known run first."""
        words = [(word, parts) for word in run if not STOP_WORDS.issuperset(parts := tokens(word))]
        if words and all(word.isdigit() and len(word) < 9 for word, _ in words):
            numbers = [word for word, _ in words]
            found = frozenset(n for word in numbers for n in self.index.values["UID"].get((word,), ()))
            self._add(group, (found, " OR ".join(f"{word}[UID]" for word in numbers)))
            return
        start = 0
        while start < len(words):
            for end in range(min(len(words), start + 12), start, -1):
                spelt = " ".join(word for word, _ in words[start:end])
                if mapped := self._mapped(spelt, tuple(part for _, parts in words[start:end] for part in parts)):
                    break
            else:
                end, mapped = start + 1, self._word(*words[start])
            self._add(group, mapped)
            start = end

    def _mapped(self, spelt: str, parts: Tokens) -> tuple[Papers, str] | None:
        """A run of words as a MeSH term, a journal or an author."""
        index, phrase = self.index, " ".join(parts)
        each = index.every.intersection(*(index.phrase("All Fields", (part,)) for part in parts))
        text = f'"{phrase}"[All Fields]'
        if len(parts) > 1:
            words = " AND ".join(f'"{part}"[All Fields]' for part in parts)
            text = f"({words}) OR {text}"
        if heading := index.headings.get(parts):
            found, text = index.mesh(heading) | each, f'"{heading.lower()}"[MeSH Terms] OR {text}'
        elif parts in index.values["Journal"] and (
            len(parts) > 1 or not each
        ):  # words of one journal are rather a topic
            found = frozenset(index.values["Journal"][parts]) | each
            text = f'"{phrase}"[Journal] OR {text}'
        elif len(parts) > 1 and (by := index.author(parts)):
            found, text = by, f'"{phrase}"[Author]'
        else:
            return None
        self.result.words += parts
        self.result.translations.append((spelt, text))
        return found, f"({text})" if " OR " in text else text

    def _word(self, spelt: str, parts: Tokens) -> tuple[Papers, str] | None:
        """One word with its other endings, or one joined by hyphens; None if PubMed does not know it."""
        if spelt.endswith("*"):
            return self._tagged(spelt, "[All Fields]", quoted=False)
        found = self.index.phrase("All Fields", parts, LONGEST_PHRASE)
        if re.match(DOI_START, spelt):
            found |= self.index.values["DOI"].get(parts, set())
        if not found:
            self.result.unknown.append(spelt)
            return None
        self.result.words += parts
        forms = [" ".join(parts), *(self.index.variants(parts[0]) if len(parts) == 1 else [])]
        self.result.words += forms[1:]
        text = " OR ".join(f'"{form}"[All Fields]' for form in forms)
        if len(forms) > 1:
            self.result.translations.append((spelt, text))
            text = f"({text})"
        return found.union(*(self.index.phrase("All Fields", (form,)) for form in forms[1:])), text

    def _tagged(self, value: str, tag: str, *, quoted: bool) -> tuple[Papers, str] | None:
        """Words with a tag: as one value or phrase, else (unless quoted) each word that the field knows."""
        name = " ".join(tag[1:-1].lower().split())
        near = _NEAR.fullmatch(name)
        label = FIELDS.get((near[1] if near else name).strip())
        if label is None:
            self.result.unknown_fields.append(tag[1:-1])
            label = "All Fields"
        parts = tokens(plain := value.strip('"'))
        if label.startswith("Date") and (days := period(plain, self.today)):
            return self.index.dated(label, *days), f"{plain}[{label}]"
        if near and quoted and label in _TEXT_FIELDS:
            self.result.words += parts
            return self.index.near(label, parts, int(near[2])), f'"{" ".join(parts)}"[{label}:~{near[2]}]'
        if parts and (papers := self._found(label, plain, parts, quoted=quoted)):
            self.result.words += parts if label in _TEXT_FIELDS else ()
            return papers, f'"{plain.lower()}"[{label}]'
        if quoted or not parts:
            self.result.unknown_quoted.append(f"{value}{'' if tag == '[All Fields]' else tag}")
            return frozenset(), f'"{plain.lower()}"[{label}]'
        return self._each(label, plain)

    def _each(self, label: str, plain: str) -> tuple[Papers, str] | None:
        """A phrase that is not in the phrase index, broken into words: the unknown ones are left out."""
        papers, texts = self.index.every, list[str]()
        for word in plain.split():
            if STOP_WORDS.issuperset(parts := tokens(word)):
                continue
            if found := self._found(label, word, parts, quoted=False):
                papers, texts = papers & found, [*texts, f'"{" ".join(parts)}"[{label}]']
                self.result.words += parts if label in _TEXT_FIELDS else ()
            else:
                self.result.unknown.append(f"{word}[{label}]")
        return (papers, " AND ".join(texts)) if texts else None

    def _found(self, label: str, plain: str, parts: Tokens, *, quoted: bool) -> Papers:
        index = self.index
        if plain.endswith("*") and label in _TEXT_FIELDS:
            return index.starting(label, parts) if len(parts[-1]) >= _SHORTEST_STEM else frozenset()
        if label in _TEXT_FIELDS:
            return index.phrase(label, parts, LONGEST_PHRASE)
        if label.startswith("Author"):
            return index.author(parts, label, exact=quoted)
        if label.startswith("MeSH"):
            heading = index.headings.get(parts)
            return index.mesh(heading, explode=label != "MeSH Terms:noexp") if heading else frozenset()
        return (
            index.publication_type(parts)
            if label == "Publication Type"
            else frozenset(index.values["Subset" if label == "Filter" else label].get(parts, ()))
        )

    def _range(self, text: str) -> tuple[Papers, str] | None:
        """`2019/01/01:2021[dp]`, with or without quotation marks and a first tag."""
        label = FIELDS.get(" ".join(text[text.rindex("[") + 1 : -1].lower().split()), "")
        start, end = _BOUND.findall(text)[:1], _BOUND.findall(text[text.index(":") :])[:1]
        first, last = day(start[0]), day(end[0], last=True)
        if not label.startswith("Date") or not first or not last:
            self.result.unknown.append(text)
            return None
        return self.index.dated(label, first, last), f"{start[0]}:{end[0]}[{label}]"
