/* same: 3 */
/* Lengths in types are evaluated by declarations, typedefs, casts, parameters and sizeof; their
 * effects were not seen. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
enum { N = 5000 };
static unsigned a[N], calls;
struct s {
    int h, a[8];
};
static int buffer[N + 9];
static int count(void) {
    calls++;
    return 1;
}
static void enter(int n, int x[n++]) {
    a[0] += n;
    (void)x;
}
static void enter_call(int n, int x[count()]) {
    (void)n;
    (void)x;
}
static void enter_rows(int n, int x[n][count()]) {
    (void)n;
    (void)x;
}
static void enter_pointer(int n, unsigned *t, int (*x)[++*t]) {
    (void)n;
    (void)x;
}
static void show(const char *what, unsigned t) {
    unsigned long sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 31 + a[i];
    printf("%s %lu %u %u\n", what, sum, t, calls);
}
static int *take(int k, ...) {
    va_list ap;
    va_start(ap, k);
    int t = k;
    int *p = (int *)va_arg(ap, int(*)[++t]);
    va_end(ap);
    return p + t - k - 1;
}
#define RUN(what, ...)                                                                             \
    do {                                                                                           \
        unsigned t = 1;                                                                            \
        _Pragma("orrery parallel") for (int i = 0; i < N; i++) {                                   \
            a[i] = t;                                                                              \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
        show(what, t);                                                                             \
    } while (0)
int main(void) {
    RUN("pointer", int(*q)[++t]; (void)q);
    RUN("pointer assigned", int(*q)[t = i + 1]; (void)q);
    RUN("cast", (void)(int(*)[++t])0);
    RUN("cast call", (void)(int(*)[count()])0);
    RUN("typedef", typedef int T[++t]);
    RUN("typedef call", typedef int T[count()]);
    RUN("typedef used", typedef int T[++t]; T * x; T * y; (void)x; (void)y);
    RUN("typeof", __typeof__(int[++t]) *q; (void)q);
    RUN("typeof array", typedef int T[t++ % 7 + 1]; T q; q[0] = i; (void)q);
    RUN("typeof cast", (void)(__typeof__(int[++t]) *)0);
    RUN("typeof expr", int(*q)[i + 1] = 0; __typeof__(t++, q) x; (void)x);
    RUN("sizeof", (void)sizeof(int[++t]));
    RUN("sizeof of", a[i] += sizeof(int[i % 5 + 1]));
    RUN("sizeof call", (void)sizeof(int[count()]));
    RUN("sizeof rows", (void)sizeof(int[2][++t]));
    RUN("sizeof *p++", int(*q)[i + 1] = (int(*)[i + 1]) buffer; (void)sizeof *(t++, q));
    RUN("sizeof row", int v[i % 9 + 1][3]; (void)sizeof v[t++]);
    RUN("sizeof typeof", int(*q)[i + 1] = 0; (void)sizeof(__typeof__(*(t++, q))));
    RUN("vla", int v[++t % 5 + 1]; v[0] = i; a[i] += v[0]);
    RUN("vla call", int v[count() + 2]; v[0] = i; a[i] += v[0]);
    RUN("vla of vla", int v[3][t++ % 5 + 1]; v[0][0] = i; a[i] += v[0][0]);
    RUN("several", int k = t++, (*q)[t], l = t++; (void)q; a[i] += k + l);
    RUN("several then", int(*q)[t = i + 2], l = t; (void)q; a[i] += l);
    RUN("static", static int z; static int(*q)[3]; (void)q; (void)z; t++);
    RUN("for", for (int(*q)[++t] = 0, j = 0; j < 3; j++)(void) q);
    RUN("literal", (void)(int(*[2])[++t]){0});
    RUN("literal read", a[i] += (int)sizeof((int(*[2])[t]){0}));
    RUN("offsetof", a[i] += (unsigned)__builtin_offsetof(struct s, a[t++ % 3]));
    RUN("offsetof constant", (void)__builtin_offsetof(struct s, a[(t++, 2)]));
    RUN("choose", (void)__builtin_choose_expr(0, 5, t++));
    RUN("choose comma", a[i] += __builtin_choose_expr(1, (t++, 4), 2));
    RUN("generic", (void)_Generic(1, int: t++, default: 2.0));
    RUN("expect", (void)__builtin_expect(t++, 1));
    RUN("assume", (void)__builtin_assume_aligned((t++, buffer), 4));
    RUN("parameter", enter((int)t, buffer));
    RUN("parameter call", enter_call(3, buffer));
    RUN("parameter rows", enter_rows(3, 0));
    RUN("parameter pointer", enter_pointer(3, &t, 0));
    RUN("va_arg", a[i] += take(3, (void *)buffer) == buffer);
    RUN("statement expression", int(*q)[({
            t++;
            3;
        })];
        (void)q);
    RUN("conditional", (void)(i & 1 ? (int(*)[++t])0 : (int(*)[7])0));
    RUN("auto", __auto_type q = (int(*)[++t])0; (void)q);
    RUN("pointer to function", int(*(*q)(void))[++t]; (void)q);
    RUN("lengths and row", int v[t % 3 + 1][t % 5 + 1]; v[0][0] = 1;
        t = i + (unsigned)sizeof v / 4);
    RUN("length then set", int(*q)[t + 1]; (void)q; t = i);
    RUN("cast then set", int *q = (int *)(int(*)[t + 1]) buffer; (void)q; t = i);
}
