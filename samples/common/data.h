/*
 * Files read by the loaders of orrery.h, and models that others read.
 */
#ifndef DATA_H
#define DATA_H

#include "program.h"

#include <orrery.h>

/* Behind a loader: the program ends with what it says when the file is wrong. */
static inline void loaded(int status) {
    if (status != 0) {
        fprintf(stderr, "%s\n", orrery_load_error());
        exit(1);
    }
}

static inline void data_empty(const char *path, const char *what) {
    fprintf(stderr, "%s: error: no %s\n", path, what);
    exit(1);
}

/* An array of `rows` x `columns` of a model; one column: a vector. */
static inline struct orrery_model_array model_array(const char *name, enum orrery_npy_type type,
                                                    const void *data, long rows, long columns) {
    return (struct orrery_model_array){.name = name,
                                       .array = {.data = (void *)data,
                                                 .type = type,
                                                 .dims = columns > 1 ? 2 : 1,
                                                 .shape = {rows, columns},
                                                 .count = rows * columns}};
}

/* PATH.h5 as one file of HDF5; any other PATH as NumPy's arrays PATH.NAME.npy. */
static inline void model_save(const char *path, int count,
                              const struct orrery_model_array *arrays) {
    const char *end = strrchr(path, '.');
    if (end && (strcmp(end, ".h5") == 0 || strcmp(end, ".hdf5") == 0)) {
        loaded(orrery_save(path, count, arrays));
        return;
    }
    for (int i = 0; i < count; ++i) {
        size_t size = strlen(path) + strlen(arrays[i].name) + 6;
        char *name = make(NULL, size, 1);
        snprintf(name, size, "%s.%s.npy", path, arrays[i].name);
        loaded(orrery_save(name, 1, &arrays[i]));
        free(name);
    }
}

#endif
