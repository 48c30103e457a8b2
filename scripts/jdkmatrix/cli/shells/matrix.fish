# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
function _matrix_completion
    env _MATRIX_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION=$argv \
        _TYPER_COMPLETE_ARGS=(commandline -cp) PROGRAM
end
complete --command matrix --no-files --condition "_matrix_completion is-args" \
    --arguments "(_matrix_completion get-args)"
