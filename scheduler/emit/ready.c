/*
 * What is read before the loop that the loop reads under a condition only, or not at all when it
 * has no iteration: the arrays' places and sizes behind pointers to structures, what is summed
 * into. Where a pointer leads nowhere the loop runs as it was written, which is said.
 */
#include "scheduler/outline/outline.h"

#include <ctype.h>
#include <string.h>

/*
 * `asked`: the checks so far, in the order of the text's needs; `reads`: what the run reads where
 * `when` holds (NULL: always), for the object or guard that is looked at.
 */
struct ready {
    struct outline *job;
    const char *reads;
    const struct expr *when;
    int count;
    const char **asked;
};

static bool is_pointer(const struct variable *var) {
    return var && var->type->kind == TYPE_POINTER;
}

/* Who evaluates `expr` follows the pointer that is `text`. */
static bool follows(const struct outline *job, const struct expr *expr, const char *text) {
    if (!expr || expr->kind == EXPR_CONDITIONAL || expr->kind == EXPR_AND || expr->kind == EXPR_OR)
        return false;
    bool leads = expr->kind == EXPR_DEREF || expr->kind == EXPR_SUBSCRIPT;
    if (leads && strcmp(expr_print(job->arena, expr->args[0]), text) == 0)
        return true;
    for (int i = 0; i < expr->nargs; ++i)
        if (follows(job, expr->args[i], text))
            return true;
    return false;
}

/* The header, or an access that is in every iteration where `when` holds, leads through the pointer
 * that is `text`. */
static bool is_sure(const struct outline *job, const char *text, const struct expr *when) {
    if (follows(job, job->loop->lower, text) || follows(job, job->loop->upper, text))
        return true;
    for (int i = 0; i < job->facts->nobjects; ++i) {
        const struct object *object = job->facts->objects[i];
        const char *base = object->base              ? expr_print(job->arena, object->base)
                           : is_pointer(object->var) ? object->var->name
                                                     : NULL;
        if (base && object->kind == OBJECT_POINTER && strcmp(base, text) == 0 && object->surely &&
            facts_implies(when, object->when))
            return true;
    }
    return false;
}

/* Where the call stands, what a variable held where the loop begins is what it holds. */
static const char *outside_name(void *data, const struct variable *var) {
    (void)data;
    return emit_outside_name(var);
}

static const char *outside_text(const struct ready *ready, const struct expr *expr) {
    return expr_print_renamed(ready->job->arena, expr, outside_name, NULL);
}

static void ask(struct ready *ready, const char *check) {
    struct outline *job = ready->job;
    if (ready->when)
        check = arena_printf(job->arena, "(!(%s) || %s)", outside_text(ready, ready->when), check);
    for (int i = 0; i < ready->count; ++i)
        if (strcmp(ready->asked[i], check) == 0)
            return;
    ARENA_PUSH(job->arena, ready->asked, ready->count, check);
}

static void ask_readable(struct ready *ready, const char *pointer, const char *size) {
    ask(ready, arena_printf(ready->job->arena, "orrery_readable(%s, %s)", pointer, size));
}

/* What leads to the value of `expr`, the innermost pointer first. */
static void ask_way(struct ready *ready, const struct expr *expr) {
    struct outline *job = ready->job;
    for (int i = 0; i < expr->nargs; ++i)
        if (expr->args[i])
            ask_way(ready, expr->args[i]);
    bool element = expr->kind == EXPR_SUBSCRIPT && expr->args[0]->type->kind == TYPE_POINTER;
    if (expr->kind != EXPR_DEREF && !element)
        return;
    if (is_sure(job, expr_print(job->arena, expr->args[0]), ready->when))
        return;
    const char *pointer = outside_text(ready, expr->args[0]);
    if (element) {
        pointer = arena_printf(job->arena, "&%s", outside_text(ready, expr));
        emit_addressed(job, emit_root(expr));
    }
    ask_readable(ready, pointer,
                 arena_printf(job->arena, "sizeof %s",
                              element ? pointer + 1 : arena_printf(job->arena, "*(%s)", pointer)));
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '>';
}

/* Somewhere in `reads` `pointer` is not just the place of an array. */
static bool is_followed(const char *reads, const char *pointer) {
    size_t length = strlen(pointer);
    for (const char *at = strstr(reads, pointer); at; at = strstr(at + 1, pointer)) {
        bool place = at - reads >= 9 && at[length] == ')' &&
                     (strncmp(at - 9, "(char *)(", 9) == 0 || strncmp(at - 9, "char **)(", 9) == 0);
        bool own = (at == reads || !is_word(at[-1])) &&
                   !(isalnum((unsigned char)at[length]) || at[length] == '_');
        if (own && !place)
            return true;
    }
    return false;
}

bool emit_follows_pointer(const struct expr *expr) {
    if (!expr || expr->kind == EXPR_SIZEOF)
        return false;
    bool follows = expr->kind == EXPR_DEREF || expr->kind == EXPR_SUBSCRIPT;
    for (int i = 0; i < expr->nargs && !follows; ++i)
        follows = emit_follows_pointer(expr->args[i]);
    return follows;
}

static bool is_summed_into(const struct outline *job, const struct object *object) {
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].is_array && !job->reductions[j].rows &&
            job->reductions[j].object == object)
            return true;
    return false;
}

static const struct plan_array *array_of(const struct outline *job, const struct object *object) {
    int at = emit_array_index(job, object);
    return at >= 0 ? job->arrays[at] : NULL;
}

/* Of the table every iteration has an entry of its own. */
static bool is_by_variable(const struct outline *job, const struct plan_array *array) {
    return array && array->dim >= 0 && array->shape && array->shape->by_table &&
           job->plan->analysis->dims[array->dim].kind == DIM_VARIABLE;
}

/* The run looks at entries of a table from 0 to its greatest subscript,
 * and the loop may read others only. */
static bool looks_further(const struct outline *job, const struct object *object) {
    const struct plan_array *array = array_of(job, object);
    bool declared = !object->base && !is_pointer(object->var);
    return object->kind == OBJECT_ROWS && array && !declared && !object->all_entries &&
           !is_by_variable(job, array) && object->ndims > 0 && object->dims[0].extent_text;
}

/* The pointers of a table that the run looks at, which may be more than the loop follows. */
static void ask_table(struct ready *ready, const struct object *object, const char *table) {
    struct outline *job = ready->job;
    const struct plan_array *array = array_of(job, object);
    long step = object->table_step ? object->table_step : (long)sizeof(char *);
    const struct loop *loop = job->loop;
    const char *first = "0", *count = "1";
    if (is_by_variable(job, array)) {
        const char *from = job->facts->by_number ? "0" : "(long)orrery_first";
        first = arena_printf(
            job->arena, "%s + %ldL%s", from, array->shape->table_offset,
            loop->step < 0 ? arena_printf(job->arena, " - (orrery_count - 1) * %ldL", -loop->step)
                           : "");
        count = arena_printf(job->arena, "(orrery_count - 1) * %ldL + 1",
                             loop->step < 0 ? -loop->step : loop->step);
    } else if (object->ndims > 0 && object->dims[0].extent_text) {
        count = object->dims[0].extent_text;
    }
    ask_readable(ready,
                 arena_printf(job->arena, "(const char *)(%s) + %ldL + (%s) * %ldL", table,
                              object->table_step ? object->table_at : 0, first, step),
                 arena_printf(job->arena,
                              "(%s) < 2 ? %ldUL : (unsigned long)((%s) - 1) * %ldUL + %ldUL", count,
                              (long)sizeof(char *), count, step, (long)sizeof(char *)));
}

static void ask_place(struct ready *ready, const struct object *object, const char *place) {
    if (object->kind == OBJECT_ROWS)
        ask_table(ready, object, place);
    else
        ask_readable(ready, place, object->size_text ? object->size_text : "1");
}

static void ask_object(struct ready *ready, const struct object *object) {
    struct outline *job = ready->job;
    if (object->surely && !looks_further(job, object))
        return;
    ready->when = object->when;
    if (object->base && !object->surely)
        ask_way(ready, object->base);
    const char *name = object->base              ? expr_print(job->arena, object->base)
                       : is_pointer(object->var) ? object->var->name
                                                 : NULL;
    bool leads = object->kind == OBJECT_POINTER || object->kind == OBJECT_ROWS;
    if (name && leads && !(object->kind == OBJECT_POINTER && is_sure(job, name, ready->when)) &&
        (object->kind == OBJECT_ROWS || is_followed(ready->reads, emit_localize(job, name))))
        ask_place(ready, object, object->base ? outside_text(ready, object->base) : name);
}

/* What is summed into is read, or where it is, in front of the loop. */
static void ask_target(struct ready *ready, const struct object *object) {
    ready->when = NULL;
    if (object->when && (emit_follows_pointer(object->base) || object->kind == OBJECT_ROWS))
        ask(ready, arena_printf(ready->job->arena, "(%s)", outside_text(ready, object->when)));
    ready->when = object->when;
    if (is_pointer(object->var) && is_summed_into(ready->job, object) && !object->surely)
        ask_readable(ready, emit_outside_name(object->var), "1");
}

/* ---- invariant values ------------------------------------------------------------------------ */

/* The value is read where `when` holds: is it there? */
static void ask_front(struct ready *ready, const struct front_value *front,
                      const struct expr *when) {
    ready->when = when;
    if (!facts_implies(when, front->when))
        ask(ready, arena_printf(ready->job->arena, "(%s)", outside_text(ready, front->when)));
    if (front->sometimes)
        ask_way(ready, front->expr);
}

static void ask_fronts(struct ready *ready, const char *text, const struct expr *when) {
    struct outline *job = ready->job;
    for (int i = 0; i < job->facts->nfronts; ++i) {
        const struct front_value *front = &job->facts->fronts[i];
        if (is_followed(text, emit_expr(job, front->expr)))
            ask_front(ready, front, when);
    }
}

static bool is_early(const struct outline *job, const struct front_value *front, bool *told) {
    const struct plan *plan = job->plan;
    *told = !plan->wave && !plan->pipe;
    return front->symbol && (!*told || job->ntouches > 0 || job->weigh_text);
}

/* Lists, weights and positions name them by symbols; the first two know when. */
static void ask_symbols(struct ready *ready) {
    for (int i = 0; i < ready->job->facts->nfronts; ++i) {
        const struct front_value *front = &ready->job->facts->fronts[i];
        bool told;
        if (is_early(ready->job, front, &told) && (front->sometimes || !told))
            ask_front(ready, front, told ? front->when : NULL);
    }
}

static void ask_texts(struct ready *ready) {
    struct outline *job = ready->job;
    struct text rows;
    bool parts = job->plan->wave || job->plan->pipe;
    text_start(&rows, job->arena);
    emit_rows_print_open(job, &rows);
    ask_fronts(ready, rows.bytes, NULL);
    for (int i = 0; i < job->narrays; ++i)
        ask_fronts(ready, emit_shape_line(job, i), parts ? NULL : job->arrays[i]->object->when);
    for (int i = 0; i < job->facts->nguards; ++i)
        if (job->facts->guards[i].kind == GUARD_CONDITION)
            ask_fronts(ready, emit_localize(job, job->facts->guards[i].text),
                       job->facts->guards[i].when);
    for (int i = 0; i < job->facts->nobjects; ++i)
        if (job->facts->objects[i]->origin_text)
            ask_fronts(ready, emit_localize(job, job->facts->objects[i]->origin_text),
                       parts ? NULL : job->facts->objects[i]->when);
    for (int i = 0; i < job->facts->ninductions; ++i)
        ask_fronts(ready, emit_expr(job, job->facts->inductions[i].by), NULL);
    ask_fronts(ready, emit_reduction_shapes(job), NULL);
    ask_symbols(ready);
}

static bool chooses_behind(const struct outline *job, const struct emit_reduction *r) {
    const struct choice *choice =
        r->facts_index >= 0 ? job->facts->reductions[r->facts_index].choice : NULL;
    for (int m = 0; choice && m < choice->nmembers; ++m)
        if (choice->places[m])
            return true;
    return false;
}

/* Some of it may fault where the loop does not evaluate it. */
static bool is_front(const struct outline *job, const struct expr *expr) {
    const char *text = expr_print(job->arena, expr);
    for (int i = 0; i < job->facts->nfronts; ++i)
        if (is_followed(text, expr_print(job->arena, job->facts->fronts[i].expr)))
            return true;
    return false;
}

bool emit_ready_is_early(const struct outline *job) {
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].follows || job->reductions[j].rows ||
            chooses_behind(job, &job->reductions[j]))
            return true;
    for (int i = 0; i < job->facts->ninductions; ++i)
        if (is_front(job, job->facts->inductions[i].by))
            return true;
    return false;
}

/* What the run reads before any iteration: shapes, conditions, what is summed into. */
static const char *reads_of(struct outline *job) {
    struct text out;
    text_start(&out, job->arena);
    emit_shapes_lines(job, &out);
    for (int i = 0; i < job->facts->nguards; ++i)
        if (job->facts->guards[i].kind == GUARD_CONDITION)
            text_print(&out, "%s\n", emit_localize(job, job->facts->guards[i].text));
    for (int i = 0; i < job->facts->nobjects; ++i)
        if (job->facts->objects[i]->origin_text)
            text_print(&out, "%s\n", emit_localize(job, job->facts->objects[i]->origin_text));
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].follows)
            text_print(&out, "%s\n", emit_localize(job, job->reductions[j].target));
    return out.bytes;
}

/* Passes that were put off come before one that runs as it was written. */
const char *emit_ready_text(struct outline *job) {
    if (job->ready_text)
        return job->ready_text;
    struct ready ready = {.job = job, .reads = reads_of(job)};
    struct text out;
    text_start(&out, job->arena);
    ask_texts(&ready);
    for (int i = 0; i < job->facts->nobjects; ++i)
        ask_object(&ready, job->facts->objects[i]);
    for (int j = 0; j < job->facts->nreductions; ++j)
        if (job->facts->reductions[j].object)
            ask_target(&ready, job->facts->reductions[j].object);
    if (emit_ready_is_early(job) || ready.count)
        text_print(&out, "orrery_count > 0 && ");
    for (int i = 0; i < ready.count; ++i)
        text_print(&out, "%s%s", i ? " && " : "((", ready.asked[i]);
    if (ready.count)
        text_print(&out, ") || orrery_not_ready(&orrery_loop_%d)) && ", job->number);
    job->ready_text = out.bytes;
    if (job->passes && out.length)
        job->ready_text =
            arena_printf(job->arena, "((%s1) || (orrery_passes_end(&orrery_loop_%d, 1), 0)) && ",
                         out.bytes, job->number);
    return job->ready_text;
}

bool emit_keeps_serial(const struct outline *job) {
    return emit_falls_back(job) || job->ready_text[0];
}
