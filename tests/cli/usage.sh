#!/bin/bash
# Help on standard output, errors on standard error with the nearest name, status 2.
. "$(dirname "$0")/lib.sh"

expect 0 "$orrery" --help
says out 'analyze' 'explain' 'plan' 'run' 'verify' 'examples:'
silent err
expect 0 "$orrery" --version
says out '^orrery [0-9]+\.[0-9]+\.[0-9]+$' '^libclang: .*clang' '^isl: ' '^jansson: ' '^compiler: ' '^MPI launcher: '
for command in analyze explain plan emit run verify report; do
    expect 0 "$orrery" $command --help
    says out "^usage: orrery $command" 'examples:' "orrery.* $command|orrery-cc"
    silent err
    expect 2 "$orrery" $command --no-such-option-of-ours
    says err "orrery $command: unknown option '--no-such-option-of-ours'"
    silent out
    expect 2 "$orrery" $command
    silent out
done
for word in --version version; do "$orrery" $word; done | sort | uniq -u >out
silent out
"$orrery" --help >want && "$orrery" help >out && cmp want out || fail "help is not --help"
"$orrery" plan --help >want && "$orrery" help plan >out && cmp want out || fail "help plan is not plan --help"
expect 2 "$orrery" help analise
says err "did you mean 'analyze'\?"
expect 0 "$cc" --help
says out '^usage: orrery-cc' '-plan FILE' 'examples:'

expect 2 "$orrery"
says err 'no command'
expect 2 "$orrery" analise x.c
says err "unknown command 'analise'; did you mean 'analyze'\?"
expect 2 "$orrery" --versoin
says err "did you mean '--version'\?"
expect 2 "$orrery" qqqqqqqq
says err "unknown command 'qqqqqqqq'$"
expect 2 "$orrery" analyze --fromat=json x.c
says err "did you mean '--format'\?"
expect 2 "$orrery" analyze --format=xml x.c
says err "'xml' is none of text\|json"
expect 2 "$orrery" analyze --dump=nothing x.c
says err "nothing"
expect 2 "$orrery" analyze --format
says err 'needs a value'
expect 2 "$orrery" run -n 0 ./x
says err 'at least 1'
expect 2 "$orrery" run -n two ./x
says err "'two'"
expect 2 "$orrery" verify --threads 1,,2 ./x
says err "1,,2"
expect 2 "$orrery" plan a.c b.c
says err 'one input file'

# Half of an answer is no answer: a full disk is an error of every command.
echo 'void f(double *a) { for (int i = 0; i < 9; ++i) a[i] = 0; }' >full.c
for command in "analyze --all full.c" "analyze --format=json full.c" "explain ORR2103" env "plan full.c" "emit full.c" "completion bash" --help --version; do
    status=0
    # shellcheck disable=SC2086
    "$orrery" $command >/dev/full 2>err || status=$?
    [ "$status" = 1 ] || fail "status $status of '$command' when its answer cannot be written"
    says err 'No space left'
done

# Loading libclang takes longer than most commands do: those that analyze nothing do without.
lacks libclang <(ldd "$orrery")
cp "$orrery" .
mkdir -p bin && mv orrery bin/
expect 1 bin/orrery plan full.c
says err 'cannot start .*/lib/orrery/analysis: No such file'
