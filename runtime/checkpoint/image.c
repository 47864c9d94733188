#include "runtime/checkpoint/image.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Of static data. */
enum { PIECE = 65536 };

/* The runtime's own static data, which the build gives sections of their own. */
extern char __start_orrery_data[] __attribute__((weak)), __stop_orrery_data[] __attribute__((weak));
extern char __start_orrery_bss[] __attribute__((weak)), __stop_orrery_bss[] __attribute__((weak));

static void block_add(void *data, char *low, size_t bytes) {
    struct orrery_image *image = data;
    if (bytes == 0)
        return;
    if ((image->nblocks & (image->nblocks - 1)) == 0) {
        size_t room = image->nblocks ? 2 * (size_t)image->nblocks : 1;
        image->blocks = dsm_own_realloc(image->blocks, room * sizeof *image->blocks);
    }
    image->blocks[image->nblocks++] = (struct orrery_memory){low, bytes, 0, 0};
}

static void word_add(struct orrery_image *image, char *address, uint64_t value) {
    if ((image->nwords & (image->nwords - 1)) == 0) {
        size_t room = image->nwords ? 2 * (size_t)image->nwords : 1;
        image->words = dsm_own_realloc(image->words, room * sizeof *image->words);
    }
    image->words[image->nwords++] = (struct orrery_word){address, value};
}

/* ---- static data ---- */

static void pieces_add(struct orrery_image *image, uintptr_t low, uintptr_t high) {
    low = (low + 7) & ~(uintptr_t)7;
    while (low < high) {
        uintptr_t end = (low | (PIECE - 1)) + 1;
        size_t bytes = (end < high ? end : high) - low;
        block_add(image, (char *)low, bytes); // NOLINT(performance-no-int-to-ptr)
        low = end;
    }
}

/* Without what lies in [low, high). */
static uintptr_t pieces_until(struct orrery_image *image, uintptr_t at, const char *low,
                              const char *high) {
    if (!low || (uintptr_t)high <= at)
        return at;
    if ((uintptr_t)low > at)
        pieces_add(image, at, (uintptr_t)low);
    return (uintptr_t)high;
}

static void statics_add(struct orrery_image *image) {
    struct dsm_range range = dsm_static_range();
    uintptr_t at = (uintptr_t)range.low;
    at = pieces_until(image, at, __start_orrery_data, __stop_orrery_data);
    at = pieces_until(image, at, __start_orrery_bss, __stop_orrery_bss);
    if (at < (uintptr_t)range.high)
        pieces_add(image, at, (uintptr_t)range.high);
}

/* ---- content ---- */

struct reading {
    struct orrery_image *image;
    const struct orrery_foreign *foreign;
    const struct orrery_image *entry;
    XXH64_state_t masked; /* of the block that is read, without its foreign words */
};

/* Copies a part of a block, with 0 for its foreign words. */
static void part_read(struct reading *reading, char *at, size_t bytes, char *part) {
    memcpy(part, at, bytes);
    for (size_t i = 0; i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, part + i, sizeof word);
        if (orrery_is_foreign(reading->foreign, word)) {
            word_add(reading->image, at + i, word);
            memset(part + i, 0, sizeof word);
        }
    }
}

/* The words of the block, and its hash without them. */
static void block_mask(struct reading *reading, struct orrery_memory *block) {
    _Alignas(64) char part[16384];
    char *at = block->low, *end = at + block->bytes;
    XXH64_reset(&reading->masked, 0);
    while (at < end) {
        size_t left = (size_t)(end - at), bytes = left < sizeof part ? left : sizeof part;
        part_read(reading, at, bytes, part);
        XXH64_update(&reading->masked, part, bytes);
        at += bytes;
    }
    block->masked = XXH64_digest(&reading->masked);
}

static void block_read(struct reading *reading, struct orrery_memory *block) {
    dsm_acquire(block->low, block->bytes, false);
    block->hash = XXH64(block->low, block->bytes, 0);
    if (!reading->entry || orrery_image_changed(reading->entry, block))
        block_mask(reading, block);
}

void orrery_image_take(struct orrery_image *image, const struct orrery_foreign *foreign,
                       const struct orrery_image *entry) {
    *image = (struct orrery_image){0};
    statics_add(image);
    dsm_heap_each(block_add, image);
    struct reading reading = {.image = image, .foreign = foreign, .entry = entry};
    for (long i = 0; i < image->nblocks; ++i)
        block_read(&reading, &image->blocks[i]);
}

void orrery_image_free(struct orrery_image *image) {
    dsm_own_free(image->blocks);
    dsm_own_free(image->words);
    *image = (struct orrery_image){0};
}

/* ---- looking ---- */

/* NULL: not there. */
static const struct orrery_memory *image_block(const struct orrery_image *image, const char *low) {
    long from = 0, to = image->nblocks;
    while (from < to) {
        long middle = (from + to) / 2;
        if (image->blocks[middle].low < low)
            from = middle + 1;
        else
            to = middle;
    }
    return from < image->nblocks && image->blocks[from].low == low ? &image->blocks[from] : NULL;
}

long orrery_image_words_from(const struct orrery_image *image, const char *address) {
    long from = 0, to = image->nwords;
    while (from < to) {
        long middle = (from + to) / 2;
        if (image->words[middle].address < address)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

const struct orrery_word *orrery_image_word(const struct orrery_image *image, const char *address) {
    long at = orrery_image_words_from(image, address);
    return at < image->nwords && image->words[at].address == address ? &image->words[at] : NULL;
}

bool orrery_image_changed(const struct orrery_image *entry, const struct orrery_memory *block) {
    const struct orrery_memory *was = image_block(entry, block->low);
    return !was || was->bytes != block->bytes || was->hash != block->hash;
}
