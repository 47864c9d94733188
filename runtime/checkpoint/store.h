/*
 * How arrays get into a file and back: one table, behind which stands a library (HDF5), in a module
 * of its own that is loaded when a run wants checkpoints.
 */
#ifndef ORRERY_CHECKPOINT_STORE_H
#define ORRERY_CHECKPOINT_STORE_H

#include <stddef.h>

#define ORRERY_STORE_MODULE "liborrery-hdf5.so"
#define ORRERY_STORE_SYMBOL "orrery_store_hdf5"

enum { ORRERY_STORE_VERSION = 2 };

/*
 * Names are paths; folders are made. create: a new file whose first `head` bytes are the caller's.
 * put: an array of bytes. put_array: of
 * numbers, `type` as orrery.h has it (enum orrery_npy_type). size: of an array, -1: there is none.
 * get: all of its bytes. close: of both kinds; a file that was created is on its way to the disk
 * then. Those that return an int return 0, or -1: `why` tells.
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
    int (*close)(void *file);
    const char *(*why)(void);
};

/* The module's table; ends the run when there is none. */
const struct orrery_store *orrery_store(void);

#endif
