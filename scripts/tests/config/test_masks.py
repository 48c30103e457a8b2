# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Each mask hides what its examples say, and keeps what they say."""

import pytest

from jdkmatrix.config.masks import Mask, load_masks, mask_line
from jdkmatrix.paths import Checkout

MASKS = load_masks(Checkout.current().masks)


@pytest.mark.parametrize("mask", MASKS, ids=lambda mask: mask.id)
def test_it_hides_and_keeps(mask: Mask) -> None:
    for line, rest in mask.hides.items():
        assert mask.apply(line) == rest
    for line in mask.keeps:
        assert mask.apply(line) == line


@pytest.mark.parametrize(
    "line",
    [
        "HTTP/1.1 200",
        "TLSv1.3 TLS_AES_256_GCM_SHA384",
        "Content-Length: 12345",
        "Header size too big: 393217 > 393216",
        "The certificate chain length (11) exceeds the maximum allowed length (10)",
        "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
        "Accept: text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
        "waited 8 s",
        "Repro.java:12345",
    ],
)
def test_what_builds_may_differ_in_is_kept(line: str) -> None:
    assert mask_line(line, MASKS) == line
