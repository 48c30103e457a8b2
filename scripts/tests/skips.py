# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which tests may be skipped in CI? Each reason that is none of these fails it."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

# By the beginning of a test's reason: why may it be?
ANYWHERE = {
    r"the machine is busy \(load ": "a time means nothing there",
    r"load .* a core by others leaves no verdict": "figures mean nothing there",
    r"\d+ samples, as others had the CPU": "figures mean nothing there",
    r"no network namespace for a test here: ": "containers mostly forbid them",
    r"an environment that can not be made here: ": "root and containers lack some",
    r"only root may give files away": "an ordinary user runs the tests, mostly",
    r"only with --long": "an hour, for the nightly",
    r"only to store cells anew": "no test, but how its fixtures are made",
}
# CI of GitHub installs all of this, see ci.yml.
ON_A_BARE_MACHINE = {
    r"no mmdebstrap on this machine": "a bare Debian has none",
    r"no Chromium on this machine": "a bare Debian has none",
    r"this machine has none of ": "a bare Debian has neither",
    r"no gpg to sign with": "a bare Debian has none",
}


class Skip(NamedTuple):
    """A test that was not run, by its own reason."""

    test: str
    reason: str


def skips(junit: Path) -> Iterator[Skip]:
    """Those of a run of pytest."""
    for case in ET.parse(junit).getroot().iter("testcase"):
        for skip in case.iter("skipped"):
            test = f"{case.get('classname')}::{case.get('name')}"
            yield Skip(test, skip.get("message", ""))


def lines(all_skips: Iterable[Skip], environ: Mapping[str, str]) -> tuple[list[str], int]:
    """What to say of them, and how many fail the run: in CI, those that nobody expects."""
    expected = ANYWHERE if "GITHUB_ACTIONS" in environ else ANYWHERE | ON_A_BARE_MACHINE
    counts: Counter[str] = Counter()
    alone = []
    for skip in all_skips:
        reason = next(
            (reason for text, reason in expected.items() if re.match(text, skip.reason)), None
        )
        if reason is None:
            alone.append(f"skipped, and not expected: {skip.test}: {skip.reason}")
        else:
            counts[f"{skip.reason}: {reason}"] += 1
    summary = [f"skipped: {count}, {text}" for text, count in counts.items()]
    return [*summary, *alone], len(alone) if environ.get("CI") else 0
