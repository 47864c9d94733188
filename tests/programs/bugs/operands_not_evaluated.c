/* same: 26 */
/* What stands in operands that C does not evaluate was taken to be read, set and called: `RUN`
 * carries a value beside it, `OWN` sets it in each iteration. */
#include <stddef.h>
#include <stdio.h>
enum { N = 5000 };
static unsigned a[N], calls;
static int *nowhere;
struct s {
    int h, a[8];
};
static int count(void) {
    calls++;
    return 1;
}
static void show(const char *what, unsigned t) {
    unsigned long sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 31 + a[i];
    printf("%s %lu %u %u\n", what, sum, t, calls);
}
#define RUN(what, ...)                                                                             \
    do {                                                                                           \
        unsigned t = 1;                                                                            \
        (void)t;                                                                                   \
        _Pragma("orrery parallel") for (int i = 0; i < N; i++) {                                   \
            __VA_ARGS__;                                                                           \
            a[i] = t + i;                                                                          \
            t = t * 3 + 1;                                                                         \
        }                                                                                          \
        show(what, t);                                                                             \
    } while (0)
#define OWN(what, ...)                                                                             \
    do {                                                                                           \
        unsigned t = 1;                                                                            \
        (void)t;                                                                                   \
        _Pragma("orrery parallel") for (int i = 0; i < N; i++) {                                   \
            t = i * 2;                                                                             \
            __VA_ARGS__;                                                                           \
            a[i] = t + i;                                                                          \
        }                                                                                          \
        show(what, t);                                                                             \
    } while (0)
int main(void) {
    RUN("constant_p =", (void)__builtin_constant_p(t = i));
    RUN("constant_p ++", (void)__builtin_constant_p(t++));
    RUN("constant_p call", (void)__builtin_constant_p(count()));
    RUN("constant_p *", (void)__builtin_constant_p(*nowhere));
    RUN("object_size", (void)__builtin_object_size((t = i, (char *)a), 0));
    RUN("object_size call", (void)__builtin_object_size((count(), (char *)a), 0));
    RUN("sizeof =", (void)sizeof(t = i));
    RUN("sizeof ++", (void)sizeof t++);
    RUN("sizeof call", (void)sizeof count());
    RUN("sizeof *", (void)sizeof *nowhere);
    RUN("alignof", (void)_Alignof(int[++t]));
    RUN("alignof expr", (void)__alignof__(t = i));
    RUN("generic control", (void)_Generic(t = i, unsigned: 1, default: 2.0));
    RUN("generic unselected", (void)_Generic(1, int: 1.0f, default: t = i));
    RUN("generic *", (void)_Generic(*nowhere, int: 1, default: 2.0));
    RUN("compatible", (void)__builtin_types_compatible_p(int, __typeof__(t = i)));
    RUN("choose", (void)__builtin_choose_expr(1, 5, t = i));
    RUN("choose call", (void)__builtin_choose_expr(0, count(), 3.0));
    RUN("typeof", __typeof__(t = i) x = 3; (void)x);
    RUN("typeof call", __typeof__(count()) x = 3; (void)x);
    RUN("typeof cast", (void)(__typeof__(t = i))3);
    RUN("offsetof", (void)offsetof(struct s, a[3]));
    RUN("pointer to vla sizeof", (void)sizeof(int(*)[++t]));
    RUN("sizeof pointer to vla", int(*q)[i + 1] = 0; (void)sizeof(t = i, q));
    RUN("parameter of prototype", int (*x)(int k[++t]) = 0; (void)x);
    RUN("classify", (void)__builtin_classify_type(t = i));
    OWN("own constant_p =", (void)__builtin_constant_p(t = i));
    OWN("own constant_p ++", (void)__builtin_constant_p(t++));
    OWN("own constant_p call", (void)__builtin_constant_p(count()));
    OWN("own constant_p *", (void)__builtin_constant_p(*nowhere));
    OWN("own object_size", (void)__builtin_object_size((t = i, (char *)nowhere), 0));
    OWN("own object_size call", (void)__builtin_object_size((count(), (char *)nowhere), 0));
    OWN("own sizeof =", (void)sizeof(t = i));
    OWN("own sizeof ++", (void)sizeof t++);
    OWN("own sizeof call", (void)sizeof count());
    OWN("own sizeof *", (void)sizeof *nowhere);
    OWN("own alignof", (void)_Alignof(int[++t]));
    OWN("own alignof expr", (void)__alignof__(t = i));
    OWN("own generic control", (void)_Generic(t = i, unsigned: 1, default: 2.0));
    OWN("own generic unselected", (void)_Generic(1, int: 1.0f, default: t = i));
    OWN("own generic *", (void)_Generic(*nowhere, int: 1, default: 2.0));
    OWN("own compatible", (void)__builtin_types_compatible_p(int, __typeof__(t = i)));
    OWN("own choose", (void)__builtin_choose_expr(1, 5, t = i));
    OWN("own choose call", (void)__builtin_choose_expr(0, count(), 3.0));
    OWN("own typeof", __typeof__(t = i) x = 3; (void)x);
    OWN("own typeof call", __typeof__(count()) x = 3; (void)x);
    OWN("own typeof cast", (void)(__typeof__(t = i))3);
    OWN("own offsetof", (void)offsetof(struct s, a[3]));
    OWN("own pointer to vla sizeof", (void)sizeof(int(*)[++t]));
    OWN("own sizeof pointer to vla", int(*q)[i + 1] = 0; (void)sizeof(t = i, q));
    OWN("own parameter of prototype", int (*x)(int k[++t]) = 0; (void)x);
    OWN("own classify", (void)__builtin_classify_type(t = i));
}
