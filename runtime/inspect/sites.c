/* Lists of what places of the text keep. */
#include "runtime/inspect/sites.h"

#include "dsm/dsm.h"

#include <string.h>

void *orrery_site(struct site **all, const void *at, size_t bytes) {
    for (struct site *site = *all; site; site = site->next)
        if (site->at == at)
            return site;
    struct site *site = dsm_own_alloc(bytes);
    memset(site, 0, bytes);
    site->at = at;
    site->next = *all;
    *all = site;
    return site;
}
