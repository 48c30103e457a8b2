# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The browser that all tests of a module share."""

from collections.abc import Iterator

import pytest

from tests.report.page.chromium import Chromium, chromium, find_chromium


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """A tab of a headless Chromium; skips where the machine has none."""
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium on this machine (Debian: apt install chromium)")
    with chromium(path, tmp_path_factory.mktemp("profile")) as browser_process:
        yield browser_process
