/*
 * Dealt loops whose elements stand side by side: a lane takes four iterations at a time, and their
 * elements by loads and stores of 16 bytes, where the row begins at such a place. Who takes which
 * iteration depends on how many there are, and on nothing else: so do the bits.
 */
#include "scheduler/gpu/gpu.h"

enum { MOST = 6 };

/* `fits`: nothing in the body speaks against it so far. */
struct search {
    struct gpu_kernel *k;
    const struct loop *loop;
    struct gpu_lanes *lanes;
    bool fits;
};

static const struct expr *plain(const struct expr *expr) {
    while (expr->kind == EXPR_CAST && expr->type && expr->type->kind == TYPE_INT)
        expr = expr->args[0];
    return expr;
}

/* `w[k]`: a pointer's element that the loop's variable counts. */
static bool is_element(const struct loop *loop, const struct expr *expr) {
    const struct expr *index = expr->kind == EXPR_SUBSCRIPT ? plain(expr->args[1]) : NULL;
    const struct expr *base = expr->kind == EXPR_SUBSCRIPT ? expr->args[0] : NULL;
    return index && index->kind == EXPR_VAR && index->var == loop->variable &&
           base->kind == EXPR_VAR && base->var->type->kind == TYPE_POINTER;
}

static bool is_number(const struct type *type) {
    return type && gpu_suffix(type) && (type->size == 4 || type->size == 8);
}

static const struct object *object_of(const struct gpu_kernel *k, const struct expr *expr) {
    const struct loop_facts *facts = k->job->facts;
    for (int i = 0; i < facts->naccesses; ++i)
        if (facts->accesses[i].expr == expr)
            return facts->accesses[i].object;
    return NULL;
}

/* What is collected elsewhere than it is read has no one place. */
static bool is_buffered(const struct gpu_kernel *k, const struct object *object) {
    for (int j = 0; j < k->job->nreductions; ++j)
        if (k->job->reductions[j].buffered &&
            k->job->facts->reductions[k->job->reductions[j].facts_index].object == object)
            return true;
    return false;
}

static bool is_known(const struct gpu_kernel *k, const struct object *object) {
    return object && object->kind != OBJECT_UNKNOWN && object->kind != OBJECT_HIDDEN &&
           !is_buffered(k, object);
}

static void note_element(struct search *search, const struct expr *expr,
                         const struct expr *parent) {
    struct gpu_lanes *lanes = search->lanes;
    const struct variable *pointer = expr->args[0]->var;
    const struct object *object = object_of(search->k, expr);
    bool change = parent && (parent->kind == EXPR_ASSIGN || parent->kind == EXPR_INCREMENT) &&
                  parent->args[0] == expr;
    int i = 0;
    while (i < lanes->nwide && lanes->wide[i].pointer != pointer)
        ++i;
    if (i == MOST || !is_number(expr->type) || !is_known(search->k, object)) {
        search->fits = false;
        return;
    }
    if (i == lanes->nwide) {
        struct gpu_wide wide = {pointer, expr->type, object, false};
        ARENA_PUSH(search->k->arena, lanes->wide, lanes->nwide, wide);
    }
    search->fits &= lanes->wide[i].object == object;
    lanes->wide[i].written |= change;
}

static bool is_other_memory(const struct expr *expr) {
    return expr->kind == EXPR_SUBSCRIPT || expr->kind == EXPR_DEREF || expr->kind == EXPR_MEMBER ||
           expr->kind == EXPR_ADDRESS || expr->kind == EXPR_INIT || expr->kind == EXPR_COMPOUND ||
           (expr->kind == EXPR_CALL && (!expr->function || expr->function->body));
}

/* What is not done in every iteration may touch an element that is not there. */
static bool is_choice(const struct expr *expr) {
    return expr->kind == EXPR_CONDITIONAL || expr->kind == EXPR_AND || expr->kind == EXPR_OR;
}

static void see_expr(void *data, struct expr *expr, struct expr *parent) {
    struct search *search = data;
    bool change = expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT;
    if (is_element(search->loop, expr))
        note_element(search, expr, parent);
    else if (is_other_memory(expr) || is_choice(expr))
        search->fits = false;
    if (change && expr->args[0]->kind == EXPR_VAR &&
        (expr->args[0]->var->type->kind == TYPE_POINTER ||
         expr->args[0]->var == search->loop->variable))
        search->fits = false;
}

/* Elements are loaded in front of the body: what leads to them is declared there, too. */
static bool is_unfit(const void *data, const struct stmt *stmt) {
    (void)data;
    for (int i = 0; stmt->kind == STMT_DECL && i < stmt->nvars; ++i)
        if (stmt->vars[i]->type->kind == TYPE_POINTER)
            return true;
    return stmt->kind != STMT_EXPR && stmt->kind != STMT_DECL && stmt->kind != STMT_BLOCK &&
           stmt->kind != STMT_EMPTY;
}

/* A number that two pointers lead to would be held twice. That different objects do not overlap is
 * known of a loop that is assigned (lanes.c). */
static bool are_apart(const struct search *search) {
    const struct gpu_lanes *lanes = search->lanes;
    for (int i = 0; i < lanes->nwide; ++i)
        for (int j = 0; j < i; ++j)
            if (lanes->wide[i].object == lanes->wide[j].object &&
                (lanes->wide[i].written || lanes->wide[j].written))
                return false;
    return true;
}

void gpu_wide_find(struct gpu_kernel *k, struct gpu_lanes *lanes) {
    struct search search = {.k = k, .loop = lanes->loop, .lanes = lanes, .fits = true};
    emit_walk_stmt(lanes->loop->body, see_expr, &search);
    if (!search.fits || stmt_any(lanes->loop->body, is_unfit, NULL) || lanes->loop->step != 1 ||
        !are_apart(&search))
        lanes->nwide = 0;
}

/* Where the loop has four elements of its pointer i: in a row, or for itself. */
static const char *held_text(struct gpu_printer *p, const struct gpu_lanes *lanes, int i) {
    int row = p->reusing ? gpu_row_of(p->kernel, lanes, lanes->wide[i].pointer) : -1;
    return row >= 0 ? arena_printf(p->arena, "orrery_row_%d + 4 * orrery_b", row)
                    : arena_printf(p->arena, "orrery_v%d", i);
}

const char *gpu_wide_text(struct gpu_printer *p, const struct expr *expr) {
    if (!p->inside || !p->wide || p->of || !is_element(p->inside->loop, expr))
        return NULL;
    for (int i = 0; i < p->inside->nwide; ++i) {
        const struct variable *pointer = p->inside->wide[i].pointer;
        int row = p->reusing ? gpu_row_of(p->kernel, p->inside, pointer) : -1;
        if (pointer == expr->args[0]->var)
            return row >= 0 ? arena_printf(p->arena, "orrery_row_%d[4 * orrery_b + orrery_j]", row)
                            : arena_printf(p->arena, "orrery_v%d[orrery_j]", i);
    }
    return NULL;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void move_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int i,
                       const char *verb, int in, struct text *out) {
    const struct gpu_wide *wide = &lanes->wide[i];
    const char *suffix = gpu_suffix(wide->type), *name = gpu_name(p->arena, wide->pointer);
    const char *held = held_text(p, lanes, i), *order = p->reusing ? ", orrery_most" : "";
    const char *kind = p->reusing ? "_kept" : "";
    if (*verb == 'l')
        text_print(out, "%*sorrery_load%s_%s(%s, %s + orrery_from + orrery_k, orrery_m%s);\n", in,
                   "", kind, suffix, held, name, order);
    else
        text_print(out, "%*sorrery_store%s_%s(%s + orrery_from + orrery_k, %s, orrery_m%s);\n", in,
                   "", kind, suffix, name, held, order);
}

static void chunks_print(const struct gpu_printer *p, int in, struct text *out) {
    if (p->reusing)
        text_print(out,
                   "%*sORRERY_UNROLL\n"
                   "%*sfor (int orrery_b = 0; orrery_b < orrery_chunks(orrery_most); ++orrery_b) "
                   "{\n"
                   "%*sconst long orrery_k = orrery_kept_at(orrery_most, orrery_b);\n"
                   "%*sconst int orrery_m = %s;\n"
                   "%*sif (%sorrery_b * ORRERY_WIDE < orrery_n) {\n",
                   in, "", in, "", in + 4, "", in + 4, "",
                   p->ahead ? "orrery_lane_has(orrery_most, orrery_n, orrery_k, orrery_full)"
                            : "orrery_kept_many(orrery_most, orrery_n, orrery_k)",
                   in + 4, "", p->ahead ? "orrery_full || " : "");
    else
        text_print(
            out,
            "%*sfor (long orrery_c = 0; orrery_c < orrery_n; orrery_c += 4 * ORRERY_LANES) {\n"
            "%*sconst long orrery_k = orrery_c + 4 * orrery_lane;\n"
            "%*sconst int orrery_m = orrery_up_to_4(orrery_n - orrery_k);\n",
            in, "", in + 4, "", in + 4, "");
}

void gpu_wide_open(struct gpu_printer *p, const struct gpu_lanes *lanes, int in, struct text *out) {
    chunks_print(p, in, out);
    for (int i = 0; i < lanes->nwide; ++i) {
        const struct gpu_wide *wide = &lanes->wide[i];
        int row = p->reusing ? gpu_row_of(p->kernel, lanes, wide->pointer) : -1;
        if (row >= 0 && (p->ahead || p->kernel->reused[row].first != lanes))
            continue;
        if (row < 0)
            text_print(out, "%*s%s orrery_v%d[4] = {0};\n", in + 4, "",
                       gpu_declare_plain(p, wide->type, ""), i);
        move_print(p, lanes, i, "load", in + 4, out);
    }
}

void gpu_wide_close(struct gpu_printer *p, const struct gpu_lanes *lanes, int in,
                    struct text *out) {
    for (int i = 0; i < lanes->nwide; ++i) {
        int row = p->reusing ? gpu_row_of(p->kernel, lanes, lanes->wide[i].pointer) : -1;
        bool stores = row >= 0 ? !p->ahead && gpu_row_stores(&p->kernel->reused[row], lanes)
                               : lanes->wide[i].written;
        if (stores)
            move_print(p, lanes, i, "store", in, out);
    }
}
