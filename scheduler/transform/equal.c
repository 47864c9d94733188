/*
 * Pointers that are equal in a run: r and v lead to one array in `resid(u, r, r)`, and the loop, which
 * combines r[i] with v[i] alone, is parallel all the same.
 *
 * A loop with a text for the runs in which two of its pointers are equal. There one name can stand
 * for the other: the text means the same, whatever it is. It is analyzed as if the user had written
 * it, so nothing depends on which pairs are chosen here but what is gained.
 */
#include "scheduler/transform/trial.h"

#include "scheduler/base/guard.h"
#include "scheduler/transform/rows_text.h"

#include <string.h>

/* Two pairs at most: `twin` is taken for `kept` where they are equal. */
struct equal_pair {
    const struct variable *kept, *twin;
};

enum { EQUAL_PAIRS = 2 };

struct equal {
    const struct unit *unit;
    const struct loop *loop;
    int npairs;
    struct equal_pair pairs[EQUAL_PAIRS];
};

/* ---- which pointers -------------------------------------------------------------------------- */

static bool is_known(const struct equal *equal, const struct variable *a,
                     const struct variable *b) {
    for (int i = 0; i < equal->npairs; ++i) {
        const struct equal_pair *pair = &equal->pairs[i];
        if (pair->twin == a || pair->twin == b || (pair->kept == a && pair->kept == b))
            return true;
    }
    return false;
}

static void take_pair(struct equal *equal, const struct loop_facts *facts,
                      const struct guard *guard) {
    struct equal_pair pair;
    if (equal->npairs < EQUAL_PAIRS && !guard->assumed &&
        guard_is_elementwise(facts, guard, &pair.kept, &pair.twin) &&
        !is_known(equal, pair.kept, pair.twin))
        equal->pairs[equal->npairs++] = pair;
}

/* ---- a text that can stand twice --------------------------------------------------------------- */

static bool is_named(const struct equal *equal, const char *name) {
    for (int i = 0; i < equal->npairs; ++i)
        if (strcmp(equal->pairs[i].kept->name, name) == 0 ||
            strcmp(equal->pairs[i].twin->name, name) == 0)
            return true;
    return false;
}

static bool is_once(const void *equal, const struct stmt *s) {
    bool once = s->kind == STMT_LABEL || s->kind == STMT_GOTO || s->kind == STMT_UNKNOWN ||
                s->kind == STMT_RETURN;
    for (int i = 0; i < s->nvars; ++i)
        once = once || s->vars[i]->storage != STORAGE_LOCAL || is_named(equal, s->vars[i]->name);
    return once;
}

static bool selects(const char *source, struct token token) {
    bool dot = token.end - token.begin == 1 && source[token.begin] == '.';
    return dot || (token.begin > 0 && source[token.begin] == '>' && source[token.begin - 1] == '-');
}

/* Where the pairs' names are pointers that are used. */
struct uses {
    const struct equal *equal;
    size_t *begins;
    int nbegins;
};

static void see_use(void *data, struct expr *e) {
    struct uses *uses = data;
    if (e->kind == EXPR_VAR && text_is_written(uses->equal->unit, &e->range))
        ARENA_PUSH(uses->equal->unit->arena, uses->begins, uses->nbegins, e->range.begin.offset);
}

static bool is_use(const struct uses *uses, size_t begin) {
    for (int i = 0; i < uses->nbegins; ++i)
        if (uses->begins[i] == begin)
            return true;
    return false;
}

/* Another name would be another text: in a string that a macro makes, behind `offsetof`. */
static bool is_other_word(const struct uses *uses, const struct token_scan *scan,
                          struct token token) {
    for (int i = 0; i < uses->equal->npairs; ++i)
        if (token_spells(scan, token, uses->equal->pairs[i].twin->name))
            return !is_use(uses, token.begin);
    return false;
}

/* No directives, and nothing of what a name stands for hangs on its place. */
static bool has_plain_text(const struct equal *equal, const struct stmt *stmt) {
    const struct unit *unit = equal->unit;
    const char *source = unit->files[unit->main_file].text;
    struct token_scan scan =
        token_scan_start(source, stmt->range.begin.offset, stmt->range.end.offset);
    struct uses uses = {.equal = equal};
    bool member = false;
    stmt_visit((struct stmt *)stmt, see_use, &uses);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (t.kind == TOKEN_DIRECTIVE || token_spells(&scan, t, "_Pragma") ||
            token_spells(&scan, t, "typeof") || token_spells(&scan, t, "__typeof__") ||
            token_spells(&scan, t, "_Generic") || (!member && is_other_word(&uses, &scan, t)))
            return false;
        member = selects(source, t);
    }
    return !text_follows_directive(unit, &stmt->range);
}

static bool is_twice(const struct equal *equal) {
    const struct stmt *stmt = equal->loop->stmt;
    if (stmt->range.begin.file != equal->unit->main_file || !stmt->range.exact ||
        unit_is_expanded(equal->unit, &stmt->range))
        return false;
    return !stmt_any(stmt, is_once, equal) && has_plain_text(equal, stmt);
}

/* NULL: there are no such pointers, or the loop's text cannot stand twice. requires: no two
 * iterations depend on each other while the pointers lead to different arrays. */
static const struct equal *read_loop(struct unit *unit, struct loop *loop) {
    struct equal *equal = arena_alloc(unit->arena, sizeof *equal);
    *equal = (struct equal){.unit = unit, .loop = loop};
    const struct loop_facts *facts = facts_collect(unit, loop);
    for (int i = 0; i < facts->nguards; ++i)
        take_pair(equal, facts, &facts->guards[i]);
    return equal->npairs > 0 && is_twice(equal) ? equal : NULL;
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool is_chosen(unsigned chosen, int pair) {
    return chosen >> pair & 1;
}

/* What stands for the token in the text of these pairs; NULL: itself. */
static const char *other_name(const struct equal *equal, unsigned chosen,
                              const struct token_scan *scan, struct token token) {
    for (int i = 0; i < equal->npairs; ++i)
        if (is_chosen(chosen, i) && token_spells(scan, token, equal->pairs[i].twin->name))
            return equal->pairs[i].kept->name;
    return NULL;
}

/* On one line, without comments. */
static void write_loop(const struct equal *equal, unsigned chosen, struct text *out) {
    const struct range *range = &equal->loop->stmt->range;
    const char *source = equal->unit->files[equal->unit->main_file].text;
    struct token_scan scan = token_scan_start(source, range->begin.offset, range->end.offset);
    size_t end = range->begin.offset;
    bool member = false;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        const char *name = member ? NULL : other_name(equal, chosen, &scan, t);
        if (t.begin != end)
            text_append(out, " ", 1);
        text_append(out, name ? name : source + t.begin, name ? strlen(name) : t.end - t.begin);
        end = t.end;
        member = selects(source, t);
    }
}

static void write_choice(const struct equal *equal, unsigned chosen, struct text *out) {
    const char *and = "";
    text_print(out, "if (");
    for (int i = 0; i < equal->npairs; ++i)
        if (is_chosen(chosen, i)) {
            text_print(out, "%s(const void *)%s == (const void *)%s", and,
                       equal->pairs[i].twin->name, equal->pairs[i].kept->name);
            and = " && ";
        }
    text_print(out, ") { ");
    write_loop(equal, chosen, out);
    text_print(out, " } else ");
}

/* "{ if (v == r) the loop with r for v; else " */
void equal_try(struct trial *trial) {
    struct arena *arena = trial->unit->arena;
    struct text out;
    if (!trial_is_parallel(trial, trial->loop) ||
        trial_is_parallel_around(trial, trial->loop->parent))
        return;
    const struct equal *equal = read_loop(trial->unit, trial->loop);
    if (!equal)
        return;
    text_start(&out, arena);
    text_print(&out, "{ ");
    for (unsigned chosen = (1U << equal->npairs) - 1; chosen > 0; --chosen)
        write_choice(equal, chosen, &out);
    trial->text = out.bytes;
    trial->message = ORR1713;
    trial->words = "a text of its own";
    for (int i = 0; i < equal->npairs; ++i)
        trial->words =
            arena_printf(arena, "%s%s where `%s` is `%s`", trial->words, i > 0 ? ", and" : "",
                         equal->pairs[i].twin->name, equal->pairs[i].kept->name);
}
