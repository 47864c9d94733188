/* Memory of the program outside of the global heap, as far as images must know: is there any? */
#include "dsm/memory/memory.h"

/* Bases of writable mappings; those beyond are counted for good. */
enum { MOST = 64 };

static struct dsm_lock lock;
static const void *mappings[MOST];
static int nmappings;
static const void *overflown;
static atomic_long library;
static const void *_Atomic library_last;

void dsm_strange_library(const void *base, int change) {
    atomic_fetch_add_explicit(&library, change, memory_order_relaxed);
    if (change > 0)
        atomic_store_explicit(&library_last, base, memory_order_relaxed);
}

void dsm_strange_map(const void *base) {
    dsm_lock_take(&lock);
    if (nmappings < MOST)
        mappings[nmappings++] = base;
    else
        overflown = base;
    dsm_lock_give(&lock);
}

void dsm_strange_unmap(const void *base) {
    dsm_lock_take(&lock);
    for (int i = 0; i < nmappings; ++i) {
        if (mappings[i] == base) {
            mappings[i] = mappings[--nmappings];
            break;
        }
    }
    dsm_lock_give(&lock);
}

const void *dsm_heap_strange(void) {
    dsm_lock_take(&lock);
    const void *mapping = nmappings ? mappings[0] : overflown;
    dsm_lock_give(&lock);
    if (mapping)
        return mapping;
    return atomic_load(&library) > 0 ? atomic_load(&library_last) : NULL;
}
