/* emit: 5 */
/* The best, and what belongs to it, kept in the fields of a structure that are set one by one. */
#include <math.h>
#include <stdio.h>

enum { N = 5000, M = 7 };

struct best {
    double value;
    int at, of;
    float untouched[3];
};

static double x[N];
static float rows[N][M];
static int kind[N];

static struct best greatest(void) {
    struct best b = {-1, -1, 5, {1, 2, 3}};
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        if (x[i] > b.value) {
            b.value = x[i];
            b.at = i;
        }
    return b;
}

static struct best last_of_equals(void) {
    struct best b = {1e9, -1, 0, {0}};
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        if (kind[i] == 3)
            continue;
        if (x[i] <= b.value) {
            b.at = i;
            b.of = kind[i];
            b.value = x[i];
        }
    }
    return b;
}

static struct best in_rows(void) {
    struct best b = {0};
    b.value = -1e9;
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            float worth = fabsf(rows[i][j]);
            if (worth > b.value)
                b.value = worth, b.at = i, b.of = j;
        }
    return b;
}

static struct best two_places(int *count) {
    struct best least = {0};
    int seen = 0;
    least.value = 1e9;
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        seen += kind[i] > 1;
        if (rows[i][0] < least.value) {
            least.value = rows[i][0];
            least.at = i;
        }
        if (rows[i][1] < least.value) {
            least.value = rows[i][1];
            least.at = i;
        }
    }
    *count = seen;
    return least;
}

static struct best none(void) {
    struct best b = {7, 8, 9, {0}};
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        if (x[i] > b.value + 0) {
            b.value = x[i] + 0;
            b.at = i;
        }
    return b;
}

static struct best at_most(void) {
    struct best b = {7000, 8, 9, {0}};
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        if (b.value < x[i]) {
            b.value = x[i];
            b.at = i;
        }
    return b;
}

static void show(const char *name, struct best b) {
    printf("%s %a %d %d %g\n", name, b.value, b.at, b.of, (double)b.untouched[2]);
}

int main(void) {
    int count;
    for (int i = 0; i < N; i++) {
        x[i] = (double)(i * 7919L % 997) / 7;
        kind[i] = i * 31 % 11;
        for (int j = 0; j < M; j++)
            rows[i][j] = (float)((i * 13L + j * 7) % 501) - 250;
    }
    show("greatest", greatest());
    show("last_of_equals", last_of_equals());
    show("in_rows", in_rows());
    show("two_places", two_places(&count));
    show("none", none());
    show("at_most", at_most());
    printf("%d\n", count);
    return 0;
}
