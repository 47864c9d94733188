#include "runtime/load/store.h"

#include "dsm/dsm.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <sys/mman.h>

/* As much as the module needs. */
static bool has_memory(void) {
    size_t bytes = 16 << 20;
    void *some = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return some != MAP_FAILED && munmap(some, bytes) == 0;
}

const struct orrery_store *orrery_store(void) {
    static const struct orrery_store *store;
    struct dsm_status status = {0};
    if (store)
        return store;
    void *module = dsm_module_open(ORRERY_STORE_MODULE, &status);
    if (!module)
        dsm_fail(2, "checkpoints need HDF5, but the module %s cannot be loaded: %s; %s",
                 ORRERY_STORE_MODULE, status.why,
                 has_memory() ? "build Orrery where HDF5 is installed (Debian: libhdf5-dev)"
                              : "there is no memory left");
    store = dlsym(module, ORRERY_STORE_SYMBOL);
    if (!store || store->version != ORRERY_STORE_VERSION)
        dsm_fail(2, "%s is not the module of this version of Orrery", ORRERY_STORE_MODULE);
    return store;
}
