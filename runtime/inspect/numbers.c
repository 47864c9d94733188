/* Which block an iteration belongs to, and the memory of it from counting to packing. */
#include "runtime/base/memory.h"
#include "runtime/inspect/walk.h"

#include <string.h>

/* Where two keys share a dim the block is no sum over the keys. */
static void blocks_of_pairs(const struct walk *walk, const long *keys, long i, long n,
                            uint32_t *blocks) {
    const struct orrery_loop *loop = walk->loop;
    long parts[ORRERY_KEYS];
    for (long j = 0; j < n; ++j) {
        for (int k = 0; k < loop->nkeys; ++k)
            parts[k] = walk_part(&walk->inspection->dims[loop->keys[k].dim],
                                 keys[j * loop->nkeys + k], i + j);
        blocks[j] = (uint32_t)orrery_block_of(&walk->inspection->blocks, parts);
    }
}

void walk_blocks_of(const struct walk *walk, const long *keys, long i, long n, uint32_t *blocks) {
    const struct orrery_loop *loop = walk->loop;
    if (loop->strategy == ORRERY_TOURNAMENT) {
        blocks_of_pairs(walk, keys, i, n, blocks);
        return;
    }
    memset(blocks, 0, (size_t)n * sizeof *blocks);
    for (int d = 0; d < walk->inspection->blocks.ndims; ++d) {
        const struct orrery_dim *dim = &walk->inspection->dims[d];
        uint32_t parts = (uint32_t)dim->parts;
        for (long j = 0; j < n && parts > 1; ++j)
            blocks[j] =
                blocks[j] * parts + (uint32_t)walk_part(dim, keys[j * loop->nkeys + d], i + j);
    }
}

static bool numbers_are_wide(const struct orrery_inspection *inspection) {
    return inspection->blocks.rows * inspection->blocks.columns > UINT16_MAX + 1;
}

size_t walk_kept_bytes(const struct orrery_inspection *inspection) {
    return (size_t)(inspection->last - inspection->first) *
           (numbers_are_wide(inspection) ? sizeof(uint32_t) : sizeof(uint16_t));
}

void walk_blocks_keep(const struct walk *walk, long i, long n, const uint32_t *blocks) {
    const struct orrery_inspection *inspection = walk->inspection;
    long at = i - inspection->first;
    uint32_t *wide = (uint32_t *)inspection->numbers + at;
    uint16_t *narrow = (uint16_t *)inspection->numbers + at;
    if (numbers_are_wide(inspection))
        memcpy(wide, blocks, (size_t)n * sizeof *wide);
    else
        for (long j = 0; j < n; ++j)
            narrow[j] = (uint16_t)blocks[j];
}

void walk_blocks_kept(const struct walk *walk, long i, long n, uint32_t *blocks) {
    const struct orrery_inspection *inspection = walk->inspection;
    long at = i - inspection->first;
    const uint32_t *wide = (const uint32_t *)inspection->numbers + at;
    const uint16_t *narrow = (const uint16_t *)inspection->numbers + at;
    if (numbers_are_wide(inspection))
        memcpy(blocks, wide, (size_t)n * sizeof *wide);
    else
        for (long j = 0; j < n; ++j)
            blocks[j] = narrow[j];
}

void orrery_inspection_packed(struct orrery_inspection *inspection) {
    if (inspection->numbers)
        orrery_memory_unmap(inspection->numbers, walk_kept_bytes(inspection));
    inspection->numbers = NULL;
}
