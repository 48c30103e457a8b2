# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JDKs on this machine can be used, and are they what they say they are?"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from jdkmatrix.cli.printed import complain
from jdkmatrix.errors import NothingRanError, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.discovery import DiscoveredJdk, discover_jdks
from jdkmatrix.supply.supplier import Supplier

AUTO = "auto"


class FoundJdk(NamedTuple):
    """A JDK that was found; `build` is None if it can't be used, and `word` then says why."""

    jdk: DiscoveredJdk
    build: Build | None
    word: str


def found_jdks() -> Iterator[FoundJdk]:
    """Each JDK of this machine, asked what it is; raises NothingRanError if there is none."""
    supplier = Supplier.of_checkout(Checkout.current(), offline=True)
    jdks = discover_jdks(Path.home(), os.environ, complain)
    if not jdks:
        raise NothingRanError("no JDK found on this machine; --jdk PATH takes one from anywhere")
    for jdk in jdks:
        try:
            build = supplier.local(jdk.home)
        except UsageError as error:
            reason = str(error).removeprefix(f"--jdk {jdk.home}: ")
            yield FoundJdk(jdk, None, f"can't be used: {reason}")
        else:
            yield FoundJdk(jdk, build, supplier.word_on(build))


def usable_homes() -> list[str]:
    """The homes that `--jdk auto` means; unusable JDKs are reported.

    Raises NothingRanError if no JDK is left.
    """
    homes = []
    for candidate in found_jdks():
        if candidate.build is None:
            complain(f"--jdk {AUTO}: {candidate.jdk.home}: {candidate.word}")
        else:
            homes.append(str(candidate.jdk.home))
    if not homes:
        raise NothingRanError(f"--jdk {AUTO}: no JDK found that can be used")
    return homes
