"""A paper that references are compared with; what comparing needs is read once, however many references there are."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from shared.bibliography.paper import MergedPaper
from shared.bibliography.paper_ids import id_texts
from shared.bibliography.words import words_of
from shared.matching.features import Features, features
from shared.references.cited_title import titles_of

_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")  # `ALZHEIMERS DISEASE`
FEWEST_WORDS = 3  # by which a line is seen to begin with a title


@lru_cache(maxsize=8192)
def phrase_of(text: str) -> str:
    """The words of a text between single blanks, with one before and one after them; empty if it has none."""
    words = words_of(text)
    return f" {' '.join(words)} " if words else ""


class KnownRecord:
    """One record of a paper: its features and the words of its authors' names."""

    def __init__(self, read: Features) -> None:
        self.features = read

    @cached_property
    def first_author(self) -> tuple[str, ...]:
        """The family name of the first author, and the whole name; nothing if it has no authors."""
        return tuple(
            name for author in self.features.paper.authors[:1] for name in (author.family, author.display) if name
        )

    @cached_property
    def title_words(self) -> frozenset[str]:
        """The words of its title."""
        return frozenset(words_of(self.features.paper.title))

    @cached_property
    def name_words(self) -> frozenset[str]:
        """All words of its authors' names."""
        return frozenset(word for author in self.features.paper.authors for word in words_of(author.display))

    @cached_property
    def initials(self) -> frozenset[str]:
        """The first letters of these words."""
        return frozenset(word[0] for word in self.name_words)


class KnownPaper:
    """A paper with what is read of all its records."""

    def __init__(self, paper: MergedPaper) -> None:
        self.paper = paper
        self.records = tuple(KnownRecord(features(record)) for record in paper.records)

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """All titles of its records in all their forms."""
        return tuple(titles_of(self.paper.records))

    @cached_property
    def titles_in_lines(self) -> tuple[str, ...]:
        """These titles, and each without the apostrophe of its possessives."""
        return tuple(dict.fromkeys(form for text in self.titles for form in (text, _POSSESSIVE.sub("s", text))))

    @cached_property
    def beginnings(self) -> frozenset[tuple[str, ...]]:
        """The first words of these titles."""
        return frozenset(tuple(words_of(title)[:FEWEST_WORDS]) for title in self.titles)

    @cached_property
    def journals(self) -> tuple[str, ...]:
        """The journals that its records name."""
        return tuple(record.journal for record in self.paper.records if record.journal)

    @cached_property
    def words_before_title(self) -> frozenset[str]:
        """The words that may stand before its title: of the authors, and of the journal, as news name it first."""
        return frozenset(word for text in self.journals for word in words_of(text)).union(
            *(record.name_words for record in self.records)
        )

    @cached_property
    def author_words(self) -> frozenset[str]:
        """All words of the names of its authors, as the records were merged."""
        return frozenset(word for author in self.paper.authors for word in words_of(author.display))

    @cached_property
    def families(self) -> frozenset[str]:
        """The family names of the persons among the authors of all its records, each run together."""
        return frozenset(name.family for record in self.records for name in record.features.names)

    @cached_property
    def name_words(self) -> frozenset[str]:
        """All these words and family names."""
        return self.author_words | self.families

    @cached_property
    def initials(self) -> frozenset[str]:
        """The first letters of the words of its authors' names."""
        return frozenset(word[0] for word in self.author_words)

    @cached_property
    def names(self) -> frozenset[str]:
        """The ids of all its records, and those that they answered."""
        return frozenset(all_names(self.paper))


def all_names(paper: MergedPaper) -> set[str]:
    """The ids of all records of a paper, and those that they answered."""
    return {name for record in paper.records for name in (*record.asked, *id_texts(record.ids))}
