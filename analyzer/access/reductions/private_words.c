/* Why a variable carries a value from one iteration to the next, in the words of its pattern: a
 * reduction with another use, a count, a recurrence. */
#include "analyzer/access/reductions/argmin.h"

struct carry {
    const struct trace *t;      /* of the loop */
    const struct variable *var; /* what an iteration may take from the one before */
    const struct ref *read,
        *write; /* the read that is to be explained; a write of it, NULL: none is known */
    const struct ref *fold, *other; /* the first reduction of it, the first use that is none */
    const struct expr *update;      /* the assignment to it that `read` is part of */
    const struct stmt *argmin;      /* if (... var ...) { var = ... } */
};

static const char *line_of(const struct trace *t, const struct ref *ref) {
    return arena_printf(t->arena, "line %d", ref_place(ref).begin.line);
}

/* ---- the pattern ----------------------------------------------------------------------------- */

static void find_fold(struct carry *c) {
    for (int i = 0; i < c->t->nrefs; ++i) {
        const struct ref *ref = &c->t->refs[i];
        const struct region *region = ref->address->region;
        if (region->kind != REGION_VARIABLE || region->var != c->var || ref->header)
            continue;
        int reduction = located(c->t, ref)->reduction;
        if (reduction >= 0 && !c->fold)
            c->fold = ref;
        if (!c->other && (reduction < 0 || reduction != located(c->t, c->fold)->reduction))
            c->other = ref;
    }
}

static bool sets(const struct expr *e, const struct variable *var) {
    return e->kind == EXPR_ASSIGN && e->args[0]->kind == EXPR_VAR && e->args[0]->var == var;
}

static void see_update(void *data, struct expr *e) {
    struct carry *c = data;
    if (sets(e, c->var) && range_holds_start(&e->range, &c->read->range))
        c->update = e;
}

static bool is_plain_set(const void *var, const struct expr *e) {
    return sets(e, var) && e->op == OP_NONE;
}

static void see_argmin(void *data, struct stmt *s) {
    struct carry *c = data;
    if (s->kind == STMT_IF && !c->argmin && range_holds_start(&s->expr->range, &c->read->range) &&
        stmt_any_expr(s->then, is_plain_set, c->var))
        c->argmin = s;
}

static struct carry carry_of(const struct trace *t, const struct variable *var,
                             const struct ref *read, const struct ref *write) {
    struct carry c = {.t = t, .var = var, .read = read, .write = write};
    find_fold(&c);
    stmt_visit(t->loop->body, see_update, &c);
    if (!read->via)
        stmt_each(t->loop->body, see_argmin, &c);
    return c;
}

/* ---- a reduction but for one use ------------------------------------------------------------- */

static const char *op_name(int op) {
    return reduction_operator(op)->title;
}

static void refuse_second_fold(const struct carry *c) {
    interp_refuse(
        c->t, ORR2201, ref_place(c->other),
        arena_printf(c->t->arena, "let the loop change `%s` by one operator only", c->var->name),
        "`%s` would be a reduction (the %s at %s) but for this: it is a %s here, and the "
        "two do not mix",
        c->var->name, op_name(c->fold->reduction), line_of(c->t, c->fold),
        op_name(c->other->reduction));
}

static void refuse_set(const struct carry *c) {
    interp_refuse(c->t, ORR2201, ref_place(c->other),
                  "keep a total that is only folded into, or set it outside of the loop",
                  "`%s` would be a reduction (the %s at %s) but for this: it is set here to "
                  "something else",
                  c->var->name, op_name(c->fold->reduction), line_of(c->t, c->fold));
}

/* A total that a model learns: its bias. */
static const char *or_relax(const struct carry *c) {
    bool sum = c->fold->reduction == REDUCE_ADD && !c->fold->via && loop_is_marked(c->t->loop);
    return sum ? arena_printf(c->t->arena,
                              "; or, if iterations may see values of `%s` that are a little old, "
                              "add relax(%s)",
                              c->var->name, c->var->name)
               : "";
}

static void refuse_use(const struct carry *c) {
    const char *name = c->var->name, *op = op_name(c->fold->reduction);
    bool every = !c->other->conditional && !c->other->via;
    interp_refuse(
        c->t, ORR2201, ref_place(c->other),
        arena_printf(c->t->arena,
                     "use `%s` after the loop only; if each iteration needs its own, compute "
                     "it from the loop's variable or in a serial loop of its own%s",
                     name, or_relax(c)),
        every ? "`%s` is a running %s that every iteration reads here: it would be a "
                "reduction (the %s at %s) but for this use"
              : "`%s` is a running %s, and what it is here depends on the iterations "
                "before: it would be a reduction (the %s at %s) but for this use",
        name, op, op, line_of(c->t, c->fold));
}

static void refuse_fold_of_itself(const struct carry *c) {
    interp_refuse(
        c->t, ORR2201, ref_place(c->other),
        "fold in what the iteration computes from its own data only",
        "`%s` would be a reduction (the %s at %s) but for this use: what is folded into it "
        "depends on it",
        c->var->name, op_name(c->fold->reduction), line_of(c->t, c->fold));
}

static void refuse_scan(const struct carry *c, const struct expr *element) {
    const char *name = c->var->name, *op = op_name(c->fold->reduction);
    interp_refuse(
        c->t, ORR2275, ref_place(c->other),
        arena_printf(c->t->arena,
                     "leave this loop serial and let it do nothing else: what uses `%s` "
                     "can be a parallel loop after it",
                     expr_print(c->t->arena, element)),
        "this is a prefix scan, which stays serial: `%s` is the running %s (%s), and every "
        "iteration stores it here",
        name, op, line_of(c->t, c->fold));
}

static void refuse_spoiled(const struct carry *c) {
    const struct expr *element = scan_stores(c->t, c->other);
    if (c->other->reduction >= 0)
        refuse_second_fold(c);
    else if (c->other->write)
        refuse_set(c);
    else if (c->update && range_holds_start(&c->update->range, &c->other->range))
        refuse_fold_of_itself(c);
    else if (element)
        refuse_scan(c, element);
    else
        refuse_use(c);
}

/* A function that is called for a flag changes something, or what stands behind it may fault. */
static void refuse_flag(const struct carry *c) {
    struct object *flag = located(c->t, c->fold)->object;
    const struct expr *faulty =
        flag && !flag_changes_else(c->t, flag) ? flag_speculates(c->t, flag) : NULL;
    if (faulty) {
        flag_refuse(c->t, c->fold->expr, faulty);
        return;
    }
    interp_refuse(c->t, ORR2270, ref_place(c->fold),
                  "call the function first, in every iteration, and join its result to the others",
                  "`%s` would be a reduction (a %s), but a function that is called for it changes "
                  "something, and whether it is called depends on the iterations before",
                  c->var->name, op_name(c->fold->reduction));
}

static void refuse_fold_in_callee(const struct carry *c) {
    interp_refuse(c->t, ORR2201, ref_place(c->fold),
                  "let the function return what it adds, and add it in the loop's own body",
                  "`%s` would be a reduction, but it is a %s in a function called from the loop, "
                  "which always changes the one variable",
                  c->var->name, op_name(c->fold->reduction));
}

/* ---- others ---------------------------------------------------------------------------------- */

static void refuse_update(const struct carry *c) {
    const struct expr *by = c->update->args[1];
    if (c->var->type->kind == TYPE_INT && type_is(by->type, TYPE_FLOAT)) {
        interp_refuse(c->t, ORR2201, ref_place(c->read), "make it a double",
                      "`%s` is an integer that is made of floating-point numbers: it is rounded "
                      "every time, so the order of the iterations counts",
                      c->var->name);
        return;
    }
    interp_refuse(c->t, ORR2201, ref_place(c->read),
                  "compute it in a serial loop of its own, with an array for what each iteration "
                  "needs of it",
                  "`%s` carries a value from one iteration to the next: each is made of the one "
                  "before here, in a way that is no reduction",
                  c->var->name);
}

static void refuse_pointer(const struct carry *c) {
    interp_refuse(c->t, ORR2201, ref_place(c->read),
                  "use a subscript of the iteration's own data in place of the pointer",
                  "the pointer `%s` carries its value from one iteration to the next: it is read "
                  "here before the iteration sets it%s",
                  c->var->name,
                  c->write ? arena_printf(c->t->arena, " (set at %s)", line_of(c->t, c->write))
                           : "");
}

static bool is_index(const void *read, const struct expr *e) {
    return e->kind == EXPR_SUBSCRIPT && range_holds_start(&e->args[1]->range, read);
}

/* A pointer or a subscript, moved in a loop inside, and in no other way than by steps. */
static bool is_running(const struct carry *c) {
    const struct ref *read = c->other ? c->other : c->read;
    bool index = stmt_any_expr(c->t->loop->body, is_index, &read->range);
    return (index || c->var->type->kind == TYPE_POINTER) && read->nloops > 0 && !read->via &&
           interp_only_moves(c->t->loop->stmt, c->var);
}

static void refuse_running(const struct carry *c) {
    interp_refuse(
        c->t, ORR2201, ref_place(c->other ? c->other : c->read),
        "find in a serial loop before this one where each row begins (start[i + 1] = "
        "start[i] + length of row i), and let the iteration begin there",
        "`%s` runs on from one iteration's row to the next: where a row begins depends on "
        "the lengths of those before it",
        c->var->name);
}

static void refuse_count(const struct carry *c) {
    interp_refuse(
        c->t, ORR2201, ref_place(c->read),
        "give every iteration a place of its own, by the loop's variable, and close the "
        "gaps in a serial loop after this one",
        "`%s` counts along with the iterations, and its value is used here: it depends on "
        "the iterations before",
        c->var->name);
}

static void refuse_plain(const struct carry *c) {
    struct arena *arena = c->t->arena;
    bool state = c->read->via && c->var->type->kind == TYPE_INT;
    interp_refuse(c->t, ORR2201, ref_place(c->read),
                  state ? "if it is the state of a generator of random numbers, draw from "
                          "orrery_random(seed, n), n the loop's variable; else compute it from the "
                          "iteration's own data"
                        : "compute it from the iteration's own data, or declare it inside of the "
                          "body if no value is meant to pass",
                  "`%s` carries a value from one iteration to the next: it is read here before the "
                  "iteration sets it%s",
                  c->var->name,
                  c->write ? arena_printf(arena, " (set at line %d, column %d)",
                                          c->write->range.begin.line, c->write->range.begin.column)
                           : "");
}

void private_refuse_carried(const struct trace *t, const struct variable *var,
                            const struct ref *read, const struct ref *write) {
    struct carry c = carry_of(t, var, read, write);
    bool counted = read->expr->range.end.offset != read->range.end.offset ||
                   read->expr->range.begin.offset != read->range.begin.offset;
    if (is_running(&c))
        refuse_running(&c);
    else if (c.fold && c.other)
        refuse_spoiled(&c);
    else if (c.fold && !c.fold->via && reduction_is_logical(c.fold->reduction))
        refuse_flag(&c);
    else if (c.fold)
        refuse_fold_in_callee(&c);
    else if (c.argmin)
        argmin_refuse(t, c.argmin, var, read);
    else if (var->type->kind == TYPE_POINTER)
        refuse_pointer(&c);
    else if (counted)
        refuse_count(&c);
    else if (c.update && !read->via)
        refuse_update(&c);
    else
        refuse_plain(&c);
}
