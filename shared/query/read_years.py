"""What a text says of the years in which papers are wanted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class YearsInWords:
    """The text without what it says of years, and those years; `months_back` is counted from today.

    `words`: what was left out of the text. `is_of_papers`: it says that papers were published then; else the last year
    may be that of the subject.
    """

    rest: str
    first: int | None = None
    last: int | None = None
    months_back: int | None = None
    words: str = ""
    is_of_papers: bool = False

    def dates(self, today: str | None) -> tuple[str | None, str | None]:
        """The first and the last year or month, `YYYY` or `YYYY-MM`, as of a day in ISO 8601, if that is known."""
        if self.months_back is not None and today:
            years, months = divmod(int(today[:4]) * 12 + int(today[5:7]) - 1 - self.months_back, 12)
            return (f"{years}" if self.months_back % 12 == 0 else f"{years}-{months + 1:02}"), None
        return str(self.first) if self.first else None, str(self.last) if self.last else None
