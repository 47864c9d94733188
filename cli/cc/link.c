#define _GNU_SOURCE
#include "cli/cc/cc.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A library built with a sanitizer needs it in every program. */
#ifndef ORRERY_SANITIZE
#define ORRERY_SANITIZE ""
#endif

/* Files among the words of -Wl, and -Xlinker. */
static bool linker_words_need(const struct command_line *line, const struct word *word) {
    bool list = strncmp(word->text, "-Wl,", 4) == 0;
    if (word->kind != WORD_LINK || (!list && strcmp(word->text, "-Xlinker") != 0))
        return false;
    char *rest = NULL, *words = arena_strdup(line->arena, list          ? word->text + 4
                                                          : word->value ? word->value
                                                                        : "");
    for (char *one = strtok_r(words, ",", &rest); one; one = strtok_r(NULL, ",", &rest))
        if (strncmp(one, "-l", 2) == 0 ? probe_library(line, line->arena, one + 2)
                                       : one[0] != '-' && probe_object(one))
            return true;
    return false;
}

/* Does what is linked hold a parallel loop? Marked sources are objects by now. */
bool link_needs_runtime(const struct command_line *line) {
    for (int i = 0; i < line->nwords; ++i) {
        const struct word *word = &line->words[i];
        if (linker_words_need(line, word))
            return true;
        if (word->kind != WORD_INPUT)
            continue;
        if (word->object && (line->ours.show || probe_object(word->object)))
            return true;
        if (word->input == INPUT_OBJECT && probe_object(word->text))
            return true;
        if (word->input == INPUT_OTHER &&
            probe_text(args_is_stdin(word) ? line->stdin_copy : word->text))
            return true;
        if (word->input == INPUT_LIBRARY &&
            probe_library(line, line->arena, word->text[2] ? word->text + 2 : word->value))
            return true;
    }
    return false;
}

bool link_names_loaders(const struct command_line *line) {
    for (int i = 0; i < line->nwords; ++i) {
        const struct word *word = &line->words[i];
        const char *name = word->value ? word->value : word->text + 2;
        if (word->kind == WORD_INPUT && word->input == INPUT_LIBRARY &&
            strcmp(name, "orrery-load") == 0)
            return true;
    }
    return false;
}

bool link_needs_loaders(const struct command_line *line) {
    for (int i = 0; i < line->nwords; ++i) {
        const struct word *word = &line->words[i];
        const char *object = word->object ? word->object : word->text;
        if (word->kind == WORD_INPUT && (word->object || word->input == INPUT_OBJECT) &&
            probe_loaders(object))
            return true;
    }
    return false;
}

void link_loaders(const struct house *house, struct arg_list *command) {
    static const char *const libraries[] = {"-lpthread", "-ldl", "-lm"};
    if (ORRERY_SANITIZE[0])
        arg_list_push(command, "-fsanitize=" ORRERY_SANITIZE);
    arg_list_push(command, house_library(house, command->arena, "liborrery-load.a"));
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; ++i)
        arg_list_push(command, libraries[i]);
}

int link_check(const struct command_line *line) {
    bool device = line->shared && line->ours.target && strncmp(line->ours.target, "gpu", 3) == 0;
    const char *flag = line->fixed_static           ? "-static"
                       : line->pie && !line->shared ? "-pie"
                       : device                     ? "-shared"
                                                    : NULL;
    const char *why = device ? "loops of a shared library run on threads, not on a GPU: leave out "
                               "-target gpu, or link a program"
                      : line->fixed_static
                          ? "the transport of several ranks is loaded at run time: link without it"
                          : "ranks share static data at one address: link without it";
    if (!flag)
        return 0;
    fprintf(stderr, "orrery-cc: error: %s: %s\n", flag, why);
    return 1;
}

int link_push_names(const struct house *house, const char *name, const char *option,
                    struct arg_list *command) {
    const char *path = house_library(house, command->arena, name);
    FILE *in = fopen(path, "r");
    if (!in) {
        fprintf(stderr, "orrery-cc: error: cannot read %s: Orrery is not installed completely\n",
                path);
        return 1;
    }
    char text[256];
    while (fgets(text, sizeof text, in)) {
        text[strcspn(text, "# \t\r\n")] = '\0';
        if (text[0])
            arg_list_push(command, arena_printf(command->arena, "%s%s", option, text));
    }
    fclose(in);
    return 0;
}

/* Names that C keeps for its library (C17 7.1.3), and an allocator's: who defines one of these means
 * the same by it. */
static bool is_kept(const char *name) {
    static const char *const kept[] = {"malloc",
                                       "calloc",
                                       "realloc",
                                       "free",
                                       "aligned_alloc",
                                       "reallocarray",
                                       "posix_memalign",
                                       "memalign",
                                       "valloc",
                                       "pvalloc",
                                       "strdup",
                                       "strndup",
                                       "fread",
                                       "fwrite",
                                       "setvbuf",
                                       "setbuf",
                                       "signal",
                                       "atexit",
                                       "malloc_usable_size"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i)
        if (strcmp(kept[i], name) == 0)
            return true;
    return false;
}

/* A program's own function may have the name of one that is wrapped, and other arguments. */
static void name_drop(void *data, const char *name) {
    static const char option[] = "-Wl,--wrap=";
    struct arg_list *names = data;
    int kept = 0;
    for (int i = 0; i < names->count; ++i)
        if (is_kept(name) || strcmp(names->items[i] + sizeof option - 1, name) != 0)
            names->items[kept++] = names->items[i];
    names->count = kept;
}

static void defined_drop(void *data, const char *file, const char *bytes, size_t size) {
    object_defines(file, bytes, size, name_drop, data);
}

/* Sources that nobody marked are compiled as they are, so that it is known what they define. */
static int compile_plain(const struct command_line *line, struct word *word) {
    struct arg_list command = {.arena = line->arena};
    const char *slash = strrchr(word->text, '/'), *name = slash ? slash + 1 : word->text;
    const char *object = spawn_file(
        line->arena, arena_printf(line->arena, "plain-%d-%s.o", (int)(word - line->words), name));
    spawn_compiler(&command);
    compile_push_beside(line, name, &command);
    for (int i = 0; i < line->nwords; ++i)
        if (line->words[i].kind == WORD_COMPILE) {
            arg_list_push(&command, line->words[i].text);
            if (line->words[i].value)
                arg_list_push(&command, line->words[i].value);
        }
    if (word->language) {
        arg_list_push(&command, "-x");
        arg_list_push(&command, word->language);
    }
    const char *const words[] = {"-c", "-o", object, word->text};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        arg_list_push(&command, words[i]);
    int status = spawn_run(&command, false);
    word->object = object;
    return status;
}

int link_compile_plain(struct command_line *line) {
    int status = 0;
    if (line->shared || line->ours.show || line->ours.accesses || line->depends.wanted ||
        !link_needs_runtime(line))
        return 0;
    for (int i = 0; i < line->nwords && status == 0; ++i) {
        struct word *word = &line->words[i];
        if (word->kind == WORD_INPUT && word->input == INPUT_C && !word->marked &&
            !args_is_stdin(word))
            status = compile_plain(line, word);
    }
    return status;
}

static int link_push_wrapped(const struct command_line *line, const struct house *house,
                             struct arg_list *command) {
    struct arg_list names = {.arena = command->arena};
    if (link_push_names(house, "wrap.txt", "-Wl,--wrap=", &names) != 0)
        return 1;
    for (int i = 0; i < line->nwords; ++i) {
        const struct word *word = &line->words[i];
        if (word->kind == WORD_INPUT && (word->object || word->input == INPUT_OBJECT))
            probe_read(word->object ? word->object : word->text, defined_drop, &names);
    }
    for (int i = 0; i < names.count; ++i)
        arg_list_push(command, names.items[i]);
    return 0;
}

/* A library keeps to its own definitions, which the analysis has looked into, and is never
 * unloaded: the runtime knows its loops. */
static int link_library(const struct command_line *line, const struct house *house,
                        struct arg_list *command) {
    const char *runtime = house_library(house, command->arena, "liborrery.so");
    if (access(runtime, R_OK) != 0) {
        fprintf(stderr,
                "orrery-cc: error: cannot read %s, which shared libraries with parallel "
                "loops are linked with: Orrery is not installed completely\n",
                runtime);
        return 1;
    }
    if (line->ours.own_memory && link_push_names(house, "own_memory.txt", "-Wl,--wrap=", command))
        return 1;
    const char *const words[] = {"-Wl,-Bsymbolic-functions,-z,nodelete",
                                 "-Wl,--exclude-libs,liborrery-load.a",
                                 "-Xlinker",
                                 "-rpath",
                                 "-Xlinker",
                                 house->library,
                                 runtime,
                                 house_library(house, command->arena, "liborrery-load.a"),
                                 "-lpthread",
                                 "-ldl",
                                 "-lm"};
    if (ORRERY_SANITIZE[0])
        arg_list_push(command, "-fsanitize=" ORRERY_SANITIZE);
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        arg_list_push(command, words[i]);
    return 0;
}

int link_extra(const struct command_line *line, const struct house *house,
               struct arg_list *command) {
    if (line->shared)
        return link_library(line, house, command);
    static const char *const libraries[] = {"-lpthread", "-ldl", "-lm"};
    arg_list_push(command, "-no-pie");
    if (ORRERY_SANITIZE[0])
        arg_list_push(command, "-fsanitize=" ORRERY_SANITIZE);
    if (link_push_wrapped(line, house, command) != 0)
        return 1;
    arg_list_push(command, "-Wl,--wrap=main");
    arg_list_push(command, "-Xlinker");
    arg_list_push(command, "-rpath");
    arg_list_push(command, "-Xlinker");
    arg_list_push(command, house->library);
    if (kernels_link(line, house, command) != 0)
        return 1;
    arg_list_push(command, house_library(house, command->arena, "liborrery.a"));
    arg_list_push(command, house_library(house, command->arena, "liborrery-load.a"));
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; ++i)
        arg_list_push(command, libraries[i]);
    return 0;
}
