#define _GNU_SOURCE
#include "tools/run/resize.h"

#include "tools/base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RANKS = 65536, UNREADABLE = -1 };

/* ---- the file -------------------------------------------------------------------------------- */

static bool is_same(const struct resize *resize, const struct stat *status) {
    return resize->device == status->st_dev && resize->inode == status->st_ino &&
           resize->time.tv_sec == status->st_mtim.tv_sec &&
           resize->time.tv_nsec == status->st_mtim.tv_nsec;
}

static void note(struct resize *resize, const struct stat *status) {
    resize->device = status->st_dev;
    resize->inode = status->st_ino;
    resize->time = status->st_mtim;
}

static long number_of(const char *text) {
    char *end;
    long number = strtol(text, &end, 10);
    end += strspn(end, " \t\r\n");
    return end == text || *end || number < 1 || number > MOST_RANKS ? UNREADABLE : number;
}

/* 0: nothing new. Who writes it in two steps is read again when it is done. */
static long number_read(struct resize *resize) {
    char text[64] = "";
    struct stat status;
    int file = open(resize->file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool fresh = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                 !is_same(resize, &status);
    ssize_t got = fresh ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0)
        close(file);
    if (got <= 0)
        return 0;
    note(resize, &status);
    return number_of(text);
}

void resize_start(struct resize *resize) {
    struct stat status;
    if (resize->file && stat(resize->file, &status) == 0)
        note(resize, &status);
}

/* ---- what it says ---------------------------------------------------------------------------- */

static void refuse(struct resize *resize, const char *who, long number) {
    if (number == UNREADABLE)
        fprintf(stderr, "orrery %s: %s holds no number of ranks\n", who, resize->file);
    else if (number != resize->refused)
        fprintf(stderr,
                "orrery %s: %ld ranks cannot be had: %ld were started (--most); with --checkpoint "
                "DIR any number can\n",
                who, number, resize->most);
    resize->refused = number;
}

enum resize_step resize_look(struct resize *resize, const char *who) {
    long number = resize->file ? number_read(resize) : 0;
    if (number == 0 || number == resize->ranks)
        return RESIZE_NOTHING;
    bool deals = number <= resize->most && !resize->anew;
    if (number == UNREADABLE || (!deals && !resize->begins)) {
        refuse(resize, who, number);
        return RESIZE_NOTHING;
    }
    resize->ranks = number;
    fprintf(stderr, "orrery %s: %ld rank%s from %s on\n", who, number, number == 1 ? "" : "s",
            deals ? "the next region" : "the next checkpoint");
    if (deals)
        return RESIZE_DEAL;
    bool first = !resize->anew;
    resize->anew = true;
    return first ? RESIZE_ANEW : RESIZE_NOTHING;
}

/* ---- orrery resize --------------------------------------------------------------------------- */

static int cannot(const char *what, const char *path) {
    fprintf(stderr, "orrery resize: cannot %s %s: %s\n", what, path, strerror(errno));
    return STATUS_USAGE;
}

/* Whole, or not at all. */
int resize_write(const char *file, long ranks) {
    char path[PATH_MAX];
    if (ranks < 1 || ranks > MOST_RANKS) {
        fprintf(stderr, "orrery resize: a job has 1 to %d ranks\n", MOST_RANKS);
        return STATUS_USAGE;
    }
    if (snprintf(path, sizeof path, "%s.XXXXXX", file) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return cannot("write", file);
    }
    int out = mkstemp(path);
    if (out < 0)
        return cannot("write", path);
    bool written = dprintf(out, "%ld\n", ranks) > 0;
    if (close(out) == 0 && written && rename(path, file) == 0)
        return STATUS_OK;
    int status = cannot("write", file);
    unlink(path);
    return status;
}
