#!/bin/bash
# -effects: what functions of a library do that has no text here. Loops that call them run in parallel and are
# right; wrong lines are found. `orrery explain --effects`.
. "$(dirname "$0")/lib.sh"

cat >vec.h <<'EOT'
double vec_dot(int n, const double *x, int incx, const double *y, int incy);
void vec_axpy(int n, double a, const double *x, int incx, double *y, int incy);
void vec_copy(int n, const double *x, double *y);
EOT
cat >vec.c <<'EOT'
#include "vec.h"
double vec_dot(int n, const double *x, int incx, const double *y, int incy) {
    double s = 0;
    for (int i = 0; i < n; ++i)
        s += x[i * incx] * y[i * incy];
    return s;
}
void vec_axpy(int n, double a, const double *x, int incx, double *y, int incy) {
    for (int i = 0; i < n; ++i)
        y[i * incy] += a * x[i * incx];
}
void vec_copy(int n, const double *x, double *y) {
    for (int i = 0; i < n; ++i)
        y[i] = x[i];
}
EOT
cat >vec.effects <<'EOT'
# A small library.
vec_dot(n, x, incx, y, incy): reads x[1 + (n - 1) * abs(incx)], reads y[1 + (n - 1) * abs(incy)]
vec_axpy(n, a, x, incx, y, incy): reads x[1 + (n - 1) * abs(incx)],
    updates y[1 + (n - 1) * abs(incy)]
vec_copy(n, x, y): reads x[n], writes y[n]
EOT
cat >train.c <<'EOT'
#include "vec.h"
#include <stdio.h>
struct rating {
    int u, i;
    double v;
};
enum { U = 60, I = 40, K = 8, N = 2000 };
static double W[U * K], H[I * K];
static struct rating r[N];
int main(void) {
    unsigned s = 1;
    double sum = 0;
    for (int n = 0; n < N; ++n) {
        s = s * 1103515245u + 12345u;
        r[n] = (struct rating){(int)(s >> 16) % U, (int)(s >> 8) % I, (s >> 20) % 5};
    }
    for (int i = 0; i < U * K; ++i)
        W[i] = 0.1 + i % 7 * 0.01;
    for (int i = 0; i < I * K; ++i)
        H[i] = 0.1 + i % 5 * 0.01;
    for (int pass = 0; pass < 5; ++pass) {
#pragma orrery parallel unordered
        for (int n = 0; n < N; ++n) {
            double *w = W + (unsigned long)r[n].u * K, *h = H + (unsigned long)r[n].i * K, old[K];
            double e = 0.01 * (r[n].v - vec_dot(K, w, 1, h, 1));
            vec_copy(K, w, old);
            vec_axpy(K, e, h, 1, w, 1);
            vec_axpy(K, e, old, 1, h, 1);
        }
    }
    for (int i = 0; i < U * K; ++i)
        sum += W[i];
    printf("%.12f\n", sum);
    return 0;
}
EOT
gcc -O2 -c vec.c && ar rcs libvec.a vec.o

# Unknown functions are refused; known ones leave rows by two keys.
expect 0 "$orrery" analyze train.c
says out 'vec_dot. is defined elsewhere.*ORR2213'
expect 0 "$orrery" analyze -effects vec.effects train.c
says out 'neither r\[n\]\.u nor r\[n\]\.i \[ORR1201\]' 'array: W resident' 'array: H rotating'
expect 0 "$orrery" plan -effects vec.effects train.c -o plan.json
says plan.json '"rotation-2d"'

# Built with the library alone, on threads and ranks: the serial loop's bits in the plan's order.
expect 0 "$cc" -O2 -Werror=serial -effects vec.effects -MD -MF train.d train.c -o train libvec.a -lm
says train.d 'vec\.effects'
expect 0 "$orrery" verify --threads 1,2 --ranks 1,2 --runs 1 ./train
says out '^verified'

# The library that everybody has needs no file; Debian's libblas brings the header.
if gcc -fsyntax-only -include cblas.h -xc /dev/null 2>err; then
    sed -e 's/vec_dot/cblas_ddot/; s/vec_axpy/cblas_daxpy/; s/vec_copy(K, w, old)/cblas_dcopy(K, w, 1, old, 1)/' \
        -e 's/"vec\.h"/<cblas.h>/' train.c >blas.c
    expect 0 "$cc" -O2 -Werror=serial blas.c -o blas -lblas
    expect 0 "$orrery" verify --threads 1,2 --ranks 1,2 --runs 1 ./blas
    says out '^verified'
fi

# A line that says too little: the run is watched, and so is a library that is built so.
sed 's/^    updates y/    reads y/' vec.effects >wrong.effects
expect 0 "$cc" -O1 -accesses -c vec.c -o watched.o
expect 0 "$cc" -O1 -accesses -effects wrong.effects train.c -o watched watched.o -lm
expect 1 "$orrery" verify --accesses ./watched
says out 'train\.c:.*contradicted' 'W.*wrote it at vec\.c:10'
expect 0 "$cc" -O1 -accesses -effects vec.effects train.c -o watched watched.o -lm
expect 0 "$orrery" verify --accesses ./watched

# A body that is seen says it at once, and counts.
expect 1 "$orrery" analyze -effects wrong.effects vec.c
says err 'wrong\.effects:3:1: error: .vec_axpy. writes what .y. points to.*\[ORR9303\]' 'vec\.c:10:9: note'
expect 0 "$orrery" analyze -effects vec.effects vec.c

# wrong LINE CODE WORDS [STATUS]: what is said of a line
wrong() {
    printf '# one line\n%s\n' "$1" >line.effects
    expect "${4:-1}" "$orrery" analyze -effects line.effects train.c
    says err "$3" "\[$2\]"
}
wrong 'vec_dot(n, x, incx, y, incy): pure, read x[n]' ORR9301 'line\.effects:2:37: error: .read. is no clause'
says err 'did you mean .reads.'
wrong 'vec_dot(n, x, incx, y, incy): reads z[n]' ORR9301 'line\.effects:2:37: error: .z. is none of the parameters'
wrong 'vec_dot(n, x, n): reads x[n]' ORR9301 'line\.effects:2:15: error: two parameters'
wrong 'vec_dot(n, x): reads x[n' ORR9301 'expected .\]'
wrong 'vec_dot(n, x): reads x[2 * ]' ORR9301 'expected'
wrong 'vec_dot(n, x): reads x[((((((((((n))))))))))]' ORR9301 'line\.effects:2:33: error: .*too deep'
wrong "f$(printf '{a,b}%.0s' $(seq 40))(n): pure" ORR9301 'more than 1000 names'
wrong 'vec_dot' ORR9301 'expected .\('
wrong 'vec_dot(n, x): random, state' ORR9301 'one kind only'
wrong 'vec_dot(n, x, y): reads x[n]' ORR9302 'line\.effects:2:1: warning: .*another number of parameters' 0
says err 'vec\.h:1:1: note: .vec_dot. is declared here'
wrong 'vec_dot(n, x, incx, y, incy): pure' ORR9302 'what is pure takes numbers' 0
wrong 'vec_dot(n, x, incx, y, incy): reads n[1]' ORR9302 'is no pointer' 0
sed 's/vec_copy(K, w, old);/w[0] += rand();/; s/<stdio.h>/<stdlib.h>/; s/.*printf.*//' train.c >draws.c
echo 'rand(): pure, total' >line.effects
expect 0 "$orrery" analyze -effects line.effects -effects vec.effects draws.c
says err 'line\.effects:1:1: warning: this is not used.*\[ORR9302\]'
says out 'ORR2210'
expect 1 "$orrery" analyze -effects none.effects train.c
says err "cannot read 'none\.effects': No such file.*\[ORR9301\]"
# Nor are they passed over where the program is to be watched.
printf 'rand(): purely\n' >line.effects
expect 1 "$cc" -O1 -accesses -effects line.effects -c train.c -o watched_too.o
says err 'line\.effects:1:.*\[ORR9301\]'
expect 1 "$cc" -O1 -accesses -effects none.effects -c train.c -o watched_too.o
says err "cannot read 'none\.effects'"

# What is known, and from where.
expect 0 "$orrery" explain --effects memcpy
says out '^memcpy: touches this memory' 'library\.effects:[0-9]+: memcpy memmove\(to, from, n\): reads from'
expect 0 "$orrery" explain -effects vec.effects --effects vec_copy
says out 'vec\.effects:5: vec_copy\(n, x, y\)'
expect 2 "$orrery" explain --effects sqrtt
says err "nothing is known of 'sqrtt'; did you mean 'sqrt[fl]?'\?"
