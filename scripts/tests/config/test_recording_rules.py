# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The shipped rules are read; a mistake in one is one line: file, line, key, what is accepted."""

from pathlib import Path

import pytest

from jdkmatrix.config.recording_rules import load_rules
from jdkmatrix.errors import ExitCode, UsageError

MISTAKES = [
    ("min-blocked-ms: 1000", "min-blocked-ms: 0", "min-blocked-ms: input should be greater than 0"),
    ("min-blocked-ms: 1000", "min-blocked-s: 1", "unknown key 'min-blocked-s'; accepted: id, titl"),
    ("    min-blocked-ms: 1000\n", "", "missing key 'min-blocked-ms'"),
    ("jdk.SocketRead,", "jdk.SocketRed,", "rules[0].held-over[0]: input should be 'jdk.SocketRea"),
    ("id: new-contention", "id: lock-held-over-network", "duplicate id 'lock-held-over-network'"),
    ("id: new-contention", "id: New", "rules[1].id: string should match pattern"),
    ("times-baseline: 10", "times-baseline: 1", "times-baseline: input should be greater than 1"),
    ("schema: 1", "schema: 2", "schema: input should be 1, not 2"),
    ("rules:", "rules: []\nother:", "unknown key 'other'; accepted: schema, rules"),
    ("rules:", "rules: [", "expected the node content"),
]


def test_every_shipped_rule_says_where_its_bound_is_from(root: Path) -> None:
    rules = load_rules(root / "jtreg" / "rules")
    assert {rule.id for rule in rules} == {"lock-held-over-network", "new-contention"}
    assert all(len(rule.bound_source) > 40 for rule in rules)


@pytest.mark.parametrize(("right", "wrong", "says"), MISTAKES)
def test_a_mistake_is_one_line(
    root: Path, tmp_path: Path, right: str, wrong: str, says: str
) -> None:
    text = (root / "jtreg" / "rules" / "contention.yaml").read_text()
    assert right in text
    path = tmp_path / "contention.yaml"
    path.write_text(text.replace(right, wrong, 1))
    with pytest.raises(UsageError) as error:
        load_rules(tmp_path)
    assert error.value.exit_code == ExitCode.USAGE
    line = str(error.value)
    assert line.startswith(f"{path}:")
    assert says in line
    assert "\n" not in line


def test_a_bound_without_a_source_is_refused(root: Path, tmp_path: Path) -> None:
    lines = (root / "jtreg" / "rules" / "contention.yaml").read_text().splitlines()
    start = next(n for n, line in enumerate(lines) if "bound-source" in line)
    (tmp_path / "a.yaml").write_text("\n".join([*lines[:start], *lines[start + 3 :]]))
    with pytest.raises(UsageError, match=r"rules\[0\]: missing key 'bound-source'"):
        load_rules(tmp_path)


def test_two_files_must_not_share_an_id(root: Path, tmp_path: Path) -> None:
    text = (root / "jtreg" / "rules" / "contention.yaml").read_text()
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match=r"b\.yaml: duplicate id 'lock-held-over-network', also"):
        load_rules(tmp_path)


def test_no_rules(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no rules; accepted: a folder with"):
        load_rules(tmp_path)
