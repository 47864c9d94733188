/* emit: 4 */
/* wavefronts over distances that only the data tells: knapsack in the ways in which it is written */
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 90, ROOM = 400 };

static void table(int n, int room, const int *weight, const int *worth, int (*best)[ROOM + 1]) {
#pragma orrery parallel
    for (int i = 1; i <= n; ++i)
        for (int w = 0; w <= room; ++w) {
            int most = best[i - 1][w];
            if (weight[i - 1] <= w) {
                int with = best[i - 1][w - weight[i - 1]] + worth[i - 1];
                if (with > most)
                    most = with;
            }
            best[i][w] = most;
        }
}

struct item {
    int worth;
    short weight;
};

static long variable(int n, int room, const struct item *item) {
    long best[n + 1][room + 1];
    for (int w = 0; w <= room; ++w)
        best[0][w] = 0;
#pragma orrery parallel
    for (int i = 1; i <= n; ++i)
        for (int w = 0; w <= room; ++w) {
            best[i][w] = best[i - 1][w];
            if (w >= item[i - 1].weight &&
                best[i - 1][w - item[i - 1].weight] + item[i - 1].worth > best[i][w])
                best[i][w] = best[i - 1][w - item[i - 1].weight] + item[i - 1].worth;
        }
    return best[n][room];
}

/* as often as one likes: what the row itself holds is needed, too */
static void again(int n, int room, const int *weight, const int *worth, int (*best)[ROOM + 1]) {
#pragma orrery parallel
    for (int i = 1; i <= n; ++i)
        for (int w = 0; w <= room; ++w) {
            best[i][w] = best[i - 1][w];
            if (weight[i] <= w && best[i][w - weight[i]] + worth[i] > best[i][w])
                best[i][w] = best[i][w - weight[i]] + worth[i];
        }
}

/* two distances, in sums of floating-point numbers */
static void delays(int n, int room, const long *one, const int *other, double (*x)[ROOM + 1]) {
#pragma orrery parallel
    for (int i = 1; i < n; ++i) {
        int second = 2 * other[i];
        for (int w = 1; w <= room; ++w)
            if (w > one[i] && w >= second)
                x[i][w] = x[i - 1][w - one[i]] * .5 + x[i][w - 1] * .25 + x[i - 1][w - second];
    }
}

int main(int argc, char **argv) {
    static int weight[ITEMS + 1], worth[ITEMS + 1], best[ITEMS + 1][ROOM + 1];
    static long one[ITEMS + 1];
    static double x[ITEMS + 1][ROOM + 1];
    static struct item item[ITEMS];
    for (int i = 0; i <= ITEMS; ++i) {
        weight[i] = i * 7 % 23 + 1;
        worth[i] = i * 5 % 17 + 3;
        one[i] = i * 3 % 11;
        item[i % ITEMS] = (struct item){worth[i], (short)weight[i]};
        for (int w = 0; w <= ROOM; ++w)
            x[i][w] = (i * 31 + w * 17) % 101 * .125;
    }
    if (argc > 1)
        weight[atoi(argv[1])] = -3;
    table(ITEMS, ROOM, weight, worth, best);
    long sum = best[ITEMS][ROOM] + variable(ITEMS, ROOM, item);
    again(ITEMS, ROOM, weight, worth, best);
    for (int i = 0; i <= ITEMS; ++i)
        for (int w = 0; w <= ROOM; ++w)
            sum = sum * 31 % 1000003 + best[i][w];
    delays(ITEMS, ROOM, one, weight, x);
    double total = 0;
    for (int i = 0; i <= ITEMS; ++i)
        for (int w = 0; w <= ROOM; ++w)
            total = total * .99 + x[i][w];
    printf("%ld %.17g\n", sum, total);
    return 0;
}
