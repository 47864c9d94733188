/*
 * Rows that stay in registers from one assigned loop to the next. The loops take the same
 * iterations on the same lanes, so what a lane has of a row no other lane wants. The row is loaded
 * in the first of them, and a loop that changes it stores it, unless the next that changes it
 * follows with nobody looking in between: so registers and memory hold the same wherever something
 * else may look. How many registers a row takes is known when the kernel is launched: there is an
 * entry for each of a few widths (orrery_device.h), and one that keeps nothing.
 */
#include "scheduler/gpu/gpu.h"

#include <stdlib.h>

/* ---- the number of iterations ---------------------------------------------------------------- */

/* A number that is the same for all iterations, and that the host knows when it launches. */
static bool is_measure(const struct gpu_kernel *k, const struct expr *expr) {
    const struct env_field *field =
        expr->kind == EXPR_VAR ? emit_field_of(k->job, expr->var) : NULL;
    bool sum = expr->kind == EXPR_BINARY &&
               (expr->op == OP_ADD || expr->op == OP_SUB || expr->op == OP_MUL);
    if (!expr->type || expr->type->kind != TYPE_INT)
        return false;
    if (expr->kind == EXPR_INT)
        return true;
    if (expr->kind == EXPR_VAR)
        return field && field->role == FIELD_VALUE && !emit_is_private(k->job, expr->var) &&
               !emit_reduction_of(k->job, expr->var);
    if (!sum && expr->kind != EXPR_CAST)
        return false;
    for (int i = 0; i < expr->nargs; ++i)
        if (!is_measure(k, expr->args[i]))
            return false;
    return true;
}

static bool same_measure(const struct loop *a, const struct loop *b) {
    return expr_equal(a->lower, b->lower) && expr_equal(a->upper, b->upper) &&
           a->relation == b->relation && a->step == b->step;
}

/* -1: the launch tells. */
static long constant_width(const struct loop *loop) {
    bool included = loop->relation == OP_LE;
    if (loop->lower->kind != EXPR_INT || loop->upper->kind != EXPR_INT)
        return -1;
    long apart = loop->upper->int_value - loop->lower->int_value + included;
    return apart > 0 ? apart : 0;
}

/* ---- what may not happen while a row is in registers ----------------------------------------- */

/* `row`: as far as it has come. `pending`: the loop that changed it last, while nothing has looked
 * at its memory since; NULL: something may have. `fits`: nothing spoke against it yet. */
struct watch {
    struct gpu_kernel *k;
    struct gpu_row row;
    const struct gpu_lanes *pending;
    bool fits;
};

/* Different objects, and the loop around knows that they do not overlap. */
bool gpu_are_apart(struct gpu_kernel *k, const struct object *a, const struct object *b) {
    struct loop_facts *facts = k->job->facts;
    int number = -1, guards = facts->nguards;
    bool known = a && b && a != b && a->kind != OBJECT_UNKNOWN && a->kind != OBJECT_HIDDEN &&
                 b->kind != OBJECT_UNKNOWN && b->kind != OBJECT_HIDDEN;
    if (!known)
        return false;
    bool apart = facts_alias(facts, a, b, &number) != ALIAS_MAY && facts->nguards == guards;
    facts->nguards = guards;
    return apart;
}

/* The expression's own accesses, or those of the call: how many. */
bool gpu_is_load(const struct expr *expr, const struct expr *parent) {
    bool memory =
        expr->kind == EXPR_SUBSCRIPT || expr->kind == EXPR_DEREF || expr->kind == EXPR_MEMBER;
    bool inner = parent && (parent->kind == EXPR_SUBSCRIPT || parent->kind == EXPR_MEMBER) &&
                 parent->args[0] == expr && expr->type && expr->type->kind != TYPE_POINTER;
    return memory && !inner && !(parent && parent->kind == EXPR_ADDRESS);
}

bool gpu_makes(const struct expr *expr, const struct access *access) {
    return access->via ? access->via == expr : access->expr == expr;
}

static int accesses_meet(struct watch *watch, const struct expr *expr) {
    const struct loop_facts *facts = watch->k->job->facts;
    int seen = 0;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        if (!gpu_makes(expr, access))
            continue;
        ++seen;
        if (gpu_are_apart(watch->k, watch->row.object, access->object))
            continue;
        watch->pending = NULL;
        watch->fits &= !access->write;
    }
    return seen;
}

static bool moves_pointer(const void *data, const struct expr *expr) {
    const struct watch *watch = data;
    bool change = expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT;
    return change && expr->args[0]->kind == EXPR_VAR && expr->args[0]->var == watch->row.pointer;
}

static void see_expr(void *data, struct expr *expr, struct expr *parent) {
    struct watch *watch = data;
    bool anything = expr->kind == EXPR_UNKNOWN || (expr->kind == EXPR_CALL && !expr->function);
    bool unseen = accesses_meet(watch, expr) == 0 && gpu_is_load(expr, parent);
    watch->fits &= !moves_pointer(watch, expr) && !anything && !unseen;
}

static void see_stmt(void *data, struct stmt *stmt) {
    struct watch *watch = data;
    bool leaves =
        stmt->kind == STMT_BREAK || stmt->kind == STMT_CONTINUE || stmt->kind == STMT_RETURN;
    bool enters = stmt->kind == STMT_LABEL || stmt->kind == STMT_CASE || stmt->kind == STMT_GOTO ||
                  stmt->kind == STMT_UNKNOWN;
    watch->fits &= !enters;
    watch->pending = leaves ? NULL : watch->pending;
}

static const struct gpu_wide *wide_of(const struct gpu_lanes *lanes,
                                      const struct variable *pointer) {
    for (int i = 0; i < lanes->nwide; ++i)
        if (lanes->wide[i].pointer == pointer)
            return &lanes->wide[i];
    return NULL;
}

/* What the loop does through its other pointers. */
static void see_others(struct watch *watch, const struct gpu_lanes *lanes) {
    for (int i = 0; i < lanes->nwide; ++i) {
        const struct gpu_wide *other = &lanes->wide[i];
        if (other->pointer == watch->row.pointer ||
            gpu_are_apart(watch->k, watch->row.object, other->object))
            continue;
        watch->pending = NULL;
        watch->fits &= !other->written;
    }
}

/* A loop that takes the same iterations. `listed`: it stands in the list itself, and runs whenever
 * what is in front of it does. */
static void see_assigned_loop(struct watch *watch, const struct gpu_lanes *lanes, bool listed) {
    const struct gpu_wide *wide = wide_of(lanes, watch->row.pointer);
    struct gpu_row *row = &watch->row;
    watch->fits &= !stmt_any_expr(lanes->loop->body, moves_pointer, watch);
    see_others(watch, lanes);
    if (!wide || !watch->fits)
        return;
    ARENA_PUSH(watch->k->arena, row->loops, row->nloops, lanes);
    if (wide->written && listed && watch->pending)
        ARENA_PUSH(watch->k->arena, row->deferring, row->ndeferring, watch->pending);
    if (wide->written || !listed)
        watch->pending = wide->written && listed ? lanes : NULL;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* An assigned loop whose rows might be kept. */
static const struct gpu_lanes *assigned_of(const struct gpu_kernel *k, const struct stmt *stmt) {
    const struct gpu_lanes *lanes = stmt->kind == STMT_FOR ? gpu_lanes_of(k, stmt->loop) : NULL;
    bool fits = lanes && lanes->nwide && is_measure(k, stmt->loop->lower) &&
                is_measure(k, stmt->loop->upper) &&
                (!k->measure || same_measure(k->measure, stmt->loop));
    return fits ? lanes : NULL;
}

static void see_any(struct watch *watch, struct stmt *stmt, bool listed) {
    const struct gpu_lanes *lanes = assigned_of(watch->k, stmt);
    if (lanes && same_measure(watch->row.first->loop, lanes->loop)) {
        see_assigned_loop(watch, lanes, listed);
    } else if (stmt->kind == STMT_BLOCK) {
        for (int i = 0; i < stmt->nbody; ++i)
            see_any(watch, stmt->body[i], false);
    } else if (stmt->kind == STMT_IF) {
        emit_walk_expr(stmt->expr, NULL, see_expr, watch);
        see_any(watch, stmt->then, false);
        if (stmt->other)
            see_any(watch, stmt->other, false);
    } else {
        emit_walk_stmt(stmt, see_expr, watch);
        emit_walk_stmts(stmt, see_stmt, watch);
    }
}

/* The loops that can share the pointer's row, from statement `at` of the list on. */
static struct gpu_row row_follow(struct gpu_kernel *k, const struct stmt *list, int at,
                                 const struct gpu_wide *wide) {
    struct gpu_row row = {.pointer = wide->pointer,
                          .type = wide->type,
                          .object = wide->object,
                          .first = assigned_of(k, list->body[at])};
    struct watch watch = {k, row, NULL, true};
    for (int i = at; i < list->nbody && watch.fits; ++i)
        see_any(&watch, list->body[i], true);
    return watch.row;
}

static bool is_among(const struct gpu_lanes *lanes, int count, const struct gpu_lanes **list) {
    for (int i = 0; i < count; ++i)
        if (list[i] == lanes)
            return true;
    return false;
}

int gpu_row_of(const struct gpu_kernel *k, const struct gpu_lanes *lanes,
               const struct variable *pointer) {
    for (int i = 0; i < k->nreused; ++i)
        if (k->reused[i].pointer == pointer &&
            is_among(lanes, k->reused[i].nloops, k->reused[i].loops))
            return i;
    return -1;
}

bool gpu_row_stores(const struct gpu_row *row, const struct gpu_lanes *lanes) {
    return wide_of(lanes, row->pointer)->written &&
           !is_among(lanes, row->ndeferring, row->deferring);
}

static void rows_of_list(struct gpu_kernel *k, const struct stmt *list) {
    for (int i = 0; i < list->nbody; ++i) {
        const struct gpu_lanes *lanes = assigned_of(k, list->body[i]);
        for (int w = 0; lanes && w < lanes->nwide; ++w) {
            if (gpu_row_of(k, lanes, lanes->wide[w].pointer) >= 0)
                continue;
            struct gpu_row row = row_follow(k, list, i, &lanes->wide[w]);
            if (row.nloops < 2)
                continue;
            ARENA_PUSH(k->arena, k->reused, k->nreused, row);
            k->measure = row.first->loop;
        }
    }
}

static void see_list(void *data, struct stmt *stmt) {
    if (stmt->kind == STMT_BLOCK)
        rows_of_list(data, stmt);
}

/* ---- widths ---------------------------------------------------------------------------------- */

/* Registers of a lane for all rows of up to `most` numbers. */
static long registers_of(const struct gpu_kernel *k, long most) {
    long words = 0, chunks = (most + 4 * 32 - 1) / (4 * 32);
    for (int i = 0; i < k->nreused; ++i)
        words += chunks * k->reused[i].type->size;
    return words;
}

static const long widths[GPU_WIDTHS] = {32, 64, 127, 128, 512, 1024};

static bool has_width(const struct gpu_kernel *k, int w) {
    enum { MOST_REGISTERS = 128 };
    long constant = constant_width(k->measure);
    bool least = constant < 0 || (constant <= widths[w] && (w == 0 || constant > widths[w - 1]));
    return least && registers_of(k, widths[w]) <= MOST_REGISTERS;
}

static long most_of(const struct gpu_kernel *k) {
    long most = 0;
    for (int w = 0; k->nreused && w < GPU_WIDTHS; ++w)
        most = has_width(k, w) ? widths[w] : most;
    return most;
}

void gpu_reuse_find(struct gpu_kernel *k) {
    emit_walk_stmts((struct stmt *)k->job->loop->body, see_list, k);
    if (k->nreused && most_of(k) == 0)
        k->nreused = 0;
    gpu_ahead_find(k);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* A loop that loads a row which an earlier loop had: of `pointer`; NULL: none. */
static const struct gpu_lanes *reloaded_by(const struct gpu_kernel *k,
                                           const struct variable **pointer) {
    for (int a = 0; a < k->nlanes; ++a)
        for (int w = 0; w < k->lanes[a].nwide; ++w)
            for (int b = a + 1; b < k->nlanes; ++b) {
                *pointer = k->lanes[a].wide[w].pointer;
                int row = gpu_row_of(k, &k->lanes[a], *pointer);
                if (wide_of(&k->lanes[b], *pointer) &&
                    (row < 0 || row != gpu_row_of(k, &k->lanes[b], *pointer)))
                    return &k->lanes[b];
            }
    return NULL;
}

static const char *reload_words(const struct gpu_kernel *k, const struct gpu_lanes *again) {
    const struct loop *loop = again->loop;
    if (!is_measure(k, loop->lower) || !is_measure(k, loop->upper))
        return "how many numbers it has is not known when the kernel is launched";
    if (k->measure && !same_measure(k->measure, loop))
        return "rows of another length are";
    if (constant_width(loop) > widths[GPU_WIDTHS - 1])
        return "it has too many numbers";
    return "the loops do not follow each other, or what is between them may change it";
}

const char *gpu_reuse_words(const struct gpu_kernel *k) {
    struct text out;
    const struct variable *pointer = NULL;
    text_start(&out, k->arena);
    for (int i = 0; i < k->nreused; ++i)
        text_print(&out, "%s%s", i ? ", " : "; rows kept in registers between loops inside: ",
                   k->reused[i].pointer->name);
    if (k->nreused)
        text_print(&out, ", of up to %ld numbers each%s", most_of(k),
                   k->ahead ? ", loaded ahead" : "");
    const struct gpu_lanes *again = reloaded_by(k, &pointer);
    if (again)
        text_print(&out, "; not in registers from line %d on: %s: %s",
                   again->loop->header.begin.line, pointer->name, reload_words(k, again));
    return out.bytes ? out.bytes : "";
}

/* ---- text ------------------------------------------------------------------------------------ */

void gpu_reuse_declare(struct gpu_printer *p, const struct gpu_lanes *lanes, int in,
                       struct text *out) {
    for (int i = 0; i < p->kernel->nreused && !p->kernel->ahead; ++i)
        if (p->kernel->reused[i].first == lanes)
            text_print(out, "%*s%s orrery_row_%d[ORRERY_KEPT]; // %s\n", in, "",
                       gpu_declare_plain(p, p->kernel->reused[i].type, ""), i,
                       p->kernel->reused[i].pointer->name);
}

void gpu_numbers_print(struct gpu_printer *p, struct text *out) {
    const struct loop *loop = p->kernel->measure;
    const char *lower = gpu_expr(p, loop->lower), *upper = gpu_expr(p, loop->upper);
    text_print(out,
               "/* The numbers of a row that is kept. */\n"
               "ORRERY_ANYWHERE long orrery_numbers_%d(const struct orrery_env_%d *const "
               "orrery_env) {\n",
               p->job->number, p->job->number);
    gpu_locals_print(p, arena_printf(p->arena, "%s %s", lower, upper), out);
    text_print(out,
               "    (void)orrery_env;\n"
               "    return orrery_trips((long)(%s), (long)(%s), %ld, %d);\n}\n\n",
               lower, upper, loop->step, loop->relation == OP_LE);
}

/* The function that the host asks. */
static void width_print(const struct gpu_printer *p, struct text *out) {
    int number = p->job->number;
    text_print(out,
               "static long orrery_width_%d(const void *orrery_values) {\n"
               "    return orrery_numbers_%d((const struct orrery_env_%d *)orrery_values);\n}\n\n"
               "/* Kernels for rows of up to so many numbers. */\n",
               number, number, number);
}

void gpu_entries_print(struct gpu_printer *p, const char *layout, struct text *out) {
    const char *name = p->job->kernel_name;
    int number = p->job->number;
    long words = p->kernel->ahead ? gpu_ahead_words(p->kernel) : 0;
    width_print(p, out);
    text_print(out, "ORRERY_ENTRY(%s_entry, orrery_rows_%d, 0, 0)\n", name, number);
    for (int w = 0; w < GPU_WIDTHS; ++w)
        if (has_width(p->kernel, w))
            text_print(out, "ORRERY_ENTRY(%s_%ld, orrery_rows_%d, %ld, %ld)\n", name, widths[w],
                       number, widths[w], words);
    text_print(out, "ORRERY_KERNEL_KEPT(%s, orrery_width_%d", name, number);
    for (int w = 0; w < GPU_WIDTHS; ++w)
        text_print(out, "%s",
                   has_width(p->kernel, w)
                       ? arena_printf(p->arena, ", (const void *)%s_%ld", name, widths[w])
                       : ", 0");
    text_print(out, ", %s,\n    %s)\n\n", gpu_copies_words(p), layout);
}
