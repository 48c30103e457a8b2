# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Whatever a test, a server or a JDK says: is it shown in every output, and obeyed by none?

Each output is made twice, of the same run, with a harmless text and with a hostile one in place of
every text that comes from elsewhere. What is no text in it must be the same.
"""

import io
import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from jdkmatrix.bundle.description import descriptions
from jdkmatrix.bundle.flatten import JavaFiles
from jdkmatrix.bundle.material import material_of
from jdkmatrix.bundle.trial import JdksAtHand
from jdkmatrix.cli.console import PlainConsole
from jdkmatrix.config.ledger import Ledger, load_ledger
from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.report.ci.github import annotations
from jdkmatrix.report.console.display import Display
from jdkmatrix.report.console.summary import print_summary
from jdkmatrix.report.written_reports import write_reports
from jdkmatrix.results.document import Results
from tests.conftest import ROOT
from tests.fuzz import fuzz
from tests.report.conftest import TEST, make_cell, make_results
from tests.report.speed_kit import make_point, make_speed, make_validation

# What decides and is no text: ids, versions, words of an enumeration, names of tests and files.
KEPT = {
    *("run", "started", "finished", "commit", "sha256", "id", "entry", "version", "vendor"),
    *("build", "baseline", "test", "bug", "bugs", "expectation", "baseline_expectation", "outcome"),
    *("grade", "graded_by", "metric", "layer", "scenario", "client", "verdict", "kind", "case"),
    *("cause_from", "change_kind", "artifacts", "fixed", "source", "build_id"),
}
TOKENS = st.sampled_from(
    [
        *("# H1", "\n# H1\n", "===", "\n---\n", "- x", "1. x", "> x", "    x", "```", "~~~", "`"),
        *("<img src=x onerror=alert(1)>", "<!--", "-->", "<b>", "</details>", "&lt;", "&#60;"),
        *("[x](javascript:alert(1))", "![x](y)", "<http://x>", "[x]: y", "[^1]", "**x**", "_x_"),
        *("https://x.y", "www.x.y", "@x", "a@b.c"),
        *("|", "\n|", "\\", "\\|", "$$x$$", "~~x~~", "__", "\t", "\r\n", "\n", "\n\n", " "),
        *("\n::stop-commands::x", "::error::x", " ::add-mask::x", "##[error]x", "##vso[x]y"),
        *(
            "##teamcity[x]",
            "\x1b[31m",
            "\x1b]0;x\x07",
            "\x9b2J",
            "\x00",
            "\u202e",
            "\u2028",
            "\x85",
        ),
        *("[red]x[/]", "[/]", "[link=x]", ":x:", "{{ 7 * 7 }}", "{% raw %}", "]]>", "%0A", "%"),
        *("{noformat}", "{noformat:x", "{code}", "{color:red}", "[x|http://x]", "!x.png!", "??x??"),
        *("\nh1. x", "bq. x", "\n----\n", "*x*", "-x-", "+x+", "^x^", "~x~", "\\\\", "||x||", ":)"),
        *("(/)", ";)", ":D", "mailto:x", "&#123;", "* x", "\n=== Frequency ===\n"),
        *("\nok 2 - x", "\nBail out!", "\n  ...", "# SKIP", "'", '"', "😀", "\ufeff", "\uffff"),
    ]
)
TEXTS = st.lists(st.one_of(TOKENS, st.text(max_size=8)), min_size=1, max_size=6).map("".join)
HARMLESS = "x"


def run_with(text: str) -> Results:
    """A run that has one of everything, with `text` in place of what others have said."""
    affected_id, fixed_id = "temurin-17.0.3+7", "temurin-17.0.9+9"
    results = make_results(
        make_cell(affected_id, "reproduced", "affected", flags=("f",), confirmation="c"),
        make_cell(fixed_id, "reproduced", "fixed", test="http/TruncatedReplyReadAsWhole.java"),
        make_cell(affected_id, "error", "affected", test=f"sui te/{text.replace('/', '-')}.java"),
        throughput=(make_speed("slower", lacks=("l",), attribution="a"),),
        law=(make_point(),),
        validation=make_validation("bad"),
    )
    document = results.model_dump(mode="json", by_alias=True)
    hostile = _with_text(document, text)
    for build in hostile["builds"]:
        build["facts"] = dict.fromkeys(("version", "vendor", "vm_name"), text)
        build["java_options"] = [text]
    return with_cases(Results.model_validate({**hostile, "cases": []}))


def _with_text(node: Any, text: str) -> Any:
    if isinstance(node, dict):
        return {
            k: v if k in KEPT and not _has_parts(v) else _with_text(v, text)
            for k, v in node.items()
        }
    if isinstance(node, list):
        return [_with_text(child, text) for child in node]
    return text if isinstance(node, str) else node


def _has_parts(node: Any) -> bool:
    """Are there records in it, and no plain values alone?"""
    parts = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return any(isinstance(child, dict | list) for child in parts)


def markdown_skeleton(text: str) -> list[tuple[str, str, str]]:
    """What Markdown makes of it, without the texts; HTML must be the template's own."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    all_tokens = [token_part for token in tokens for token_part in (token, *(token.children or ()))]
    return [
        (
            token_part.type,
            token_part.tag,
            token_part.content if token_part.type.startswith("html") else "",
        )
        for token_part in all_tokens
        if token_part.type != "text"
    ]


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[object] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "wbr":  # where a long name may break is the page's, by its letters
            self.tags.append((tag, [name for name, _ in attrs if name != "class"]))

    def handle_comment(self, comment: str) -> None:
        self.tags.append("comment")


def html_skeleton(text: str) -> list[str]:
    """In no order, without classes: rows are sorted, and joined, by the names in them."""
    tags = _Tags()
    tags.feed(text)
    return sorted(map(str, tags.tags))


def xml_skeleton(text: str) -> list[object]:
    return [
        (element.tag, sorted(element.attrib)) for element in ElementTree.fromstring(text).iter()
    ]


def tap_skeleton(text: str) -> list[str]:
    assert text.endswith("\n")
    lines = text[:-1].split("\n")
    return [re.match(r"TAP|1\.\.|(?:not )?ok \d+ - |  [\w.-]+:?", line)[0] for line in lines]  # type: ignore[index]


def json_skeleton(text: str) -> object:
    def shape(node: Any) -> object:
        if isinstance(node, dict):
            return [shape(child) for child in node.values()]
        return [shape(child) for child in node] if isinstance(node, list) else type(node).__name__

    return shape(json.loads(text))


def commands(text: str) -> list[str]:
    """What a CI server would take for a command in a log."""
    lines = re.split(r"[\r\n]", text)
    return [line for line in lines if line.lstrip().startswith("::") or re.search(r"##\w*\[", line)]


def annotation_skeleton(text: str) -> list[str]:
    assert not re.search(r"##\w*\[", text)
    return [line[:8] for line in re.split(r"[\r\n]", text)]


class Output(NamedTuple):
    make: Callable[[Results, Path], str]
    skeleton: Callable[[str], Any]


def render_file(name: str) -> Callable[[Results, Path], str]:
    def read(results: Results, folder: Path) -> str:
        write_reports(results, folder)
        return (folder / name).read_bytes().decode()

    return read


def print_text(show: Callable[[PlainConsole], None]) -> str:
    out = io.StringIO()
    show(PlainConsole(file=out, width=140))
    return out.getvalue()


def show_progress(console: PlainConsole, results: Results) -> None:
    with Display(console) as display:
        display.notice(results.cells[0].reason)
        for cell in results.cells:
            display.cell_ended(cell)
        display.finish(results.cells[0].reason)


def jira_skeleton(text: str) -> list[str]:
    """What Jira makes of it, by its Text Formatting Notation, without the texts."""
    signs: list[str] = []
    is_verbatim = False
    for line in text.split("\n"):
        if is_verbatim or line == "{noformat}":
            is_verbatim = "{noformat" not in line if is_verbatim else True
            signs += ["{noformat}"] if "{noformat" in line else []
            continue
        bare = re.sub(r"\\[!\[\]^~+?%{}()*_|@-]", "x", line)  # a backslash takes their meaning
        bare = re.sub(r"&#?\w+;", "x", bare)
        signs += re.findall(r"^\s*(?:[*#-]+(?=\s)|-{2,}|h[1-6]\.|bq\.)", bare, re.IGNORECASE)
        signs += re.findall(r"\|\|?|\{\w*|\[|\\\\|!(?=\S)|\?\?|(?:\w+:)//|mailto:|\^|~", bare)
        signs += re.findall(r"(?<!\w)([*_+-])(?=\S)(?:.*?\S)\1(?!\w)", bare)
        signs += re.findall(r"[:;][()]|:[PD]\b|\([/x!+?*iyn-]\)|\((?:on|off|flag)\)", bare)
    return signs


def form_skeleton(text: str) -> list[str]:
    """The boxes of the form."""
    return re.findall(r"^===.*", text, re.MULTILINE)


def describe(results: Results, ledger: Ledger, file_names: Sequence[str]) -> str:
    bug = next(bug for bug in ledger.bugs if TEST in bug.tests)
    java = JavaFiles("class A { }\n", None, "400 lines")
    texts = descriptions(
        material_of(results, bug, "run"), ROOT / "test" / TEST, [("a", "b")], java, JdksAtHand(())
    )
    return "\n".join(texts[name] for name in file_names)


LEDGER = load_ledger(ROOT / "test" / "bugs.yaml")
OUTPUTS = {
    "report.md": Output(render_file("report.md"), markdown_skeleton),
    "index.html": Output(render_file("index.html"), html_skeleton),
    "junit.xml": Output(render_file("junit.xml"), xml_skeleton),
    "results.tap": Output(render_file("results.tap"), tap_skeleton),
    "results.json": Output(render_file("results.json"), json_skeleton),
    "annotations": Output(lambda r, _: "\n".join(annotations(r)), annotation_skeleton),
    "description": Output(
        lambda r, _: describe(r, LEDGER, ("description.md", "details.md")), markdown_skeleton
    ),
    "jbs.txt": Output(lambda r, _: describe(r, LEDGER, ("jbs.txt",)), jira_skeleton),
    "webform.txt": Output(lambda r, _: describe(r, LEDGER, ("webform.txt",)), form_skeleton),
    "summary": Output(lambda r, f: print_text(lambda c: print_summary(c, r, f)), commands),
    "throughput": Output(lambda r, f: print_text(lambda c: print_summary(c, r, f)), commands),
    "progress": Output(lambda r, _: print_text(lambda c: show_progress(c, r)), commands),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("run")


@cache
def harmless(name: str) -> object:
    with TemporaryDirectory() as folder:
        return OUTPUTS[name].skeleton(OUTPUTS[name].make(run_with(HARMLESS), Path(folder)))


def test_every_file_of_a_run_is_among_them(folder: Path) -> None:
    write_reports(run_with(HARMLESS), folder)
    assert {file.name for file in folder.iterdir()} <= set(OUTPUTS)


@pytest.mark.parametrize("name", OUTPUTS)
@fuzz(4, long_inputs=500, text=TEXTS)
def test_a_text_stays_a_text(folder: Path, name: str, text: str) -> None:
    output = OUTPUTS[name]
    # What ends in a letter is neither empty nor blank: a section may hang on that.
    text_of_run = output.make(run_with(text + HARMLESS), folder)
    assert output.skeleton(text_of_run) == harmless(name)
    if name not in ("results.json", "results.tap", "junit.xml"):  # these have escapes of their own
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2028]", text_of_run)
