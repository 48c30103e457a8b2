# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A bundle of a reporter's own file: what each build said, in the texts for both doors."""

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from jdkmatrix.bundle.make import ProgramBundle, make_program_bundle
from jdkmatrix.bundle.tried_material import folder_that_tried
from jdkmatrix.errors import UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.records.store import keep_bisection, newest_bisection
from tests.flow.test_try import BUILDS, NAME, try_it

SOURCE = "public class Repro { }\n"
BAD = "java.net.ProtocolException: CR expected\n"
TEXTS = {BUILDS[0]: (BAD,), BUILDS[1]: (BAD,), BUILDS[2]: ("HTTP/1.1 200\n",)}
PATTERN = "CR expected"


@dataclass(frozen=True)
class Reporter:
    """A reporter's folder, and a checkout with a run of the file in it."""

    file: Path
    checkout: Checkout
    run: Path

    def bundle(self, out: Path, fails_with: str | None = None) -> ProgramBundle:
        return make_program_bundle(
            self.checkout,
            self.file,
            self.run,
            out,
            lambda: Path("/nowhere"),
            fails_with=fails_with,
        )


@pytest.fixture
def reporter(tmp_path: Path) -> Reporter:
    return store(tmp_path, TEXTS)


def store(
    place: Path, texts: Mapping[str, tuple[str, ...]], codes: Mapping[str, int] | None = None
) -> Reporter:
    """A run of a file in `place`, as `try` leaves it."""
    (place / "me").mkdir()
    file = place / "me" / NAME
    file.write_text(SOURCE)
    run = place / "run"
    run.mkdir()
    try_it(run, texts, codes)
    record = (run / "run.json").read_text().replace("/home/me", str(file.parent))
    (run / "run.json").write_text(record)
    return Reporter(file, Checkout.current(), run)


def texts_of(bundle: ProgramBundle) -> dict[str, str]:
    with zipfile.ZipFile(bundle.place) as archive:
        return {name.partition("/")[2]: archive.read(name).decode() for name in archive.namelist()}


def test_the_file_goes_in_with_what_each_build_said(reporter: Reporter, tmp_path: Path) -> None:
    bundle = reporter.bundle(tmp_path / "out", fails_with=PATTERN)
    files = texts_of(bundle)
    assert files[NAME] == SOURCE
    jbs, form = files["jbs.txt"], files["webform.txt"]
    assert "||Affects Version/s|17.0.3, 17.0.7|\n" in jbs
    assert "|temurin-17.0.9+9|wheel|passes, group B|\n" in jbs
    assert f"h3. Actual result\n\nOn {BUILDS[1]}:\n\n{{noformat}}\n{BAD}(exit code 0)\n" in jbs
    assert f"=== Expected result ===\nOn {BUILDS[2]}:\nHTTP/1.1 200\n(exit code 0)\n" in form
    assert f"=== Source code of an executable test case ===\n{SOURCE}" in form
    assert 'throws "ProtocolException: CR expected" up to 17.0.7+7' in form
    assert "Always (4 of 4 runs on 2 builds where it fails)" in form
    assert files["groups.txt"].startswith("A  temurin-17.0.3+7, temurin-17.0.7+7, fails\n")
    assert files["evidence/A-output.txt"] == BAD
    assert str(tmp_path) not in "".join(text for name, text in files.items() if name != NAME)


def test_an_exit_code_says_it_without_a_pattern(tmp_path: Path) -> None:
    reporter = store(tmp_path, {}, {BUILDS[3]: 1})
    bundle = reporter.bundle(tmp_path / "out")
    assert bundle.material.worst.build == BUILDS[3]
    assert bundle.material.good is not None
    assert bundle.material.good.build == BUILDS[2]


def test_a_file_that_fails_nowhere_is_refused(reporter: Reporter, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Repro.java: fails on no build of .*; accepted: --fails"):
        reporter.bundle(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_file_that_no_run_has_is_refused(reporter: Reporter, tmp_path: Path) -> None:
    other_file = reporter.file.with_name("Other.java")
    other_file.write_text(SOURCE)
    with pytest.raises(UsageError, match=r"no finished cell of .*Other.java; accepted: a run of"):
        Reporter(other_file, reporter.checkout, reporter.run).bundle(tmp_path / "out")


def test_the_newest_run_of_the_file_is_taken(reporter: Reporter, tmp_path: Path) -> None:
    checkout = Checkout(tmp_path / "checkout")
    checkout.reports.mkdir(parents=True)
    with pytest.raises(UsageError, match=r"Repro.java: no run in .* has it"):
        folder_that_tried(checkout, reporter.file, None)
    record = (reporter.run / "run.json").read_text()
    for name, text in (("1", record), ("2", record), ("3", "{"), ("4", record.replace("me", "x"))):
        (checkout.reports / name).mkdir()
        (checkout.reports / name / "run.json").write_text(text)
    assert folder_that_tried(checkout, reporter.file, None).name == "2"


def test_its_newest_bisection_is_kept_for_it(tmp_path: Path) -> None:
    program = tmp_path / NAME
    for name, line in (("1", "17: first bad: 17.0.3"), ("2", "17: first bad: 17.0.4")):
        (tmp_path / name).mkdir()
        keep_bisection(tmp_path / name, program, [line])
    assert newest_bisection(tmp_path, program) == ("17: first bad: 17.0.4",)
    assert newest_bisection(tmp_path, tmp_path / "Other.java") == ()
    document = {"schema": 1, "program": str(program), "lines": [line]}
    assert json.loads((tmp_path / "2" / "bisection.json").read_text()) == document
    for text in ("{", "[]", "[" * 100_000, json.dumps(document | {"lines": 1})):
        (tmp_path / "2" / "bisection.json").write_text(text)
        assert newest_bisection(tmp_path, program) == ("17: first bad: 17.0.3",)
