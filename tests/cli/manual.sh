#!/bin/bash
# Manual pages and completions come from the tables of --help: all are there, all can be read.
. "$(dirname "$0")/lib.sh"
share=$BIN/../share

expect 0 "$orrery" --help=bash
mapfile -t commands <out
[ "${#commands[@]}" -ge 10 ] || fail "few commands: ${commands[*]}"
for page in orrery orrery-cc "${commands[@]/#/orrery-}"; do
    file=$share/man/man1/$page.1
    [ -s "$file" ] || fail "no manual page $page"
    if command -v groff >/dev/null; then
        expect 0 groff -man -Tascii -P-c -P-b -P-u -P-o -ww "$file"
        silent err
        says out NAME EXAMPLES
    fi
done
for page in 3/orrery_load 3/orrery_try 5/orrery-plan 5/orrery-effects 5/orrery-cluster 7/orrery-pragma 7/orrery-clauses \
    7/orrery-environment; do
    [ -s "$share/man/man${page%/*}/${page#*/}.${page%/*}" ] || fail "no manual page $page"
done
man=("$share"/man/man*/*)
[ "${#man[@]}" -ge $((${#commands[@]} + 10)) ] || fail "few manual pages: ${man[*]}"
if command -v mandoc >/dev/null; then
    expect 0 mandoc -T lint "${man[@]}"
    silent out err
    expect 0 mandoc -T ascii -O width=200 "$share/man/man7/orrery-pragma.7"
    sed 's/.\x08//g' out >page
    says page '^ *ORRERY_PARALLEL\(unordered, relax\(bias\)\)' '^ *relax\(x, \.\.\.\)' 'NAME' 'SEE ALSO'
    lacks -E '`|\]\(|\*\*|<!--' page || fail "words of Markdown in a manual page"
    expect 0 mandoc -T ascii -O width=200 "$share/man/man5/orrery-plan.5"
    says out '"schema": "orrery-plan/1"'
    lacks 'Which strategy' out || fail "more than one part of the page"
fi
expect 0 "$orrery" analyze --help=man
says out '^\.B .*\\-\\-format=text\|json\|sarif' 'EXIT STATUS' '^orrery analyze mf\.c$'

# complete LINE: what bash would offer, and with what options
complete_line() {
    bash -c '. "$1"; COMP_LINE=$2 COMP_POINT=${#2}; read -ra COMP_WORDS <<<"$2"
        case $2 in *" ") COMP_WORDS+=("") ;; esac
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); compopt() { echo "$*"; }
        case $2 in orrery-cc*) _orrery_cc ;; *) _orrery ;; esac
        printf "%s\n" "${COMPREPLY[@]}"' - "$share/bash-completion/completions/orrery" "$1" >out 2>err
    silent err
}
complete_line 'orrery an'
[ "$(cat out)" = analyze ] || fail "bash offers more than analyze"
complete_line 'orrery '
says out '^verify$' '^--version$'
complete_line 'orrery analyze --fo'
says out '^--format=text$' '^--format=sarif$'
lacks nospace out || fail "no space behind --format=text"
complete_line 'orrery analyze --prof'
says out '^--profile=$' '^-o nospace$'
complete_line 'orrery verify --'
says out '^--runs=$'
lacks -e --profile out || fail "bash offers options of another command"
complete_line 'orrery analyze --format=s'
says out '^sarif$'
complete_line 'orrery explain ORR12'
says out '^ORR1201$'
complete_line 'orrery-cc -allow'
says out '^-allow-fallback$'
expect 0 cmp "$share/bash-completion/completions/orrery" "$share/bash-completion/completions/orrery-cc"
# Where nothing of ours fits, files.
expect 0 bash -c '. "$1"; complete -p orrery orrery-cc' - "$share/bash-completion/completions/orrery"
says out ' -o default .*-F _orrery orrery$' ' -o default .*-F _orrery_cc orrery-cc$'

expect 2 "$orrery" completion
expect 2 "$orrery" completion csh
says err "'csh' is no shell"
expect 0 "$orrery" completion zsh
says out '^#compdef orrery orrery-cc' "'analyze:" "'--format=json:" "'-auto:"
mv out _orrery
if command -v zsh >/dev/null; then
    expect 0 zsh -n _orrery
    # What zsh would offer: the words of _describe, then files.
    zsh_offers() { # SERVICE WORD...
        expect 0 zsh -fc '_describe() { print -l -- ${(P)3}; }; _files() { print files; }
            service=$1; shift; words=("$@"); CURRENT=$#; . ./_orrery' - "$@"
        silent err
    }
    zsh_offers orrery orrery ''
    says out '^analyze:say ' "^plan:write the plans of a file's loops"
    zsh_offers orrery orrery analyze --
    says out '^--format=json:' "^--profile=:a run's " '^files$'
    zsh_offers orrery orrery verify --
    says out '^--runs=:'
    lacks -e --profile out || fail "zsh offers options of another command"
    zsh_offers orrery orrery explain ORR12
    says out '^ORR1201$'
    zsh_offers orrery-cc orrery-cc -
    says out '^-auto:'
fi
expect 0 "$orrery" completion fish
mv out orrery.fish
if command -v fish >/dev/null; then
    fish_offers() { # LINE
        HOME=$work expect 0 fish --no-config -c 'source orrery.fish; complete -C "$argv[1]"' "$1"
        silent err
    }
    fish_offers 'orrery pl'
    says out "^plan\sWrite|^plan\swrite the plans of a file's loops"
    fish_offers 'orrery analyze --format='
    says out '^--format=sarif'
    fish_offers 'orrery-cc -allow'
    says out '^-allow-fallback'
    : >quux.c
    fish_offers 'orrery quux'
    silent out # in the place of a command no files
    fish_offers 'orrery analyze quux'
    says out '^quux\.c'
    fish_offers 'orrery verify --'
    says out '^--runs'
    lacks -e --profile out || fail "fish offers options of another command"
    fish_offers 'orrery explain ORR12'
    says out '^ORR1201'
fi
