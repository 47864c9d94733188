/*
 * Marks that nobody obeys: in files that are not rewritten. The host compiler's preprocessor says
 * where they are, in the languages that it knows; a source that goes through `emit` hears of its
 * own and its headers' marks there, but not of those of system headers.
 */
#define _GNU_SOURCE
#include "cli/cc/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Preprocessed text under way. `last`: the place that was reported last. */
struct marks {
    const struct command_line *line; /* all words */
    const struct word *word;         /* the source's */
    /* `own`: marks of the main file and of the user's headers count. `system`: the line at hand is
     * of a system header. */
    bool own, system;
    const char *file, *last_file; /* of the line at hand; of the last report, NULL: none */
    long at, last_at;             /* their lines */
    int count;                    /* of reports */
};

/* ---- messages -------------------------------------------------------------------------------- */

static bool is_main(const struct marks *marks) {
    const struct command_line *line = marks->line;
    return strcmp(marks->file, marks->word->text) == 0 || strcmp(marks->file, "<stdin>") == 0 ||
           (line->stdin_copy && strcmp(marks->file, line->stdin_copy) == 0);
}

static const char *code_of(const struct marks *marks) {
    return marks->word->input == INPUT_C && !is_main(marks) ? "ORR2301" : "ORR2316";
}

static const char *reason_of(const struct marks *marks) {
    if (marks->line->layout)
        return arena_printf(marks->line->arena, "with %s memory is not as the run library knows it",
                            marks->line->layout);
    if (marks->word->input == INPUT_C)
        return is_main(marks) ? "the text is not rewritten"
                              : "it is in a header, and only the source file is rewritten";
    return arena_printf(marks->line->arena, "%s is not rewritten, only C is",
                        args_language(marks->word));
}

static const char *fix_of(const struct marks *marks) {
    if (marks->line->layout)
        return "build this file without that flag";
    if (marks->word->input == INPUT_C)
        return "move the function with the loop into the source file";
    return "move the function with the loop into a .c file of its own, and call it";
}

/* The line as the file has it; NULL: it cannot be read. */
static char *line_of(const struct marks *marks) {
    bool copied = is_main(marks) && marks->line->stdin_copy && args_is_stdin(marks->word);
    FILE *in = fopen(copied ? marks->line->stdin_copy : marks->file, "r");
    char *text = NULL;
    size_t room = 0;
    ssize_t length = 0;
    for (long i = 0; in && length >= 0 && i < marks->at; ++i)
        length = getline(&text, &room, in);
    if (in)
        fclose(in);
    if (length > 0)
        text[strcspn(text, "\r\n")] = '\0';
    return length > 0 ? text : (free(text), NULL);
}

static void complain(const struct marks *marks) {
    char *text = line_of(marks);
    int blanks = text ? (int)strspn(text, " \t") : 0;
    fprintf(stderr, "%s:%ld:%d: %s: this mark is ignored, the loop stays serial: %s [%s]\n",
            args_is_stdin(marks->word) && is_main(marks) ? "<stdin>" : marks->file, marks->at,
            blanks + 1, marks->line->ours.strict ? "error" : "warning", reason_of(marks),
            code_of(marks));
    if (text)
        fprintf(stderr, "%s\n%.*s^\n", text, blanks, text);
    fprintf(stderr, "  fix: %s\n", fix_of(marks));
    free(text);
}

static void report(struct marks *marks) {
    bool same = marks->last_file && marks->at == marks->last_at &&
                strcmp(marks->file, marks->last_file) == 0;
    if (same || (!marks->own && !marks->system))
        return;
    marks->last_file = marks->file;
    marks->last_at = marks->at;
    ++marks->count;
    complain(marks);
}

/* ---- preprocessed text ----------------------------------------------------------------------- */

/* `# 12 "file.h" 1 3`: the next line is line 12 of file.h, which a flag 3 says is the system's. */
static bool read_marker(struct marks *marks, const char *text) {
    char *end, *out;
    const char *at = text + 1 + strspn(text + 1, " ");
    if (strncmp(at, "line ", 5) == 0)
        at += 5;
    long number = strtol(at, &end, 10);
    if (end == at)
        return false;
    marks->at = number - 1;
    at = strchr(end, '"');
    if (!at)
        return true;
    char *file = out = arena_alloc(marks->line->arena, strlen(at));
    for (++at; *at && *at != '"'; ++at)
        *out++ = *at == '\\' && at[1] ? *++at : *at;
    *out = '\0';
    marks->file = file;
    marks->system = *at && strchr(at + 1, '3');
    return true;
}

/* `#pragma orrery ...`, but for what says that a loop stays serial. */
static bool is_mark(const char *text) {
    static const char *const words[] = {"#", "pragma", "orrery"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        text += strspn(text, " \t");
        size_t length = strlen(words[i]);
        if (strncmp(text, words[i], length) != 0)
            return false;
        text += length;
    }
    if (*text && !strchr(" \t\r\n", *text))
        return false;
    text += strspn(text, " \t");
    return strncmp(text, "serial", 6) != 0;
}

static void read_text(struct marks *marks, const char *path) {
    FILE *in = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    while (in && getline(&text, &room, in) > 0) {
        ++marks->at;
        if (text[0] == '#' && read_marker(marks, text))
            continue;
        if (is_mark(text))
            report(marks);
    }
    free(text);
    if (in)
        fclose(in);
}

/* Words that would make the output another one. */
static bool is_about_output(const char *text) {
    return strcmp(text, "-P") == 0 || strncmp(text, "-d", 2) == 0 ||
           strcmp(text, "-fdirectives-only") == 0 || strcmp(text, "-save-temps") == 0;
}

/* What the preprocessor makes of the source; NULL where it fails, as the compiler will. */
static const char *preprocessed(struct command_line *line, const struct house *house,
                                const struct word *word, const char *source) {
    struct arg_list command = {.arena = line->arena};
    const char *output = spawn_file(line->arena, "marks.i");
    spawn_compiler(&command);
    for (int i = 0; i < line->nwords; ++i) {
        const struct word *one = &line->words[i];
        if (one->kind != WORD_COMPILE || is_about_output(one->text))
            continue;
        arg_list_push(&command, one->text);
        if (one->value)
            arg_list_push(&command, one->value);
    }
    const char *const own[] = {"-D__ORRERY__=1",
                               "-DORRERY_PARALLEL(...)=_Pragma(\"orrery parallel\")",
                               "-I",
                               house->include,
                               "-E",
                               "-o",
                               output};
    for (size_t i = 0; i < sizeof own / sizeof *own; ++i)
        arg_list_push(&command, own[i]);
    const char *language = word->language ? word->language : args_is_stdin(word) ? "c" : NULL;
    if (language) {
        arg_list_push(&command, "-x");
        arg_list_push(&command, language);
    }
    arg_list_push(&command, source);
    return spawn_quiet(&command) == 0 ? output : NULL;
}

/* ---- sources --------------------------------------------------------------------------------- */

static int report_source(struct command_line *line, const struct house *house,
                         const struct word *word) {
    const char *source = args_is_stdin(word) ? line->stdin_copy : word->text;
    bool own = word->input != INPUT_C || !word->marked;
    if (args_is_assembly(word) || !includes_mention(line, house, source))
        return 0;
    const char *text =
        args_is_preprocessed(word) ? source : preprocessed(line, house, word, source);
    struct marks marks = {.line = line, .word = word, .own = own, .file = word->text};
    if (text)
        read_text(&marks, text);
    return marks.count;
}

int marks_report(struct command_line *line, const struct house *house) {
    int count = 0;
    for (int i = 0; i < line->nwords; ++i) {
        const struct word *word = &line->words[i];
        if (word->kind == WORD_INPUT && word->input <= INPUT_OTHER)
            count += report_source(line, house, word);
    }
    return count;
}
