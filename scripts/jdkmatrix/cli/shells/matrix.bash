# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
_matrix_completion() {
    local line=${COMP_LINE:0:COMP_POINT} words word
    read -ra words <<< "$line"
    [[ $line == *[[:blank:]] ]] && words+=("")
    word=${words[${#words[@]} - 1]}
    local IFS=$'\n'
    COMPREPLY=( $(env COMP_WORDS="${words[*]}" COMP_CWORD=$((${#words[@]} - 1)) \
        _MATRIX_COMPLETE=complete_bash "$1") )
    # To bash a word begins after a : or =, too, and it is that one which is replaced.
    [[ $word == --*=* ]] && word=${word#*=}
    local before=${word%"${word##*["$COMP_WORDBREAKS"]}"}
    COMPREPLY=( "${COMPREPLY[@]#"$before"}" )
}
complete -o default -F _matrix_completion matrix
