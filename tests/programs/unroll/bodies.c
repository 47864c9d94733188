/* interleaved: flat shadowed branches histogram strided nearest global member ; not: twice leaves macro
 * stores */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { USERS = 23, ITEMS = 19, RECORDS = 1003, WIDE = 13 };

struct record {
    int user, item;
    float value, e;
};
struct model {
    int K;
    float *W, *H;
};

static struct record r[RECORDS];
static float W[USERS * WIDE], H[ITEMS * WIDE], out[RECORDS];
static float bu[USERS], bi[ITEMS];
static double hist[16];
static int wide = WIDE;

static void reset(void) {
    unsigned seed = 7;
    for (int n = 0; n < RECORDS; ++n) {
        seed = seed * 1664525u + 1013904223u;
        r[n].user = (int)(seed >> 8) % USERS;
        r[n].item = (int)(seed >> 17) % ITEMS;
        r[n].value = (float)(seed >> 5 & 1023) / 77;
        r[n].e = r[n].value / 3;
    }
    for (int i = 0; i < USERS * WIDE; ++i)
        W[i] = sinf((float)i);
    for (int i = 0; i < ITEMS * WIDE; ++i)
        H[i] = cosf((float)i);
    for (int i = 0; i < 16; ++i)
        hist[i] = 1.0 / (i + 3);
}

static void show(const char *what, double x) {
    double sum = 0;
    for (int i = 0; i < USERS * WIDE; ++i)
        sum = sum * 1.01 + W[i];
    for (int i = 0; i < ITEMS * WIDE; ++i)
        sum = sum * 1.01 + H[i];
    for (int i = 0; i < USERS; ++i)
        sum = sum * 1.01 + bu[i];
    for (int i = 0; i < ITEMS; ++i)
        sum = sum * 1.01 + bi[i];
    for (int i = 0; i < 16; ++i)
        sum = sum * 1.01 + hist[i];
    for (int i = 0; i < RECORDS; ++i)
        sum = sum * 1.0001 + out[i];
    printf("%s %a %a\n", what, sum, x);
}

static double flat(int K) {
    double loss = 0;
#pragma orrery parallel unordered
    for (int n = 0; n < RECORDS; ++n) {
        float *w = W + r[n].user * K, *h = H + r[n].item * K, e = r[n].value;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        for (int k = 0; k < K; ++k) {
            float wk = w[k];
            w[k] += 0.01f * (e * h[k] - 0.1f * wk);
            h[k] += 0.01f * (e * wk - 0.1f * h[k]);
        }
    }
    return loss;
}

/* Names that are a member's, or stand for two variables; a private variable of the function; the
 * loop's own. */
static double shadowed(int K) {
    double sum = 0;
    float e;
#pragma orrery parallel unordered
    for (int n = 0; n < RECORDS; ++n) {
        float *w = &W[r[n].user * K];
        const struct record *rn = &r[n];
        e = rn->e + (float)n;
        {
            float h = 0;
            for (int k = 0; k < K; ++k) {
                float e = w[k];
                h += e * H[rn->item * K + k];
            }
            e += h;
        }
        sum += e;
        bu[rn->user] += 0.001f * e * w[0];
        bi[rn->item] -= 0.001f * e * bu[rn->user];
    }
    return sum;
}

static double branches(int K, int kind) {
    double sum = 0;
#pragma orrery parallel unordered
    for (int n = 0; n < RECORDS; ++n) {
        float a = 0, b = 1;
        if (kind > 1) {
            for (int k = 0; k < K; ++k)
                a += W[r[n].user * K + k] * H[r[n].item * K + k];
            b = a * a;
        } else if (kind == 1)
            for (int k = K - 1; k >= 0; --k) {
                if (W[r[n].user * K + k] > 0)
                    a += H[r[n].item * K + k];
                else
                    b -= a * 0.5f;
            }
        else {
            a = 2;
        }
        sum += a + b;
        bu[r[n].user] += 0.01f * a + 0.1f * bi[r[n].item];
        bi[r[n].item] += 0.01f * b;
    }
    return sum;
}

static double histogram(int K) {
    double sum = 1;
#pragma orrery parallel unordered
    for (int n = 0; n < RECORDS; ++n) {
        float d = r[n].value;
        for (int k = 0; k < K; ++k)
            d += W[r[n].user * K + k] / 7;
        hist[(int)fabsf(d) & 15] += d;
        sum += d / 3;
    }
    return sum;
}

static double strided(int K) {
#pragma orrery parallel
    for (int n = 2; n < RECORDS; n += 3) {
        float d = 0;
        for (int k = 0; k < K; k += 2)
            d += W[(n * 5 + k) % (USERS * WIDE)];
        out[n] = d + n;
    }
    return 0;
}

static double nearest(int K) {
    double sum = 0;
#pragma orrery parallel
    for (int n = 0; n < RECORDS; ++n) {
        float least = INFINITY;
        int best = 0;
        for (int c = 0; c < ITEMS; ++c) {
            float d = 0;
            for (int k = 0; k < K; ++k)
                d += fabsf(H[c * K + k] - W[r[n].user * K + k] * r[n].value);
            if (d < least) {
                least = d;
                best = c;
            }
        }
        out[n] = (float)best;
        sum += least;
    }
    return sum;
}

static double global(void) {
#pragma orrery parallel
    for (int n = 0; n < RECORDS; ++n) {
        float d = 0;
        for (int k = 0; k < wide; ++k)
            d += W[r[n].user * wide + k] * 1.1f;
        out[n] = d;
    }
    return 0;
}

static double member(const struct model *m) {
    double loss = 0;
#pragma orrery parallel unordered
    for (int n = 0; n < RECORDS; ++n) {
        float *w = m->W + r[n].user * m->K, *h = m->H + r[n].item * m->K, e = r[n].value;
        for (int k = 0; k < m->K; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        for (int k = 0; k < m->K; ++k) {
            w[k] += 0.02f * e * h[k];
            h[k] += 0.02f * e * w[k];
        }
    }
    return loss;
}

/* The sum's order would change: an iteration adds to it in two places. */
static double twice(int K) {
    double sum = 0;
#pragma orrery parallel unordered
    for (int n = 0; n < RECORDS; ++n) {
        float d = 0;
        for (int k = 0; k < K; ++k)
            d += W[r[n].user * K + k] * H[r[n].item * K + k];
        sum += d;
        bu[r[n].user] = d * bi[r[n].item];
        bi[r[n].item] = -d;
        sum += d / 3;
    }
    return sum;
}

static double leaves(int K) {
    double sum = 0;
#pragma orrery parallel unordered
    for (int n = 0; n < RECORDS; ++n) {
        if (r[n].value > 10)
            continue;
        float d = 0;
        for (int k = 0; k < K; ++k)
            d += W[r[n].user * K + k];
        sum += d;
        bi[r[n].item] += d;
    }
    return sum;
}

#define ADD(x) d += (x)
static double macro(int K) {
    double sum = 0;
#pragma orrery parallel unordered
    for (int n = 0; n < RECORDS; ++n) {
        float d = 0;
        for (int k = 0; k < K; ++k)
            ADD(W[r[n].user * K + k]);
        sum += d;
    }
    return sum;
}

/* Nothing waits here: the additions go to different elements. */
static double stores(int K) {
#pragma orrery parallel unordered
    for (int n = 0; n < RECORDS; ++n)
        for (int k = 0; k < K; ++k)
            W[r[n].user * K + k] += H[r[n].item * K + k] / 9;
    return 0;
}

int main(int argc, char **argv) {
    int K = argc > 1 ? atoi(argv[1]) : 6;
    struct model m = {K, W, H};
    reset();
    show("flat", flat(K));
    show("shadowed", shadowed(K));
    for (int kind = 0; kind < 3; ++kind)
        show("branches", branches(K, kind));
    show("histogram", histogram(K));
    show("strided", strided(K));
    show("nearest", nearest(K));
    wide = K;
    show("global", global());
    show("member", member(&m));
    show("twice", twice(K));
    show("leaves", leaves(K));
    show("macro", macro(K));
    show("stores", stores(K));
    return 0;
}
