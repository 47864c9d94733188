/* Levels and served arrays: the function that lists what an iteration touches, before it runs. */
#include "scheduler/emit/print.h"

#include <string.h>

static void print_if(const char *guard, int indent, struct text *out) {
    if (guard)
        text_print(out, "%*sif (%s)\n", indent, "", guard);
}

static void print_nest(const struct outline *job, const struct emit_touch *touch,
                       emit_list_element *element, int depth, int indent, struct text *out);

static void print_loop(const struct outline *job, const struct emit_touch *touch,
                       emit_list_element *element, int depth, int indent, struct text *out) {
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
               "%*s{ long orrery_v%d = %s, orrery_w%d = %s;\n"
               "%*sfor (; orrery_v%d %s orrery_w%d; orrery_v%d += %ldL) {\n",
               indent, "", depth, emit_affine_text(job, &loop->lower), depth,
               emit_affine_text(job, &loop->upper), indent, "", depth,
               loop->step > 0 ? "<=" : ">=", depth, depth, loop->step);
    if (loop->by_number)
        text_print(out, "%*sconst long %s = orrery_v%d;\n", indent + 4, "",
                   emit_loop_text(job, loop->symbol), depth);
    else
        text_print(out, "%*s%s = (%s)orrery_v%d;\n", indent + 4, "",
                   emit_declare_plain(job, var->type, emit_listed_name(job, var)),
                   emit_type_plain(job, var->type), depth);
    print_nest(job, touch, element, depth + 1, indent + 4, out);
    text_print(out, "%*s} }\n", indent, "");
}

static void print_nest(const struct outline *job, const struct emit_touch *touch,
                       emit_list_element *element, int depth, int indent, struct text *out) {
    if (depth < touch->nloops) {
        print_loop(job, touch, element, depth, indent, out);
        return;
    }
    const struct affine *value = &touch->access->subs[touch->sub].value;
    emit_affine_reads(job, value, indent, out);
    print_if(emit_affine_guard(job, value), indent, out);
    element(job, touch, indent, out);
}

static void print_touched(const struct outline *job, const struct emit_touch *touch, int indent,
                          struct text *out) {
    text_print(out, "%*sorrery_touched(orrery_t, %d, %s, %d);\n", indent, "", touch->object,
               emit_affine_text(job, &touch->access->subs[touch->sub].value), touch->access->write);
}

void emit_list_print(const struct outline *job, const struct emit_touch *touch,
                     emit_list_element *element, struct text *out) {
    struct outline named = *job;
    const struct touches reads = touches_of_when(job, touch);
    named.listed = touch;
    text_print(out, "    {\n");
    emit_reads_print(&named, &reads, 8, out);
    print_if(touch->when ? emit_expr(&named, touch->when) : NULL, 8, out);
    text_print(out, "        {\n");
    print_nest(&named, touch, element, 0, 12, out);
    text_print(out, "        }\n");
    text_print(out, "    }\n");
}

static void print_names(const struct outline *job, struct text *out) {
    text_print(out, "static const char *const orrery_touched_%d[] = {", job->number);
    for (int t = 0; t < job->plan->ntouches; ++t)
        text_print(out, "\"%s\", ", text_escape(job->arena, job->plan->touches[t].object->name));
    text_print(out, "0};\n\n");
}

/* The bytes of a row behind a table; 0: what its allocation has. */
static const char *row_bytes(const struct outline *job, const struct object *object) {
    const struct object_dim *inner = object->ndims > 1 ? &object->dims[1] : NULL;
    return inner && inner->extent_text && inner->stride_text
               ? arena_printf(job->arena, "(long)(%s) * (long)(%s)",
                              emit_localize(job, inner->extent_text),
                              emit_localize(job, inner->stride_text))
               : "0";
}

/* A unit of an object is the bytes from one value of its first subscript to the next, or a row
 * behind a table; by another subscript it is not in one piece. */
static void print_unit(const struct outline *job, int t, struct text *out) {
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

static void print_units(const struct outline *job, struct text *out) {
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

/* The object that a key's rows are of, which has copies of some; -1: none. */
static int hot_object(const struct outline *job, const struct record_slot *slot) {
    for (int i = 0; i < job->ntouches && slot->load->key; ++i) {
        const struct emit_touch *touch = &job->touches[i];
        const struct affine *value = &touch->access->subs[touch->sub].value;
        if (value->nterms == 1 && value->terms[0].symbol == slot->load->key &&
            plan_is_hot(job->plan, touch->access->object))
            return touch->object;
    }
    return -1;
}

static void print_hot_fields(const struct outline *job, struct text *out) {
    for (int i = 0; i < job->nslots; ++i) {
        const struct record_slot *slot = &job->slots[i];
        int object = hot_object(job, slot);
        if (object >= 0)
            text_print(
                out,
                "    {%d, (unsigned)__builtin_offsetof(struct orrery_record_%d, %s), "
                "sizeof(%s), (int)(sizeof(((struct orrery_record_%d *)0)->%s) / sizeof(%s)), "
                "%d},\n",
                object, job->number, slot->name, slot->type_text, job->number, slot->name,
                slot->type_text, slot->load->type->is_signed);
    }
}

static void print_hot(const struct outline *job, struct text *out) {
    if (!emit_has_hot(job))
        return;
    text_print(out, "static const int orrery_hot_%d[] = {", job->number);
    for (int t = 0; t < job->plan->ntouches; ++t) {
        const struct object *object = job->plan->touches[t].object;
        text_print(out, "%s%ld", t ? ", " : "",
                   plan_is_hot(job->plan, object) ? object->element->size : 0L);
    }
    text_print(out, "};\n\nstatic const struct orrery_hot_field orrery_hot_fields_%d[] = {\n",
               job->number);
    print_hot_fields(job, out);
    text_print(out, "};\n\n");
}

void emit_hot_table_print(const struct outline *job, struct text *out) {
    if (emit_has_hot(job))
        text_print(out,
                   "    .hot = orrery_hot_%d,\n    .hot_fields = orrery_hot_fields_%d,\n"
                   "    .nhot_fields = (int)(sizeof orrery_hot_fields_%d / sizeof "
                   "*orrery_hot_fields_%d),\n",
                   job->number, job->number, job->number, job->number);
}

void emit_lists_print(const struct outline *job, struct text *out) {
    struct text lists;
    bool serves = plan_serves(job->plan) && !job->standalone;
    if (!plan_is_listed(job->plan) && !serves)
        return;
    text_start(&lists, job->arena);
    for (int i = 0; i < job->ntouches; ++i)
        emit_list_print(job, &job->touches[i], print_touched, &lists);
    if (!job->standalone)
        print_names(job, out);
    text_print(out,
               "static void orrery_touches_%d(const void *orrery_e, long orrery_i,\n"
               "                             struct orrery_touches *orrery_t,\n"
               "                             struct orrery_span *orrery_s) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n",
               job->number, job->number);
    const char *body = arena_printf(
        job->arena, "%s%s",
        emit_variables_text(job, "orrery_env->orrery_lower", "orrery_i", "    "), lists.bytes);
    emit_locals_print(job, body, false, out);
    text_print(out, "%s}\n\n", body);
    if (!job->standalone) {
        print_units(job, out);
        print_hot(job, out);
    }
}
