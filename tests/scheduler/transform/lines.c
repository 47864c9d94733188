/* Loops whose iterations need their neighbours, and some that cannot be cut: sums of the bits of what
 * they leave. Each function's first comment says what becomes of it: blocks, or kept. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 60000 };

struct point {
    float x, y;
};

static float a[N], b[N], c[N], d[N], e[N];
static double x[N], y[N];
static int whole[N];
static struct point points[N];

int see(int *value);

static unsigned long bits(const void *memory, size_t bytes) {
    const unsigned char *at = memory;
    unsigned long sum = 1469598103934665603UL;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ at[i]) * 1099511628211UL;
    return sum;
}

static void fill(void) {
    unsigned long r = 7;
    for (int i = 0; i < N; i++) {
        r = r * 6364136223846793005UL + 1442695040888963407UL;
        a[i] = (float)(r >> 50) / 4096 - 1;
        b[i] = (float)(r >> 40 & 8191) / 4096 - 1;
        c[i] = (float)(r >> 30 & 8191) / 4096 - 1;
        d[i] = (float)(r >> 20 & 8191) / 4096 - 1;
        e[i] = a[i] * 3 - b[i];
        x[i] = a[i] / 3.;
        y[i] = b[i] / 7.;
        whole[i] = (int)(r >> 36) - 5;
        points[i] = (struct point){a[i] - 3, b[i] + 3};
    }
}

/* blocks: the next iteration overwrites what one reads */
static void ahead(int n) {
    for (int i = 0; i < n - 1; i++)
        a[i] = a[i + 1] * b[i];
}

/* blocks: the element that is read by another variable */
static void through_variable(int n) {
    int j;
    for (int i = 0; i < n - 1; i++) {
        j = i + 1;
        a[i] = a[j] + b[i];
    }
}

/* blocks */
static int back(int n) {
    int i;
    for (i = n - 3; i >= 0; i -= 1)
        a[i + 2] = a[i] + b[i] * c[i + 1];
    return i;
}

/* blocks */
static void unrolled(int n) {
    for (int i = 0; i < n - 5; i += 5) {
        a[i] = a[i + 1] * a[i];
        a[i + 1] = a[i + 2] * a[i + 1];
        a[i + 2] = a[i + 3] * a[i + 2];
        a[i + 3] = a[i + 4] * a[i + 3];
        a[i + 4] = a[i + 5] * a[i + 4];
    }
}

/* blocks: what an iteration left is known from what stands in memory */
static void statements(int n) {
    for (int i = 1; i < n - 1; i++) {
        a[i] = b[i - 1] + c[i] * d[i];
        b[i] = b[i + 1] - e[i] * d[i];
    }
}

/* blocks */
static void statements_back(int n) {
    for (int i = 1; i < n - 1; i++) {
        a[i] = b[i - 1] + c[i];
        b[i] = a[i + 1] * d[i];
    }
}

/* blocks: the next iteration overwrites what one writes */
static void overwritten(int n) {
    for (int i = 0; i < n - 1; i++) {
        a[i + 1] = b[i] + e[i];
        a[i] = b[i] + c[i];
    }
}

/* blocks */
static void overwritten_and_read(int n) {
    for (int i = 0; i < n - 1; ++i) {
        a[i] = b[i] + c[i] * d[i];
        b[i] = c[i] + b[i];
        a[i + 1] = b[i] + a[i + 1] * d[i];
    }
}

/* blocks: s and t of the iteration before */
static float carried(int n) {
    float s = 3, t = 4, u;
    for (int i = 0; i < n; i++) {
        u = b[i] * c[i] + d[i];
        a[i] = u + s + t;
        t = s;
        s = u;
    }
    return s * 7 + t;
}

/* blocks: what is kept of the iteration before is overwritten there */
static float carried_and_overwritten(int n) {
    float s = 1;
    for (int i = 0; i < n; i++) {
        a[i] = s * e[i];
        s = b[i] + c[i] * c[i];
        b[i] = a[i] + d[i];
    }
    return s;
}

/* blocks: narrow values are narrow in front, too */
static double narrow(int n) {
    float s = 0;
    for (int i = 0; i < n; i++) {
        x[i] = y[i] + (double)s;
        s = (float)(y[i] * 3.1);
        y[i] *= 1.5;
    }
    return (double)s;
}

/* blocks: subscripts that the iteration before sets */
static int subscripts(int n) {
    int before = n - 1, far = n - 2;
    for (int i = 0; i < n; i++) {
        a[i] = (b[i] + b[before] + b[far]) * .333f;
        far = before;
        before = i;
    }
    return before + far;
}

/* blocks: members that do not meet, and some that do */
static void members(int n) {
    for (int i = 1; i < n - 1; i++) {
        points[i].x = points[i + 1].x + points[i - 1].y;
        points[i].y = b[i] * c[i];
    }
}

/* blocks: unless they overlap */
static void pointers(int n, float *p, const float *q, long k) {
    for (int i = 0; i < n - 1; i++)
        p[i] = p[i + 1] * q[i] + (float)k;
}

/* blocks: choices that do not meet other iterations */
static void choices(int n) {
    for (int i = 0; i < n - 1; i++) {
        a[i] = a[i + 1] + (b[i] > 0 ? c[i] : d[i]);
        if (c[i] > 0)
            e[i] = a[i];
    }
}

/* blocks */
static void integers(int n) {
    for (int i = 2; i < n; i++) {
        int t = whole[i + 1] ^ i;
        whole[i] = (int)((unsigned)t * 5u);
        whole[i - 1] = b[i] > 0 ? i : t + 7;
    }
}

/* blocks: read before it is overwritten, also behind all blocks */
static void read_behind(int n) {
    for (int i = n - 6; i >= 1; i--) {
        x[i + 5] = x[i] * y[i + 3];
        x[i - 1] = i - y[i];
    }
}

/* blocks: written twice before it is read */
static void twice(int n) {
    for (int i = 3; i < n - 3; i++) {
        y[i + 2] = x[i] * 2;
        y[i + 1] = x[i] - 3;
        x[i] = y[i - 1] + y[i + 1];
    }
}

/* kept: gcc 12 miscompiles other orders of such loops */
static void sizes_down(int n) {
    for (int i = n - 4; i >= 1; i--) {
        float s = (float)(b[i - 1] * x[i]);
        b[i + 1] = (float)(x[i + 1] * (double)s);
    }
}

/* kept: what a sum is made of is read in place */
static void compound(int n) {
    for (int i = 2; i < n; i++) {
        whole[i] = i;
        whole[i - 2] ^= 77;
    }
}

/* kept: every value needs the one before */
static void recurrence(int n) {
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] * b[i];
}

/* kept: the same by a variable */
static float sum_of_all(int n) {
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += b[i];
        a[i] = s;
    }
    return s;
}

/* blocks: data say which iteration left it */
static float sometimes(int n) {
    float s = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 0)
            s = d[i];
        b[i] = s * c[i];
    }
    return s;
}

/* kept: data say whether it was overwritten */
static void sometimes_written(int n) {
    for (int i = 1; i < n; i++) {
        a[i] = b[i - 1];
        if (c[i] > 0)
            b[i] = d[i];
    }
}

/* kept: reading it in front could fault */
static void sometimes_read(int n, float *p) {
    for (int i = 0; i < n - 1; i++)
        if (b[i] > 2)
            p[i] = p[i + 1];
}

/* kept: all iterations read one element */
static void one_element(int n) {
    for (int i = 0; i < n; i++)
        a[i] = a[5] + b[i];
}

/* kept: too far apart */
static void far_apart(int n) {
    for (int i = 0; i < n - 9; i++)
        a[i] = a[i + 9];
}

/* kept: it may leave the loop */
static void left(int n) {
    for (int i = 0; i < n - 1; i++) {
        a[i] = a[i + 1];
        if (b[i] > 9)
            break;
    }
}

/* kept: somebody else may read the variable */
static int seen(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        whole[i] += s;
        s = i;
        see(&s);
    }
    return s;
}

int see(int *value) {
    return *value;
}

static void show(const char *name) {
    printf("%s %lx %lx %lx %lx %lx %lx\n", name, bits(a, sizeof a), bits(b, sizeof b),
           bits(e, sizeof e), bits(x, sizeof x) ^ bits(y, sizeof y) * 3, bits(whole, sizeof whole),
           bits(points, sizeof points));
}

/* kept: the header sets more than the counter */
static int header(int n) {
    int i, k;
    for (i = 0, k = 5; i < n - 1; i++)
        a[i] = a[i + 1] * (float)k;
    return i + k;
}

/* kept */
static int header_moves(int n) {
    int i, k = 1;
    for (i = 0; i < n - 1; i++, k += 3)
        a[i] = a[i + 1] * (float)k;
    return i + k;
}

/* blocks: some iterations set it */
static float latest(int n, float s) {
    for (int i = 0; i < n; i++) {
        if (b[i] > .5f)
            s = c[i] * b[i];
        a[i] = s * c[i] + b[i];
        e[i] = s - a[i];
    }
    return s;
}

/* blocks: hardly any iteration sets it, and it is read in front of that; downwards */
static int latest_down(int n) {
    int s = -7;
    for (int i = n - 1; i >= 0; i--) {
        whole[i] = s - i;
        if (d[i] < -.999f && b[i] > 0)
            s = i;
    }
    return s;
}

/* kept: the loop changes what the condition reads */
static float latest_of_changed(int n, float s) {
    for (int i = 1; i < n; i++) {
        if (a[i - 1] > .5f)
            s = c[i];
        a[i] = s * c[i];
    }
    return s;
}

/* kept: two conditions */
static float latest_of_two(int n, float s) {
    for (int i = 0; i < n; i++) {
        if (b[i] > .5f)
            s = c[i];
        if (b[i] < -.5f)
            s = d[i] * .5f;
        a[i] = s * c[i];
    }
    return s;
}

int main(int argc, char **argv) {
    int n = N - (argc > 1 ? atoi(argv[1]) : 0);
    fill();
    ahead(n);
    through_variable(n);
    printf("back %d\n", back(n));
    unrolled(n);
    show("ahead");
    statements(n);
    statements_back(n);
    overwritten(n);
    overwritten_and_read(n);
    show("statements");
    printf("carried %a %a\n", (double)carried(n), (double)carried_and_overwritten(n));
    show("carried");
    printf("narrow %a %d\n", narrow(n), subscripts(n));
    members(n);
    show("members");
    pointers(n, a, b, 3);
    pointers(n - 4, a, a + 3, 3);
    pointers(n - 4, a + 2, a, 3);
    show("pointers");
    choices(n);
    integers(n - 1);
    read_behind(n);
    twice(n);
    compound(n);
    sizes_down(n);
    show("choices");
    printf("latest %a %a %d\n", (double)latest(n, 3), (double)latest(n - 9, -1), latest_down(n));
    show("latest");
    printf("not %a %a\n", (double)latest_of_changed(n, 3), (double)latest_of_two(n, 2));
    recurrence(n);
    printf("sum %a %a\n", (double)sum_of_all(n), (double)sometimes(n));
    sometimes_written(n);
    sometimes_read(n, d);
    one_element(n);
    far_apart(n);
    left(n);
    printf("seen %d\n", seen(n));
    printf("header %d %d\n", header(n), header_moves(n));
    show("kept");
}
