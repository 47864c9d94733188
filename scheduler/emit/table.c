/* Shapes of arrays, and the static table that the runtime executes. */
#include "scheduler/gpu/gpu.h"
#include "scheduler/outline/outline.h"
#include "scheduler/strategy/strategy.h"

#include <string.h>

/* ---- shapes ---------------------------------------------------------------------------------- */

/* The reduction into an object as a whole, or -1. */
static int array_reduction(const struct outline *job, const struct object *object) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        if (r->is_array && r->object == object)
            return j;
    }
    return -1;
}

const char *emit_base_text(struct outline *job, const struct object *object) {
    int reduction = array_reduction(job, object);
    for (int j = 0; reduction < 0 && object->var && j < job->nreductions; ++j)
        if (job->reductions[j].is_array && job->reductions[j].var == object->var)
            reduction = j;
    if (reduction >= 0 && job->reductions[reduction].rows)
        return arena_printf(job->arena, "(char **)orrery_env->orrery_table_%d", reduction);
    if (reduction >= 0)
        return arena_printf(job->arena, "orrery_env->orrery_target_%d", reduction);
    if (emit_is_copied(job, object))
        return arena_printf(job->arena, "orrery_env->orrery_at_%s", object->var->name);
    if (object->base)
        return arena_printf(job->arena, object->kind == OBJECT_SCALAR ? "&(%s)" : "%s",
                            emit_expr(job, object->base));
    if (!object->var)
        return "0";
    bool scalar = object->kind == OBJECT_SCALAR;
    return emit_localize(job, arena_printf(job->arena, scalar ? "&%s" : "%s", object->var->name));
}

/* Bytes of a variable or of a scalar reduction's target; "0" for what the allocator knows. */
static const char *scalar_size(struct outline *job, const struct object *object) {
    for (int i = 0; i < job->facts->nreductions; ++i) {
        const struct reduction *reduction = &job->facts->reductions[i];
        if (reduction->object == object && !reduction->is_array && object->ndims == 0)
            return arena_printf(job->arena, "%ld", reduction->type->size);
    }
    if (object->kind == OBJECT_SCALAR && object->element && object->element->size > 0)
        return arena_printf(job->arena, "%ld", object->element->size);
    return "0";
}

static void print_member(struct outline *job, const char *member, const char *value,
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

static void print_row(struct outline *job, const struct object *object,
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
static void print_own(struct outline *job, const struct row_shape *shape, struct text *out) {
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
static void print_table(struct outline *job, const struct object *object, const char *base,
                        struct text *out) {
    print_pointers(object, base, 0, out);
    if (object->ndims > 0)
        print_member(job, "pieces", object->dims[0].extent_text, out);
    if (object->ntables > 1) {
        print_member(job, "tables", arena_printf(job->arena, "%d", object->ntables), out);
        print_member(job, "inner", object->dims[1].extent_text, out);
    }
}

/* Bytes up to the greatest subscript, of an object that no access may leave out, or of the one
 * structure that some access surely reaches. */
static void print_reach(struct outline *job, const struct object *object, struct text *out) {
    const struct object_dim *outer = object->ndims > 0 ? &object->dims[0] : NULL;
    bool known =
        object->kind == OBJECT_POINTER && outer && outer->extent_text && outer->stride_text;
    bool all = true, some = false;
    for (int i = 0; known && i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        all = all && (access->object != object || !access->conditional);
        some = some || (access->object == object && !access->conditional);
    }
    if (known && (all || (some && outer->single)))
        text_print(out, ",\n        .reach = (unsigned long)((%s) * (%s))",
                   emit_localize(job, outer->extent_text), emit_localize(job, outer->stride_text));
}

static const char *front_text(const struct object *object) {
    return object->in_front ? ",\n        .in_front = 1" : "";
}

/* Members that are not named are 0, and all of them in a run that never touches the array. */
static void print_shape(struct outline *job, int at, struct text *out) {
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

static void print_reduction_shapes(struct outline *job, struct text *out) {
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
                   at++, j, r->size_text ? emit_localize(job, r->size_text) : "0");
        if (!r->size_text && object)
            print_reach(job, object, out);
        text_print(out, "%s};\n", object ? front_text(object) : "");
    }
}

/* What is summed into has no field: `lines` that reach something else by its name, the loop's bound
 * p->n beside sums into p->d[k], find it where the sums go. */
static void print_targets(struct outline *job, const char *lines, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        if (r->is_array && r->var && r->var->type->kind == TYPE_POINTER && !r->rows &&
            token_uses(lines, r->name))
            text_print(out, "    %s = orrery_env->orrery_target_%d;\n", r->local, j);
    }
}

const char *emit_shape_line(struct outline *job, int at) {
    struct text line;
    text_start(&line, job->arena);
    print_shape(job, at, &line);
    return line.bytes;
}

const char *emit_reduction_shapes(struct outline *job) {
    struct text lines;
    text_start(&lines, job->arena);
    print_reduction_shapes(job, &lines);
    return lines.bytes;
}

void emit_shapes_lines(struct outline *job, struct text *out) {
    for (int i = 0; i < job->narrays; ++i) {
        const struct expr *when = job->arrays[i]->object->when;
        if (when)
            text_print(out, "    if (%s)\n    ", emit_expr(job, when));
        text_print(out, "    ");
        print_shape(job, i, out);
    }
    print_reduction_shapes(job, out);
}

void emit_shapes_print(struct outline *job, struct text *out) {
    struct text lines;
    text_start(&lines, job->arena);
    emit_shapes_lines(job, &lines);
    text_print(out,
               "static void orrery_shapes_%d(const void *orrery_e, struct orrery_shape "
               "*orrery_out) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n",
               job->number, job->number);
    emit_locals_print(job, lines.bytes, false, out);
    print_targets(job, lines.bytes, out);
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

static const char *where_text(struct outline *job, const struct object *object) {
    const struct access *access = first_access(job, object);
    struct loc loc = access ? access->range.begin : job->loop->header.begin;
    const char *file = loc.file >= 0 ? job->unit->files[loc.file].name : job->file;
    return arena_printf(job->arena, "%s:%d", text_escape(job->arena, file), loc.line);
}

/* "(long)__builtin_offsetof(struct orrery_env_0, W)" when another base may be handed over. */
static const char *base_offset_text(struct outline *job, const struct object *object) {
    const struct env_field *field = object->var ? emit_field_of(job, object->var) : NULL;
    if (!object->captured || !field || field->role != FIELD_POINTER)
        return "-1";
    return arena_printf(job->arena, "(long)__builtin_offsetof(struct orrery_env_%d, %s)",
                        job->number, field->name);
}

static void print_arrays(struct outline *job, struct text *out) {
    if (!job->narrays)
        return;
    bool *pointers = arena_alloc(job->arena, (size_t)job->narrays * sizeof *pointers);
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
                   emit_dim(job, array->dim), base_offset_text(job, object), object->written, size,
                   where_text(job, object),
                   pointers[i] ? arena_printf(job->arena, "orrery_pointers_%d_%d", job->number, i)
                               : "0");
    }
    text_print(out, "};\n\n");
}

/* Members of structures that reduction j folds into; 0: it has none. */
static int print_fields(struct outline *job, int j, struct text *out) {
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

static void print_reductions(struct outline *job, struct text *out) {
    int shape = job->narrays;
    if (!job->nreductions)
        return;
    int *fields = arena_alloc(job->arena, (size_t)job->nreductions * sizeof *fields);
    for (int j = 0; j < job->nreductions; ++j)
        fields[j] = emit_is_choice(job, j) ? emit_choice_print_field(job, j, out)
                                           : print_fields(job, j, out);
    text_print(out, "static const struct orrery_reduction orrery_reductions_%d[] = {\n",
               job->number);
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        text_print(
            out,
            "    {\"%s\", %s, %s, sizeof(%s), "
            "(long)__builtin_offsetof(struct orrery_env_%d, orrery_target_%d), %d, %d, %s, %d, "
            "%d},\n",
            text_escape(job->arena, r->title),
            fields[j] && !emit_is_choice(job, j) ? "ORRERY_FIELDS" : r->op,
            fields[j] ? "ORRERY_BYTES" : r->type, r->type_text, job->number, j,
            r->is_array ? shape++ : -1, fields[j],
            fields[j] ? arena_printf(job->arena, "orrery_fields_%d_%d", job->number, j) : "0",
            r->stage, r->facts_index >= 0 && job->facts->reductions[r->facts_index].in_front);
    }
    text_print(out, "};\n\n");
}

static int print_key_fields(struct outline *job, struct text *out) {
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

static void print_global(struct outline *job, const struct variable *var, int *count,
                         struct text *out) {
    if ((*count)++ == 0)
        text_print(out, "static const struct orrery_global orrery_globals_%d[] = {\n", job->number);
    text_print(out, "    {\"%s\", (void *)&%s, sizeof(%s)},\n", var->name, var->name, var->name);
}

/* Of the body, and of functions that owners of served arrays call. */
static int print_globals(struct outline *job, struct text *out) {
    int count = 0, napplied = emit_serve_globals(job);
    for (int i = 0; i < job->facts->nglobals; ++i) {
        const struct variable *var = job->facts->globals[i].var;
        if (var->function || emit_field_of(job, var) || emit_reduction_of(job, var))
            continue;
        print_global(job, var, &count, out);
    }
    for (int i = 0; i < napplied; ++i)
        print_global(job, job->applied[i], &count, out);
    if (count)
        text_print(out, "};\n\n");
    return count;
}

bool emit_is_input(const struct outline *job, const struct env_field *field) {
    return field->role == FIELD_EXTENT ||
           (job->plan->by_key &&
            (token_uses(job->gather_text, field->name) || emit_key_ranges_use(job, field->name))) ||
           (job->lists_text && token_uses(job->lists_text, field->name)) ||
           (job->claims_text && token_uses(job->claims_text, field->name)) ||
           (job->weigh_text && token_uses(job->weigh_text, field->name));
}

void emit_input_print(struct outline *job, const char *name, struct text *out) {
    name = name ? name : "orrery_lower";
    text_print(out,
               "    {(unsigned)__builtin_offsetof(struct orrery_env_%d, %s), "
               "sizeof(((struct orrery_env_%d *)0)->%s)},\n",
               job->number, name, job->number, name);
}

/* Fields of the environment that gather reads, the claims, or the weights. */
static int print_inputs(struct outline *job, struct text *out) {
    if (!job->plan->by_key && !job->claims_text && !job->weigh_text && !job->lists_text)
        return 0;
    int count = 1;
    text_print(out, "static const struct orrery_input orrery_inputs_%d[] = {\n", job->number);
    emit_input_print(job, NULL, out);
    for (int i = 0; i < job->nfields; ++i) {
        const struct env_field *field = &job->fields[i];
        if (!emit_is_input(job, field))
            continue;
        ++count;
        emit_input_print(job, field->name, out);
    }
    text_print(out, "};\n\n");
    return count;
}

/* ---- the table ------------------------------------------------------------------------------- */

static bool is_replaceable(const struct outline *job, int dim) {
    if (dim < 0)
        return true;
    const struct dim *d = &job->plan->analysis->dims[dim];
    for (int i = 0; i < job->facts->nunreplaceable_keys; ++i)
        if (job->facts->unreplaceable_keys[i] == d->symbol)
            return false;
    return d->kind == DIM_KEY;
}

/* A value that no iteration's key has a part in. */
static bool is_keyless_symbol(const struct outline *job, const struct symbol *symbol) {
    if (symbol->kind == SYMBOL_PARAM)
        return true;
    for (int i = 1; i < job->facts->ninner && symbol->kind == SYMBOL_LOOP; ++i) {
        const struct inner_loop *inner = &job->facts->inner[i];
        if (inner->symbol == symbol)
            return inner->has_lower && inner->lower.nterms == 0;
    }
    return false;
}

static bool is_keyless(const struct outline *job, const struct access *access) {
    for (int d = 0; d < access->nsubs; ++d) {
        const struct subscript *sub = &access->subs[d];
        for (int i = 0; sub->known && i < sub->value.nterms; ++i)
            if (!is_keyless_symbol(job, sub->value.terms[i].symbol))
                return false;
        if (!sub->known)
            return false;
    }
    return true;
}

static bool is_cut(const struct outline *job, const struct object *object) {
    int i = emit_array_index(job, object);
    return i >= 0 && emit_dim(job, job->arrays[i]->dim) >= 0;
}

/*
 * What is not cut stands in the user's order, so the body must not reach it through a key that is
 * renumbered (docs/decisions.md, 8).
 */
static bool is_renumberable(const struct outline *job) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (!is_keyless(job, access) && !is_cut(job, access->object) &&
            !emit_is_streamed(job, access->object))
            return false;
    }
    return true;
}

static bool is_relabel_ok(const struct outline *job) {
    int keys[PLAN_KEYS], nkeys = plan_keys(job->plan, keys);
    for (int k = 0; k < nkeys; ++k)
        if (!is_replaceable(job, keys[k]))
            return false;
    return true;
}

/* Without keys the loop's variable stands for one; levels have neither dims nor keys. */
static void print_keys(struct outline *job, struct text *out) {
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

static void print_head(struct outline *job, struct text *out) {
    const struct plan *plan = job->plan;
    text_print(out,
               "static struct orrery_loop orrery_loop_%d ORRERY_OURS = {\n"
               "    .abi = ORRERY_RUN_ABI,\n    .file = \"%s\",\n    .line = %d,\n"
               "    .function = \"%s\",\n    .strategy = %s,\n    .by_key = %d,\n"
               "    .unordered = %d,\n    .seed = %lluUL,\n"
               "    .env_size = sizeof(struct orrery_env_%d),\n",
               job->number, text_escape(job->arena, job->file), job->loop->header.begin.line,
               job->loop->function->name, strategy_executor_text(plan->strategy), plan->by_key,
               plan->analysis->unordered, (unsigned long long)plan->seed, job->number);
    print_keys(job, out);
    if (plan->by_key)
        text_print(out, "    .record_size = sizeof(struct orrery_record_%d),\n", job->number);
}

/* `.narrays = 2, .arrays = orrery_arrays_0,` */
static void print_list(struct outline *job, int count, const char *name, struct text *out) {
    if (count)
        text_print(out, "    .n%s = %d,\n    .%s = orrery_%s_%d,\n", name, count, name, name,
                   job->number);
}

static void print_addresses(struct outline *job, struct text *out) {
    const char *title = emit_addresses(job);
    unsigned long arrays;
    const char *compared = emit_compared(job, &arrays);
    if (title)
        text_print(out, "    .addresses = \"%s\",\n", text_escape(job->arena, title));
    if (compared)
        text_print(out, "    .compared = \"%s\",\n    .compared_arrays = 0x%lxUL,\n",
                   text_escape(job->arena, compared), arrays);
}

void emit_tables_print(struct outline *job, struct text *out) {
    const struct plan *plan = job->plan;
    print_arrays(job, out);
    print_reductions(job, out);
    int nkeys = print_key_fields(job, out);
    int nglobals = print_globals(job, out);
    int nguards = emit_guards_print(job, out);
    int ninputs = print_inputs(job, out);
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
               job->nspans, emit_fallback(job),
               plan->by_key && is_relabel_ok(job) && is_renumberable(job));
    if (plan->by_key)
        text_print(out, "    .gather = orrery_gather_%d,\n%s", job->number,
                   job->gather_direct ? "    .direct = 1,\n" : "");
    if (plan_is_listed(plan) || plan_serves(plan))
        text_print(out,
                   "    .ntouched = %d,\n    .touched = orrery_touched_%d,\n"
                   "    .touches = orrery_touches_%d,\n    .units = orrery_units_%d,\n",
                   plan->ntouches, job->number, job->number, job->number);
    emit_wave_table_print(job, out);
    emit_pipe_table_print(job, out);
    if (emit_has_key_ranges(job))
        text_print(out, "    .holds_at = orrery_holds_at_%d,\n", job->number);
    if (job->claims_text)
        text_print(out, "    .claims = orrery_claims_%d,\n", job->number);
    if (job->weigh_text)
        text_print(out, "    .weigh = orrery_weigh_%d,\n", job->number);
    emit_merged_print_members(job, out);
    emit_serve_table_print(job, out);
    if (job->kernel_name)
        text_print(out, "    .kernel = &%s,\n    .kernel_layout = %s,\n", job->kernel_name,
                   gpu_layout_text(job));
    text_print(out,
               "    .shapes = orrery_shapes_%d,\n    .block = orrery_block_%d,\n"
               "    .serial = orrery_serial_%d,\n"
               "    .lower_offset = (long)__builtin_offsetof(struct orrery_env_%d, orrery_lower),\n"
               "    .step = %ld,\n%s};\n\n",
               job->number, job->number, job->number, job->number,
               job->facts->by_number ? (job->loop->step > 0 ? 1L : -1L) : job->loop->step,
               emit_reruns(job) ? "    .reruns = 1,\n" : "");
}
