#!/bin/bash
# refused.sh BINDIR: every program of refused/ keeps its loop, and the code of its first line is given.
# Flags of the compiler stand in its third line: /* flags: -fopenmp */
. "$(dirname "$0")/../../lib.sh"

bin=$1
dir=$work
bad=0
programs=("$here"/../../programs/emit_refused/*.c)

# Three commands for each, all of them in one process.
for program in "${programs[@]}"; do
    name=$(basename "$program" .c)
    flags=$(sed -n '3s|^/\* flags: \(.*\) \*/$|\1|p' "$program" | tr ' ' '\t')
    for command in "said emit	-o	$dir/$name.out.c" "text analyze" "json analyze	--format=json"; do
        printf '%s\t%s\t%s\t%s\t--\t%s\n' "$dir/$name.${command%% *}" "$dir/$name.${command%% *}.err" "${command#* }" "$program" "$flags"
    done
done >"$dir/commands"
"$bin/orrery-many" <"$dir/commands" >"$dir/statuses" || fail "orrery-many: status $?"
[ "$(wc -l <"$dir/statuses")" = $((3 * ${#programs[@]})) ] || fail "not all commands end"
! grep -vn '^[01]$' "$dir/statuses" || fail "a command ends otherwise"

for program in "${programs[@]}"; do
    name=$(basename "$program" .c)
    code=$(sed -n '1s|/\* \(ORR[0-9]*\) \*/|\1|p' "$program")
    [ -n "$code" ] || fail "$program: no code in its first line"
    flags=$(sed -n '3s|^/\* flags: \(.*\) \*/$|\1|p' "$program")
    text=$dir/$name.text json=$dir/$name.json
    if ! cat "$dir/$name.said" "$dir/$name.said.err" | grep -q "$code"; then
        echo "$name: $code was not said:" && cat "$dir/$name.said.err"
        bad=1
    fi
    if ! grep -q "$code" "$text" || ! grep -q "\"code\":\"$code\"" "$json" || ! grep -q ' 0 parallel' "$text" ||
        grep -q '"verdict":"parallel"' "$json"; then
        echo "$name: analyze says something else:" && cat "$text"
        bad=1
    fi
    says=$(sed -n '2s|^/\* says: \(.*\) \*/$|\1|p' "$program")
    if ! grep -Fq -- "$says" "$text" || { [ -n "$says" ] && ! grep -q '^  fix: .' "$text"; }; then
        echo "$name: analyze does not say: $says, or no edit" && cat "$text"
        bad=1
    fi
    loops=$(grep -Ec 'orrery_run(_later)?\(' "$dir/$name.out.c" || true)
    [ "$loops" = 0 ] || { echo "$name: the loop was rewritten"; bad=1; }
    # shellcheck disable=SC2086
    gcc $flags -Wall -Wno-unknown-pragmas -I "$here/../../../runtime" -I "$here/../../programs/emit_refused" -c "$dir/$name.out.c" -o "$dir/out.o" || bad=1
done
exit $bad
