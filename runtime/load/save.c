/* Model files, by the end of their name. */
#include "include/orrery.h"
#include "runtime/load/load.h"

#include <string.h>

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

int orrery_save(const char *path, int count, const struct orrery_model_array *arrays) {
    if (ends_with(path, ".npy"))
        return count == 1 ? orrery_save_npy(path, &arrays[0].array)
                          : load_fail("%s: a .npy file holds one array, not %d", path, count);
    if (ends_with(path, ".h5") || ends_with(path, ".hdf5"))
        return load_save_hdf5(path, count, arrays);
    return load_fail("%s: expected a name that ends in .npy, .h5 or .hdf5", path);
}
