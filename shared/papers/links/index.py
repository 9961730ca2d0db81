"""Indexes of merged papers: by the names of a pointer, and by the title that stands in a printed reference."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from shared.bibliography.paper import MergedPaper
from shared.bibliography.paper_ids import id_texts
from shared.bibliography.text import fold

# A title of fewer words or characters may stand in a line by chance.
TITLE_WORDS, TITLE_LETTERS = 4, 25


class NameIndex:
    """Finds papers by name; the names of one pointer form a group, because they belong to one paper (union-find)."""

    def __init__(self, papers: Sequence[Collection[str]]) -> None:
        """Index the names of each paper; a paper is known by its position in `papers`."""
        self._paper_with: dict[str, int] = {}
        self._parent: dict[str, str] = {}  # name -> another name of its group, nearer to the group's root
        self._paper_of_group: dict[str, int] = {}  # root of a group -> a paper that has one of the group's names
        for number, names in enumerate(papers):
            for name in names:
                self._paper_with.setdefault(name, number)

    def group(self, name: str) -> str:
        """The name that represents the group of this name."""
        while (parent := self._parent.setdefault(name, name)) != name:
            self._parent[name] = self._parent[parent]
            name = parent
        return name

    def join(self, names: Sequence[str]) -> None:
        """Join the groups of these names into one."""
        groups = {self.group(name) for name in names}
        found = [self._paper_of_group.pop(group) for group in groups if group in self._paper_of_group]
        found += [self._paper_with[name] for name in names if name in self._paper_with]
        for name in names[1:]:
            self._parent[self.group(name)] = self.group(names[0])
        if found:
            self._paper_of_group[self.group(names[0])] = min(found)

    def paper(self, names: Sequence[str]) -> int | None:
        """The paper that has one of these names (the best name first), else one that has a name of their group."""
        known = [self._paper_with[name] for name in names if name in self._paper_with]
        return known[0] if known else self._paper_of_group.get(self.group(names[0]))


class TitleIndex:
    """Finds papers by title in linear time: titles are indexed by their first words and their lengths."""

    def __init__(self, papers: Sequence[MergedPaper]) -> None:
        """Index the titles that are long enough; a paper is known by its position in `papers`."""
        self._papers = papers
        self._papers_titled: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        self._lengths: defaultdict[tuple[str, ...], set[int]] = defaultdict(set)
        for number, paper in enumerate(papers):
            title = fold(paper.title)
            words = tuple(title.split())
            if len(words) >= TITLE_WORDS and len(title) >= TITLE_LETTERS:
                self._papers_titled[words].append(number)
                self._lengths[words[:TITLE_WORDS]].add(len(words))

    def find(self, line: str) -> int | None:
        """The paper whose title stands in a printed reference; None if there is none.

        Of several titles the longest wins; of several papers with one title, the one whose year stands in the line.
        """
        words = tuple(fold(line).split())
        spans = {
            words[start : start + length]
            for start in range(len(words) - TITLE_WORDS + 1)
            for length in self._lengths.get(words[start : start + TITLE_WORDS], ())
        }
        found = [(span, number) for span in spans for number in self._papers_titled.get(span, ())]
        fitting = [(span, number) for span, number in found if span == words or not _is_bare(self._papers[number])]
        return max(fitting, key=lambda match: self._preference(match, words))[1] if fitting else None

    def same_paper(self, record: MergedPaper) -> int | None:
        """For a paper without ids the one with ids that has its title and, if known, its year; None unless unique."""
        if id_texts(record.ids):
            return None
        same_title = self._papers_titled.get(tuple(fold(record.title).split()), ())
        with_ids = [number for number in same_title if id_texts(self._papers[number].ids)]
        years = {None, record.year} if record.year else {self._papers[number].year for number in with_ids}
        return with_ids[0] if len(with_ids) == 1 and self._papers[with_ids[0]].year in years else None

    def _preference(self, match: tuple[tuple[str, ...], int], words: Collection[str]) -> tuple[int, bool, int]:
        span, number = match
        return len(" ".join(span)), str(self._papers[number].year) in words, -number


def _is_bare(paper: MergedPaper) -> bool:
    """Whether only the title is known: such a record is as often boilerplate ("Sign up to receive…") as a paper."""
    return not (paper.authors or paper.year or id_texts(paper.ids))
