#include "scheduler/transform/plain.h"

#include "scheduler/transform/front.h"

#include <string.h>

const struct variable *plain_root(const struct expr *e) {
    while (e->kind == EXPR_SUBSCRIPT && e->args[0]->type && e->args[0]->type->kind == TYPE_ARRAY)
        e = e->args[0];
    return e->kind == EXPR_VAR ? e->var : NULL;
}

struct variable *plain_counted(const struct expr *e) {
    bool one = e && ((e->kind == EXPR_INCREMENT && e->delta == 1) ||
                     (e->kind == EXPR_ASSIGN && e->op == OP_ADD && e->args[1]->kind == EXPR_INT &&
                      e->args[1]->int_value == 1));
    return one && e->args[0]->kind == EXPR_VAR ? e->args[0]->var : NULL;
}

bool plain_is_own(const struct variable *v) {
    const struct type *t = v->type;
    while (t->kind == TYPE_ARRAY && !t->is_volatile && !t->is_atomic)
        t = t->element;
    return type_is_number(t) && !t->is_volatile && !t->is_atomic && !v->is_alias;
}

bool plain_reads_written(const struct loop_facts *facts, const struct range *range) {
    for (int i = 0; i < facts->naccesses; ++i)
        if (facts->accesses[i].object->written && range_holds(range, &facts->accesses[i].range))
            return true;
    return false;
}

struct staying {
    const struct stmt *but;
    const struct variable *var;
};

static bool is_set(const void *data, const struct expr *e) {
    const struct staying *s = data;
    return (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) &&
           lvalue_variable(e->args[0]) == s->var &&
           !(s->but && range_holds(&s->but->range, &e->range));
}

bool plain_stays(const struct loop *loop, const struct stmt *but, const struct variable *v) {
    const struct staying staying = {but, v};
    return v != loop->variable && plain_is_own(v) && !stmt_declares(loop->body, v) &&
           !stmt_any_expr(loop->body, is_set, &staying);
}

/* No division by it traps. */
static bool is_divisor(const struct expr *e) {
    return e->kind == EXPR_INT && e->int_value > 0;
}

/* A number that is the same whenever it is computed. */
static bool is_bound(const struct loop *loop, const struct stmt *but, const struct expr *e) {
    bool args = e->kind == EXPR_INT || e->kind == EXPR_VAR || e->kind == EXPR_BINARY;
    if (!e->type || e->type->kind != TYPE_INT || !e->type->is_signed ||
        e->type->size > loop->variable->type->size ||
        (e->kind == EXPR_VAR && !plain_stays(loop, but, e->var)) ||
        (e->kind == EXPR_BINARY && e->op != OP_ADD && e->op != OP_SUB && e->op != OP_MUL &&
         (e->op != OP_DIV || !is_divisor(e->args[1]))))
        return false;
    for (int i = 0; i < e->nargs; ++i)
        args = args && is_bound(loop, but, e->args[i]);
    return args;
}

bool plain_counts(const struct loop *loop, const struct stmt *but) {
    const struct type *type = loop->variable ? loop->variable->type : NULL;
    return type && nest_counts_plainly(loop) && loop->step == 1 && type->kind == TYPE_INT &&
           type->is_signed && type->size >= (long)sizeof(int) && loop->init && loop->cond &&
           loop->next && loop->upper && is_bound(loop, but, loop->lower) &&
           is_bound(loop, but, loop->upper);
}

/* Where a jump or label may stand: at the top of the body, in a branch; else nowhere. */
enum level { LEVEL_NOWHERE, LEVEL_TOP, LEVEL_BRANCH };

static bool is_simple(const struct stmt *stmt, bool (*set)(const struct expr *), enum level level) {
    const enum level inside = level == LEVEL_NOWHERE ? level : LEVEL_BRANCH;
    bool simple = true;
    switch (stmt->kind) {
    case STMT_EMPTY:
        return true;
    case STMT_GOTO:
        return level != LEVEL_NOWHERE;
    case STMT_LABEL:
        return level == LEVEL_TOP && stmt->then && is_simple(stmt->then, set, level);
    case STMT_EXPR:
        return set(stmt->expr);
    case STMT_DECL:
        return !stmt->expr && stmt->nvars == 1 && stmt->vars[0]->storage == STORAGE_LOCAL &&
               type_is_number(stmt->vars[0]->type) && plain_is_own(stmt->vars[0]) &&
               (!stmt->vars[0]->init || nest_is_value(stmt->vars[0]->init));
    case STMT_IF:
        return nest_is_value(stmt->expr) && is_simple(stmt->then, set, inside) &&
               (!stmt->other || is_simple(stmt->other, set, inside));
    case STMT_BLOCK:
        for (int i = 0; i < stmt->nbody; ++i)
            simple = simple && is_simple(stmt->body[i], set, level);
        return simple;
    default:
        return false;
    }
}

bool plain_is_simple(const struct stmt *stmt, bool (*set)(const struct expr *)) {
    return is_simple(stmt, set, LEVEL_NOWHERE);
}

static bool is_jump(const void *data, const struct stmt *stmt) {
    (void)data;
    return stmt->kind == STMT_GOTO;
}

bool plain_has_jump(const struct stmt *stmt) {
    return stmt_any(stmt, is_jump, NULL);
}

/* Where the label stands, 0: there is none. */
static long label_offset(const struct stmt *stmt, const char *label) {
    long at = stmt->kind == STMT_LABEL && strcmp(stmt->text, label) == 0
                  ? (long)stmt->range.begin.offset
                  : 0;
    for (int i = 0; i < stmt->nbody && at == 0; ++i)
        at = label_offset(stmt->body[i], label);
    return at == 0 && stmt->kind == STMT_LABEL ? label_offset(stmt->then, label) : at;
}

static bool is_jump_back(const void *body, const struct stmt *stmt) {
    return stmt->kind == STMT_GOTO &&
           label_offset(body, stmt->text) <= (long)stmt->range.begin.offset;
}

long plain_farthest(const struct stmt *stmt, const struct stmt *body) {
    long most = 0;
    if (stmt->kind == STMT_GOTO)
        return label_offset(body, stmt->text);
    for (int i = 0; i < stmt->nbody; ++i) {
        long here = plain_farthest(stmt->body[i], body);
        most = here > most ? here : most;
    }
    const struct stmt *inside[] = {stmt->then, stmt->other};
    for (int i = 0; i < 2; ++i) {
        long here = inside[i] ? plain_farthest(inside[i], body) : 0;
        most = here > most ? here : most;
    }
    return most;
}

bool plain_jumps_ahead(const struct stmt *body, bool (*set)(const struct expr *)) {
    return is_simple(body, set, LEVEL_TOP) && !stmt_any(body, is_jump_back, body);
}

/* ---- paths through an iteration --------------------------------------------------------------- */

enum { JUMPS = 16 };

/* `live`: control may be here after `from`. `labels`: where it jumped to by then. */
struct path {
    const struct stmt *from, *to;
    bool live, reaches;
    int nlabels;
    const char *labels[JUMPS];
};

static void jump(struct path *path, const char *label) {
    if (!path->live)
        return;
    if (path->nlabels < JUMPS)
        path->labels[path->nlabels++] = label;
    else
        path->reaches = true;
    path->live = false;
}

static void follow(struct path *path, const struct stmt *stmt);

static void follow_choice(struct path *path, const struct stmt *stmt) {
    const bool before = path->live;
    follow(path, stmt->then);
    const bool then = path->live;
    path->live = before;
    if (stmt->other)
        follow(path, stmt->other);
    path->live = path->live || then;
}

static void follow(struct path *path, const struct stmt *stmt) {
    if (stmt == path->from)
        path->live = true;
    else if (stmt == path->to)
        path->reaches = path->reaches || path->live;
    if (stmt->kind == STMT_GOTO)
        jump(path, stmt->text);
    else if (stmt->kind == STMT_IF)
        follow_choice(path, stmt);
    for (int i = 0; i < path->nlabels && stmt->kind == STMT_LABEL; ++i)
        path->live = path->live || strcmp(path->labels[i], stmt->text) == 0;
    for (int i = 0; i < stmt->nbody; ++i)
        follow(path, stmt->body[i]);
    if (stmt->kind == STMT_LABEL)
        follow(path, stmt->then);
}

bool plain_reaches(const struct stmt *body, const struct stmt *from, const struct stmt *to) {
    struct path path = {.from = from, .to = to};
    follow(&path, body);
    return path.reaches;
}

/* ---- text ------------------------------------------------------------------------------------ */

const char *plain_declare(const struct plain *p, const struct type *type, const char *name) {
    return type_declare(p->unit->arena, type,
                        arena_printf(p->unit->arena, "%s%s", p->prefix, name));
}

void plain_write(const struct plain *p, size_t begin, size_t end, struct text *out) {
    struct writing w = {.source = p->unit->files[p->unit->main_file].text};
    struct range range = p->loop->body->range;
    range.begin.offset = (unsigned)begin;
    range.end.offset = (unsigned)end;
    write_tokens(&w, &range, out);
}

static void write_range(const struct plain *p, const struct range *range, struct text *out) {
    plain_write(p, range->begin.offset, range->end.offset, out);
}

static void write_last(const struct plain *p, struct text *out) {
    text_print(out, "const %s = %send%s; ", plain_declare(p, p->loop->variable->type, "last"),
               p->prefix, p->loop->relation == OP_LE ? " + 1" : "");
}

void plain_write_way(const struct plain *p, long least, int nanoseconds, const char *within,
                     struct text *out) {
    const struct loop *loop = p->loop;
    const struct unit *unit = p->unit;
    const char *x = p->prefix;
    text_print(out,
               "{ extern int orrery_blocks_begin(const char *, const char *, int, double); "
               "extern void orrery_blocks_end(int); static const char %shere = 0; int %sway = 0; ",
               x, x);
    text_print(out, "%s = %s; const %s = %s; ", plain_declare(p, loop->variable->type, "first"),
               expr_print(unit->arena, loop->lower), plain_declare(p, loop->variable->type, "end"),
               expr_print(unit->arena, loop->upper));
    text_print(out, "if (%sfirst > -%ldL && %sfirst < %ldL && %send < %ldL) { ", x, PLAIN_LARGEST,
               x, PLAIN_LARGEST, x, PLAIN_LARGEST);
    write_last(p, out);
    text_print(out,
               "if (%slast - %sfirst >= %ld%s) %sway = orrery_blocks_begin(&%shere, \"%s\", %d, "
               "%d. * (double)(%slast - %sfirst)); } ",
               x, x, least, within, x, x,
               text_escape(unit->arena, unit->files[unit->main_file].name), loop->header.begin.line,
               nanoseconds, x, x);
    text_print(out,
               "if (%sway == 1) { _Pragma(\"GCC diagnostic push\") "
               "_Pragma(\"GCC diagnostic ignored \\\"-Wshadow\\\"\") ",
               x);
    write_last(p, out);
}

void plain_write_rest(const struct plain *p, struct text *out) {
    const struct loop *loop = p->loop;
    const struct variable *v = loop->variable;
    text_print(out, "orrery_blocks_end(1); for (%s = %sfirst; ",
               loop->declares_variable ? type_declare(p->unit->arena, v->type, v->name) : v->name,
               p->prefix);
    write_range(p, &loop->cond->range, out);
    text_print(out, "; ");
    write_range(p, &loop->next->range, out);
    text_print(out, ") ");
    write_range(p, &loop->body->range, out);
    text_print(out, " _Pragma(\"GCC diagnostic pop\") } else ");
}

const char *plain_end(const struct plain *p) {
    return arena_printf(p->unit->arena, " if (%sway == 2) { %sway = 0; orrery_blocks_end(2); }",
                        p->prefix, p->prefix);
}
