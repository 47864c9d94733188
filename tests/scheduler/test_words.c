/* What outline_words_each says of emitted functions, beside the text that is printed: no word is missing
 * that a macro could change. */
#include "scheduler/compile.h"
#include "scheduler/emit/print.h"

#include <ctype.h>
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_LOOPS = 1500, MOST_WORDS = 4096 };

static int nloops, nmissing;

struct said {
    int count;
    struct word words[MOST_WORDS];
};

static void keep(void *data, struct word word) {
    struct said *said = data;
    for (int i = 0; i < said->count; ++i)
        if (strcmp(said->words[i].name, word.name) == 0 && said->words[i].kind == word.kind &&
            said->words[i].called == word.called)
            return;
    assert_true(said->count < MOST_WORDS);
    said->words[said->count++] = word;
}

/* A macro of that name, with parameters when it is called, would be seen. */
static bool is_said(const struct said *said, const char *word, bool member, bool called) {
    for (int i = 0; i < said->count; ++i)
        if (strcmp(said->words[i].name, word) == 0 &&
            (!member || said->words[i].kind == WORD_OURS) &&
            (!called || said->words[i].called || said->words[i].kind == WORD_TYPE))
            return true;
    return false;
}

struct names {
    int count;
    char **sorted;
};

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Each name in the text, sorted. */
static struct names names_of(struct arena *arena, const char *text) {
    size_t length = strlen(text);
    struct names names = {0, arena_alloc(arena, (length + 1) * sizeof *names.sorted)};
    struct token_scan scan = token_scan_start(text, 0, length);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (t.kind == TOKEN_NAME)
            names.sorted[names.count++] = arena_strndup(arena, text + t.begin, t.end - t.begin);
    qsort(names.sorted, names.count, sizeof *names.sorted, by_name);
    return names;
}

static bool stands_in(const struct names *names, const char *word) {
    return bsearch(&word, names->sorted, names->count, sizeof *names->sorted, by_name);
}

static bool is_reserved(const char *word) {
    static const char c[] = " auto bool break case char const continue default do double else enum "
                            "extern false float for goto if inline int long NULL register restrict "
                            "return short signed sizeof static struct switch true typedef union "
                            "unsigned void volatile while _Bool _Complex _Generic _Alignof ";
    char padded[128];
    snprintf(padded, sizeof padded, " %s ", word);
    return strncmp(word, "orrery_", 7) == 0 || strncmp(word, "ORRERY_", 7) == 0 ||
           strncmp(word, "__", 2) == 0 || strstr(c, padded);
}

/* What is declared by us, and has members of ours. */
static bool is_our_variable(const char *text, size_t length) {
    static const char *const names[] = {"orrery_b", "orrery_r",    "orrery_env",   "orrery_out",
                                        "orrery_c", "orrery_rest", "orrery_rows_", "orrery_value_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        size_t known = strlen(names[i]);
        bool numbered = names[i][known - 1] == '_';
        if (strncmp(text, names[i], known) == 0 &&
            (length == known || (numbered && length > known)))
            return true;
    }
    return false;
}

/* `orrery_b->end`: a member of ours stands behind. */
static bool is_ours(const char *text, size_t begin) {
    size_t at = begin;
    if (at >= 1 && text[at - 1] == '.')
        at -= 1;
    else if (at >= 2 && strncmp(text + at - 2, "->", 2) == 0)
        at -= 2;
    else
        return false;
    size_t start = at;
    while (start > 0 && (isalnum((unsigned char)text[start - 1]) || text[start - 1] == '_'))
        --start;
    return is_our_variable(text + start, at - start);
}

static void judge(const char *path, const struct outline *outline) {
    struct said *said = calloc(1, sizeof *said);
    struct text out;
    const struct range *range = &outline->loop->function->range;
    struct names own = names_of(outline->arena,
                                arena_strndup(outline->arena, outline->source + range->begin.offset,
                                              range->end.offset - range->begin.offset));
    outline_words_each(outline, keep, said);
    text_start(&out, outline->arena);
    emit_functions(outline, &out);
    struct token_scan scan = token_scan_start(out.bytes, 0, out.length);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        char *word = strndup(out.bytes + t.begin, t.end - t.begin);
        struct token_scan ahead = scan;
        bool called = token_spells(&ahead, token_next(&ahead), "(");
        bool ours = t.kind == TOKEN_NAME && is_ours(out.bytes, t.begin);
        if (t.kind == TOKEN_NAME && !is_reserved(word) && (ours || !stands_in(&own, word)) &&
            !is_said(said, word, ours, called)) {
            ++nmissing;
            print_error("%s:%d: `%s` is printed and not said%s%s\n", path,
                        outline->loop->header.begin.line, word, ours ? ", as a member" : "",
                        called ? ", called" : "");
        }
        free(word);
    }
    ++nloops;
    free(said);
}

/* Flags out of the program's first lines. */
static int flags_of(struct arena *arena, const char *path, const char **flags) {
    char line[512];
    int count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int i = 0; i < 6 && fgets(line, sizeof line, file); ++i) {
        char *end = strstr(line, " */");
        if (strncmp(line, "/* flags: ", 10) != 0 || !end)
            continue;
        *end = 0;
        for (char *word = strtok(line + 10, " "); word && count < 8; word = strtok(NULL, " "))
            flags[count++] = arena_strdup(arena, word);
    }
    fclose(file);
    return count;
}

static void compile(const char *path, bool gpu, bool all) {
    struct arena *arena = arena_new();
    const char *flags[8];
    struct compile_request request = {.file = {.name = path},
                                      .include = SOURCE_DIR "/include",
                                      .all = all,
                                      .allow_fallback = all,
                                      .gpu = gpu};
    struct compilation c;
    request.file.nflags = flags_of(arena, path, flags);
    request.file.flags = flags;
    compile_unit(&c, arena, &request);
    for (int i = 0; i < c.noutlines; ++i)
        if (c.outlines[i])
            judge(path, c.outlines[i]);
    arena_free(arena);
}

static void folder(const char *path) {
    DIR *open = opendir(path);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));) {
        char name[1024];
        size_t length = strlen(entry->d_name);
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.') {
            folder(name);
        } else if (length > 2 && strcmp(entry->d_name + length - 2, ".c") == 0) {
            compile(name, false, true);
            if (strstr(path, "/gpu") || strstr(path, "/emit"))
                compile(name, strstr(path, "/gpu") != NULL, false);
        }
    }
    closedir(open);
}

static void every_word_that_is_printed_is_said(void **state) {
    (void)state;
    folder(SOURCE_DIR "/tests/programs");
    folder(SOURCE_DIR "/samples");
    assert_int_equal(nmissing, 0);
    assert_in_range(nloops, LEAST_LOOPS, 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_that_is_printed_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
