/* Loops in parts, loops that may end early, loops with floating-point counters, loops that pack, and
 * others: sums of the bits of what they leave. Each function's first comment says what becomes of
 * it: parts, ends, exact, packs, split, or kept. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 70000 };

static float a[N], b[N], c[N];
static int whole[N];
static float rows[8][N], pairs[2 * N + 2];

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
        whole[i] = (int)(r >> 44);
        rows[3][i] = a[i] * b[i];
    }
}

static void show(const char *name) {
    printf("%s %lx %lx %lx %lx %lx\n", name, bits(a, sizeof a), bits(b, sizeof b),
           bits(whole, sizeof whole), bits(rows, sizeof rows), bits(pairs, sizeof pairs));
}

/* parts: one iteration writes what all read */
static void one_alone(int n, int k) {
    for (int i = 0; i < n; i++)
        a[i] = a[k] * .5f + b[i];
}

/* parts: the first one */
static int first_alone(int n) {
    int i;
    for (i = 2; i <= n - 1; i++)
        a[i] = a[2] + b[i];
    return i;
}

/* parts */
static float mirrored(int n) {
    float x = 0;
    for (int i = 0; i < n; i++) {
        x = a[n - 1 - i] + b[i] * c[i];
        a[i] = x - 1;
        b[i] = x;
    }
    return x;
}

/* parts */
static void mirrored_row(int n) {
    for (int i = 0; i < n; i++)
        rows[3][i] = rows[3][n - i - 1] * c[i] + rows[2][i];
}

/* kept: two places */
static void two_alone(int n, int k) {
    for (int i = 0; i < n; i++)
        a[i] = a[k] * a[k + 9] + b[i];
}

/* kept: the sum needs all */
static float summed(int n) {
    float s = 0;
    for (int i = 0; i < n; i++) {
        s = s * .5f + a[i];
        a[i] = a[n - 1 - i] + b[i];
    }
    return s;
}

/* ends: behind what is done */
static void done_first(int n, float most) {
    for (int i = 0; i < n; i++) {
        a[i] += b[i] * c[i];
        if (b[i] > most)
            break;
    }
}

/* ends: nothing but the search */
static int found(int n, float most) {
    int at = -2;
    float value = -1;
    for (int i = 0; i <= n - 1; i++) {
        if (a[i] > most && c[i] > 0) {
            at = i;
            value = a[i];
            goto out;
        }
    }
out:
    return at + (int)(value * 8);
}

/* ends: in the middle, by return */
static int in_the_middle(int n, int most) {
    int i;
    float t = 0;
    for (i = 3; i < n - 3; i++) {
        t = b[i] * 3;
        if (whole[i - 3] >= most || whole[i + 3] == i)
            return i + (int)t;
        a[i] = t - c[i];
    }
    return -i;
}

/* ends: the program, with a word */
static void gives_up(int n) {
    for (int i = 0; i < n; i++) {
        if (whole[i] < 0) {
            printf("negative at %d\n", i);
            exit(0);
        }
        a[i] = b[i] * 2 - c[i];
    }
}

/* exact: read behind the addition, and before it */
static double counted(int n, float s, double t) {
    int i;
    for (i = 1; i <= n - 1; i++) {
        s += (float)2.;
        a[i] = s * b[i] + (float)t;
        t -= 3;
    }
    return s + t + i;
}

/* kept: halves */
static float halves(int n, float s) {
    for (int i = 0; i < n; i++) {
        s += .5f;
        a[i] = s * b[i];
    }
    return s;
}

/* kept: sometimes */
static float counted_sometimes(int n, float s) {
    for (int i = 0; i < n; i++) {
        if (b[i] > 0)
            s += 2;
        a[i] = s * b[i];
    }
    return s;
}

/* packs */
static int packed(int n, float least) {
    int j = -1;
    for (int i = 0; i < n; i++)
        if (b[i] > least) {
            j++;
            a[j] = b[i];
        }
    return j;
}

/* packs: the element first, the sum behind it */
static long packed_behind(int n, float least) {
    long j = 3;
    int i;
    for (i = 2; i <= n - 4; i++)
        if (b[i] > least && c[i] < .5f)
            a[j++] = c[i] * 2;
    return j + i;
}

/* packs: once always, once sometimes */
static int packed_twice(int n) {
    int j = 0;
    for (int i = 0; i < n; i++) {
        j++;
        pairs[j] = a[i] + b[i];
        if (c[i] > .25f) {
            j += 1;
            pairs[j] = c[i] * 3;
            whole[i] = i;
        }
    }
    return j;
}

/* packs: a bound that is divided */
static int packed_half(int n) {
    int j = -1;
    for (int i = 0; i < n / 2; i++)
        if (c[i] > .25f) {
            j++;
            pairs[j] = a[i] * 5;
        }
    return j;
}

/* kept: it divides by what may be 0 */
static int packed_share(int n, int m) {
    int j = -1;
    for (int i = 0; i < n / m; i++)
        if (c[i] > .25f) {
            j++;
            pairs[j] = a[i] * 7;
        }
    return j;
}

/* packs: the other way round */
static int unpacked(int n) {
    int j = -1;
    for (int i = 0; i < n; i++)
        if (a[i] > 0) {
            j++;
            a[i] = b[j] + a[i];
        }
    return j;
}

/* kept: the condition reads what is packed */
static int packed_own(int n) {
    int j = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 0) {
            a[j] = b[i];
            j++;
        }
    return j;
}

/* kept: what is packed is stored to at other places, too */
static int packed_over(int n) {
    int j = 0;
    for (int i = 0; i < n; i++)
        if (b[i] > 0) {
            j++;
            a[j] = b[i];
            a[i] = c[i];
        }
    return j;
}

/* kept: not every element is set */
static int packed_thinly(int n) {
    int j = 0;
    for (int i = 0; i < n; i++) {
        if (b[i] > 0) {
            j++;
            pairs[j] = b[i];
        }
        j++;
    }
    return j;
}

/* kept: the condition counts, too */
static int packed_by_number(int n) {
    int j = 0;
    for (int i = 0; i < n; i++)
        if (b[i] * (float)j < 900)
            pairs[j++] = b[i];
    return j;
}

/* split: the condition reads what was stored before it, so it does not unpack */
static int unpacked_late(int n) {
    int j = 0;
    for (int i = 0; i < n; i++) {
        a[i] = b[i] * 2;
        if (a[i] > 0) {
            j++;
            c[i] = b[j];
        }
    }
    return j;
}

/* kept: it reads what the loop writes */
static int reads_own(int n, float most) {
    int i;
    for (i = 0; i < n; i++) {
        a[i] += b[i];
        if (a[i] > most)
            break;
    }
    return i;
}

/* kept: nobody knows how long it is */
static int by_pointer(const float *p, float most) {
    int i;
    for (i = 0; i < N - 9; i++)
        if (p[i] > most)
            break;
    return i;
}

/* kept: a pointer may write what it reads */
static int writes_by_pointer(int n, float *p, float most) {
    int i;
    for (i = 0; i < n; i++) {
        p[i] = b[i] * 2;
        if (c[i] > most)
            break;
    }
    return i;
}

/* kept: a division by zero that does not happen */
static int divides(int n, int by) {
    int i;
    for (i = 0; i < n; i++)
        if (whole[i] / (by - i) == 77)
            break;
    return i;
}

/* ends: but some of it is beyond the array, so the check never holds */
static int beyond(int most) {
    int i = 0;
    for (i = 0; i < N; i++)
        if (whole[i + 5] > most)
            break;
    return i;
}

/* split: a recurrence between two statements that do not wait */
static void recurrence(int n) {
    for (int i = 1; i < n; i++) {
        a[i] += b[i] * c[i];
        c[i] = c[i - 1] * .25f + b[i];
        b[i] = a[i] - .5f;
    }
}

/* split: what the second one reads is overwritten by the first, later */
static int backwards(int n) {
    int i;
    for (i = 0; i < n - 1; i++) {
        pairs[i] = b[i] * .5f;
        a[i + 1] = a[i] * .125f + pairs[i + 1];
    }
    return i;
}

/* split: the sum keeps its order */
static float summed_beside(int n) {
    float s = 0;
    for (int i = 0; i < n; i++) {
        a[i] = b[i] * c[i];
        s += a[i];
        rows[1][i] = c[i] + s;
        b[i] = a[i] - c[i];
        s *= .5f;
    }
    return s;
}

/* split: b is written in front, though the text has it behind */
static void under_conditions(int n) {
    for (int i = 0; i < n - 1; i++)
        if (a[i] < 0) {
            if (b[i] < 0)
                a[i] += c[i] * .75f;
            b[i + 1] = c[i] - (float)(whole[i] % 3);
        } else {
            rows[4][i] = a[i] * c[i];
        }
}

/* split: some iterations set it */
static float set_sometimes(int n) {
    float s = 1;
    for (int i = 0; i < n; i++) {
        a[i] = b[i] * 3;
        if (a[i] > .5f)
            s = c[i] * b[i];
        rows[5][i] = s + a[i];
    }
    return s;
}

/* split: jumps over statements; what is behind the nearer label does not depend on the second one */
static void jumps(int n) {
    for (int i = 0; i < n - 1; i++) {
        if (a[i] >= .5f)
            goto none;
        if (b[i] >= 0)
            goto some;
        a[i] += c[i] * .75f;
    some:
        b[i + 1] = c[i] + (float)(i % 3);
    none:;
    }
}

/* split: one of two */
static void jumps_either_way(int n) {
    for (int i = 0; i < n - 1; ++i) {
        if (b[i] < 0)
            goto other;
        a[i] = c[i] + b[i] * .5f;
        goto behind;
    other:
        c[i + 1] = a[i] + b[i] * b[i];
    behind:
        rows[6][i] = c[i] * .25f;
    }
}

/* split: no iteration writes a[i] and reads it */
static void jumps_to_one(int n) {
    for (int i = 0; i < n - 1; ++i) {
        if (b[i] < .5f)
            goto other;
        a[i] = c[i] + b[i] * .5f;
        goto behind;
    other:
        c[i + 1] = a[i] + b[i] * b[i];
    behind:;
    }
}

/* split: the same with branches; its condition reads what one of them writes */
static void one_branch(int n) {
    for (int i = 0; i < n - 1; ++i)
        if (a[i] < .5f)
            a[i] = c[i] + b[i] * .5f;
        else
            c[i + 1] = a[i] + b[i] * b[i];
}

/* kept: it falls through to the label, so some iterations do both */
static void falls_through(int n) {
    for (int i = 0; i < n - 1; ++i) {
        if (b[i] < .5f)
            goto other;
        a[i] = c[i] + b[i] * .5f;
        if (b[i] < .75f)
            goto behind;
    other:
        c[i + 1] = a[i] + b[i] * b[i];
    behind:;
    }
}

/* kept: one branch needs what the other one did an iteration before, both ways */
static void branches_in_turn(int n) {
    for (int i = 1; i < n; ++i)
        if (b[i] < .5f)
            a[i] = c[i - 1] + b[i] * .5f;
        else
            c[i] = a[i - 1] + b[i] * b[i];
}

/* kept: it jumps back */
static void jumps_back(int n) {
    for (int i = 0; i < n - 1; ++i) {
    again:
        whole[i] /= 2;
        if (whole[i] > 5)
            goto again;
        b[i + 1] = b[i] * .5f + (float)whole[i];
    }
}

/* kept: each needs the other one */
static void both_ways(int n) {
    for (int i = 1; i < n; i++) {
        a[i] = b[i - 1] + c[i];
        b[i] = a[i] * .5f;
    }
}

/* kept: one variable for all */
static float one_variable(int n) {
    float t = 0;
    for (int i = 0; i < n; i++) {
        a[i] = t;
        t = t * .5f + b[i];
    }
    return t;
}

int main(int argc, char **argv) {
    int n = N - (argc > 1 ? atoi(argv[1]) : 0);
    fill();
    one_alone(n, n / 3);
    one_alone(n, n - 1);
    one_alone(n, 0);
    one_alone(n - 7, n - 2);
    printf("first %d\n", first_alone(n));
    show("alone");
    printf("mirrored %a %a\n", (double)mirrored(n), (double)mirrored(n - 1));
    mirrored_row(n - 3);
    two_alone(n - 10, n / 2);
    printf("summed %a\n", (double)summed(n));
    show("parts");
    fill();
    done_first(n, .9995f);
    done_first(n, 2);
    done_first(n, -1);
    printf("found %d %d %d\n", found(n, 2.999f), found(n, 9), found(n, -2));
    printf("middle %d %d %d\n", in_the_middle(n, 1048500), in_the_middle(n, 1 << 30),
           in_the_middle(n, 5));
    show("ends");
    printf("counted %a %a %a %a\n", counted(n, 7, -5), counted(n, .5f, 0), counted(n, -0.f, -0.),
           counted(n, 16777000, 1e15));
    printf("not counted %a %a\n", (double)halves(n, 3), (double)counted_sometimes(n, 3));
    show("exact");
    printf("packed %d %d %d %ld\n", packed(n, 0), packed(n, 2), packed(n, -2), packed_behind(n, 0));
    show("packed");
    printf("packed %d %d\n", packed_twice(n), unpacked(n));
    printf("divided %d %d\n", packed_half(n), packed_share(n, 3));
    printf("not packed %d %d %d", packed_own(n), packed_over(n), packed_thinly(n));
    printf(" %d %d\n", packed_by_number(n), unpacked_late(n));
    show("packs");
    printf("own %d %d\n", reads_own(n, 8), by_pointer(a + 5, 8));
    printf("pointer %d %d\n", writes_by_pointer(n, c + 3, .9f), divides(n / 2, N));
    printf("beyond %d\n", beyond(1000000));
    fill();
    recurrence(n);
    printf("split %d %a\n", backwards(n), (double)summed_beside(n));
    under_conditions(n);
    printf("split %a\n", (double)set_sometimes(n));
    show("split");
    jumps(n);
    jumps_either_way(n);
    jumps_to_one(n);
    one_branch(n);
    falls_through(n);
    branches_in_turn(n);
    show("jumps");
    jumps_back(n);
    both_ways(n);
    printf("not split %a\n", (double)one_variable(n));
    gives_up(n);
    show("kept");
    whole[n - n / 4] = -1;
    gives_up(n);
    puts("not reached");
}
