/* HDF5, by the module that checkpoints use, if it is there. */
#define _GNU_SOURCE
#include "include/orrery.h"
#include "runtime/load/load.h"
#include "runtime/load/store.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef ORRERY_LIBDIRS
#define ORRERY_LIBDIRS "/usr/local/lib/orrery:/usr/lib/orrery"
#endif

enum { PATH_ROOM = 4096 };

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

static int no_store(const char *path, const char *verb) {
    return load_fail("%s: cannot %s HDF5: %s is not there (Orrery built with libhdf5-dev has it, "
                     "ORRERY_LIBDIR says where)",
                     path, verb, ORRERY_STORE_MODULE);
}

/* ---- saving ---- */

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

int load_save_hdf5(const char *path, int count, const struct orrery_model_array *arrays) {
    char temporary[PATH_ROOM];
    const struct orrery_store *store = store_find();
    if (!store)
        return no_store(path, "write");
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

/* ---- loading ---- */

/* Arrays of numbers only, of so many dims, of no more elements than memory could hold. */
static int look(const struct orrery_store *store, void *file, const char *path, const char *name,
                struct orrery_npy *array, size_t *size) {
    int type = 0;
    if (store->look(file, name, &type, size, &array->dims, array->shape, ORRERY_WAYS) != 0) {
        char names[LOAD_MESSAGE / 2];
        int shown = store->list(file, names, sizeof names);
        return load_fail("%s: cannot read the array %s: %s%s%s", path, name, store->why(),
                         shown ? "; there are: " : "", shown ? names : "");
    }
    if (array->dims > ORRERY_WAYS)
        return load_fail("%s: %s has %d dimensions, expected at most %d", path, name, array->dims,
                         ORRERY_WAYS);
    if (type == 0)
        return load_fail("%s: %s holds elements that are no integers, float or double", path, name);
    array->type = (enum orrery_npy_type)type;
    array->count = 1;
    for (int d = 0; d < array->dims; ++d) {
        if (array->shape[d] && array->count > LONG_MAX / 16 / array->shape[d])
            return load_fail("%s: the shape of %s is larger than any memory", path, name);
        array->count *= array->shape[d];
    }
    return 0;
}

/* What every rank has to know of an array that several read. */
enum { NAME_ROOM = 400 };
struct rows_job {
    char *data;
    int type;
    char name[NAME_ROOM];
};

static void arrays_of(const void *into, struct load_array arrays[LOAD_ARRAYS]) {
    arrays[0] = (struct load_array){((const struct rows_job *)into)->data, 1, false};
}

/* The file that is open is the one that is meant, whatever its path leads to by now. */
static int read_rows(const struct load_job *job, long from, long to) {
    const struct rows_job *rows = job->into;
    const struct orrery_store *store = store_find();
    char path[64];
    if (!store)
        return no_store(job->source->path, "read");
    snprintf(path, sizeof path, "/proc/self/fd/%d", job->source->file);
    void *file = store->open(path);
    int failed = !file || store->get_rows(file, rows->name, rows->type, from, to - from,
                                          rows->data + from * job->row) != 0;
    if (failed)
        load_fail("%s: cannot read %s: %s", job->source->path, rows->name, store->why());
    if (file)
        store->close(file);
    return failed ? -1 : 0;
}

const struct load_format load_format_hdf5 = {
    .raw = true, .into_bytes = sizeof(struct rows_job), .rows = read_rows, .arrays = arrays_of};

/* An array with rows, by as many ranks as there are. */
static int load_rows(const char *path, const char *name, struct orrery_npy *array, size_t size) {
    struct load_source source;
    struct rows_job rows = {.data = array->data, .type = (int)array->type};
    struct load_job job = {.source = &source, .format = &load_format_hdf5, .into = &rows};
    snprintf(rows.name, sizeof rows.name, "%s", name);
    job.rows = array->shape[0];
    job.row = array->count / job.rows * (long)size;
    if (load_source_open(&source, path) != 0)
        return -1;
    int failed = load_count(&job) != 0 || load_read(&job) != 0;
    load_job_end(&job, !failed);
    load_source_close(&source);
    return failed ? -1 : 0;
}

static int load(const struct orrery_store *store, void *file, const char *path, const char *name,
                struct orrery_npy *array) {
    char only[LOAD_MESSAGE / 2];
    size_t size;
    if (!name && store->list(file, only, sizeof only) != 1)
        return load_fail("%s: holds %s arrays; name one", path, *only ? "several" : "no");
    name = name ? name : only;
    if (look(store, file, path, name, array, &size) != 0)
        return -1;
    array->data = load_memory((size_t)array->count, size);
    if (!array->data)
        return -1;
    if (array->count > 0 && array->dims > 0 && strlen(name) < NAME_ROOM)
        return load_rows(path, name, array, size);
    if (array->count == 0 || store->get_array(file, name, (int)array->type, array->data) == 0)
        return 0;
    return load_fail("%s: cannot read %s: %s", path, name, store->why());
}

int orrery_load_hdf5(const char *path, const char *name, struct orrery_npy *array) {
    *array = (struct orrery_npy){0};
    const struct orrery_store *store = store_find();
    if (!store)
        return no_store(path, "read");
    if (access(path, R_OK) != 0)
        return load_fail("%s: cannot read: %s", path, strerror(errno));
    void *file = store->open(path);
    if (!file)
        return load_fail("%s: not an HDF5 file: %s", path, store->why());
    int failed = load(store, file, path, name, array);
    store->close(file);
    if (failed) {
        free(array->data);
        *array = (struct orrery_npy){0};
    }
    return failed;
}
