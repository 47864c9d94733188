#!/bin/bash
# Loops whose iterations repeat are noted many iterations at a time: which iterations met, and how
# often, is what counting by hand gives; across strides that change, parts that are skipped, rows
# that are short and their sums, words used in halves, and elements that an iteration reads twice.
. "$(dirname "$0")/accesses.sh"
cat >repeat.c <<'END'
#include <stdio.h>
static double a[4096], d[4096], e[40];
static float f[4096];
static int hits[1000], place[2000], count, last;
static double half(double x, int i) {
    double own[2];
    own[i % 2] = x;
    own[(i + 1) % 2] = 0.5 * x;
    return own[0] + own[1];
}
int main(void) {
    for (int i = 0; i < 2000; i++)
        place[i] = i * 7 % 1000;
    for (int i = 0; i < 2000; i++)
        a[i + 1] = a[i] + 1;
    for (int i = 0; i < 2000; i++)
        f[i + 3] = f[i] + f[i + 9];
    for (int i = 0; i < 2000; i++) {
        int k = i < 700 ? i : i + 5;
        a[k + 2] = a[k] + half(a[k], i);
    }
    for (int i = 0; i < 2000; i++)
        if (i % 100 == 7)
            count += place[i];
    for (int i = 0; i < 2000; i++)
        hits[place[i]]++;
    for (int i = 0; i < 2000; i++)
        f[2000 - i] = f[2002 - i];
    for (int r = 0; r < 50; r++)
        for (int k = 0; k < 10; k++)
            d[r + k] += a[10 * r + k];
    for (int i = 0; i < 2000; i++) {
        d[i] = i;
        ((float *)d)[2 * i + 5] = 1;
    }
    for (int i = 0; i < 2000; i++) {
        last = last + 1;
        if (i == 1500)
            break;
    }
    for (int i = 0; i < 2000; i++)
        f[i] = f[i] * f[i] + f[i + 2];
    for (int i = 1; i < 2000; i++) {
        f[i] = i;
        f[i - 1] = f[i] * f[i];
    }
    for (int t = 0; t < 3; t++) {
        for (int r = 0; r < 40; r++) {
            double sum = 0;
            for (int p = 12 * r; p < 12 * r + 12; p++)
                sum += a[p] * d[place[p]];
            e[r] = sum;
        }
        for (int r = 0; r < 40; r++)
            d[r] = e[r];
    }
    for (int r = 0; r < 40; r++) {
        float sum = 0;
        for (int k = 0; k < r; k++)
            sum += f[40 * r + k] * f[r];
        f[r] = sum;
    }
    printf("%g %g %g %d %d %d\n", a[99], d[99], f[99], hits[9], count, last);
    return 0;
}
END
cat >expected <<'END'
14 flow a [[1, 1999]]
16 anti f [[6, 1994]]
16 flow f [[3, 1997]]
18 flow a [[2, 1996]]
22 flow count [[100, 19]]
22 output count [[100, 19]]
25 flow hits [[1000, 1000]]
25 output hits [[1000, 1000]]
27 flow f [[2, 1998]]
29 flow d [[1, 441]]
29 output d [[1, 441]]
32 output d [[2, 1998]]
36 flow last [[1, 1500]]
36 output last [[1, 1500]]
41 anti f [[2, 1998]]
43 anti f [[1, 1998]]
43 output f [[1, 1998]]
47 anti e [[1, 80]]
47 flow d [[1, 48]]
47 output d [[1, 80]]
47 output e [[1, 80]]
50 flow sum [[1, 1320]]
50 output sum [[1, 1320]]
59 flow sum [[1, 741]]
59 output sum [[1, 741]]
END
for compiler in $(compilers); do
    export ORRERY_CC=$compiler
    watch repeat.c
    [ "$status" = 0 ] || fail "$compiler: exit status $status: $(cat err)"
    python3 -c '
import json
for loop in json.load(open("out"))["loops"]:
    for met in loop["conflicts"]:
        print(loop["line"], met["kind"], met["object"], met["distances"])' | sort >said
    diff expected said >&2 || fail "$compiler: other iterations met"
done
