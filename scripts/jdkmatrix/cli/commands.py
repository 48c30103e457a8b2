# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which commands are there? Each in the module of its name, imported when it is called.

All of them take more than half a second to import, which every command would pay for.
"""

from functools import cache
from importlib import import_module

from typer._click.core import Command, Context  # not public; pinned by its hash
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command_from_info, get_group_from_info
from typer.models import CommandInfo, TyperInfo

# The first sentence of each command's help, so that the list of all imports none.
SUMMARIES = {
    "run": "Run the tests of the ledger's bugs on each build; grade and report every cell.",
    "throughput": "Measure builds against a baseline, and the baseline against itself.",
    "validate": "Judge one new build in some ten minutes: every reproducer, then throughput.",
    "bisect": "Find the first fixed build of a train in few runs, and compare it with the ledger.",
    "bundle": "Make the zip to attach to a bug: one Java file that runs, and the proof.",
    "planted": "Plant each fault into its builds: is every one found, and named?",
    "plan": "Print the cells that `run` with the same options would run; fetch and run nothing.",
    "merge": "Make one run of its shards: the same grades as if one machine had run it all.",
    "report": "Grade a stored run by the ledger of this checkout and write its reports again.",
    "history": "Show runs, the grades of each build over time, and what changed.",
    "diagnose": "Say which bugs of the ledger show in recordings of your own application.",
    "doctor": "Say what this machine lacks to run the kit, and how to get it.",
    "completion": "Print a script that completes commands, options, build ids, bug ids and tests.",
    "jdks": "List, fetch, lock, verify, add and prune the JDK builds of jdks.yaml.",
}


class Commands(TyperGroup):
    """The kit's commands."""

    def list_commands(self, ctx: Context) -> list[str]:
        """In the order of the help."""
        return list(SUMMARIES)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """What a list of commands says of it, None if there is none."""
        summary = SUMMARIES.get(cmd_name)
        return TyperCommand(cmd_name, help=summary) if summary else None

    def resolve_command(
        self, ctx: Context, args: list[str]
    ) -> tuple[str | None, Command | None, list[str]]:
        """The command itself, which is called."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, command_of(name) if name and listed else None, rest


@cache
def command_of(name: str) -> Command:
    """The command of that name, imported now."""
    module = import_module(f"jdkmatrix.cli.{name}")
    if hasattr(module, "app"):  # it has commands of its own
        return get_group_from_info(
            TyperInfo(module.app, name=name),
            pretty_exceptions_short=True,
            rich_markup_mode=None,
            suggest_commands=True,
        )
    return get_command_from_info(
        CommandInfo(name, callback=getattr(module, name)),
        pretty_exceptions_short=True,
        rich_markup_mode=None,
    )
