# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What TKG takes of a playlist, and how it runs a test's command.

From adoptium/TKG at ffef6034: `resources/playlist.xsd` (which elements, how often),
`TestInfoParser.java` (which words and platforms), `settings.mk` and `MkGen.java` (variables and
recipe), `resultsSum.pl` (what is read of the output).
"""

import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
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
_VARIABLE = re.compile(r"\$(?:\((\w+)\)|([@$]))")


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
        for feature in test.iter("feature"):
            word = (feature.text or "").partition(":")[2] or "applicable"
            if word not in {"required", "applicable", "nonapplicable", "explicit"}:
                yield f"{name}: <feature>: {feature.text}"
        if "$(TEST_STATUS)" not in (test.findtext("command") or ""):
            yield f"{name}: its command has no $(TEST_STATUS)"


def fits(requirements: str, spec: str) -> bool:
    """Whether TKG runs a test with these `platformRequirements` on a machine of that SPEC.

    It looks for the word after the dot anywhere in the SPEC (`matchPlat`).
    """
    words = spec if "-64" in spec else f"{spec}-{31 if '390' in spec else 32}"
    for requirement in re.split(r"\s*,\s*", requirements.strip()):
        word = requirement.removeprefix("^").split(".")[1]
        if (word in words) == requirement.startswith("^"):
            return False
    return True


def is_applicable(features: Iterable[str], test_flag: str) -> bool:
    """Whether TKG makes a target with these `features` where TEST_FLAG is that text.

    It compares in lower case, and takes `/.../` for a pattern (`doesFeatureMatchTestFlag`).
    """
    flags = test_flag.lower().split(",")
    for feature in features:
        name, _, word = feature.lower().partition(":")
        pattern = name.strip("/") if name.startswith("/") else re.escape(name)
        if word == "nonapplicable" and any(re.fullmatch(pattern, flag) for flag in flags):
            return False
    return True


def is_skipped(output: str, target: str) -> bool:
    """Whether TKG counts a target as skipped by what it printed (`resultsSum.pl`)."""
    pattern = rf"^.*capabilities \(.*?\)\s*=>\s*{target}_SKIPPED$"
    return re.search(pattern, output, re.MULTILINE) is not None


def results_line(output: str) -> str:
    """The line that TKG takes for the counts of the cases of a target (`resultsSum.pl`)."""
    (line,) = re.findall(r"^.*Test results: .*(?:passed|skipped|failed|error).*$", output, re.M)
    assert isinstance(line, str)
    return line


def run_command(
    playlist: Path,
    name: str,
    test_jdk_home: Path,
    environment: Mapping[str, str],
    jvm_options: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run one test's command as TKG's recipe does: expanded as make does, in its REPORTDIR.

    TKG looks for `_PASSED` and `_FAILED` in what is printed. The `playlist` lies in TEST_RESROOT.
    """
    (command,) = (
        test.findtext("command", "").strip()
        for test in ElementTree.parse(playlist).iter("test")
        if test.findtext("testCaseName") == name
    )
    report = playlist.parents[1] / "TKG" / "output" / f"{name}_0"
    report.mkdir(parents=True)
    variables = {
        "@": f"{name}_0",
        "D": "/",
        "JVM_OPTIONS": jvm_options,
        "Q": '"',
        "TEST_RESROOT": str(playlist.parent),
        "TEST_JDK_HOME": str(test_jdk_home),
        "TEST_STATUS": f"if [ $? -eq 0 ]; then echo {name}_0_PASSED; else echo {name}_0_FAILED; fi",
        "TKG_ITERATIONS": "1",
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
    """What make makes of `$(NAME)`, `$@` and `$$`: a variable that is not set is empty."""
    return _VARIABLE.sub(
        lambda match: "$" if match[2] == "$" else variables.get(match[1] or match[2], ""), text
    )
