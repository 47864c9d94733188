#include "cli/cc/cc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Words that name the compiler: a cache in front of it counts with it. */
static int compiler_words(int nargs, const char **args) {
    static const char *const caches[] = {"ccache", "sccache", "distcc", "icecc"};
    for (size_t i = 0; i < sizeof caches / sizeof *caches; ++i)
        if (nargs > 1 && args[1][0] != '-' && strcmp(base_name(args[0]), caches[i]) == 0)
            return 2;
    return 1;
}

/* The words in quotes, as ORRERY_CC is read. */
static const char *quoted(struct arena *arena, int count, const char **words) {
    size_t room = 1;
    for (int i = 0; i < count; ++i)
        room += 2 * strlen(words[i]) + 1;
    char *text = arena_alloc(arena, room), *out = text;
    for (int i = 0; i < count; ++i) {
        for (const char *at = words[i]; *at; *out++ = *at++)
            if (!isalnum((unsigned char)*at))
                *out++ = '\\';
        *out++ = ' ';
    }
    *out = '\0';
    return text;
}

/* `--launch` or `--launch=N`; -1: another word. 0: N is to be guessed. */
static long launch_count(const char *arg) {
    char *end;
    if (strncmp(arg, "--launch", 8) != 0 || (arg[8] && arg[8] != '='))
        return -1;
    long count = arg[8] ? strtol(arg + 9, &end, 10) : 0;
    return arg[8] && (*end || count < 1) ? -1 : count;
}

/* The compiler behind the launcher; orrery-cc itself would read every source twice. */
static void become(struct arena *arena, int count, const char **words) {
    if (strcmp(base_name(words[count - 1]), "orrery-cc") == 0)
        return;
    setenv("ORRERY_CC", quoted(arena, count, words), 1);
}

int compiler_wrapper(struct arena *arena, int *argc, char ***argv) {
    const char **args = (const char **)*argv;
    int at = 1;
    while (at < *argc && args_is_ours(args, *argc, &at))
        ++at;
    long count = at < *argc ? launch_count(args[at]) : -1;
    if (count < 0)
        return 0;
    int first = at + 1, left = *argc - first;
    if (count == 0 && left > 0)
        count = compiler_words(left, args + first);
    if (left < 1 || left < count) {
        fprintf(stderr, "orrery-cc: error: --launch needs a compiler and its command line\n");
        return 2;
    }
    become(arena, (int)count, args + first);
    struct arg_list words = {.arena = arena};
    for (int i = 0; i < *argc; ++i)
        if (i < at || i >= first + count)
            arg_list_push(&words, args[i]);
    *argc = words.count;
    *argv = (char **)words.items;
    return 0;
}
