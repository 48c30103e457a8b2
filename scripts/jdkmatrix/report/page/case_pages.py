# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are a cell's cases, the subject and its controls, shown side by side? Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import TypeVar

from jdkmatrix.evidence.outcomes import Figure, Scalar
from jdkmatrix.results.document import JvmResult
from jdkmatrix.words.speed import number

T = TypeVar("T")

# Longer values, such as call stacks, are better set small.
_LONG_CHARACTERS = 60


@dataclass(frozen=True)
class CaseRow:
    """One figure or fact of all cases, as displayed; `bound` is empty for a fact."""

    name: str
    bound: str
    texts: tuple[str, ...]

    @property
    def is_long(self) -> bool:
        """Whether a value needs smaller type."""
        return any(len(text) > _LONG_CHARACTERS for text in self.texts)


@dataclass(frozen=True)
class CaseTable:
    """One column per case, one row per figure or fact."""

    cases: tuple[JvmResult, ...]
    figures: tuple[CaseRow, ...]
    facts: tuple[CaseRow, ...]


def case_table(cases: Sequence[JvmResult]) -> CaseTable:
    """The table of a cell's cases."""
    return CaseTable(tuple(cases), tuple(_figures(cases)), tuple(_facts(cases)))


def place_of(figure: Figure) -> float | None:
    """A figure's place relative to its bound, 0 to 100: 50 at the bound, 25 per factor of ten."""
    if figure.bound <= 0:
        return None
    if figure.value <= 0:
        return 0.0
    return round(min(max(50 + 25 * log10(figure.value / figure.bound), 0.0), 100.0), 1)


def measure(quantity: float, unit: str) -> str:
    """`3,896 ms`."""
    return f"{number(quantity)} {unit}".rstrip()


def _figures(cases: Sequence[JvmResult]) -> Iterator[CaseRow]:
    by_case = [{figure.name: figure for figure in case.figures} for case in cases]
    for name in _names(by_case):
        same_name = [figures[name] for figures in by_case if name in figures]
        bounds = {measure(figure.bound, figure.unit) for figure in same_name}
        has_one_bound = len(bounds) == 1
        yield CaseRow(
            name,
            bounds.pop() if has_one_bound else "of each case",
            tuple(
                _column_texts(by_case, name, _figure_text if has_one_bound else _value_and_bound)
            ),
        )


def _facts(cases: Sequence[JvmResult]) -> Iterator[CaseRow]:
    by_case = [case.facts for case in cases]
    for name in _names(by_case):
        yield CaseRow(name, "", tuple(_column_texts(by_case, name, _fact)))


def _names(by_case: Sequence[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(name for of_case in by_case for name in of_case))


def _column_texts(
    by_case: Sequence[Mapping[str, T]], name: str, text: Callable[[T], str]
) -> Iterator[str]:
    for of_case in by_case:
        yield text(of_case[name]) if name in of_case else ""


def _figure_text(figure: Figure) -> str:
    return measure(figure.value, figure.unit)


def _value_and_bound(figure: Figure) -> str:
    return f"{_figure_text(figure)} (bound {measure(figure.bound, figure.unit)})"


def _fact(fact: Scalar | list[Scalar] | None) -> str:
    if isinstance(fact, list):
        return "\n".join(map(str, fact))
    if fact is None:
        return "none"
    return str(fact).lower() if isinstance(fact, bool) else str(fact)
