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
} foreign;

void dsm_foreign_library(const void *base, int change) {
    atomic_fetch_add_explicit(&foreign.library, change, memory_order_relaxed);
    if (change > 0)
        atomic_store_explicit(&foreign.library_last, base, memory_order_relaxed);
}

void dsm_foreign_map(const void *base) {
    dsm_lock_take(&foreign.lock);
    if (foreign.nmappings < MOST)
        foreign.mappings[foreign.nmappings++] = base;
    else
        foreign.overflown = base;
    dsm_lock_give(&foreign.lock);
}

void dsm_foreign_unmap(const void *base) {
    dsm_lock_take(&foreign.lock);
    for (int i = 0; i < foreign.nmappings; ++i) {
        if (foreign.mappings[i] == base) {
            foreign.mappings[i] = foreign.mappings[--foreign.nmappings];
            break;
        }
    }
    dsm_lock_give(&foreign.lock);
}

const void *dsm_heap_foreign(void) {
    dsm_lock_take(&foreign.lock);
    const void *mapping = foreign.nmappings ? foreign.mappings[0] : foreign.overflown;
    dsm_lock_give(&foreign.lock);
    if (mapping)
        return mapping;
    return atomic_load(&foreign.library) > 0 ? atomic_load(&foreign.library_last) : NULL;
}
