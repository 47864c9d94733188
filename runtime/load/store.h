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
 * Names are paths; folders are made. Those that return an int return 0, or -1: `why` tells.
 */
struct orrery_store {
    int version;                                    /* ORRERY_STORE_VERSION of who made it */
    void *(*create)(const char *path, size_t head); /* the first `head` bytes are the caller's */
    /* an array of bytes under a name; not 0: it failed */
    int (*put)(void *file, const char *name, const void *bytes, size_t count);
    int (*put_array)(void *file, const char *name, const void *data, int type, int dims,
                     const long *shape); /* `type` as orrery.h has it (enum orrery_npy_type) */
    void *(*open)(const char *path);     /* to read; NULL: it failed */
    long (*size)(void *file, const char *name); /* bytes of an array, -1: there is none */
    int (*get)(void *file, const char *name, void *bytes, size_t count); /* all of its bytes */
    /* An array's type (0: not one of those), bytes per element, dims and, where there are no more
     * than `room`, its shape. */
    int (*look)(void *file, const char *name, int *type, size_t *element, int *dims, long *shape,
                int room);
    int (*get_array)(void *file, const char *name, int type, void *data); /* as they were put */
    /* `count` rows from `first` on of an array that has some: what stands behind one index of its
     * first dim. */
    int (*get_rows)(void *file, const char *name, int type, long first, long count, void *data);
    int (*list)(void *file, char *names, size_t size); /* paths of all arrays, by ", ", as many as
                                                        * fit; how many there are */
    int (*close)(void *file); /* of both kinds; a created one is on its way to the disk then */
    const char *(*why)(void); /* what failed last */
};

/* The module's table; ends the run when there is none. */
const struct orrery_store *orrery_store(void);

#endif
