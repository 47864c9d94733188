#!/bin/bash
# What is rewritten compiles under the warning options of strict projects, as errors, in old C too.
. "$(dirname "$0")/lib.sh"

cat >old.c <<'EOF2'
void fill(char *a, long n);
double train(const int *row, const int *column, const float *value, long n, float *w, float *h);

void fill(char *a, long n)
{
    long i = 0;
    a[0] = 1;
    for (i = 0; i < n; i++)
        a[i] = 2;
}

double train(const int *row, const int *column, const float *value, long n, float *w, float *h)
{
    double loss = 0;
    long i, k;
#pragma orrery parallel unordered
    for (i = 0; i < n; i++) {
        float e = value[i];
        for (k = 0; k < 4; k++)
            e -= w[4 * row[i] + k] * h[4 * column[i] + k];
        loss += (double)(e * e);
        for (k = 0; k < 4; k++) {
            float old = w[4 * row[i] + k];
            w[4 * row[i] + k] += e * h[4 * column[i] + k];
            h[4 * column[i] + k] += e * old;
        }
    }
    return loss;
}
EOF2
strict="-Werror -Wall -Wextra -pedantic -Wshadow -Wdeclaration-after-statement -Wconversion -Wsign-conversion -Wc++-compat
    -Wundef -Wmissing-declarations -Wmissing-prototypes -Wcast-qual -Wswitch-enum -Wswitch-default -Wstrict-prototypes
    -Wbad-function-cast -Winit-self -Wnested-externs -Wold-style-definition -Wwrite-strings -Wredundant-decls
    -Wdouble-promotion -Wfloat-equal -Wpointer-arith -Wpadded -Wvla -Wlong-long -Wno-unknown-pragmas"
for standard in c89 gnu89 c99 c11 gnu17; do
    # shellcheck disable=SC2086
    expect 0 cc -std=$standard $strict -O2 -c old.c -o plain.o
    # shellcheck disable=SC2086
    expect 0 "$cc" -auto -Rorrery -std=$standard $strict -O2 -c old.c -o old.o
    says err 'old\.c:8:5: remark: parallel' 'old\.c:17:5: remark: parallel by rotation'
done
if command -v clang-19 >/dev/null; then
    # shellcheck disable=SC2086
    expect 0 env ORRERY_CC=clang-19 "$cc" -auto -std=c89 $strict -O2 -c old.c -o old.o
fi
