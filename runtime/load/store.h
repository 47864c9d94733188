/*
 * How arrays get into a file and back: one table, behind which stands a library (HDF5), in a module
 * of its own that is loaded when a run wants checkpoints.
 */
#ifndef ORRERY_LOAD_STORE_H
#define ORRERY_LOAD_STORE_H

#include <stddef.h>

#define ORRERY_STORE_MODULE "liborrery-hdf5.so"
#define ORRERY_STORE_SYMBOL "orrery_store_hdf5"

enum { ORRERY_STORE_VERSION = 4 };

/*
 * Names are paths; folders are made. create: a new file whose first `head` bytes are the caller's.
 * put: an array of bytes. put_array: of numbers, `type` as orrery.h has it (enum orrery_npy_type).
 * size: of an array, -1: there is none. get: all of its bytes. look: an array's type (0: not one of
 * those), bytes per element, dims and, where there are no more than `room`, its shape. get_array:
 * its elements, as they were put. list: the paths of all arrays, by ", ", as many as `size` bytes
 * hold; how many there are. get_rows: `count` rows from `first` on of an array that has some, rows
 * being what stands behind one index of its first dim. close: of both kinds; a file that was
 * created is on its way to the disk then. Those that return an int return 0, or -1: `why` tells.
 */
struct orrery_store {
    int version;
    void *(*create)(const char *path, size_t head);
    int (*put)(void *file, const char *name, const void *bytes, size_t count);
    int (*put_array)(void *file, const char *name, const void *data, int type, int dims,
                     const long *shape);
    void *(*open)(const char *path);
    long (*size)(void *file, const char *name);
    int (*get)(void *file, const char *name, void *bytes, size_t count);
    int (*look)(void *file, const char *name, int *type, size_t *element, int *dims, long *shape,
                int room);
    int (*get_array)(void *file, const char *name, int type, void *data);
    int (*get_rows)(void *file, const char *name, int type, long first, long count, void *data);
    int (*list)(void *file, char *names, size_t size);
    int (*close)(void *file);
    const char *(*why)(void);
};

/* The module's table; ends the run when there is none. */
const struct orrery_store *orrery_store(void);

#endif
