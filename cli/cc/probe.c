#define _GNU_SOURCE
#include "cli/cc/cc.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Does `find(bytes, size)` hold for the file's content? */
static bool probe(const char *file, bool (*find)(const char *bytes, size_t size)) {
    struct stat stat;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool found = false;
    if (fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) && stat.st_size > 0) {
        size_t size = (size_t)stat.st_size;
        char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) {
            found = find(bytes, size);
            munmap(bytes, size);
        }
    }
    close(fd);
    return found;
}

static bool mentions_orrery(const char *bytes, size_t size) {
    return memmem(bytes, size, "orrery", 6) || memmem(bytes, size, "ORRERY", 6);
}

/* One of the symbols' names, as it stands in a string table. */
static bool calls_runtime(const char *bytes, size_t size) {
    return memmem(bytes, size, "\0orrery_run", 12) || memmem(bytes, size, "\0orrery_run_later", 18);
}

static bool names_runtime(const char *bytes, size_t size) {
    return memmem(bytes, size, "orrery_run", 10) != NULL;
}

static bool holds_kernels(const char *bytes, size_t size) {
    return memmem(bytes, size, "\0orrery_device_cuda", 19) != NULL;
}

bool probe_kernels(const char *file) {
    return probe(file, holds_kernels);
}

bool probe_text(const char *file) {
    return probe(file, names_runtime);
}

bool probe_source(const char *file) {
    return probe(file, mentions_orrery);
}

bool probe_object(const char *file) {
    return probe(file, calls_runtime);
}

static bool calls_loaders(const char *bytes, size_t size) {
    return memmem(bytes, size, "\0orrery_load_", 13) || memmem(bytes, size, "\0orrery_save", 12);
}

bool probe_loaders(const char *file) {
    return probe(file, calls_loaders);
}

static bool exists(const char *file) {
    return access(file, R_OK) == 0;
}

bool probe_library(const struct command_line *line, struct arena *arena, const char *name) {
    for (int i = 0; i < line->nwords; i++) {
        const struct word *word = &line->words[i];
        if (word->kind != WORD_LINK || strncmp(word->text, "-L", 2) != 0)
            continue;
        const char *folder = word->text[2] ? word->text + 2 : word->value;
        if (folder && exists(arena_printf(arena, "%s/lib%s.so", folder, name)) &&
            !line->fixed_static)
            return false;
        const char *archive = arena_printf(arena, "%s/lib%s.a", folder ? folder : ".", name);
        if (exists(archive))
            return probe_object(archive);
    }
    return false;
}
