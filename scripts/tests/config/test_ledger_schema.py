# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The published schema describes the ledger, for editors and for whoever reads it without us."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

from jdkmatrix.config import ledger as ledger_module

PUBLISHED = Path(ledger_module.__file__).with_name("ledger.schema.json")


@pytest.fixture
def document(root: Path) -> Any:
    """The shipped ledger as JSON has it."""
    return json.loads(json.dumps(YAML(typ="safe").load(root / "test" / "bugs.yaml")))


def valid(document: Any) -> bool:
    return jsonschema.Draft202012Validator(json.loads(PUBLISHED.read_text())).is_valid(document)


def test_the_published_schema_is_the_model() -> None:
    assert PUBLISHED.read_text() == ledger_module.schema_text(), "write ledger.schema_text() to it"


def test_the_shipped_ledger_is_valid(document: Any) -> None:
    assert valid(document)


@pytest.mark.parametrize("key", ["id", "fixed", "tests", "component", "title"])
def test_an_entry_without_a_needed_key_is_not(document: Any, key: str) -> None:
    del document["bugs"][0][key]
    assert not valid(document)


def test_a_rule_looks_somewhere() -> None:
    for fields in ({}, {"slow-in": ["a.B.c"], "busy-in": ["a.B.c"]}):
        with pytest.raises(ValueError, match="blocked-in, slow-in, or both; or busy-in alone"):
            ledger_module.EvidenceRule.model_validate({**fields, "bound-source": "x"})


def test_a_rule_of_waiting_threads_has_its_own_bound() -> None:
    rule = {"blocked-in": ["a.B.c"], "bound-source": "x"}
    with pytest.raises(ValueError, match="beside blocked-in: its bound, min-blocked-ms"):
        ledger_module.EvidenceRule.model_validate(rule)
    assert ledger_module.EvidenceRule.model_validate({**rule, "min-blocked-ms": 1})


def test_what_was_tried_in_vain_is_of_a_bug_without_workaround(document: Any) -> None:
    entry = {**document["bugs"][0], "workaround-tried": "-Dx on 17.0.9: n 2 (bound 1)"}
    with pytest.raises(ValueError, match="workaround or workaround-tried, not both"):
        ledger_module.Bug.model_validate(entry)


def test_an_id_of_the_kits_own_is_of_an_unreported_bug(document: Any) -> None:
    entry = {**document["bugs"][0], "id": "KIT-9"}
    with pytest.raises(ValueError, match="with KIT-9, an id of the kit's own: unreported: true"):
        ledger_module.Bug.model_validate(entry)
    assert ledger_module.Bug.model_validate({**entry, "unreported": True})


@pytest.mark.parametrize(
    ("text", "bug_id"),
    [
        ("8293562", "JDK-8293562"),
        ("JDK8293562:", "JDK-8293562"),
        ("https://bugs.openjdk.org/browse/JDK-8293562", "JDK-8293562"),
        ("kit-1", "KIT-1"),
        ("KIT1", "KIT-1"),
        ("KIT-", None),
        ("829356", None),
    ],
)
def test_how_people_write_ids(text: str, bug_id: str | None) -> None:
    assert ledger_module.id_in(text) == bug_id
    assert bug_id is None or ledger_module.is_bug_id(bug_id)


def test_an_unknown_key_is_not(document: Any) -> None:
    document["bugs"][0]["fixed-in"] = {}
    assert not valid(document)
