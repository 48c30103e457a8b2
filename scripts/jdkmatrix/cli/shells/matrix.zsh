#compdef matrix
# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
_matrix_completion() {
    eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _MATRIX_COMPLETE=complete_zsh PROGRAM)
}
compdef _matrix_completion matrix
