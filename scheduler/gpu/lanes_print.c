/* The text of loops inside that are assigned to the lanes. */
#include "scheduler/gpu/gpu.h"

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
static void count_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int indent,
                        struct text *out) {
    const struct loop *loop = lanes->loop;
    bool included = loop->relation == OP_LE || loop->relation == OP_GE;
    text_print(out,
               "%*sconst long orrery_from = (long)(%s), orrery_n = orrery_trips(orrery_from, "
               "(long)(%s), %ld, %d); %s\n",
               4 * indent, "", gpu_expr(p, loop->lower), gpu_expr(p, loop->upper), loop->step,
               included, gpu_place(p, loop->stmt->range));
}

static void variable_print(struct gpu_printer *p, const struct loop *loop, const char *number,
                           bool declare, int indent, struct text *out) {
    const char *name = gpu_name(p->arena, loop->variable);
    const char *step = loop->step == 1 ? "" : arena_printf(p->arena, " * %ldL", loop->step);
    text_print(out, "%*s%s = (%s)(orrery_from + %s%s);\n", 4 * indent, "",
               declare ? gpu_declare_plain(p, loop->variable->type, name) : name,
               gpu_declare_plain(p, loop->variable->type, ""), number, step);
}

static void body_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int indent,
                       struct text *out) {
    const struct stmt *body = lanes->loop->body;
    p->inside = lanes;
    variable_print(p, lanes->loop,
                   p->reusing ? "(orrery_k + orrery_j * orrery_apart(orrery_most))"
                   : p->wide  ? "(orrery_k + orrery_j)"
                              : "orrery_k",
                   true, indent, out);
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody; ++i)
        gpu_stmt_print(p, body->body[i], GPU_SERIAL, indent, out);
    if (body->kind != STMT_BLOCK)
        gpu_stmt_print(p, body, GPU_SERIAL, indent, out);
    p->inside = NULL;
}

/* Four iterations of the lane, as many as there are. */
static void four_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int indent,
                       struct text *out) {
    int in = 4 * indent;
    text_print(out,
               "%*sORRERY_UNROLL\n%*sfor (int orrery_j = 0; orrery_j < 4; ++orrery_j)\n"
               "%*sif (orrery_j < orrery_m) {\n",
               in, "", in, "", in + 4, "");
    p->wide = true;
    body_print(p, lanes, indent + 2, out);
    p->wide = false;
    text_print(out, "%*s}\n", in + 4, "");
}

/* Does this text have the loop with its rows in registers? Where they are loaded ahead it has
 * nothing else, and the other text has none of it. */
static bool keeps(const struct gpu_printer *p, const struct gpu_lanes *lanes) {
    for (int i = 0; i < lanes->nwide; ++i)
        if (gpu_row_of(p->kernel, lanes, lanes->wide[i].pointer) >= 0)
            return p->ahead == p->kernel->ahead;
    return false;
}

/* Does the loop touch nothing but rows that have been loaded ahead? */
static bool is_quiet(const struct gpu_printer *p, const struct gpu_lanes *lanes) {
    for (int i = 0; i < lanes->nwide; ++i)
        if (gpu_row_of(p->kernel, lanes, lanes->wide[i].pointer) < 0)
            return false;
    return p->ahead && lanes->nwide;
}

static void plain_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int indent,
                        struct text *out) {
    if (keeps(p, lanes)) {
        text_print(out, "%*s%s{\n", 4 * indent, "", p->ahead ? "" : "if (orrery_most) ");
        p->reusing = true;
        gpu_wide_open(p, lanes, 4 * indent + 4, out);
        four_print(p, lanes, indent + 2, out);
        gpu_wide_close(p, lanes, 4 * indent + 8, out);
        p->reusing = false;
        text_print(out, "%*s}\n%*s}\n%*s}%s\n", 4 * indent + 8, "", 4 * indent + 4, "", 4 * indent,
                   "", p->ahead ? "" : " else");
        if (p->ahead)
            return;
    }
    if (lanes->nwide) {
        text_print(out, "%*sif (orrery_n >= ORRERY_WIDE) {\n", 4 * indent, "");
        gpu_wide_open(p, lanes, 4 * indent + 4, out);
        four_print(p, lanes, indent + 2, out);
        gpu_wide_close(p, lanes, 4 * indent + 8, out);
        text_print(out, "%*s}\n%*s} else\n", 4 * indent + 4, "", 4 * indent, "");
    }
    text_print(out,
               "%*sfor (long orrery_k = orrery_lane; orrery_k < orrery_n; orrery_k += "
               "ORRERY_LANES) {\n",
               4 * indent, "");
    body_print(p, lanes, indent + 1, out);
    text_print(out, "%*s}\n", 4 * indent, "");
}

/* Sums that rounding makes different by tree: verify holds them against the sums in order. */
static bool is_held(const struct gpu_sum *sum) {
    return sum->var->type->kind == TYPE_FLOAT && (sum->op == OP_ADD || sum->op == OP_SUB);
}

/* Terms of 32 iterations at once: into the lanes' parts,
 * and one after the other into the variable. */
static void fold_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int indent,
                       struct text *out) {
    int in = 4 * indent;
    for (int s = 0; s < lanes->nsums; ++s) {
        const struct gpu_sum *sum = &lanes->sums[s];
        text_print(out,
                   "%*sif (orrery_in_order) {\n"
                   "%*sORRERY_IN_ORDER(%s %s=, %s, orrery_term_%d, orrery_has_%d)\n%*s}\n",
                   in, "", in + 4, "", gpu_name(p->arena, sum->var), op_text(sum->op),
                   term_suffix(sum), s, s, in, "");
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
static void total_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int s, int in,
                        struct text *out) {
    const struct gpu_sum *sum = &lanes->sums[s];
    const char *name = gpu_name(p->arena, sum->var);
    const char *total = arena_printf(
        p->arena, "orrery_lanes_%s_%s(orrery_sum_%d)",
        part_op(sum->op) == OP_ADD ? "sum" : reduction_operator(reduction_spelled(sum->op))->lanes,
        part_suffix(sum), s);
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
static void part_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int s, int in,
                       struct text *out) {
    const struct gpu_sum *sum = &lanes->sums[s];
    const char *type = gpu_suffix_type(part_suffix(sum));
    text_print(
        out, "%*s%s orrery_sum_%d = (%s)%s;\n", in, "", type, s, type,
        gpu_identity(p->arena, (enum reduction_op)reduction_spelled(sum->op), sum->var->type));
    if (is_held(sum))
        text_print(out,
                   "%*sconst %s orrery_before_%d = %s;\n%*sdouble orrery_sizes_%d = 0;\n"
                   "%*s(void)orrery_before_%d;\n%*s(void)orrery_sizes_%d;\n",
                   in, "", type, s, gpu_name(p->arena, sum->var), in, "", s, in, "", s, in, "", s);
}

static void each_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int indent,
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
    body_print(p, lanes, indent + 2, out);
    text_print(out, "%*s}\n", in + 4, "");
    fold_print(p, lanes, indent + 1, out);
    text_print(out, "%*s}\n", in, "");
}

/* Four terms of the lane, behind each other in the lane's part; in order they go lane by lane, and
 * no row is in registers. */
static void fold_four_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int in,
                            struct text *out) {
    for (int s = 0; s < lanes->nsums; ++s) {
        const struct gpu_sum *sum = &lanes->sums[s];
        if (!p->reusing)
            text_print(out,
                       "%*sif (orrery_in_order) {\n"
                       "%*sORRERY_IN_ORDER_4(%s %s=, %s, orrery_term_%d, orrery_m)\n%*s}\n",
                       in, "", in + 4, "", gpu_name(p->arena, sum->var), op_text(sum->op),
                       term_suffix(sum), s, in, "");
        text_print(out,
                   "%*sORRERY_UNROLL\n%*sfor (int orrery_j = 0; orrery_j < 4; ++orrery_j)\n"
                   "%*sif (orrery_j < orrery_m) {\n"
                   "%*sorrery_sum_%d %s= (%s)orrery_term_%d[orrery_j];\n",
                   in, "", in, "", in + 4, "", in + 8, "", s, op_text(part_op(sum->op)),
                   gpu_suffix_type(part_suffix(sum)), s);
        if (is_held(sum) && !p->reusing)
            text_print(out,
                       "%*sif (orrery_in_order)\n"
                       "%*sorrery_sizes_%d += ORRERY_SIZE(orrery_term_%d[orrery_j]);\n",
                       in + 8, "", in + 12, "", s, s);
        text_print(out, "%*s}\n", in + 4, "");
    }
}

static void fours_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int indent,
                        struct text *out) {
    int in = 4 * indent;
    gpu_wide_open(p, lanes, in, out);
    for (int s = 0; s < lanes->nsums; ++s)
        text_print(out, "%*s%s orrery_term_%d[4] = {0};\n", in + 4, "",
                   gpu_suffix_type(term_suffix(&lanes->sums[s])), s);
    four_print(p, lanes, indent + 1, out);
    gpu_wide_close(p, lanes, in + 4, out);
    fold_four_print(p, lanes, in + 4, out);
    if (p->reusing)
        text_print(out, "%*s}\n", in + 4, "");
    text_print(out, "%*s}\n", in, "");
}

static void sums_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int indent,
                       struct text *out) {
    int in = 4 * indent;
    for (int s = 0; s < lanes->nsums; ++s)
        part_print(p, lanes, s, in, out);
    bool only = p->ahead && keeps(p, lanes);
    if (keeps(p, lanes)) {
        text_print(out, "%*s%s{\n", in, "", only ? "" : "if (orrery_most) ");
        p->reusing = true;
        fours_print(p, lanes, indent + 1, out);
        p->reusing = false;
        text_print(out, "%*s}%s\n", in, "", only ? "" : " else");
    }
    for (int s = 0; s < lanes->nsums && only; ++s)
        total_print(p, lanes, s, in, out);
    if (only)
        return;
    if (lanes->nwide) {
        text_print(out, "%*sif (orrery_n >= ORRERY_WIDE) {\n", in, "");
        fours_print(p, lanes, indent + 1, out);
        text_print(out, "%*s} else {\n", in, "");
    }
    each_print(p, lanes, lanes->nwide ? indent + 1 : indent, out);
    if (lanes->nwide)
        text_print(out, "%*s}\n", in, "");
    for (int s = 0; s < lanes->nsums; ++s)
        total_print(p, lanes, s, in, out);
}

/* Four elements per lane, whose loads are under way together; then every lane gets all of them. */
static void fill_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int indent,
                       struct text *out) {
    const struct type *type = lanes->filled->type->element;
    const char *suffix = gpu_suffix(type), *plain = gpu_declare_plain(p, type, "");
    int in = 4 * indent;
    text_print(out,
               "%*sfor (long orrery_c = 0; orrery_c < orrery_n; orrery_c += ORRERY_WIDE) {\n"
               "%*s%s orrery_set[4] = {0};\n"
               "%*sORRERY_UNROLL\n"
               "%*sfor (int orrery_j = 0; orrery_j < 4; ++orrery_j) {\n"
               "%*sconst long orrery_k = orrery_c + orrery_j * ORRERY_LANES + orrery_lane;\n"
               "%*sif (orrery_k < orrery_n) {\n",
               in, "", in + 4, "", plain, in + 4, "", in + 4, "", in + 8, "", in + 8, "");
    body_print(p, lanes, indent + 3, out);
    text_print(out,
               "%*s}\n%*s}\n%*sORRERY_GATHER_4(orrery_all, %s, orrery_set)\n"
               "%*sORRERY_UNROLL\n"
               "%*sfor (int orrery_j = 0; orrery_j < ORRERY_WIDE; ++orrery_j) {\n"
               "%*sconst %s orrery_got = (%s)ORRERY_GATHERED_4(orrery_all, %s, orrery_set, "
               "orrery_j / ORRERY_LANES, orrery_j %% ORRERY_LANES);\n"
               "%*sif (orrery_c + orrery_j < orrery_n)\n"
               "%*s%s[orrery_from + orrery_c + orrery_j] = orrery_got;\n%*s}\n%*s}\n",
               in + 8, "", in + 4, "", in + 4, "", suffix, in + 4, "", in + 4, "", in + 8, "",
               plain, plain, suffix, in + 8, "", in + 12, "", gpu_name(p->arena, lanes->filled),
               in + 4, "", in, "");
}

void gpu_lanes_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int indent,
                     struct text *out) {
    const struct loop *loop = lanes->loop;
    const char *meet =
        is_quiet(p, lanes) ? "" : arena_printf(p->arena, "%*sorrery_meet();\n", 4 * indent, "");
    gpu_reuse_declare(p, lanes, 4 * indent, out);
    text_print(out, "%s%*s{ // across the lanes\n", meet, 4 * indent, "");
    count_print(p, lanes, indent + 1, out);
    if (lanes->filled)
        fill_print(p, lanes, indent + 1, out);
    else if (lanes->nsums)
        sums_print(p, lanes, indent + 1, out);
    else
        plain_print(p, lanes, indent + 1, out);
    if (!loop->declares_variable)
        variable_print(p, loop, "orrery_n", false, indent + 1, out);
    text_print(out, "%*s}\n%s", 4 * indent, "", meet);
}
