#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/orrery.h"
#include "runtime/load/load.h"

/* NumPy's format, versions 1 to 3 (numpy.lib.format): magic, the header's length, a Python literal
 * `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`, the elements. */

static const struct {
    const char *name;
    enum orrery_npy_type type;
    size_t size;
} types[] = {
    {"f4", ORRERY_NPY_FLOAT, 4},  {"f8", ORRERY_NPY_DOUBLE, 8}, {"i1", ORRERY_NPY_INT8, 1},
    {"u1", ORRERY_NPY_UINT8, 1},  {"i2", ORRERY_NPY_INT16, 2},  {"u2", ORRERY_NPY_UINT16, 2},
    {"i4", ORRERY_NPY_INT32, 4},  {"u4", ORRERY_NPY_UINT32, 4}, {"i8", ORRERY_NPY_INT64, 8},
    {"u8", ORRERY_NPY_UINT64, 8}, {"b1", ORRERY_NPY_UINT8, 1}};
enum { TYPES = sizeof types / sizeof *types };

static size_t type_size(enum orrery_npy_type type) {
    for (int i = 0; i < TYPES; ++i)
        if (types[i].type == type)
            return types[i].size;
    return 0;
}

/* Behind `'key':` of the header, blanks skipped; NULL without one. */
static const char *value_of(const char *header, const char *key) {
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", key);
    const char *at = strstr(header, quoted);
    if (!at)
        return NULL;
    at = load_skip(at + strlen(quoted));
    return *at == ':' ? load_skip(at + 1) : NULL;
}

static int read_type(const struct load_source *source, const char *header,
                     enum orrery_npy_type *type) {
    const char *at = value_of(header, "descr");
    if (!at || *at != '\'' || strlen(at) < 4)
        return load_fail("%s: not a NumPy file of numbers: no 'descr'", source->path);
    if (at[1] == '>')
        return load_fail("%s: holds numbers with the most significant byte first; save it with "
                         "a.astype(a.dtype.newbyteorder('<'))",
                         source->path);
    for (int i = 0; i < TYPES; ++i) {
        if (strchr("<|=", at[1]) && strncmp(at + 2, types[i].name, 2) == 0 && at[4] == '\'') {
            *type = types[i].type;
            return 0;
        }
    }
    return load_fail("%s: holds elements of type %.*s, expected integers, float or double",
                     source->path, (int)strcspn(at + 1, "'") + 2, at);
}

static int read_shape(const struct load_source *source, const char *header,
                      struct orrery_npy *array) {
    const char *at = value_of(header, "shape");
    array->count = 1;
    if (!at || *at++ != '(')
        return load_fail("%s: not a NumPy file: no 'shape'", source->path);
    for (at = load_skip(at); *at != ')';) {
        long extent;
        const char *end = load_whole(at, &extent);
        if (!end || extent < 0 || array->dims == ORRERY_WAYS)
            return load_fail("%s: expected a shape of at most %d dimensions", source->path,
                             ORRERY_WAYS);
        if (extent && array->count > LONG_MAX / 16 / extent)
            return load_fail("%s: the shape is larger than any memory", source->path);
        array->shape[array->dims++] = extent;
        array->count *= extent;
        at = load_skip(end);
        if (*at == ',')
            at = load_skip(at + 1);
        else if (*at != ')')
            return load_fail("%s: the shape is not a list of numbers", source->path);
    }
    at = value_of(header, "fortran_order");
    if (!at || (strncmp(at, "False", 5) != 0 && strncmp(at, "True", 4) != 0))
        return load_fail("%s: not a NumPy file: no 'fortran_order'", source->path);
    if (*at == 'T' && array->dims > 1)
        return load_fail("%s: holds columns first; save it with np.ascontiguousarray(a)",
                         source->path);
    return 0;
}

static int read_header(const struct load_source *source, struct orrery_npy *array, long *data) {
    unsigned char head[12];
    if (source->size < 12 || load_source_bytes(source, 0, head, sizeof head) != 0 ||
        memcmp(head, "\x93NUMPY", 6) != 0)
        return load_fail("%s: not a NumPy file", source->path);
    if (head[6] < 1 || head[6] > 3)
        return load_fail("%s: is of version %d of NumPy's format, expected 1 to 3", source->path,
                         head[6]);
    long from = head[6] == 1 ? 10 : 12;
    long length = head[8] | head[9] << 8;
    if (head[6] > 1)
        length |= (long)head[10] << 16 | (long)head[11] << 24;
    if (length > source->size - from)
        return load_fail("%s: ends within its header", source->path);
    char *header = load_memory((size_t)length + 1, 1);
    if (!header)
        return -1;
    int failed = load_source_bytes(source, from, header, (size_t)length);
    header[length] = '\0';
    failed = failed || read_type(source, header, &array->type) != 0 ||
             read_shape(source, header, array) != 0;
    free(header);
    *data = from + length;
    return failed ? -1 : 0;
}

struct bytes_job {
    char *data;
};

static void arrays_of(const void *into, struct load_array arrays[LOAD_ARRAYS]) {
    arrays[0] = (struct load_array){((const struct bytes_job *)into)->data, 1, false};
}

const struct load_format load_format_bytes = {
    .raw = true, .into_bytes = sizeof(struct bytes_job), .arrays = arrays_of};

static int load(const struct load_source *source, struct orrery_npy *array) {
    struct bytes_job copy = {.data = NULL};
    struct load_job bytes = {.source = source, .format = &load_format_bytes, .into = &copy};
    if (read_header(source, array, &bytes.body) != 0)
        return -1;
    size_t size = type_size(array->type);
    if (array->count * (long)size != source->size - bytes.body)
        return load_fail("%s: the header promises %ld bytes of elements, there are %ld",
                         source->path, array->count * (long)size, source->size - bytes.body);
    bytes.row = array->count ? array->count / (array->dims ? array->shape[0] : 1) * (long)size : 0;
    bytes.rows = bytes.row ? (source->size - bytes.body) / bytes.row : 0;
    array->data = copy.data = load_memory((size_t)array->count, size);
    int failed = !copy.data || load_count(&bytes) != 0 || load_read(&bytes) != 0;
    load_job_end(&bytes, !failed);
    return failed ? -1 : 0;
}

int orrery_load_npy(const char *path, struct orrery_npy *array) {
    struct load_source source;
    *array = (struct orrery_npy){0};
    if (load_source_open(&source, path) != 0)
        return -1;
    int failed = load(&source, array);
    load_source_close(&source);
    if (failed) {
        free(array->data);
        *array = (struct orrery_npy){0};
    }
    return failed;
}

/* ---- saving ---- */

static int write_all(int file, const void *data, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t put = write(file, (const char *)data + done, size - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return -1;
        done += (size_t)put;
    }
    return 0;
}

/* Returns the header's length with everything before the elements, a multiple of 64. */
static size_t write_header(const struct orrery_npy *array, const char *type, char *header,
                           size_t size) {
    size_t at = 10;
    at += (size_t)snprintf(header + at, size - at,
                           "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                           type[1] == '1' ? '|' : '<', type);
    for (int d = 0; d < array->dims; ++d)
        at += (size_t)snprintf(header + at, size - at, "%ld%s", array->shape[d],
                               array->dims == 1      ? ","
                               : d + 1 < array->dims ? ", "
                                                     : "");
    at += (size_t)snprintf(header + at, size - at, "), }");
    size_t whole = (at + 1 + 63) / 64 * 64;
    memset(header + at, ' ', whole - at);
    header[whole - 1] = '\n';
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)((whole - 10) & 255);
    header[9] = (char)((whole - 10) >> 8);
    return whole;
}

int orrery_save_npy(const char *path, const struct orrery_npy *array) {
    char header[512], part[4096];
    const char *type = NULL;
    size_t bytes = 0;
    long count = 1;
    for (int i = TYPES; i-- > 0;) {
        if (types[i].type == array->type) {
            type = types[i].name;
            bytes = types[i].size;
        }
    }
    for (int d = 0; d < array->dims && d < ORRERY_WAYS; ++d)
        count *= array->shape[d];
    if (!type || array->dims < 0 || array->dims > ORRERY_WAYS || count < 0)
        return load_fail("%s: the array to save has no type or shape that there is", path);
    if (snprintf(part, sizeof part, "%s.part%ld", path, (long)getpid()) >= (int)sizeof part)
        return load_fail("%s: the name is too long", path);
    int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return load_fail("%s: cannot write: %s", part, strerror(errno));
    size_t length = write_header(array, type, header, sizeof header);
    bool whole = write_all(file, header, length) == 0 &&
                 write_all(file, array->data, (size_t)count * bytes) == 0 && fsync(file) == 0;
    int why = errno;
    if (close(file) != 0 && whole) {
        why = errno;
        whole = false;
    }
    if (whole && rename(part, path) != 0) {
        why = errno;
        whole = false;
    }
    if (!whole) {
        unlink(part);
        return load_fail("%s: cannot write: %s", path, strerror(why));
    }
    return 0;
}
