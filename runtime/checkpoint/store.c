#include "runtime/load/store.h"

#include "dsm/dsm.h"

#include <dlfcn.h>

const struct orrery_store *orrery_store(void) {
    static const struct orrery_store *store;
    struct dsm_status status = {0};
    if (store)
        return store;
    void *module = dsm_module_open(ORRERY_STORE_MODULE, &status);
    if (!module)
        dsm_fail(
            2,
            "checkpoints need HDF5, but the module %s cannot be loaded: %s; build Orrery where "
            "HDF5 is installed (Debian: libhdf5-dev)",
            ORRERY_STORE_MODULE, status.why);
    store = dlsym(module, ORRERY_STORE_SYMBOL);
    if (!store || store->version != ORRERY_STORE_VERSION)
        dsm_fail(2, "%s is not the module of this version of Orrery", ORRERY_STORE_MODULE);
    return store;
}
