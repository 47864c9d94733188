#!/bin/bash
# `orrery verify` passes on a right program, and fails on a broken one.
. "$(dirname "$0")/lib.sh"

mf_program mf.c
"$cc" -O2 mf.c -o mf -lm
expect 0 "$orrery" verify --threads 1,2,3,4,8 --ranks 1,2,3 --runs 2 ./mf 3000
says out '4 parallel regions' 'threads 1,2,3,4,8, 2 runs each: same bits' \
    'ranks 1,2,3, 2 runs each: same bits' 'unmodified serial loop' '^verified: 19 runs'

# Bits that need not be those of the serial text: said, not passed over.
"$cc" -O3 -ffast-math mf.c -o fast -lm
expect 1 "$orrery" verify --threads 1,2 --ranks 0 --runs 1 ./fast 3000
says err 'replay .*refused' '-ffast-math' '--no-replay'
expect 0 "$orrery" verify --no-replay --threads 1,2 --ranks 0 --runs 1 ./fast 3000
says out 'not replayed'

# Loops whose variable steps over elements, up and down: what lies between is nobody's.
cat >steps.c <<'EOF'
static int a[100];
static double b[300];
static void up(void) {
#pragma orrery parallel
    for (int i = 2; i <= 95; i += 3)
        a[i] = i;
}
static void down(int n) {
#pragma orrery parallel
    for (int i = n; i > 4; i -= 7)
        b[i] = b[i] + a[i % 100];
}
int main(void) {
    up();
    down(299);
    return a[5] != 5 || a[6] != 0 || b[299 - 7 * 6] != a[(299 - 7 * 6) % 100];
}
EOF
"$cc" -O2 steps.c -o steps
expect 0 "$orrery" verify --threads 1,3 --ranks 1,2,3 --runs 1 ./steps
says out '2 parallel regions' '^verified'

# An assumption that is false: both pointers are one table.
cat >alias.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
static void f(double *a, double *b, const int *u, const int *v, long n) {
#pragma orrery parallel unordered assume(noalias(a, b))
    for (long i = 0; i < n; i++) {
        a[u[i]] = a[u[i]] * 0.5 + b[v[i]] + (double)i;
        b[v[i]] = b[v[i]] * 0.25 + a[u[i]];
    }
}
int main(void) {
    long n = 20000;
    double *a = calloc(64, sizeof *a);
    int *u = malloc((size_t)n * sizeof *u), *v = malloc((size_t)n * sizeof *v);
    for (long i = 0; i < n; i++) {
        u[i] = (int)(i * 7919 % 64);
        v[i] = (int)(i * 104729 % 61);
    }
    f(a, a, u, v, n);
    printf("%g\n", a[3]);
    return 0;
}
EOF
"$cc" -O2 alias.c -o alias
expect 1 "$orrery" verify --threads 1,2,4 --ranks 0 --runs 1 ./alias
says err 'overlap|noalias|different'

# A program that fails is no verified program.
expect 1 "$orrery" verify --threads 1 --ranks 0 --runs 1 ./mf 1000 7
says err 'status 7'
# One whose parallel loop never runs proves nothing.
cat >never.c <<'EOF'
#include <stdio.h>
int main(int argc, char **argv) {
    static double a[1000];
    if (argc > 1) {
#pragma orrery parallel
        for (int i = 0; i < 1000; i++)
            a[i] = i;
    }
    printf("%g %s\n", a[3], argv[0]);
    return 0;
}
EOF
"$cc" -O2 never.c -o never
expect 1 "$orrery" verify --threads 1,2 --ranks 0 --runs 1 ./never
says err 'no parallel loop ran|nothing that could be compared'

# A record that lost its end.
cat >shortened.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
static double a[1000];
__attribute__((destructor(101))) static void shorten(void) {
    const char *record = getenv("ORRERY_VERIFY");
    struct stat status;
    if (record && stat(record, &status) == 0 && truncate(record, status.st_size - 5) != 0)
        perror(record);
}
int main(void) {
#pragma orrery parallel
    for (int i = 0; i < 1000; i++)
        a[i] = i;
    return 0;
}
EOF
"$cc" -O2 shortened.c -o shortened
expect 1 "$orrery" verify --threads 1,2 --ranks 0 --runs 1 ./shortened
says err "a run's record is cut short"

# Of two loops that nobody marked one cannot be divided among ranks: the other is held against its like all the same, and so
# is the first among threads. Records go by loop and execution, not by their place in the run.
cat >alone.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
struct pair { double x, y; };
enum { N = 20000 };
static struct pair p[N], q[N];
static double a[N], b[N];
static void swap(void) {
    for (int i = 0; i < N; ++i) {
        struct pair one = p[i];
        p[i] = q[N - 1 - i];
        q[N - 1 - i] = one;
    }
}
static void copy(double *to, const double *from, double planted) {
    for (int i = 0; i < N; ++i)
        to[i] = from[i] * 1.5 + planted;
}
int main(int argc, char **argv) {
    int ranks = atoi(getenv("OMPI_COMM_WORLD_SIZE") ? getenv("OMPI_COMM_WORLD_SIZE") : "1");
    int threads = atoi(getenv("ORRERY_THREADS") ? getenv("ORRERY_THREADS") : "1");
    (void)argv;
    for (int i = 0; i < N; ++i)
        p[i].x = a[i] = i;
    for (int t = 0; t < 2; ++t) {
        swap();
        copy(b, a, argc == 2 && t == 1 && (ranks == 2 || threads == 2));
        copy(a, b, argc == 3 && t == 1 && (ranks == 2 || threads == 2));
    }
    printf("%g %g\n", p[7].x, a[3]);
    return 0;
}
EOF
"$cc" -auto -O2 alone.c -o alone
export ORRERY_AUTO_US=0
expect 0 "$orrery" verify --threads 1,2 --ranks 2 --runs 1 ./alone
says out 'NOT compared: 2 executions of loops that nobody marked' '^verified: '
# A difference in one execution of the second loop is found there, whatever ran before it.
for ranks in 0 2; do
    threads=1$([ $ranks -gt 0 ] || echo ,2)
    expect 1 "$orrery" verify --threads "$threads" --ranks $ranks --runs 1 ./alone planted
    says err 'different: 2 (threads|ranks) \(run 1\): loop alone\.c:15, pass 3 \(region [0-9]+\), array to, element of key 0$'
    expect 1 "$orrery" verify --threads "$threads" --ranks $ranks --runs 1 ./alone planted later
    says err 'different: 2 (threads|ranks) \(run 1\): loop alone\.c:15, pass 4 \(region [0-9]+\), array to, element of key 0$'
done
unset ORRERY_AUTO_US

# What lies between the members of structures is nobody's: on the stack it differs from run to run.
cat >gaps.c <<'END'
#include <stdio.h>
struct small { double a; int b; char c; };
struct large { char c; struct small in[3]; short s; long double l; unsigned low : 3; unsigned : 9; unsigned high : 7; char t; };
static void litter(void) {
    volatile unsigned char on[40000];
    for (int i = 0; i < 40000; ++i)
        on[i] = (unsigned char)(i * 37 + (long)&on);
}
static double run(int n) {
    struct small t[100];
    struct large u[100];
    #pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        t[i].a = i;
        t[i].b = i * 3;
        t[i].c = (char)i;
    }
    #pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        struct large *f = &u[i];
        for (int k = 0; k < 3; ++k)
            f->in[k].a = i, f->in[k].b = k, f->in[k].c = (char)k;
        f->c = f->t = (char)i;
        f->s = (short)i;
        f->l = i / 3.0L;
        f->low = i % 5u;
        f->high = i % 100u;
    }
    double s = 0;
    for (int i = 0; i < n; ++i)
        s += t[i].a + t[i].b + t[i].c + (double)u[i].l + u[i].in[1].b + u[i].low + u[i].high;
    return s;
}
int main(void) {
    double s = 0;
    for (int k = 0; k < 3; ++k) {
        litter();
        s += run(100);
    }
    printf("%g\n", s);
}
END
"$cc" -O2 gaps.c -o gaps
expect 0 "$orrery" verify --threads 1,2 --ranks 2 --runs 2 ./gaps
