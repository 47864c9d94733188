/* emit: 2 */
/* Records without an id are left out: the row in front of the first is nobody's. */
#include <stdio.h>
#include <stdlib.h>

struct record {
    int user, item;
    double value;
};

enum { RECORDS = 5000, ROWS = 40, K = 4 };

static void train(double *restrict W, double *restrict H, const struct record *restrict r) {
#pragma orrery parallel
    for (long n = 0; n < RECORDS; n++) {
        if (r[n].user < 1 || r[n].item < 1)
            continue;
        long at = (r[n].user - 1L) * K, to = (r[n].item - 1L) * K;
        for (int k = 0; k < K; k++) {
            W[at + k] += .01 * r[n].value * H[to + k];
            H[to + k] -= .01 * W[at + k];
        }
    }
}

static void train_any_order(double *restrict W, double *restrict H,
                            const struct record *restrict r) {
#pragma orrery parallel unordered grid(1, 1)
    for (long n = 0; n < RECORDS; n++) {
        if (r[n].user < 1 || r[n].item < 1)
            continue;
        long at = (r[n].user - 1L) * K, to = (r[n].item - 1L) * K;
        for (int k = 0; k < K; k++) {
            W[at + k] += .01 * r[n].value * H[to + k];
            H[to + k] -= .01 * W[at + k];
        }
    }
}

int main(void) {
    struct record *r = malloc(RECORDS * sizeof *r);
    double *W = malloc(sizeof *W * ROWS * K), *H = malloc(sizeof *H * ROWS * K), sum = 0;
    for (int i = 0; i < RECORDS; i++)
        r[i] = (struct record){i * 7 % (ROWS + 1), i * i % (ROWS + 1), i % 5 * .3};
    for (int i = 0; i < ROWS * K; i++) {
        H[i] = .02 * (i % 30);
        W[i] = .01 * (i % 50);
    }
    train(W, H, r);
    train_any_order(W, H, r);
    for (int i = 0; i < ROWS * K; i++)
        sum += W[i] * i - H[i];
    printf("%a\n", sum);
    free(r);
    free(W);
    free(H);
    return 0;
}
