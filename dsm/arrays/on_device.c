/*
 * Rows that are on a device (docs/dsm-protocol.md, "Rows on a device"): the store of a part is
 * behind, and is brought up to date piece by piece, by whoever reads it.
 */
#include "dsm/arrays/array.h"

bool dsm_store_on_device(struct dsm_array *array, dsm_store_fetch *fetch, void *data) {
    if (array->alone || !dsm_is_view(array))
        return false;
    array->fetched_by = data;
    array->fetch = fetch;
    return true;
}

void dsm_store_back(struct dsm_array *array) {
    array->fetch = NULL;
}

void dsm_store_need(const struct dsm_array *array, int part, long begin, long end) {
    if (array->fetch && begin < end) {
        array->fetch(array->fetched_by, array, part, dsm_row_store(array, begin),
                     (size_t)(end - begin) * (size_t)array->row_bytes);
    }
}

/* Collective calls fill stores, and come from one thread. */
void dsm_store_filled(struct dsm_array *array) {
    static uint64_t stamps;
    array->stamp = ++stamps;
    dsm_store_back(array);
}

uint64_t dsm_store_stamp(const struct dsm_array *array) {
    return array->stamp;
}
