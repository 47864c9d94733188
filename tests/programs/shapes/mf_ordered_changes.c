/* One ordered loop over records that stand sorted, then in any order, then in another sorted order.
 * loop: parallel ordered-rotation
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

enum { USERS = 900, ITEMS = 700, STEP = 51 };
struct rating { int user, item; float value; };
static float W[USERS], H[ITEMS];

static int by_user(const void *a, const void *b) {
    const struct rating *x = a, *y = b;
    return x->user != y->user ? x->user - y->user : x->item - y->item;
}

static int by_item(const void *a, const void *b) {
    const struct rating *x = a, *y = b;
    return x->item != y->item ? x->item - y->item : x->user - y->user;
}

static void shuffle(struct rating *r, long n) {
    for (long a = n - 1, s = 99; a > 0; a--) {
        s = (s * 1103515245 + 12345) & 0x7fffffff;
        long b = s % (a + 1);
        struct rating keep = r[a];
        r[a] = r[b], r[b] = keep;
    }
}

int main(void) {
    struct rating *r = malloc(USERS * ITEMS * sizeof *r);
    long n = 0;
    for (int u = 0; u < USERS; u++)
        for (int i = u % STEP; i < ITEMS; i += 1 + (u * 31 + i * 17) % STEP)
            r[n++] = (struct rating){u, i, (float)((u * 13 + i * 29) % 5)};
    for (int u = 0; u < USERS; u++) W[u] = 0.1f * (float)(u % 9);
    for (int i = 0; i < ITEMS; i++) H[i] = 0.1f * (float)(i % 7);
    for (int epoch = 0; epoch < 8; epoch++) {
        if (epoch % 4 == 1) shuffle(r, n);
        if (epoch % 4 == 2) qsort(r, n, sizeof *r, by_item);
        if (epoch % 4 == 3) qsort(r, n, sizeof *r, by_user);
        #pragma orrery parallel
        for (long j = 0; j < n; j++) {
            float e = r[j].value - W[r[j].user] * H[r[j].item];
            W[r[j].user] += 0.01f * e * H[r[j].item];
            H[r[j].item] += 0.01f * e * W[r[j].user];
        }
    }
    for (int u = 0; u < USERS; u += 23) printf("%.9g ", W[u]);
    for (int i = 0; i < ITEMS; i += 19) printf("%.9g ", H[i]);
    printf("\n");
    free(r);
    return 0;
}
