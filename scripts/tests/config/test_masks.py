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


@pytest.mark.parametrize(
    "first, second",
    [
        (
            "local=/127.0.0.1:43123 remote=/a.test:51234",
            "local=/127.0.0.1:43999 remote=/a.test:60999",
        ),
        (
            "Session(1795832226123|TLS_AES_256_GCM_SHA384)",
            "Session(1795832229|TLS_AES_256_GCM_SHA384)",
        ),
        (
            "Unable to connect to ldap://user@[::1]:43123",
            "Unable to connect to ldap://user@[::1]:51234",
        ),
        ("bound to 0.0.0.0/0.0.0.0:43123", "bound to 0.0.0.0/0.0.0.0:60999"),
        ("bound to *:43123", "bound to *:32768"),
        ("at R$$Lambda$14/0x0000000800066840.run(R.java)", "at R$$Lambda.run(R.java)"),
        ("LambdaForm$MH/0x000000080009c400@1b6d3586", "LambdaForm$MH/0x000000080009c800@5e2de80c"),
        ("Nov 28, 2026, 2:17:06\u202fPM x", "Nov 29, 2026, 12:00:00\u202fAM x"),
        (
            "(0xb) at pc=0x00007f1b4c000a00, pid=1, tid=2",
            "(0xb) at pc=0x00007f1b4c000b00, pid=32, tid=3",
        ),
        (
            "Digest nonce=da39a3ee5e6b4b0d3255bfef95601890",
            "Digest nonce=00000000000000000000000000000001",
        ),
    ],
)
def test_what_differs_between_two_runs_is_hidden(first: str, second: str) -> None:
    assert mask_line(first, MASKS) == mask_line(second, MASKS)


@pytest.mark.parametrize(
    "first, second",
    [
        ("Location: http://a.test:8080/", "Location: http://a.test:8443/"),
        ("http://a.test/tmp/a", "http://a.test/tmp/b"),
        ("process 2 of 5", "process 3 of 5"),
        ("a@1", "a@2"),
        ("me@abc12.example", "me@abc13.example"),
        ("mask 1610612736", "mask 1879048193"),
        ("Max-Age=3600", "Max-Age=3601"),
        ("cipher 0x1301", "cipher 0x1302"),
        ("error 0xdeadbeef", "error 0xdeadbeee"),
        ("port 80", "port 443"),
        ("buffer.size:4096", "buffer.size:8192"),
        ("fingerprint AB:CD:EF:01", "fingerprint AB:CD:EF:02"),
        ("at R.main(R.java:12)", "at R.main(R.java:13)"),
        ("Caused by: java.net.SocketException: a", "Caused by: java.net.SocketException: b"),
        ("Suppressed: java.io.IOException: closed", "Suppressed: java.io.IOException: open"),
        ("serial 1a2b3c4d5e6f", "serial 1a2b3c4d5e70"),
        ("Age: 17", "Age: 18"),
        ("HTTP/1.1 200", "HTTP/1.0 200"),
        ("window 1048576", "window 65535"),
        ("length 2147483647", "length 2147483646"),
    ],
)
def test_one_digit_header_or_status_stays_a_difference(first: str, second: str) -> None:
    assert mask_line(first, MASKS) != mask_line(second, MASKS)
