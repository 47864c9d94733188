/* Loops whose bodies hold loops of the same length for all iterations; `counts K` prints what comes of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { USERS = 29, ITEMS = 17, RECORDS = 1500, MOST = 128 };

struct record {
    int user, item;
    float value;
};

static struct record r[RECORDS];
static float W[USERS * MOST], H[ITEMS * MOST], out[RECORDS];

static void reset(void) {
    unsigned seed = 7;
    for (int n = 0; n < RECORDS; ++n) {
        seed = seed * 1664525u + 1013904223u;
        r[n].user = (int)(seed >> 8) % USERS;
        r[n].item = (int)(seed >> 17) % ITEMS;
        r[n].value = (float)(seed >> 5 & 1023) / 1700;
    }
    for (int i = 0; i < USERS * MOST; ++i)
        W[i] = sinf((float)i) / 9;
    for (int i = 0; i < ITEMS * MOST; ++i)
        H[i] = cosf((float)i) / 9;
}

static void print(const char *name, const float *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += (i % 7 + 1) * x[i];
    printf("%s %a\n", name, sum);
}

static void rotate(float *restrict w, float *restrict h, int K) {
#pragma orrery parallel unordered
    for (int n = 0; n < RECORDS; ++n) {
        float *a = w + (size_t)r[n].user * K, *b = h + (size_t)r[n].item * K, e = r[n].value;
        for (int k = 0; k < K; ++k)
            e -= a[k] * b[k];
        for (int k = 0; k < K; ++k) {
            float old = a[k];
            a[k] += .01f * e * b[k];
            b[k] += .01f * e * old;
        }
    }
}

/* The number that the text tells is another one afterwards, now and then. */
static void told(float *restrict x, int other) {
    int K = 24;
    if (other != 64)
        K = other;
#pragma orrery parallel
    for (int n = 0; n < RECORDS; ++n) {
        float e = 0;
        for (int k = 0; k < K; ++k)
            e += W[r[n].user * K + k] / (float)(k + 1);
        x[n] = e;
    }
}

/* Unsigned, counted down to, in a loop around another one. */
static void nested(float *restrict x, unsigned K) {
#pragma orrery parallel
    for (int n = 0; n < RECORDS; ++n) {
        float e = 0;
        for (int times = 0; times < 2; ++times)
            for (unsigned k = 0; k < K; ++k)
                e = e * .5f + H[k] * r[n].value;
        x[n] = e;
    }
}

static void jumps(float *restrict x, int K) {
#pragma orrery parallel
    for (int n = 0; n < RECORDS; ++n) {
        float e = 0;
        for (int k = 0; k < K; ++k) {
            if (H[k] > e + r[n].value)
                goto over;
            e += H[k];
        }
    over:
        x[n] = e;
    }
}

static void alone(float *restrict x) {
#pragma orrery parallel
    for (int n = 0; n < RECORDS; ++n)
        x[n] = r[n].value * 3;
}

int main(int argc, char **argv) {
    int K = argc > 1 ? atoi(argv[1]) : 32;
    reset();
    for (int pass = 0; pass < 3; ++pass)
        rotate(W, H, K);
    print("W", W, USERS * K);
    print("H", H, ITEMS * K);
    told(out, K);
    print("told", out, RECORDS);
    nested(out, (unsigned)K);
    print("nested", out, RECORDS);
    jumps(out, K);
    print("jumps", out, RECORDS);
    alone(out);
    print("alone", out, RECORDS);
    return 0;
}
