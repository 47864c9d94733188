#include "analyzer/table.h"

static size_t slot_of(const struct int_table *table, uint64_t key) {
    size_t slot = (size_t)((key * 0x9E3779B97F4A7C15u) >> 20) & (table->capacity - 1);
    while (table->keys[slot] && table->keys[slot] != key + 1)
        slot = (slot + 1) & (table->capacity - 1);
    return slot;
}

int table_get(const struct int_table *table, uint64_t key) {
    if (!table->count)
        return -1;
    size_t slot = slot_of(table, key);
    return table->keys[slot] ? table->values[slot] : -1;
}

static void grow(struct int_table *table) {
    struct int_table old = *table;
    table->capacity = old.capacity ? 2 * old.capacity : 64;
    table->keys = arena_alloc(table->arena, table->capacity * sizeof *table->keys);
    table->values = arena_alloc(table->arena, table->capacity * sizeof *table->values);
    for (size_t i = 0; i < old.capacity; ++i) {
        if (!old.keys[i])
            continue;
        size_t slot = slot_of(table, old.keys[i] - 1);
        table->keys[slot] = old.keys[i];
        table->values[slot] = old.values[i];
    }
}

void table_put(struct int_table *table, uint64_t key, int value) {
    if (2 * (table->count + 1) > table->capacity)
        grow(table);
    size_t slot = slot_of(table, key);
    table->count += !table->keys[slot];
    table->keys[slot] = key + 1;
    table->values[slot] = value;
}
