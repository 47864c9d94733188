#!/bin/bash
# The alias rule of docs/analysis.md, clause by clause: which pairs need no guard, which need one.
. "$(dirname "$0")/common.sh"

# guarded yes|no TITLE [FLAG ...] < text: does the report of the text's loop list a guard?
guarded() {
    wanted=$1 title=$2
    shift 2
    cat > "$work/case.c"
    "$orrery" analyze -Werror=serial "$@" "$work/case.c" > "$work/out" 2>&1 ||
        { cat "$work/out"; fail "$title: not parallel"; }
    found=no
    grep -q 'checked by the run: .* do not overlap' "$work/out" && found=yes
    [ "$found" = "$wanted" ] || { cat "$work/out"; fail "$title: guarded: $found"; }
}
loop='
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        out[i] = in[i] * 2;'

guarded yes "two parameters" <<< "void f(float *out, const float *in, long n) { $loop }"
guarded no "one of them restrict" <<< "void f(float *restrict out, const float *in, long n) { $loop }"
guarded no "declared arrays" <<< "static float out[99], in[99]; void f(long n) { $loop }"
guarded no "two allocations" <<< "#include <stdlib.h>
void f(long n) { float *out = malloc(n * 4), *in = malloc(n * 4); $loop free(out); free(in); }"
guarded no "an allocation and a pointer that moves elsewhere" <<< "#include <stdlib.h>
void f(long n, float *other) { float *out = malloc(n * 4), *in = malloc(n * 4); if (n > 9) in = other; $loop }"
guarded yes "an allocation that moves" <<< "#include <stdlib.h>
void f(long n) { float *out = malloc(n * 4), *in = malloc(n * 4), *last = out; if (n > 9) in = last; $loop }"
guarded no "every call passes distinct arrays" <<< "#include <stdlib.h>
static void f(float *out, const float *in, long n) { $loop }
void g(long n) { static float a[99], b[99]; float *c = malloc(n * 4); f(a, b, n); f(c, b, n); f(b, a, n); }"
guarded yes "one call passes a parameter" <<< "
static void f(float *out, const float *in, long n) { $loop }
void g(long n, float *c) { static float a[99], b[99]; f(a, b, n); f(c, b, n); }"
guarded yes "other files may call it" <<< "
void f(float *out, const float *in, long n) { $loop }
void g(long n) { static float a[99], b[99]; f(a, b, n); }"
guarded yes "two halves of one block" <<< "
void f(float *out, long n, long m) { const float *in = out + m * 4; $loop }"
guarded yes "behind a pointer of a structure" <<< "static float out[99]; float *shown = out; struct s { float *p; };
void f(long n, struct s s) { float *in = &s.p[1]; $loop }"
guarded yes "behind a table of pointers" <<< "static float out[99];
void f(long n) { float *t[2] = {out, out}; float *in = &t[1][1]; $loop }"
guarded no "inside of a structure" <<< "static float out[99];
void f(long n) { struct { float v[99]; } s = {{1}}; float *in = &s.v[1]; $loop }"
guarded yes "made of an integer" <<< "static float out[99];
void f(long n) { unsigned long at = (unsigned long)out; float *in = (float *)at; $loop }"
guarded yes "a static pointer that was set since" <<< "static float *out;
void f(float *next, long n) { float *in = out; out = next; $loop }"
guarded yes "a pointer that other files may set" <<< "extern float *out; void g(void);
void f(long n) { float *in = out; g(); $loop }"
guarded yes "the function has another name" <<< "
static void f(float *out, const float *in, long n) { $loop }
void h(float *out, const float *in, long n) __attribute__((alias(\"f\")));
void g(long n) { static float a[99], b[99]; f(a, b, n); }"

# Memory that was not declared may take another type: out[i] = in[i] in one place.
types='void f(float *out, const int *in, long n) {'
guarded yes "other types" -O2 <<< "$types $loop }"
types='float out[99]; void f(const int *in, long n) {'
guarded yes "other types, no flags" <<< "$types $loop }"
guarded no "other types, -O2" -O2 <<< "$types $loop }"
guarded no "other types, -O3" -O3 <<< "$types $loop }"
guarded yes "other types, -O1" -O1 <<< "$types $loop }"
guarded yes "other types, -O2 -fno-strict-aliasing" -O2 -fno-strict-aliasing <<< "$types $loop }"
guarded no "other types, -fstrict-aliasing" -fstrict-aliasing <<< "$types $loop }"
guarded yes "an array and a pointer to its type" -O2 <<< "float out[99]; void f(const float *in, long n) { $loop }"
guarded yes "an array, signed and unsigned" -O2 <<< "unsigned out[99]; void f(const int *in, long n) { $loop }"
guarded yes "an array and characters" -O2 <<< "float out[99]; void f(const char *in, long n) { $loop }"
guarded yes "signed and unsigned are one type" -O2 <<< "
void f(unsigned *out, const int *in, long n) { $loop }"
guarded yes "characters are of any type" -O2 <<< "
void f(unsigned char *out, const float *in, long n) { $loop }"
guarded yes "a member's type" -O2 <<< "struct s { float x; };
void f(float *out, const struct s *in, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) out[i] = in[i].x * 2; }"
guarded yes "a structure that is all of another" -O2 <<< "struct s { float x; }; struct t { struct s s; };
void f(struct t *out, const struct s *in, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) out[i].s.x = in[i].x * 2; }"
guarded yes "a type that may name any memory" -O2 <<< "typedef int any __attribute__((may_alias));
void f(float *out, const any *in, long n) { $loop }"
guarded yes "used as another type" -O2 <<< "void f(float *out, const int *in, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) ((int *)out)[i] = in[i] * 2; }"
guarded yes "bytes are copied into it" -O2 <<< "#include <string.h>
void f(float *out, const int *in, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) { int x = in[i] + 1; memcpy(out + i, &x, sizeof x); } }"
