#define _GNU_SOURCE
#include "tools/run/folder.h"

#include "tools/base/status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot(const char *command, const char *what, const char *path) {
    fprintf(stderr, "orrery %s: cannot %s %s: %s\n", command, what, path, strerror(errno));
    return STATUS_USAGE;
}

static int is_taken(const char *command, const char *folder, int file) {
    char holder[128];
    ssize_t got = pread(file, holder, sizeof holder - 1, 0);
    holder[got > 0 ? got : 0] = '\0';
    holder[strcspn(holder, "\n")] = '\0';
    fprintf(stderr, "orrery %s: another run (%s) uses %s; give each run a folder of its own\n",
            command, holder, folder);
    return STATUS_USAGE;
}

/* A full disk has no room for who holds the lock; a file system without locks has none. */
static void holder_write(int file) {
    char host[64] = "";
    struct sigaction before, ignore = {.sa_handler = SIG_IGN};
    gethostname(host, sizeof host - 1);
    sigaction(SIGXFSZ, &ignore, &before);
    (void)!ftruncate(file, 0);
    dprintf(file, "process %d on %s\n", (int)getpid(), host);
    sigaction(SIGXFSZ, &before, NULL);
}

int folder_take(const char *command, const char *folder) {
    char path[4096];
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return cannot(command, "make the folder", folder);
    snprintf(path, sizeof path, "%s/.lock", folder);
    int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return cannot(command, "write to", folder);
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
        holder_write(file);
    else if (errno == EWOULDBLOCK)
        return is_taken(command, folder, file);
    return 0;
}

static bool is_checkpoint(const char *name) {
    size_t length = strlen(name);
    return strncmp(name, "checkpoint-", 11) == 0 && length > 3 &&
           strcmp(name + length - 3, ".h5") == 0;
}

int folder_clear(const char *command, const char *folder) {
    char from[4096], to[4200];
    int status = 0;
    DIR *names = opendir(folder);
    if (!names)
        return cannot(command, "read", folder);
    for (const struct dirent *entry = readdir(names); entry; entry = readdir(names)) {
        if (!is_checkpoint(entry->d_name))
            continue;
        snprintf(from, sizeof from, "%s/%s", folder, entry->d_name);
        snprintf(to, sizeof to, "%s.old", from);
        if (rename(from, to) != 0)
            status = cannot(command, "set aside", from);
    }
    closedir(names);
    return status;
}
