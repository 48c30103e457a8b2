# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does AQAvit read a run? As TAP 13, one line per case, with a YAML block (JSON is YAML)."""

import json
import re
from collections.abc import Iterator

from jdkmatrix.results.case import Case, CaseStatus
from jdkmatrix.results.document import Results

# What a YAML stream can't hold unescaped and JSON does not escape (YAML 1.2, section 5.1).
_NO_YAML_CHARACTER = re.compile("[\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


def tap(results: Results) -> str:
    """The run as TAP 13. `duration_ms` is what TKG and Jenkins' TAP plug-in call a case's time."""
    cases = results.cases
    lines = ["TAP version 13", f"1..{len(cases)}"]
    for number, case in enumerate(cases, 1):
        lines += _lines(number, case)
    return "\n".join(lines) + "\n"


def _lines(number: int, case: Case) -> Iterator[str]:
    # A # begins a directive, and TAP 13 has no way to escape it.
    name = _one_line(f"{case.build} {case.name} ({case.group})").replace("#", "_")
    is_skipped = case.status is CaseStatus.SKIPPED
    directive = f" # SKIP {_one_line(f'{case.grade}: {case.sentence}')}" if is_skipped else ""
    yield f"{'not ok' if case.is_bad else 'ok'} {number} - {name}{directive}"
    fields: dict[str, object] = {"duration_ms": round(case.seconds * 1000)}
    if case.is_bad:
        fields |= {"grade": case.grade, "reason": case.sentence}
    if case.evidence:  # why an affected build shows the bug, too
        fields |= {"evidence": case.evidence}
    if case.is_bad and case.rerun:
        fields |= {"rerun": case.rerun}
    yield "  ---"
    for key, field in fields.items():
        yield f"  {key}: {_json(field)}"
    yield "  ..."


def _json(field: object) -> str:
    return _NO_YAML_CHARACTER.sub("\ufffd", json.dumps(field, ensure_ascii=False))


def _one_line(text: str) -> str:
    return " ".join(text.split())
