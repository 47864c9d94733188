#include "tests/dsm/check.h"

#include "dsm/arrays/array.h"
#include "dsm/memory/spans.h"
#include "dsm/memory/spill.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define TAG_CHECK 5
#define TEXT_BYTES 256

static char text[TEXT_BYTES];

static bool broken(void) {
    return text[0] != '\0';
}

/* Keeps the first thing that is broken. */
static void complain(const struct dsm_array *array, const char *what, long where) {
    if (!broken()) {
        snprintf(text, sizeof text, "rank %d, array %s: %s (%ld)", dsm_world.rank,
                 array->layout.name, what, where);
    }
}

/* Invariant 4, the counts: one for each part here; a part that has not quite left adds one. */
static void uses_check(const struct dsm_array *array) {
    size_t pages = dsm_page_up(array->view_bytes) / DSM_PAGE, row = (size_t)array->row_bytes;
    uint16_t *expected =
        memset(dsm_own_alloc(pages * sizeof *expected), 0, pages * sizeof *expected);
    for (int part = 0; part < array->layout.nparts; ++part) {
        if (dsm_part_owner(array, part) < 0 || dsm_part_rows(array, part) == 0)
            continue;
        size_t first = (size_t)array->layout.cuts[part] * row / DSM_PAGE;
        size_t end = dsm_page_up((size_t)array->layout.cuts[part + 1] * row) / DSM_PAGE;
        for (size_t page = first; page < end; ++page)
            ++expected[page];
    }
    for (size_t page = 0; page < pages; ++page)
        if (array->uses[page] != expected[page])
            complain(array, "the count of a page of the view is not that of its parts", (long)page);
    dsm_own_free(expected);
}

/* Invariant 4, the protections: by stretches of pages alike. */
static void protection_check(const struct dsm_array *array) {
    size_t pages = dsm_page_up(array->view_bytes) / DSM_PAGE;
    for (size_t page = 0; page < pages;) {
        size_t end = page;
        bool used = array->uses[page] > 0;
        while (end < pages && (array->uses[end] > 0) == used)
            ++end;
        const char *low = array->view + page * DSM_PAGE;
        if (used && !dsm_memory_has(low, array->view + end * DSM_PAGE, PROT_READ | PROT_WRITE))
            complain(array, "pages of parts that are here are not accessible", (long)page);
        if (!used && dsm_memory_has(low, low + DSM_PAGE, PROT_READ))
            complain(array, "a page of parts that are elsewhere is readable", (long)page);
        page = end;
    }
}

/* Another loop's array may stand on the same home and have it guarded. */
static bool guarded_by_another(const struct dsm_array *array) {
    for (struct dsm_array *other = dsm_arrays.first; other; other = other->next) {
        if (other != array && atomic_load(&other->guarded) &&
            other->guard_low < array->guard_high && array->guard_low < other->guard_high) {
            return true;
        }
    }
    return false;
}

/* Invariants 3 and 5, on rank 0. */
static void home_check(const struct dsm_array *array) {
    enum dsm_home home = atomic_load(&array->home);
    bool away = home == DSM_HOME_LENT || home == DSM_HOME_PENDING;
    if (array->guard_low && !array->window) {
        bool readable = dsm_memory_has(array->guard_low, array->guard_low + DSM_PAGE, PROT_READ);
        if (away == readable && (away || !guarded_by_another(array)))
            complain(array, "protection of home does not fit its state", home);
    }
    if (home != DSM_HOME_SHARED || !array->view || dsm_watch_changed(array->watch))
        return;
    for (long position = 0; position < array->layout.nrows; ++position) {
        int part = 0;
        while (array->layout.cuts[part + 1] <= position)
            ++part;
        if (array->holders[part] == 0 &&
            memcmp(dsm_row_store(array, position), dsm_row_home(array, dsm_row_at(array, position)),
                   (size_t)array->row_bytes) != 0) {
            complain(array, "shared, but home and store differ in a row", position);
            return;
        }
    }
}

static void local_check(const struct dsm_array *array) {
    if (array->view) {
        uses_check(array);
        protection_check(array);
    }
    if (dsm_world.rank == 0)
        home_check(array);
}

/* Invariants 1 and 2, on rank 0: `owners[part]` counts the ranks that own it. */
static void owners_check(const struct dsm_array *array, const unsigned char *owners) {
    bool own = atomic_load(&array->home) == DSM_HOME_OWN;
    for (int part = 0; part < array->layout.nparts; ++part) {
        if (owners[part] > 1)
            complain(array, "a part has more than one owner", part);
        if (owners[part] == 0 && !own)
            complain(array, "a part has no owner though home is not valid alone", part);
    }
}

static void owners_gather(const struct dsm_array *array) {
    size_t parts = (size_t)array->layout.nparts;
    unsigned char *owners = dsm_own_alloc(2 * parts), *theirs = owners + parts;
    for (size_t part = 0; part < parts; ++part)
        owners[part] = dsm_part_owner(array, (int)part) >= 0;
    if (dsm_world.rank > 0)
        dsm_wait(dsm_message_send(DSM_BULK, 0, TAG_CHECK, owners, parts));
    for (int rank = 1; dsm_world.rank == 0 && rank < dsm_world.ranks; ++rank) {
        dsm_wait(dsm_message_receive(DSM_BULK, rank, TAG_CHECK, theirs, parts));
        for (size_t part = 0; part < parts; ++part)
            owners[part] = (unsigned char)(owners[part] + theirs[part]);
    }
    if (dsm_world.rank == 0)
        owners_check(array, owners);
    dsm_own_free(owners);
}

/* The first complaint of the lowest rank, on all ranks. */
static void complaints_gather(void) {
    if (dsm_world.rank > 0)
        dsm_wait(dsm_message_send(DSM_BULK, 0, TAG_CHECK, text, sizeof text));
    for (int rank = 1; dsm_world.rank == 0 && rank < dsm_world.ranks; ++rank) {
        char theirs[TEXT_BYTES];
        dsm_wait(dsm_message_receive(DSM_BULK, rank, TAG_CHECK, theirs, sizeof theirs));
        if (!broken())
            memcpy(text, theirs, sizeof text);
    }
    dsm_broadcast(text, sizeof text);
}

static const char *spill_check(void) {
    const char *wrong = NULL;
    struct stat status;
    off_t end = 0;
    if (!dsm_spill.on)
        return NULL;
    dsm_spill_lock();
    for (struct dsm_spilled *block = dsm_spill.first; block && !wrong; block = block->next) {
        if (block->offset < end)
            wrong = "two spilled blocks share bytes of the file";
        end = block->offset + (off_t)block->bytes;
        if (block->base && !block->sparse &&
            memchr(block->wanted, PROT_NONE, block->bytes / DSM_PAGE))
            wrong = "pages of a spilled block cannot be read";
    }
    if (!wrong && (fstat(dsm_spill.file, &status) != 0 || status.st_size < end))
        wrong = "the file of spilled memory is shorter than its blocks";
    dsm_spill_unlock();
    return wrong;
}

const char *dsm_heap_check(void) {
    pthread_mutex_lock(&dsm_heap.lock);
    const char *broken = run_check();
    for (int class = 0; class < HEAP_CLASSES && !broken; ++class) {
        for (struct span *span = dsm_heap.spans[class]; span; span = span->next)
            if (span->free == 0 || span->run->span != span || span->class != class)
                broken = "heap: a span in the list of open ones is not";
    }
    pthread_mutex_unlock(&dsm_heap.lock);
    return broken;
}

const char *dsm_check(void) {
    text[0] = '\0';
    if (dsm_world.ranks == 1)
        return spill_check();
    const char *heap = dsm_world.rank == 0 ? dsm_heap_check() : NULL;
    if (heap)
        snprintf(text, sizeof text, "rank 0: %s", heap);
    for (struct dsm_array *array = dsm_arrays.first; array; array = array->next) {
        local_check(array);
        owners_gather(array);
    }
    complaints_gather();
    return broken() ? text : NULL;
}
