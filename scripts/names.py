# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Do names say what things are? `scripts/test` refuses pronouns, participles, adverbs as names.

    python names.py            # the share of such names, and the bad ones of each file
    python names.py --count    # how often each of them is used

A name is what a source binds: a variable, parameter, field, function, also in loops and
comprehensions. Only a name of one word is judged, without its underscores: `found` is no name for
a list of builds, `found_builds` may be one. A general word (`value`, `entry`) is refused like the
others unless the field has it: `FIELD_WORDS` names those, with the files that may use them.
The name of a class of the kit is judged like others if it is one word, and no two have the same.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
# Words without a meaning of their own: pronouns, determiners, adverbs, prepositions, conjunctions.
# Ordinals and `old` and `new` are the words of a diff, `out` is a stream, `us` are microseconds.
FUNCTION_WORDS = frozenset(
    """
    above across after again against ahead all along also always among another any anyone anything
    apart around aside at away back before behind below beside beyond both by each either else ever
    every everyone everything for from further he hence here him his how i in inside into it its
    itself just least less maybe me mine more most much my near neither never no nobody none nor
    nothing now of often on once one ones only or other others otherwise our ours outside over own
    perhaps rather she since so some someone something soon still such than that the their theirs
    them then there these they this those though through thus to together too under until very we
    what whatever when where whether which while who whom whose why with within without yes yet you
    your yours
    """.split()
)
# Participles that do not end in -ed.
PARTICIPLES = frozenset(
    """
    been begun bound broken brought built caught chosen cut done drawn driven fallen felt forgotten
    gone given gotten grown had heard held hidden hit kept known laid led left lent lost made meant
    met paid put ran read said sat seen sent set shown shut sought spent spoken stood stuck
    sung sunk swept taken taught thought thrown told torn understood undone was went were woken won
    worn written found began came gave got knew saw took came became
    """.split()
)
GENERAL_WORDS = frozenset(
    "data datum entries entry info information item items object objects result results stuff thing"
    " things value values".split()
)
# Nouns and verbs that look like participles or adverbs; `expected` is the field's own.
NOUNS = frozenset(
    "anomaly apply assembly bound expected family feed need read red reply rung seed set speed"
    " supply tally".split()
)
# A general word or a participle that is the field's own: where, and of what.
FIELD_WORDS: dict[str, tuple[str, ...]] = {
    # The document results.json.
    "results": ("*",),
    # A build as jdks.yaml asks for it (jdkmatrix/README.md).
    **dict.fromkeys(
        ("entry", "entries"),
        tuple(f"{folder}/*" for folder in ("jdkmatrix/*", "tests/*")),
    ),
    # pytest's name of a test, which its hooks have to use; of an aspect of the defaults.
    "item": (
        "tests/conftest.py",
        "*/fuzz.py",
        "*/test_fuzz.py",
        "*/known_changes.py",
        "*/defaults_difference.py",
    ),
    "items": ("tests/conftest.py",),
    # Keys of results.json: how the defaults of two builds differ.
    **dict.fromkeys(
        "after before explained unexplained".split(),
        ("jdkmatrix/verdict/defaults_difference.py", "jdkmatrix/config/known_changes.py"),
    ),
    # Keys of what the Java tools write: digest.json, outcome.json, rows.jsonl.
    **dict.fromkeys(
        "enabled inferred shown used".split(),
        (
            "jdkmatrix/evidence/digest.py",
            "jdkmatrix/evidence/places.py",
            "jdkmatrix/evidence/stack_group.py",
        ),
    ),
    "bound": ("jdkmatrix/evidence/outcomes.py",),
    "said": ("jdkmatrix/evidence/rows.py",),
    # Keys of what `diagnose --json` prints.
    **dict.fromkeys(("hidden", "others"), ("jdkmatrix/grading/diagnosis.py",)),
    # A command, and the key of planted.yaml.
    "planted": ("jdkmatrix/cli/planted.py", "jdkmatrix/config/planted.py"),
    # Keys of jdks.yaml, bugs.yaml, changes.yaml and scenarios.yaml.
    "value": ("jdkmatrix/config/jdks.py", "jdkmatrix/evidence/outcomes.py"),
    **dict.fromkeys(
        "asked broken fixed introduced measured published resumed since unreported".split(),
        ("jdkmatrix/config/*.py", "tests/config/*.py"),
    ),
    # Keys of run.json, cell.json, block-NN.json and of a load's sample.
    **dict.fromkeys(
        "altered closed ended finished measured merged replaced resumed started".split(),
        (
            "jdkmatrix/records/*.py",
            "jdkmatrix/config/scenarios.py",
            "jdkmatrix/supply/build.py",
            "jdkmatrix/evidence/digest.py",
        ),
    ),
}

Miss = tuple[str, int, str]


def bindings(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """Each name that these nodes of a source bind, with its line; imports are left out."""
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                yield name, node.lineno
            case ast.arg(arg=name):
                yield name, node.lineno
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node.lineno
            case ast.ClassDef(name=name):
                yield name, node.lineno
            case ast.ExceptHandler(name=str(name)):
                yield name, node.lineno
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield name, node.lineno
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name, node.lineno


def is_miss(name: str, file: str) -> bool:
    """Whether this name, in this file below `scripts/`, is no noun of the field and no verb."""
    word = name.strip("_").lower()
    if not word or word in NOUNS or any(fnmatch(file, p) for p in FIELD_WORDS.get(word, ())):
        return False
    if word in FUNCTION_WORDS or word in GENERAL_WORDS:
        return True
    # A status is a participle: Grade.SKIPPED.
    is_status = name.isupper()
    is_camel_case = re.search("[a-z][A-Z]", name) is not None
    return not (is_status or is_camel_case) and (
        word in PARTICIPLES or re.fullmatch(r"[a-z]+(ed|ly)", word) is not None
    )


def sources() -> list[Path]:
    """The kit's sources in Python and their tests."""
    return sorted(
        [*SCRIPTS.glob("*.py"), *SCRIPTS.glob("jdkmatrix/**/*.py"), *SCRIPTS.glob("tests/**/*.py")]
    )


def main(arguments: list[str]) -> int:
    """Print the misses and their share; return 1 if there is one."""
    total, misses, classes = 0, [], Counter[str]()
    for path in sources():
        file = path.relative_to(SCRIPTS).as_posix()
        nodes = list(ast.walk(ast.parse(path.read_text())))
        for name, line in bindings(nodes):
            total += 1
            if is_miss(name, file):
                misses.append((file, line, name))
        if file.startswith("jdkmatrix/"):
            classes.update(n.name for n in nodes if isinstance(n, ast.ClassDef))
    twice = sorted(name for name, count in classes.items() if count > 1)
    if arguments == ["--count"]:
        for name, count in Counter(name for _, _, name in misses).most_common():
            print(f"{count:5} {name}")
    else:
        for file, line, name in misses:
            print(f"{file}:{line}: {name}")
    print(f"{len(misses):,} of {total:,} names ({len(misses) / total:.1%}) are no nouns or verbs.")
    print(
        f"{len(twice)} names of classes have more than one meaning: {', '.join(twice) or 'none'}."
    )
    return int(bool(misses or twice))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
