/*
 * Loops inside whose iterations do not conflict, or meet in sums only, are assigned to the lanes of
 * a warp. That they do not is asked of the analysis, as of any loop; what it would leave to a run's
 * check (that two rows do not overlap) has to follow from what is known of the loop around it.
 */
#include "scheduler/gpu/gpu.h"

/* ---- rows that do not overlap ---------------------------------------------------------------- */

/* The object that the loop around knows for `object` of the loop inside; NULL: not one only. */
static const struct object *object_around(const struct loop_facts *around,
                                          const struct loop_facts *facts,
                                          const struct object *object) {
    const struct object *found = NULL;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        bool seen = false;
        if (access->object != object)
            continue;
        for (int j = 0; j < around->naccesses; ++j) {
            const struct access *same = &around->accesses[j];
            if (same->expr != access->expr || same->via != access->via || !same->expr)
                continue;
            if (found && found != same->object)
                return NULL;
            found = same->object;
            seen = true;
        }
        if (!seen)
            return NULL;
    }
    return found && found->kind != OBJECT_UNKNOWN && found->kind != OBJECT_HIDDEN ? found : NULL;
}

static bool is_settled(struct loop_facts *around, const struct loop_facts *facts,
                       const struct guard *guard) {
    int number = -1, guards = around->nguards;
    if (guard->kind != GUARD_NO_OVERLAP || guard->assumed || !guard->a || !guard->b)
        return false;
    const struct object *a = object_around(around, facts, guard->a);
    const struct object *b = object_around(around, facts, guard->b);
    if (!a || !b || a == b)
        return false;
    bool apart = facts_alias(around, a, b, &number) != ALIAS_MAY;
    bool known = around->nguards == guards;
    around->nguards = guards;
    return apart && known;
}

/* ---- sums ------------------------------------------------------------------------------------ */

struct sum_search {
    const struct variable *var;
    const struct expr *update;
    int changes;
};

static void visit_change(void *data, struct expr *expr, struct expr *parent) {
    struct sum_search *search = data;
    bool change = expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT;
    if (change && expr->args[0]->kind == EXPR_VAR && expr->args[0]->var == search->var) {
        ++search->changes;
        search->update = parent ? NULL : expr;
    }
}

/* The update as a statement of its own, not in a loop further inside. */
static bool has_statement(const struct stmt *stmt, const struct expr *update) {
    if (!stmt)
        return false;
    switch (stmt->kind) {
    case STMT_EXPR:
        return stmt->expr == update;
    case STMT_BLOCK:
        for (int i = 0; i < stmt->nbody; ++i)
            if (has_statement(stmt->body[i], update))
                return true;
        return false;
    case STMT_IF:
        return has_statement(stmt->then, update) || has_statement(stmt->other, update);
    default:
        return false;
    }
}

static bool is_sum_op(enum op op) {
    return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_BITAND || op == OP_BITOR ||
           op == OP_BITXOR;
}

static bool find_sum(const struct loop *loop, const struct reduction *reduction,
                     struct gpu_sum *sum) {
    const struct object *object = reduction->object;
    struct sum_search search = {object->var, NULL, 0};
    if (reduction->is_array || reduction->nfields || reduction->argmin ||
        object->kind != OBJECT_SCALAR || !object->var || object->var->address_taken ||
        !gpu_suffix(object->var->type))
        return false;
    emit_walk_stmt(loop->body, visit_change, &search);
    const struct expr *update = search.update;
    if (search.changes != 1 || !update || !has_statement(loop->body, update))
        return false;
    *sum = (struct gpu_sum){.var = object->var, .update = update, .op = OP_ADD};
    if (update->kind == EXPR_INCREMENT) {
        sum->op = update->delta > 0 ? OP_ADD : OP_SUB;
        return true;
    }
    sum->op = update->op;
    sum->value = update->args[1];
    sum->value_type = sum->value->type;
    return is_sum_op(sum->op) && sum->value_type && gpu_suffix(sum->value_type);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static void visit_jump(void *data, struct stmt *stmt) {
    bool *jumps = data;
    *jumps |= stmt->kind == STMT_CONTINUE || stmt->kind == STMT_BREAK ||
              stmt->kind == STMT_RETURN || stmt->kind == STMT_GOTO || stmt->kind == STMT_LABEL ||
              stmt->kind == STMT_SWITCH;
}

/* Nothing but its variable: lanes make a header of their own. */
static bool starts_alone(const struct loop *loop) {
    const struct stmt *init = loop->init;
    if (!init || init->kind == STMT_EMPTY)
        return true;
    if (init->kind == STMT_DECL)
        return init->nvars == 1 && init->vars[0] == loop->variable;
    const struct expr *set = init->kind == STMT_EXPR ? init->expr : NULL;
    return set && set->kind == EXPR_ASSIGN && set->op == OP_NONE &&
           set->args[0]->kind == EXPR_VAR && set->args[0]->var == loop->variable;
}

static bool header_fits(const struct loop *loop) {
    bool relation = loop->relation == OP_LT || loop->relation == OP_LE || loop->relation == OP_GT ||
                    loop->relation == OP_GE;
    return loop->form == LOOP_FOR && loop->canonical && relation && loop->variable &&
           loop->variable->type->kind == TYPE_INT && starts_alone(loop) && loop->lower &&
           loop->upper && !loop->stride && !loop->steps_in_body && loop->ahead == 0 &&
           loop->variable->storage == STORAGE_LOCAL &&
           (loop->relation == OP_LT || loop->relation == OP_LE) == (loop->step > 0);
}

static bool is_private(const struct loop_facts *facts, const struct variable *var) {
    for (int i = 0; i < facts->nprivates; ++i)
        if (facts->privates[i].var == var)
            return true;
    return false;
}

/* Every lane has its own copy of a variable of the body:
 * what one of them wrote the others do not see. */
static bool writes_own(const struct gpu_kernel *k, const struct loop_facts *facts) {
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        const struct variable *var = access->object->var;
        bool inside = access->object->kind == OBJECT_SCALAR || access->object->kind == OBJECT_ARRAY;
        if (access->write && access->reduction < 0 && inside && var && !is_private(facts, var) &&
            !emit_field_of(k->job, var) && !emit_reduction_of(k->job, var))
            return true;
    }
    return false;
}

static bool facts_fit(struct gpu_kernel *k, const struct loop_facts *facts) {
    bool fit = facts->nrefusals == 0 && facts->nscratches == 0 && facts->ninductions == 0 &&
               !facts->by_number && !writes_own(k, facts);
    for (int i = 0; fit && i < facts->nprivates; ++i)
        fit = !facts->privates[i].last_value || facts->privates[i].var == facts->loop->variable;
    for (int i = 0; fit && i < facts->nguards; ++i)
        fit = is_settled(k->job->facts, facts, &facts->guards[i]);
    return fit;
}

/* Too short to be worth the lanes. */
static bool is_short(const struct loop *loop) {
    enum { LEAST = 4 };
    return loop->lower->kind == EXPR_INT && loop->upper->kind == EXPR_INT &&
           (loop->upper->int_value - loop->lower->int_value) / loop->step < LEAST;
}

static const struct plan *plan_inside(const struct outline *job, const struct loop *loop) {
    for (int i = 0; i < job->ninside; ++i)
        if (job->inside[i]->analysis->loop == loop)
            return job->inside[i];
    return NULL;
}

static bool find_lanes(struct gpu_kernel *k, struct loop *loop, struct gpu_lanes *lanes) {
    bool jumps = false;
    *lanes = (struct gpu_lanes){.loop = loop, .number = k->nlanes};
    emit_walk_stmts(loop->body, visit_jump, &jumps);
    if (jumps || !header_fits(loop) || is_short(loop))
        return false;
    const struct plan *plan = plan_inside(k->job, loop);
    bool free =
        plan && (plan->strategy == STRATEGY_INDEPENDENT || plan->strategy == STRATEGY_REDUCTION);
    if (!free || !facts_fit(k, plan->analysis->facts))
        return false;
    const struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->nreductions; ++i) {
        struct gpu_sum sum;
        if (!find_sum(loop, &facts->reductions[i], &sum))
            return false;
        ARENA_PUSH(k->arena, lanes->sums, lanes->nsums, sum);
    }
    gpu_wide_find(k, lanes);
    return true;
}

/* The outermost loops that can be: what is inside of one runs on a single lane. */
static void find_in(struct gpu_kernel *k, const struct stmt *stmt) {
    struct gpu_lanes lanes;
    if (!stmt)
        return;
    if (stmt->kind == STMT_FOR && find_lanes(k, stmt->loop, &lanes)) {
        ARENA_PUSH(k->arena, k->lanes, k->nlanes, lanes);
        return;
    }
    if (stmt->kind == STMT_FOR) {
        find_in(k, stmt->loop->body);
        return;
    }
    for (int i = 0; i < stmt->nbody; ++i)
        find_in(k, stmt->body[i]);
    find_in(k, stmt->then);
    find_in(k, stmt->other);
}

void gpu_lanes_find(struct gpu_kernel *k) {
    find_in(k, k->job->loop->body);
}

const struct gpu_lanes *gpu_lanes_of(const struct gpu_kernel *k, const struct loop *loop) {
    for (int i = 0; i < k->nlanes; ++i)
        if (k->lanes[i].loop == loop)
            return &k->lanes[i];
    return NULL;
}

/* ---- text ------------------------------------------------------------------------------------ */

static const char *op_text(enum op op) {
    static const char *const texts[] = {[OP_ADD] = "+",    [OP_SUB] = "-",   [OP_MUL] = "*",
                                        [OP_BITAND] = "&", [OP_BITOR] = "|", [OP_BITXOR] = "^"};
    return texts[op];
}

/* A lane's part of a difference is a sum. */
static enum op part_op(enum op op) {
    return op == OP_SUB ? OP_ADD : op;
}

/* Parts of sums of integers wrap around as the whole may not. */
static const char *part_suffix(const struct gpu_sum *sum) {
    const char *suffix = gpu_suffix(sum->var->type);
    bool plain = sum->var->type->kind == TYPE_FLOAT;
    return plain ? suffix : suffix[1] == '6' ? "u64" : "u32";
}

static const char *term_suffix(const struct gpu_sum *sum) {
    return sum->value_type ? gpu_suffix(sum->value_type) : "i32";
}

/* `orrery_n`: how many iterations there are. */
static void count_print(struct gpu_kernel *k, const struct gpu_lanes *lanes, int indent,
                        struct text *out) {
    const struct loop *loop = lanes->loop;
    bool included = loop->relation == OP_LE || loop->relation == OP_GE;
    text_print(out,
               "%*sconst long orrery_from = (long)(%s), orrery_n = orrery_trips(orrery_from, "
               "(long)(%s), %ld, %d); %s\n",
               4 * indent, "", gpu_expr(k, loop->lower), gpu_expr(k, loop->upper), loop->step,
               included, gpu_place(k, loop->stmt->range));
}

static void variable_print(struct gpu_kernel *k, const struct loop *loop, const char *number,
                           bool declare, int indent, struct text *out) {
    const char *name = gpu_name(k, loop->variable);
    const char *step = loop->step == 1 ? "" : arena_printf(k->arena, " * %ldL", loop->step);
    text_print(out, "%*s%s = (%s)(orrery_from + %s%s);\n", 4 * indent, "",
               declare ? gpu_declare_plain(k, loop->variable->type, name) : name,
               gpu_declare_plain(k, loop->variable->type, ""), number, step);
}

static void body_print(struct gpu_kernel *k, const struct gpu_lanes *lanes, int indent,
                       struct text *out) {
    const struct stmt *body = lanes->loop->body;
    k->inside = lanes;
    variable_print(k, lanes->loop,
                   k->keeping ? "(orrery_k + orrery_j * orrery_apart(orrery_most))"
                   : k->wide  ? "(orrery_k + orrery_j)"
                              : "orrery_k",
                   true, indent, out);
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody; ++i)
        gpu_stmt_print(k, body->body[i], GPU_SERIAL, indent, out);
    if (body->kind != STMT_BLOCK)
        gpu_stmt_print(k, body, GPU_SERIAL, indent, out);
    k->inside = NULL;
}

/* Four iterations of the lane, as many as there are. */
static void four_print(struct gpu_kernel *k, const struct gpu_lanes *lanes, int indent,
                       struct text *out) {
    int in = 4 * indent;
    text_print(out,
               "%*sORRERY_UNROLL\n%*sfor (int orrery_j = 0; orrery_j < 4; ++orrery_j)\n"
               "%*sif (orrery_j < orrery_m) {\n",
               in, "", in, "", in + 4, "");
    k->wide = true;
    body_print(k, lanes, indent + 2, out);
    k->wide = false;
    text_print(out, "%*s}\n", in + 4, "");
}

static bool keeps(const struct gpu_kernel *k, const struct gpu_lanes *lanes) {
    for (int i = 0; i < lanes->nwide; ++i)
        if (gpu_row_of(k, lanes, lanes->wide[i].pointer) >= 0)
            return true;
    return false;
}

static void plain_print(struct gpu_kernel *k, const struct gpu_lanes *lanes, int indent,
                        struct text *out) {
    if (keeps(k, lanes)) {
        text_print(out, "%*sif (orrery_most) {\n", 4 * indent, "");
        k->keeping = true;
        gpu_wide_open(k, lanes, 4 * indent + 4, out);
        four_print(k, lanes, indent + 2, out);
        gpu_wide_close(k, lanes, 4 * indent + 8, out);
        k->keeping = false;
        text_print(out, "%*s}\n%*s}\n%*s} else\n", 4 * indent + 8, "", 4 * indent + 4, "",
                   4 * indent, "");
    }
    if (lanes->nwide) {
        text_print(out, "%*sif (orrery_n >= ORRERY_WIDE) {\n", 4 * indent, "");
        gpu_wide_open(k, lanes, 4 * indent + 4, out);
        four_print(k, lanes, indent + 2, out);
        gpu_wide_close(k, lanes, 4 * indent + 8, out);
        text_print(out, "%*s}\n%*s} else\n", 4 * indent + 4, "", 4 * indent, "");
    }
    text_print(out,
               "%*sfor (long orrery_k = orrery_lane; orrery_k < orrery_n; orrery_k += "
               "ORRERY_LANES) {\n",
               4 * indent, "");
    body_print(k, lanes, indent + 1, out);
    text_print(out, "%*s}\n", 4 * indent, "");
}

/* Sums that rounding makes different by tree: verify holds them against the sums in order. */
static bool is_held(const struct gpu_sum *sum) {
    return sum->var->type->kind == TYPE_FLOAT && (sum->op == OP_ADD || sum->op == OP_SUB);
}

/* Terms of 32 iterations at once: into the lanes' parts,
 * and one after the other into the variable. */
static void fold_print(struct gpu_kernel *k, const struct gpu_lanes *lanes, int indent,
                       struct text *out) {
    int in = 4 * indent;
    for (int s = 0; s < lanes->nsums; ++s) {
        const struct gpu_sum *sum = &lanes->sums[s];
        text_print(out,
                   "%*sif (orrery_in_order) {\n"
                   "%*sORRERY_IN_ORDER(%s %s=, %s, orrery_term_%d, orrery_has_%d)\n%*s}\n",
                   in, "", in + 4, "", gpu_name(k, sum->var), op_text(sum->op), term_suffix(sum), s,
                   s, in, "");
        text_print(out, "%*sif (orrery_has_%d)\n%*sorrery_sum_%d %s= (%s)orrery_term_%d;\n", in, "",
                   s, in + 4, "", s, op_text(part_op(sum->op)), gpu_suffix_type(part_suffix(sum)),
                   s);
        if (is_held(sum))
            text_print(out,
                       "%*sif (orrery_in_order)\n%*sorrery_sizes_%d += ORRERY_SIZE(orrery_term_%d);"
                       "\n",
                       in, "", in + 4, "", s, s);
    }
}

/* The variable gets what the tree makes of the parts, or had its terms already. */
static void total_print(struct gpu_kernel *k, const struct gpu_lanes *lanes, int s, int in,
                        struct text *out) {
    const struct gpu_sum *sum = &lanes->sums[s];
    const char *name = gpu_name(k, sum->var);
    const char *total =
        arena_printf(k->arena, "orrery_lanes_%s_%s(orrery_sum_%d)",
                     reduction_operator(reduction_spelled(sum->op))->lanes, part_suffix(sum), s);
    text_print(out, "%*sif (!orrery_in_order) {\n%*s%s %s= %s;\n%*s}", in, "", in + 4, "", name,
               op_text(sum->op), total, in, "");
    if (!is_held(sum)) {
        text_print(out, "\n");
        return;
    }
    const char *type = gpu_suffix_type(part_suffix(sum));
    text_print(out,
               " else {\n%*sconst %s orrery_tree = orrery_before_%d %s %s;\n"
               "%*sORRERY_HOLD(orrery_job->sums, %s, orrery_before_%d, %s, orrery_tree, "
               "orrery_sizes_%d, orrery_n)\n%*s}\n",
               in + 4, "", type, s, op_text(sum->op), total, in + 4, "", part_suffix(sum), s, name,
               s, in, "");
}

/* What a lane has of a sum; and what verify wants to know. */
static void part_print(struct gpu_kernel *k, const struct gpu_lanes *lanes, int s, int in,
                       struct text *out) {
    const struct gpu_sum *sum = &lanes->sums[s];
    const char *type = gpu_suffix_type(part_suffix(sum));
    text_print(
        out, "%*s%s orrery_sum_%d = (%s)%s;\n", in, "", type, s, type,
        gpu_identity(k->arena, (enum reduction_op)reduction_spelled(sum->op), sum->var->type));
    if (is_held(sum))
        text_print(out,
                   "%*sconst %s orrery_before_%d = %s;\n%*sdouble orrery_sizes_%d = 0;\n"
                   "%*s(void)orrery_before_%d;\n%*s(void)orrery_sizes_%d;\n",
                   in, "", type, s, gpu_name(k, sum->var), in, "", s, in, "", s, in, "", s);
}

static void each_print(struct gpu_kernel *k, const struct gpu_lanes *lanes, int indent,
                       struct text *out) {
    int in = 4 * indent;
    text_print(out,
               "%*sfor (long orrery_c = 0; orrery_c < orrery_n; orrery_c += ORRERY_LANES) {\n"
               "%*sconst long orrery_k = orrery_c + orrery_lane;\n",
               in, "", in + 4, "");
    for (int s = 0; s < lanes->nsums; ++s)
        text_print(out, "%*s%s orrery_term_%d = 0;\n%*sint orrery_has_%d = 0;\n", in + 4, "",
                   gpu_suffix_type(term_suffix(&lanes->sums[s])), s, in + 4, "", s);
    text_print(out, "%*sif (orrery_k < orrery_n) {\n", in + 4, "");
    body_print(k, lanes, indent + 2, out);
    text_print(out, "%*s}\n", in + 4, "");
    fold_print(k, lanes, indent + 1, out);
    text_print(out, "%*s}\n", in, "");
}

/* Four terms of the lane, behind each other in the lane's part; in order they go lane by lane, and
 * no row is in registers. */
static void fold_four_print(struct gpu_kernel *k, const struct gpu_lanes *lanes, int in,
                            struct text *out) {
    for (int s = 0; s < lanes->nsums; ++s) {
        const struct gpu_sum *sum = &lanes->sums[s];
        if (!k->keeping)
            text_print(out,
                       "%*sif (orrery_in_order) {\n"
                       "%*sORRERY_IN_ORDER_4(%s %s=, %s, orrery_term_%d, orrery_m)\n%*s}\n",
                       in, "", in + 4, "", gpu_name(k, sum->var), op_text(sum->op),
                       term_suffix(sum), s, in, "");
        text_print(out,
                   "%*sORRERY_UNROLL\n%*sfor (int orrery_j = 0; orrery_j < 4; ++orrery_j)\n"
                   "%*sif (orrery_j < orrery_m) {\n"
                   "%*sorrery_sum_%d %s= (%s)orrery_term_%d[orrery_j];\n",
                   in, "", in, "", in + 4, "", in + 8, "", s, op_text(part_op(sum->op)),
                   gpu_suffix_type(part_suffix(sum)), s);
        if (is_held(sum) && !k->keeping)
            text_print(out,
                       "%*sif (orrery_in_order)\n"
                       "%*sorrery_sizes_%d += ORRERY_SIZE(orrery_term_%d[orrery_j]);\n",
                       in + 8, "", in + 12, "", s, s);
        text_print(out, "%*s}\n", in + 4, "");
    }
}

static void fours_print(struct gpu_kernel *k, const struct gpu_lanes *lanes, int indent,
                        struct text *out) {
    int in = 4 * indent;
    gpu_wide_open(k, lanes, in, out);
    for (int s = 0; s < lanes->nsums; ++s)
        text_print(out, "%*s%s orrery_term_%d[4] = {0};\n", in + 4, "",
                   gpu_suffix_type(term_suffix(&lanes->sums[s])), s);
    four_print(k, lanes, indent + 1, out);
    gpu_wide_close(k, lanes, in + 4, out);
    fold_four_print(k, lanes, in + 4, out);
    if (k->keeping)
        text_print(out, "%*s}\n", in + 4, "");
    text_print(out, "%*s}\n", in, "");
}

static void sums_print(struct gpu_kernel *k, const struct gpu_lanes *lanes, int indent,
                       struct text *out) {
    int in = 4 * indent;
    for (int s = 0; s < lanes->nsums; ++s)
        part_print(k, lanes, s, in, out);
    if (keeps(k, lanes)) {
        text_print(out, "%*sif (orrery_most) {\n", in, "");
        k->keeping = true;
        fours_print(k, lanes, indent + 1, out);
        k->keeping = false;
        text_print(out, "%*s} else\n", in, "");
    }
    if (lanes->nwide) {
        text_print(out, "%*sif (orrery_n >= ORRERY_WIDE) {\n", in, "");
        fours_print(k, lanes, indent + 1, out);
        text_print(out, "%*s} else {\n", in, "");
    }
    each_print(k, lanes, lanes->nwide ? indent + 1 : indent, out);
    if (lanes->nwide)
        text_print(out, "%*s}\n", in, "");
    for (int s = 0; s < lanes->nsums; ++s)
        total_print(k, lanes, s, in, out);
}

void gpu_lanes_print(struct gpu_kernel *k, const struct gpu_lanes *lanes, int indent,
                     struct text *out) {
    const struct loop *loop = lanes->loop;
    gpu_keep_declare(k, lanes, 4 * indent, out);
    text_print(out, "%*sorrery_meet();\n%*s{ // across the lanes\n", 4 * indent, "", 4 * indent,
               "");
    count_print(k, lanes, indent + 1, out);
    if (lanes->nsums)
        sums_print(k, lanes, indent + 1, out);
    else
        plain_print(k, lanes, indent + 1, out);
    if (!loop->declares_variable)
        variable_print(k, loop, "orrery_n", false, indent + 1, out);
    text_print(out, "%*s}\n%*sorrery_meet();\n", 4 * indent, "", 4 * indent, "");
}
