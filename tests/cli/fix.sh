#!/bin/bash
# `orrery fix`: of every kind of edit the text that it writes compiles, and has fewer obstacles; bad input is left as it was.
. "$(dirname "$0")/lib.sh"

# fixed NAME LEFT OPTION...: NAME.c is written, compiles, and LEFT loops stay serial.
fixed() {
    local name=$1 left=$2
    shift 2
    expect 0 "$orrery" fix --write "$@" "$name.c"
    says err "^$name\.c: $left marked loops? left serial, 0 errors$"
    gcc -std=c11 -fsyntax-only -Wall -Wno-unknown-pragmas -Wno-unused -Werror -I"$tree/include" "$name.c" ||
        fail "$name.c does not compile"
}

for file in "$here"/fixit/*.c; do
    name=$(basename "$file" .c) code=$(sed -n '1s|/\* \(ORR[0-9]*\) \*/|\1|p' "$file")
    cp "$file" .
    # That iterations behind the end of a loop do no harm, and that no value is meant to pass to the next, are
    # promises: they are made where they are asked for.
    promise=
    if [[ $name = leave_* || $name = scalar_* ]]; then
        expect 0 "$orrery" fix "$name.c"
        lacks '^[+]' out || fail "$name: a promise that nobody asked for"
        promise="--code $code"
    fi
    # shellcheck disable=SC2086
    expect 0 "$orrery" fix --write $promise "$name.c"
    says err "edited: .*\[$code\]"
    ! "$orrery" analyze "$name.c" 2>&1 | grep -q "\[$code\]" || fail "$name: $code is still there"
    expect 0 gcc -std=c11 -fsyntax-only -Wall -Wno-unknown-pragmas -Werror -I"$tree/include" "$name.c"
done

# Three obstacles at once, the one that no clause can lift in front; the edit that there is is made, two stay.
cat >three.c <<'EOT'
#include <stdio.h>
#include <stdlib.h>
double train(double *w, const int *u, const double *x, long n) {
    double last = 0;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        double g = w[u[i]] * x[i] + last;
        if (rand() % 10 == 0)
            printf("%g\n", g);
        last = g * 0.5;
        w[u[i]] += g;
    }
    return last;
}
EOT
cp three.c as_it_was.c
expect 0 "$orrery" analyze three.c
[ "$(grep -o 'ORR2...\]' out | tr -d '\n')" = 'ORR2211]ORR2210]ORR2201]' ] || fail "the order of the obstacles"
says out '^three\.c:9:13: warning: ' 'note: also in the way: `last` carries'
expect 0 "$orrery" fix three.c
says out '^-        if \(rand\(\)' '^\+        if \(\(int\)\(orrery_random' '^@@ -1,3 \+1,4 @@'
cmp -s three.c as_it_was.c || fail "written without --write"
cp out patch
mkdir no_diff
expect 1 env PATH="$PWD/no_diff" "$orrery" fix three.c
says err 'install diffutils' 'edited: .*ORR2210'
cmp -s three.c as_it_was.c || fail "written without --write"
fixed three 1 --code ORR2210
patch -s as_it_was.c patch && cmp -s as_it_was.c three.c || fail "the difference is not what was written"

# What is summed and printed where the data say so keeps the loop serial, once; behind it the rows go by levels, and no clause is asked for.
cat >progress.c <<'EOT'
#include <stdio.h>
static double z[1000], w[1000];
void train(const int *start, const int *index, const double *y, long n) {
    double loss = 0;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        double p = 0;
        for (int k = start[i]; k < start[i + 1]; ++k) {
            w[index[k]] = z[index[k]] < 0 ? -1 : z[index[k]];
            p += w[index[k]];
        }
        loss += (p - y[i]) * (p - y[i]);
        if (i % 1000 == 0 && y[i] > 0)
            printf("%g\n", loss);
        for (int k = start[i]; k < start[i + 1]; ++k)
            z[index[k]] -= .1 * (p - y[i]);
    }
}
EOT
expect 0 "$orrery" analyze progress.c
[ "$(grep -o 'ORR2...\]' out | tr -d '\n')" = 'ORR2211]ORR2201]' ] || fail "obstacles that are none"
sed '/1000 == 0/,+1d' progress.c >quiet.c
expect 0 "$orrery" analyze -Werror=serial quiet.c

# What is printed in front of a jump out of the loop goes with it: one edit lifts both, and it is the one that is said.
cat >diverges.c <<'EOT'
#include <stdio.h>
int train(double *w, const int *u, const double *x, long n, int verbose) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        double g = w[u[i]] * x[i];
        if (g != g) {
            if (verbose)
                fprintf(stderr, "row %ld: ", i);
            fprintf(stderr, "diverged\n");
            return 1;
        }
        w[u[i]] += g;
    }
    return 0;
}
EOT
expect 0 "$orrery" analyze diverges.c
[ "$(grep -o 'ORR2...\]' out | tr -d '\n')" = 'ORR2221]' ] || fail "an obstacle that goes with another"
fixed diverges 0 --code ORR2221
expect 0 "$orrery" analyze -Werror=serial diverges.c

# A clause that frees the loop from the serial values is not added where it stays serial for another reason.
cat >vain.c <<'EOT'
#include <time.h>
static int any(void) { return (int)clock(); }
void train(double *w, const int *u, const int *v, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        int drawn;
        do
            drawn = any() % 10;
        while (drawn == u[i]);
        for (long k = 0; k < 8; ++k) {
            double x = w[v[i * 8 + k]] - w[drawn];
            w[v[i * 8 + k]] += x;
            w[drawn] -= x;
        }
    }
}
EOT
expect 0 "$orrery" fix vain.c
[ ! -s out ] || fail "a clause for a loop that stays serial"
says err 'not edited: .*\[ORR21..\]$' 'the loop would stay serial all the same'

# A loop that is left: with all iterations run the first one that leaves says what it said, at any number of threads.
for name in leave_return leave_goto leave_break; do
    (echo '#include <stdio.h>'
        sed 's|return -rc;|{ fprintf(stderr, "row %d: column %d is negative\\n", i, rc); & }|' "$here/fixit/$name.c"
        cat) >"$name.c" <<'EOT'
int main(int argc, char **argv) {
    int x[900];
    double rows[900];
    for (int i = 0; i < 900; ++i) {
        x[i] = i % 450;
        rows[i] = argc > 1 && (i == 602 || i == 751) ? -1 : i;
    }
#ifdef FIND
    return (int)find(900, x, argc > 1 ? 290 : 600) % 200;
#else
    return (all(300, 3, rows) % 200 + 200) % 200 + (argc > 1 ? 0 : (int)rows[0]);
#endif
}
EOT
    what=$([ $name = leave_break ] && echo FIND || echo ALL)
    gcc -D"$what" -w "$name.c" -o serial
    expect 0 "$orrery" fix --write --code "$(sed -n 's|^/\* \(ORR[0-9]*\) \*/|\1|p' "$name.c")" "$name.c"
    "$cc" -w -Werror=serial -D"$what" "$name.c" -o fixed || fail "$name"
    for leaves in "" yes; do
        want=0
        ./serial $leaves 2>serial.err || want=$?
        for threads in 1 3; do
            got=0
            ORRERY_THREADS=$threads ./fixed $leaves 2>fixed.err || got=$?
            [ "$got" = "$want" ] && cmp -s serial.err fixed.err || fail "$name $leaves: $got, not $want"
        done
    done
done

# A name that hides its const has a variable beside it that can be set.
sed 's/^static int halve/typedef const int fixed_int;\n&/; s/const int rc/fixed_int rc/' "$here/fixit/leave_return.c" >hidden.c
fixed hidden 0 --code ORR2221

# What a function sets, by its address or by name, is the last iteration's behind the loop: left alone.
for value in rc failed; do
    cat >set.c <<'EOT'
static int failed;
#define FAILED failed
static int set(const double *row, int *rc) {
    FAILED = *rc = *row < 0;
    return failed;
}
int all(int n, double *rows) {
    int rc = 0;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        const double *row = rows + i;
        set(row, &rc);
        if (row[0] < 0)
            return VALUE;
    }
    return 0;
}
EOT
    sed -i "s/VALUE/$value/" set.c
    cp set.c as_it_was.c
    fixed set 1 --code ORR2221
    cmp -s set.c as_it_was.c || fail "edited: $value"
done

# Calls through pointers: the functions of the type, whose address the file takes; a promise, so only where it is named.
cat >pointers.c <<'EOT'
#include <math.h>
#include <stdio.h>
typedef double (*activation)(double);
static double relu(double x) {
    return x > 0 ? x : 0;
}
static double twice(double x) {
    return 2 * x;
}
static float other(float x) {
    return x;
}
struct layer {
    double w;
    activation act;
};
static double run(const struct layer *l, double x) {
    return l->act(l->w * x);
}
static float (*unused)(float) = other;
int main(int argc, char **argv) {
    struct layer l[] = {{.5, relu}, {.25, twice}, {-1, sqrt}};
    double x[100], sum = 0;
    (void)argv;
    for (int i = 0; i < 100; ++i)
        x[i] = i - 50;
#pragma orrery parallel
    for (int i = 0; i < 100; ++i)
        x[i] = run(&l[(i + (argc > 1)) % 3], x[i]) + run(l, x[i]);
    for (int i = 0; i < 100; ++i)
        sum = sum * .5 + x[i];
    printf("%.9g %d\n", sum, unused != other);
}
EOT
expect 0 "$orrery" analyze pointers.c
says out 'fix: call the functions .* by their names: `(relu|twice|sqrt)`, `(relu|twice|sqrt)`, `(relu|twice|sqrt)`$'
gcc -w pointers.c -lm -o serial
expect 0 "$orrery" fix pointers.c
lacks '^[+]' out || fail "a promise that nobody asked for"
fixed pointers 0 --code ORR2214
"$cc" -w -Werror=serial pointers.c -lm -o parallel || fail "pointers.c"
for more in "" more; do
    [ "$(ORRERY_THREADS=3 ./parallel $more)" = "$(./serial $more)" ] || fail "pointers $more"
done

# A pointer that is computed with an effect cannot be compared first.
cat >effect.c <<'EOT'
static float more(float x) {
    return x + 1;
}
static float twice(float x) {
    return 2 * x;
}
static float (*const table[])(float) = {more, twice};
void all(int n, float *x, int k) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        x[i] = table[k++ & 1](x[i]);
}
EOT
expect 0 "$orrery" fix --code ORR2214 effect.c
lacks '^[+]' out || fail "the pointer's effect is doubled"

# What a plan would carry is not in the way of its text.
cp "$tree/tests/programs/emit_refused/pipeline_directive.c" directive.c
expect 0 "$orrery" analyze directive.c
says out 'ORR2474'
lacks 'also in the way' out || fail "the pipeline carries all of it"

# Rows behind pointers, read and trained as a whole: relax.
cat >regression.c <<'EOT'
#include <math.h>
double epoch(double **x, const double *y, double *w, int n, int d, double rate) {
    double loss = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        double z = 0;
        for (int j = 0; j < d; j++)
            z += w[j] * x[i][j];
        double p = 1 / (1 + exp(-z));
        for (int j = 0; j < d; j++)
            w[j] -= rate * (p - y[i]) * x[i][j];
        loss -= y[i] * log(p) + (1 - y[i]) * log(1 - p);
    }
    return loss;
}
EOT
expect 0 "$orrery" fix --format=json regression.c
says out '"edited":\[\{"code":"ORR2112".*"gives_up":"up-to-date values' '"left":\[\]' '"written":false'
fixed regression 0
grep -q 'parallel relax(w)$' regression.c || fail "no relax"

# A promise is made only when it is asked for.
cat >unknown.c <<'EOT'
double score(double x, int d);
double epoch(const double *x, int n, int d) {
    double loss = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        loss += score(x[i], d);
    return loss;
}
EOT
fixed unknown 1
says err 'not edited: `score`' 'why: it is a promise'
fixed unknown 0 --line 6
grep -q 'assume(pure(score))' unknown.c || fail "no promise"

# Lines that end with a return, and a last one that does not end.
printf '#include <stdlib.h>\r\nvoid f(int *a, long n) {\r\n#pragma orrery parallel\r\n    for (long i = 0; i < n; ++i)\r\n        a[i] = rand();\r\n}' >dos.c
fixed dos 0
[ "$(grep -c $'\r$' dos.c)" = 6 ] && [ "$(tail -c 1 dos.c)" = '}' ] || fail "other line ends"
says out '^\\ No newline at end of file$|orrery_random'

# What a macro or a header brings is left alone, with the reason.
cat >macro.c <<'EOT'
#include <stdlib.h>
#define FILL(a) for (long i = 0; i < n; ++i) (a)[i] = rand();
void f(int *a, long n) {
#pragma orrery parallel
    FILL(a)
}
EOT
cp macro.c as_it_was.c
expect 0 "$orrery" fix --write macro.c
says err 'why: the words come from a macro'
cmp -s macro.c as_it_was.c || fail "a macro was edited"
cat >fill.h <<'EOT'
#include <stdlib.h>
static inline int draw(void) { return rand(); }
static inline void fill(int *a, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        a[i] = rand();
}
EOT
printf '#include "fill.h"\nvoid g(int *a, long n) {\n    fill(a, n);\n#pragma orrery parallel\n    for (long i = 0; i < n; ++i)\n        a[i] = draw();\n}\n' >headed.c
cp fill.h as_it_was.h && cp headed.c as_it_was.c
expect 0 "$orrery" fix --write headed.c
says err 'why: the (loop|words) stands? in a header, which other files may share'
cmp fill.h as_it_was.h && cmp headed.c as_it_was.c || fail "a header was edited"

# Bad input.
expect 1 "$orrery" fix nowhere.c
says err "cannot read 'nowhere\.c': No such file.*ORR9002"
expect 2 "$orrery" fix --code ORR0 three.c
echo 'int f(void) { return }' >broken.c
expect 1 "$orrery" fix --write broken.c
says err '\[ORR9001\]' '1 error$'
cp "$here/fixit/rand.c" full.c
(trap '' XFSZ; ulimit -f 0; ! "$orrery" fix --write full.c >/dev/null 2>&1) || fail "a full disk is no error"
cmp -s full.c "$here/fixit/rand.c" || fail "half a file"
[ "$(ls full.c.* 2>/dev/null)" = '' ] || fail "a copy is left"
