# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which commands are there? Each in the module of its name, imported when it is called.

All of them take more than half a second to import, which every command would pay for.
"""

from functools import cache
from importlib import import_module

from typer._click.core import Command, Context  # not public; pinned by its hash
from typer.core import TyperGroup
from typer.main import get_command_from_info, get_group_from_info
from typer.models import CommandInfo, TyperInfo

NAMES = (
    "run",
    "throughput",
    "validate",
    "bisect",
    "bundle",
    "planted",
    "plan",
    "merge",
    "report",
    "history",
    "diagnose",
    "doctor",
    "completion",
    "jdks",
)


class Commands(TyperGroup):
    """The kit's commands."""

    def list_commands(self, ctx: Context) -> list[str]:
        """In the order of the help."""
        return list(NAMES)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """The command of that name, None if there is none."""
        return _command(cmd_name) if cmd_name in NAMES else None


@cache
def _command(name: str) -> Command:
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
