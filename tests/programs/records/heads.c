/* Heads of rows as people write them; the last ten rows stay rows. */
#include <stdio.h>

enum { ROWS = 300, COLUMNS = 50 };

static int ptr[ROWS + 1], col[ROWS * 9], len[ROWS];
static unsigned X[ROWS], Y[COLUMNS], norm[ROWS];

static struct node {
    int key, seen;
    struct node *next;
} nodes[ROWS * 3], *list[ROWS];

static void ended(int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; ++u)
        for (int p = ptr[u], end = ptr[u + 1]; p < end; ++p) {
            X[u] = X[u] * 3 + Y[col[p]] + (unsigned)end;
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
}

static void declared(int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; ++u) {
        int p, k;
        unsigned sum, x;
        sum = 0;
        for (p = ptr[u]; p < ptr[u + 1]; ++p) {
            x = X[u] * 3 + sum;
            for (k = 0; k < 3; ++k)
                x += (unsigned)k * Y[col[p]];
            X[u] = x;
            Y[col[p]] = Y[col[p]] * 5 + x;
            sum += x % 7;
        }
        for (k = 0; k < 2; ++k)
            norm[u] += sum;
    }
}

static void skipped(int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; ++u) {
        if (u == 3)
            continue;
        int n = len[u], w = 60 / (u - 3);
        if (n < 3)
            continue;
        norm[u] += 12 / (unsigned)(n / 3);
        for (int p = ptr[u]; p < ptr[u] + n; ++p) {
            X[u] = X[u] * 3 + Y[col[p]] + (unsigned)w;
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
        norm[u] ^= 7 / (unsigned)(n / 3);
    }
}

static void skipped_by_front(int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; ++u) {
        norm[u]++;
        if (norm[u] % 4 == 1)
            continue;
        for (int p = ptr[u]; p < ptr[u + 1]; ++p) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
    }
}

static void set_in_front(int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; ++u) {
        int n;
        n = len[u];
        if (n == 2)
            continue;
        norm[u]++;
        for (int p = ptr[u]; p < ptr[u + 1]; ++p) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
    }
}

static void left(int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; ++u) {
        int p;
        for (p = ptr[u]; p < ptr[u + 1]; ++p) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
        norm[u] += (unsigned)p;
    }
}

static void ended_by_front(int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; ++u) {
        int n;
        n = len[u] / 2;
        for (int p = ptr[u], end = ptr[u] + n; p < end; ++p) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
    }
}

static void by_own_steps(int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; ++u) {
        int p = ptr[u], n;
        while (p < ptr[u + 1]) {
            n = 1 + len[u] % 3;
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
            p += n;
        }
    }
}

static void by_saved_steps(int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; ++u) {
        int p = ptr[u];
        while (p < ptr[u + 1]) {
            int n = p + 1 + len[u] % 3;
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
            p = n;
        }
    }
}

static void marked_by_number(int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; ++u)
        for (const struct node *e = list[u]; e; e = e->next) {
            X[u] = X[u] * 3 + Y[e->key];
            Y[e->key] = Y[e->key] * 5 + X[u];
            nodes[u].seen++;
        }
}

static void begun_at_other_end(int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; ++u) {
        const int *end = col + ptr[u];
        for (const int *c = end, *end = col + ptr[u + 1]; c < end; ++c) {
            X[u] = X[u] * 3 + Y[*c];
            Y[*c] = Y[*c] * 5 + X[u];
        }
    }
}

static unsigned ended_outside(int rows) {
    int p, end = 0;
#pragma orrery parallel
    for (int u = 0; u < rows; ++u)
        for (p = ptr[u], end = ptr[u + 1]; p < end; ++p) {
            X[u] = X[u] * 3 + Y[col[p]] + (unsigned)end;
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
    return (unsigned)end;
}

static unsigned counted_in_header(int rows) {
    int u;
    unsigned times = 0;
#pragma orrery parallel
    for (u = 0, ++times; u < rows; ++u) {
        norm[u] += times;
        for (int p = ptr[u]; p < ptr[u + 1]; ++p) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
        norm[u] *= times;
    }
    return times;
}

int main(void) {
    for (int i = 0; i < ROWS * 9; ++i)
        col[i] = (i * 7 + i / 10) % COLUMNS;
    for (int i = 0; i < ROWS; ++i)
        ptr[i + 1] = ptr[i] + (i + 1) * 5 % 9, len[i] = ptr[i + 1] - ptr[i], X[i] = (unsigned)i;
    for (int i = 0; i < ROWS * 3; ++i) {
        nodes[i] = (struct node){i % COLUMNS, 0, list[i % ROWS]};
        list[i % ROWS] = nodes + i;
    }
    unsigned digest = 0;
    for (int pass = 0; pass < 3; ++pass) {
        int rows = ROWS - 10 * pass;
        ended(rows), declared(rows), skipped(rows), skipped_by_front(rows), set_in_front(rows),
            left(rows), begun_at_other_end(rows), ended_by_front(rows), by_own_steps(rows),
            by_saved_steps(rows), marked_by_number(rows);
        digest += ended_outside(rows) * 3 + counted_in_header(rows);
    }
    for (int i = 0; i < ROWS; ++i)
        digest = digest * 31 + X[i] + norm[i] * 7 + (unsigned)nodes[i].seen + Y[i % COLUMNS];
    printf("%u\n", digest);
    return 0;
}
