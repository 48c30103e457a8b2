# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What came out, how sure, what now: in few words, and never better than the run."""

import pytest

from jdkmatrix.report.page.overall import Tone, overall
from jdkmatrix.report.page.sheet import Sheet, sheet_of
from jdkmatrix.report.page.topics import Topic, topics_of
from jdkmatrix.results.document import AttemptResult, CellResult, Results
from jdkmatrix.results.speed import TopicResult, ValidationResult
from jdkmatrix.vocabulary import Grade, Outcome, Verdict
from tests.report.conftest import make_cell, make_results
from tests.report.speed_kit import make_speed, make_validation

NEW = "temurin-17.0.9+9"
GOOD_CELL = make_cell(NEW, "not-reproduced", "fixed")
ATTEMPT = AttemptResult(
    outcome=Outcome.REPRODUCED,
    grade=Grade.REGRESSION,
    reason="Waited.",
    seconds=1,
    flags=(),
    folder="",
)
REGRESSION = make_cell(
    NEW, "reproduced", "fixed", test="keepalive/Other.java", attempts=(ATTEMPT, ATTEMPT)
)


def make_judged(verdicts: dict[str, str], *cells: CellResult, **changes: object) -> Results:
    """A validation with a topic of each name and verdict."""
    worst = next(word for word in ("bad", "undecided", "good") if word in verdicts.values())
    validation: ValidationResult = make_validation(worst).model_copy(
        update={
            "topics": tuple(
                TopicResult(topic=topic, verdict=Verdict(verdict), sentence="Because.")
                for topic, verdict in verdicts.items()
            ),
            "defaults": None,
        }
    )
    return make_results(*cells, validation=validation, **changes)


def sheet(results: Results) -> Sheet:
    return sheet_of(results, overall(results), topics_of(results))


def topic(results: Results, key: str) -> Topic:
    return next(topic for topic in topics_of(results) if topic.key == key)


def test_a_bug_that_is_back_is_named_with_its_tests() -> None:
    results = make_judged({"bugs": "bad", "defaults": "good"}, GOOD_CELL, REGRESSION)
    answer = sheet(results)
    assert answer.title == "Do not ship: JDK-8293562 is back"
    assert answer.lead == "JDK-8293562 shows in 1 of 2 tests. No worse in defaults."
    assert answer.certainty.startswith("1 of 1 surprise had the same outcome each time it ran")
    sentences = [step.sentence for step in answer.steps]
    assert sentences[:3] == ["Hold the update.", "Read what is not as expected.", "Repeat Other."]
    assert answer.steps[2].command == REGRESSION.rerun
    bugs = topic(results, "bugs")
    assert (bugs.tone, bugs.word, bugs.section) == (Tone.BAD, "1 bug back", "looks")
    assert bugs.tally == "2 tests: 1 as expected, 1 regression"


def test_attempts_that_differ_confirm_nothing() -> None:
    quiet_attempt = ATTEMPT.model_copy(update={"outcome": Outcome.NOT_REPRODUCED})
    cell = REGRESSION.model_copy(update={"attempts": (ATTEMPT, quiet_attempt)})
    answer = sheet(make_judged({"bugs": "bad"}, cell))
    assert answer.certainty.startswith("0 of 1 surprise")


def test_a_good_one_says_what_could_hide() -> None:
    figure = make_speed("no-change").model_copy()
    results = make_judged({"bugs": "good", "speed": "good"}, GOOD_CELL, throughput=(figure,))
    answer = sheet(results)
    assert answer.title == "No regression found"
    assert answer.lead == "No worse in bugs and speed."
    assert answer.steps[0].section == "not-checked"
    assert topic(results, "speed").word == "not slower"


@pytest.mark.parametrize(
    ("verdicts", "title"),
    [
        ({"bugs": "good", "machine": "undecided"}, "Not decided: this machine lacks programs"),
        ({"speed": "undecided", "bugs": "undecided"}, "Not decided: speed and bugs"),
        ({"moons": "undecided"}, "Not decided: moons"),
        ({"moons": "bad"}, "Do not ship: moons"),
    ],
)
def test_what_is_open_is_named_also_of_a_topic_that_only_a_newer_kit_has(
    verdicts: dict[str, str], title: str
) -> None:
    answer = sheet(make_judged(verdicts, GOOD_CELL))
    assert answer.title == title
    assert len(answer.title.split()) <= 7


def test_the_card_of_a_topic_never_contradicts_its_verdict() -> None:
    results = make_judged({"bugs": "undecided"}, GOOD_CELL)  # counted alone, it would be good
    bugs = topic(results, "bugs")
    assert (bugs.tone, bugs.word) == (Tone.OPEN, "undecided")


def test_a_run_without_validation_has_topics_of_what_it_ran() -> None:
    results = make_results(GOOD_CELL, throughput=(make_speed("slower"),))
    assert [topic.key for topic in topics_of(results)] == ["bugs", "speed"]
    assert topic(results, "speed").word == "1 slower"
    answer = sheet(results)
    assert answer.title == "1 comparison slower, cause unknown"
    calm = sheet(make_results(GOOD_CELL))
    assert (calm.title, calm.steps[-1].sentence) == ("No surprise on 1 build", "Nothing to do.")
    part = sheet(make_results(GOOD_CELL, complete=False, finished_at=None))
    assert part.title == "Not complete: no surprise so far"
