# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which commands are there? Each is in the module of its name, imported when it is called.

Help and completion import none of the code that does the work: functions import it when they need
it, so that Tab answers at once.
"""

from collections.abc import Sequence
from importlib import import_module

import typer

# The first sentence of each command's help, so that listing them imports none. Each fits 80
# columns.
SUMMARIES = {
    "run": "Run the reproducers of bugs on each build; grade every cell.",
    "try": "Run any program on each build; group them by what it said.",
    "throughput": "Measure the speed of builds against that of a baseline.",
    "validate": "Give one verdict on a new build, in about twelve minutes.",
    "has": "Say whether a build has a bug or its fix, by running tests.",
    "bugs": "List known bugs: of a version, an exception, an update.",
    "site": "Write static pages: which JDK has which HTTPS bug.",
    "facts": "Print what a JDK does by default, or what an update changed.",
    "behave": "Print what a JDK does, row by row, or what an update changed.",
    "bisect": "Find the first fixed build of a train in few runs.",
    "bundle": "Make the zip to attach to a bug: one Java file, and proof.",
    "planted": "Plant faults into builds; check that each is found and named.",
    "plan": "Print the cells that `run` would run; fetch and run nothing.",
    "merge": "Merge shards into one run, graded as if it was never divided.",
    "report": "Grade a stored run again, and write its reports again.",
    "reports": "List and prune the runs in reports/.",
    "history": "Show runs, grades over time, and what changed.",
    "diagnose": "Say which known bugs show in recordings or thread dumps.",
    "doctor": "Say what this machine lacks to run the kit, and how to get it.",
    "completion": "Print a script that completes commands, options and ids.",
    "jdks": "List, fetch, lock, verify, add and prune JDK builds.",
}


# Where a command's name is a word of Python's.
_FUNCTIONS = {"try": "try_program"}


def add_commands(app: typer.Typer, words: Sequence[str]) -> None:
    """Add the whole command that these words call, and the other commands as a list shows them."""
    command = next((word for word in words if word in SUMMARIES), None)
    for name, summary in SUMMARIES.items():
        if name != command:
            app.command(name, help=summary)(_placeholder)
            continue
        module = import_module(module_of(name))
        if hasattr(module, "app"):  # it has subcommands
            app.add_typer(module.app, name=name)
        else:
            app.command(name)(getattr(module, _FUNCTIONS.get(name, name)))


def module_of(command: str) -> str:
    """The module that has the command's code."""
    return f"jdkmatrix.cli.{_FUNCTIONS.get(command, command)}"


def _placeholder() -> None:
    raise AssertionError("only the first command of the words is called")
