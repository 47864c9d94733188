/* emit: 4 */
/* A subscript is a sum of two keys and of the variable of a loop inside. The three were taken for
 * one key, which does not move while an iteration runs; its text then named the loop's variable, or
 * one of the file that has the same name. */
#include <stdio.h>

enum { COUNT = 600, CELLS = 1300 };

int k = 1;
static double cells[CELLS];
static int begin[COUNT], offset[COUNT], factor[COUNT];

static void fill(void) {
    for (int i = 0; i < COUNT; ++i)
        begin[i] = i / 2, offset[i] = i - i / 2, factor[i] = 1 + i % 3;
    for (int i = 0; i < CELLS; ++i)
        cells[i] = i;
}

static void show(const char *name) {
    double sum = 0;
    for (int i = 0; i < CELLS; ++i)
        sum = sum * .999 + cells[i];
    printf("%s %.17g\n", name, sum);
}

/* Iterations overlap by three elements. */
static void hides(void) {
#pragma orrery parallel
    for (int i = 0; i < COUNT; ++i)
        for (int k = 0; k < 4; ++k)
            cells[begin[i] + offset[i] + k] = cells[begin[i] + offset[i] + k] * .9 + i;
}

static void own_name(void) {
#pragma orrery parallel
    for (int i = 0; i < COUNT; ++i)
        for (int q = 0; q < 4; ++q)
            cells[begin[i] + offset[i] + q] = cells[begin[i] + offset[i] + q] * .9 + i;
}

/* A sum that goes down: what is read in front of the loop is a key, too. */
static void down(int by) {
#pragma orrery parallel
    for (int i = 0; i < COUNT; ++i) {
        int left = factor[i], at = offset[i] + by;
        for (; left > 0; left--, at += 3)
            cells[at] = cells[at] * .9 + i;
    }
}

static void scaled(void) {
#pragma orrery parallel
    for (int i = 0; i < COUNT; ++i)
        for (int q = 0; q < 3; ++q)
            cells[begin[i] + offset[i] + i + q * 2] += i;
}

int main(void) {
    fill();
    hides();
    show("hides");
    own_name();
    show("own name");
    down(2);
    show("down");
    scaled();
    show("scaled");
    return 0;
}
