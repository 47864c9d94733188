/* Where the functions of a loop are printed: in front of the function that it stands in. */
#include "scheduler/outline/outline.h"

#include <ctype.h>
#include <string.h>

/* Behind the word that begins at `begin`, and the parentheses behind it: a macro's use. */
static size_t use_end(const char *source, size_t begin, size_t limit) {
    struct token_scan scan = token_scan_start(source, begin, limit);
    size_t end = token_next(&scan).end;
    int depth = 0;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        depth += token_spells(&scan, t, "(") - token_spells(&scan, t, ")");
        if (depth == 0)
            return token_spells(&scan, t, ")") ? t.end : end;
    }
    return end;
}

/* A function, or the first or the last of it, may be a macro's use. */
static size_t function_end(const char *source, const struct function *f, size_t limit) {
    size_t end = f->range.end.offset, word = end;
    size_t use = f->range.exact ? 0 : use_end(source, f->range.begin.offset, limit);
    if (use >= end)
        return use;
    while (word > 0 && (isalnum((unsigned char)source[word - 1]) || source[word - 1] == '_'))
        --word;
    return word < end && end <= limit ? use_end(source, word, limit) : end;
}

/* Behind the last function that ends in front of `begin`:
 * what stands there need not be read again. */
static size_t end_before(const struct unit *unit, const char *source, size_t begin) {
    size_t end = 0;
    for (int i = 0; unit && i < unit->nfunctions; ++i) {
        const struct function *f = unit->functions[i];
        if (!f->body || f->range.begin.file != unit->main_file || f->range.begin.offset >= begin)
            continue;
        size_t own = function_end(source, f, begin);
        if (own <= begin && own > end)
            end = own;
    }
    return end;
}

/*
 * Where a declaration could stand. `after`: the end of the last one, or of a directive behind it.
 * `begun`: text of another has been seen since, an attribute or a macro that belongs to it; `read`:
 * some of that is not left out by the preprocessor. What is left out may be no C at all, or an
 * attribute that another compiler reads. `own`: it stands in the branch of a conditional that is
 * being read; `defined`: words are brought in that conditional.
 * `depth`: of braces and parentheses, inside of which nothing ends; `flat`: they do not count.
 * `unit`: knows what is left out; NULL: nothing.
 */
struct place {
    const struct unit *unit;
    size_t after;
    bool begun, read, own, defined, flat;
    int depth;
};

/* `stem` begins the directive's name: "if" that of #ifdef, too. */
static bool is_directive(const char *source, struct token t, const char *stem) {
    if (t.kind != TOKEN_DIRECTIVE)
        return false;
    struct token_scan scan = token_scan_start(source, t.begin + 1, t.end);
    scan.line_start = false;
    return strncmp(source + token_next(&scan).begin, stem, strlen(stem)) == 0;
}

/* `<%` and `%>` are braces, too. */
static bool closes_brace(const struct token_scan *scan, struct token t) {
    return token_spells(scan, t, "}") ||
           (token_spells(scan, t, ">") && t.begin > 0 && scan->source[t.begin - 1] == '%');
}

static int nesting(const struct token_scan *scan, struct token t) {
    bool opens = token_spells(scan, t, "{") || token_spells(scan, t, "(") ||
                 (token_spells(scan, t, "%") && t.begin > 0 && scan->source[t.begin - 1] == '<');
    return opens - (closes_brace(scan, t) || token_spells(scan, t, ")"));
}

static bool is_left_out(const struct unit *unit, struct token t) {
    for (int i = 0; unit && i < unit->nleft_out; ++i)
        if (unit->left_out[i].begin <= t.begin && t.begin < unit->left_out[i].end)
            return true;
    return false;
}

/* Nobody defines or includes between an attribute and its function. */
static bool brings_words(const char *source, struct token t) {
    return is_directive(source, t, "define") || is_directive(source, t, "undef") ||
           is_directive(source, t, "include");
}

/* What closes more than was opened ends the use of a macro around a function. */
static void place_pass(struct place *place, const struct token_scan *scan, struct token t) {
    bool left_out = is_left_out(place->unit, t);
    bool brings = !left_out && brings_words(scan->source, t);
    place->defined |= brings;
    if (!place->read && brings)
        place->begun = false;
    int by = t.kind == TOKEN_DIRECTIVE || place->flat ? 0 : nesting(scan, t);
    bool outermost = place->depth + by < 0;
    place->depth = outermost ? 0 : place->depth + by;
    bool ends = token_spells(scan, t, ";") || closes_brace(scan, t) || outermost;
    if (t.kind != TOKEN_DIRECTIVE)
        place->own = place->begun = place->depth > 0 || !ends;
    if (t.kind != TOKEN_DIRECTIVE && !left_out)
        place->read = place->begun;
    if (!place->begun)
        place->after = t.end;
}

/*
 * Reads on to the #endif of a conditional that has just begun. True: it was found, and what
 * counts is what stands in front of the conditional or behind it. False: the text ends inside.
 */
static bool place_pass_conditional(const char *source, struct token_scan *scan,
                                   struct token opening, struct place *place) {
    struct place before = *place;
    bool own = false, kept = false, read = false, defined = false;
    place->own = place->defined = false;
    place_pass(place, scan, opening);
    for (struct token t = token_next(scan); t.kind != TOKEN_END; t = token_next(scan)) {
        bool ends = is_directive(source, t, "endif");
        if (is_directive(source, t, "if")) {
            if (!place_pass_conditional(source, scan, t, place))
                return false;
        } else if (ends || is_directive(source, t, "el")) {
            own |= place->begun && place->own;
            kept |= place->begun && !place->own;
            read |= place->begun && place->read;
            defined |= place->defined;
            *place = before;
            place->own = ends && (own || before.own);
            place->defined = ends && (defined || before.defined);
            if (ends) {
                place->begun = own || (kept && (read || !defined));
                place->read = read;
            }
            place_pass(place, scan, t);
        } else {
            place_pass(place, scan, t);
        }
        if (ends)
            return true;
    }
    return false;
}

/*
 * An #else of a conditional that began in front of what is read, at a function that is compiled: up
 * to the #endif nothing is. False: there is no #endif.
 */
static bool place_pass_other(const char *source, struct token_scan *scan, struct place *place) {
    int depth = 1;
    for (struct token t = token_next(scan); t.kind != TOKEN_END; t = token_next(scan)) {
        depth += is_directive(source, t, "if") - is_directive(source, t, "endif");
        if (depth > 0)
            continue;
        place_pass(place, scan, t);
        return true;
    }
    return false;
}

static struct place place_before(const struct unit *unit, const char *source, size_t from,
                                 size_t begin, bool flat) {
    struct place place = {.unit = unit, .after = from, .flat = flat};
    struct token_scan scan = token_scan_start(source, from, begin);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        struct token_scan ahead = scan;
        if (is_directive(source, t, "if"))
            place_pass_conditional(source, &scan, t, &place);
        else if (is_directive(source, t, "el") && place_pass_other(source, &ahead, &place))
            scan = ahead;
        else
            place_pass(&place, &scan, t);
    }
    return place;
}

size_t emit_insertion_point(const struct unit *unit, const char *source,
                            const struct function *function) {
    size_t begin = function->range.begin.offset, from = end_before(unit, source, begin);
    struct place place = place_before(unit, source, from, begin, false);
    if (place.depth > 0)
        place = place_before(unit, source, from, begin, true);
    struct token_scan scan = token_scan_start(source, place.after, begin + 1);
    size_t at = token_next(&scan).begin;
    while (at > place.after && (source[at - 1] == ' ' || source[at - 1] == '\t'))
        --at;
    return at;
}
