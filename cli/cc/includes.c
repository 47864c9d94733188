/*
 * Does a file, or a header that it may include, mention Orrery? Cheaper than preprocessing it:
 * conditionals are not looked at, and of headers of one name in several folders all count. So "no"
 * is certain, and "yes" a reason to look closer.
 */
#define _GNU_SOURCE
#include "cli/cc/cc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* `files`: those to be read and those that were (before `at`). `unclear`: what is included cannot
 * be told from the text. */
struct closure {
    struct arena *arena;
    struct arg_list folders, files;
    int nseen;
    struct seen {
        dev_t device;
        ino_t inode;
    } *seen;
    bool mentions, unclear;
};

/* True for a regular file that was not seen before. */
static bool is_new(struct closure *closure, const char *path) {
    struct stat stat_of;
    if (stat(path, &stat_of) != 0 || !S_ISREG(stat_of.st_mode))
        return false;
    for (int i = 0; i < closure->nseen; ++i)
        if (closure->seen[i].device == stat_of.st_dev && closure->seen[i].inode == stat_of.st_ino)
            return false;
    ARENA_PUSH(closure->arena, closure->seen, closure->nseen,
               ((struct seen){stat_of.st_dev, stat_of.st_ino}));
    return true;
}

static void visit(struct closure *closure, const char *path) {
    if (is_new(closure, path))
        arg_list_push(&closure->files, path);
}

/* In the folder of the file that names it, and in all others. */
static void visit_named(struct closure *closure, const char *folder, const char *name) {
    if (name[0] == '/') {
        visit(closure, name);
        return;
    }
    visit(closure, arena_printf(closure->arena, "%s%s", folder, name));
    for (int i = 0; i < closure->folders.count; ++i)
        visit(closure, arena_printf(closure->arena, "%s/%s", closure->folders.items[i], name));
}

/* ---- the text -------------------------------------------------------------------------------- */

/* Blanks, comments and spliced lines; stops at the line's end. */
static const char *skip_blanks(const char *at, const char *end) {
    while (at < end) {
        if (end - at > 1 && at[0] == '/' && at[1] == '*') {
            const char *close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
            at = close ? close + 2 : end;
        } else if (end - at > 1 && at[0] == '\\' && at[1] == '\n') {
            at += 2;
        } else if (*at != '\n' && isspace((unsigned char)*at)) {
            ++at;
        } else {
            break;
        }
    }
    return at;
}

/* Behind `#` and blanks: what is included, if it is an include. */
static void read_directive(struct closure *closure, const char *folder, const char *at,
                           const char *end) {
    size_t length = 0;
    at = skip_blanks(at, end);
    while (at + length < end && (isalnum((unsigned char)at[length]) || at[length] == '_'))
        ++length;
    bool spliced = at + length < end && at[length] == '\\';
    bool includes = (length >= 7 && memcmp(at, "include", 7) == 0) ||
                    (length == 6 && memcmp(at, "import", 6) == 0);
    closure->unclear |= spliced && !includes;
    if (!includes)
        return;
    at = skip_blanks(at + length, end);
    char close = at < end && *at == '<' ? '>' : '"';
    const char *stop = at + 1 < end ? memchr(at + 1, close, (size_t)(end - at - 1)) : NULL;
    if (at >= end || (*at != '<' && *at != '"') || !stop)
        closure->unclear = true;
    else
        visit_named(closure, folder,
                    arena_strndup(closure->arena, at + 1, (size_t)(stop - at - 1)));
}

static void read_lines(struct closure *closure, const char *folder, const char *at,
                       const char *end) {
    while (at < end) {
        at = skip_blanks(at, end);
        if (at < end && *at == '#')
            read_directive(closure, folder, at + 1, end);
        else if (end - at > 1 && at[0] == '%' && at[1] == ':')
            read_directive(closure, folder, at + 2, end);
        const char *line = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        at = line ? line + 1 : end;
    }
}

static void read_file(void *data, const char *file, const char *bytes, size_t size) {
    struct closure *closure = data;
    const char *slash = strrchr(file, '/');
    const char *folder =
        slash ? arena_strndup(closure->arena, file, (size_t)(slash + 1 - file)) : "";
    closure->mentions |= memmem(bytes, size, "orrery", 6) || memmem(bytes, size, "ORRERY", 6);
    if (!closure->mentions)
        read_lines(closure, folder, bytes, bytes + size);
}

/* ---- folders --------------------------------------------------------------------------------- */

static void add_folders_of(struct closure *closure, const char *variable) {
    const char *value = getenv(variable);
    char *rest = NULL, *folders = arena_strdup(closure->arena, value ? value : "");
    for (char *one = strtok_r(folders, ":", &rest); one; one = strtok_r(NULL, ":", &rest))
        arg_list_push(&closure->folders, one);
}

/* A word that names folders or headers. */
static void take_word(struct closure *closure, const struct word *word) {
    static const char *const named[] = {"-isystem", "-iquote", "-idirafter", "-I"};
    static const char *const unclear[] = {"-iprefix", "-iwithprefix",   "-isysroot",    "--sysroot",
                                          "-I=",      "-Xpreprocessor", "-include-pch", "-Wp,-I",
                                          "-Wp,-i",   "-fmodule",       "--include"};
    for (size_t i = 0; i < sizeof unclear / sizeof *unclear; ++i)
        if (strncmp(word->text, unclear[i], strlen(unclear[i])) == 0) {
            closure->unclear = true;
            return;
        }
    if (strcmp(word->text, "-include") == 0 || strcmp(word->text, "-imacros") == 0) {
        visit_named(closure, "", word->value ? word->value : "");
        return;
    }
    for (size_t i = 0; i < sizeof named / sizeof *named; ++i) {
        size_t length = strlen(named[i]);
        if (strncmp(word->text, named[i], length) != 0)
            continue;
        const char *folder = word->text[length] ? word->text + length : word->value;
        if (folder)
            arg_list_push(&closure->folders, folder);
        return;
    }
}

static void find_folders(struct closure *closure, const struct command_line *line) {
    static const char *const usual[] = {"/usr/local/include", "/usr/include"};
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                            "OBJC_INCLUDE_PATH"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i)
        add_folders_of(closure, variables[i]);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; ++i)
        arg_list_push(&closure->folders, usual[i]);
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < line->nwords; ++i) {
            const struct word *word = &line->words[i];
            bool header =
                strcmp(word->text, "-include") == 0 || strcmp(word->text, "-imacros") == 0;
            if (word->kind == WORD_COMPILE && header == (pass == 1))
                take_word(closure, word);
        }
}

bool includes_mention(const struct command_line *line, const struct house *house,
                      const char *source) {
    struct closure closure = {
        .arena = line->arena, .folders = {.arena = line->arena}, .files = {.arena = line->arena}};
    is_new(&closure, arena_printf(line->arena, "%s/orrery.h", house->include));
    visit(&closure, source);
    find_folders(&closure, line);
    for (int i = 0; i < closure.files.count && !closure.mentions && !closure.unclear; ++i)
        probe_read(closure.files.items[i], read_file, &closure);
    return closure.mentions || closure.unclear;
}
