# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a validation says of behaviour is short, however much changed."""

from jdkmatrix.verdict.behaviour import BehaviourDifference, Breach, Cluster, RowChange
from jdkmatrix.verdict.edits import Edit
from jdkmatrix.words.behaviour import topic_sentence


def cluster(row: str, name: str | None = None) -> Cluster:
    return Cluster(
        (row,), RowChange(row, "200", "404"), Edit("200", "404"), has_gold=True, name=name
    )


def breach(row: str, title: str | None = None) -> Breach:
    return Breach("hang", "it hangs", (row,), "hangs in send", title and "JDK-1", title)


def sentence(clusters: list[Cluster], *breaches: Breach) -> str:
    return topic_sentence(BehaviourDifference(100, 90, tuple(clusters)), breaches)


def test_the_first_faults_are_named_and_the_others_counted() -> None:
    rows = [cluster(f"row.{n}") for n in range(4)]
    assert sentence(rows, breach("h2.a", "A reply is lost"), breach("h2.b")) == (
        "it hangs (JDK-1: A reply is lost; 1 row); it hangs: 1 row: h2.b: hangs in send; "
        "unexplained: row.0: 200 -> 404; 3 more of the kind; "
        "4 of 100 rows changed for no known reason"
    )


def test_rows_that_break_a_rule_are_told_once() -> None:
    assert sentence([cluster("row.0")], breach("row.0")) == (
        "it hangs: 1 row: row.0: hangs in send; 1 of 100 rows changed for no known reason"
    )


def test_a_change_beside_those_that_break_a_rule_is_told() -> None:
    clusters = [cluster("row.0"), cluster("row.1")]
    assert "unexplained: row.1: 200 -> 404" in sentence(clusters, breach("row.0"))


def test_the_first_reasons_are_named_and_the_others_counted() -> None:
    rows = [cluster(f"row.{n}", f"JDK-{n}") for n in range(8)]
    assert sentence(rows) == (
        "8 of 100 rows changed, none of them for no known reason "
        "(explained by JDK-0, JDK-1, JDK-2, JDK-3, JDK-4, JDK-5 and 2 more)"
    )
