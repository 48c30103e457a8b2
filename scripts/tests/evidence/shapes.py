# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The dumps of one stuck service in every shape that people have them in."""

import gzip
import html
import io
import json
import re
import tarfile
import textwrap
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from tests.evidence.server_shapes import (
    fastthread,
    glassfish,
    spark_copy,
    spark_in_json,
    spark_page,
    tomcat,
    weblogic,
    wildfly_cli,
)
from tests.evidence.stuck_service import (
    FIRST,
    THREADS,
    VERSION,
    actuator,
    hotspot,
    hotspot_thread,
    intellij,
    json_of_jdk,
    thread_info,
    visualvm,
)
from tests.evidence.tool_shapes import (
    dropwizard,
    equinox,
    hadoop,
    ide,
    ignite,
    jconsole,
    page_in_json,
    search_server_in_json,
    suite_output,
    watchdog,
)

BASE = hotspot()


def change_lines(change: Callable[[int, str], str], text: str = BASE) -> str:
    return "".join(f"{change(n, line)}\n" for n, line in enumerate(text.splitlines()))


def wrap(line: str) -> str:
    """As a mail wraps it."""
    return "\n".join(textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False))


def split_line(line: str) -> str:
    """As a terminal of 80 columns cuts it, copied from its screen."""
    return "\n".join(line[index : index + 80] for index in range(0, max(1, len(line)), 80))


def _parts_of_cri(n: int, line: str) -> str:
    """As a container runtime splits long lines, of which all but the last are partial."""
    stamp = f"2026-11-20T10:00:{n % 60:02}.5Z stdout"
    *parts, end = split_line(line).split("\n")
    return "\n".join([*(f"{stamp} P {part}" for part in parts), f"{stamp} F {end}"])


def _log_line(n: int) -> str:
    return f'2026-11-20 10:00:{n % 60:02},123 INFO  [http-{n % 7}] shop.Api - "GET /{n}" 200'


def _quote_cell(text: str) -> str:
    """As in a cell of CSV."""
    return text.replace('"', '""')


def _zip(**contents: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _tar(mode: Literal["w", "w:gz"], **contents: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def _gzip(content: bytes) -> bytes:
    return gzip.compress(content)


@dataclass(frozen=True)
class Shape:
    """A file in one shape: what is said of it, and what of the base it cannot have.

    `lacks` may name: time, version, locks (of java.util.concurrent), owners (of those), monitors.
    """

    content: bytes
    names: tuple[str, ...] = ()
    lacks: frozenset[str] = field(default_factory=frozenset)


def make_shape(content: str | bytes, *names: str, lacks: str = "") -> Shape:
    raw = content if isinstance(content, bytes) else content.encode()
    return Shape(raw, names, frozenset(lacks.split()))


INDENTED = "frames that are indented otherwise"
_WRAPPER = "INFO   | jvm 1    | 2026/11/20 10:00:{:02} | {}"
_DOCKER = '{{"log":{},"stream":"stdout","time":"2026-11-20T10:00:{:02}.5Z"}}'
_VISUALVM = ("threads as VisualVM or Spring prints them", "locks as VisualVM or Spring prints them")
_THREAD_INFO = "threads as ThreadInfo.toString prints them"
_LOGGER = "a logger's columns"
_CONSOLE = "threads as Dropwizard, Jenkins and JMX consoles print them"
_SPARK = "threads as Spark shows them"
_JSON = "JSON of ThreadInfo, as Spring's"
_SPACED = "blank lines between all lines"

SHAPES: dict[str, Shape] = {
    "HotSpot's own": make_shape(BASE),
    "CRLF": make_shape(BASE.replace("\n", "\r\n")),
    "BOM": make_shape(b"\xef\xbb\xbf" + BASE.encode(), "a byte order mark"),
    "UTF-16 little": make_shape(b"\xff\xfe" + BASE.encode("utf-16-le"), "UTF-16"),
    "UTF-16 big": make_shape(b"\xfe\xff" + BASE.encode("utf-16-be"), "UTF-16"),
    "UTF-16 little, no BOM": make_shape(BASE.encode("utf-16-le"), "UTF-16"),
    "UTF-16 big, no BOM": make_shape(BASE.encode("utf-16-be"), "UTF-16"),
    "kubectl": make_shape(
        change_lines(lambda n, line: f"2026-11-20T10:00:{n % 60:02}.{n:09}Z {line}"),
        "kubectl's or Docker's time stamps",
    ),
    "CRI": make_shape(
        change_lines(lambda n, line: f"2026-11-20T10:00:{n % 60:02}.{n}+01:00 stdout F {line}"),
        "a container's log (CRI)",
    ),
    "CRI, lines in parts": make_shape(change_lines(_parts_of_cri), "a container's log (CRI)"),
    "Compose": make_shape(
        change_lines(lambda _, line: f"shop-api-1  | {line}".rstrip()),
        "names of Docker Compose's services",
    ),
    "Compose, with another service": make_shape(
        change_lines(
            lambda n, line: f"shop-api-1  | {line}\ndb-1        | checkpoint {n} at 10:00"
        ),
        "names of Docker Compose's services",
    ),
    "journald": make_shape(
        change_lines(lambda n, line: f"Nov 20 10:00:{n % 60:02} shop-1 java[4711]: {line}"),
        "journald's or syslog's columns",
    ),
    "syslog, as of rsyslog": make_shape(
        change_lines(
            lambda n, line: f"2026-11-20T10:00:{n % 60:02}.5+01:00 shop java[4711]: {line}"
        ),
        "journald's or syslog's columns",
    ),
    "Docker's JSON": make_shape(
        change_lines(lambda n, line: _DOCKER.format(json.dumps(line + "\n"), n % 60)),
        "lines of a log in JSON",
    ),
    "JSON of a logger, a dump a line": make_shape(
        "".join(
            json.dumps({"@timestamp": "2026-11-20T10:00:00Z", "level": "INFO", "message": part})
            + "\n"
            for part in re.split(r"(?m)^(?=2026)", BASE)[1:]
        ),
        "lines of a log in JSON",
    ),
    "logger": make_shape(
        change_lines(
            lambda n, line: f"2026-11-20 10:00:{n % 60:02},123 WARN  [main] shop.Dumps - {line}"
        ),
        _LOGGER,
    ),
    "service wrapper": make_shape(
        change_lines(lambda n, line: _WRAPPER.format(n % 60, line)), "a service wrapper's columns"
    ),
    "Commons Daemon": make_shape(
        change_lines(lambda n, line: f"[2026-11-20 10:00:{n % 60:02}] [info] [ {n + 100}] {line}"),
        _LOGGER,
    ),
    "columns before JSON": make_shape(
        change_lines(lambda n, line: f"2026-11-20T10:00:00\tapp\t{json.dumps({'log': line})}"),
        "lines of a log in JSON",
    ),
    "JSON of an array of lines": make_shape(
        json.dumps(
            [{"textPayload": line, "insertId": "1"} for line in BASE.splitlines()], indent=1
        ),
        "lines of a log in JSON",
    ),
    "CSV": make_shape(
        "time,message\n" + change_lines(lambda n, line: f'"10:00","{_quote_cell(line)}"'),
        "a table in CSV",
    ),
    "CSV, a dump a cell": make_shape(f'"10:00","{_quote_cell(BASE)}"\n', "a table in CSV"),
    "quoted": make_shape(change_lines(lambda _, line: f"> {line}".rstrip()), "quote marks"),
    "quoted twice": make_shape(change_lines(lambda _, line: f">> {line}"), "quote marks"),
    "quoted from a log": make_shape(
        change_lines(lambda n, line: f"> 2026-11-20 10:00:{n % 60:02} INFO - {line}"), _LOGGER
    ),
    "line numbers": make_shape(change_lines(lambda n, line: f"{n:5}: {line}"), "line numbers"),
    "Markdown": make_shape(f"See below.\n\n```text\n{BASE}```\nThanks!\n"),
    "Markdown, indented": make_shape(change_lines(lambda _, line: f"    {line}"), INDENTED),
    "HTML": make_shape(f"<html><pre>\n{html.escape(BASE)}</pre></html>", "HTML"),
    "HTML, below a title": make_shape(
        f"<h1>Our dump</h1><pre><code>{html.escape(BASE)}</code></pre>", "HTML"
    ),
    "HTML, a line a paragraph": make_shape(
        "<div>"
        + change_lines(
            lambda _, line: (
                html.escape(line).replace("\t", "&nbsp; &nbsp; ").replace("\n", "") + "<br/>"
            )
        )
        + "</div>",
        "HTML",
        INDENTED,
    ),
    "HTML, in one line": make_shape(
        html.escape(BASE).replace("\t", "    ").replace("\n", "<br>"), "HTML", INDENTED
    ),
    "colours": make_shape(
        change_lines(lambda _, line: f"\x1b[36mapi\x1b[0m | {line}"),
        "a terminal's colours",
        "names of Docker Compose's services",
    ),
    "blanks for tabs": make_shape(BASE.replace("\t", "        "), INDENTED),
    "hard blanks": make_shape(BASE.replace("\t", "\u00a0\u00a0"), INDENTED),
    "no indentation": make_shape(re.sub(r"(?m)^[ \t]+", "", BASE), INDENTED),
    "double-spaced": make_shape(BASE.replace("\n", "\n\n"), _SPACED),
    "CRCRLF": make_shape(BASE.replace("\n", "\r\r\n"), _SPACED),
    "no blank lines": make_shape(re.sub(r"\n\n+", "\n", BASE)),
    "wrapped by a mail": make_shape(
        change_lines(lambda _, line: wrap(line.replace("\t", "  "))), "wrapped lines", INDENTED
    ),
    "cut by a terminal": make_shape(
        change_lines(lambda _, line: split_line(line.expandtabs())), "wrapped lines", INDENTED
    ),
    "amid a log": make_shape(
        "".join(f"{_log_line(n)}\n" for n in range(99))
        + BASE
        + "".join(f"{_log_line(n)}\n" for n in range(99))
    ),
    "jtr": make_shape(
        "#Test Results (version 2)\n#-----testdescription-----\n$root=/test\n\n"
        "----------System.out:(99/9999)----------\n"
        f"Timeout refired 480 times\n{BASE}"
        "----------System.err:(1/2)----------\nexit code: 134\n\nresult: Error. timeout\n"
    ),
    "jcmd": make_shape("".join(f"4711:\n{part}" for part in re.split(r"(?m)^(?=2026)", BASE)[1:])),
    "no first line": make_shape(
        hotspot_thread(THREADS[0]) + "".join(map(hotspot_thread, THREADS[1:])),
        lacks="time version",
    ),
    "no first line, two dumps": make_shape(
        re.sub(r"(?m)^(?:2026.*|Full .*|.GC Thread.*|JNI.*)\n", "", BASE), lacks="time version"
    ),
    "7": make_shape(
        hotspot(has_number=False, first=FIRST.replace(VERSION, "24.80-b11")),
        "threads without numbers, as up to JDK 7",
        lacks="version",
    ),
    "VisualVM": make_shape(visualvm(), *_VISUALVM),
    "IntelliJ": make_shape(
        intellij(),
        "threads as IntelliJ prints them",
        "locks as IntelliJ prints them",
        INDENTED,
        lacks="time version locks",
    ),
    "ThreadInfo of 8": make_shape(
        thread_info('"{name}" Id={id}'), _THREAD_INFO, lacks="time version"
    ),
    "ThreadInfo of 17": make_shape(
        thread_info('"{name}" daemon prio=5 Id={id}', module=f"java.base@{VERSION}/"),
        _THREAD_INFO,
        lacks="time",
    ),
    "arthas": make_shape(
        thread_info('"{name}" Id={id} cpuUsage=0.1% deltaTime=0ms time=10ms', indent="    "),
        _THREAD_INFO,
        INDENTED,
        lacks="time version",
    ),
    "actuator": make_shape(actuator(), _JSON, lacks="time"),
    "actuator's list": make_shape(
        json.dumps(json.loads(actuator())["threads"]),
        _JSON,
        lacks="time",
    ),
    "actuator, as curl -i prints it": make_shape(
        f"HTTP/1.1 200 \r\nContent-Type: application/json\r\n\r\n{actuator()}",
        _JSON,
        lacks="time",
    ),
    "Dropwizard": make_shape(dropwizard(), _CONSOLE, INDENTED, _THREAD_INFO, lacks="time version"),
    "Jenkins": make_shape(
        dropwizard('"{name}" id={id} (0x1) state={state} cpu=68%'),
        _CONSOLE,
        INDENTED,
        _THREAD_INFO,
        lacks="time version",
    ),
    "Hadoop": make_shape(hadoop(), "threads as Hadoop prints them", lacks="time version owners"),
    "JConsole": make_shape(
        jconsole(), "threads as JConsole shows them", _THREAD_INFO, lacks="time version"
    ),
    "Eclipse": make_shape(equinox(), "threads as Eclipse prints them", lacks="time version"),
    "Ignite": make_shape(ignite(), "threads as Ignite prints them", INDENTED, lacks="time version"),
    "an IDE's own": make_shape(ide(), "threads as an IDE prints its own", lacks="time version"),
    "a test framework": make_shape(
        suite_output(),
        "threads with a name and a state alone",
        _THREAD_INFO,
        INDENTED,
        lacks="time version",
    ),
    "Spark, copied": make_shape(spark_copy(), _SPARK, lacks="time version"),
    "Spark, copied without tabs": make_shape(spark_copy("  "), _SPARK, lacks="time version"),
    "Spark, in a mail": make_shape(
        change_lines(lambda _, line: f"> {line}", spark_copy("  ")),
        _SPARK,
        "quote marks",
        lacks="time version",
    ),
    "Spark's page": make_shape(spark_page(), _SPARK, lacks="time"),
    "JSON of Spark 2": make_shape(spark_in_json(), _JSON, lacks="time"),
    "JSON of Spark 4": make_shape(spark_in_json(has_elements=True), _JSON, lacks="time"),
    "Tomcat": make_shape(tomcat(), _THREAD_INFO, "locks as Tomcat prints them", lacks="time"),
    "GlassFish": make_shape(
        glassfish(), "threads as GlassFish reports them", INDENTED, lacks="time"
    ),
    "WebLogic": make_shape(
        weblogic(), "threads as WebLogic's console shows them", lacks="time version owners"
    ),
    "fastThread": make_shape(
        fastthread(), "threads as fastThread shows them", INDENTED, lacks="time version"
    ),
    "the CLI of WildFly": make_shape(wildfly_cli(), _JSON, lacks="time"),
    "cut at 80 columns": make_shape(
        change_lines(lambda _, line: line.expandtabs()[:80]),
        "lines whose ends are cut off",
        INDENTED,
    ),
    "list marks for dashes": make_shape(re.sub(r"\t- ", "*   ", BASE), "list marks for dashes"),
    "a watchdog": make_shape(
        watchdog(),
        "threads as a game server's watchdog prints them",
        _LOGGER,
        lacks="time version locks owners monitors",
    ),
    "JSON of a monitoring page": make_shape(page_in_json(), _JSON, lacks="time version"),
    "JSON of a search server": make_shape(search_server_in_json(), _JSON, lacks="time version"),
    "JSON of 26, twice": make_shape(
        json_of_jdk(4) + "\n" + json_of_jdk(4).replace("10:00:00Z", "10:00:10Z")
    ),
    "JSON of 26": make_shape(json_of_jdk(1), lacks="time"),
    "JSON without depth": make_shape(json_of_jdk(2, has_depth=False), lacks="time"),
    "JSON of 21": make_shape(json_of_jdk(3, has_locks=False), lacks="time monitors owners"),
    "gzip": make_shape(_gzip(BASE.encode())),
    "zip": make_shape(_zip(**{"logs/app.log": BASE.encode(), "readme": b"hello"})),
    "tar": make_shape(_tar("w", **{"logs/app.log": BASE.encode(), "readme": b"hello"})),
    "tar.gz": make_shape(_tar("w:gz", **{"app.log": BASE.encode()})),
    "gzip in zip": make_shape(_zip(**{"app.log.gz": _gzip(BASE.encode())})),
}
