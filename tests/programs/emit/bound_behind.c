/* emit: 2 */
/* A pointer that walks up to a bound which stands behind another pointer, where what is written may be that bound:
 * the run looks, and needs the way there. */
#include <stdio.h>
#include <string.h>

struct buffer {
    unsigned char *out;
    long n, size;
    unsigned char bytes[4000];
};

static void slide(struct buffer *s, unsigned char *to) {
    unsigned char *p = s->out + s->n, *q = to + s->size;
#pragma orrery parallel
    while (p > s->out)
        *--q = *--p;
}

static void copy(struct buffer *s, unsigned char *p, const unsigned char *q) {
#pragma orrery parallel
    while (p < s->out)
        *p++ = (unsigned char)(*q++ + 1);
}

int main(void) {
    static struct buffer s;
    static unsigned char to[5000];
    unsigned sum = 0;
    s.out = s.bytes, s.n = 3000, s.size = 5000;
    for (int i = 0; i < 4000; ++i)
        s.bytes[i] = (unsigned char)(i * 7);
    slide(&s, to);
    s.out = to + 1500;
    copy(&s, to, s.bytes);
    for (int i = 0; i < 5000; ++i)
        sum = sum * 31 + to[i];
    printf("%u\n", sum);
    return 0;
}
