/* Whose memory is this? */
#include "dsm/memory/memory.h"

bool dsm_block_find(const void *address, struct dsm_block *block) {
    if (dsm_in_heap(address))
        return dsm_heap_find(address, block);
    return dsm_lent_find(address, block) || dsm_registry_find(address, block) ||
           dsm_static_find(address, block);
}

bool dsm_find(const void *address, char **base, size_t *bytes) {
    struct dsm_block block;
    if (!dsm_block_find(address, &block))
        return false;
    *base = block.base;
    *bytes = block.bytes;
    return true;
}

bool dsm_filled(const char *low, const char *high) {
    return !dsm_in_heap(low) && dsm_registry_filled(low, high);
}

bool dsm_is_shared(const void *address) {
    return dsm_in_heap(address) || dsm_static_shared(address);
}

bool dsm_is_constant(const void *address) {
    return dsm_static_shared(address) && dsm_static_constant(address);
}
