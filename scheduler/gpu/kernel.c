/* The kernel of one loop: what is refused, who runs what, and the text around the body. */
#include "scheduler/gpu/gpu.h"
#include "scheduler/strategy/strategy.h"

#include <string.h>

/* ---- the file -------------------------------------------------------------------------------- */

void gpu_head_print(const struct unit *unit, struct text *out) {
    text_print(
        out,
        "/* Made by Orrery from %s: kernels for a GPU (nvcc), or for the host shim (cc). */\n"
        "#include \"orrery_device.h\"\n\n",
        text_escape(out->arena, unit->files[unit->main_file].name));
}

/* ---- what a kernel cannot be made of --------------------------------------------------------- */

static bool check_strategy(const struct gpu_kernel *k) {
    if (strategy_of(k->job->plan)->devices)
        return true;
    return emit_refuse(k->job, ORR2460, k->job->loop->header,
                       "the loop cannot run on a GPU: it would be parallel by %s, which this "
                       "version has for CPUs only",
                       strategy_name(k->job->plan->strategy));
}

/* What is folded number by number into a variable or an array that the body names. */
static const char *reduction_misses(const struct gpu_kernel *k, const struct emit_reduction *r) {
    const struct reduction *reduction =
        r->facts_index >= 0 ? &k->job->facts->reductions[r->facts_index] : NULL;
    if (r->last || !reduction)
        return "is scratch space, or its last value is used";
    if ((r->merged || r->buffered) && k->job->plan->strategy == STRATEGY_WAVEFRONT)
        return "is merged by relax or buffer in a wavefront";
    if (r->buffered && !r->is_array)
        return "is a number that buffer collects updates of";
    if (reduction->nfields || r->holder || r->reference)
        return "is a member of structures";
    if (!r->var)
        return "is not a variable of its own";
    const struct reduction_operator *row = reduction_operator(reduction->op);
    if (reduction->argmin || (!r->merged && !r->buffered && !(row && row->on_device)))
        return "is set by some iterations, or together with another";
    return gpu_suffix(reduction->type) ? NULL : "has a type that a GPU has not got";
}

static bool check_reduction(const struct gpu_kernel *k, const struct emit_reduction *r) {
    const char *why = reduction_misses(k, r);
    return !why || emit_refuse(k->job, ORR2465, k->job->loop->header,
                               "the loop cannot run on a GPU: `%s` %s", r->title, why);
}

static bool check_loop(const struct gpu_kernel *k) {
    struct outline *job = k->job;
    if (!check_strategy(k) || !gpu_locals_fit(k, job->loop->body))
        return false;
    for (int j = 0; j < job->nreductions; ++j)
        if (!check_reduction(k, &job->reductions[j]))
            return false;
    const char *addresses = emit_addresses(job);
    if (addresses)
        return emit_refuse(job, ORR2286, job->loop->header,
                           "the loop cannot run on a GPU: what it leaves in `%s` is an address, "
                           "which means nothing to the host; keep a subscript in its place",
                           addresses);
    unsigned long arrays;
    const char *compared = emit_compared(job, &arrays);
    if (compared)
        return emit_refuse(job, ORR2286, job->loop->header,
                           "the loop cannot run on a GPU: `%s` compares addresses, which are "
                           "others there; compare subscripts in their place",
                           compared);
    if (emit_is_moving(job) || job->facts->by_number || job->loop->variable->type->kind != TYPE_INT)
        return emit_refuse(job, ORR2466, job->loop->header,
                           "the loop cannot run on a GPU: variables move from iteration to "
                           "iteration; compute them from a counter");
    for (int i = 0; i < job->narrays; ++i)
        if (job->arrays[i]->object->kind == OBJECT_ROWS)
            return emit_refuse(job, ORR2463, job->loop->header,
                               "the loop cannot run on a GPU: %s are reached through a table of "
                               "pointers; use one array for all rows",
                               object_words(job->arena, job->arrays[i]->object));
    return true;
}

/* ---- who runs what --------------------------------------------------------------------------- */

/* What a row works on in its own order: arrays that are folded into, what is merged, and minima of
 * which the order decides between equal numbers. */
static bool has_row_copies(const struct outline *job) {
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].is_array || job->reductions[j].merged)
            return true;
    for (int i = 0; i < job->facts->nreductions; ++i)
        if (job->facts->reductions[i].ties)
            return true;
    return false;
}

static void choose_form(struct gpu_kernel *k) {
    enum strategy strategy = k->job->plan->strategy;
    bool free = strategy == STRATEGY_INDEPENDENT || strategy == STRATEGY_REDUCTION;
    if (strategy == STRATEGY_WAVEFRONT) {
        k->form = GPU_SERIAL;
        k->rows = k->job->nreductions ? GPU_ROW_BY_LANE_0 : GPU_TILE;
        return;
    }
    gpu_lanes_find(k);
    bool warp = k->nlanes > 0 && gpu_warp_fits(k);
    k->form = GPU_SERIAL;
    if (free && !has_row_copies(k->job))
        k->rows = GPU_ASSIGNED;
    else if (warp)
        k->rows = GPU_ROW_PER_WARP;
    else
        k->rows =
            strategy_form(k->job->plan->strategy)->waits ? GPU_ROW_BY_LANE_0 : GPU_ROW_PER_LANE;
    if (k->rows == GPU_ROW_PER_WARP) {
        k->form = GPU_WARP;
        gpu_keep_find(k);
    }
}

static const char *rows_words(const struct gpu_kernel *k) {
    static const char *const words[] = {
        [GPU_ROW_PER_WARP] = "a row of the grid per warp, loops inside across its lanes",
        [GPU_ROW_BY_LANE_0] = "a row of the grid per warp, of which one lane works",
        [GPU_ROW_PER_LANE] = "a row of the grid per lane",
        [GPU_ASSIGNED] = "a row of the grid per warp, its iterations assigned to the lanes",
        [GPU_TILE] = "a row of tiles per warp, an iteration per lane, each a position behind",
    };
    return words[k->rows];
}

/* ---- environment and record ------------------------------------------------------------------ */

static const char *member_text(struct gpu_kernel *k, const struct env_field *field) {
    const struct type *type = field->var ? field->var->type : NULL;
    switch (field->role) {
    case FIELD_VALUE:
        if (type->kind == TYPE_POINTER || type->kind == TYPE_FUNCTION)
            break;
        return gpu_declare_plain(k, type, gpu_name(k, field->var));
    case FIELD_EXTENT:
        return arena_printf(k->arena, "long %s", field->name);
    default:
        break;
    }
    return arena_printf(k->arena, "const void *%s",
                        field->role == FIELD_POINTER ? gpu_name(k, field->var) : field->name);
}

static void env_print(struct gpu_kernel *k, struct text *out) {
    struct outline *job = k->job;
    text_print(out, "struct orrery_env_%d {\n    long orrery_lower;\n", job->number);
    for (int i = 0; i < job->nfields; ++i)
        text_print(out, "    %s;\n", member_text(k, &job->fields[i]));
    for (int j = 0; j < job->nreductions; ++j)
        text_print(out, "    void *orrery_target_%d;\n", j);
    text_print(out, "};\n\n");
}

static bool has_record(const struct outline *job) {
    return job->plan->by_key && (job->nslots > 0 || job->record_index);
}

static void record_print(struct gpu_kernel *k, struct text *out) {
    struct outline *job = k->job;
    if (!has_record(job))
        return;
    text_print(out, "struct orrery_record_%d {\n", job->number);
    if (job->record_index)
        text_print(out, "    long i;\n");
    for (int i = 0; i < job->nslots; ++i) {
        const struct record_slot *slot = &job->slots[i];
        text_print(out, "    %s;\n",
                   slot->bits ? arena_printf(k->arena, "int %s", slot->name)
                              : gpu_declare_plain(k, slot->load->type, slot->name));
    }
    text_print(out, "};\n\n");
}

/* A number that differs when a member stands elsewhere:
 * the host's text and the kernel's have to agree. */
static const char *layout_text(const struct outline *job, bool device) {
    struct gpu_kernel k = {.arena = job->arena};
    struct text out;
    int weight = 1;
    text_start(&out, job->arena);
    text_print(&out, "sizeof(struct orrery_env_%d)", job->number);
    for (int i = 0; i < job->nfields; ++i) {
        const struct env_field *field = &job->fields[i];
        bool named = device && field->var && field->name == field->var->name;
        text_print(&out, " +\n        __builtin_offsetof(struct orrery_env_%d, %s) * %d",
                   job->number, named ? gpu_name(&k, field->var) : field->name, weight += 2);
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

void gpu_locals_print(struct gpu_kernel *k, const char *body, struct text *out) {
    for (int i = 0; i < k->job->nfields; ++i) {
        const struct env_field *field = &k->job->fields[i];
        const char *name = field->var ? gpu_name(k, field->var) : field->name;
        if ((field->role != FIELD_VALUE && field->role != FIELD_POINTER) || !token_uses(body, name))
            continue;
        if (field->role == FIELD_VALUE) {
            text_print(out, "    const %s = orrery_env->%s;\n",
                       gpu_declare_plain(k, field->var->type, name), name);
            continue;
        }
        const struct type *element = field->var->type->element;
        bool wrap = element->kind == TYPE_ARRAY;
        const char *pointer = gpu_declare(k, element, wrap ? "(*)" : "*");
        text_print(out, "    %s = (%s)orrery_env->%s;\n",
                   gpu_declare(k, element, arena_printf(k->arena, wrap ? "(*%s)" : "*%s", name)),
                   pointer, name);
    }
}

static void privates_print(struct gpu_kernel *k, struct text *out) {
    for (int i = 0; i < k->job->facts->nprivates; ++i) {
        const struct variable *var = k->job->facts->privates[i].var;
        if (emit_is_outside(k->job, var) && var != k->job->loop->variable &&
            !emit_reduction_of(k->job, var))
            text_print(out, "    %s;\n", gpu_declare_plain(k, var->type, gpu_name(k, var)));
    }
}

static const struct reduction *reduction_of(const struct gpu_kernel *k, int j) {
    return &k->job->facts->reductions[k->job->reductions[j].facts_index];
}

/* Where a row's copy of a reduction is. */
static const char *copy_text(struct gpu_kernel *k, int j) {
    return arena_printf(k->arena,
                        "(orrery_job->copies[%d].memory + (orrery_row - orrery_job->row_low) * "
                        "orrery_job->copies[%d].stride)",
                        j, j);
}

static void copies_print(struct gpu_kernel *k, struct text *out) {
    for (int j = 0; j < k->job->nreductions; ++j) {
        const struct emit_reduction *r = &k->job->reductions[j];
        const struct reduction *reduction = reduction_of(k, j);
        const char *name = gpu_name(k, r->var);
        if (r->is_array) {
            const struct type *element = r->var->type->element;
            bool wrap = element->kind == TYPE_ARRAY;
            const char *snapshot = arena_printf(k->arena, "orrery_job->copies[%d].snapshot", j);
            text_print(
                out, "    %s = (%s)%s;\n",
                gpu_declare_plain(k, element, arena_printf(k->arena, wrap ? "(*%s)" : "*%s", name)),
                gpu_declare_plain(k, element, wrap ? "(*)" : "*"),
                r->buffered ? snapshot : copy_text(k, j));
            if (r->buffered)
                text_print(out, "    const long orrery_shift_%d = %s - %s;\n", j, copy_text(k, j),
                           snapshot);
            continue;
        }
        const char *declared = gpu_declare_plain(k, r->var->type, name);
        if (k->rows == GPU_ASSIGNED)
            text_print(out, "    %s = (%s)%s;\n", declared, gpu_declare_plain(k, r->var->type, ""),
                       gpu_identity(k->arena, reduction->op, r->var->type));
        else
            text_print(out, "    %s = *(%s)%s;\n", declared,
                       gpu_declare_plain(k, r->var->type, "*"), copy_text(k, j));
    }
}

static const char *fold_text(struct gpu_kernel *k, int j) {
    const struct emit_reduction *r = &k->job->reductions[j];
    enum reduction_op op = reduction_base(reduction_of(k, j)->op);
    const char *suffix = gpu_suffix(r->var->type);
    bool wraps = (op == REDUCE_ADD || op == REDUCE_MUL) && r->var->type->kind != TYPE_FLOAT;
    if (wraps)
        suffix = suffix[1] == '6' ? "u64" : "u32";
    return arena_printf(k->arena, "orrery_lanes_%s_%s((%s)%s)", reduction_operator(op)->lanes,
                        suffix, gpu_suffix_type(suffix), gpu_name(k, r->var));
}

/* Lane 0 writes what all lanes have read. */
static void results_print(struct gpu_kernel *k, struct text *out) {
    const char *who = k->rows == GPU_ROW_PER_LANE ? "" : "if (orrery_lane == 0)\n        ";
    if (k->rows == GPU_ROW_PER_WARP || k->rows == GPU_ROW_BY_LANE_0)
        text_print(out, "    orrery_meet();\n");
    for (int j = 0; j < k->job->nreductions; ++j) {
        const struct emit_reduction *r = &k->job->reductions[j];
        const char *name = gpu_name(k, r->var);
        if (r->is_array)
            continue;
        if (k->rows == GPU_ASSIGNED)
            text_print(out, "    %s = (%s)%s;\n", name, gpu_declare_plain(k, r->var->type, ""),
                       fold_text(k, j));
        text_print(out, "    %s*(%s)%s = %s;\n", who, gpu_declare_plain(k, r->var->type, "*"),
                   copy_text(k, j), name);
    }
}

/* `first`, `end` and `step` of the lane's way through the block. */
static void way_print(const struct gpu_kernel *k, struct text *out) {
    if (k->rows == GPU_ASSIGNED)
        text_print(out, "    const long orrery_step = orrery_in_order ? 1 : ORRERY_LANES;\n"
                        "    if (orrery_in_order && orrery_lane > 0)\n"
                        "        orrery_first = orrery_end;\n"
                        "    else\n"
                        "        orrery_first += orrery_lane;\n");
    else if (k->rows == GPU_ROW_BY_LANE_0)
        text_print(out, "    if (orrery_lane > 0)\n        orrery_first = orrery_end;\n");
}

static void iteration_print(struct gpu_kernel *k, struct text *out) {
    struct outline *job = k->job;
    const struct variable *var = job->loop->variable;
    const char *index = job->plan->by_key ? "orrery_r->i" : "orrery_i";
    text_print(out, "    for (long orrery_i = orrery_first; orrery_i < orrery_end; orrery_i%s) {\n",
               k->rows == GPU_ASSIGNED ? " += orrery_step" : " += 1");
    if (has_record(job))
        text_print(out,
                   "        const struct orrery_record_%d *const orrery_r =\n"
                   "            (const struct orrery_record_%d *)orrery_job->records + orrery_i;\n",
                   job->number, job->number);
    if (!job->plan->by_key || job->record_index)
        text_print(out, "        %s = (%s)(orrery_env->orrery_lower + %s * %ldL);\n",
                   gpu_declare_plain(k, var->type, gpu_name(k, var)),
                   gpu_declare_plain(k, var->type, ""), index, job->loop->step);
    text_print(out, "%s", gpu_wave_places(k));
}

static void block_print(struct gpu_kernel *k, const char *body, struct text *out) {
    struct outline *job = k->job;
    text_print(
        out,
        "ORRERY_DEVICE void orrery_block_%d(const struct orrery_kernel_job *orrery_job,\n"
        "                                  long orrery_row, long orrery_first,\n"
        "                                  long orrery_end, const int orrery_in_order%s%s) {\n"
        "    const struct orrery_env_%d *const orrery_env =\n"
        "        (const struct orrery_env_%d *)orrery_job->env;\n"
        "    const int orrery_lane = orrery_lane_number();\n",
        job->number,
        job->plan->strategy == STRATEGY_WAVEFRONT ? ",\n                                 "
                                                    " const long orrery_from, const long "
                                                    "orrery_to"
                                                  : "",
        k->nkept ? ",\n                                  const long orrery_most" : "", job->number,
        job->number);
    gpu_locals_print(k, arena_printf(k->arena, "%s%s", gpu_wave_places(k), body), out);
    privates_print(k, out);
    copies_print(k, out);
    text_print(out, "    (void)orrery_env;\n    (void)orrery_lane;\n    (void)orrery_row;\n"
                    "    (void)orrery_in_order;\n");
    way_print(k, out);
    iteration_print(k, out);
    text_print(out, "%s    }\n", body);
    results_print(k, out);
    text_print(out, "}\n\n");
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Sums in order are taken by the kernel that keeps no rows. */
static void call_print(const struct gpu_kernel *k, const char *first, const char *end,
                       const char *indent, struct text *out) {
    text_print(out,
               "%sif (%sorrery_job->in_order)\n"
               "%s    orrery_block_%d(orrery_job, row, %s, %s, 1%s);\n"
               "%selse\n"
               "%s    orrery_block_%d(orrery_job, row, %s, %s, 0%s);\n",
               indent, k->nkept ? "orrery_most == 0 && " : "", indent, k->job->number, first, end,
               k->nkept ? ", 0" : "", indent, indent, k->job->number, first, end,
               k->nkept ? ", orrery_most" : "");
}

/* Clock by clock, so that what a block waits for never waits for it. */
static void chained_print(const struct gpu_kernel *k, struct text *out) {
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
               "            if (column < 0 || !orrery_take(orrery_job, i, row, column))\n"
               "                continue;\n");
    call_print(k, "orrery_job->starts[i]", "orrery_job->starts[i + 1]", "            ", out);
    text_print(out, "            orrery_pass(orrery_job, i, row, column);\n        }\n"
                    "        orrery_column_done(orrery_job, clock);\n    }\n");
}

static void free_rows_print(const struct gpu_kernel *k, struct text *out) {
    bool lanes = k->rows == GPU_ROW_PER_LANE;
    text_print(
        out,
        "    const long worker = orrery_warp_number()%s;\n"
        "    const long workers = orrery_warp_count()%s;\n"
        "    for (long row = orrery_job->row_low + worker; row < orrery_job->row_high; row += "
        "workers) {\n",
        lanes ? " * ORRERY_LANES + orrery_lane_number()" : "", lanes ? " * ORRERY_LANES" : "");
    if (k->job->plan->by_key)
        text_print(out, "        const long i = row - orrery_job->row_low;\n"
                        "        long first = orrery_job->starts[i];\n"
                        "        long end = orrery_job->starts[i + 1];\n");
    else
        text_print(out,
                   "        long first = orrery_part(orrery_job->count, row, orrery_job->rows);\n"
                   "        long end = orrery_part(orrery_job->count, row + 1, "
                   "orrery_job->rows);\n");
    text_print(out, "        orrery_phase(orrery_job, &first, &end);\n");
    call_print(k, "first", "end", "        ", out);
    text_print(out, "    }\n");
}

static void rows_print(struct gpu_kernel *k, struct text *out) {
    const struct outline *job = k->job;
    text_print(
        out, "ORRERY_DEVICE void orrery_rows_%d(const struct orrery_kernel_job *orrery_job%s) {\n",
        job->number, k->nkept ? ", const long orrery_most" : "");
    if (job->plan->strategy == STRATEGY_WAVEFRONT)
        gpu_wave_rows_print(k, out);
    else if (strategy_form(job->plan->strategy)->waits)
        chained_print(k, out);
    else
        free_rows_print(k, out);
    text_print(out, "}\n\n");
    if (k->nkept)
        gpu_entries_print(k, layout_text(job, true), out);
    else
        text_print(out, "ORRERY_KERNEL(%s, orrery_rows_%d, %d,\n    %s)\n\n", job->kernel_name,
                   job->number, k->rows == GPU_ROW_PER_LANE, layout_text(job, true));
}

/* ---- all of it ------------------------------------------------------------------------------- */

static const char *body_text(struct gpu_kernel *k) {
    const struct stmt *body = k->job->loop->body;
    struct text text;
    text_start(&text, k->arena);
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody; ++i)
        gpu_stmt_print(k, body->body[i], k->form, 2, &text);
    if (body->kind != STMT_BLOCK)
        gpu_stmt_print(k, body, k->form, 2, &text);
    return text.bytes ? text.bytes : "";
}

bool gpu_kernel_print(struct outline *job, struct text *out) {
    struct gpu_kernel k = {.job = job, .arena = job->arena};
    struct text own;
    if (!check_loop(&k))
        return false;
    choose_form(&k);
    text_start(&k.types, job->arena);
    text_start(&k.functions, job->arena);
    text_start(&own, job->arena);
    const char *body = body_text(&k);
    env_print(&k, &own);
    record_print(&k, &own);
    struct text block;
    text_start(&block, job->arena);
    block_print(&k, body, &block);
    if (!gpu_collects_all(&k) || job->refused)
        return false;
    text_print(out, "/* %s:%d: the loop of %s, by %s: %s%s */\n", job->file,
               job->loop->header.begin.line, job->loop->function->name,
               strategy_name(job->plan->strategy), rows_words(&k), gpu_keep_words(&k));
    text_append(out, k.types.bytes, k.types.length);
    text_append(out, own.bytes, own.length);
    text_append(out, k.functions.bytes, k.functions.length);
    text_append(out, block.bytes, block.length);
    rows_print(&k, out);
    return true;
}
