/*
 * The head of a body: its first statements, where they only read what no iteration of the loop
 * writes, and leave nothing but numbers and pointers to the rest. Each lane runs the head of an
 * iteration of its own, 32 at once; then the warp goes through the 32 and runs the rest of each, in
 * the order of the iterations. Each iteration runs its head once, and that sees what it would have
 * seen, so no bit changes.
 */
#include "scheduler/gpu/gpu.h"

/* ---- which statements ------------------------------------------------------------------------ */

/* `from`, `end`: statements of the body's list. `loops`: there is one in them. */
struct head {
    struct gpu_kernel *k;
    const struct stmt *body;
    int end;
    bool fits, loops;
};

/* Anywhere in the statements. */
static bool declared_in(const struct stmt *body, int from, int end, const struct variable *var) {
    bool found = false;
    for (int i = from; i < end && !found; ++i)
        found = stmt_declares(body->body[i], var);
    return found;
}

/* No iteration of the loop writes the object, as far as is known. */
static bool is_only_read(struct gpu_kernel *k, const struct object *object) {
    const struct loop_facts *facts = k->job->facts;
    for (int i = 0; i < facts->naccesses; ++i)
        if (facts->accesses[i].write && !gpu_are_apart(k, object, facts->accesses[i].object))
            return false;
    return true;
}

/* The head's own, which no other iteration sees. */
static bool is_own(const struct head *head, const struct access *access) {
    const struct object *object = access->object;
    bool plain = object->kind == OBJECT_SCALAR || object->kind == OBJECT_ARRAY;
    return plain && object->var && declared_in(head->body, 0, head->end, object->var);
}

static int accesses_fit(struct head *head, const struct expr *expr) {
    const struct loop_facts *facts = head->k->job->facts;
    int seen = 0;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        if (!gpu_makes(expr, access))
            continue;
        ++seen;
        if (!is_own(head, access))
            head->fits &= !access->write && is_only_read(head->k, access->object);
    }
    return seen;
}

/* Its own variables, those that all iterations have alike, and the loop's. */
static bool variable_fits(const struct head *head, const struct variable *var) {
    const struct outline *job = head->k->job;
    const struct env_field *field = emit_field_of(job, var);
    bool local = var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM;
    if (var == job->loop->variable || declared_in(head->body, 0, head->end, var))
        return true;
    if (emit_is_private(job, var) || emit_reduction_of(job, var))
        return false;
    return !local || (field && (field->role == FIELD_VALUE || field->role == FIELD_POINTER));
}

/* Of elements of the head's own arrays there are no accesses. */
static const struct variable *base_of(const struct expr *expr) {
    while (expr->kind == EXPR_SUBSCRIPT || expr->kind == EXPR_MEMBER)
        expr = expr->args[0];
    return expr->kind == EXPR_VAR ? expr->var : NULL;
}

static bool is_inside_own(const struct head *head, const struct expr *expr) {
    const struct variable *base = base_of(expr);
    return base && base->type->kind != TYPE_POINTER && declared_in(head->body, 0, head->end, base);
}

static void see_expr(void *data, struct expr *expr, struct expr *parent) {
    struct head *head = data;
    bool change = expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT;
    bool anything = expr->kind == EXPR_UNKNOWN || (expr->kind == EXPR_CALL && !expr->function);
    if (gpu_slot_of(head->k->job, expr))
        return;
    bool unseen =
        accesses_fit(head, expr) == 0 && gpu_is_load(expr, parent) && !is_inside_own(head, expr);
    head->fits &= !anything && !unseen && !(change && gpu_is_store(head->k, expr)) &&
                  !(change && !base_of(expr->args[0]));
    if (change && base_of(expr->args[0]))
        head->fits &= declared_in(head->body, 0, head->end, base_of(expr->args[0]));
    if (expr->kind == EXPR_CALL)
        head->fits &= !gpu_writes(head->k, expr);
    if (expr->kind == EXPR_VAR)
        head->fits &= variable_fits(head, expr->var);
}

/* Nothing leaves the iteration, and a loop assigned to the lanes stays with the rest. */
static bool jumps_fit(struct head *head, const struct stmt *stmt, bool inside) {
    if (!stmt)
        return true;
    switch (stmt->kind) {
    case STMT_EMPTY:
    case STMT_EXPR:
    case STMT_DECL:
        return true;
    case STMT_BREAK:
    case STMT_CONTINUE:
        return inside;
    case STMT_BLOCK:
        for (int i = 0; i < stmt->nbody; ++i)
            if (!jumps_fit(head, stmt->body[i], inside))
                return false;
        return true;
    case STMT_IF:
        return jumps_fit(head, stmt->then, inside) && jumps_fit(head, stmt->other, inside);
    case STMT_FOR:
        head->loops = true;
        return !gpu_lanes_of(head->k, stmt->loop) && jumps_fit(head, stmt->loop->body, true);
    case STMT_WHILE:
    case STMT_DO:
        head->loops = true;
        return jumps_fit(head, stmt->then, true);
    default:
        return false;
    }
}

/* ---- what the rest needs --------------------------------------------------------------------- */

static bool rest_uses(const struct head *head, const struct variable *var) {
    bool used = false;
    for (int i = head->end; i < head->body->nbody && !used; ++i)
        used = stmt_names(head->body->body[i], var);
    return used;
}

/* The variables that go over; false: one cannot. */
static bool carried_find(struct head *head) {
    struct gpu_kernel *k = head->k;
    k->ncarried = 0;
    for (int i = 0; i < head->end; ++i) {
        const struct stmt *stmt = head->body->body[i];
        for (int v = 0; stmt->kind == STMT_DECL && v < stmt->nvars; ++v) {
            const struct variable *var = stmt->vars[v];
            if (!rest_uses(head, var))
                continue;
            if (var->address_taken || var->storage != STORAGE_LOCAL ||
                (var->type->kind != TYPE_POINTER && !gpu_suffix(var->type)))
                return false;
            ARENA_PUSH(k->arena, k->carried, k->ncarried, var);
        }
    }
    return true;
}

static bool is_head(struct head *head) {
    head->fits = true;
    head->loops = false;
    for (int i = 0; i < head->end && head->fits; ++i) {
        const struct stmt *stmt = head->body->body[i];
        head->fits = jumps_fit(head, stmt, false);
        if (head->fits)
            emit_walk_stmt(head->body->body[i], see_expr, head);
    }
    return head->fits && head->loops && carried_find(head);
}

void gpu_head_find(struct gpu_kernel *k) {
    const struct stmt *body = k->job->loop->body;
    struct head head = {.k = k, .body = body};
    if (body->kind != STMT_BLOCK || k->nreused || k->ahead)
        return;
    for (head.end = body->nbody - 1; head.end > 0; --head.end)
        if (is_head(&head)) {
            k->nhead = head.end;
            return;
        }
    k->ncarried = 0;
}

/* ---- text ------------------------------------------------------------------------------------ */

static const char *carry_suffix(const struct variable *var) {
    return var->type->kind == TYPE_POINTER ? "u64" : gpu_suffix(var->type);
}

static const char *statements(struct gpu_printer *p, int from, int end, enum gpu_form form,
                              int indent) {
    struct text text;
    text_start(&text, p->arena);
    for (int i = from; i < end; ++i)
        gpu_stmt_print(p, p->job->loop->body->body[i], form, indent, &text);
    return text.bytes ? text.bytes : "";
}

const char *gpu_head_text(struct gpu_printer *p) {
    return statements(p, 0, p->kernel->nhead, GPU_SERIAL, 4);
}

const char *gpu_rest_text(struct gpu_printer *p) {
    const struct stmt *body = p->job->loop->body;
    return statements(p, p->kernel->nhead, body->nbody, p->kernel->form, 3);
}

void gpu_heads_print(struct gpu_printer *p, const char *head, const char *index, struct text *out) {
    const struct gpu_kernel *k = p->kernel;
    text_print(out, "    for (long orrery_c = orrery_first; orrery_c < orrery_end; orrery_c += "
                    "ORRERY_LANES) {\n");
    for (int i = 0; i < k->ncarried; ++i)
        text_print(out, "        %s orrery_carried_%d = 0; // %s\n",
                   gpu_suffix_type(carry_suffix(k->carried[i])), i, k->carried[i]->name);
    text_print(out,
               "        { // an iteration per lane\n"
               "            const long orrery_i = orrery_c + orrery_lane;\n"
               "            if (orrery_i < orrery_end) {\n%s%s",
               index, head);
    for (int i = 0; i < k->ncarried; ++i)
        text_print(out, "                orrery_carried_%d = (%s)%s;\n", i,
                   gpu_suffix_type(carry_suffix(k->carried[i])), gpu_name(p->arena, k->carried[i]));
    text_print(out,
               "            }\n        }\n"
               "        const int orrery_many = orrery_end - orrery_c < ORRERY_LANES ? "
               "(int)(orrery_end - orrery_c) : ORRERY_LANES;\n"
               "        for (int orrery_l = 0; orrery_l < orrery_many; ++orrery_l) {\n"
               "            const long orrery_i = orrery_c + orrery_l;\n%s",
               index);
    for (int i = 0; i < k->ncarried; ++i) {
        const struct variable *var = k->carried[i];
        text_print(out, "            %s = (%s)orrery_from_lane_%s(orrery_carried_%d, orrery_l);\n",
                   gpu_declare_plain(p, var->type, gpu_name(p->arena, var)),
                   gpu_declare_plain(p, var->type, ""), carry_suffix(var), i);
    }
}
