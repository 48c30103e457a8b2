# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a known change explain what came between two builds, and nothing else?"""

from pathlib import Path

import pytest

from jdkmatrix.config import version
from jdkmatrix.config.known_changes import KnownChange, VendorVersion, load_known_changes
from jdkmatrix.errors import UsageError
from jdkmatrix.paths import Checkout

RSA_OFF = KnownChange.model_validate(
    {
        "bug": "JDK-8245545",
        "title": "Disable TLS_RSA cipher suites",
        "since": {17: "17.0.12+7..17.0.19+10"},
        "rows": ["*/TLS_RSA_*"],
    }
)
CHANGED = "{bug: JDK-1234567, title: x, since: {17: 17.0.9+9}, changes: [%s]}"


@pytest.mark.parametrize(
    ("older", "newer", "is_between"),
    [
        ("17.0.9+9", "17.0.19+10", True),
        ("17.0.12+7", "17.0.15+1", True),  # between the two nobody knows
        ("17.0.2+8", "17.0.9+9", False),
        ("17.0.19+10", "17.0.21+1", False),
        ("21.0.4+7", "21.0.8+9", False),
    ],
)
def test_is_between(older: str, newer: str, is_between: bool) -> None:
    builds = [VendorVersion(version.parse(text), "v") for text in (older, newer)]
    assert RSA_OFF.is_between(*builds) is is_between


@pytest.mark.parametrize(
    ("vendors", "is_between"),
    [("vw", False), ("va", True), ("av", True), ("aa", False)],
)
def test_is_between_vendors(vendors: str, is_between: bool) -> None:
    fields = {"title": "x", "between-vendors": "a*", "rows": ["x"]}
    change = KnownChange.model_validate(fields)
    older, newer = (VendorVersion(version.parse("17.0.9+9"), vendor) for vendor in vendors)
    assert change.is_between(older, newer) is is_between


@pytest.mark.parametrize(
    ("version_text", "is_between"),
    [
        ("11.0.10+9", True),
        ("11.0.12+7", True),  # between the two nobody knows
        ("11.0.13+8", False),
        ("17.0.19+10", False),
        ("8u504-b08", False),
    ],
)
def test_is_between_vendors_until_the_others_have_it(version_text: str, is_between: bool) -> None:
    tags = {11: "11.0.10+9..11.0.13+8"}
    fields = {"title": "x", "between-vendors": "a*", "since": tags, "rows": ["x"]}
    change = KnownChange.model_validate(fields)
    has, lacks = (VendorVersion(version.parse(version_text), vendor) for vendor in "av")
    assert change.is_between(has, lacks) is is_between
    assert change.is_between(lacks, has) is is_between
    assert not change.is_between(has, has)
    assert not change.is_between(lacks, lacks)


@pytest.mark.parametrize(
    ("vendors", "is_between"), [("aa", True), ("va", True), ("av", False), ("vv", False)]
)
def test_what_a_vendor_did_is_in_its_own_builds(vendors: str, is_between: bool) -> None:
    tags = {17: "17.0.9+9..17.0.11+9"}
    fields = {"title": "x", "by-vendor": "a*", "since": tags, "rows": ["x"]}
    change = KnownChange.model_validate(fields)
    older, newer = (
        VendorVersion(version.parse(text), vendor)
        for text, vendor in zip(("17.0.9+9", "17.0.11+9"), vendors, strict=True)
    )
    assert change.is_between(older, newer) is is_between
    assert not change.is_between(newer, newer)


@pytest.mark.parametrize(
    ("row", "has"),
    [
        ("client/full/TLSv1.2/TLS_RSA_WITH_AES_128_GCM_SHA256/rsa/any/SSLSocket/jsse/1", True),
        ("client/full/TLSv1.2/TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256/rsa/any/X/jsse/1", False),
    ],
)
def test_has_row(row: str, has: bool) -> None:
    assert RSA_OFF.has_row(row) is has


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{bug: JDK-1234567, title: x, since: {17: 17.0.9+9}}", "accepted: changes, rows"),
        ("{bug: JDK-1234567, title: x, rows: [a]}", "accepted: bug, unreported"),
        ("{title: x, since: {17: 17.0.9+9}, rows: [a]}", "accepted: bug"),
        ("{bug: JDK-1234567, title: x, between-vendors: v, rows: [a]}", "accepted: bug"),
        ("{title: x, rows: [a]}", "accepted: bug"),
        ("{title: x, by-vendor: a, rows: [a]}", "by-vendor with since"),
        ("{title: x, by-vendor: a, unreported: true, since: {17: 17.0.9+9}, rows: [a]}", "bug"),
        ("{title: x, unreported: true, rows: [a]}", "unreported: true or both, with since"),
        ("{bug: 1234567, title: x, since: {17: 17.0.9+9}, rows: [a]}", "bug"),
        (CHANGED % "{aspect: a, item: b}", "kind"),
        (CHANGED % "{aspect: a, kind: changed, to: b}", "accepted: with it from and to"),
        (CHANGED % "{aspect: a, kind: reordered, from: b}", "accepted: with it from and to"),
        (CHANGED % "{aspect: a, kind: removed, to: c}", "removed, with from"),
        (CHANGED % "{aspect: a, kind: added, from: b, to: c}", "accepted: added, at most"),
    ],
)
def test_a_mistake_is_told(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "changes.yaml"
    file.write_text(f"schema: 1\nknown:\n  - {text}\n")
    with pytest.raises(UsageError, match=reason):
        load_known_changes(file)


def test_the_kits_own(root: Path) -> None:
    changes = load_known_changes(Checkout(root).known_changes)
    assert any(change.rows for change in changes)
    assert any(change.changes for change in changes)


@pytest.mark.parametrize(
    ("bug", "builds", "row", "older", "newer"),
    [
        (
            "JDK-8350991",
            "17.0.15+6 17.0.19+10",
            "redirect.net.301.get.other-port",
            "200 'ok'; GET /b, Authorization, Cookie, Referer, X-Mine, Accept, no body",
            "200 'ok'; GET /b, X-Mine, Accept, no body",
        ),
        (
            "JDK-8350991",
            "21.0.4+7 21.0.8+9",
            "location.net.no-slash",
            "IllegalArgumentException: hostname can't be null; not followed",
            "IOException <- NullPointerException; not followed",
        ),
        (
            "JDK-8328286",
            "21.0.4+7 21.0.5+11",
            "h2-frame.push-promise-0",
            "200 'ok'; next: 200 '' on the same connection",
            "ProtocolException: received a PUSH_PROMISE when SETTINGS_ENABLE_PUSH is 0",
        ),
        (
            "JDK-8292044",
            "17.0.12+7 17.0.13+11",
            "status-line.net.letters",
            "IOException: Invalid status line <- ProtocolException: Invalid status line",
            "ProtocolException: Invalid status line <- ProtocolException: Invalid status line",
        ),
        (
            "JDK-8342075",
            "17.0.15+6 17.0.19+10",
            "h2-frame.settings-5-16383",
            "200 'ok'; next: 200 '' on the same connection",
            "ProtocolException: protocol error: SettingsFrame with MAX_FRAME_SIZE out of range",
        ),
        (
            "JDK-8296410",
            "11.0.24+8 11.0.25+9",
            "h2-field.trailer",
            "IOException: no statuscode in response; next: 200 '' on a new connection",
            "200 'ok'; next: 200 '' on the same connection",
        ),
        (
            "JDK-8291638",
            "8u412-b08 8u422-b05",
            "reuse.url.get-keep-alive-timeout-0",
            "200 'ok'; 200 'ok'; the same connection",
            "200 'ok'; 200 'ok'; a new connection",
        ),
        (
            "JDK-7026262",
            "17.0.12+7 17.0.15+6",
            "server-handler.get-204-minus-1",
            "HTTP/1.1 204 No Content | Date: DATE |  | ",
            "HTTP/1.1 204 No Content | Date: DATE |  | HTTP/1.1 200 OK | Date: DATE |  | probed",
        ),
        (
            "JDK-8362632",
            "11.0.29+7 11.0.30+7",
            "server-handler.content-beyond-latin-1",
            "HTTP/1.1 200 OK | X-a: ? | Date: DATE |  | ok",
            "no answer",
        ),
        (
            "JDK-8377498",
            "21.0.11+10 21.0.13+9",
            "server-head.line-two-slashes",
            "HTTP/1.1 404 Not Found |  | <h1>404 Not Found</h1>No context found for request",
            "HTTP/1.1 400 Bad Request |  | <h1>400 Bad Request</h1>Bad request URI",
        ),
        (
            "JDK-8380672",
            "17.0.19+10 17.0.20.1+1",
            "constraints.not-dns-www.example.com.dns-STAR.example.com",
            "trusted",
            "refused: CertPathValidatorException INVALID_NAME",
        ),
        (
            "JDK-8341496",
            "11.0.29+7 11.0.30+7",
            "rmi.identity.other.default",
            "hello",
            "refused: ConnectIOException <- SSLHandshakeException <- CertificateException",
        ),
        (
            "JDK-8065422",
            "8u332-ga 8u372-ga",
            "names.https.dns-www.example.com.www.example.com-DOT-",
            "refused: CertificateException, the host is illegal",
            "trusted",
        ),
    ],
)
def test_a_change_is_explained_in_its_direction_alone(
    root: Path, bug: str, builds: str, row: str, older: str, newer: str
) -> None:
    old_build, new_build = (VendorVersion(version.parse(text), "v") for text in builds.split())

    def explain(old_text: str, new_text: str, *pair: VendorVersion) -> list[str | None]:
        return [
            change.bug
            for change in load_known_changes(Checkout(root).known_changes)
            if change.is_excuse
            and change.is_between(*pair)
            and change.changes_row(row, old_text, new_text)
        ]

    assert explain(older, newer, old_build, new_build) == [bug]
    assert explain(newer, older, old_build, new_build) == []
    assert explain(older, "hangs in X.y", old_build, new_build) == []
    assert explain(older, newer, new_build, new_build) == []


def test_chacha20_is_excused_where_openjdk_did_not_have_it_yet(root: Path) -> None:
    row = "client/full/TLSv1.2/TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256/rsa/any/X/jsse/1"
    changes = [
        change for change in load_known_changes(Checkout(root).known_changes) if change.has_row(row)
    ]
    zulu, verdicts = "Azul Systems, Inc.", []
    for train, number in ((11, "11.0.10+9"), (11, "11.0.32.1+1"), (17, "17.0.19+10")):
        older = VendorVersion(version.parse(f"{train}.0.2+7"), zulu)
        newer = VendorVersion(version.parse(number), "Eclipse Adoptium")
        verdicts.append(any(change.is_between(older, newer) for change in changes))
    assert verdicts == [True, False, False]
