#define _GNU_SOURCE
#include "runtime/checkpoint/files.h"

#include "dsm/dsm.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The user block: text for who looks at it, then what makes the file whole. `self`: hash of what
 * stands before it. */
struct seal {
    char text[ORRERY_SEAL - 4 * sizeof(uint64_t)];
    uint64_t version, bytes, hash, self;
};
_Static_assert(sizeof(struct seal) == ORRERY_SEAL, "the seal is the user block");

enum { VERSION = 1 };

static bool cannot(const char *what, const char *path, struct dsm_status *status) {
    return dsm_status_fail(status, "cannot %s %s: %s", what, path, strerror(errno));
}

static _Noreturn void folder_fail(const char *what, const char *folder) {
    dsm_fail(2, "checkpoint: cannot %s %s: %s", what, folder, strerror(errno));
}

void orrery_files_path(const char *folder, long number, char path[ORRERY_PATH]) {
    snprintf(path, ORRERY_PATH, "%s/checkpoint-%08ld.h5", folder, number);
}

void orrery_files_temporary(const char *folder, long number, char path[ORRERY_PATH]) {
    char host[128] = "";
    gethostname(host, sizeof host - 1);
    snprintf(path, ORRERY_PATH, "%s/.checkpoint-%08ld-%s-%d.tmp", folder, number, host,
             (int)getpid());
}

/* The number in a name of this form, 0: it is none. */
static long number_in(const char *name, const char *begin, const char *end) {
    long number = 0;
    int length = 0;
    if (strncmp(name, begin, strlen(begin)) != 0)
        return 0;
    name += strlen(begin);
    bool read = sscanf(name, "%ld%n", &number, &length) == 1;
    return read && length >= 8 && strcmp(name + length, end) == 0 ? number : 0;
}

void orrery_files_start(const char *folder) {
    char path[ORRERY_PATH];
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        folder_fail("make the folder", folder);
    DIR *names = opendir(folder);
    if (!names || access(folder, W_OK) != 0)
        folder_fail("write to", folder);
    for (const struct dirent *entry = readdir(names); entry; entry = readdir(names)) {
        const char *name = entry->d_name;
        size_t length = strlen(name);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (strncmp(name, ".checkpoint-", 12) == 0 && strcmp(name + length - 4, ".tmp") == 0)
            unlink(path);
    }
    closedir(names);
}

long orrery_files_newest(const char *folder, long below) {
    long newest = 0;
    DIR *names = opendir(folder);
    if (!names)
        return 0;
    for (const struct dirent *entry = readdir(names); entry; entry = readdir(names)) {
        long number = number_in(entry->d_name, "checkpoint-", ".h5");
        if (number > newest && number < below)
            newest = number;
    }
    closedir(names);
    return newest;
}

/* Under a launcher of ours the lock is the launcher's (tools/run/restart.c). File systems without
 * locks have none. */
void orrery_files_lock(const char *folder) {
    char path[ORRERY_PATH], holder[128] = "";
    snprintf(path, sizeof path, "%s/.lock", folder);
    int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        folder_fail("write to", folder);
    if (flock(file, LOCK_EX | LOCK_NB) == 0) {
        (void)!ftruncate(file, 0);
        dprintf(file, "process %d\n", (int)getpid());
    } else if (errno == EWOULDBLOCK) {
        ssize_t got = pread(file, holder, sizeof holder - 1, 0);
        holder[got > 0 ? strcspn(holder, "\n") : 0] = '\0';
        dsm_fail(2, "checkpoint: another run (%s) uses %s; give each run a folder of its own",
                 holder, folder);
    }
}

/* ---- whole files ---- */

/* Hash of the file from the seal on; `*bytes`: how many. False: it cannot be read. */
static bool body_hash(int file, uint64_t *bytes, uint64_t *result) {
    static char part[1 << 18];
    XXH64_state_t hash;
    off_t at = ORRERY_SEAL;
    ssize_t got;
    XXH64_reset(&hash, 0);
    while ((got = pread(file, part, sizeof part, at)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        XXH64_update(&hash, part, (size_t)got);
        at += got;
    }
    *bytes = (uint64_t)(at - ORRERY_SEAL);
    *result = XXH64_digest(&hash);
    return true;
}

static bool seal_check(const struct seal *seal, uint64_t bytes, uint64_t hash,
                       struct dsm_status *status) {
    if (seal->self != XXH64(seal, offsetof(struct seal, self), 0))
        return dsm_status_fail(status, "its first 512 bytes are damaged, or it was never finished");
    if (seal->version != VERSION)
        return dsm_status_fail(status, "another version of Orrery wrote it");
    if (seal->bytes > bytes)
        return dsm_status_fail(status, "its end is missing");
    if (seal->bytes < bytes)
        return dsm_status_fail(status, "something was added to it");
    return seal->hash == hash || dsm_status_fail(status, "its content is damaged");
}

bool orrery_files_check(const char *path, struct dsm_status *status) {
    struct seal seal;
    uint64_t bytes = 0, hash = 0;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return cannot("open", path, status);
    if (pread(file, &seal, sizeof seal, 0) != sizeof seal)
        dsm_status_fail(status, "its beginning is missing");
    else if (!body_hash(file, &bytes, &hash))
        cannot("read", path, status);
    else
        seal_check(&seal, bytes, hash, status);
    close(file);
    return !status->failed;
}

/* ---- commit ---- */

static bool seal_write(int file) {
    struct seal seal = {.version = VERSION};
    if (!body_hash(file, &seal.bytes, &seal.hash))
        return false;
    snprintf(seal.text, sizeof seal.text,
             "Orrery checkpoint: an HDF5 file behind 512 bytes (docs/checkpoints.md)\n");
    seal.self = XXH64(&seal, offsetof(struct seal, self), 0);
    return pwrite(file, &seal, sizeof seal, 0) == sizeof seal;
}

static bool to_disk(const char *path, bool seal, struct dsm_status *status) {
    int file =
        open(path, seal ? O_RDWR | O_NOFOLLOW | O_CLOEXEC : O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return cannot("open", path, status);
    if (seal && !seal_write(file))
        cannot("seal", path, status);
    else if (fsync(file) != 0)
        cannot("bring to the disk", path, status);
    if (close(file) != 0)
        cannot("close", path, status);
    return !status->failed;
}

/* Keeps two that are whole: what lies between them was refused, and goes with the older one. */
static void prune(const char *folder, long before) {
    char path[ORRERY_PATH];
    while (before > 0 && (before = orrery_files_newest(folder, before)) > 0) {
        orrery_files_path(folder, before, path);
        if (unlink(path) != 0)
            return;
    }
}

bool orrery_files_commit(const char *folder, long number, long before, struct dsm_status *status) {
    char temporary[ORRERY_PATH], path[ORRERY_PATH];
    struct dsm_status unsure = {0};
    orrery_files_temporary(folder, number, temporary);
    orrery_files_path(folder, number, path);
    if (to_disk(temporary, true, status) && rename(temporary, path) != 0)
        cannot("rename", temporary, status);
    if (status->failed)
        unlink(temporary);
    else if (to_disk(folder, false, &unsure))
        prune(folder, before);
    return !status->failed;
}
