/* Levels and served arrays: the function that lists what an iteration touches, before it runs. */
#include "scheduler/outline/outline.h"

#include <string.h>

/* ---- which accesses -------------------------------------------------------------------------- */

static bool same_affine(const struct affine *a, const struct affine *b) {
    bool same = a->constant == b->constant && a->nterms == b->nterms;
    for (int i = 0; same && i < a->nterms; ++i)
        same = a->terms[i].symbol == b->terms[i].symbol && a->terms[i].coeff == b->terms[i].coeff;
    return same;
}

/* An access that lists the same elements is there, for a write if this is one. */
static bool is_listed(const struct outline *job, const struct emit_touch *touch) {
    for (int i = 0; i < job->ntouches; ++i) {
        const struct emit_touch *old = &job->touches[i];
        if (old->object == touch->object && old->nloops == touch->nloops &&
            memcmp(old->loops, touch->loops, (size_t)touch->nloops * sizeof *touch->loops) == 0 &&
            (old->access->write || !touch->access->write) &&
            same_affine(&old->access->subs[old->sub].value, &touch->access->subs[touch->sub].value))
            return true;
    }
    return false;
}

struct name_check {
    struct outline *job;
    const struct emit_touch *touch;
    const struct variable *unknown;
};

static bool is_moving(const struct outline *job, const struct variable *var) {
    for (int i = 0; i < job->facts->ninductions; ++i)
        if (job->facts->inductions[i].var == var)
            return true;
    return false;
}

/*
 * A variable that the listing cannot name: one of a called function, of a loop inside of which only
 * the number of the round is known, or hidden by a loop's.
 */
static void visit_name(void *data, struct expr *expr, struct expr *parent) {
    struct name_check *check = data;
    const struct variable *var = expr->kind == EXPR_VAR ? expr->var : NULL;
    bool ours = var == check->job->loop->variable || (var && !var->function) ||
                (var && (emit_field_of(check->job, var) || is_moving(check->job, var)));
    (void)parent;
    for (int l = 0; var && l < check->touch->nloops; ++l) {
        const struct inner_loop *loop = &check->job->facts->inner[check->touch->loops[l]];
        const struct variable *inner = loop->loop->variable;
        bool hidden = (inner != var || loop->by_number) && strcmp(inner->name, var->name) == 0;
        ours = (ours || inner == var) && !hidden;
    }
    if (var && !ours)
        check->unknown = var;
}

static bool check_symbol(struct name_check *check, const struct symbol *symbol) {
    if (symbol->kind == SYMBOL_LOOP)
        return true;
    emit_walk_expr(symbol->expr, NULL, visit_name, check);
    for (int g = 0; g < symbol->nguards; ++g)
        emit_walk_expr(symbol->guards[g], NULL, visit_name, check);
    if (check->unknown)
        return emit_refuse(check->job, ORR2125, check->touch->access->range,
                           "the loop stays serial: the elements of %s that an iteration touches "
                           "cannot be listed, since `%s` has no name or another meaning there",
                           check->touch->access->object->name, check->unknown->name);
    return emit_check_calls(check->job, symbol->expr, symbol->nguards, symbol->guards);
}

static bool check_affine(struct name_check *check, const struct affine *affine) {
    for (int i = 0; i < affine->nterms; ++i)
        if (!check_symbol(check, affine->terms[i].symbol))
            return false;
    return true;
}

/* Loops whose variables have one name: the listing could not tell them apart. */
static bool check_loops(struct outline *job, const struct emit_touch *touch) {
    const char *outer[touch->nloops + 1];
    outer[0] = job->loop->variable->name;
    for (int l = 0; l < touch->nloops; ++l) {
        outer[l + 1] = job->facts->inner[touch->loops[l]].loop->variable->name;
        for (int k = 0; k <= l; ++k)
            if (strcmp(outer[k], outer[l + 1]) == 0)
                return emit_refuse(job, ORR2125, touch->access->range,
                                   "the loop stays serial: the elements of %s that an iteration "
                                   "touches cannot be listed, since two loops around them call "
                                   "their variable `%s`",
                                   touch->access->object->name, outer[k]);
    }
    return true;
}

static bool check_touch(struct outline *job, const struct emit_touch *touch) {
    struct name_check check = {job, touch, NULL};
    bool good =
        check_loops(job, touch) && check_affine(&check, &touch->access->subs[touch->sub].value);
    for (int l = 0; good && l < touch->nloops; ++l) {
        const struct inner_loop *loop = &job->facts->inner[touch->loops[l]];
        good = check_affine(&check, &loop->lower) && check_affine(&check, &loop->upper);
    }
    return good;
}

static bool add_touch(struct outline *job, const struct access *access, int object, int sub) {
    struct emit_touch touch = {.access = access, .object = object, .sub = sub};
    touch.loops = arena_alloc(job->arena, (size_t)(access->nloops + 1) * sizeof *touch.loops);
    touch.nloops = plan_touch_loops(job->facts, access, sub, touch.loops);
    if (is_listed(job, &touch))
        return true;
    ARENA_PUSH(job->arena, job->touches, job->ntouches, touch);
    return check_touch(job, &touch);
}

/* Writes first: they stand for reads of the same elements. */
static bool collect(struct outline *job) {
    for (int write = 1; write >= 0; --write)
        for (int t = 0; t < job->plan->ntouches; ++t)
            for (int i = 0; i < job->facts->naccesses; ++i) {
                const struct access *access = &job->facts->accesses[i];
                if (access->object == job->plan->touches[t].object && access->write == write &&
                    !add_touch(job, access, t, job->plan->touches[t].sub))
                    return false;
            }
    return true;
}

/* requires: emit_env_collect. By levels what cannot be listed is refused;
 * what might be served has copies then. */
bool emit_lists_collect(struct outline *job) {
    if (plan_is_listed(job->plan))
        return collect(job);
    job->quiet = true;
    unsigned long arrays;
    if (!plan_serves(job->plan) || job->kernel_name || emit_addresses(job) ||
        emit_compared(job, &arrays) || !collect(job) || !emit_serve_check(job)) {
        plan_unserve(job->plan);
        job->ntouches = 0;
    }
    job->quiet = false;
    return true;
}

/* ---- what the list reads --------------------------------------------------------------------- */

/* The pointer or array that a load goes through: r of r[n].value. */
static const struct expr *base_of(const struct expr *load) {
    while (load->nargs > 0 && (load->kind == EXPR_MEMBER || load->kind == EXPR_SUBSCRIPT ||
                               load->kind == EXPR_DEREF || load->kind == EXPR_CAST)) {
        bool through = load->kind == EXPR_DEREF || load->args[0]->type->kind == TYPE_POINTER;
        load = load->args[0];
        if (through)
            break;
    }
    return load;
}

static bool holds(const struct expr *expr, const struct expr *part) {
    bool found = expr_equal(expr, part);
    for (int i = 0; i < expr->nargs && !found; ++i)
        found = holds(expr->args[i], part);
    return found;
}

static bool calls(const struct expr *expr) {
    bool found = expr->kind == EXPR_CALL;
    for (int i = 0; i < expr->nargs && !found; ++i)
        found = expr->args[i] && calls(expr->args[i]);
    return found;
}

static bool affine_reads(const struct affine *affine, const struct expr *base) {
    for (int i = 0; i < affine->nterms; ++i) {
        const struct symbol *s = affine->terms[i].symbol;
        bool found = s->expr && holds(s->expr, base);
        for (int g = 0; g < s->nguards && !found; ++g)
            found = holds(s->guards[g], base);
        found = found || (s->row_guard && holds(s->row_guard, base));
        if (found)
            return true;
    }
    return false;
}

bool emit_lists_read(const struct outline *job, const struct expr *load) {
    const struct expr *base = base_of(load);
    for (int i = 0; i < job->ntouches; ++i) {
        const struct emit_touch *touch = &job->touches[i];
        if (affine_reads(&touch->access->subs[touch->sub].value, base))
            return true;
        for (int l = 0; l < touch->nloops; ++l) {
            const struct inner_loop *loop = &job->facts->inner[touch->loops[l]];
            if (affine_reads(&loop->lower, base) || affine_reads(&loop->upper, base))
                return true;
        }
    }
    return false;
}

/* ---- printing -------------------------------------------------------------------------------- */

/* What stands for a loop's symbol: its variable, or the number of its round. */
static const char *loop_text(struct outline *job, const struct symbol *symbol) {
    int at = 0;
    while (at + 1 < job->facts->ninner && job->facts->inner[at].symbol != symbol)
        ++at;
    if (symbol->loop == job->loop ? !job->facts->by_number : !job->facts->inner[at].by_number)
        return symbol->loop->variable->name;
    if (symbol->loop == job->loop)
        return job->loop->step > 0 ? "orrery_i" : "-orrery_i";
    return arena_printf(job->arena, "orrery_n%d", at);
}

const char *emit_affine_text(struct outline *job, const struct affine *affine) {
    const char *text = arena_printf(job->arena, "%ldL", affine->constant);
    for (int i = 0; i < affine->nterms; ++i) {
        const struct symbol *symbol = affine->terms[i].symbol;
        const char *value =
            symbol->kind == SYMBOL_LOOP ? loop_text(job, symbol) : emit_expr(job, symbol->expr);
        text =
            arena_printf(job->arena, "%s + %ldL * (long)(%s)", text, affine->terms[i].coeff, value);
    }
    return text;
}

/* When the values that the affine is made of may be evaluated; NULL: always. */
const char *emit_affine_guard(struct outline *job, const struct affine *affine) {
    const char *all = NULL;
    for (int i = 0; i < affine->nterms; ++i) {
        const struct symbol *s = affine->terms[i].symbol;
        const char *guard = emit_guard_text(job, s->nguards, s->guards, s->sense);
        if (guard && (!all || strcmp(all, guard) != 0))
            all = all ? arena_printf(job->arena, "%s && %s", all, guard) : guard;
    }
    return all;
}

void emit_affine_reads(struct outline *job, const struct affine *affine, int indent,
                       struct text *out) {
    struct text reads;
    text_start(&reads, job->arena);
    for (int i = 0; i < affine->nterms; ++i) {
        const struct symbol *s = affine->terms[i].symbol;
        if (s->kind != SYMBOL_LOOP)
            emit_touch_guarded(job, s->expr, s->nguards, s->guards, s->sense, indent + 4, &reads);
    }
    if (reads.length)
        text_print(out, "%*sif (orrery_s) {\n%s%*s}\n", indent, "", reads.bytes, indent, "");
}

static void print_if(const char *guard, int indent, struct text *out) {
    if (guard)
        text_print(out, "%*sif (%s)\n", indent, "", guard);
}

static void print_nest(struct outline *job, const struct emit_touch *touch, int depth, int indent,
                       struct text *out);

/* The bounds first, under names of ours: the loop's variable may hide what they are made of. */
static void print_loop(struct outline *job, const struct emit_touch *touch, int depth, int indent,
                       struct text *out) {
    const struct inner_loop *loop = &job->facts->inner[touch->loops[depth]];
    const struct variable *var = loop->loop->variable;
    const char *lower = emit_affine_guard(job, &loop->lower),
               *upper = emit_affine_guard(job, &loop->upper);
    emit_affine_reads(job, &loop->lower, indent, out);
    emit_affine_reads(job, &loop->upper, indent, out);
    if (lower && upper && strcmp(lower, upper) != 0)
        lower = arena_printf(job->arena, "%s && %s", lower, upper);
    print_if(lower ? lower : upper, indent, out);
    text_print(out,
               "%*sfor (long orrery_v%d = %s, orrery_w%d = %s; orrery_v%d %s orrery_w%d; "
               "orrery_v%d += %ldL) {\n",
               indent, "", depth, emit_affine_text(job, &loop->lower), depth,
               emit_affine_text(job, &loop->upper), depth, loop->step > 0 ? "<=" : ">=", depth,
               depth, loop->step);
    if (loop->by_number)
        text_print(out, "%*sconst long %s = orrery_v%d;\n", indent + 4, "",
                   loop_text(job, loop->symbol), depth);
    else
        text_print(out, "%*s%s = (%s)orrery_v%d;\n", indent + 4, "",
                   emit_declare_plain(job, var->type, var->name), emit_type_plain(job, var->type),
                   depth);
    print_nest(job, touch, depth + 1, indent + 4, out);
    text_print(out, "%*s}\n", indent, "");
}

/* The iterations that touch rows through a key, where the listing can tell them. NULL: all do. */
static const struct expr *rows_when(struct outline *job, const struct emit_touch *touch,
                                    const struct symbol *symbol) {
    struct name_check check = {job, touch, NULL};
    if (symbol->kind == SYMBOL_LOOP || !symbol->row_guard || calls(symbol->row_guard))
        return NULL;
    emit_walk_expr(symbol->row_guard, NULL, visit_name, &check);
    return check.unknown ? NULL : symbol->row_guard;
}

static void print_rows_when(struct outline *job, const struct emit_touch *touch, int indent,
                            struct text *out) {
    const struct affine *value = &touch->access->subs[touch->sub].value;
    const char *all = emit_affine_guard(job, value);
    struct text reads;
    text_start(&reads, job->arena);
    for (int i = 0; i < value->nterms; ++i) {
        const struct symbol *s = value->terms[i].symbol;
        const struct expr *when = rows_when(job, touch, s);
        if (!when)
            continue;
        emit_touch_guarded(job, when, s->nguards, s->guards, s->sense, indent + 4, &reads);
        all = all ? arena_printf(job->arena, "%s && (%s)", all, emit_expr(job, when))
                  : arena_printf(job->arena, "(%s)", emit_expr(job, when));
    }
    if (reads.length)
        text_print(out, "%*sif (orrery_s) {\n%s%*s}\n", indent, "", reads.bytes, indent, "");
    print_if(all, indent, out);
}

static void print_nest(struct outline *job, const struct emit_touch *touch, int depth, int indent,
                       struct text *out) {
    const struct affine *value = &touch->access->subs[touch->sub].value;
    if (depth < touch->nloops) {
        print_loop(job, touch, depth, indent, out);
        return;
    }
    emit_affine_reads(job, value, indent, out);
    print_rows_when(job, touch, indent, out);
    text_print(out, "%*sorrery_touched(orrery_t, %d, %s, %d);\n", indent, "", touch->object,
               emit_affine_text(job, value), touch->access->write);
}

static void print_names(struct outline *job, struct text *out) {
    text_print(out, "static const char *const orrery_touched_%d[] = {", job->number);
    for (int t = 0; t < job->plan->ntouches; ++t)
        text_print(out, "\"%s\", ", text_escape(job->arena, job->plan->touches[t].object->name));
    text_print(out, "0};\n\n");
}

/* The bytes of a row behind a table, NULL: not known. */
static const char *row_bytes(struct outline *job, const struct object *object) {
    const struct object_dim *inner = object->ndims > 1 ? &object->dims[1] : NULL;
    return inner && inner->extent_text && inner->stride_text
               ? arena_printf(job->arena, "(long)(%s) * (long)(%s)",
                              emit_localize(job, inner->extent_text),
                              emit_localize(job, inner->stride_text))
               : NULL;
}

/* A unit of an object is the bytes from one value of its first subscript to the next, or a row
 * behind a table; by another subscript it is not in one piece. */
static void print_unit(struct outline *job, int t, struct text *out) {
    const struct plan_touch *touch = &job->plan->touches[t];
    const struct object *object = touch->object;
    int array = emit_array_index(job, object);
    bool table = object->kind == OBJECT_ROWS;
    const char *stride = table               ? row_bytes(job, object)
                         : object->ndims > 0 ? object->dims[0].stride_text
                                             : NULL;
    if (plan_is_served(job->plan, object)) {
        text_print(out, "    orrery_u[%d] = (struct orrery_unit){0, -1, 0, %s, (long)(%s)};\n", t,
                   object->origin_text ? emit_localize(job, object->origin_text) : "0",
                   emit_localize(job, stride));
        return;
    }
    if (touch->sub != 0 || !stride || array < 0 || object->ntables > 1) {
        text_print(out, "    orrery_u[%d] = (struct orrery_unit){0, %d, 0, 0, 0};\n", t, array);
        return;
    }
    if (object->when)
        text_print(out,
                   "    orrery_u[%d] = (struct orrery_unit){0, %d, 0, 0, 0};\n    if (%s)\n    ", t,
                   array, emit_expr(job, object->when));
    text_print(out,
               "    orrery_u[%d] = (struct orrery_unit){(char *)(%s) + %ldL, %d, %ld, (long)(%s), "
               "(long)(%s)};\n",
               t, emit_base_text(job, object), object->table_at, array,
               !table               ? 0
               : object->table_step ? object->table_step
                                    : (long)sizeof(char *),
               object->origin_text ? emit_localize(job, object->origin_text) : "0",
               emit_localize(job, stride));
}

static void print_units(struct outline *job, struct text *out) {
    struct text units;
    text_start(&units, job->arena);
    for (int t = 0; t < job->plan->ntouches; ++t)
        print_unit(job, t, &units);
    text_print(out,
               "static void orrery_units_%d(const void *orrery_e, struct orrery_unit *orrery_u) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n"
               "    (void)orrery_env;\n    (void)orrery_u;\n",
               job->number, job->number);
    emit_locals_print(job, units.bytes, false, out);
    text_print(out, "%s}\n\n", units.bytes);
}

void emit_lists_print(struct outline *job, struct text *out) {
    struct text lists;
    if (!plan_is_listed(job->plan) && !plan_serves(job->plan))
        return;
    text_start(&lists, job->arena);
    for (int i = 0; i < job->ntouches; ++i) {
        text_print(&lists, "    {\n");
        print_nest(job, &job->touches[i], 0, 8, &lists);
        text_print(&lists, "    }\n");
    }
    print_names(job, out);
    text_print(out,
               "static void orrery_touches_%d(const void *orrery_e, long orrery_i,\n"
               "                             struct orrery_touches *orrery_t,\n"
               "                             struct orrery_span *orrery_s) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n",
               job->number, job->number);
    job->lists_text = arena_printf(
        job->arena, "%s%s",
        emit_variables_text(job, "orrery_env->orrery_lower", "orrery_i", "    "), lists.bytes);
    emit_locals_print(job, job->lists_text, false, out);
    text_print(out, "%s}\n\n", job->lists_text);
    print_units(job, out);
}
