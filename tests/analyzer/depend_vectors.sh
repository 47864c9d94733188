#!/bin/bash
# From C text to dims and vectors: what `orrery-dump deps` says of small loops.
# usage: depend_vectors.sh BIN
. "$(dirname "$0")/../lib.sh"

dump=$1/orrery-dump
bad=0

# expect NAME 'BODY' 'LINE'...: the loop over n with this body has exactly these dims and carried
# dependences, in this order.
expect() {
    local name=$1 body=$2
    shift 2
    {
        echo "struct rating { int user, item; float value; };"
        echo "void f(float *restrict W, float *restrict H, const struct rating *restrict r,"
        echo "       const int *restrict u, const int *restrict v, long count, int K) {"
        echo "#pragma orrery parallel $order"
        echo "    for (long n = 1; n < count; ++n) { $body }"
        echo "}"
    } > "$work/$name.c"
    "$dump" deps "$work/$name.c" > "$work/all"
    sed -n '/^deps of loop 0 /,/^deps of loop 1 /p' "$work/all" |
        sed -n 's/^  \(dim [^ ]* .*\)$/\1/p; s/^  carried \([^)]*)\) .*/\1/p' > "$work/found"
    printf '%s\n' "$@" > "$work/wanted"
    cmp -s "$work/found" "$work/wanted" ||
        { echo "$name:"; diff "$work/wanted" "$work/found" || true; bad=1; }
}

order=unordered
expect flat 'float *w = W + r[n].user * K; for (int k = 0; k < K; ++k) w[k] = w[k] * .5f + n;' \
    'dim key r[n].user' 'flow W (0)' 'output W (0)'
expect two_tables 'float e = W[u[n]] * H[v[n]]; W[u[n]] = e * .5f; H[v[n]] = e + 1;' \
    'dim key u[n]' 'dim key v[n]' 'flow W (0, *)' 'output W (0, *)' 'flow H (*, 0)' 'output H (*, 0)'
expect one_based 'W[u[n] - 1] = W[u[n] - 1] * .5f + n;' \
    'dim key u[n] - 1' 'flow W (0)' 'output W (0)'
expect neighbour 'W[n] = W[n - 1] * .5f;' 'dim variable n' 'flow W (1)'
expect both_sides 'W[n] = W[n - 1] + W[n + 1];' 'dim variable n' 'flow W (1)' 'flow W (-1)'
expect own 'W[n] = H[n] + H[n - 1];' 'dim variable n'
expect next_row 'W[u[n]] += W[u[n] + 1];' \
    'dim key u[n]' 'flow W (-1)' 'flow W (0)' 'output W (0)'
order=
expect ordered_pair 'W[n] = W[n - 2] + W[n + 3];' 'dim variable n' 'flow W (2)' 'anti W (3)'
exit $bad
