#define _GNU_SOURCE
#include "cli/cc/cc.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void probe_read(const char *file,
                void (*read)(void *data, const char *file, const char *bytes, size_t size),
                void *data) {
    struct stat stat;
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return;
    if (fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) && stat.st_size > 0) {
        size_t size = (size_t)stat.st_size;
        char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) {
            read(data, file, bytes, size);
            munmap(bytes, size);
        }
    }
    close(fd);
}

/* A question to a file's content, and its answer. */
struct question {
    bool (*find)(const char *file, const char *bytes, size_t size);
    bool found;
};

static void ask(void *data, const char *file, const char *bytes, size_t size) {
    struct question *question = data;
    question->found = question->find(file, bytes, size);
}

/* Does `find(file, bytes, size)` hold for the file's content? */
static bool probe(const char *file,
                  bool (*find)(const char *file, const char *bytes, size_t size)) {
    struct question question = {.find = find};
    probe_read(file, ask, &question);
    return question.found;
}

static bool mentions_orrery(const char *file, const char *bytes, size_t size) {
    (void)file;
    return memmem(bytes, size, "orrery", 6) || memmem(bytes, size, "ORRERY", 6);
}

/* C or assembly that becomes an object of ours: the note's name, or the symbol's. */
static bool makes_object(const char *file, const char *bytes, size_t size) {
    (void)file;
    return memmem(bytes, size, "ORRERY_OBJECT", 13) || memmem(bytes, size, ".note.orrery", 12) ||
           memmem(bytes, size, "orrery_object", 13);
}

static bool holds_kernels(const char *file, const char *bytes, size_t size) {
    (void)file;
    return memmem(bytes, size, "\0orrery_device_cuda", 19) != NULL;
}

bool probe_kernels(const char *file) {
    return probe(file, holds_kernels);
}

bool probe_text(const char *file) {
    return probe(file, makes_object);
}

bool probe_source(const char *file) {
    return probe(file, mentions_orrery);
}

bool probe_object(const char *file) {
    return probe(file, object_is_ours);
}

static bool calls_loaders(const char *file, const char *bytes, size_t size) {
    (void)file;
    return memmem(bytes, size, "\0orrery_load_", 13) || memmem(bytes, size, "\0orrery_save", 12);
}

bool probe_loaders(const char *file) {
    return probe(file, calls_loaders);
}

static bool exists(const char *file) {
    return access(file, R_OK) == 0;
}

/* `-l:FILE` */
static bool probe_named(const struct command_line *line, struct arena *arena, const char *file) {
    for (int i = 0; i < line->nwords; ++i) {
        const struct word *word = &line->words[i];
        const char *folder = word->text[2] ? word->text + 2 : word->value;
        if (word->kind != WORD_LINK || strncmp(word->text, "-L", 2) != 0 || !folder)
            continue;
        const char *path = arena_printf(arena, "%s/%s", folder, file);
        if (exists(path))
            return probe_object(path);
    }
    return false;
}

bool probe_library(const struct command_line *line, struct arena *arena, const char *name) {
    if (name[0] == ':')
        return probe_named(line, arena, name + 1);
    for (int i = 0; i < line->nwords; ++i) {
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
