/*
 * What the program does to files: a standby (runtime/checkpoint/standby.c) has to know before it is
 * done. Others pass.
 */
#define _GNU_SOURCE
#include "dsm/base/wrapped.h"
#include "dsm/dsm.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void (*look)(const char *path);

void dsm_on_change(void (*changes)(const char *path)) {
    look = changes;
}

static void changes(const char *path, bool does) {
    if (look && does && path)
        look(path);
}

static bool is_for_writing(const char *mode) {
    return mode && strpbrk(mode, "wa+");
}

/* A device, as /dev/null, is changed by nobody. */
static bool opens(const char *path, int flags) {
    struct stat status;
    bool writes = (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
    return writes && look && path && (stat(path, &status) != 0 || !S_ISCHR(status.st_mode));
}

/* Glibc's checked variants, which -D_FORTIFY_SOURCE calls; not declared without it. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);

/* Defines the hook of a function: `does`: whether it changes what is at the path. */
#define HOOK(result, function, parameters, arguments, path, does)                                  \
    REAL_DECLARE(function);                                                                        \
    result __wrap_##function parameters;                                                           \
    result __wrap_##function parameters {                                                          \
        changes(path, does);                                                                       \
        return REAL(function) arguments;                                                           \
    }

#define HOOK_MODE(function, parameters, arguments)                                                 \
    REAL_DECLARE(function);                                                                        \
    int __wrap_##function parameters;                                                              \
    int __wrap_##function parameters {                                                             \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                    \
        va_end(rest);                                                                              \
        changes(path, opens(path, flags));                                                         \
        return REAL(function) arguments;                                                           \
    }

HOOK(FILE *, fopen, (const char *path, const char *mode), (path, mode), path, is_for_writing(mode))
HOOK(FILE *, fopen64, (const char *path, const char *mode), (path, mode), path,
     is_for_writing(mode))
HOOK(FILE *, freopen, (const char *path, const char *mode, FILE *stream), (path, mode, stream),
     path, is_for_writing(mode))
HOOK(FILE *, freopen64, (const char *path, const char *mode, FILE *stream), (path, mode, stream),
     path, is_for_writing(mode))
HOOK(FILE *, popen, (const char *command, const char *mode), (command, mode), command, true)
HOOK(int, system, (const char *command), (command), command, true)
HOOK_MODE(open, (const char *path, int flags, ...), (path, flags, mode))
HOOK_MODE(open64, (const char *path, int flags, ...), (path, flags, mode))
HOOK_MODE(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
HOOK_MODE(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
HOOK(int, __open_2, (const char *path, int flags), (path, flags), path, opens(path, flags))
HOOK(int, __open64_2, (const char *path, int flags), (path, flags), path, opens(path, flags))
HOOK(int, __openat_2, (int folder, const char *path, int flags), (folder, path, flags), path,
     opens(path, flags))
HOOK(int, __openat64_2, (int folder, const char *path, int flags), (folder, path, flags), path,
     opens(path, flags))
HOOK(int, creat, (const char *path, mode_t mode), (path, mode), path, true)
HOOK(int, creat64, (const char *path, mode_t mode), (path, mode), path, true)
HOOK(int, truncate, (const char *path, off_t length), (path, length), path, true)
HOOK(int, truncate64, (const char *path, off64_t length), (path, length), path, true)
HOOK(int, remove, (const char *path), (path), path, true)
HOOK(int, unlink, (const char *path), (path), path, true)
HOOK(int, rename, (const char *from, const char *to), (from, to), from, true)
HOOK(int, mkdir, (const char *path, mode_t mode), (path, mode), path, true)
HOOK(int, rmdir, (const char *path), (path), path, true)
