# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix completion SHELL`: print a script that completes the kit's commands and ids."""

import os
import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from jdkmatrix.cli.printed import give
from jdkmatrix.errors import ExitCode
from jdkmatrix.machine.files import text_of
from jdkmatrix.paths import Checkout

NAME = "matrix"
VARIABLE = "_MATRIX_COMPLETE"


class Shell(StrEnum):
    """The supported shells."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


# How each shell asks typer. bash passes the program as it was typed; zsh and fish would look for
# it on the PATH.
_SCRIPTS = Path(__file__).with_name("shells")


def completion(
    shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
) -> ExitCode:
    """Print a script that completes commands, options and ids.

    Ids are those of builds, bugs, tests, scenarios and runs.

    For one session: source <(scripts/matrix completion bash). For every one: add that line, with
    the whole path, to ~/.bashrc or ~/.zshrc; fish: scripts/matrix completion fish | source.

    Example: scripts/matrix completion bash
    """
    program = shlex.quote(str(Checkout.current().root / "scripts" / "matrix"))
    script = text_of(_SCRIPTS / f"{NAME}.{shell}")
    give(script.replace("PROGRAM", program))
    return ExitCode.OK


def asked_words() -> list[str]:
    """The words of the command line that the shell asks about."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return line.split()
