/* The kernel of one loop: the text around the body. */
#include "scheduler/gpu/gpu.h"

/* ---- the file -------------------------------------------------------------------------------- */

void gpu_head_print(const struct unit *unit, struct text *out) {
    text_print(
        out,
        "/* Made by Orrery from %s: kernels for a GPU (nvcc), or for the host shim (cc). */\n"
        "#include \"orrery_device.h\"\n\n",
        text_escape(out->arena, unit->files[unit->main_file].name));
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *rows_words(const struct gpu_kernel *k) {
    static const char *const words[] = {
        [GPU_ROW_PER_WARP] = "a row of the grid per warp, loops inside across its lanes",
        [GPU_ROW_BY_LANE_0] = "a row of the grid per warp, of which one lane works",
        [GPU_ROW_PER_LANE] = "a row of the grid per lane",
        [GPU_ASSIGNED] = "a row of the grid per warp, its iterations assigned to the lanes",
        [GPU_TILE] = "a row of tiles per warp, an iteration per lane, each a position behind",
    };
    if (k->nhead)
        return "a row of the grid per warp, the head of an iteration per lane, loops behind it "
               "across the lanes";
    return words[k->rows];
}

/* ---- environment and record ------------------------------------------------------------------ */

static const char *member_text(struct gpu_printer *p, const struct env_field *field) {
    const struct type *type = field->var ? field->var->type : NULL;
    switch (field->role) {
    case FIELD_VALUE:
        if (type->kind == TYPE_POINTER || type->kind == TYPE_FUNCTION)
            break;
        return gpu_declare_plain(p, type, gpu_name(p->arena, field->var));
    case FIELD_EXTENT:
        return arena_printf(p->arena, "long %s", field->name);
    default:
        break;
    }
    return arena_printf(p->arena, "const void *%s",
                        field->role == FIELD_POINTER ? gpu_name(p->arena, field->var)
                                                     : field->name);
}

static void env_print(struct gpu_printer *p, struct text *out) {
    const struct outline *job = p->job;
    text_print(out, "struct orrery_env_%d {\n    long orrery_lower;\n", job->number);
    for (int i = 0; i < job->nfields; ++i)
        text_print(out, "    %s;\n", member_text(p, &job->fields[i]));
    for (int j = 0; j < job->nreductions; ++j) {
        text_print(out, "    void *orrery_target_%d;\n", j);
        if (job->reductions[j].measured)
            text_print(out, "    unsigned long orrery_bytes_%d;\n", j);
    }
    text_print(out, "};\n\n");
}

bool gpu_has_record(const struct outline *job) {
    return job->plan->by_key && (job->nslots > 0 || job->record_index);
}

static void record_print(struct gpu_printer *p, struct text *out) {
    const struct outline *job = p->job;
    if (!gpu_has_record(job))
        return;
    text_print(out, "struct orrery_record_%d {\n", job->number);
    if (job->record_index)
        text_print(out, "    long i;\n");
    for (int i = 0; i < job->nslots; ++i) {
        const struct record_slot *slot = &job->slots[i];
        text_print(out, "    %s;\n",
                   slot->bits ? arena_printf(p->arena, "int %s", slot->name)
                              : gpu_declare_plain(p, slot->load->type, slot->name));
    }
    text_print(out, "};\n\n");
}

/* A number that differs when a member stands elsewhere:
 * the host's text and the kernel's have to agree. */
static const char *layout_text(const struct outline *job, bool device) {
    struct text out;
    int weight = 1;
    text_start(&out, job->arena);
    text_print(&out, "sizeof(struct orrery_env_%d)", job->number);
    for (int i = 0; i < job->nfields; ++i) {
        const struct env_field *field = &job->fields[i];
        bool named = device && field->var && field->name == field->var->name;
        text_print(&out, " +\n        __builtin_offsetof(struct orrery_env_%d, %s) * %d",
                   job->number, named ? gpu_name(job->arena, field->var) : field->name,
                   weight += 2);
    }
    for (int i = 0; job->plan->by_key && i < job->nslots; ++i)
        text_print(&out, " +\n        __builtin_offsetof(struct orrery_record_%d, %s) * %d",
                   job->number, job->slots[i].name, weight += 2);
    return out.bytes;
}

const char *gpu_layout_text(const struct outline *job) {
    return layout_text(job, false);
}

/* ---- a block --------------------------------------------------------------------------------- */

/* A pointer that the body does not follow may be to what a kernel has no words for. */
static bool is_local(const struct gpu_kernel *k, const struct env_field *field) {
    if (field->role == FIELD_VALUE)
        return field->var->type->kind != TYPE_POINTER && field->var->type->kind != TYPE_FUNCTION;
    for (int i = 0; field->role == FIELD_POINTER && i < k->npointers; ++i)
        if (k->pointers[i] == field->var)
            return true;
    return false;
}

void gpu_locals_print(struct gpu_printer *p, const char *body, struct text *out) {
    for (int i = 0; i < p->job->nfields; ++i) {
        const struct env_field *field = &p->job->fields[i];
        const char *name = field->var ? gpu_name(p->arena, field->var) : field->name;
        if (!is_local(p->kernel, field) || !token_uses(body, name))
            continue;
        if (field->role == FIELD_VALUE) {
            text_print(out, "    const %s = orrery_env->%s;\n",
                       gpu_declare_plain(p, field->var->type, name), name);
            continue;
        }
        const struct type *element = field->var->type->element;
        bool wrap = element->kind == TYPE_ARRAY;
        const char *pointer = gpu_declare(p, element, wrap ? "(*)" : "*");
        text_print(out, "    %s = (%s)orrery_env->%s;\n",
                   gpu_declare(p, element, arena_printf(p->arena, wrap ? "(*%s)" : "*%s", name)),
                   pointer, name);
    }
}

void gpu_privates_print(struct gpu_printer *p, struct text *out) {
    for (int i = 0; i < p->job->facts->nprivates; ++i) {
        const struct variable *var = p->job->facts->privates[i].var;
        if (emit_is_outside(p->job, var) && var != p->job->loop->variable &&
            !emit_reduction_of(p->job, var))
            text_print(out, "    %s;\n", gpu_declare_plain(p, var->type, gpu_name(p->arena, var)));
    }
}

static const struct reduction *reduction_of(const struct gpu_printer *p, int j) {
    return &p->job->facts->reductions[p->job->reductions[j].facts_index];
}

/* Where a row's copy of a reduction is. */
static const char *copy_text(struct gpu_printer *p, int j) {
    return arena_printf(p->arena,
                        "(orrery_job->copies[%d].memory + (orrery_row - orrery_job->row_low) * "
                        "orrery_job->copies[%d].stride)",
                        j, j);
}

void gpu_copies_print(struct gpu_printer *p, const char *from, struct text *out) {
    for (int j = 0; j < p->job->nreductions; ++j) {
        const struct emit_reduction *r = &p->job->reductions[j];
        const struct reduction *reduction = reduction_of(p, j);
        const char *name = gpu_name(p->arena, r->var);
        if (r->is_array) {
            const struct type *element = r->var->type->element;
            bool wrap = element->kind == TYPE_ARRAY;
            const char *snapshot = arena_printf(p->arena, "orrery_job->copies[%d].snapshot", j);
            text_print(
                out, "    %s = (%s)%s;\n",
                gpu_declare_plain(p, element, arena_printf(p->arena, wrap ? "(*%s)" : "*%s", name)),
                gpu_declare_plain(p, element, wrap ? "(*)" : "*"),
                r->buffered ? snapshot : copy_text(p, j));
            if (r->buffered)
                text_print(out, "    const long orrery_shift_%d = %s - %s;\n", j, copy_text(p, j),
                           snapshot);
            continue;
        }
        const char *declared = gpu_declare_plain(p, r->var->type, name);
        if (from)
            text_print(out, "    %s = *%s%d;\n", declared, from, j);
        else if (p->kernel->rows == GPU_ASSIGNED)
            text_print(out, "    %s = (%s)%s;\n", declared, gpu_declare_plain(p, r->var->type, ""),
                       gpu_identity(p->arena, reduction->op, r->var->type));
        else
            text_print(out, "    %s = *(%s)%s;\n", declared,
                       gpu_declare_plain(p, r->var->type, "*"), copy_text(p, j));
    }
}

/* `name`, which every lane has, folded. */
static const char *fold_text(struct gpu_printer *p, int j, const char *name) {
    const struct emit_reduction *r = &p->job->reductions[j];
    enum reduction_op op = reduction_base(reduction_of(p, j)->op);
    const char *suffix = gpu_suffix(r->var->type);
    bool wraps = (op == REDUCE_ADD || op == REDUCE_MUL) && r->var->type->kind != TYPE_FLOAT;
    if (wraps)
        suffix = suffix[1] == '6' ? "u64" : "u32";
    return arena_printf(p->arena, "orrery_lanes_%s_%s((%s)%s)", reduction_operator(op)->lanes,
                        suffix, gpu_suffix_type(suffix), name);
}

bool gpu_takes_any_order(const struct outline *job) {
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].is_array || job->reductions[j].var->type->kind != TYPE_INT)
            return false;
    return true;
}

const char *gpu_tile_totals(struct gpu_printer *p, bool declared) {
    const char *all = "";
    for (int j = 0; p->kernel->rows == GPU_TILE && j < p->job->nreductions; ++j) {
        const char *total = arena_printf(p->arena, "*const orrery_total_%d", j);
        const struct type *type = p->job->reductions[j].var->type;
        all = declared ? arena_printf(p->arena, "%s,\n                                  %s", all,
                                      gpu_declare_plain(p, type, total))
                       : arena_printf(p->arena, "%s, &orrery_sum_%d", all, j);
    }
    return all;
}

void gpu_tile_totals_print(struct gpu_printer *p, bool begin, struct text *out) {
    for (int j = 0; p->kernel->rows == GPU_TILE && j < p->job->nreductions; ++j) {
        const struct type *type = p->job->reductions[j].var->type;
        const struct reduction_operator *row =
            reduction_operator(reduction_base(reduction_of(p, j)->op));
        const char *sum = arena_printf(p->arena, "orrery_sum_%d", j);
        const char *copy =
            arena_printf(p->arena,
                         "*(%s)(orrery_job->copies[%d].memory + (row - orrery_job->row_low) * "
                         "orrery_job->copies[%d].stride)",
                         gpu_declare_plain(p, type, "*"), j, j);
        if (begin)
            text_print(out, "        %s = (%s)%s;\n", gpu_declare_plain(p, type, sum),
                       gpu_declare_plain(p, type, ""),
                       gpu_identity(p->arena, reduction_of(p, j)->op, type));
        else
            text_print(out,
                       "        %s = (%s)%s;\n"
                       "        if (orrery_lane_number() == 0)\n"
                       "            %s = (%s)orrery_two_%s_%s(%s, %s);\n",
                       sum, gpu_declare_plain(p, type, ""), fold_text(p, j, sum), copy,
                       gpu_declare_plain(p, type, ""), row->lanes, gpu_suffix(type), copy, sum);
    }
}

void gpu_totals_print(struct gpu_printer *p, bool read, struct text *out) {
    for (int j = 0; j < p->job->nreductions; ++j) {
        const struct emit_reduction *r = &p->job->reductions[j];
        const char *type = r->is_array ? NULL : gpu_declare_plain(p, r->var->type, "*");
        if (r->is_array)
            continue;
        if (read)
            text_print(
                out, "    %s = *(%s)%s;\n",
                gpu_declare_plain(p, r->var->type, arena_printf(p->arena, "orrery_sum_%d", j)),
                type, copy_text(p, j));
        else
            text_print(out, "    if (orrery_lane == 0)\n        *(%s)%s = orrery_sum_%d;\n", type,
                       copy_text(p, j), j);
    }
}

/* Lane 0 writes what all lanes have read. */
static void results_print(struct gpu_printer *p, struct text *out) {
    const char *who = p->kernel->rows == GPU_ROW_PER_LANE ? "" : "if (orrery_lane == 0)\n        ";
    if (p->kernel->rows == GPU_ROW_PER_WARP || p->kernel->rows == GPU_ROW_BY_LANE_0)
        text_print(out, "    orrery_meet();\n");
    for (int j = 0; j < p->job->nreductions; ++j) {
        const struct emit_reduction *r = &p->job->reductions[j];
        const char *name = gpu_name(p->arena, r->var);
        if (r->is_array)
            continue;
        if (p->kernel->rows == GPU_TILE) {
            text_print(out, "    *orrery_total_%d = %s;\n", j, name);
            continue;
        }
        if (p->kernel->rows == GPU_ASSIGNED)
            text_print(out, "    %s = (%s)%s;\n", name, gpu_declare_plain(p, r->var->type, ""),
                       fold_text(p, j, name));
        text_print(out, "    %s*(%s)%s = %s;\n", who, gpu_declare_plain(p, r->var->type, "*"),
                   copy_text(p, j), name);
    }
}

/* `first`, `end` and `step` of the lane's way through the block. */
static void way_print(const struct gpu_printer *p, struct text *out) {
    if (p->kernel->rows == GPU_ASSIGNED)
        text_print(out, "    const long orrery_step = orrery_in_order ? 1 : ORRERY_LANES;\n"
                        "    if (orrery_in_order && orrery_lane > 0)\n"
                        "        orrery_first = orrery_end;\n"
                        "    else\n"
                        "        orrery_first += orrery_lane;\n");
    else if (p->kernel->rows == GPU_ROW_BY_LANE_0)
        text_print(out, "    if (orrery_lane > 0)\n        orrery_first = orrery_end;\n");
}

/* The record and the loop's variable of iteration `orrery_i` of the block. */
static const char *index_text(struct gpu_printer *p) {
    const struct outline *job = p->job;
    const struct variable *var = job->loop->variable;
    const char *index = job->plan->by_key ? "orrery_r->i" : "orrery_i";
    struct text text, *out = &text;
    text_start(out, p->arena);
    if (gpu_has_record(job))
        text_print(out,
                   "        const struct orrery_record_%d *const orrery_r =\n"
                   "            (const struct orrery_record_%d *)orrery_job->records + orrery_i;\n",
                   job->number, job->number);
    if (!job->plan->by_key || job->record_index)
        text_print(out, "        %s = (%s)(orrery_env->orrery_lower + %s * %ldL);\n",
                   gpu_declare_plain(p, var->type, gpu_name(p->arena, var)),
                   gpu_declare_plain(p, var->type, ""), index, job->loop->step);
    return text.bytes ? text.bytes : "";
}

static void iteration_print(struct gpu_printer *p, struct text *out) {
    text_print(out, "    for (long orrery_i = orrery_first; orrery_i < orrery_end; orrery_i%s) {\n",
               p->kernel->rows == GPU_ASSIGNED ? " += orrery_step" : " += 1");
    text_print(out, "%s%s", index_text(p), gpu_wave_places(p));
}

static void block_print(struct gpu_printer *p, const char *body, struct text *out) {
    const struct outline *job = p->job;
    text_print(
        out,
        "ORRERY_DEVICE void orrery_block_%d(const struct orrery_kernel_job *orrery_job,\n"
        "                                  long orrery_row, long orrery_first,\n"
        "                                  long orrery_end, const int orrery_in_order%s%s%s) {\n"
        "    const struct orrery_env_%d *const orrery_env =\n"
        "        (const struct orrery_env_%d *)orrery_job->env;\n"
        "    const int orrery_lane = orrery_lane_number();\n",
        job->number,
        job->plan->strategy == STRATEGY_WAVEFRONT ? ",\n                                 "
                                                    " const long orrery_from, const long "
                                                    "orrery_to"
                                                  : "",
        p->kernel->nreused ? ",\n                                  const long orrery_most" : "",
        gpu_tile_totals(p, true), job->number, job->number);
    const char *head = p->kernel->nhead ? gpu_head_text(p) : "";
    gpu_locals_print(p, arena_printf(p->arena, "%s%s%s", gpu_wave_places(p), head, body), out);
    gpu_privates_print(p, out);
    gpu_copies_print(p, p->kernel->rows == GPU_TILE ? "orrery_total_" : NULL, out);
    text_print(out, "    (void)orrery_env;\n    (void)orrery_lane;\n    (void)orrery_row;\n"
                    "    (void)orrery_in_order;\n");
    way_print(p, out);
    if (p->kernel->nhead)
        gpu_heads_print(p, head, index_text(p), out);
    else
        iteration_print(p, out);
    text_print(out, "%s%s    }\n", body, p->kernel->nhead ? "        }\n" : "");
    results_print(p, out);
    text_print(out, "}\n\n");
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Sums in order are taken by the kernel that keeps no rows. */
static void call_print(const struct gpu_printer *p, const char *indent, struct text *out) {
    text_print(out,
               "%sif (%sorrery_job->in_order)\n"
               "%s    orrery_block_%d(orrery_job, row, first, end, 1%s);\n%s"
               "%selse\n"
               "%s    orrery_block_%d(orrery_job, row, first, end, 0%s);\n",
               indent, p->kernel->nreused ? "orrery_most == 0 && " : "", indent, p->job->number,
               p->kernel->nreused ? ", 0" : "", p->kernel->ahead ? gpu_ahead_call(p, indent) : "",
               indent, indent, p->job->number, p->kernel->nreused ? ", orrery_most" : "");
}

/* Clock by clock, so that what a block waits for never waits for it. */
static void chained_print(const struct gpu_printer *p, struct text *out) {
    text_print(out,
               "    const long warp = orrery_warp_number(), warps = orrery_warp_count();\n"
               "    const long rows = orrery_job->row_high - orrery_job->row_low;\n"
               "    const long low = orrery_job->row_low + orrery_part(rows, warp, warps);\n"
               "    const long high = orrery_job->row_low + orrery_part(rows, warp + 1, warps);\n"
               "    for (long clock = orrery_job->clock_low; clock < orrery_job->clock_high; "
               "++clock) {\n"
               "        for (long row = low; row < high; ++row) {\n"
               "            const long column = orrery_column(orrery_job, row, clock);\n"
               "            const long i = (row - orrery_job->row_low) * orrery_job->columns + "
               "column;\n"
               "            if (column < 0)\n"
               "                continue;\n"
               "            const struct orrery_visit visit =\n"
               "                orrery_visit_find(orrery_job, i, row, column);\n"
               "            long first = orrery_job->starts[i], end = orrery_job->starts[i + 1];\n"
               "            orrery_phase(orrery_job, &first, &end);\n%s"
               "            if (!orrery_take(orrery_job, &visit, i, column))\n"
               "                continue;\n",
               p->kernel->ahead ? gpu_ahead_group(p) : "");
    call_print(p, "            ", out);
    text_print(out, "            orrery_pass(orrery_job, &visit);\n        }\n"
                    "        orrery_column_done(orrery_job, clock);\n    }\n");
}

static void free_rows_print(const struct gpu_printer *p, struct text *out) {
    bool lanes = p->kernel->rows == GPU_ROW_PER_LANE;
    text_print(
        out,
        "    const long worker = orrery_warp_number()%s;\n"
        "    const long workers = orrery_warp_count()%s;\n"
        "    for (long row = orrery_job->row_low + worker; row < orrery_job->row_high; row += "
        "workers) {\n",
        lanes ? " * ORRERY_LANES + orrery_lane_number()" : "", lanes ? " * ORRERY_LANES" : "");
    if (p->job->plan->by_key)
        text_print(out, "        const long i = row - orrery_job->row_low;\n"
                        "        long first = orrery_job->starts[i];\n"
                        "        long end = orrery_job->starts[i + 1];\n");
    else
        text_print(out,
                   "        long first = orrery_part(orrery_job->count, row, orrery_job->rows);\n"
                   "        long end = orrery_part(orrery_job->count, row + 1, "
                   "orrery_job->rows);\n");
    text_print(out, "        orrery_phase(orrery_job, &first, &end);\n%s",
               p->kernel->ahead ? gpu_ahead_group(p) : "");
    call_print(p, "        ", out);
    text_print(out, "    }\n");
}

static void rows_print(struct gpu_printer *p, struct text *out) {
    const struct outline *job = p->job;
    text_print(
        out, "ORRERY_DEVICE void orrery_rows_%d(const struct orrery_kernel_job *orrery_job%s) {\n",
        job->number,
        p->kernel->nreused ? ",\n    const long orrery_most, unsigned char *const orrery_stages"
                           : "");
    if (p->kernel->nreused)
        text_print(out, "    (void)orrery_stages;\n");
    if (p->kernel->ahead)
        text_print(out, "%s", gpu_ahead_values(p));
    if (job->plan->strategy == STRATEGY_WAVEFRONT)
        gpu_wave_rows_print(p, out);
    else if (strategy_form(job->plan->strategy)->waits)
        chained_print(p, out);
    else
        free_rows_print(p, out);
    text_print(out, "}\n\n");
    gpu_copies_kernel_print(p, out);
    if (p->kernel->nreused)
        gpu_entries_print(p, layout_text(job, true), out);
    else
        text_print(out, "ORRERY_KERNEL(%s, orrery_rows_%d, %d, %s,\n    %s)\n\n", job->kernel_name,
                   job->number, p->kernel->rows == GPU_ROW_PER_LANE, gpu_copies_words(p),
                   layout_text(job, true));
}

/* ---- all of it ------------------------------------------------------------------------------- */

static const char *body_text(struct gpu_printer *p) {
    const struct stmt *body = p->job->loop->body;
    struct text text;
    if (p->kernel->nhead)
        return gpu_rest_text(p);
    text_start(&text, p->arena);
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody; ++i)
        gpu_stmt_print(p, body->body[i], p->kernel->form, 2, &text);
    if (body->kind != STMT_BLOCK)
        gpu_stmt_print(p, body, p->kernel->form, 2, &text);
    return text.bytes ? text.bytes : "";
}

void gpu_kernel_print(const struct gpu_kernel *k, struct text *out) {
    const struct outline *job = k->job;
    struct gpu_printer printer = {.kernel = k, .job = job, .arena = k->arena};
    text_print(out, "/* %s:%d: the loop of %s, by %s: %s%s */\n", job->file,
               job->loop->header.begin.line, job->loop->function->name,
               strategy_name(job->plan->strategy), rows_words(k), gpu_reuse_words(k));
    gpu_records_print(&printer, out);
    env_print(&printer, out);
    record_print(&printer, out);
    gpu_functions_print(&printer, out);
    block_print(&printer, body_text(&printer), out);
    if (k->nreused)
        gpu_numbers_print(&printer, out);
    if (k->ahead)
        gpu_ahead_print(&printer, out);
    rows_print(&printer, out);
}
