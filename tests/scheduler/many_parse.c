/* orrery-many: what libclang has parsed serves the next commands as well, if they ask for the same
 * text with the same flags. Parsing takes most of a small file's time. These functions are called
 * in the place of libclang's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* As clang-c/Index.h has them. */
struct CXUnsavedFile {
    const char *Filename, *Contents;
    unsigned long Length;
};
void *clang_createIndex(int exclude, int display);
void clang_disposeIndex(void *index);
int clang_parseTranslationUnit2FullArgv(void *index, const char *file, const char *const *args,
                                        int nargs, struct CXUnsavedFile *memory, unsigned nmemory,
                                        unsigned flags, void **unit);
void clang_disposeTranslationUnit(void *unit);

enum { KEPT = 4 };

static struct {
    char *key;
    void *unit;
    bool used;
} kept[KEPT];

static void *theirs(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

/* One for all units. */
void *clang_createIndex(int exclude, int display) {
    static void *index;
    if (!index)
        index = ((void *(*)(int, int))theirs("clang_createIndex"))(exclude, display);
    return index;
}

void clang_disposeIndex(void *index) {
    (void)index;
}

static char *key_of(const char *file, const char *const *args, int nargs,
                    const struct CXUnsavedFile *memory, unsigned nmemory, unsigned flags) {
    char *key = NULL;
    size_t length;
    struct stat now = {0};
    FILE *out = open_memstream(&key, &length);
    stat(file, &now);
    fprintf(out, "%s %u %lu %ld %ld.%ld", file, flags, now.st_ino, now.st_size, now.st_mtim.tv_sec,
            now.st_mtim.tv_nsec);
    for (int i = 0; i < nargs; ++i)
        fprintf(out, "\n%s", args[i]);
    for (unsigned i = 0; i < nmemory; ++i)
        fprintf(out, "\n%s %lu\n%.*s", memory[i].Filename, memory[i].Length, (int)memory[i].Length,
                memory[i].Contents);
    fclose(out);
    return key;
}

static void dispose(void *unit) {
    static void (*real)(void *);
    if (!real)
        real = (void (*)(void *))theirs("clang_disposeTranslationUnit");
    real(unit);
}

int clang_parseTranslationUnit2FullArgv(void *index, const char *file, const char *const *args,
                                        int nargs, struct CXUnsavedFile *memory, unsigned nmemory,
                                        unsigned flags, void **unit) {
    static __typeof__(clang_parseTranslationUnit2FullArgv) *real;
    static int next;
    char *key = key_of(file, args, nargs, memory, nmemory, flags);
    if (!real)
        real = (__typeof__(real))theirs("clang_parseTranslationUnit2FullArgv");
    for (int i = 0; i < KEPT; ++i) {
        if (kept[i].key && !kept[i].used && strcmp(kept[i].key, key) == 0) {
            free(key);
            kept[i].used = true;
            *unit = kept[i].unit;
            return 0;
        }
    }
    int status = real(index, file, args, nargs, memory, nmemory, flags, unit);
    for (int tries = 0; *unit && tries < KEPT; ++tries) {
        next = (next + 1) % KEPT;
        if (kept[next].used)
            continue;
        if (kept[next].key)
            dispose(kept[next].unit);
        free(kept[next].key);
        kept[next].key = key;
        kept[next].unit = *unit;
        kept[next].used = true;
        return status;
    }
    free(key);
    return status;
}

void clang_disposeTranslationUnit(void *unit) {
    for (int i = 0; i < KEPT; ++i) {
        if (kept[i].key && kept[i].unit == unit) {
            kept[i].used = false;
            return;
        }
    }
    dispose(unit);
}
