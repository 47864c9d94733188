/* Numbers by number: a hash table in an arena. All zero but for `arena` is an empty one. */
#ifndef ORRERY_ANALYZER_TABLE_H
#define ORRERY_ANALYZER_TABLE_H

#include "analyzer/arena.h"

#include <stddef.h>
#include <stdint.h>

struct int_table {
    struct arena *arena;
    size_t count, capacity;
    uint64_t *keys; /* plus 1; 0: free */
    int *values;
};

/* The value of `key`, -1 when it has none. */
int table_get(const struct int_table *table, uint64_t key);
void table_put(struct int_table *table, uint64_t key, int value);

/* One key of two numbers. */
static inline uint64_t table_pair(int a, int b) {
    return (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
}

#endif
