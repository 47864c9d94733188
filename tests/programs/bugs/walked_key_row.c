/* emit: 3 */
/* The row of a key is walked with a pointer. Between two workers rows lie in another order while
 * the loop runs, and the records hold the places there: only where all of the text that leads to
 * the rows takes the key from the record. */
#include <stdio.h>

enum { KEYS = 12, WIDTH = 5, COUNT = 480 };

static unsigned rows[KEYS * WIDTH], weights[COUNT];
static int key[COUNT];

static void fill(void) {
    for (int i = 0; i < COUNT; ++i)
        key[i] = (i * 7 + i / 5) % KEYS, weights[i] = (unsigned)i * 2654435761u;
    for (int i = 0; i < KEYS * WIDTH; ++i)
        rows[i] = (unsigned)i;
}

static void show(const char *name) {
    unsigned sum = 0;
    for (int i = 0; i < KEYS * WIDTH; ++i)
        sum = sum * 31u + rows[i];
    printf("%s %u\n", name, sum);
}

static void moved(int width) {
#pragma orrery parallel unordered
    for (int i = 0; i < COUNT; ++i) {
        unsigned *w = rows + key[i] * width;
        for (int j = 0; j < width; ++j) {
            *w = *w * 3u + 1u;
            w += 1;
        }
    }
}

static void pushed(int width) {
#pragma orrery parallel unordered
    for (int i = 0; i < COUNT; ++i) {
        unsigned *w = &rows[key[i] * width];
        for (int j = 0; j < width; ++j)
            *w++ += weights[i];
    }
}

static void half_walked(int width) {
#pragma orrery parallel unordered
    for (int i = 0; i < COUNT; ++i) {
        unsigned *w = rows + key[i] * width, *first = w;
        for (int j = 0; j < width; ++j, ++w)
            *w = *w * 5u + 3u;
        first[0] ^= 1u;
    }
}

int main(void) {
    fill();
    moved(WIDTH);
    show("moved");
    pushed(WIDTH);
    show("pushed");
    half_walked(WIDTH);
    show("half walked");
    return 0;
}
