/* Rows that end with a mark (docs/transform.md): how many entries each has, counted in front of the
 * loop; the numbers stay where they are while the rows stay the same. */
#include "runtime/inspect/sites.h"

#include "dsm/dsm.h"

#include <stdlib.h>
#include <string.h>

/* One place of the text. `now`: as they are being told; `counts`: those that a loop has. */
struct ends {
    struct site site;
    long count, room, made; /* rows: told, that fit, of `counts` */
    long *now, *counts;
};

static struct site *all;

void *orrery_ends_begin(const void *site) {
    struct ends *ends = orrery_site(&all, site, sizeof *ends);
    ends->count = 0;
    return ends;
}

void orrery_ends_row(void *list, long count) {
    struct ends *ends = list;
    if (ends->count == ends->room) {
        ends->room = ends->room ? 2 * ends->room : 1024;
        ends->now = dsm_own_realloc(ends->now, (size_t)ends->room * sizeof *ends->now);
    }
    ends->now[ends->count++] = count;
}

/* The numbers are memory of the program's (malloc is the linker's wrapped one): every rank has them
 * at one address, and a checkpoint holds them. */
const long *orrery_ends_end(void *list) {
    struct ends *ends = list;
    const size_t bytes = (size_t)ends->count * sizeof *ends->now;
    if (ends->counts && ends->made == ends->count &&
        (bytes == 0 || memcmp(ends->counts, ends->now, bytes) == 0))
        return ends->counts;
    free(ends->counts);
    ends->counts = malloc(bytes + sizeof *ends->counts);
    if (!ends->counts)
        dsm_fail(1, "no memory for the numbers of entries of %ld rows", ends->count);
    if (bytes > 0)
        memcpy(ends->counts, ends->now, bytes);
    ends->made = ends->count;
    return ends->counts;
}
