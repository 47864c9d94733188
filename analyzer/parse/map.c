#include "analyzer/parse/private.h"

#include <stdint.h>

static size_t slot_of(const struct map *map, const void *key) {
    uintptr_t bits = (uintptr_t)key;
    size_t slot = (size_t)((bits * 0x9E3779B97F4A7C15u) >> 17) & (map->capacity - 1);
    while (map->keys[slot] && map->keys[slot] != key)
        slot = (slot + 1) & (map->capacity - 1);
    return slot;
}

void *map_get(const struct map *map, const void *key) {
    if (!map->count || !key)
        return NULL;
    size_t slot = slot_of(map, key);
    return map->keys[slot] ? map->values[slot] : NULL;
}

static void grow(struct arena *arena, struct map *map) {
    struct map old = *map;
    map->capacity = old.capacity ? 2 * old.capacity : 64;
    map->keys = arena_alloc(arena, map->capacity * sizeof *map->keys);
    map->values = arena_alloc(arena, map->capacity * sizeof *map->values);
    for (size_t i = 0; i < old.capacity; ++i) {
        if (!old.keys[i])
            continue;
        size_t slot = slot_of(map, old.keys[i]);
        map->keys[slot] = old.keys[i];
        map->values[slot] = old.values[i];
    }
}

void map_put(struct arena *arena, struct map *map, const void *key, void *value) {
    if (!key)
        return;
    if (2 * (map->count + 1) > map->capacity)
        grow(arena, map);
    size_t slot = slot_of(map, key);
    if (!map->keys[slot])
        ++map->count;
    map->keys[slot] = key;
    map->values[slot] = value;
}
