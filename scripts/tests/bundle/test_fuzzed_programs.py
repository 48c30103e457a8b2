# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Whatever the stored run of a tried program holds, its bundle is made, or refused in one line."""

import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import strategies as st

from jdkmatrix.errors import KitError
from tests.bundle.test_make_program import PATTERN, TEXTS, Reporter, store, texts_of
from tests.flow.test_fuzzed_records import CHANGES, change_words
from tests.fuzz import fuzz
from tests.test_fuzzed_readers import damage

NAMES = ["run.json", "cell.json", "output.txt"]


@pytest.fixture(scope="module")
def reporter(tmp_path_factory: pytest.TempPathFactory) -> Reporter:
    return store(tmp_path_factory.mktemp("tried"), TEXTS)


def bundle_of(reporter: Reporter, out: Path) -> str:
    """Why no bundle is made, in what line; "" if it is."""
    try:
        texts_of(reporter.bundle(out, fails_with=PATTERN))
    except KitError as error:
        line = str(error)
        assert "\n" not in line, line[:300]
        return line
    return ""


def test_what_is_changed_here_is_right_as_it_is(reporter: Reporter, tmp_path: Path) -> None:
    assert bundle_of(reporter, tmp_path / "out") == ""
    assert {name for name in NAMES if any(reporter.run.rglob(name))} == set(NAMES)


@fuzz(6, long_inputs=2_000, name=st.sampled_from(NAMES), changes=CHANGES)
def test_a_damaged_run_gives_a_bundle_or_a_line(
    reporter: Reporter, name: str, changes: list[tuple[int, str]]
) -> None:
    run, out = (reporter.run.with_name(place) for place in ("odd", "out"))
    for folder in (run, out):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(reporter.run, run)
    file = min(run.rglob(name))
    content = file.read_bytes()
    if file.suffix == ".json":
        content = change_words(content.decode(), changes)
    else:
        content = damage(content, random.Random(repr(changes)))
    file.write_bytes(content)
    bundle_of(replace(reporter, run=run), out)
