#include "runtime/checkpoint/files.h"
#include "runtime/checkpoint/stack.h"
#include "runtime/checkpoint/state.h"
#include "runtime/load/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 65536, STATUS_REFUSED = 78 };

/* `place`: of the manifest, what follows the run's lines. */
struct orrery_saved {
    char path[ORRERY_PATH];
    const struct orrery_store *store;
    void *file;
    char *manifest;
    const char *place;
    char loop[600];
    long ordinal, pass;
};

static void damaged(const struct orrery_saved *saved, const char *name) {
    dsm_fail(STATUS_REFUSED, "checkpoint %s cannot be read: %s: %s", saved->path, name,
             saved->store->why());
}

/* An array of the file, with a 0 behind it. */
static void *array_read(const struct orrery_saved *saved, const char *name, size_t *bytes) {
    long size = saved->store->size(saved->file, name);
    if (size < 0)
        damaged(saved, name);
    char *array = dsm_own_alloc((size_t)size + 1);
    if (saved->store->get(saved->file, name, array, (size_t)size))
        damaged(saved, name);
    array[size] = '\0';
    *bytes = (size_t)size;
    return array;
}

/* The rest of the line that begins with `key` in the manifest. */
static const char *value_of(const struct orrery_saved *saved, const char *key) {
    const char *at = strstr(saved->place, key);
    if (!at)
        dsm_fail(STATUS_REFUSED, "checkpoint %s: its manifest has no %s", saved->path, key);
    return at + strlen(key);
}

struct orrery_saved *orrery_saved_open(const char *path, const char *run) {
    struct orrery_saved *saved = dsm_own_alloc(sizeof *saved);
    char is[256], was[256];
    size_t bytes;
    *saved = (struct orrery_saved){.store = orrery_store()};
    snprintf(saved->path, sizeof saved->path, "%s", path);
    saved->file = saved->store->open(path);
    if (!saved->file)
        damaged(saved, "HDF5");
    saved->manifest = array_read(saved, "manifest", &bytes);
    if (orrery_manifest_differs(run, saved->manifest, is, was))
        dsm_fail(STATUS_REFUSED,
                 "checkpoint %s is of another run: there `%s`, here `%s`; give --checkpoint "
                 "another folder, or say --from-scratch",
                 path, was, is);
    saved->place = saved->manifest + strlen(run);
    saved->ordinal = strtol(value_of(saved, "\nentry "), NULL, 10);
    saved->pass = strtol(value_of(saved, "\npass "), NULL, 10);
    snprintf(saved->loop, sizeof saved->loop, "%.*s", (int)strcspn(saved->place, "\n"),
             saved->place);
    return saved;
}

static void loop_line(const struct orrery_entry *entry, char line[600]) {
    snprintf(line, 600, "loop %s:%d in %s", entry->ckpt_point->file, entry->ckpt_point->line,
             entry->ckpt_point->function);
}

bool orrery_saved_is_of(const struct orrery_saved *saved, const struct orrery_entry *entry) {
    char line[600];
    loop_line(entry, line);
    return saved->ordinal == entry->ordinal && strcmp(line, saved->loop) == 0;
}

const char *orrery_saved_where(const struct orrery_saved *saved) {
    static char text[700];
    snprintf(text, sizeof text, "%s, pass %ld", saved->loop, saved->pass);
    return text;
}

/* ---- is the entry the one that was saved? ---------------------------------------------------- */

static _Noreturn void refuse_data(const struct orrery_saved *saved, const char *what,
                                  const void *low, size_t bytes) {
    dsm_fail(STATUS_REFUSED,
             "checkpoint %s does not fit: the memory at %p (%lu bytes) %s than when the loop was "
             "entered then: the data or what the program does before the loop are not the same",
             saved->path, low, (unsigned long)bytes, what);
}

static void place_check(const struct orrery_saved *saved, const struct orrery_place *place) {
    char is[256], was[256];
    char *here = orrery_manifest_place(place);
    if (orrery_manifest_differs(here, saved->place, is, was))
        dsm_fail(STATUS_REFUSED, "checkpoint %s does not fit: there `%s`, here `%s`", saved->path,
                 was, is);
    dsm_own_free(here);
}

/* Is this block of the entry put back whole? `row`: of `now`, moves up to it. */
static bool is_saved(const uint64_t **row, const uint64_t *end, const struct orrery_memory *block) {
    while (*row < end && (*row)[0] < (uint64_t)(uintptr_t)block->low)
        *row += 4;
    return *row < end && (*row)[0] == (uint64_t)(uintptr_t)block->low &&
           (*row)[1] == block->bytes && (*row)[3];
}

static void blocks_check(const struct orrery_saved *saved, const struct orrery_image *is) {
    size_t bytes, now_bytes;
    uint64_t *row = array_read(saved, "entry", &bytes), *rows = row;
    uint64_t *now = array_read(saved, "now", &now_bytes);
    const uint64_t *at = now, *end = now + now_bytes / 32 * 4;
    long count = (long)(bytes / 32);
    for (long i = 0; i < count || i < is->nblocks; ++i, row += 4) {
        const struct orrery_memory *block = &is->blocks[i];
        if (i >= count)
            refuse_data(saved, "was not there", block->low, block->bytes);
        if (i >= is->nblocks || (uint64_t)(uintptr_t)block->low != row[0] || block->bytes != row[1])
            refuse_data(saved, "has another place or size", (void *)row[0], row[1]); // NOLINT
        if (block->hash != row[2] && block->masked != row[3] && !is_saved(&at, end, block))
            refuse_data(saved, "holds something else", block->low, block->bytes);
    }
    dsm_own_free(rows);
    dsm_own_free(now);
}

/* What was foreign is so again, or has the same bits. requires: blocks_check */
static void words_check(const struct orrery_saved *saved, const struct orrery_image *is) {
    size_t bytes;
    uint64_t *pairs = array_read(saved, "words", &bytes);
    for (size_t i = 0; i + 1 < bytes / 8; i += 2) {
        const char *address = (const char *)pairs[i]; // NOLINT(performance-no-int-to-ptr)
        if (!orrery_image_word(is, address) && memcmp(address, &pairs[i + 1], 8) != 0)
            refuse_data(saved, "leads elsewhere", address, 8);
    }
    dsm_own_free(pairs);
}

/* ---- putting it in place --------------------------------------------------------------------- */

/* The foreign words that lie in it are those of this process. */
static void words_keep(const struct orrery_image *entry, char *low, size_t bytes) {
    for (long w = orrery_image_words_from(entry, low);
         w < entry->nwords && entry->words[w].address < low + bytes; ++w)
        memcpy(entry->words[w].address, &entry->words[w].value, sizeof(uint64_t));
}

static void memory_put(const struct orrery_saved *saved, const struct orrery_image *entry) {
    size_t bytes, have, used = 0;
    uint64_t *rows = array_read(saved, "now", &bytes);
    char *together = array_read(saved, "memory/small", &have), name[64];
    for (const uint64_t *row = rows; row < rows + bytes / 8; row += 4) {
        char *low = (char *)row[0]; // NOLINT(performance-no-int-to-ptr)
        size_t length = row[1];
        if (!row[3])
            continue;
        dsm_acquire(low, length, true);
        snprintf(name, sizeof name, "memory/%016lx", row[0]);
        if (length >= SMALL) {
            if (saved->store->get(saved->file, name, low, length))
                damaged(saved, name);
        } else if (used + length <= have) {
            memcpy(low, together + used, length);
            used += length;
        } else {
            damaged(saved, "memory/small");
        }
        words_keep(entry, low, length);
    }
    dsm_own_free(rows);
    dsm_own_free(together);
}

static void callers_put(const struct orrery_saved *saved, const struct orrery_entry *entry) {
    size_t bytes;
    uint64_t *pairs = array_read(saved, "callers", &bytes);
    for (size_t i = 0; i + 1 < bytes / 8; i += 2) {
        char *at = (char *)pairs[i]; // NOLINT(performance-no-int-to-ptr)
        if (at < entry->frame || at + 8 > orrery_stack_range().high)
            damaged(saved, "callers");
        memcpy(at, &pairs[i + 1], sizeof(uint64_t));
    }
    dsm_own_free(pairs);
}

static void live_put(const struct orrery_saved *saved, const struct orrery_place *place) {
    char name[320];
    size_t bytes, nkeeps;
    uint64_t *keeps = array_read(saved, "keeps", &nkeeps);
    for (int i = 0; i < place->entry->nlive; ++i) {
        const struct orrery_live *live = &place->live[i];
        snprintf(name, sizeof name, "locals/%d-%.256s", i, live->name);
        char *value = array_read(saved, name, &bytes);
        if (bytes != live->size)
            damaged(saved, name);
        for (size_t k = 0; k + 1 < nkeeps / 8; k += 2)
            if (keeps[k] == (uint64_t)i && keeps[k + 1] + 8 <= bytes)
                memcpy(value + keeps[k + 1], (const char *)live->address + keeps[k + 1], 8);
        memcpy(live->address, value, bytes);
        dsm_own_free(value);
    }
    dsm_own_free(keeps);
}

long orrery_saved_restore(struct orrery_saved *saved, const struct orrery_place *place) {
    size_t bytes;
    long pass = saved->pass;
    place_check(saved, place);
    blocks_check(saved, &place->entry->image);
    words_check(saved, &place->entry->image);
    void *allocator = array_read(saved, "allocator", &bytes);
    if (!dsm_heap_put(allocator, bytes))
        damaged(saved, "allocator");
    dsm_own_free(allocator);
    memory_put(saved, &place->entry->image);
    callers_put(saved, place->entry);
    live_put(saved, place);
    saved->store->close(saved->file);
    dsm_own_free(saved->manifest);
    dsm_own_free(saved);
    return pass;
}
