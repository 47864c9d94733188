/* XXH64 (Collet, xxHash, BSD 2-clause specification): 64 bits of a stream of bytes. */
#ifndef ORRERY_CHECKPOINT_HASH_H
#define ORRERY_CHECKPOINT_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ORRERY_PRIME_1 0x9E3779B185EBCA87UL
#define ORRERY_PRIME_2 0xC2B2AE3D27D4EB4FUL
#define ORRERY_PRIME_3 0x165667B19E3779F9UL
#define ORRERY_PRIME_4 0x85EBCA77C2B2AE63UL
#define ORRERY_PRIME_5 0x27D4EB2F165667C5UL

/* Of what was added; all but the last addition have a length that 32 divides. */
struct orrery_hash {
    uint64_t lane[4], bytes;
};

static inline uint64_t orrery_rotate(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

static inline uint64_t orrery_word_at(const char *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static inline uint64_t orrery_hash_round(uint64_t lane, uint64_t word) {
    return orrery_rotate(lane + word * ORRERY_PRIME_2, 31) * ORRERY_PRIME_1;
}

static inline void orrery_hash_start(struct orrery_hash *hash) {
    *hash = (struct orrery_hash){
        {ORRERY_PRIME_1 + ORRERY_PRIME_2, ORRERY_PRIME_2, 0, 0 - ORRERY_PRIME_1}, 0};
}

/* `bytes`: a multiple of 32. */
static inline void orrery_hash_add(struct orrery_hash *hash, const char *at, size_t bytes) {
    for (const char *end = at + bytes; at < end; at += 32)
        for (int i = 0; i < 4; ++i)
            hash->lane[i] = orrery_hash_round(hash->lane[i], orrery_word_at(at + (size_t)i * 8));
    hash->bytes += bytes;
}

static inline uint64_t orrery_hash_lanes(const struct orrery_hash *hash) {
    const uint64_t *lane = hash->lane;
    uint64_t h = orrery_rotate(lane[0], 1) + orrery_rotate(lane[1], 7) +
                 orrery_rotate(lane[2], 12) + orrery_rotate(lane[3], 18);
    for (int i = 0; i < 4; ++i)
        h = (h ^ orrery_hash_round(0, lane[i])) * ORRERY_PRIME_1 + ORRERY_PRIME_4;
    return h;
}

/* The last bytes, fewer than 32. */
static inline uint64_t orrery_hash_end(const struct orrery_hash *hash, const char *at,
                                       size_t left) {
    uint64_t h = hash->bytes >= 32 ? orrery_hash_lanes(hash) : ORRERY_PRIME_5;
    h += hash->bytes + left;
    for (; left >= 8; at += 8, left -= 8)
        h = orrery_rotate(h ^ orrery_hash_round(0, orrery_word_at(at)), 27) * ORRERY_PRIME_1 +
            ORRERY_PRIME_4;
    if (left >= 4) {
        uint32_t word;
        memcpy(&word, at, sizeof word);
        h = orrery_rotate(h ^ word * ORRERY_PRIME_1, 23) * ORRERY_PRIME_2 + ORRERY_PRIME_3;
        at += 4;
        left -= 4;
    }
    for (; left > 0; ++at, --left)
        h = orrery_rotate(h ^ (unsigned char)*at * ORRERY_PRIME_5, 11) * ORRERY_PRIME_1;
    h = (h ^ h >> 33) * ORRERY_PRIME_2;
    h = (h ^ h >> 29) * ORRERY_PRIME_3;
    return h ^ h >> 32;
}

static inline uint64_t orrery_hash_of(const void *bytes, size_t length) {
    struct orrery_hash hash;
    size_t whole = length & ~(size_t)31;
    orrery_hash_start(&hash);
    orrery_hash_add(&hash, bytes, whole);
    return orrery_hash_end(&hash, (const char *)bytes + whole, length - whole);
}

#endif
