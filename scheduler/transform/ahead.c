/* Keys that a loop of the iteration finds: from the loop to its text with one in front. */
#include "scheduler/transform/ahead.h"

#include "scheduler/transform/rows_text.h"

#include <string.h>

/* ---- which statements ------------------------------------------------------------------------- */

static bool is_loop(const void *data, const struct stmt *stmt) {
    (void)data;
    return stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO;
}

static bool declares_static(const void *data, const struct stmt *stmt) {
    (void)data;
    for (int i = 0; i < stmt->nvars; ++i)
        if (stmt->vars[i]->storage != STORAGE_LOCAL)
            return true;
    return false;
}

/* It writes memory, or reads what the loop writes; but for variables that each iteration sets. */
static bool is_tied(const struct loop_facts *facts, const struct range *stmts) {
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if ((a->write || a->object->written) && !depend_is_private(facts, a->object) &&
            range_holds_start(stmts, a->via ? &a->via->range : &a->range))
            return true;
    }
    return false;
}

/* Up to the last loop in front of the first statement that is tied; 0: there is none. */
static int count_ahead(const struct unit *unit, const struct stmt *body,
                       const struct loop_facts *facts) {
    int count = 0;
    for (int i = 0; i < body->nbody; ++i) {
        const struct stmt *s = body->body[i];
        if (!text_is_written(unit, &s->range) || is_tied(facts, &s->range) ||
            stmt_any(s, declares_static, NULL))
            break;
        if (stmt_any(s, is_loop, NULL))
            count = i + 1;
    }
    return count;
}

bool ahead_fits(const struct unit *unit, const struct loop *loop) {
    return loop_is_marked(loop) && stmt_any(loop->body, is_loop, NULL) && loop_runs_all(unit, loop);
}

/* ---- what they find --------------------------------------------------------------------------- */

/* A loop among the first `count` statements sets the number, and one behind them reads it. */
static bool is_found(const struct stmt *body, int count, const struct variable *v) {
    bool set = false, used = false;
    for (int i = 0; i < body->nbody; ++i) {
        const struct stmt *s = body->body[i];
        set = set || (i < count && stmt_any(s, is_loop, NULL) && stmt_sets(s, v));
        used = used || (i >= count && stmt_names(s, v));
    }
    return set && used && type_is_number(v->type) && !v->type->is_volatile && !v->type->is_atomic &&
           !v->address_taken;
}

/* Arrays; at the end of an iteration in front; in the place of that in the marked loop. */
struct found {
    struct text arrays, keep, take;
    int count;
};

static void add_found(struct found *found, const struct unit *unit, const struct loop *loop,
                      const struct variable *v) {
    const char *name = text_new_name(unit, v->name, "_of"), *at = loop->variable->name;
    text_print(&found->arrays, "%s", loop_values_text(unit, loop, name, v->type));
    text_print(&found->keep, "%s[%s] = %s; ", name, at, v->name);
    text_print(&found->take, " %s = %s[%s];", v->name, name, at);
    ++found->count;
}

static struct found find_all(const struct unit *unit, const struct loop_facts *facts, int count) {
    const struct loop *loop = facts->loop;
    const struct stmt *body = loop->body;
    struct found found = {.count = 0};
    text_start(&found.arrays, unit->arena);
    text_start(&found.keep, unit->arena);
    text_start(&found.take, unit->arena);
    for (int i = 0; i < count; ++i)
        for (int v = 0; v < body->body[i]->nvars; ++v)
            if (is_found(body, count, body->body[i]->vars[v]))
                add_found(&found, unit, loop, body->body[i]->vars[v]);
    for (int i = 0; i < facts->nprivates; ++i)
        if (is_found(body, count, facts->privates[i].var))
            add_found(&found, unit, loop, facts->privates[i].var);
    return found;
}

/* ---- its text --------------------------------------------------------------------------------- */

static const char *statements_of(const struct unit *unit, const struct stmt *body, int count) {
    struct text out;
    text_start(&out, unit->arena);
    for (int i = 0; i < count; ++i)
        text_print(&out, "%s", text_statement(unit, &body->body[i]->range));
    return out.bytes;
}

struct ahead_form ahead_form(struct unit *unit, const struct loop *loop,
                             const struct loop_facts *facts) {
    const struct source_file *file = &unit->files[unit->main_file];
    struct text_edits edits = {.arena = unit->arena};
    struct ahead_form form = {0};
    if (facts->nrefusals > 0)
        return form;
    const struct range *pragma = &loop->pragma->range;
    const unsigned end = loop->stmt->range.end.offset;
    form.count = count_ahead(unit, loop->body, facts);
    const struct found found = find_all(unit, facts, form.count);
    if (found.count == 0)
        return form;
    text_edit_add(
        &edits, pragma->begin.offset, pragma->end.offset,
        arena_printf(unit->arena,
                     "{ extern void *orrery_records_values(const void *, long, long); %s"
                     "_Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic ignored "
                     "\\\"-Wshadow\\\"\") _Pragma(\"GCC diagnostic ignored "
                     "\\\"-Wunused-variable\\\"\") %s { %s%s} _Pragma(\"GCC diagnostic pop\") %s",
                     found.arrays.bytes, text_source(unit, &loop->header),
                     statements_of(unit, loop->body, form.count), found.keep.bytes,
                     text_mark(unit, loop)));
    const unsigned behind = loop->body->body[form.count]->range.begin.offset;
    text_edit_add(&edits, behind, behind, arena_printf(unit->arena, "%s ", found.take.bytes));
    text_edit_add(&edits, end, end, " }");
    struct text out;
    text_start(&out, unit->arena);
    if (text_edits_apply(&edits, file->text, 0, file->size, true, &out))
        form.text = out.bytes;
    return form;
}

bool ahead_may_move(const struct ahead_form *form, const struct loop_facts *facts) {
    const struct stmt *body = facts->loop->body;
    for (int i = 0; i < form->count; ++i)
        if (is_tied(facts, &body->body[i]->range))
            return false;
    return true;
}
