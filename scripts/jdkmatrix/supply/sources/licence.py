# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which licence does a Python package declare, and is that an open-source one?"""

from dataclasses import dataclass
from importlib.metadata import Distribution
from pathlib import Path

import license_expression as spdx

NONE_DECLARED = "none"
# Categories of ScanCode's LicenseDB, whose index license-expression carries.
_OPEN = frozenset({"Copyleft", "Copyleft Limited", "Permissive", "Public Domain"})
_OPEN_CLASSIFIERS = ("License :: OSI Approved :: ", "License :: Public Domain")
_LONGEST = 80


@dataclass(frozen=True)
class Licence:
    """What a package declares, or `none`. Many declare it only for the Python around a JDK."""

    declared: str
    is_open_source: bool


def declared_licence(unpacked: Path) -> Licence | None:
    """The licence of the wheel unpacked at `unpacked`; None if that is no wheel.

    From its expression (PEP 639), otherwise its classifiers, otherwise its old free text.
    """
    about = next(iter(sorted(unpacked.glob("*.dist-info"))), None)
    if about is None:
        return None
    fields = Distribution.at(about).metadata
    if expression := "".join(fields.get_all("License-Expression") or ()):
        return Licence(_short(expression), _is_open_source(expression))
    classifiers = [c for c in fields.get_all("Classifier") or () if c.startswith("License ::")]
    if classifiers:
        names = " and ".join(classifier.rpartition(" :: ")[2] for classifier in classifiers)
        is_open = all(classifier.startswith(_OPEN_CLASSIFIERS) for classifier in classifiers)
        return Licence(_short(names), is_open)
    text = "".join(fields.get_all("License") or ()).strip()
    if text in ("", "UNKNOWN"):  # what setuptools wrote for none
        return Licence(NONE_DECLARED, False)
    return Licence(_short(text), _is_open_source(text))


def _is_open_source(expression: str) -> bool:
    try:
        parsed = spdx.get_spdx_licensing().parse(expression)
    except spdx.ExpressionError:
        return False
    kinds = {row["spdx_license_key"]: row["category"] for row in spdx.get_license_index()}
    return _holds(parsed, kinds)


def _holds(parsed: spdx.LicenseExpression | None, kinds: dict[str, str]) -> bool:
    if isinstance(parsed, spdx.OR):
        return any(_holds(part, kinds) for part in parsed.args)
    if isinstance(parsed, spdx.AND):
        return all(_holds(part, kinds) for part in parsed.args)
    if isinstance(parsed, spdx.LicenseWithExceptionSymbol):
        both = (parsed.license_symbol, parsed.exception_symbol)
        return all(_holds(part, kinds) for part in both)
    return isinstance(parsed, spdx.LicenseSymbol) and kinds.get(parsed.key) in _OPEN


def _short(text: str) -> str:
    line = text.splitlines()[0].strip()
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
