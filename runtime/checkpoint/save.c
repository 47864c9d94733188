#include "runtime/checkpoint/stack.h"
#include "runtime/checkpoint/state.h"
#include "runtime/load/store.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Smaller blocks go into one array, one behind the other. */
enum { SMALL = 65536 };

/* A checkpoint that is being written. */
struct saving {
    const struct orrery_store *store; /* how files are written */
    void *file;                       /* the store's */
    const struct orrery_place *place; /* where the program is */
    struct orrery_foreign foreign;    /* words that lead out of what is saved */
    struct orrery_image now;          /* what memory there is */
    uint64_t *keeps;                  /* pairs (variable, offset) of foreign words in variables */
    uint64_t *callers;                /* the same of the stack's */
    long nkeeps, ncallers;            /* pairs in `keeps` and `callers` */
    struct dsm_status *status;        /* failed: it cannot be saved, or something was not written */
};

static void put(struct saving *saving, const char *name, const void *bytes, size_t count) {
    if (!saving->status->failed && saving->store->put(saving->file, name, bytes, count))
        dsm_status_fail(saving->status, "%s: %s", name, saving->store->why());
}

static void push_pair(uint64_t **pairs, long *count, uint64_t a, uint64_t b) {
    *pairs = dsm_own_realloc(*pairs, (size_t)(*count + 1) * 2 * sizeof **pairs);
    (*pairs)[2 * *count] = a;
    (*pairs)[2 * *count + 1] = b;
    ++*count;
}

/* ---- may it be saved? ------------------------------------------------------------------------ */

static bool say_foreign(const struct saving *saving, const char *what, const void *address,
                        uint64_t value) {
    return dsm_status_fail(
        saving->status,
        "%s at %p has been set to %#lx, which leads to memory that is not the program's (a "
        "file, or memory of a library or of a function that has returned)",
        what, address, value);
}

/* Foreign words of blocks that are saved are those of the entry. */
static bool words_check(const struct saving *saving) {
    const struct orrery_image *now = &saving->now, *entry = &saving->place->entry->image;
    for (long i = 0; i < now->nblocks; ++i) {
        const struct orrery_memory *block = &now->blocks[i];
        if (!orrery_image_changed(entry, block))
            continue;
        for (long w = orrery_image_words_from(now, block->low);
             w < now->nwords && now->words[w].address < block->low + block->bytes; ++w) {
            const struct orrery_word *was = orrery_image_word(entry, now->words[w].address);
            if (!was || was->value != now->words[w].value)
                return say_foreign(saving, "memory", now->words[w].address, now->words[w].value);
        }
    }
    return true;
}

static bool live_check(struct saving *saving) {
    for (int i = 0; i < saving->place->entry->nlive; ++i) {
        const struct orrery_live *live = &saving->place->live[i];
        const char *was = saving->place->entry->live[i];
        for (size_t at = 0; live->pointers && at + 8 <= live->size; at += 8) {
            uint64_t word, before;
            memcpy(&word, (const char *)live->address + at, sizeof word);
            memcpy(&before, was + at, sizeof before);
            if (!orrery_is_foreign(&saving->foreign, word))
                continue;
            if (word != before)
                return say_foreign(saving, live->name, live->address, word);
            push_pair(&saving->keeps, &saving->nkeeps, (uint64_t)i, at);
        }
    }
    return true;
}

/* Words of the stack above that have changed. */
static bool callers_check(struct saving *saving) {
    const struct orrery_entry *entry = saving->place->entry;
    size_t bytes = (size_t)(orrery_stack_range().high - entry->frame);
    for (size_t at = 0; at + 8 <= bytes; at += 8) {
        uint64_t word, before;
        memcpy(&word, entry->frame + at, sizeof word);
        memcpy(&before, entry->callers + at, sizeof before);
        if (word == before)
            continue;
        if (orrery_is_foreign(&saving->foreign, word))
            return say_foreign(saving, "a variable of a calling function", entry->frame + at, word);
        push_pair(&saving->callers, &saving->ncallers, (uint64_t)(uintptr_t)(entry->frame + at),
                  word);
    }
    return true;
}

static bool may_be_saved(struct saving *saving) {
    const void *foreign = dsm_heap_foreign();
    if (foreign)
        return dsm_status_fail(
            saving->status,
            "the program has memory at %p that it mapped (mmap) or got before main; only what "
            "malloc returns is saved",
            foreign);
    return orrery_inside(saving->status) && words_check(saving) && live_check(saving) &&
           callers_check(saving);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_manifest(struct saving *saving, const char *run) {
    char *place = orrery_manifest_place(saving->place);
    char host[256] = "", when[64] = "";
    time_t now = time(NULL);
    struct tm parts;
    gethostname(host, sizeof host - 1);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    size_t room = strlen(run) + strlen(place) + 1024;
    char *text = dsm_own_alloc(room);
    int length = snprintf(text, room, "%s%spass %ld\nranks %d\nhost %s\nwritten %s\n", run, place,
                          saving->place->pass, dsm_ranks(), host, when);
    put(saving, "manifest", text, (size_t)length);
    dsm_own_free(place);
    dsm_own_free(text);
}

/* The last column: of the entry the other hash, of now whether the block is saved. */
static void put_blocks(struct saving *saving, const char *name, const struct orrery_image *image) {
    size_t bytes = (size_t)image->nblocks * 4 * sizeof(uint64_t);
    bool is_now = image == &saving->now;
    uint64_t *rows = dsm_own_alloc(bytes + 1), *row = rows;
    for (long i = 0; i < image->nblocks; ++i, row += 4) {
        row[0] = (uint64_t)(uintptr_t)image->blocks[i].low;
        row[1] = image->blocks[i].bytes;
        row[2] = image->blocks[i].hash;
        row[3] = image->blocks[i].masked;
        if (is_now)
            row[3] = orrery_image_changed(&saving->place->entry->image, &image->blocks[i]);
    }
    put(saving, name, rows, bytes);
    dsm_own_free(rows);
}

static void put_words(struct saving *saving) {
    const struct orrery_image *entry = &saving->place->entry->image;
    size_t bytes = (size_t)entry->nwords * 2 * sizeof(uint64_t);
    uint64_t *rows = dsm_own_alloc(bytes + 1);
    for (long i = 0; i < entry->nwords; ++i) {
        rows[2 * i] = (uint64_t)(uintptr_t)entry->words[i].address;
        rows[2 * i + 1] = entry->words[i].value;
    }
    put(saving, "words", rows, bytes);
    dsm_own_free(rows);
}

static void put_memory(struct saving *saving) {
    const struct orrery_image *now = &saving->now;
    size_t small = 0, used = 0;
    for (long i = 0; i < now->nblocks; ++i)
        small += now->blocks[i].bytes < SMALL ? now->blocks[i].bytes : 0;
    char *together = dsm_own_alloc(small + 1), name[64];
    for (long i = 0; i < now->nblocks; ++i) {
        const struct orrery_memory *block = &now->blocks[i];
        if (!orrery_image_changed(&saving->place->entry->image, block))
            continue;
        if (block->bytes < SMALL) {
            memcpy(together + used, block->low, block->bytes);
            used += block->bytes;
            continue;
        }
        snprintf(name, sizeof name, "memory/%016lx", (unsigned long)(uintptr_t)block->low);
        put(saving, name, block->low, block->bytes);
    }
    put(saving, "memory/small", together, used);
    dsm_own_free(together);
}

static void put_rest(struct saving *saving) {
    char name[320];
    size_t bytes;
    void *allocator = dsm_heap_get(&bytes);
    put(saving, "allocator", allocator, bytes);
    dsm_own_free(allocator);
    put(saving, "callers", saving->callers, (size_t)saving->ncallers * 16);
    put(saving, "keeps", saving->keeps, (size_t)saving->nkeeps * 16);
    for (int i = 0; i < saving->place->entry->nlive; ++i) {
        const struct orrery_live *live = &saving->place->live[i];
        snprintf(name, sizeof name, "locals/%d-%.256s", i, live->name);
        put(saving, name, live->address, live->size);
    }
}

static void write_all(struct saving *saving, const char *path, const char *run) {
    saving->store = orrery_store();
    saving->file = saving->store->create(path, 512);
    if (!saving->file) {
        dsm_status_fail(saving->status, "%s: %s", path, saving->store->why());
        return;
    }
    put_manifest(saving, run);
    put_blocks(saving, "entry", &saving->place->entry->image);
    put_blocks(saving, "now", &saving->now);
    put_words(saving);
    put_memory(saving);
    put_rest(saving);
    if (saving->store->close(saving->file))
        dsm_status_fail(saving->status, "%s: %s", path, saving->store->why());
}

bool orrery_save_write(const char *path, const char *run, const struct orrery_place *place,
                       struct dsm_status *status) {
    struct saving saving = {.place = place, .status = status};
    orrery_foreign_read(&saving.foreign, place->entry->frame);
    for (int i = 0; i < place->entry->nlive; ++i)
        if (place->live[i].direct)
            orrery_foreign_name(&saving.foreign, place->live[i].address, place->live[i].size);
    orrery_image_take(&saving.now, &saving.foreign, &place->entry->image);
    if (may_be_saved(&saving))
        write_all(&saving, path, run);
    if (status->failed)
        unlink(path);
    orrery_image_free(&saving.now);
    orrery_foreign_free(&saving.foreign);
    dsm_own_free(saving.keeps);
    dsm_own_free(saving.callers);
    return !status->failed;
}
