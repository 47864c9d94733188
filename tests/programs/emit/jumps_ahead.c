/* emit: 7 */
/* A goto that leads on to a label of a block around it is a condition of what lies between. */
#include <stdio.h>

enum { N = 4000, M = 12 };

static float a[N], b[N], c[N], d[N], e[N], rows[N][M];
static int kind[N];

static void either(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        if (a[i] > 0)
            goto other;
        b[i] = -b[i] + d[i] * e[i];
        goto both;
    other:
        c[i] = -c[i] + d[i] * e[i];
    both:
        a[i] = b[i] + c[i] * d[i];
    }
}

static void select_label(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        switch (kind[i]) {
        case 1:
            goto one;
        case 2:
            goto two;
        case 3:
            goto three;
        default:
            goto done;
        }
    one:
        a[i] += b[i] * b[i];
        goto done;
    two:
        a[i] += c[i] * c[i];
        goto done;
    three:
        a[i] -= d[i];
    done:;
    }
}

static float folded(void) {
    float t = 0, s = 0;
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        t = 1;
        if (kind[i] == 2)
            goto add;
        t = d[i];
        if (kind[i] == 3)
            goto keep;
    add:
        s += t * e[i];
    keep:
        c[i] = t;
    }
    return s + t;
}

static float clipped(float x, float most) {
    if (x > most)
        goto high;
    if (x < -most) {
        x = -most;
        goto out;
    }
    return x;
high:
    x = most;
out:
    return x / 2;
}

static void in_callee(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        d[i] = clipped(a[i], (float)kind[i]);
}

static void in_inner(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        if (kind[i] == 4)
            goto end;
        for (int j = 0; j < M; j++) {
            if (j % 3 == kind[i])
                goto next;
            rows[i][j] += e[i];
        next:;
        }
        {
            if (e[i] > 5)
                goto inner;
            b[i]++;
        inner:
            b[i] *= 2;
        }
    end:
        a[i] -= rows[i][M - 1];
    }
}

static void out_of_loops(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        int place = -1;
        for (int j = 0; j < M; j++)
            for (int k = j; k < M; k++)
                if (rows[i][j] + rows[i][k] < (float)-kind[i]) {
                    place = j;
                    goto found;
                }
        b[i] += 1;
    found:
        c[i] += place < 0 ? d[i] : rows[i][place];
    }
}

static float any_below(void) {
    float sum = 0;
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            switch (kind[i]) {
            case 1:
                if (rows[i][j] < 0)
                    goto next;
                break;
            default:
                sum += rows[i][j];
                if (rows[i][j] > 6)
                    goto add;
            }
        }
    add:
        sum += e[i];
    next:;
    }
    return sum;
}

int main(void) {
    double sum = 0;
    for (int i = 0; i < N; i++) {
        a[i] = (float)(i * 7 % 13) - 6;
        b[i] = (float)(i % 5);
        c[i] = (float)(i % 3);
        d[i] = (float)(i % 7) - 3;
        e[i] = (float)(i % 11);
        kind[i] = i % 5;
    }
    either();
    select_label();
    const float s = folded();
    in_callee();
    in_inner();
    out_of_loops();
    const float below = any_below();
    for (int i = 0; i < N; i++)
        sum = sum * .999 + a[i] + 2 * b[i] + 3 * c[i] + 5 * d[i] + rows[i][i % M];
    printf("%.9g %.9g %.5g\n", sum, s, below);
    return 0;
}
