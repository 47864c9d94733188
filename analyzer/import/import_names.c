/* Which functions a unit lacks, and which texts could have them. */
#include "analyzer/access/access.h"
#include "analyzer/import.h"
#include "analyzer/lex.h"

#include <ctype.h>
#include <string.h>

/* ---- calls */

/* `seen`: functions whose bodies were looked through, by id. */
struct missing {
    const struct unit *unit;
    bool *seen;
    int count;
    const char **names;
};

static void add_name(struct missing *missing, const char *name) {
    for (int i = 0; i < missing->count; ++i)
        if (strcmp(missing->names[i], name) == 0)
            return;
    ARENA_PUSH(missing->unit->arena, missing->names, missing->count, name);
}

static void see_call(void *data, struct expr *expr) {
    struct missing *missing = data;
    const struct function *function = expr->function;
    if (!function || missing->seen[function->id])
        return;
    missing->seen[function->id] = true;
    if (function->body)
        stmt_visit(function->body, see_call, missing);
    else if (!function->apart && !function->is_static &&
             effect_of_function(function) == EFFECT_UNKNOWN)
        add_name(missing, function->name);
}

int import_missing(const struct unit *unit, bool all, const char ***names) {
    struct missing missing = {.unit = unit};
    missing.seen = arena_alloc(unit->arena, (size_t)unit->nfunctions + 1);
    for (int i = 0; i < unit->nloops; ++i) {
        const struct loop *loop = unit->loops[i];
        if (all || loop_is_marked(loop))
            stmt_visit(loop->stmt, see_call, &missing);
    }
    *names = missing.names;
    return missing.count;
}

/* ---- texts */

static const char *skip_blanks(const char *at) {
    while (isspace((unsigned char)*at))
        ++at;
    return at;
}

/* Behind the parenthesis that closes the one at `at`; NULL when none does. */
static const char *skip_parentheses(const char *at) {
    int depth = 0;
    for (; *at; ++at) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

/* NAME ( ... ) and neither `;` nor an operator behind it. Comments and macros may hide a definition
 * or make one up: the first is then not found, the second parsed for nothing. */
bool import_mentions(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length) {
        if ((at > text && lex_is_name_byte(at[-1])) || lex_is_name_byte(at[length]))
            continue;
        const char *open = skip_blanks(at + length);
        const char *behind = *open == '(' ? skip_parentheses(open) : NULL;
        behind = behind ? skip_blanks(behind) : "";
        if (*behind == '{' || *behind == '/' || lex_is_name_byte(*behind))
            return true;
    }
    return false;
}
