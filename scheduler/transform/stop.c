/*
 * Loops that may end early: `if (c) ...leave...` in an iteration, where no iteration writes what `c`
 * reads. The first iteration in which `c` holds is looked for in front, so that the iterations
 * before it have no end but their number; the user's loop goes on from it.
 *
 * Text of a loop that may end early:
 *
 *   if the condition stays within its arrays, and the run wants it now
 *       for each strip, until one has the end
 *           the least iteration in which the condition holds: a minimum
 *           the iterations before it, without the condition
 *       the user's loop, from there on
 *   else the user's loop
 *
 * Why that is right. The condition reads variables that the body does not set and elements of
 * arrays that it does not write; the body writes no memory but variables and elements of declared
 * arrays, so nothing else reaches them. So the condition has the same value in front as in its
 * iteration. It is computed for iterations that the serial loop does not reach, at most a strip of
 * them: it may read elements that exist, compare numbers and compute with floating-point ones, and
 * nothing that is undefined for some values.
 */
#include "scheduler/transform/plain.h"
#include "scheduler/transform/trial.h"

#include <string.h>

/* Iterations of a strip; fewer than `LEAST` run as they are written. */
enum { STRIP = 1 << 16, LEAST = 4096 };

/* A loop of this form. The statements around the `if` are those of `body` but for it. */
struct stop {
    struct plain plain;
    const struct loop *loop;
    const struct stmt *stop; /* the `if` that leaves */
    bool alone;              /* nothing else is in the body */
};

/* ---- what the body sets ---------------------------------------------------------------------- */

static bool is_set(const struct expr *e) {
    bool sets = e && (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) && e->nargs > 0;
    const struct variable *v = sets ? plain_root(e->args[0]) : NULL;
    return v && plain_is_own(v) && type_is_number(e->args[0]->type) && nest_is_value(e->args[0]) &&
           (e->kind == EXPR_INCREMENT || nest_is_value(e->args[1]));
}

/* In iterations before the one that leaves. */
static bool stays(const struct stop *stop, const struct variable *v) {
    return plain_stays(stop->loop, stop->stop, v);
}

/* ---- the statement that leaves --------------------------------------------------------------- */

static bool leaves(const struct stmt *stmt) {
    if (stmt->kind == STMT_BLOCK)
        return stmt->nbody > 0 && leaves(stmt->body[stmt->nbody - 1]);
    if (stmt->kind == STMT_EXPR)
        return stmt->expr->kind == EXPR_CALL && stmt->expr->function &&
               stmt->expr->function->is_noreturn;
    return stmt->kind == STMT_BREAK || stmt->kind == STMT_GOTO || stmt->kind == STMT_RETURN;
}

/* It can stand in the text twice: no labels, and nothing that keeps its value. */
static bool is_copied(const struct stmt *stmt) {
    bool copied = stmt->kind != STMT_LABEL && stmt->kind != STMT_UNKNOWN &&
                  stmt->kind != STMT_SWITCH && stmt->kind != STMT_CASE && !stmt->loop;
    for (int i = 0; i < stmt->nvars; ++i)
        copied = copied && stmt->vars[i]->storage == STORAGE_LOCAL;
    for (int i = 0; i < stmt->nbody; ++i)
        copied = copied && is_copied(stmt->body[i]);
    return copied && (!stmt->then || is_copied(stmt->then)) &&
           (!stmt->other || is_copied(stmt->other));
}

static bool is_stop(const struct stmt *stmt) {
    return stmt->kind == STMT_IF && !stmt->other && leaves(stmt->then) && is_copied(stmt->then);
}

/* ---- the condition --------------------------------------------------------------------------- */

/* i, i + 1, i - 1, or a constant: `moves`, and what is added. */
static bool is_place(const struct stop *stop, const struct expr *e, bool *moves, long *added) {
    bool sum = e->kind == EXPR_BINARY && (e->op == OP_ADD || e->op == OP_SUB) &&
               e->args[1]->kind == EXPR_INT;
    const struct expr *base = sum ? e->args[0] : e;
    long long constant = sum ? e->args[1]->int_value : e->kind == EXPR_INT ? e->int_value : 0;
    *moves = base->kind == EXPR_VAR && base->var == stop->loop->variable;
    *added = (long)(sum && e->op == OP_SUB ? -constant : constant);
    return (*moves || e->kind == EXPR_INT) && constant > -PLAIN_LARGEST && constant < PLAIN_LARGEST;
}

static bool is_element(const struct stop *stop, const struct expr *e) {
    for (; e->kind == EXPR_SUBSCRIPT; e = e->args[0]) {
        bool moves = false;
        long added = 0;
        const struct type *array = e->args[0]->type;
        if (!array || array->kind != TYPE_ARRAY || array->count <= 0 ||
            !is_place(stop, e->args[1], &moves, &added) ||
            (!moves && (added < 0 || added >= array->count)))
            return false;
    }
    return e->kind == EXPR_VAR && stays(stop, e->var);
}

/* Defined for all values of what it reads. */
static bool is_harmless(const struct stop *stop, const struct expr *e) {
    bool args = true;
    if (e->kind == EXPR_SUBSCRIPT)
        return type_is_number(e->type) && is_element(stop, e);
    for (int i = 0; i < e->nargs; ++i)
        args = args && e->args[i] && is_harmless(stop, e->args[i]);
    switch (e->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
        return true;
    case EXPR_VAR:
        return type_is_number(e->type) && (e->var == stop->loop->variable || stays(stop, e->var));
    case EXPR_AND:
    case EXPR_OR:
        return args;
    case EXPR_UNARY:
        return args && (e->op == OP_NOT || e->type->kind == TYPE_FLOAT);
    case EXPR_BINARY:
        return args && ((e->op >= OP_LT && e->op <= OP_NE) || e->type->kind == TYPE_FLOAT);
    case EXPR_CAST:
        return args && e->nargs == 1 && e->type->kind == TYPE_FLOAT &&
               type_is_number(e->args[0]->type);
    default:
        return false;
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool take_body(struct stop *stop) {
    const struct stmt *body = stop->loop->body;
    if (is_stop(body)) {
        stop->stop = body;
        stop->alone = true;
        return true;
    }
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody; ++i)
        if (!stop->stop && is_stop(body->body[i]))
            stop->stop = body->body[i];
        else if (!plain_is_simple(body->body[i], is_set))
            return false;
    stop->alone = body->nbody == 1;
    return stop->stop != NULL;
}

/* It is of this form. Looks at the text alone. */
static bool is_taken(struct stop *stop) {
    return stop->loop->canonical && nest_is_movable(stop->plain.unit, stop->loop) &&
           take_body(stop) && plain_counts(stop->loop, stop->stop) && stop->stop->range.exact &&
           stop->stop->expr->range.exact && is_harmless(stop, stop->stop->expr);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void write_range(const struct stop *stop, const struct range *range, struct text *out) {
    plain_write(&stop->plain, range->begin.offset, range->end.offset, out);
}

/* The elements that the condition may read are there. */
static void write_within(const struct stop *stop, const struct expr *e, struct text *out) {
    bool moves = false;
    long added = 0;
    const char *p = stop->plain.prefix;
    if (e->kind == EXPR_SUBSCRIPT && is_place(stop, e->args[1], &moves, &added) && moves)
        text_print(out, " && %sfirst >= %ld && %slast <= %ld", p, -added, p,
                   e->args[0]->type->count - added);
    for (int i = 0; i < e->nargs; ++i)
        write_within(stop, e->args[i], out);
}

static const char *counter(const struct stop *stop, const char *name) {
    return plain_declare(&stop->plain, stop->loop->variable->type, name);
}

static void write_search(const struct stop *stop, struct text *out) {
    const char *p = stop->plain.prefix, *v = stop->loop->variable->name;
    text_print(out, "%s = %snext; for (%s = %sfirst; %s < %snext; %s += 1) { ",
               counter(stop, "hit"), p,
               type_declare(stop->plain.unit->arena, stop->loop->variable->type, v), p, v, p, v);
    text_print(out, "const %s = (", counter(stop, "at"));
    write_range(stop, &stop->stop->expr->range, out);
    text_print(out, ") ? %s : %snext; if (%sat < %shit) %shit = %sat; } ", v, p, p, p, p, p);
}

/* The iterations before the one that is left. */
static void write_before(const struct stop *stop, struct text *out) {
    const char *p = stop->plain.prefix, *v = stop->loop->variable->name;
    struct range before = stop->loop->body->range, behind = before;
    if (stop->alone)
        return;
    before.end = stop->stop->range.begin;
    behind.begin = stop->stop->range.end;
    text_print(out, "for (%s = %sfirst; %s < %shit; %s += 1) ",
               type_declare(stop->plain.unit->arena, stop->loop->variable->type, v), p, v, p, v);
    write_range(stop, &before, out);
    write_range(stop, &behind, out);
}

static void write_strips(const struct stop *stop, struct text *out) {
    const char *p = stop->plain.prefix;
    text_print(out,
               "while (%sfirst < %slast) { const %s = %slast - %sfirst > %d ? %sfirst + %d : "
               "%slast; ",
               p, p, counter(stop, "next"), p, p, (int)STRIP, p, (int)STRIP, p);
    write_search(stop, out);
    write_before(stop, out);
    text_print(out, "%sfirst = %shit; if (%shit < %snext) break; } ", p, p, p, p);
}

/* An iteration is taken to last a nanosecond. */
void stop_try(struct trial *trial) {
    struct stop stop = {.plain = {trial->loop, trial->unit, trial->prefix}, .loop = trial->loop};
    struct text out, within;
    if (!is_taken(&stop) || trial_is_parallel_around(trial, trial->loop->parent))
        return;
    text_start(&out, trial->unit->arena);
    text_start(&within, trial->unit->arena);
    write_within(&stop, stop.stop->expr, &within);
    plain_write_way(&stop.plain, LEAST, 1, within.bytes, &out);
    write_strips(&stop, &out);
    plain_write_rest(&stop.plain, &out);
    trial->text = out.bytes;
    trial->end = plain_end(&stop.plain);
    trial->leaves = stop.stop->then;
    trial->message = ORR1705;
    trial->words = "the loop's end is looked for first";
}
