# Shared by the command tests, which run in their own folder. $BIN: folder of the commands.
# shellcheck source=tests/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
BIN=$1
export orrery="$BIN/orrery" cc="$BIN/orrery-cc" tree
cd "$work"
unset ORRERY_CC ORRERY_THREADS ORRERY_MPIRUN CFLAGS LDFLAGS 2>/dev/null || true

# The loop of docs/design.md, section 1, as a whole program: mf_program FILE [PRAGMA...]
mf_program() {
    cat >"$1" <<EOF
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct rating {
    int user, item;
    float value;
};

static void train(const struct rating *r, long nnz, float *W, float *H, int K, int epochs) {
    float rate = 0.01f, lambda = 0.02f;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        double loss = 0;
#pragma ${2-orrery parallel unordered}
        for (long n = 0; n < nnz; ++n) {
            float *w = W + (size_t)r[n].user * K, *h = H + (size_t)r[n].item * K;
            float e = r[n].value;
            for (int k = 0; k < K; ++k)
                e -= w[k] * h[k];
            loss += e * e;
            for (int k = 0; k < K; ++k) {
                float wk = w[k];
                w[k] += rate * (e * h[k] - lambda * wk);
                h[k] += rate * (e * wk - lambda * h[k]);
            }
        }
        printf("epoch %d rmse %.4f\n", epoch, sqrt(loss / (double)nnz));
    }
}

int main(int argc, char **argv) {
    long nnz = argc > 1 ? atol(argv[1]) : 20000;
    int users = 300, items = 200, K = 8;
    struct rating *r = malloc((size_t)nnz * sizeof *r);
    float *W = malloc((size_t)users * K * sizeof *W), *H = malloc((size_t)items * K * sizeof *H);
    unsigned state = 1;
    for (long n = 0; n < nnz; ++n) {
        r[n].user = (int)((state = state * 1664525u + 1013904223u) >> 8) % users;
        r[n].item = (int)((state = state * 1664525u + 1013904223u) >> 8) % items;
        r[n].value = (float)(1 + (r[n].user * 7 + r[n].item * 3) % 5);
    }
    for (int i = 0; i < users * K; ++i)
        W[i] = 0.1f * (float)(1 + i % 7);
    for (int i = 0; i < items * K; ++i)
        H[i] = 0.1f * (float)(1 + i % 5);
    train(r, nnz, W, H, K, 4);
    free(r);
    free(W);
    free(H);
    return argc > 2 ? atoi(argv[2]) : 0;
}
EOF
}
