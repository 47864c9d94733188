/* Memory of the program outside of the global heap, as far as images must know: is there any? */
#include "dsm/memory/memory.h"

/* Bases of writable mappings; those beyond are counted for good. */
enum { MOST = 64 };

static struct {
    struct dsm_lock lock; /* of the mappings */
    int nmappings;
    const void *mappings[MOST];
    const void *overflown;            /* one that there was no room for; NULL */
    atomic_long library;              /* blocks of the C library */
    const void *_Atomic library_last; /* the newest of them */
} strange;

void dsm_strange_library(const void *base, int change) {
    atomic_fetch_add_explicit(&strange.library, change, memory_order_relaxed);
    if (change > 0)
        atomic_store_explicit(&strange.library_last, base, memory_order_relaxed);
}

void dsm_strange_map(const void *base) {
    dsm_lock_take(&strange.lock);
    if (strange.nmappings < MOST)
        strange.mappings[strange.nmappings++] = base;
    else
        strange.overflown = base;
    dsm_lock_give(&strange.lock);
}

void dsm_strange_unmap(const void *base) {
    dsm_lock_take(&strange.lock);
    for (int i = 0; i < strange.nmappings; ++i) {
        if (strange.mappings[i] == base) {
            strange.mappings[i] = strange.mappings[--strange.nmappings];
            break;
        }
    }
    dsm_lock_give(&strange.lock);
}

const void *dsm_heap_strange(void) {
    dsm_lock_take(&strange.lock);
    const void *mapping = strange.nmappings ? strange.mappings[0] : strange.overflown;
    dsm_lock_give(&strange.lock);
    if (mapping)
        return mapping;
    return atomic_load(&strange.library) > 0 ? atomic_load(&strange.library_last) : NULL;
}
