/* emit: 5 */
/* Values of many operations, of which the text would double with every statement: what they choose
 * is not known then, and loops that only store them are parallel. */
#include <stdio.h>

enum { N = 3000 };

static unsigned t[256], x[N + 1], out[N], hist[N + 256], last[16];
static double d[N];

#define CRC c = (c >> 8) ^ t[(c ^ x[i]) & 255];
#define CRC8 CRC CRC CRC CRC CRC CRC CRC CRC
#define MIX                                                                                        \
    h ^= h >> 16;                                                                                  \
    h *= 0x85ebca6bu;                                                                              \
    h ^= h >> 13;                                                                                  \
    h *= 0xc2b2ae35u;                                                                              \
    h ^= h >> 16;
#define MIX8 MIX MIX MIX MIX MIX MIX MIX MIX

static void stored(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        unsigned c = x[i];
        CRC8 CRC8 CRC8 CRC8 out[i] = c;
    }
}

static void counted(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        unsigned c = x[i];
        CRC8 CRC8 hist[c & 255] += i;
    }
}

static void chosen(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        unsigned h = x[i];
        MIX8 last[h & 15] = last[h & 15] * 3 + x[i];
    }
}

static void decided(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        unsigned h = x[i];
        MIX8 if (h & 1) out[i] ^= h;
        else d[i] = h * .5;
    }
}

static void displaced(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        unsigned h = x[i];
        MIX8 out[(i + (h & 1)) % N] += x[i];
    }
}

static void moved(void) {
#pragma orrery parallel
    for (int i = 0; i < N - 255; i++) {
        unsigned h = x[i];
        MIX8 hist[i + (h & 7)] = hist[i + (h & 7)] * 2 + 1;
    }
}

static void bounded(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        unsigned h = x[i];
        MIX8 double sum = 0;
        for (unsigned j = 0; j < (h & 7); j++)
            sum += x[j];
        d[i] += sum;
    }
}

int main(void) {
    unsigned long all = 0;
    for (int i = 0; i < 256; i++)
        t[i] = i * 2654435761u;
    for (int i = 0; i <= N; i++)
        x[i] = i * 40503u ^ i << 7;
    stored();
    counted();
    chosen();
    decided();
    displaced();
    moved();
    bounded();
    for (int i = 0; i < N; i++)
        all = all * 31 + out[i] + hist[i] + (unsigned long)d[i] + last[i % 16];
    printf("%lu\n", all);
    return 0;
}
