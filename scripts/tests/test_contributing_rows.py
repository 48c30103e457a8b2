# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Who follows a row of CONTRIBUTING.md in a copy of the checkout gets what it says."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.config.recording_rules import load_rules
from jdkmatrix.config.scenarios import ScenariosFile, load_scenarios
from jdkmatrix.config.suite import find_tests, quiet_tests
from jdkmatrix.errors import UsageError
from tests.report.test_written_reports import uneven_tables
from tests.suite_copy import SuiteCopy

NEW = "keepalive/NewSymptom.java"


@pytest.fixture
def scratch(root: Path, tmp_path: Path, suite_copy: SuiteCopy) -> Iterator[Path]:
    """A copy of what the rows below change."""
    shutil.copy(root / "jdks.yaml", tmp_path)
    with suite_copy.lend(tmp_path / "test"):
        yield tmp_path


def insert(path: Path, line: str, text: str) -> None:
    content = path.read_text()
    assert content.count(f"\n{line}\n") == 1
    path.write_text(content.replace(f"\n{line}\n", f"\n{line}\n{text}"))


def add_reproducer(scratch: Path, header: str) -> None:
    (scratch / "test" / NEW).write_text(f"/*\n{header} */\nclass NewSymptom {{}}\n")


def test_a_build(scratch: Path) -> None:
    build_row = (
        "  - id: temurin-17.0.99\n    sources: [{source: adoptium, release: jdk-17.0.99+1}]\n"
    )
    insert(scratch / "jdks.yaml", "builds:", build_row)
    assert load_jdks(scratch / "jdks.yaml").entry("temurin-17.0.99").version.train == 17


def test_a_build_without_a_source_is_told_what_lacks(scratch: Path) -> None:
    insert(scratch / "jdks.yaml", "builds:", "  - id: temurin-17.0.99\n")
    with pytest.raises(UsageError, match="missing key 'sources'"):
        load_jdks(scratch / "jdks.yaml")


@pytest.mark.parametrize(
    ("header", "is_found", "alone"),
    [(" * @test\n", True, False), (" * @test\n * @key quiet\n", True, True), ("", False, False)],
)
def test_a_reproducer_and_one_alone(
    scratch: Path, header: str, is_found: bool, alone: bool
) -> None:
    add_reproducer(scratch, header)
    tests = find_tests(scratch / "test")
    assert (NEW in tests) is is_found
    assert (NEW in quiet_tests(scratch / "test", tests)) is alone


@pytest.fixture
def workloads(scratch: Path) -> Path:
    """Scenarios with a client and a service more, which nothing measures yet."""
    file = scratch / "test" / "throughput" / "scenarios.yaml"
    insert(file, "clients:", "  new-client: {class: NewClient, sources: [load], layer: jsse}\n")
    insert(file, "services:", "  new-jsse: {class: NewService, sources: [new], layer: jsse}\n")
    return file


def add_class(workloads: Path, folder: str, name: str) -> None:
    (workloads.parent / folder).mkdir(exist_ok=True)
    (workloads.parent / folder / f"{name}.java").write_text(f"final class {name} {{ }}\n")


def add_to_scenarios(workloads: Path, clients: str, services: str) -> ScenariosFile:
    """The scenarios, of which the first of each kind measures these, too."""
    head_text, scenarios, text = workloads.read_text().partition("\nscenarios:\n")
    for old, new in (("clients: [https-", f"clients: [{clients}https-"), ("[jetty-", services)):
        assert old in text
        text = text.replace(old, new, 1)
    workloads.write_text(head_text + scenarios + text)
    return load_scenarios(workloads)


def test_a_client_and_a_service(workloads: Path) -> None:
    add_class(workloads, "load", "NewClient")
    add_class(workloads, "new", "NewService")
    file = add_to_scenarios(workloads, "new-client, ", "[new-jsse, jetty-")
    assert any("new-client" in scenario.clients for scenario in file.scenarios.values())
    assert any("new-jsse" in scenario.services for scenario in file.scenarios.values())


@pytest.mark.parametrize(
    ("folder", "class_name", "message"),
    [
        ("load", "NewClient", "new-jsse: no NewService.java in new, beside it"),
        ("new", "NewService", "new-client: no NewClient.java in load, beside it"),
    ],
)
def test_a_client_without_its_class_is_told_which(
    workloads: Path, folder: str, class_name: str, message: str
) -> None:
    add_class(workloads, folder, class_name)
    with pytest.raises(UsageError, match=message):
        load_scenarios(workloads)


def add_rule(root: Path, scratch: Path, *lines: str) -> Path:
    rules = scratch / "rules"
    shutil.copytree(root / "jtreg" / "rules", rules)
    insert(rules / "contention.yaml", "rules:", "\n".join(("  - id: new-rule", *lines, "")))
    return rules


def test_a_rule(root: Path, scratch: Path) -> None:
    lines = ("    title: New", "    blocked-in: [x.*]", "    min-blocked-ms: 1")
    rules = load_rules(add_rule(root, scratch, *lines, "    bound-source: measured"))
    assert "new-rule" in [rule.id for rule in rules]


def test_a_rule_whose_bound_has_no_source_is_told_so(root: Path, scratch: Path) -> None:
    lines = ("    title: New", "    blocked-in: [x.*]", "    min-blocked-ms: 1")
    with pytest.raises(UsageError, match="missing key 'bound-source'"):
        load_rules(add_rule(root, scratch, *lines))


@pytest.fixture
def scratch_scripts(root: Path, tmp_path: Path) -> Path:
    """A copy of the kit's own code, of the tests of its commands, and of the page that has them."""
    scripts = tmp_path / "scripts"
    leave = shutil.ignore_patterns("tests")
    shutil.copytree(root / "scripts", scripts, ignore=leave)
    shutil.copytree(root / "scripts" / "tests" / "cli", scripts / "tests" / "cli")
    shutil.copytree(root / "docs", tmp_path / "docs")
    return scripts


COMMAND = '''"""Say a word."""


def newly() -> int:
    """Say a word.

    Example: scripts/matrix newly
    """
    return 0
'''


def add_command(scripts: Path) -> None:
    (scripts / "jdkmatrix" / "cli" / "newly.py").write_text(COMMAND)
    commands = scripts / "jdkmatrix" / "cli" / "commands.py"
    insert(commands, "SUMMARIES = {", '    "newly": "Say a word.",\n')


HELP_TESTS = """
import os
import pytest
for update in ("", "1", ""):
    os.environ["UPDATE_HELP"] = update
    code = pytest.main(["-q", "-p", "no:cacheprovider", "tests/cli/test_help.py"])
    print(f"\\nexit code {int(code)}\\n\\0", end="")
"""


def help_tests(scripts: Path) -> tuple[str, str, str]:
    """What scripts/test says of the help in that copy: before, by and after its update."""
    environment = {**os.environ, "PYTEST_ADDOPTS": "", "PYTHONPATH": str(scripts)}
    code = [sys.executable, "-c", HELP_TESTS]  # one process: to import the kit is most of the work
    output = subprocess.check_output(code, cwd=scripts, env=environment, text=True)
    first, update, last, _ = output.split("\0")
    return first, update, last


@pytest.mark.slow
def test_a_command(scratch_scripts: Path) -> None:
    add_command(scratch_scripts)
    first, _, last = help_tests(scratch_scripts)
    assert "UPDATE_HELP=1" in first
    assert last.endswith("\nexit code 0\n"), last
    page = scratch_scripts.with_name("docs") / "reference" / "commands.md"
    assert "\n## newly\n\n```text\nUsage: scripts/matrix newly " in page.read_text()


HEAD = "| build | version it reports |"
RULE = "| --- |"
CELL = "| {{ build.id }} |"
RENDER = """
import sys
from jdkmatrix.report.written_reports import render
from jdkmatrix.results.document import Results
print(render(Results.model_validate_json(sys.stdin.buffer.read()))["report.md"])
"""


def add_column(scripts: Path, rule: str, field: str) -> None:
    """A column more in the table of builds: its head, rule and cell."""
    template = scripts / "jdkmatrix" / "report" / "templates" / "report.md.j2"
    top, head, table = template.read_text().partition(HEAD)
    table = table.replace(RULE, rule + RULE, 1).replace(CELL, f"| {{{{ {field} }}}} {CELL}", 1)
    template.write_text(f"{top}| new {head}{table}")


def report_of(root: Path, scripts: Path) -> subprocess.CompletedProcess[str]:
    """What that copy writes of the run in reports/sample."""
    return subprocess.run(
        [sys.executable, "-c", RENDER],
        input=(root / "reports" / "sample" / "results.json").read_text(),
        # The current folder is not looked into: it may be the checkout's own.
        env={**os.environ, "PYTHONPATH": str(scripts), "PYTHONSAFEPATH": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "uneven"), [("| --- ", 0), ("", 1)])
def test_a_column_of_the_report(root: Path, scratch_scripts: Path, rule: str, uneven: int) -> None:
    add_column(scratch_scripts, rule, "build.train")
    report = report_of(root, scratch_scripts).stdout
    assert f"| new {HEAD}" in report
    assert "| 17 | debian-17.0.21.1+2 |" in report
    assert len(uneven_tables(report)) == uneven


@pytest.mark.slow
def test_a_column_of_what_no_build_has_is_told_so(root: Path, scratch_scripts: Path) -> None:
    add_column(scratch_scripts, "| --- ", "build.colour")
    report = report_of(root, scratch_scripts)
    assert report.returncode != 0
    assert "has no attribute 'colour'" in report.stderr
