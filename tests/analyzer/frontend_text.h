/* What the front end's tests share: parsing a text, finding things in the unit, printing it. */
#ifndef ORRERY_TESTS_FRONTEND_TEXT_H
#define ORRERY_TESTS_FRONTEND_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analyzer/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One parsed text with its messages. Freed by parsed_free. */
struct parsed {
    struct arena *arena;
    struct diag_list diags;
    struct unit *unit;
};

static inline struct parsed parsed_make(const char *text, int nargs, const char *const *args) {
    struct parsed p = {.arena = arena_new()};
    p.diags.arena = p.arena;
    struct parse_options options = {.file = "text.c", .text = text, .nargs = nargs, .args = args};
    p.unit = parse_unit(p.arena, &options, &p.diags);
    return p;
}

static inline struct parsed parsed_text(const char *text) {
    return parsed_make(text, 0, NULL);
}

static inline void parsed_free(struct parsed *p) {
    arena_free(p->arena);
}

/* All messages as diag_print prints them; the caller frees it. */
static inline char *parsed_messages(const struct parsed *p) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < p->diags.count; ++i)
        diag_print(p->unit, &p->diags.items[i], false, out);
    fclose(out);
    return text;
}

/* unit_dump up to the list of loops, whose places an edit moves; the caller frees it. */
static inline char *parsed_statements(const struct unit *unit) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    unit_dump(unit, out);
    fclose(out);
    char *loops = strstr(text, "\nloop 0 in ");
    if (loops)
        loops[1] = '\0';
    return text;
}

static inline void assert_clean(const struct parsed *p) {
    if (p->diags.nerrors) {
        char *text = parsed_messages(p);
        fputs(text, stderr);
        free(text);
    }
    assert_non_null(p->unit);
    assert_int_equal(p->diags.nerrors, 0);
}

#endif
