#include "scheduler/emit/fixit_text.h"

#include <ctype.h>
#include <string.h>

static struct loc loc_at(const struct unit *unit, int file, unsigned offset) {
    const char *text = unit->files[file].text;
    struct loc loc = {.file = file, .line = 1, .column = 1, .offset = offset};
    for (unsigned i = 0; i < offset; ++i) {
        bool newline = text[i] == '\n';
        loc.line += newline;
        loc.column = newline ? 1 : loc.column + 1;
    }
    return loc;
}

struct range fixit_range(const struct unit *unit, int file, unsigned begin, unsigned end) {
    return (struct range){
        .begin = loc_at(unit, file, begin), .end = loc_at(unit, file, end), .exact = true};
}

const char *fixit_source(const struct unit *unit, struct range range) {
    return arena_strndup(unit->arena, unit->files[range.begin.file].text + range.begin.offset,
                         range.end.offset - range.begin.offset);
}

bool fixit_spells(const struct unit *unit, struct range range, const char *words) {
    const struct source_file *file = &unit->files[range.begin.file];
    size_t length = strlen(words);
    return range.end.offset == range.begin.offset + length && range.end.offset <= file->size &&
           memcmp(file->text + range.begin.offset, words, length) == 0;
}

struct range fixit_clause(const struct unit *unit, struct range clause) {
    const char *text = unit->files[clause.begin.file].text;
    unsigned begin = clause.begin.offset, end = clause.end.offset;
    while (begin > 0 && strchr(" \t,", text[begin - 1]))
        --begin;
    bool first = begin > 0 && text[begin - 1] == '(';
    while (first && (text[end] == ' ' || text[end] == ','))
        ++end;
    return fixit_range(unit, clause.begin.file, begin, end);
}

/* Skips blanks, then `word`; NULL where something else stands. */
static const char *behind_word(const char *at, const char *word) {
    while (*at == ' ' || *at == '\t')
        ++at;
    size_t length = strlen(word);
    return strncmp(at, word, length) == 0 ? at + length : NULL;
}

static const char *behind_words(const char *at, const char *const *words) {
    for (; at && *words; ++words)
        at = behind_word(at, *words);
    return at;
}

bool fixit_clause_place(const struct unit *unit, struct range directive, struct range *place,
                        const char **before, const char **behind) {
    static const char *const pragma[] = {"#", "pragma", "orrery", "parallel", NULL};
    static const char *const macro[] = {"ORRERY_PARALLEL", "(", NULL};
    const struct source_file *file = &unit->files[directive.begin.file];
    const char *start = file->text + directive.begin.offset;
    const char *at = behind_words(start, pragma);
    *before = " ";
    *behind = "";
    if (!at) {
        at = behind_words(start, macro);
        *before = "";
        *behind = at && *at == ')' ? "" : ", ";
    }
    bool word_goes_on = at && at[-1] != '(' && isalnum((unsigned char)*at);
    if (!at || at > file->text + directive.end.offset || word_goes_on)
        return false;
    unsigned offset = (unsigned)(at - file->text);
    *place = fixit_range(unit, directive.begin.file, offset, offset);
    return true;
}

const char *fixit_first_line(const struct unit *unit, struct range block) {
    const char *brace = unit->files[block.begin.file].text + block.begin.offset;
    const char *line = brace + 1 + strspn(brace + 1, " \t\r");
    if (*line != '\n')
        return " ";
    const char *word = line + strspn(line, " \t\r\n");
    while (line + 1 < word && memchr(line + 1, '\n', (size_t)(word - line - 1)))
        line = strchr(line + 1, '\n');
    bool is_code = *word != '#' && *word != '}';
    const char *indent = arena_strndup(unit->arena, line + 1, (size_t)(word - line - 1));
    return is_code ? arena_printf(unit->arena, "\n%s", indent) : " ";
}

/* In front of the first #include that stands outside of every conditional; else at the top. */
bool fixit_include_place(const struct unit *unit, struct range *place) {
    const char *text = unit->files[unit->main_file].text;
    unsigned offset = 0;
    int depth = 0;
    bool found = false;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += line != text || *line == '\n';
        const char *word = behind_word(line, "#");
        if (!word)
            continue;
        depth += behind_word(word, "if") != NULL;
        depth -= behind_word(word, "endif") != NULL;
        const char *name = behind_word(word, "include");
        if (name && depth == 0 && !found)
            offset = (unsigned)(line - text);
        found |= name && depth == 0;
        if (name && (behind_word(name, "<orrery.h>") || behind_word(name, "\"orrery.h\"")))
            return false;
    }
    *place = fixit_range(unit, unit->main_file, offset, offset);
    return true;
}
