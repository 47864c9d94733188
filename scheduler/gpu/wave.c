/*
 * Wavefronts: the pieces of a body that a block has, as scheduler/emit/wave.c cuts them for
 * workers, and the tiles of a warp.
 */
#include "scheduler/gpu/gpu.h"

static bool is_wave(const struct outline *job) {
    return job->plan->strategy == STRATEGY_WAVEFRONT;
}

const struct wave_part *gpu_wave_part(const struct outline *job, const struct stmt *stmt) {
    const struct plan_wave *wave = job->plan->wave;
    for (int i = 0; is_wave(job) && i < wave->nparts; ++i)
        if (wave->parts[i].stmt == stmt && wave->parts[i].kind != WAVE_DECLARATION)
            return &wave->parts[i];
    return NULL;
}

const struct affine *gpu_wave_place(const struct wave_part *part) {
    return part->at_end ? &part->loop->upper : &part->loop->lower;
}

static const char *affine_text(struct gpu_printer *p, const struct affine *affine) {
    const char *text = arena_printf(p->arena, "%ldL", affine->constant);
    for (int i = 0; i < affine->nterms; ++i) {
        const struct symbol *symbol = affine->terms[i].symbol;
        const char *value = symbol->kind == SYMBOL_LOOP ? gpu_name(p->arena, symbol->loop->variable)
                                                        : gpu_expr(p, symbol->expr);
        text =
            arena_printf(p->arena, "%s + %ldL * (long)(%s)", text, affine->terms[i].coeff, value);
    }
    return text;
}

const char *gpu_wave_places(struct gpu_printer *p) {
    const struct plan_wave *wave = p->job->plan->wave;
    struct text out;
    text_start(&out, p->arena);
    for (int i = 0; is_wave(p->job) && i < wave->nparts; ++i) {
        const struct wave_part *part = &wave->parts[i];
        if (part->kind != WAVE_STATEMENT)
            continue;
        text_print(&out, "        const long orrery_place_%d = %s;\n", i,
                   emit_wave_position(p->job, part, affine_text(p, gpu_wave_place(part))));
    }
    return out.bytes ? out.bytes : "";
}

/* The last value that the user's condition lets through. */
static const char *last_text(struct gpu_printer *p, const struct loop *loop) {
    bool strict = loop->relation == OP_LT || loop->relation == OP_GT;
    return arena_printf(p->arena, "(long)(%s)%s", gpu_expr(p, loop->upper),
                        !strict          ? ""
                        : loop->step > 0 ? " - 1"
                                         : " + 1");
}

/* An empty piece may have bounds that do not fit the variable's type. */
static void header_print(struct gpu_printer *p, const struct wave_part *part, int indent,
                         struct text *out) {
    const struct loop *loop = part->loop->loop;
    const char *type = gpu_declare_plain(p, loop->variable->type, "");
    const char *name = gpu_name(p->arena, loop->variable);
    const char *lower = arena_printf(p->arena, "(long)(%s)(%s)", type, gpu_expr(p, loop->lower));
    bool up = loop->step > 0;
    const char *variable =
        loop->declares_variable ? gpu_declare_plain(p, loop->variable->type, name) : name;
    int in = 4 * indent;
    text_print(out,
               "%*sconst long orrery_low = orrery_enter_at(%s, %ldL, %s);\n"
               "%*sconst long orrery_high = orrery_sooner_of(%s, %s, %ldL);\n"
               "%*sconst int orrery_some = orrery_low %s orrery_high;\n"
               "%*sconst %s orrery_start = (%s)(orrery_some ? orrery_low : 0);\n"
               "%*sconst %s orrery_stop = (%s)(orrery_some ? orrery_high %s 1 : 0);\n"
               "%*sfor (%s = orrery_start; %s %s orrery_stop; %s += %ld) { %s\n",
               in, "", emit_loop_first(p->job, loop, lower), loop->step,
               emit_wave_value(p->job, part, "orrery_from"), in, "",
               emit_loop_last(p->job, loop, last_text(p, loop)),
               emit_wave_value(p->job, part, "orrery_to - 1"), loop->step, in, "",
               up ? "<=" : ">=", in, "", type, type, in, "", type, type, up ? "+" : "-", in, "",
               variable, name, up ? "<" : ">", name, loop->step, gpu_place(p, part->stmt->range));
}

void gpu_wave_print(struct gpu_printer *p, const struct wave_part *part, int indent,
                    struct text *out) {
    const struct plan_wave *wave = p->job->plan->wave;
    if (part->kind == WAVE_LOOP) {
        text_print(out, "%*s{ // the iterations of the piece\n", 4 * indent, "");
        header_print(p, part, indent + 1, out);
        gpu_nested_print(p, part->loop->loop->body, GPU_SERIAL, indent + 1, out);
        text_print(out, "%*s}\n%*s}\n", 4 * indent + 4, "", 4 * indent, "");
        return;
    }
    long i = part - wave->parts;
    text_print(out, "%*sif (orrery_from <= orrery_place_%ld && orrery_place_%ld < orrery_to) {\n",
               4 * indent, "", i, i);
    gpu_stmt_whole_print(p, part->stmt, GPU_SERIAL, indent + 1, out);
    text_print(out, "%*s}\n", 4 * indent, "");
}

/*
 * A tile by all lanes: each takes an iteration and is one position behind the lane before it. Every
 * (iteration, position) is a block of a finer grid, whose order that is.
 */
static void tile_print(struct gpu_printer *p, struct text *out) {
    text_print(out,
               "            for (long i = first; i < end; i += ORRERY_LANES)\n"
               "                for (long step = 0; step < width + ORRERY_LANES - 1; ++step) {\n"
               "                    const long at = step - orrery_lane_number();\n"
               "                    const long own = i + orrery_lane_number();\n"
               "                    if (own < end && at >= 0 && at < width)\n"
               "                        orrery_block_%d(orrery_job, row, own, own + 1, 0,\n"
               "                                       at == 0 ? from : low + at,\n"
               "                                       at == width - 1 ? to : low + at + 1%s);\n"
               "                    orrery_meet();\n"
               "                }\n",
               p->job->number, gpu_tile_totals(p, false));
}

void gpu_wave_rows_print(struct gpu_printer *p, struct text *out) {
    text_print(
        out,
        "    const long warp = orrery_warp_number(), warps = orrery_warp_count();\n"
        "    const long width = orrery_job->wave_width;\n"
        "    for (long row = orrery_job->panel_low + warp; row < orrery_job->panel_high; row += "
        "warps) {\n");
    gpu_tile_totals_print(p, true, out);
    text_print(
        out, "        const long first = orrery_part(orrery_job->count, row, orrery_job->rows);\n"
             "        const long end = orrery_part(orrery_job->count, row + 1, orrery_job->rows);\n"
             "        const long before = orrery_job->reach[2 * row];\n"
             "        const long last = orrery_job->reach[2 * row + 1] - 1;\n"
             "        long column = before > orrery_job->clock_low ? before : "
             "orrery_job->clock_low;\n"
             "        for (; column <= last && column < orrery_job->clock_high; ++column) {\n"
             "            const long low = orrery_job->wave_low + column * width;\n"
             "            const long from = column > before ? low : -ORRERY_NOWHERE;\n"
             "            const long to = column < last ? low + width : ORRERY_NOWHERE;\n"
             "            orrery_wave_take(orrery_job, row, column + 1);\n");
    if (p->kernel->rows == GPU_TILE)
        tile_print(p, out);
    else
        text_print(out,
                   "            orrery_block_%d(orrery_job, row, first, end, 0, from, to);\n"
                   "            (void)low;\n",
                   p->job->number);
    text_print(out, "            orrery_wave_pass(orrery_job, row, column + 1);\n        }\n"
                    "        orrery_wave_rest(orrery_job, row, column);\n");
    gpu_tile_totals_print(p, false, out);
    text_print(out, "    }\n");
}
