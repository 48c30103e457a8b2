# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which available JDKs may cut a recording down? Nothing is downloaded for it."""

from collections.abc import Iterator
from pathlib import Path

from jdkmatrix.bundle.small_recording import FIRST_TRAIN_THAT_SCRUBS
from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier


def scrubbers(checkout: Checkout, tool_jdk: Path) -> Iterator[Path]:
    """The tool JDK, then those of `jdks.yaml` in the cache; none that only a run's record names.

    Some are runtimes without the tool. The cache is read, and its files checked, only as far as
    the iterator is read. Raises UsageError for a damaged `jdks.yaml`.
    """
    yield tool_jdk
    supplier = Supplier.of_checkout(checkout, offline=True)
    for entry in load_jdks(checkout.jdks).builds:
        if entry.version.train >= FIRST_TRAIN_THAT_SCRUBS:
            (build,) = supplier.supply([entry])
            if isinstance(build, Build):
                yield build.home
