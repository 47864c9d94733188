/* Loops over rows as people write them, all of them records. With an argument one row has no end. */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 300, COLUMNS = 50 };

struct entry {
    int key;
    unsigned value;
};
struct row {
    int count;
    struct entry *first;
};

struct node {
    int key;
    unsigned value;
    struct node *next;
};

static int ptr[ROWS + 1], col[ROWS * 9], head[ROWS], next[ROWS * 9];
static unsigned ends[ROWS + 1];
static unsigned X[ROWS], Y[COLUMNS], norm[ROWS];
static struct entry all[ROWS * 9];
static struct row rows[ROWS];
static struct node *list[ROWS];

static void while_below(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u) {
        int p = ptr[u], end = ptr[u + 1];
        norm[u] += (unsigned)(end - p);
        while (p < end) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
            p++;
        }
        norm[u] ^= X[u];
    }
}

static void while_taken(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u) {
        int p = ptr[u];
        while (p < ptr[u + 1]) {
            int j = col[p++];
            X[u] = X[u] * 3 + Y[j];
            Y[j] = Y[j] * 5 + X[u];
        }
    }
}

static void declared_in_front(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u) {
        int p = ptr[u];
        for (; p < ptr[u + 1]; ++p) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
    }
}

static long with_last(long n) {
    long u, p = -1;
#pragma orrery parallel
    for (u = 0; u <= n - 1; ++u)
        for (p = ptr[u]; p <= ptr[u + 1] - 1; ++p) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
    return u * 7 + p;
}

static void unlike(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u)
        for (int p = ptr[u], end = ptr[u + 1]; p != end; ++p) {
            X[u] = X[u] * 3 + Y[col[p]] + (unsigned)end;
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
}

static int down(int n) {
    int p = 0;
#pragma orrery parallel
    for (int u = n - 1; u >= 0; --u)
        for (p = ptr[u + 1] - 1; p >= ptr[u]; --p) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
    return p;
}

static int down_to_none(int n) {
    int k = 0;
#pragma orrery parallel
    for (int u = 0; u < n; ++u)
        for (k = rows[u].count; k-- > 0;) {
            X[u] = X[u] * 3 + Y[rows[u].first[k].key];
            Y[rows[u].first[k].key] = Y[rows[u].first[k].key] * 5 + X[u];
        }
    return k;
}

static void pointer_below(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u)
        for (const struct entry *e = all + ptr[u], *end = all + ptr[u + 1]; e < end; ++e) {
            X[u] = X[u] * 3 + Y[e->key] + e->value;
            Y[e->key] = Y[e->key] * 5 + X[u];
        }
}

static void pointer_unlike(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u)
        for (const struct entry *e = rows[u].first; e != rows[u].first + rows[u].count; ++e) {
            X[u] = X[u] * 3 + Y[e->key] + e->value;
            Y[e->key] = Y[e->key] * 5 + X[u];
        }
}

static void pointer_while(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u) {
        const struct entry *e = rows[u].first, *end = e + rows[u].count;
        while (e < end) {
            X[u] = X[u] * 3 + Y[e->key] + e->value;
            Y[e->key] = Y[e->key] * 5 + X[u];
            ++e;
        }
    }
}

static void pointer_down(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u)
        for (const struct entry *e = rows[u].first + rows[u].count - 1; e >= rows[u].first; --e) {
            X[u] = X[u] * 3 + Y[e->key] + e->value;
            Y[e->key] = Y[e->key] * 5 + X[u];
        }
}

static void guarded(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u) {
        int count = ptr[u + 1] - ptr[u];
        norm[u] += (unsigned)count;
        if (count > 2)
            for (int p = ptr[u]; p < ptr[u + 1]; ++p) {
                X[u] = X[u] * 3 + Y[col[p]];
                Y[col[p]] = Y[col[p]] * 5 + X[u];
            } /* of the row */
        norm[u] ^= X[u];
    }
}

static void unsigned_end(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u)
        for (unsigned p = ends[u]; p + 1 <= ends[u + 1]; ++p) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
}

static int pairs(int n) {
    int p = 0;
#pragma orrery parallel
    for (int u = 0; u < n; ++u)
        for (p = ptr[u]; p < ptr[u + 1]; p += 2) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
    return p;
}

static void links(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u)
        for (int p = head[u]; p >= 0; p = next[p]) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
}

static void links_while(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u) {
        int p = head[u];
        while (p != -1) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
            p = next[p];
        }
    }
}

static void nodes(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u)
        for (const struct node *e = list[u]; e; e = e->next) {
            X[u] = X[u] * 3 + Y[e->key] + e->value;
            Y[e->key] = Y[e->key] * 5 + X[u];
        }
}

static void pointers_along(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u) {
        const int *c = col + ptr[u], *end = col + ptr[u + 1];
        const struct entry *e = all + ptr[u];
        norm[u] += (unsigned)e->key;
        while (c < end) {
            int j = *c++;
            X[u] = X[u] * 3 + Y[j] + e++->value;
            Y[j] = Y[j] * 5 + X[u];
        }
    }
}

static void number_along(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u) {
        int p = ptr[u];
        for (int k = 0; k < rows[u].count; ++k, ++p) {
            X[u] = X[u] * 3 + Y[col[p]] + (unsigned)k;
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
    }
}

static void both_ways(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u)
        for (int k = ptr[u + 1] - 1, up = ptr[u], down = 9; k >= ptr[u]; --k, ++up, --down) {
            X[u] = X[u] * 3 + Y[col[up]] + (unsigned)k;
            Y[col[up]] = Y[col[up]] * 5 + X[u] + (unsigned)down;
        }
}

static void counted_down(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u) {
        const struct entry *e = rows[u].first;
        int count = rows[u].count;
        while (count-- > 0) {
            X[u] = X[u] * 3 + Y[e->key] + e->value + (unsigned)count;
            Y[e->key] = Y[e->key] * 5 + X[u];
            e++;
        }
    }
}

static void unsigned_last(int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u)
        for (unsigned p = ends[u]; p <= ends[u + 1] - 1; ++p) {
            X[u] = X[u] * 3 + Y[col[p]];
            Y[col[p]] = Y[col[p]] * 5 + X[u];
        }
}

static void make(void) {
    for (int i = 0; i < ROWS; ++i) {
        ptr[i + 1] = ptr[i] + (i + 1) * 5 % 9;
        ends[i + 1] = (unsigned)ptr[i + 1];
        rows[i] = (struct row){ptr[i + 1] - ptr[i], all + ptr[i]};
        X[i] = (unsigned)i;
        head[i] = -1;
    }
    for (int i = 0; i < ROWS * 9; ++i) {
        col[i] = (i * 7 + i / 10) % COLUMNS;
        all[i] = (struct entry){col[i], (unsigned)i % 13};
        int u = i % 5 ? i * 37 % ROWS : i % 7;
        next[i] = head[u];
        head[u] = i;
        struct node *node = malloc(sizeof *node);
        if (!node)
            exit(1);
        *node = (struct node){col[i], (unsigned)i, list[u]};
        list[u] = node;
    }
}

int main(int argc, char **argv) {
    const int way = argc > 1 ? atoi(argv[1]) : 0;
    unsigned digest = 0;
    make();
    if (way == 1) /* the last entry of row 7 is followed by its first */
        next[head[7]] = head[7], list[6]->next = list[6];
    if (way == 2)
        ptr[9] = ptr[8] - 1;
    if (way == 3)
        ends[0] = ends[1] = 0, unsigned_last(ROWS);
    for (int pass = 0; pass < 3; ++pass) {
        int n = ROWS - 10 * pass;
        while_below(n), while_taken(n), declared_in_front(n), unlike(n), pointer_below(n);
        digest += (unsigned)with_last(n) + (unsigned)down(n) * 3 + (unsigned)down_to_none(n) * 5;
        pointer_unlike(n), pointer_while(n), pointer_down(n), guarded(n), unsigned_end(n);
        digest += (unsigned)pairs(n);
        links(n), links_while(n), nodes(n);
        pointers_along(n), number_along(n), both_ways(n), counted_down(n);
    }
    for (int i = 0; i < ROWS; ++i)
        digest = digest * 31 + X[i] + norm[i] * 7 + Y[i % COLUMNS];
    printf("%u\n", digest);
    return 0;
}
