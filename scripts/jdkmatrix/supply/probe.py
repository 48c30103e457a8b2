# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What are a JDK's defaults (TLS protocols, groups, cipher suites), and what is in it?

The part of the kit's Java that is for Java 8 runs once on each JDK, with any overlay in force.
For a cached build the answer is stored beside that program, keyed by build and program.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from jdkmatrix.config import version
from jdkmatrix.errors import translate_os_errors
from jdkmatrix.machine.files import content_of, sha256_of, write_atomically
from jdkmatrix.machine.java_program import MAIN_CLASS, WITHOUT_C2, JavaTool
from jdkmatrix.machine.processes import FinishedProcess, complaint, run_jvm
from jdkmatrix.supply.build import Build, SourceError
from jdkmatrix.supply.jdk_facts import java_of, listed_modules
from jdkmatrix.supply.runtime_facts import LISTS, Defaults, RuntimeFacts

_TIMEOUT_S = 60.0
# `java -version` prints some 200; what a strange JVM says in its place is cut.
_MOST_SHOWN_CHARACTERS = 1_000
_LAST_WITHOUT_MODULES = 8
# Where Debian's package ca-certificates-java has the roots of all JDKs; each links to it.
ROOTS_OF_DEBIAN = Path("/etc/ssl/certs/java/cacerts")
_NO_ROOTS = "Debian's builds have none; ca-certificates-java, which has them, is not installed here"

M = TypeVar("M", RuntimeFacts, Defaults)


class Probe:
    """Asks JDKs by the kit's Java, which is compiled if need be. Raises MachineError."""

    def __init__(self, tool: JavaTool) -> None:
        self._folder = tool.cache
        self._classes = tool.compile_for_any_jdk()

    def facts(self, build: Build) -> RuntimeFacts:
        """What the JDK says; of a cached build, what it said when it was first asked.

        Raises SourceError if it cannot be run, or says another version or vendor than its build's,
        MachineError if the answer can't be stored.
        """
        return self._answer(build, "-facts", RuntimeFacts, _ask_facts)

    def defaults(self, build: Build) -> Defaults:
        """The JDK's defaults; the rest is as for `facts`."""
        store = _machine_store(build)
        suffix = f"-{sha256_of(store)[:16]}-defaults" if store else "-defaults"
        defaults = self._answer(build, suffix, Defaults, partial(_ask_defaults, store=store))
        if store or not _has_machine_roots(build):
            return defaults
        return defaults.model_copy(update={"unknown": {**defaults.unknown, "root": _NO_ROOTS}})

    def _answer(
        self, build: Build, suffix: str, model: type[M], ask: Callable[[Build, Path], M]
    ) -> M:
        may_change = not build.artifacts or build.overlay is not None
        place = self._folder / f"{self._classes.name}-{build.sha256[:16]}{suffix}.json"
        stored_answer = None
        if not may_change:
            with suppress(FileNotFoundError, ValidationError):
                stored_answer = model.model_validate_json(content_of(place))
        answer = stored_answer or ask(build, self._classes)
        actual, expected = (
            (answer.version, answer.vendor),
            (build.facts.version, build.facts.vendor),
        )
        if actual != expected:
            raise SourceError(f"refused: it reports {actual}, but {expected} when it was installed")
        if not (stored_answer or may_change):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomically(place, answer.model_dump_json())
        return answer


def _run_program(
    build: Build,
    classes: Path,
    subcommand: str,
    options: Sequence[str] = (),
    arguments: Sequence[str] = (),
) -> FinishedProcess:
    overlay = build.overlay.java_options if build.overlay else ()
    program = ("-cp", str(classes), MAIN_CLASS, subcommand, *arguments)
    command: list[str | Path] = [java_of(build.home), *options, *overlay, *program]
    with translate_os_errors(SourceError, "does not start"):
        process = run_jvm(command, timeout_s=_TIMEOUT_S)
    if process.code != 0:
        raise SourceError(f"does not report its facts: {complaint(process, 'xception', 'rror')}")
    return process


def _has_machine_roots(build: Build) -> bool:
    """Whether it is a Debian JDK, whose `cacerts` is the machine's, or is not there."""
    store = build.home / build.facts.java_home / "lib" / "security" / "cacerts"
    return build.vendor == "debian" and not store.exists()


def _machine_store(build: Build) -> Path | None:
    """The machine's roots, where a JDK of Debian without its own has them from."""
    return ROOTS_OF_DEBIAN if _has_machine_roots(build) and ROOTS_OF_DEBIAN.is_file() else None


def _ask_defaults(build: Build, classes: Path, store: Path | None) -> Defaults:
    # Saves two fifths of the CPU time; not for `facts`, which report the compilers (`vm_mode`).
    options = list(WITHOUT_C2)
    if version.parse(build.facts.version).train > _LAST_WITHOUT_MODULES:
        options.append("--add-exports=java.base/sun.net=ALL-UNNAMED")  # for NameCache.java
    arguments = [str(store)] if store else []
    lines = _run_program(build, classes, "defaults", options, arguments).output.splitlines()
    modules = (f"module\t{name}\t" for name in listed_modules(build.home) or ())
    return Defaults.parse(build.facts.version, build.facts.vendor, (*lines, *modules))


def _ask_facts(build: Build, classes: Path) -> RuntimeFacts:
    texts: dict[str, list[str]] = defaultdict(list)
    # Prints on stderr what -version does, and goes on: no JVM more.
    process = _run_program(build, classes, "facts", ("-showversion",))
    for line in process.output.splitlines():
        name, tab, text = line.partition("\t")
        if tab:
            texts[name].append(text)
    plain = {
        name: texts[name] if name in LISTS else "".join(texts[name]) for name in LISTS | {*texts}
    }
    shown_version = process.errors.partition("\n\n")[0].strip()[:_MOST_SHOWN_CHARACTERS]
    of_image = {"listed_modules": listed_modules(build.home), "shown_version": shown_version}
    try:
        return RuntimeFacts.model_validate({**plain, **of_image})
    except ValidationError as error:
        problem = error.errors()[0]
        raise SourceError(f"does not report its {problem['loc'][0]}: {problem['msg']}") from None
