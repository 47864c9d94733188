/* A number made of all bytes, so that programs with equal ones have the same bits. */
#include <stddef.h>

static unsigned long digest(const void *from, size_t bytes) {
    const unsigned char *byte = from;
    unsigned long sum = 1469598103934665603ul;
    for (size_t i = 0; i < bytes; ++i)
        sum = (sum ^ byte[i]) * 1099511628211ul;
    return sum;
}
