# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Exit code 1 is a finding: each place that makes one is in docs/reference/exit-codes.md, and a
fault of the kit, or a text given to exit(), makes none.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2]
PACKAGE = SCRIPTS / "jdkmatrix"
EXITS_WITH_1 = re.compile(r"\bexit 1\b(?!\d)")
# What own_exits looks for has one of these; few files do, and to parse all takes seconds.
MAY_EXIT = re.compile(r"(?i)exit\s*\(|\breturn[ (]+1\b")
MAIN = 'if __name__ == "__main__"'
SURPRISE = "ExitCode.SURPRISE"
# Gates, which are no commands.
WITHOUT_COMMANDS = {"names.py"}


def programs() -> list[Path]:
    """The kit's Python, but for its tests: modules, and scripts without a suffix."""
    scripts = [path for path in SCRIPTS.iterdir() if path.is_file() and not path.suffix]
    scripts = [path for path in scripts if "python3" in path.read_text().split("\n", 1)[0]]
    return [*PACKAGE.rglob("*.py"), *SCRIPTS.glob("*.py"), *scripts]


def places_of(text: str) -> Iterator[str]:
    """The functions, or names of a module, in which the code of a finding stands."""

    if SURPRISE not in text:  # to parse all of the kit takes seconds
        return

    def visit(node: ast.AST, name: str) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            inner_name = name
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                inner_name = f"{name}.{child.name}".lstrip(".")
            elif not name and isinstance(child, ast.Assign):
                inner_name = ast.unparse(child.targets[0])
            if isinstance(child, ast.Attribute) and ast.unparse(child) == SURPRISE:
                yield name
            yield from visit(child, inner_name)

    yield from visit(ast.parse(text), "")


def own_exits(text: str) -> Iterator[str]:
    """Calls that end a process with 1 by themselves: exit(1), or exit() with a text."""
    for node in ast.walk(ast.parse(text)) if MAY_EXIT.search(text) else ():
        if isinstance(node, ast.Call) and re.search(r"(?i)exit$", name_of(node.func)):
            codes = [*node.args, *(word.value for word in node.keywords)]
            for code in codes:
                if isinstance(code, ast.JoinedStr) or is_one_or_text(code):
                    yield ast.unparse(node)
        elif isinstance(node, ast.Return) and node.value and ast.unparse(node.value) == "1":
            yield "return 1"


def name_of(function: ast.expr) -> str:
    """The last part of its name; none if what is called has none."""
    match function:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def is_one_or_text(node: ast.AST) -> bool:
    """Whether exit() with that literal would end with 1."""
    return isinstance(node, ast.Constant) and (node.value == 1 or isinstance(node.value, str))


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    text = (root / "docs/reference/exit-codes.md").read_text()
    return text.partition("## What makes a 1")[2]


def test_each_place_that_makes_a_finding_is_in_the_list_and_no_other(page: str) -> None:
    places = {
        f"{path.relative_to(PACKAGE)}:{place}"
        for path in PACKAGE.rglob("*.py")
        for place in places_of(path.read_text())
    }
    listed_places = re.findall(r"`([\w/]+\.py:\w+)`", page)
    assert sorted(listed_places) == sorted(places)


def test_a_place_is_seen() -> None:
    text = "CODES = {1: ExitCode.SURPRISE}\nclass A:\n    def b(self): return ExitCode.SURPRISE\n"
    assert list(places_of(text)) == ["CODES", "A.b"]


def test_nothing_ends_with_1_by_itself() -> None:
    exits = {}
    for path in programs():
        text = path.read_text()
        is_command = path.suffix != ".py" or "cli" in path.parts or MAIN in text
        calls = [call for call in own_exits(text) if is_command or not call.startswith("return")]
        exits[str(path.relative_to(SCRIPTS))] = calls
    assert {name: calls for name, calls in exits.items() if calls} == {}
    assert len(exits) > 300


def test_no_shell_line_ends_with_1(root: Path) -> None:
    """In a script, a workflow or a pipeline."""
    places = [root / "action.yml", SCRIPTS / "lock-requirements"]
    places += [path for folder in ("jtreg", ".github") for path in (root / folder).rglob("*")]
    kinds = {"", ".sh", ".yml", ".yaml", ".xml", ".Jenkinsfile"}
    texts = {p: p.read_text() for p in places if p.is_file() and p.suffix in kinds}
    assert {"action.yml", "aqavit.sh", "playlist.xml"} < {path.name for path in texts}
    assert [path for path, text in texts.items() if EXITS_WITH_1.search(text)] == []
    assert EXITS_WITH_1.search("x || exit 1; y")


def test_each_tool_beside_the_commands_has_its_faults_settled() -> None:
    texts = {str(path.relative_to(SCRIPTS)): path.read_text() for path in programs()}
    tools = {name for name, text in texts.items() if MAIN in text} - WITHOUT_COMMANDS
    assert {"gates.py", "bare_root.py", "measure-seconds", "jdkmatrix/cli/new_bug.py"} < tools
    assert {name for name in tools if f"{MAIN}:\n    settle_faults()\n" not in texts[name]} == set()


@pytest.mark.parametrize(
    "call", ["sys.exit(1)", "os._exit(1)", "typer.Exit(code=1)", "SystemExit('x')", "return 1"]
)
def test_what_would_end_with_1_is_seen(call: str) -> None:
    assert list(own_exits(f"def f():\n    {call}\n")) == [call]


def test_a_fault_of_a_tool_is_no_finding() -> None:
    program = "from jdkmatrix.surroundings import settle_faults; settle_faults(); 1 / 0"
    process = subprocess.run(
        [sys.executable, "-c", program], cwd=SCRIPTS, capture_output=True, text=True, check=False
    )
    assert process.returncode == 2
    assert "ZeroDivisionError" in process.stderr
