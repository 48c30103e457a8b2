# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What TKG takes of a playlist, and how it runs a test's command.

From adoptium/TKG at 055b4fc3: `resources/playlist.xsd` (which elements, how often),
`TestInfoParser.java` (which words), `settings.mk` and `MkGen.java` (variables and recipe).
"""

import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

# Children of <test>: each at most once, in any order; a list has one kind of child, one or more.
_TEXTS = {
    "testCaseName",
    "command",
    "capabilities",
    "rerun",
    "platformRequirements",
    "platform",
    "aot",
}
_LISTS = {
    "disables": "disable",
    "variations": "variation",
    "platformRequirementsList": "platformRequirements",
    "features": "feature",
    "levels": "level",
    "groups": "group",
    "types": "type",
    "impls": "impl",
    "vendors": "vendor",
    "versions": "version",
}
_REQUIRED = {"testCaseName", "command"}
_WORDS = {
    "level": {"dev", "sanity", "extended", "special"},
    "group": {"functional", "openjdk", "external", "perf", "jck", "system"},
    "type": {"regular", "native"},
    "impl": {"openj9", "hotspot", "ibm", "sap"},
}
_VARIABLE = re.compile(r"\$\((\w+)\)")


def faults(text: str) -> Iterator[str]:
    """Everything by which TKG would refuse the playlist."""
    root = ElementTree.fromstring(text)
    if root.tag != "playlist":
        yield f"<{root.tag}>: not a playlist"
    tags = [child.tag for child in root]
    if "test" not in tags or sorted(tags, key=["include", "test"].index) != tags:
        yield f"<playlist>: {tags}: include, then at least one test"
    for test in root.iter("test"):
        name = test.findtext("testCaseName", "?")
        counts = Counter(child.tag for child in test)
        for tag, count in counts.items():
            if count > 1 or tag not in _TEXTS | set(_LISTS):
                yield f"{name}: <{tag}> {count} times"
        for tag in _REQUIRED - set(counts):
            yield f"{name}: no <{tag}>"
        for parent, kind in _LISTS.items():
            for element in test.findall(parent):
                if {child.tag for child in element} != {kind}:
                    yield f"{name}: <{parent}> has {[child.tag for child in element]}"
        for kind, words in _WORDS.items():
            for element in test.iter(kind):
                if (element.text or "").strip() not in words:
                    yield f"{name}: <{kind}>: {element.text}"
        if not (test.findtext("command") or "").rstrip().endswith("$(TEST_STATUS)"):
            yield f"{name}: its command does not end with $(TEST_STATUS)"


def run_command(
    playlist: Path, name: str, test_root: Path, test_jdk_home: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run one test's command as TKG's recipe does: expanded as make does, in its REPORTDIR.

    TKG looks for `_PASSED` and `_FAILED` in what is printed.
    """
    (command,) = (
        test.findtext("command", "").strip()
        for test in ElementTree.parse(playlist).iter("test")
        if test.findtext("testCaseName") == name
    )
    report = test_root.parent / "TKG" / f"{name}_0"
    report.mkdir(parents=True)
    variables = {
        "D": "/",
        "Q": '"',
        "TEST_ROOT": str(test_root),
        "TEST_JDK_HOME": str(test_jdk_home),
        "REPORTDIR_NQ": str(report),
        "TEST_STATUS": f"if [ $? -eq 0 ]; then echo {name}_0_PASSED; else echo {name}_0_FAILED; fi",
    }
    script = expand(command, variables).replace("\\\n", " ")
    return subprocess.run(
        ["sh", "-c", script],
        cwd=report,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def expand(text: str, variables: Mapping[str, str]) -> str:
    """What make makes of `$(NAME)`: a variable that is not set is empty."""
    return _VARIABLE.sub(lambda match: variables.get(match[1], ""), text)
