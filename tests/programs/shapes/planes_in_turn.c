/* Arrays that no subscript of the loop cuts into rows: planes in turn, a pivot's row, a row of the step before,
 * columns, parts of rows, conditions, a member of structures, what is left behind the loop, and columns that only
 * the run knows.
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel reduction
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 37, STEPS = 9 };

struct cell {
    double value;
    int age;
};

static double plane[2][N][N], apart[N][N], pivot[N][N], step[STEPS][N], way[N][N], flow[N][N];
static struct cell cells[3][N];

static void fill(void) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            plane[0][i][j] = plane[1][i][j] = (i * j) % 17;
            apart[i][j] = (i * 37 + j * 11) % 101 + 1;
            pivot[i][j] = apart[i][j] / 7 + (i == j) * 100;
            way[i][j] = 1.0 / (1 + (i * j) % 7);
            flow[i][j] = i - j;
        }
        step[0][i] = 1.0 / N;
        cells[0][i].value = i % 5;
    }
}

static void stencil(int cur) {
#pragma orrery parallel
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            plane[1 - cur][i][j] =
                (plane[cur][i - 1][j] + plane[cur][i][j - 1] + plane[cur][i][j + 1] + plane[cur][i + 1][j]) / 4;
}

static void shortest(int k) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        if (i == k)
            continue;
        for (int j = 0; j < N; j++)
            if (apart[i][k] + apart[k][j] < apart[i][j])
                apart[i][j] = apart[i][k] + apart[k][j];
    }
}

static void eliminate(int k) {
#pragma orrery parallel
    for (int i = k + 1; i < N; i++) {
        double f = pivot[i][k] / pivot[k][k];
        for (int j = k; j < N; j++)
            pivot[i][j] -= f * pivot[k][j];
    }
}

static void forward(int t) {
#pragma orrery parallel
    for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += step[t - 1][i] * way[i][j];
        step[t][j] = sum * .5;
    }
}

/* The last row's values are left in `sum`. */
static double total(int t, long *count) {
    double sum = 0;
    long odd = 0;
#pragma orrery parallel
    for (int j = 0; j < N; j++) {
        sum = step[t - 1][j];
        for (int i = t; i > 0; i--)
            sum += step[i - 1][(j + i) % N];
        step[t][j] += sum * .125;
        odd += j % (t + 1) == 1;
    }
    *count += odd;
    return sum;
}

/* Columns of a transposed reading. */
static void turn(int half) {
#pragma orrery parallel
    for (int j = 0; j < half; j++)
        for (int i = 0; i < N; i++)
            flow[i][j] += flow[i][j + half] * .5;
}

static void age(int from, int to) {
#pragma orrery parallel
    for (int i = 1; i < N; i++) {
        cells[to][i].value = cells[from][i - 1].value * .75 + i;
        if (cells[to][i].value > 20)
            cells[to][i].age++;
    }
}

/* Parts of one allocation. */
static void halves(double *all, int at, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        all[at + i] = all[i] + all[at - 1 - i];
}

/* Every other element of a row. */
static void checkers(double (*u)[N], int colour) {
#pragma orrery parallel
    for (int i = 1; i < N - 1; i++)
        for (int j = 1 + (i + colour) % 2; j < N - 1; j += 2)
            u[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4;
}

static void pick(int t, const int *at) {
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        plane[t][i][at[i]] += plane[1 - t][N - 1 - i][at[i]] + .25;
}

/* Passes that could be put off. */
static void again(double (*u)[N]) {
    for (int t = 0; t < 5; t++) {
#pragma orrery parallel
        for (int i = 1; i < N; i++)
            u[1][i] += u[0][i - 1] * .5 + t;
    }
}

int main(void) {
    long odd = 0;
    double left = 0, sum = 0, *all = calloc(4 * N, sizeof *all);
    fill();
    for (int i = 0; i < N; i++)
        all[i] = i % 3;
    for (int t = 0; t < 8; t++)
        stencil(t & 1);
    for (int k = 0; k < N; k++)
        shortest(k);
    for (int k = 0; k + 1 < N; k++)
        eliminate(k);
    for (int t = 1; t < STEPS; t++) {
        forward(t);
        left = left * .5 + total(t, &odd);
    }
    for (int half = N / 2; half > 2; half /= 2)
        turn(half);
    for (int t = 0; t < 12; t++) {
        age(t % 3, (t + 1) % 3);
        if (t == 5)
            cells[(t + 1) % 3][3].value = -7;
    }
    for (int t = 0, at[N]; t < 6; t++) {
        checkers(way, t % 2);
        for (int i = 0; i < N; i++)
            at[i] = (i * 5 + t) % N;
        pick(t % 2, at);
    }
    again(step);
    for (int n = 1; n <= 2 * N; n *= 2)
        halves(all, n, n);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            sum = sum * .995 + plane[0][i][j] + plane[1][i][j] + way[i][j] + apart[i][j] + pivot[i][j] + flow[i][j];
        sum = sum * .995 + step[STEPS - 1][i] + cells[0][i].value + cells[2][i].age;
    }
    for (int i = 0; i < 4 * N; i++)
        sum = sum * .995 + all[i];
    printf("%a %a %ld\n", sum, left, odd);
    free(all);
    return 0;
}
