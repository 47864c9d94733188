/*
 * HDF5 (1.10) cannot close a file that it cannot write, and its handler at the end of the process
 * then walks through freed memory. So the first write that fails is remembered, it and all later
 * ones count as written, and who wrote the file asks for the error once it is closed. What was
 * not written is never read: metadata stay in HDF5's cache, chunks are written once.
 */
#define _GNU_SOURCE
#include "runtime/checkpoint/disk_hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

/* `base`: HDF5's part. `allocated`: the file's end as HDF5 wants it; `end`: as it was written. */
struct disk {
    H5FD_t base;
    int file;
    haddr_t allocated, end;
};

static struct {
    int error;
    bool own;
} disk;

static void failed(void) {
    disk.error = disk.error ? disk.error : errno;
}

/* SIGXFSZ comes with the error of a write beyond `ulimit -f`: it is taken back, the error stays. */
static bool limit_hold(sigset_t *before) {
    sigset_t limit;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    return pthread_sigmask(SIG_BLOCK, &limit, before) == 0;
}

static void limit_release(const sigset_t *before) {
    sigset_t limit;
    int error = errno;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    if (error == EFBIG && !sigismember(before, SIGXFSZ))
        sigtimedwait(&limit, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = error;
}

/* HDF5 looks first, by flags without H5F_ACC_CREAT, whether the file is there. */
static H5FD_t *disk_open(const char *path, unsigned flags, hid_t access, haddr_t most) {
    int how = O_RDWR | O_CLOEXEC | (disk.own ? O_NOFOLLOW : 0);
    int new = disk.own ? O_CREAT | O_EXCL : O_CREAT | O_TRUNC;
    (void)access, (void)most;
    struct disk *made = calloc(1, sizeof *made);
    how |= flags & H5F_ACC_CREAT ? new : 0;
    disk.error = 0;
    if (made && (made->file = open(path, how, disk.own ? 0600 : 0666)) >= 0)
        return &made->base;
    failed();
    free(made);
    return NULL;
}

static herr_t disk_close(H5FD_t *base) {
    struct disk *this = (struct disk *)base;
    if (close(this->file) != 0)
        failed();
    free(this);
    return 0;
}

static int disk_compare(const H5FD_t *a, const H5FD_t *b) {
    return a < b ? -1 : a > b;
}

static herr_t disk_query(const H5FD_t *base, unsigned long *flags) {
    (void)base;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t allocated_get(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const struct disk *)base)->allocated;
}

static herr_t allocated_set(H5FD_t *base, H5FD_mem_t type, haddr_t at) {
    (void)type;
    ((struct disk *)base)->allocated = at;
    return 0;
}

static haddr_t end_get(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const struct disk *)base)->end;
}

static herr_t disk_read(H5FD_t *base, H5FD_mem_t type, hid_t how, haddr_t at, size_t size,
                        void *bytes) {
    const struct disk *this = (const struct disk *)base;
    char *to = bytes;
    (void)type, (void)how;
    while (size > 0) {
        ssize_t got = pread(this->file, to, size, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        to += got;
        at += (haddr_t)got;
        size -= (size_t)got;
    }
    memset(to, 0, size);
    return 0;
}

static bool write_all(int file, const char *bytes, size_t size, off_t at) {
    while (size > 0) {
        ssize_t wrote = pwrite(file, bytes, size, at);
        if (wrote < 0 && errno != EINTR)
            return false;
        if (wrote > 0) {
            bytes += wrote;
            at += wrote;
            size -= (size_t)wrote;
        }
    }
    return true;
}

static herr_t disk_write(H5FD_t *base, H5FD_mem_t type, hid_t how, haddr_t at, size_t size,
                         const void *bytes) {
    struct disk *this = (struct disk *)base;
    sigset_t before;
    (void)type, (void)how;
    if (!disk.error && limit_hold(&before)) {
        if (!write_all(this->file, bytes, size, (off_t)at))
            failed();
        limit_release(&before);
    }
    this->end = at + size > this->end ? at + size : this->end;
    return 0;
}

static herr_t disk_truncate(H5FD_t *base, hid_t how, hbool_t closing) {
    struct disk *this = (struct disk *)base;
    sigset_t before;
    (void)how, (void)closing;
    if (!disk.error && this->end != this->allocated && limit_hold(&before)) {
        if (ftruncate(this->file, (off_t)this->allocated) != 0)
            failed();
        limit_release(&before);
    }
    this->end = this->allocated;
    return 0;
}

static const H5FD_class_t driver_class = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = 513, /* of those that anybody may use */
#endif
    .name = "orrery",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_WEAK,
    .open = disk_open,
    .close = disk_close,
    .cmp = disk_compare,
    .query = disk_query,
    .get_eoa = allocated_get,
    .set_eoa = allocated_set,
    .get_eof = end_get,
    .read = disk_read,
    .write = disk_write,
    .truncate = disk_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* The cache keeps what has not been written: it neither grows nor shrinks, and gives nothing up. */
static int cache_keep(hid_t access) {
    H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    if (H5Pget_mdc_config(access, &cache) < 0)
        return -1;
    cache.evictions_enabled = false;
    cache.incr_mode = H5C_incr__off;
    cache.flash_incr_mode = H5C_flash_incr__off;
    cache.decr_mode = H5C_decr__off;
    return H5Pset_mdc_config(access, &cache);
}

hid_t orrery_disk_access(bool own) {
    static hid_t driver = -1;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    driver = driver < 0 ? H5FDregister(&driver_class) : driver;
    disk.error = 0;
    disk.own = own;
    if (driver >= 0 && H5Pset_driver(access, driver, NULL) >= 0 && cache_keep(access) >= 0)
        return access;
    H5Pclose(access);
    return -1;
}

int orrery_disk_error(void) {
    return disk.error;
}

void orrery_disk_forget(void) {
    disk.error = 0;
}
