/*
 * `if (c) { report(i, rc); return rc; }` in a loop becomes
 *
 *     int left_at = n; int left_1 = 0;
 *     #pragma ...
 *     for (...) ... if (c) { if (i < left_at) { left_at = i; left_1 = rc; } continue; } ...
 *     if (left_at < n) { const int i = left_at; int rc = left_1; report(i, rc); return rc; }
 *
 * which is the first iteration that would leave as a minimum, with what the statements in front of
 * the jump read.
 */
#include "scheduler/emit/fixit_leave.h"

#include "scheduler/base/text.h"
#include "scheduler/base/walk.h"
#include "scheduler/emit/fixit_text.h"

#include <string.h>

enum { KEPT_MOST = 4 };

/* The one jump that leaves the loop. */
struct leaving {
    const struct unit *unit;                /* that the loop stands in */
    const struct loop *loop;                /* the marked loop */
    struct arena *arena;                    /* of the texts */
    struct stmt *jump;                      /* what leaves it */
    struct stmt *branch, *block;            /* the `if`, and all that stands behind its condition */
    int njumps, nkept;                      /* jumps that leave; of `kept` */
    const struct variable *kept[KEPT_MOST]; /* set by the body, and read behind the loop */
    const char *prefix;                     /* of the names of new variables */
    bool unfit;                             /* the edits are a person's to make */
};

/* ---- the jump -------------------------------------------------------------------------------- */

struct label {
    const char *name;
    bool found;
};

static void see_label(void *data, struct stmt *stmt) {
    struct label *label = data;
    label->found =
        label->found || (stmt->kind == STMT_LABEL && strcmp(stmt->text, label->name) == 0);
}

static bool leaves(const struct leaving *l, const struct stmt *stmt, bool breaks) {
    struct label label = {stmt->text, false};
    if (stmt->kind == STMT_GOTO)
        emit_walk_stmts(l->loop->body, see_label, &label);
    return stmt->kind == STMT_RETURN || (stmt->kind == STMT_BREAK && breaks) ||
           (stmt->kind == STMT_GOTO && !label.found);
}

/* `branch`, `block`: of the `if` that the statement ends; NULL: it ends none that is the body's. */
static void find_jump(struct leaving *l, struct stmt *stmt, struct stmt *branch, struct stmt *block,
                      bool nested, bool breaks) {
    if (!stmt)
        return;
    bool loops = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO;
    bool inside = nested || loops;
    if (leaves(l, stmt, breaks)) {
        ++l->njumps;
        l->jump = stmt;
        l->branch = nested ? NULL : branch;
        l->block = block;
    }
    l->unfit = l->unfit || stmt->kind == STMT_UNKNOWN;
    breaks = breaks && !loops && stmt->kind != STMT_SWITCH;
    for (int i = 0; i < stmt->nbody; ++i) {
        const bool last = stmt->kind == STMT_BLOCK && i + 1 == stmt->nbody && stmt == block;
        find_jump(l, stmt->body[i], last ? branch : NULL, block, inside, breaks);
    }
    if (loops) {
        find_jump(l, stmt->loop->body, NULL, NULL, inside, breaks);
        return;
    }
    const bool is_if = stmt->kind == STMT_IF;
    find_jump(l, stmt->then, is_if ? stmt : NULL, stmt->then, inside, breaks);
    find_jump(l, stmt->other, is_if ? stmt : NULL, stmt->other, inside, breaks);
}

/* ---- what counts behind the loop ------------------------------------------------------------- */

static bool within(struct range range, const struct stmt *stmt) {
    return range.begin.offset >= stmt->range.begin.offset &&
           range.end.offset <= stmt->range.end.offset;
}

struct set_search {
    const struct variable *var;
    const struct stmt *except;
    bool set;
};

static void see_set(void *data, struct expr *expr, struct expr *parent) {
    struct set_search *s = data;
    (void)parent;
    bool sets = expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT;
    s->set = s->set || (sets && expr->args[0]->kind == EXPR_VAR && expr->args[0]->var == s->var &&
                        !within(expr->range, s->except));
}

static bool is_inside(const struct leaving *l, const struct variable *var) {
    return within(var->range, l->loop->stmt);
}

static void see_function(void *data, struct expr *expr, struct expr *parent) {
    bool *calls = data;
    (void)parent;
    *calls = *calls || (expr->kind == EXPR_CALL && (!expr->function || expr->function->body));
}

/* Functions that the body calls may set it. */
static bool is_set_elsewhere(const struct leaving *l, const struct variable *var) {
    bool calls = false;
    if (var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM)
        return var->address_taken && var->type->kind != TYPE_ARRAY;
    emit_walk_stmt(l->loop->body, see_function, &calls);
    return calls && (var->type->kind == TYPE_INT || var->type->kind == TYPE_FLOAT) &&
           !var->type->is_const;
}

/* The body gives it a value that differs from iteration to iteration. */
static bool is_set(const struct leaving *l, const struct variable *var) {
    struct set_search s = {var, l->block, is_set_elsewhere(l, var)};
    emit_walk_stmt(l->loop->body, see_set, &s);
    return (s.set || is_inside(l, var)) && var != l->loop->variable;
}

static void keep(struct leaving *l, const struct variable *var) {
    for (int i = 0; i < l->nkept; ++i)
        if (l->kept[i] == var)
            return;
    bool number = var->type->kind == TYPE_INT || var->type->kind == TYPE_FLOAT;
    bool own = var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM;
    l->unfit = l->unfit || !number || !own || var->address_taken || l->nkept == KEPT_MOST;
    if (!l->unfit)
        l->kept[l->nkept++] = var;
}

static bool reaches_memory(const struct expr *expr) {
    return expr->kind == EXPR_SUBSCRIPT || expr->kind == EXPR_DEREF || expr->kind == EXPR_MEMBER;
}

static void see_moved(void *data, struct expr *expr, struct expr *parent) {
    struct leaving *l = data;
    (void)parent;
    l->unfit = l->unfit || reaches_memory(expr);
    if (expr->kind == EXPR_VAR && !within(expr->var->range, l->block) && is_set(l, expr->var))
        keep(l, expr->var);
}

/* `if ((rc = step(i)) != 0) break;`: rc is used behind the loop. */
static void see_condition(void *data, struct expr *expr, struct expr *parent) {
    struct leaving *l = data;
    (void)parent;
    if (expr->kind == EXPR_VAR && !is_inside(l, expr->var) && is_set(l, expr->var))
        keep(l, expr->var);
}

/* ---- the text -------------------------------------------------------------------------------- */

static const char *source(const struct leaving *l) {
    return l->unit->files[l->unit->main_file].text;
}

static bool stands_here(const struct leaving *l, struct range range) {
    return range.exact && range.begin.file == l->unit->main_file &&
           range.end.file == l->unit->main_file;
}

struct place {
    const struct stmt *stmt;
    bool in_block;
};

static void see_block(void *data, struct stmt *stmt) {
    struct place *place = data;
    for (int i = 0; stmt->kind == STMT_BLOCK && i < stmt->nbody; ++i)
        place->in_block = place->in_block || stmt->body[i] == place->stmt;
}

/* It counts up by one to a bound that the header has as a word or sum, and stands in a block. */
static bool is_counted(const struct leaving *l) {
    const struct loop *loop = l->loop;
    struct place place = {loop->stmt, false};
    emit_walk_stmts(loop->function->body, see_block, &place);
    return loop->form == LOOP_FOR && loop->canonical && loop->step == 1 && !loop->stride &&
           !loop->steps_in_body && loop->relation == OP_LT &&
           loop->variable->type->kind == TYPE_INT && loop->pragma &&
           stands_here(l, loop->pragma->range) && loop->upper &&
           stands_here(l, loop->upper->range) && place.in_block;
}

static const char *blanks_before(const struct leaving *l, unsigned offset) {
    unsigned begin = offset;
    while (begin > 0 && strchr(" \t", source(l)[begin - 1]))
        --begin;
    return arena_strndup(l->arena, source(l) + begin, offset - begin);
}

/* A variable beside the kept one, which may be `const` in its iteration: types are spelled as clang
 * does, with that in front. */
static const char *beside(const struct leaving *l, const struct variable *kept) {
    const char *text =
        type_declare(l->arena, kept->type, arena_printf(l->arena, "%s%s", l->prefix, kept->name));
    return text + (kept->type->is_const ? strlen("const ") : 0);
}

static void edit_front(const struct leaving *l, struct diag_list *list, struct diag *diag,
                       const char *bound) {
    struct text out;
    text_start(&out, l->arena);
    text_print(
        &out, "%s = %s;",
        type_declare(l->arena, l->loop->variable->type, arena_printf(l->arena, "%sat", l->prefix)),
        bound);
    for (int k = 0; k < l->nkept; ++k)
        text_print(&out, " %s = 0;", beside(l, l->kept[k]));
    const unsigned at = l->loop->pragma->range.begin.offset;
    const char *front = blanks_before(l, at);
    const char *indent = *front ? "" : blanks_before(l, l->loop->header.begin.offset);
    diag_edit(list, diag, fixit_range(l->unit, l->unit->main_file, at, at),
              arena_printf(l->arena, "%s%s\n%s", indent, out.bytes, front));
}

static void edit_jump(const struct leaving *l, struct diag_list *list, struct diag *diag) {
    const char *v = l->loop->variable->name;
    struct text out;
    text_start(&out, l->arena);
    text_print(&out, "{ if (%s < %sat) { %sat = %s;", v, l->prefix, l->prefix, v);
    for (int k = 0; k < l->nkept; ++k)
        text_print(&out, " %s%s = %s;", l->prefix, l->kept[k]->name, l->kept[k]->name);
    text_print(&out, " } continue; }");
    diag_edit(list, diag, l->block->range, out.bytes);
}

/* Behind the loop the statements in front of the jump, and it, are the first iteration's. */
static void edit_behind(const struct leaving *l, struct diag_list *list, struct diag *diag,
                        const char *bound) {
    const struct variable *v = l->loop->variable;
    struct text out;
    text_start(&out, l->arena);
    text_print(&out, "if (%sat < %s) { ", l->prefix, bound);
    if (l->loop->declares_variable)
        text_print(&out, "%s = %sat; (void)%s; ", type_declare(l->arena, v->type, v->name),
                   l->prefix, v->name);
    else
        text_print(&out, "%s = %sat; ", v->name, l->prefix);
    for (int k = 0; k < l->nkept; ++k)
        text_print(&out, "%s = %s%s; ",
                   is_inside(l, l->kept[k])
                       ? type_declare(l->arena, l->kept[k]->type, l->kept[k]->name)
                       : l->kept[k]->name,
                   l->prefix, l->kept[k]->name);
    struct range moved = l->block->range;
    if (l->jump->kind == STMT_BREAK)
        moved.end = l->jump->range.begin;
    const bool braces = l->block->kind == STMT_BLOCK && l->jump->kind == STMT_BREAK;
    if (l->block != l->jump || l->jump->kind != STMT_BREAK)
        text_print(&out, "%s%s", fixit_source(l->unit, moved), braces ? "} " : " ");
    text_print(&out, "}");
    const unsigned end = l->loop->stmt->range.end.offset;
    diag_edit(list, diag, fixit_range(l->unit, l->unit->main_file, end, end),
              arena_printf(l->arena, "\n%s%s", blanks_before(l, l->loop->stmt->range.begin.offset),
                           out.bytes));
}

static const struct expr *bound_of(const struct leaving *l) {
    return l->loop->upper->kind == EXPR_VAR || l->loop->upper->kind == EXPR_INT ||
                   l->loop->upper->kind == EXPR_MEMBER
               ? l->loop->upper
               : NULL;
}

void fixit_leave(const struct unit *unit, const struct loop *loop, struct range place,
                 struct diag_list *list, struct diag *diag) {
    struct leaving l = {.unit = unit, .loop = loop, .arena = list->arena};
    find_jump(&l, loop->body, NULL, NULL, false, true);
    if (l.unfit || l.njumps != 1 || !l.branch || !stands_here(&l, l.block->range) ||
        l.jump->range.begin.offset != place.begin.offset || !is_counted(&l) || !bound_of(&l))
        return;
    l.prefix = text_new_prefix(unit, "left");
    emit_walk_stmt(l.block, see_moved, &l);
    if (l.jump->kind != STMT_RETURN)
        emit_walk_expr(l.branch->expr, NULL, see_condition, &l);
    if (l.unfit)
        return;
    const char *bound = fixit_source(unit, bound_of(&l)->range);
    edit_front(&l, list, diag, bound);
    edit_jump(&l, list, diag);
    edit_behind(&l, list, diag, bound);
    diag->gives_up =
        "the end of the loop: iterations behind the first one that leaves run, too, which "
        "nothing of them may forbid, and what they change stays";
    diag->promises = true;
}
