# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix completion SHELL`: print what makes a shell complete the kit's commands and ids."""

from enum import StrEnum
from typing import Annotated

import typer
from typer._completion_shared import get_completion_script  # not public; pinned by its hash

from jdkmatrix.errors import ExitCode
from jdkmatrix.paths import Checkout

NAME = "matrix"
VARIABLE = "_MATRIX_COMPLETE"


class Shell(StrEnum):
    """The shells that can be taught."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(
    shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
) -> ExitCode:
    """Print a script that completes commands, options, build ids, bug ids and tests.

    For one session: source <(scripts/matrix completion bash). For every one: add that line, with
    the whole path, to ~/.bashrc or ~/.zshrc; fish: scripts/matrix completion fish | source.

    Example: scripts/matrix completion bash
    """
    script = get_completion_script(prog_name=NAME, complete_var=VARIABLE, shell=shell)
    program = Checkout.here().root / "scripts" / "matrix"
    # zsh and fish run the program by its name, which need not be on the PATH.
    for call in (f"complete_zsh {NAME})", f"(commandline -cp) {NAME}"):
        script = script.replace(call, call.replace(NAME, str(program)))
    print(script)
    return ExitCode.OK
