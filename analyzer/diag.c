#include "analyzer/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct diag *diag_add(struct diag_list *list, enum severity severity, const char *code,
                      struct range range, const char *format, ...) {
    struct diag diag = {.severity = severity, .code = code, .range = range};
    va_list args;
    va_start(args, format);
    diag.message = arena_vprintf(list->arena, format, args);
    va_end(args);
    list->nerrors += severity == SEVERITY_ERROR;
    ARENA_PUSH(list->arena, list->items, list->count, diag);
    return &list->items[list->count - 1];
}

void diag_note(struct diag_list *list, struct diag *diag, struct range range, const char *format,
               ...) {
    struct diag note = {.severity = SEVERITY_NOTE, .range = range};
    va_list args;
    va_start(args, format);
    note.message = arena_vprintf(list->arena, format, args);
    va_end(args);
    ARENA_PUSH(list->arena, diag->notes, diag->nnotes, note);
}

void diag_edit(struct diag_list *list, struct diag *diag, struct range range, const char *text) {
    struct edit edit = {.range = range, .text = text};
    ARENA_PUSH(list->arena, diag->edits, diag->nedits, edit);
}

/* ---- printing */

/* Terminal colours, all empty when there are none. */
struct palette {
    const char *bold, *severity[4], *caret, *off;
};

static const struct palette plain = {"", {"", "", "", ""}, "", ""};
static const struct palette colored = {
    "\033[1m", {"\033[1;36m", "\033[1;34m", "\033[1;35m", "\033[1;31m"}, "\033[1;32m", "\033[0m"};

/* One source line: its bytes, without the newline. */
struct source_line {
    const char *text;
    int length;
};

static struct source_line line_of(const struct source_file *file, const struct loc *loc) {
    size_t begin = loc->offset < file->size ? loc->offset : file->size;
    size_t end = begin;
    while (begin > 0 && file->text[begin - 1] != '\n')
        --begin;
    while (end < file->size && file->text[end] != '\n' && file->text[end] != '\r')
        ++end;
    return (struct source_line){file->text + begin, (int)(end - begin)};
}

/* ---- places in the user's text */

static const struct source_file *file_of(const struct unit *unit, const struct range *range) {
    int file = range->begin.file;
    return unit && file >= 0 && file < unit->nfiles ? &unit->files[file] : NULL;
}

/* The file's line of that number, counted from 1; at its end: it has none. */
static struct loc line_begin(const struct source_file *file, struct loc at) {
    const char *begin = file->text;
    for (int line = 1; begin && line < at.line; ++line)
        begin = strchr(begin, '\n') ? strchr(begin, '\n') + 1 : NULL;
    at.column = 1;
    at.offset = (unsigned)(begin ? (size_t)(begin - file->text) : file->size);
    return at;
}

/* Only the main file's text is written anew; its lines keep their numbers. */
static bool is_moved(const struct unit *unit, const struct range *range) {
    return unit && unit->written && range->begin.line > 0 && range->begin.file == unit->main_file &&
           unit->written->files[unit->written->main_file].text;
}

/* The same place, where the user's line is the same text. */
static bool same_place(const struct unit *unit, struct loc at, struct loc *place) {
    const struct source_file *user = &unit->written->files[unit->written->main_file];
    struct loc begin = line_begin(user, at);
    struct source_line here = line_of(&unit->files[unit->main_file], &at);
    struct source_line there = line_of(user, &begin);
    begin.file = unit->written->main_file;
    begin.column = at.column;
    begin.offset += (unsigned)(at.column > 0 ? at.column - 1 : 0);
    *place = begin;
    return here.length == there.length && memcmp(here.text, there.text, (size_t)here.length) == 0;
}

bool diag_is_written(const struct unit *unit, const struct range *range) {
    struct loc place;
    return !is_moved(unit, range) ||
           (same_place(unit, range->begin, &place) && same_place(unit, range->end, &place));
}

bool diag_has_edits(const struct unit *unit, const struct diag *diag) {
    bool written = diag->nedits > 0;
    for (int i = 0; i < diag->nedits; ++i)
        written = written && diag_is_written(unit, &diag->edits[i].range);
    return written;
}

/* The first loop that begins in the line; else the line's first word. */
static struct range words_of_line(const struct unit *user, struct loc at) {
    for (int i = 0; i < user->nloops; ++i)
        if (user->loops[i]->header.begin.line == at.line &&
            user->loops[i]->header.begin.file == user->main_file)
            return user->loops[i]->header;
    const struct source_file *file = &user->files[user->main_file];
    struct loc begin = line_begin(file, at);
    unsigned blanks = (unsigned)strspn(file->text + begin.offset, " \t");
    begin.file = user->main_file;
    begin.column += (int)blanks;
    begin.offset += blanks;
    return (struct range){.begin = begin, .end = {.file = -1}};
}

/* The number of times that the words begin in the text; `last`: the last of these places. */
static int occurrences(const char *text, int length, const char *words, int n, int most,
                       int *last) {
    int count = 0;
    for (int i = 0; i + n <= length && count < most; ++i)
        if (memcmp(text + i, words, (size_t)n) == 0) {
            *last = i;
            ++count;
        }
    return count;
}

/* The same words in the user's line. Where it has fewer of them, other words repeat it. */
static bool find_words(const struct unit *unit, const struct range *range, struct range *place) {
    const struct source_file *here = &unit->files[unit->main_file];
    const struct source_file *user = &unit->written->files[unit->written->main_file];
    struct loc begin = line_begin(user, range->begin);
    struct source_line line = line_of(here, &range->begin), users = line_of(user, &begin);
    int n = (int)(range->end.offset - range->begin.offset), at = range->begin.column - 1, found = 0;
    const char *words = line.text + at;
    if (range->end.line != range->begin.line || n <= 0 || at < 0 || at + n > line.length)
        return false;
    int before = occurrences(line.text, at + n - 1, words, n, line.length, &found);
    int all = occurrences(users.text, users.length, words, n, users.length, &found);
    if (all == 0)
        return false;
    occurrences(users.text, users.length, words, n, before % all + 1, &found);
    begin.file = unit->written->main_file;
    begin.column += found;
    begin.offset += (unsigned)found;
    place->begin = place->end = begin;
    place->end.column += n;
    place->end.offset += (unsigned)n;
    return true;
}

struct range diag_place(const struct unit **unit, struct range range) {
    if (!is_moved(*unit, &range))
        return range;
    struct range place = range;
    bool same = same_place(*unit, range.begin, &place.begin);
    bool ends = range.end.file != range.begin.file || same_place(*unit, range.end, &place.end);
    bool found = !same && find_words(*unit, &range, &place);
    *unit = (*unit)->written;
    if (found)
        return place;
    if (!same)
        return words_of_line(*unit, range.begin);
    if (!ends)
        place.end = (struct loc){.file = -1};
    return place;
}

/* ---- the line and its caret */

/* Columns of the marked bytes in the first line, 0-based, [from, to). */
static void marked(const struct range *range, const struct source_line *line, int *from, int *to) {
    *from = range->begin.column > 0 ? range->begin.column - 1 : 0;
    if (range->end.file != range->begin.file || range->end.line < range->begin.line)
        *to = *from + 1;
    else if (range->end.line > range->begin.line)
        *to = line->length;
    else
        *to = range->end.column - 1;
    if (*to > line->length)
        *to = line->length;
    if (*to <= *from)
        *to = *from + 1;
}

/* The second and later bytes of a UTF-8 character take no column of their own. */
static bool continues(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

static void print_caret(const struct range *range, const struct source_line *line,
                        const struct palette *palette, FILE *out) {
    int from, to;
    marked(range, line, &from, &to);
    for (int i = 0; i < from; ++i)
        if (i >= line->length || !continues(line->text[i]))
            fputc(i < line->length && line->text[i] == '\t' ? '\t' : ' ', out);
    fputs(palette->caret, out);
    fputc('^', out);
    for (int i = from + 1; i < to; ++i)
        if (i >= line->length || !continues(line->text[i]))
            fputc('~', out);
    fprintf(out, "%s\n", palette->off);
}

static void print_place(const struct unit *unit, const struct range *range, FILE *out) {
    const struct source_file *file = file_of(unit, range);
    if (file)
        fprintf(out, "%s:%d:%d: ", file->name, range->begin.line, range->begin.column);
    else
        fputs("orrery: ", out);
}

/* Longer lines are machines' work: the place says enough. */
enum { LONGEST_LINE = 1000 };

static void print_source(const struct unit *unit, const struct range *range,
                         const struct palette *palette, FILE *out) {
    const struct source_file *file = file_of(unit, range);
    if (!file || !file->text)
        return;
    struct source_line line = line_of(file, &range->begin);
    if (line.length > LONGEST_LINE)
        return;
    fprintf(out, "%.*s\n", line.length, line.text);
    print_caret(range, &line, palette, out);
}

/* As clang does with -fdiagnostics-parseable-fixits. */
static void print_quoted(const char *text, FILE *out) {
    fputc('"', out);
    for (; *text; ++text)
        if (*text == '\n')
            fputs("\\n", out);
        else if (*text == '\t')
            fputs("\\t", out);
        else
            fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fputc('"', out);
}

/* requires: diag_has_edits. */
static void print_edits(const struct unit *unit, const struct diag *diag, FILE *out) {
    for (int i = 0; i < diag->nedits; ++i) {
        const struct range *range = &diag->edits[i].range;
        const struct source_file *file = file_of(unit, range);
        fputs("fix-it:", out);
        print_quoted(file ? file->name : "", out);
        fprintf(out, ":{%d:%d-%d:%d}:", range->begin.line, range->begin.column, range->end.line,
                range->end.column);
        print_quoted(diag->edits[i].text, out);
        fputc('\n', out);
    }
}

static void print_one(const struct unit *unit, const struct diag *diag,
                      const struct palette *palette, FILE *out) {
    static const char *const words[] = {"note", "remark", "warning", "error"};
    const struct unit *user = unit;
    const struct range range = diag_place(&user, diag->range);
    fputs(palette->bold, out);
    print_place(user, &range, out);
    bool other = diag->severity == SEVERITY_NOTE && diag->code;
    fprintf(out, "%s%s%s: %s%s%s%s", palette->off, palette->severity[diag->severity],
            words[diag->severity], palette->off, palette->bold, other ? "also in the way: " : "",
            diag->message);
    if (diag->code)
        fprintf(out, " [%s]", diag->code);
    fprintf(out, "%s\n", palette->off);
    print_source(user, &range, palette, out);
    if (diag->fix)
        fprintf(out, "  fix: %s\n", diag->fix);
    if (!diag_has_edits(unit, diag))
        return;
    if (diag->gives_up)
        fprintf(out, "  gives up: %s\n", diag->gives_up);
    print_edits(unit, diag, out);
}

void diag_print(const struct unit *unit, const struct diag *diag, bool color, void *stream) {
    const struct palette *palette = color ? &colored : &plain;
    print_one(unit, diag, palette, stream);
    for (int i = 0; i < diag->nnotes; ++i)
        print_one(unit, &diag->notes[i], palette, stream);
}

/* ---- the nearest word */

enum { LONGEST_WORD = 63 };

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Insertions, deletions, substitutions and swaps of neighbours that turn a into b. */
static int edit_distance(const char *a, const char *b) {
    int m = (int)strlen(a), n = (int)strlen(b);
    int rows[3][LONGEST_WORD + 1];
    int *before = rows[0], *last = rows[1], *now = rows[2];
    if (m > LONGEST_WORD || n > LONGEST_WORD)
        return LONGEST_WORD;
    for (int j = 0; j <= n; ++j)
        last[j] = j;
    for (int i = 1; i <= m; ++i) {
        now[0] = i;
        for (int j = 1; j <= n; ++j) {
            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
        int *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[n];
}

const char *diag_nearest(const char *word, const char *const *known, int nknown) {
    int length = (int)strlen(word);
    int limit = length / 3 > 2 ? length / 3 : 2;
    const char *nearest = NULL;
    for (int i = 0; i < nknown; ++i) {
        int distance = edit_distance(word, known[i]);
        if (distance > limit || distance >= (int)strlen(known[i]) || distance >= length)
            continue;
        limit = distance - 1;
        nearest = known[i];
    }
    return nearest;
}
