/* same: 22 */
/* Operands that nothing evaluates: a macro asked for the size of an array whose name is a pointer in
 * the body, and names that stand only there were unknown. */
#include <stdio.h>

#define N_OF(a) ((int)(sizeof(a) / sizeof((a)[0])))
#define LAST(a) a[N_OF(a) - 1]
#define SECOND(a, i) (((__typeof__(a)){1, i})[1] + (a)[0])
#define IS_ARRAY(a) (!__builtin_types_compatible_p(__typeof__(a), __typeof__(&(a)[0])))

struct s {
    int a, q[9];
};

static int o[200], h[8], w[200];

/* clang-format off */
#define LOOP(words) _Pragma("orrery parallel") for (int i = 0; i < n; ++i) { words; } say()
/* clang-format on */

static void say(void) {
    unsigned sum = 0;
    for (int i = 0; i < 200; ++i)
        sum = sum * 31 + (unsigned)(o[i] + h[i % 8] + 3 * w[i]);
    printf("%u\n", sum);
}

static void ask(int n, int k, struct s *p) {
    int y[9] = {1, 2, 3}, x[9][7] = {{0}}, sums[5] = {0};
    struct s s = {3, {4, 5}};
    LOOP(o[i] = N_OF(y) + y[i % 9]);
    LOOP(o[i] = LAST(y) + i);
    LOOP(o[i] = SECOND(y, i));
    LOOP(o[i] = IS_ARRAY(y) + y[1]);
    LOOP(h[i % N_OF(h)] += i);
    LOOP(w[i] = N_OF(w) + (int)sizeof(w));
    LOOP(o[i] = N_OF(p->q) + LAST(p->q));
    LOOP(o[i] = N_OF(x[k]));
    LOOP(o[i] = (int)sizeof x[k]);
    LOOP(o[i] = (int)_Alignof(x[k]));
    LOOP(o[i] = (__typeof__(x[k][0]))i);
    LOOP(o[i] = _Generic(x[k][0], int: i, float: x));
    LOOP(o[i] = __builtin_choose_expr(1, i, x[k]));
    LOOP(o[i] = (int)sizeof(struct { char a[sizeof x[k]]; }));
    LOOP(o[i] = (int)__builtin_offsetof(struct s, q[sizeof(x[k]) / 4]));
    LOOP(o[i] = ((int[9]){[sizeof x[k] / 4] = i})[7]);
    LOOP(enum {SIZE = sizeof x[k]}; o[i] = i + SIZE);
    LOOP(__typeof__(x[k][0]) z = 3 * i; o[i] = z);
    LOOP(_Static_assert(sizeof x[k] == 28, ""); o[i] = i);
    LOOP(w[o[i] & 63] += (int)sizeof y[i] + k);
    LOOP(sums[i % N_OF(sums)] += i);
    LOOP(s.q[i % N_OF(s.q)] += i);
    for (int i = 0; i < 5; ++i)
        printf("%d %d\n", sums[i], s.q[i]);
}

int main(void) {
    struct s p = {0, {0, 0, 0, 0, 0, 0, 0, 0, 9}};
    ask(150, 3, &p);
}
