/* Where the functions of a loop are printed: in front of the function that it stands in. */
#include "scheduler/emit/job.h"

#include <string.h>

/* Behind the last body that ends in front of `begin`: what stands there need not be read again. */
static size_t end_before(const struct unit *unit, size_t begin) {
    size_t end = 0;
    for (int i = 0; unit && i < unit->nfunctions; ++i) {
        const struct stmt *body = unit->functions[i]->body;
        if (body && body->range.exact && body->range.begin.file == unit->main_file &&
            body->range.end.offset <= begin && body->range.end.offset > end)
            end = body->range.end.offset;
    }
    return end;
}

/*
 * Where a declaration could stand. `after`: the end of the last one, or of a directive behind it.
 * `begun`: text of another has been seen since, an attribute or a macro that belongs to it.
 */
struct place {
    size_t after;
    bool begun;
};

/* `stem` begins the directive's name: "if" that of #ifdef, too. */
static bool is_directive(const char *source, struct token t, const char *stem) {
    size_t at = t.begin + 1;
    while (at < t.end && (source[at] == ' ' || source[at] == '\t'))
        ++at;
    return t.kind == TOKEN_DIRECTIVE && strncmp(source + at, stem, strlen(stem)) == 0;
}

static void place_pass(struct place *place, const struct token_scan *scan, struct token t) {
    if (t.kind != TOKEN_DIRECTIVE)
        place->begun = !token_spells(scan, t, ";") && !token_spells(scan, t, "}");
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
    bool begun = false;
    place_pass(place, scan, opening);
    for (struct token t = token_next(scan); t.kind != TOKEN_END; t = token_next(scan)) {
        bool ends = is_directive(source, t, "endif");
        if (is_directive(source, t, "if")) {
            if (!place_pass_conditional(source, scan, t, place))
                return false;
        } else if (ends || is_directive(source, t, "el")) {
            begun |= place->begun;
            *place = before;
            place->begun = ends ? begun : before.begun;
            place_pass(place, scan, t);
        } else {
            place_pass(place, scan, t);
        }
        if (ends)
            return true;
    }
    return false;
}

size_t emit_insertion_point(const struct unit *unit, const char *source,
                            const struct function *function) {
    size_t begin = function->range.begin.offset;
    struct place place = {.after = end_before(unit, begin)};
    struct token_scan scan = token_scan_start(source, place.after, begin);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (is_directive(source, t, "if"))
            place_pass_conditional(source, &scan, t, &place);
        else
            place_pass(&place, &scan, t);
    }
    scan = token_scan_start(source, place.after, begin + 1);
    size_t at = token_next(&scan).begin;
    while (at > place.after && (source[at - 1] == ' ' || source[at - 1] == '\t'))
        --at;
    return at;
}
