/* Shapes of arrays, and the static table that the runtime executes. */
#include "scheduler/emit/print.h"
#include "scheduler/gpu/gpu.h"

#include <string.h>

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Bytes of a variable or of a scalar reduction's target; "0" for what the allocator knows. */
static const char *scalar_size(const struct outline *job, const struct object *object) {
    for (int i = 0; i < job->facts->nreductions; ++i) {
        const struct reduction *reduction = &job->facts->reductions[i];
        if (reduction->object == object && !reduction->is_array && object->ndims == 0)
            return arena_printf(job->arena, "%ld", reduction->type->size);
    }
    if (object->kind == OBJECT_SCALAR && object->element && object->element->size > 0)
        return arena_printf(job->arena, "%ld", object->element->size);
    return "0";
}

static void print_member(const struct outline *job, const char *member, const char *value,
                         struct text *out) {
    if (value && strcmp(value, "0") != 0)
        text_print(out, ",\n        .%s = (long)(%s)", member, emit_localize(job, value));
}

static void print_pointers(const struct object *object, const char *base, long offset,
                           struct text *out) {
    if (object->table_step)
        text_print(out, ",\n        .table = (char **)((char *)(%s) + %ldL), .table_step = %ldL",
                   base, object->table_at, object->table_step);
    else
        text_print(out, ",\n        .table = (char **)(%s)", base);
    if (offset != 0)
        text_print(out, ", .table_offset = %ldL", offset);
}

static void print_row(const struct outline *job, const struct object *object,
                      const struct row_shape *shape, const char *base, struct text *out) {
    bool contiguous = !shape->by_table && !shape->piece_bytes;
    print_member(job, "row_offset", shape->row_offset, out);
    print_member(job, "row_stride", shape->row_stride, out);
    print_member(job, "pieces", shape->pieces ? shape->pieces : "1", out);
    print_member(job, "piece_bytes", contiguous ? shape->row_stride : shape->piece_bytes, out);
    print_member(job, "piece_stride", shape->piece_stride, out);
    if (shape->by_table || shape->pieces_by_table)
        print_pointers(object, base, shape->table_offset, out);
}

/* The part of iteration i, which comes i steps behind the first. */
static void print_own(const struct outline *job, const struct row_shape *shape, struct text *out) {
    const char *stride = emit_localize(job, shape->row_stride);
    text_print(out,
               ",\n        .row_offset = (long)(%s) + orrery_env->orrery_lower * (long)(%s),\n"
               "        .row_stride = (long)(%s) * %ld",
               shape->row_offset ? emit_localize(job, shape->row_offset) : "0", stride, stride,
               job->loop->step);
    print_member(job, "pieces", "1", out);
    print_member(job, "piece_bytes", shape->piece_bytes, out);
    print_member(job, "piece_stride", shape->piece_bytes, out);
}

/* Rows that are not cut: all of them. */
static void print_table(const struct outline *job, const struct object *object, const char *base,
                        struct text *out) {
    print_pointers(object, base, 0, out);
    print_member(job, "pieces", emit_rows_count(job, object), out);
    if (object->ntables > 1) {
        print_member(job, "tables", arena_printf(job->arena, "%d", object->ntables), out);
        print_member(job, "inner", object->dims[1].extent_text, out);
        if (object->inner_step)
            text_print(out, ", .inner_at = %ldL, .inner_step = %ldL", object->inner_at,
                       object->inner_step);
    }
}

/* Bytes up to the greatest subscript, of an object that no access may leave out, or of the one
 * structure that some access surely reaches. */
static void print_reach(const struct outline *job, const struct object *object, struct text *out) {
    if (emit_has_reach(job, object))
        text_print(out, ",\n        .reach = (unsigned long)((%s) * (%s))",
                   emit_localize(job, object->dims[0].extent_text),
                   emit_localize(job, object->dims[0].stride_text));
}

/* `(*count)++` under a condition: that one, if it is there. */
static void print_single(const struct outline *job, const struct object *object, int reduction,
                         struct text *out) {
    const struct object_dim *outer = object->ndims > 0 ? &object->dims[0] : NULL;
    if (job->standalone || emit_has_reach(job, object) || object->kind != OBJECT_POINTER ||
        !outer || !outer->single || !outer->stride_text)
        return;
    const char *bytes = emit_localize(job, outer->stride_text);
    text_print(out,
               ",\n        .reach = orrery_readable(orrery_env->orrery_target_%d, "
               "(unsigned long)(%s)) ? (unsigned long)(%s) : 0",
               reduction, bytes, bytes);
}

static const char *front_text(const struct object *object) {
    return object->in_front ? ",\n        .in_front = 1" : "";
}

/* Members that are not named are 0, and all of them in a run that never touches the array. */
static void print_shape(const struct outline *job, int at, struct text *out) {
    const struct plan_array *array = job->arrays[at];
    const struct object *object = array->object;
    const char *base = emit_base_text(job, object);
    const char *extent =
        object->size_text ? emit_localize(job, object->size_text) : scalar_size(job, object);
    text_print(out, "orrery_out[%d] = (struct orrery_shape){.base = (char *)(%s)", at, base);
    if (array->placement == PLACE_ALIGNED && array->shape)
        print_own(job, array->shape, out);
    else if (array->shape)
        print_row(job, object, array->shape, base, out);
    else if (object->kind == OBJECT_ROWS)
        print_table(job, object, base, out);
    if (strcmp(extent, "0") != 0)
        text_print(out, ",\n        .extent = (unsigned long)(%s)%s", extent,
                   object->extent ? ", .said = 1" : "");
    else
        print_reach(job, object, out);
    text_print(out, "%s};\n", front_text(object));
}

/* Bytes of a reduction's array, "0" where the allocator knows them. */
static const char *sums_size(const struct outline *job, int j) {
    const struct emit_reduction *r = &job->reductions[j];
    if (r->measured)
        return arena_printf(job->arena, "orrery_env->orrery_bytes_%d", j);
    if (job->standalone && r->reference)
        return arena_printf(job->arena, "sizeof(%s)", r->type_text);
    return r->size_text ? emit_localize(job, r->size_text) : "0";
}

static void print_reduction_shapes(const struct outline *job, struct text *out) {
    int at = job->narrays;
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        if (!r->is_array)
            continue;
        const struct object *object =
            r->facts_index >= 0 ? job->facts->reductions[r->facts_index].object : r->object;
        if (object && object->when)
            text_print(out, "    if (%s)\n    ", emit_expr(job, object->when));
        text_print(out,
                   "    orrery_out[%d] = (struct orrery_shape){.base = (char *)orrery_env->"
                   "orrery_target_%d,\n        .extent = (unsigned long)(%s)",
                   at++, j, sums_size(job, j));
        if (!r->size_text && !r->measured && object)
            print_reach(job, object, out);
        if (!r->size_text && !r->measured && object)
            print_single(job, object, j, out);
        text_print(out, "%s};\n", object ? front_text(object) : "");
    }
}

static void print_shape_lines(const struct outline *job, struct text *out) {
    for (int i = 0; i < job->narrays; ++i) {
        const struct expr *when = job->arrays[i]->object->when;
        if (when)
            text_print(out, "    if (%s)\n    ", emit_expr(job, when));
        text_print(out, "    ");
        print_shape(job, i, out);
    }
    print_reduction_shapes(job, out);
}

void emit_shapes_print(const struct outline *job, struct text *out) {
    struct text lines;
    text_start(&lines, job->arena);
    print_shape_lines(job, &lines);
    text_print(out,
               "static void orrery_shapes_%d(const void *orrery_e, struct orrery_shape "
               "*orrery_out) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n",
               job->number, job->number);
    emit_locals_print(job, lines.bytes, false, out);
    text_print(out, "    (void)orrery_env;\n    (void)orrery_out;\n%s}\n\n", lines.bytes);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *placement_text(enum placement placement, const struct object *object,
                                  bool by_key, bool own) {
    switch (placement) {
    case PLACE_RESIDENT:
        return "ORRERY_RESIDENT";
    case PLACE_ROTATING:
        return "ORRERY_ROTATING";
    case PLACE_REPLICATED:
        return "ORRERY_REPLICATED";
    case PLACE_ALIGNED:
        return own               ? "ORRERY_BY_ITERATION"
               : !by_key         ? "ORRERY_RESIDENT"
               : object->written ? "ORRERY_UNPLACED"
                                 : "ORRERY_REPLICATED";
    case PLACE_PRIVATE:
    case PLACE_SERVED:
        return "ORRERY_ALIGNED";
    default:
        return "ORRERY_UNPLACED";
    }
}

static const struct access *first_access(const struct outline *job, const struct object *object) {
    for (int i = 0; i < job->facts->naccesses; ++i)
        if (job->facts->accesses[i].object == object)
            return &job->facts->accesses[i];
    return NULL;
}

static const char *where_text(const struct outline *job, const struct object *object) {
    const struct access *access = first_access(job, object);
    struct loc loc = access ? access->range.begin : job->loop->header.begin;
    const char *file = loc.file >= 0 ? job->unit->files[loc.file].name : job->file;
    return arena_printf(job->arena, "%s:%d", text_escape(job->arena, file), loc.line);
}

const char *emit_base_offset_text(const struct outline *job, const struct object *object) {
    const struct env_field *field = object->var ? emit_field_of(job, object->var) : NULL;
    if (!object->captured || !field || field->role != FIELD_POINTER)
        return "-1";
    return arena_printf(job->arena, "(long)__builtin_offsetof(struct orrery_env_%d, %s)",
                        job->number, field->name);
}

static void print_arrays(const struct outline *job, struct text *out) {
    if (!job->narrays)
        return;
    const char **pointers = arena_alloc(job->arena, (size_t)job->narrays * sizeof *pointers);
    for (int i = 0; i < job->narrays; ++i)
        pointers[i] = emit_pointers_print(job, i, out);
    text_print(out, "static const struct orrery_array orrery_arrays_%d[] = {\n", job->number);
    for (int i = 0; i < job->narrays; ++i) {
        const struct plan_array *array = job->arrays[i];
        const struct object *object = array->object;
        long size = object->element && object->element->size > 0 ? object->element->size : 1;
        text_print(out, "    {\"%s\", %s, %d, %s, %d, %ld, \"%s\", %s},\n",
                   text_escape(job->arena, object->name),
                   placement_text(array->placement, object, job->plan->by_key, array->shape),
                   emit_dim(job, array->dim), emit_base_offset_text(job, object), object->written,
                   size, where_text(job, object), pointers[i] ? pointers[i] : "0");
    }
    text_print(out, "};\n\n");
}

/* Members of structures that reduction j folds into; 0: it has none. */
static int print_fields(const struct outline *job, int j, struct text *out) {
    int index = job->reductions[j].facts_index;
    const struct reduction *r = index < 0 ? NULL : &job->facts->reductions[index];
    if (!r || r->nfields == 0)
        return 0;
    text_print(out, "static const struct orrery_field orrery_fields_%d_%d[] = {\n", job->number, j);
    for (int f = 0; f < r->nfields; ++f) {
        const struct reduction_field *field = &r->fields[f];
        text_print(out, "    {%s, %s, %ld, %ld, %ld, %ld},\n", emit_op_name(job->arena, field->op),
                   emit_number_name(field->type), field->type->size, field->offset, field->step,
                   field->count);
    }
    text_print(out, "};\n\n");
    return r->nfields;
}

static void print_reductions(const struct outline *job, struct text *out) {
    int shape = job->narrays;
    if (!job->nreductions)
        return;
    int *fields = arena_alloc(job->arena, (size_t)job->nreductions * sizeof *fields);
    const char **pointers = arena_alloc(job->arena, (size_t)job->nreductions * sizeof *pointers);
    for (int j = 0; j < job->nreductions; ++j)
        pointers[j] = emit_pointers_print_folded(job, j, out);
    for (int j = 0; j < job->nreductions; ++j)
        fields[j] = emit_is_argmin(job, j) ? emit_argmin_print_field(job, j, out)
                                           : print_fields(job, j, out);
    text_print(out, "static const struct orrery_reduction orrery_reductions_%d[] = {\n",
               job->number);
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        text_print(
            out,
            "    {\"%s\", %s, %s, sizeof(%s), "
            "(long)__builtin_offsetof(struct orrery_env_%d, orrery_target_%d), %d, %d, %s, %d, "
            "%d, %s},\n",
            text_escape(job->arena, r->title),
            fields[j] && !emit_is_argmin(job, j) ? "ORRERY_FIELDS" : r->op,
            fields[j] ? "ORRERY_BYTES" : r->type, r->type_text, job->number, j,
            r->is_array ? shape++ : -1, fields[j],
            fields[j] ? arena_printf(job->arena, "orrery_fields_%d_%d", job->number, j) : "0",
            r->stage, r->facts_index >= 0 && job->facts->reductions[r->facts_index].in_front,
            pointers[j] ? pointers[j] : "0");
    }
    text_print(out, "};\n\n");
}

int emit_key_fields_print(const struct outline *job, struct text *out) {
    int count = 0, keys[PLAN_KEYS], nkeys = plan_keys(job->plan, keys);
    for (int i = 0; i < job->nslots; ++i) {
        const struct stream_load *load = job->slots[i].load;
        for (int k = 0; k < nkeys; ++k) {
            if (!load->key || job->plan->analysis->dims[keys[k]].symbol != load->key)
                continue;
            if (count++ == 0)
                text_print(out, "static const struct orrery_key_field orrery_key_fields_%d[] = {\n",
                           job->number);
            text_print(out,
                       "    {%d, (unsigned)__builtin_offsetof(struct orrery_record_%d, %s), "
                       "sizeof(%s), %d, %ldL},\n",
                       k, job->number, job->slots[i].name, job->slots[i].type_text,
                       load->type->is_signed, load->key_constant);
        }
    }
    if (count)
        text_print(out, "};\n\n");
    return count;
}

static void print_global(const struct outline *job, const struct variable *var, int *count,
                         struct text *out) {
    if ((*count)++ == 0)
        text_print(out, "static const struct orrery_global orrery_globals_%d[] = {\n", job->number);
    text_print(out, "    {\"%s\", (void *)&%s, sizeof(%s)},\n", var->name, var->name, var->name);
}

/* Of the body, and of functions that owners of served arrays call. */
static int print_globals(const struct outline *job, struct text *out) {
    int count = 0;
    for (int i = 0; i < job->facts->nglobals; ++i) {
        const struct variable *var = job->facts->globals[i].var;
        if (var->function || emit_field_of(job, var) || emit_reduction_of(job, var) ||
            emit_is_constant(job, var))
            continue;
        print_global(job, var, &count, out);
    }
    for (int i = 0; i < job->napplied; ++i)
        print_global(job, job->applied[i], &count, out);
    if (count)
        text_print(out, "};\n\n");
    return count;
}

void emit_input_print(const struct outline *job, const char *name, struct text *out) {
    name = name ? name : "orrery_lower";
    text_print(out,
               "    {(unsigned)__builtin_offsetof(struct orrery_env_%d, %s), "
               "sizeof(((struct orrery_env_%d *)0)->%s)},\n",
               job->number, name, job->number, name);
}

/* Fields of the environment that gather reads, the intervals, or the weights. */
int emit_inputs_print(const struct outline *job, struct text *out) {
    if (!outline_has_inputs(job))
        return 0;
    int count = 1;
    text_print(out, "static const struct orrery_input orrery_inputs_%d[] = {\n", job->number);
    emit_input_print(job, NULL, out);
    for (int i = 0; i < job->nfields; ++i) {
        const struct env_field *field = &job->fields[i];
        if (!field->input)
            continue;
        ++count;
        emit_input_print(job, field->name, out);
    }
    text_print(out, "};\n\n");
    return count;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Without keys the loop's variable stands for one; levels have neither dims nor keys. */
static void print_keys(const struct outline *job, struct text *out) {
    const struct plan *plan = job->plan;
    int keys[PLAN_KEYS] = {plan->space}, nkeys = plan_keys(plan, keys);
    if (plan->by_key && plan->space < 0) {
        text_print(out, "    .grid = {%ld},\n", plan->grid[0]);
        return;
    }
    if (plan->pipe) {
        text_print(out,
                   "    .ndims = 2,\n    .nkeys = 1,\n    .keys = {{\"%s\", 0}},\n"
                   "    .grid = {%ld, %ld},\n",
                   text_escape(job->arena, job->loop->variable->name), plan->grid[0],
                   plan->grid[1]);
        return;
    }
    nkeys = nkeys ? nkeys : 1;
    text_print(out, "    .ndims = %d,\n    .nkeys = %d,\n    .keys = {", plan_grid_numbers(plan),
               nkeys);
    for (int k = 0; k < nkeys; ++k)
        text_print(out, "%s{\"%s\", %d}", k ? ", " : "",
                   text_escape(job->arena, plan->analysis->dims[keys[k]].name),
                   emit_dim(job, keys[k]));
    text_print(out, "},\n    .grid = {");
    for (int d = 0; d < plan_grid_numbers(plan); ++d)
        text_print(out, "%s%ld", d ? ", " : "", plan->grid[d]);
    text_print(out, "},\n");
}

static void print_head(const struct outline *job, struct text *out) {
    const struct plan *plan = job->plan;
    text_print(out,
               "static struct orrery_loop orrery_loop_%d ORRERY_OURS = {\n"
               "    .abi = ORRERY_RUN_ABI,\n    .file = \"%s\",\n    .line = %d,\n"
               "    .function = \"%s\",\n    .strategy = %s,\n    .by_key = %d,\n"
               "    .unordered = %d,\n    .seed = %lluUL,\n"
               "    .env_size = sizeof(struct orrery_env_%d),\n",
               job->number, job->file, job->loop->header.begin.line, job->loop->function->name,
               strategy_executor_text(plan->strategy), plan->by_key, plan_may_reorder(plan),
               (unsigned long long)plan->seed, job->number);
    print_keys(job, out);
    if (plan->by_key)
        text_print(out, "    .record_size = sizeof(struct orrery_record_%d),\n", job->number);
}

/* `.narrays = 2, .arrays = orrery_arrays_0,` */
static void print_list(const struct outline *job, int count, const char *name, struct text *out) {
    if (count)
        text_print(out, "    .n%s = %d,\n    .%s = orrery_%s_%d,\n", name, count, name, name,
                   job->number);
}

static void print_addresses(const struct outline *job, struct text *out) {
    const char *title = emit_addresses(job);
    unsigned long arrays;
    const char *compared = emit_compared(job, &arrays);
    const struct access *unplaced = facts_unplaced(job->facts);
    if (unplaced)
        text_print(out, "    .unplaced = \"%s\",\n", text_escape(job->arena, unplaced->text));
    if (title)
        text_print(out, "    .addresses = \"%s\",\n", text_escape(job->arena, title));
    if (compared)
        text_print(out, "    .compared = \"%s\",\n    .compared_arrays = 0x%lxUL,\n",
                   text_escape(job->arena, compared), arrays);
}

/* Members about how a wave or a pipe is cut, and what is asked about iterations. */
void emit_asked_print(const struct outline *job, struct text *out) {
    emit_wave_table_print(job, out);
    emit_sections_table_print(job, out);
    emit_pipe_table_print(job, out);
    if (emit_has_key_ranges(job))
        text_print(out, "    .holds_at = orrery_holds_at_%d,\n", job->number);
    if (emit_has_intervals(job))
        text_print(out, "    .intervals = orrery_intervals_%d,\n", job->number);
    if (emit_has_weights(job))
        text_print(out, "    .weigh = orrery_weigh_%d,\n", job->number);
}

void emit_tables_print(const struct outline *job, struct text *out) {
    const struct plan *plan = job->plan;
    print_arrays(job, out);
    print_reductions(job, out);
    int nkeys = emit_key_fields_print(job, out);
    int nglobals = print_globals(job, out);
    int nguards = emit_guards_print(job, out);
    int ninputs = emit_inputs_print(job, out);
    int nsteady = emit_steady_print(job, out);
    if (job->kernel_name)
        text_print(out, "extern const struct orrery_kernel %s;\n\n", job->kernel_name);
    print_head(job, out);
    print_list(job, job->narrays, "arrays", out);
    print_list(job, job->nreductions, "reductions", out);
    print_list(job, nkeys, "key_fields", out);
    print_list(job, nglobals, "globals", out);
    print_list(job, nguards, "guards", out);
    print_list(job, ninputs, "inputs", out);
    print_list(job, nsteady, "steady", out);
    print_addresses(job, out);
    text_print(out,
               "    .nspans = %d,\n    .contraction = ORRERY_CONTRACTION,\n"
               "    .allow_fallback = %d,\n    .relabel_ok = %d,\n",
               job->nspans, emit_fallback(job), plan->by_key && emit_may_relabel(job));
    if (plan->by_key)
        text_print(out, "    .gather = orrery_gather_%d,\n    .gathers = orrery_gathers_%d,\n%s",
                   job->number, job->number,
                   !touches_of_gather(job).indirect ? "    .direct = 1,\n" : "");
    if (other_words_of(job->unit, job->loop))
        text_print(out, "    .reworded = %d,\n", emit_keeps_serial(job) ? 2 : 1);
    if (plan_is_listed(plan) || plan_serves(plan))
        text_print(out,
                   "    .ntouched = %d,\n    .touched = orrery_touched_%d,\n"
                   "    .touches = orrery_touches_%d,\n    .units = orrery_units_%d,\n",
                   plan->ntouches, job->number, job->number, job->number);
    emit_hot_table_print(job, out);
    emit_asked_print(job, out);
    emit_merged_print_members(job, out);
    emit_serve_table_print(job, out);
    if (job->kernel_name)
        text_print(out, "    .kernel = &%s,\n    .kernel_layout = %s,\n", job->kernel_name,
                   gpu_layout_text(job));
    text_print(out,
               "    .shapes = orrery_shapes_%d,\n    .block = orrery_block_%d,\n"
               "    .serial = orrery_%s_%d,\n"
               "    .lower_offset = (long)__builtin_offsetof(struct orrery_env_%d, orrery_lower),\n"
               "    .step = %ld,\n%s};\n\n",
               job->number, job->number, emit_has_serial(job) ? "serial" : "block", job->number,
               job->number,
               job->facts->by_number ? (job->loop->step > 0 ? 1L : -1L) : job->loop->step,
               emit_reruns(job) ? "    .reruns = 1,\n" : "");
}
