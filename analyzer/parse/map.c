#include "analyzer/parse/private.h"

#include <stdint.h>

void *map_get(const struct map *map, const void *key) {
    int at = key ? table_get(&map->places, (uintptr_t)key) : -1;
    return at < 0 ? NULL : map->values[at];
}

void map_put(struct arena *arena, struct map *map, const void *key, void *value) {
    int at = key ? table_get(&map->places, (uintptr_t)key) : -1;
    map->places.arena = arena;
    if (at >= 0) {
        map->values[at] = value;
    } else if (key) {
        table_put(&map->places, (uintptr_t)key, map->count);
        ARENA_PUSH(arena, map->values, map->count, value);
    }
}
