/* Model files: .npy by ourselves, HDF5 by the module that checkpoints use, if it is there. */
#define _GNU_SOURCE
#include "include/orrery.h"
#include "runtime/checkpoint/store.h"
#include "runtime/load/load.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef ORRERY_LIBDIRS
#define ORRERY_LIBDIRS "/usr/local/lib/orrery:/usr/lib/orrery"
#endif

enum { PATH_ROOM = 4096 };

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* From the folders of a list with colons between. */
static void *open_in(const char *list) {
    void *module = NULL;
    while (list && *list && !module) {
        char path[PATH_ROOM];
        size_t length = strcspn(list, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)length, list, ORRERY_STORE_MODULE);
        module = dlopen(path, RTLD_NOW);
        list += length + (list[length] == ':');
    }
    return module;
}

static const struct orrery_store *store_find(void) {
    void *module = open_in(getenv("ORRERY_LIBDIR"));
    if (!module)
        module = dlopen(ORRERY_STORE_MODULE, RTLD_NOW);
    if (!module)
        module = open_in(ORRERY_LIBDIRS);
    const struct orrery_store *store = module ? dlsym(module, ORRERY_STORE_SYMBOL) : NULL;
    return store && store->version == ORRERY_STORE_VERSION ? store : NULL;
}

static int put_all(const struct orrery_store *store, void *file, int count,
                   const struct orrery_model_array *arrays) {
    for (int i = 0; i < count; ++i) {
        const struct orrery_npy *array = &arrays[i].array;
        if (store->put_array(file, arrays[i].name, array->data, array->type, array->dims,
                             array->shape))
            return -1;
    }
    return 0;
}

/* To the disk under a name of its own, then in the place of what was there. */
static int publish(const char *temporary, const char *path) {
    int file = open(temporary, O_RDONLY | O_CLOEXEC);
    int failed = file < 0 || fsync(file) != 0;
    if (file >= 0)
        close(file);
    return failed || rename(temporary, path) != 0 ? -1 : 0;
}

static int save_hdf5(const char *path, int count, const struct orrery_model_array *arrays) {
    char temporary[PATH_ROOM];
    const struct orrery_store *store = store_find();
    if (!store)
        return load_fail("%s: cannot write HDF5: %s is not there (Orrery built with "
                         "libhdf5-dev has it, ORRERY_LIBDIR says where)",
                         path, ORRERY_STORE_MODULE);
    if (snprintf(temporary, sizeof temporary, "%s.tmp%d", path, (int)getpid()) >= PATH_ROOM)
        return load_fail("%s: the name is too long", path);
    void *file = store->create(temporary, 0);
    int failed = !file || put_all(store, file, count, arrays) != 0;
    if (file && store->close(file) != 0)
        failed = 1;
    if (failed) {
        unlink(temporary);
        return load_fail("%s: cannot write: %s", path, store->why());
    }
    if (publish(temporary, path) != 0) {
        int error = errno;
        unlink(temporary);
        return load_fail("%s: cannot write: %s", path, strerror(error));
    }
    return 0;
}

int orrery_save(const char *path, int count, const struct orrery_model_array *arrays) {
    if (ends_with(path, ".npy"))
        return count == 1 ? orrery_save_npy(path, &arrays[0].array)
                          : load_fail("%s: a .npy file holds one array, not %d", path, count);
    if (ends_with(path, ".h5") || ends_with(path, ".hdf5"))
        return save_hdf5(path, count, arrays);
    return load_fail("%s: expected a name that ends in .npy, .h5 or .hdf5", path);
}
