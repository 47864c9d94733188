/*
 * An image: what the program's memory held at one moment, as hashes. Blocks of the global heap and
 * pieces of its static data, addresses rising; of what looks foreign in them (foreign.h) the words
 * themselves. `hash`: of all bytes; `masked`: of the same with 0 for those words.
 */
#ifndef ORRERY_CHECKPOINT_IMAGE_H
#define ORRERY_CHECKPOINT_IMAGE_H

#include "runtime/checkpoint/foreign.h"

struct orrery_memory {
    char *low;
    size_t bytes;
    uint64_t hash, masked;
};

struct orrery_word {
    char *address;
    uint64_t value;
};

struct orrery_image {
    long nblocks, nwords;
    struct orrery_memory *blocks;
    struct orrery_word *words;
};

/* Rank 0 in serial code. Collects what other ranks have. With `entry`: words are looked for, and
 * `masked` is set, in blocks that have changed since then. */
void orrery_image_take(struct orrery_image *image, const struct orrery_foreign *foreign,
                       const struct orrery_image *entry);
void orrery_image_free(struct orrery_image *image);

/* NULL: not there. */
const struct orrery_word *orrery_image_word(const struct orrery_image *image, const char *address);

/* The first word at or behind an address: an index, nwords when there is none. */
long orrery_image_words_from(const struct orrery_image *image, const char *address);

/* The block is not what it was in `entry`: it has other bytes, or was not there. */
bool orrery_image_changed(const struct orrery_image *entry, const struct orrery_memory *block);

#endif
