"""Completion in a shell, as click has it, but without a space behind `KEY=`."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
)

NAME = "trading-sdk"
VARIABLE = "_TRADING_SDK_COMPLETE"
_BASH = """\
%(complete_func)s() {
    local IFS=$'\\n' type value
    COMPREPLY=()
    while IFS=',' read -r type value; do
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$value"); [[ $value == *= ]] && compopt -o nospace ;;
        esac
    done < <(COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD %(complete_var)s=bash_complete "$1")
    return 0
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""
_ZSH = """\
#compdef %(prog_name)s
%(complete_func)s() {
    local -a response words_only described
    local type key text
    response=("${(@f)$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) %(complete_var)s=zsh_complete %(prog_name)s)}")
    for type key text in ${response}; do
        case $type in
            dir) _path_files -/ ;;
            file) _path_files -f ;;
            plain) if [[ $text == _ ]]; then words_only+=("$key"); else described+=("$key:$text"); fi ;;
        esac
    done
    (( $#described )) && _describe -V unsorted described -U
    if [[ ${words_only[1]} == *= ]]; then
        compadd -U -V unsorted -S '' -a words_only
    else
        compadd -U -V unsorted -a words_only
    fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""


class _Bash(BashComplete):
    source_template = _BASH


class _Zsh(ZshComplete):
    source_template = _ZSH


add_completion_class(_Bash)
add_completion_class(_Zsh)


def print_script(context: click.Context, parameter: click.Parameter, shell: str | None) -> None:
    """Print what makes a shell complete `trading-sdk`."""
    if shell and not context.resilient_parsing:
        found: Any = get_completion_class(shell)
        click.echo(found(context.command, {}, NAME, VARIABLE).source())
        context.exit()
