# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the ledger's rules for recordings become rules of JDK Mission Control?

JMC takes a rule as a class of its interface IRule, named in META-INF/services of a jar, and not as
data: so there is one class a bug, written from the ledger, over one that is written by hand.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment

from jdkmatrix.config.ledger import Bug
from jdkmatrix.machine.files import text_of
from jdkmatrix.templating import Verbatim, templates
from jdkmatrix.words.first_tags import short_text

_TEMPLATES = Path(__file__).parents[1] / "templates" / "jmc"
_PACKAGE = "tls13kit.jmc"
_JAVA = "src/main/java/tls13kit/jmc"
_SERVICE = "src/main/resources/META-INF/services/org.openjdk.jmc.flightrecorder.rules.IRule"


def rule_files(bugs: Sequence[Bug]) -> dict[str, str]:
    """The files of a Maven project that makes a jar of rules, by their paths.

    A bug that shows by threads that spin has none: samples have no time of their own.
    """
    ruled_bugs = [bug for bug in bugs if bug.evidence and not bug.evidence.busy_in]
    files = {
        "pom.xml": text_of(_TEMPLATES / "pom.xml"),
        "src/main/resources/plugin.xml": text_of(_TEMPLATES / "plugin.xml"),
        f"{_JAVA}/LedgerRule.java": text_of(_TEMPLATES / "LedgerRule.java"),
        _SERVICE: "".join(f"{_PACKAGE}.{_class_name(bug)}\n" for bug in ruled_bugs),
    }
    template = _environment().get_template("Rule.java.j2")
    for bug in ruled_bugs:
        name = _class_name(bug)
        files[f"{_JAVA}/{name}.java"] = template.render(
            bug=bug, id=Verbatim(bug.id), class_name=Verbatim(name), remedy=_remedy(bug)
        )
    return files


def _class_name(bug: Bug) -> str:
    return bug.id.replace("-", "").capitalize()


def _remedy(bug: Bug) -> str:
    fixes = ", ".join(short_text(tag) for tag in bug.fixed.values())
    update = f"Fixed in {fixes}." if fixes else "No release has a fix."
    return f"{update} Until then: {bug.workaround}." if bug.workaround else update


def _array(texts: Sequence[str]) -> Verbatim:
    """An array of strings of Java; JSON's escapes are Java's, too."""
    return Verbatim("new String[] {" + ", ".join(map(json.dumps, texts)) + "}")


@cache
def _environment() -> Environment:
    environment = templates(_TEMPLATES, is_html=False, escape=json.dumps)
    environment.filters["array"] = _array
    return environment
