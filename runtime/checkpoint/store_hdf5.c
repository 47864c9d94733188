/* Arrays of HDF5. They are chunked and carry HDF5's own checksum per chunk (Fletcher 32). */
#include "runtime/load/store.h"

#include "runtime/checkpoint/disk_hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20 };

extern const struct orrery_store orrery_store_hdf5;

static char reason[256];

static herr_t first_reason(unsigned n, const H5E_error2_t *error, void *data) {
    (void)n;
    (void)data;
    strncpy(reason, error->desc ? error->desc : "unknown", sizeof reason - 1);
    return 1;
}

/* The innermost message of the library; -1. */
static int failed(void) {
    strcpy(reason, "HDF5 failed");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, first_reason, NULL);
    return -1;
}

static const char *why(void) {
    return reason;
}

static void *handle_of(hid_t file) {
    if (file < 0) {
        failed();
        return NULL;
    }
    hid_t *handle = malloc(sizeof *handle);
    if (handle)
        *handle = file;
    return handle;
}

static void quiet(void) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* The system's word, if it has one, else the library's; -1. */
static int not_written(void) {
    if (!orrery_disk_error())
        return failed();
    snprintf(reason, sizeof reason, "%s", strerror(orrery_disk_error()));
    return -1;
}

/* A file with a part of its own at the front is ours alone. */
static void *create(const char *path, size_t head) {
    quiet();
    hid_t options = H5Pcreate(H5P_FILE_CREATE), access = orrery_disk_access(head > 0);
    H5Pset_userblock(options, head);
    hid_t file = access < 0 ? -1 : H5Fcreate(path, H5F_ACC_TRUNC, options, access);
    H5Pclose(options);
    if (access >= 0)
        H5Pclose(access);
    void *handle = file < 0 ? NULL : handle_of(file);
    if (!handle)
        not_written();
    return handle;
}

static void *open_file(const char *path) {
    quiet();
    orrery_disk_forget();
    return handle_of(H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT));
}

/* An array's layout: in chunks with a checksum; an empty one has none. */
static hid_t layout_of(hsize_t count) {
    hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk = count < CHUNK ? count : CHUNK;
    if (count > 0) {
        H5Pset_chunk(layout, 1, &chunk);
        H5Pset_fletcher32(layout);
    }
    return layout;
}

static int put(void *file, const char *name, const void *bytes, size_t count) {
    hsize_t length = count;
    hid_t space = H5Screate_simple(1, &length, NULL), layout = layout_of(length);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t set =
        H5Dcreate2(*(hid_t *)file, name, H5T_NATIVE_UINT8, space, links, layout, H5P_DEFAULT);
    int status = set < 0 ? failed() : 0;
    if (!status && count > 0 &&
        H5Dwrite(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0)
        status = failed();
    if (set >= 0 && H5Dclose(set) < 0 && !status)
        status = failed();
    status = orrery_disk_error() ? not_written() : status;
    H5Pclose(links);
    H5Pclose(layout);
    H5Sclose(space);
    return status;
}

/* In the order of enum orrery_npy_type. */
static hid_t type_of(int type) {
    switch (type) {
    case 1:
        return H5T_NATIVE_FLOAT;
    case 2:
        return H5T_NATIVE_DOUBLE;
    case 3:
        return H5T_NATIVE_INT8;
    case 4:
        return H5T_NATIVE_UINT8;
    case 5:
        return H5T_NATIVE_INT16;
    case 6:
        return H5T_NATIVE_UINT16;
    case 7:
        return H5T_NATIVE_INT32;
    case 8:
        return H5T_NATIVE_UINT32;
    case 9:
        return H5T_NATIVE_INT64;
    case 10:
        return H5T_NATIVE_UINT64;
    default:
        return -1;
    }
}

static int put_array(void *file, const char *name, const void *data, int type, int dims,
                     const long *shape) {
    hsize_t sizes[H5S_MAX_RANK];
    hid_t number = type_of(type);
    if (number < 0 || dims < 0 || dims > H5S_MAX_RANK) {
        strcpy(reason, "no such type or number of dims");
        return -1;
    }
    for (int i = 0; i < dims; ++i)
        sizes[i] = (hsize_t)shape[i];
    hid_t space = H5Screate_simple(dims, sizes, NULL), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t set = H5Dcreate2(*(hid_t *)file, name, number, space, links, H5P_DEFAULT, H5P_DEFAULT);
    int status = set < 0 ? failed() : 0;
    if (!status && H5Sget_simple_extent_npoints(space) > 0 &&
        H5Dwrite(set, number, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
        status = failed();
    if (set >= 0 && H5Dclose(set) < 0 && !status)
        status = failed();
    status = orrery_disk_error() ? not_written() : status;
    H5Pclose(links);
    H5Sclose(space);
    return status;
}

/* -1 when there is no such array. */
static hid_t array_open(void *file, const char *name, long *size) {
    hid_t set = H5Dopen2(*(hid_t *)file, name, H5P_DEFAULT);
    if (set < 0) {
        failed();
        return -1;
    }
    hid_t space = H5Dget_space(set);
    *size = (long)H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    return set;
}

static long size_of(void *file, const char *name) {
    long size = -1;
    hid_t set = array_open(file, name, &size);
    if (set >= 0)
        H5Dclose(set);
    return size;
}

static int get(void *file, const char *name, void *bytes, size_t count) {
    long size = -1;
    hid_t set = array_open(file, name, &size);
    int status = set < 0 ? -1 : 0;
    if (!status && size != (long)count) {
        strcpy(reason, "an array has another length");
        status = -1;
    }
    if (!status && count > 0 &&
        H5Dread(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0)
        status = failed();
    if (set >= 0)
        H5Dclose(set);
    return status;
}

/* The number of enum orrery_npy_type that elements of a file's type are read as; 0: none. */
static int type_from(hid_t type) {
    size_t size = H5Tget_size(type);
    H5T_class_t class = H5Tget_class(type);
    int wide = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : -1;
    if (class == H5T_FLOAT && wide >= 2)
        return wide - 1;
    if (class != H5T_INTEGER || wide < 0)
        return 0;
    return 3 + 2 * wide + (H5Tget_sign(type) == H5T_SGN_NONE);
}

static int look(void *file, const char *name, int *type, size_t *element, int *dims, long *shape,
                int room) {
    hsize_t sizes[H5S_MAX_RANK];
    hid_t set = H5Dopen2(*(hid_t *)file, name, H5P_DEFAULT);
    if (set < 0)
        return failed();
    hid_t space = H5Dget_space(set), stored = H5Dget_type(set);
    *type = type_from(stored);
    *element = H5Tget_size(stored);
    *dims = H5Sget_simple_extent_dims(space, sizes, NULL);
    int status = *dims < 0 ? failed() : 0;
    if (H5Sget_simple_extent_type(space) == H5S_NULL) {
        *dims = 1;
        sizes[0] = 0;
    }
    for (int i = 0; i < *dims && *dims <= room; ++i)
        shape[i] = (long)sizes[i];
    H5Tclose(stored);
    H5Sclose(space);
    H5Dclose(set);
    return status;
}

static int get_array(void *file, const char *name, int type, void *data) {
    hid_t set = H5Dopen2(*(hid_t *)file, name, H5P_DEFAULT);
    int status = set < 0 ? failed() : 0;
    if (!status && H5Dread(set, type_of(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
        status = failed();
    if (set >= 0)
        H5Dclose(set);
    return status;
}

/* The memory has the elements of the selection one behind the other. */
static int get_rows(void *file, const char *name, int type, long first, long count, void *data) {
    hsize_t start[H5S_MAX_RANK] = {0}, sizes[H5S_MAX_RANK];
    hid_t set = H5Dopen2(*(hid_t *)file, name, H5P_DEFAULT);
    if (set < 0)
        return failed();
    hid_t space = H5Dget_space(set);
    int dims = H5Sget_simple_extent_dims(space, sizes, NULL), status = -1;
    start[0] = (hsize_t)first;
    sizes[0] = (hsize_t)count;
    hid_t memory = dims > 0 ? H5Screate_simple(dims, sizes, NULL) : -1;
    if (memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, sizes, NULL) >= 0 &&
        H5Dread(set, type_of(type), memory, space, H5P_DEFAULT, data) >= 0)
        status = 0;
    if (status)
        failed();
    if (memory >= 0)
        H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
    return status;
}

struct listing {
    char *names;
    size_t size, at;
    int count;
};

static herr_t list_one(hid_t file, const char *name, const H5O_info_t *info, void *data) {
    struct listing *list = data;
    size_t left = list->size - list->at;
    (void)file;
    if (info->type != H5O_TYPE_DATASET)
        return 0;
    int wrote = snprintf(list->names + list->at, left, "%s%s", list->count ? ", " : "", name);
    if (wrote > 0 && (size_t)wrote < left)
        list->at += (size_t)wrote;
    else
        list->names[list->at] = '\0';
    list->count += 1;
    return 0;
}

static int list(void *file, char *names, size_t size) {
    struct listing all = {names, size, 0, 0};
    names[0] = '\0';
    H5Ovisit1(*(hid_t *)file, H5_INDEX_NAME, H5_ITER_INC, list_one, &all);
    return all.count;
}

static int close_file(void *file) {
    int status = H5Fclose(*(hid_t *)file) < 0 ? failed() : 0;
    free(file);
    return orrery_disk_error() ? not_written() : status;
}

const struct orrery_store orrery_store_hdf5 = {
    .version = ORRERY_STORE_VERSION,
    .create = create,
    .put = put,
    .put_array = put_array,
    .open = open_file,
    .size = size_of,
    .get = get,
    .look = look,
    .get_array = get_array,
    .get_rows = get_rows,
    .list = list,
    .close = close_file,
    .why = why,
};
