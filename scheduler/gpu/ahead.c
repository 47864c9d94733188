/*
 * Rows that are loaded ahead. A warp goes through the records of a block. Where each record's rows
 * stand is known from the record alone, so the lanes find it for 32 records at once, and the rows of
 * the next records are copied to shared memory while the body of this one runs; those of the very
 * next one come to registers. A row that the next record has as well stays in registers and is
 * stored when the warp leaves it; one that a record soon behind has is put where that looks for it
 * (orrery_device_rows.h).
 */
#include "scheduler/gpu/gpu.h"

#include <ctype.h>
#include <string.h>

/* ---- what leads to a row --------------------------------------------------------------------- */

static bool is_change(const void *var, const struct expr *expr) {
    bool writes =
        expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT || expr->kind == EXPR_ADDRESS;
    return writes && expr->args[0]->kind == EXPR_VAR && expr->args[0]->var == var;
}

static bool is_changed(const struct gpu_kernel *k, const struct variable *var) {
    return stmt_any_expr(k->job->loop->body, is_change, var);
}

/* Declared in the list of the body's statements. */
static bool is_listed(const struct gpu_kernel *k, const struct variable *var) {
    const struct stmt *body = k->job->loop->body;
    for (int i = 0; i < body->nbody; ++i)
        for (int v = 0; body->body[i]->kind == STMT_DECL && v < body->body[i]->nvars; ++v)
            if (body->body[i]->vars[v] == var)
                return true;
    return false;
}

static bool is_known(const struct gpu_kernel *k, const struct expr *expr);

static bool is_known_variable(const struct gpu_kernel *k, const struct variable *var) {
    const struct env_field *field = emit_field_of(k->job, var);
    if (var == k->job->loop->variable)
        return !is_changed(k, var);
    if (field)
        return (field->role == FIELD_VALUE || field->role == FIELD_POINTER) &&
               !emit_is_private(k->job, var) && !emit_reduction_of(k->job, var);
    return is_listed(k, var) && var->init && is_known(k, var->init) && !is_changed(k, var);
}

static bool are_known(const struct gpu_kernel *k, const struct expr *expr) {
    for (int i = 0; i < expr->nargs; ++i)
        if (!is_known(k, expr->args[i]))
            return false;
    return true;
}

/* Follows from the record and the environment, and from nothing in memory. */
static bool is_known(const struct gpu_kernel *k, const struct expr *expr) {
    if (gpu_slot_of(k->job, expr))
        return true;
    switch (expr->kind) {
    case EXPR_INT:
        return true;
    case EXPR_VAR:
        return is_known_variable(k, expr->var);
    case EXPR_UNARY:
    case EXPR_BINARY:
    case EXPR_CAST:
        return are_known(k, expr);
    case EXPR_SUBSCRIPT:
        return expr->type && expr->type->kind == TYPE_ARRAY && are_known(k, expr);
    case EXPR_ADDRESS:
        return expr->args[0]->kind == EXPR_SUBSCRIPT && !gpu_slot_of(k->job, expr->args[0]) &&
               are_known(k, expr->args[0]);
    default:
        return false;
    }
}

/* ---- which kernels --------------------------------------------------------------------------- */

static bool is_it(const void *data, const struct expr *expr) {
    return expr == data;
}

/* An element of the row, in one of its loops. */
static bool is_of_row(const struct gpu_row *row, const struct access *access) {
    if (access->via || access->expr->kind != EXPR_SUBSCRIPT ||
        access->expr->args[0]->kind != EXPR_VAR || access->expr->args[0]->var != row->pointer)
        return false;
    for (int i = 0; i < row->nloops; ++i)
        if (stmt_any_expr(row->loops[i]->loop->body, is_it, access->expr))
            return true;
    return false;
}

/* Nothing else in the iteration touches the row's memory. */
static bool is_alone(struct gpu_kernel *k, const struct gpu_row *row) {
    const struct loop_facts *facts = k->job->facts;
    for (int i = 0; i < facts->naccesses; ++i)
        if (!gpu_slot_of(k->job, facts->accesses[i].expr) &&
            !gpu_are_apart(k, row->object, facts->accesses[i].object) &&
            !is_of_row(row, &facts->accesses[i]))
            return false;
    return true;
}

/* Every iteration comes to the row's first loop. */
static bool is_certain(const struct gpu_kernel *k, const struct gpu_row *row) {
    const struct stmt *body = k->job->loop->body;
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody; ++i) {
        const struct stmt *stmt = body->body[i];
        const struct gpu_lanes *lanes = stmt->kind == STMT_FOR ? gpu_lanes_of(k, stmt->loop) : NULL;
        if (lanes == row->first)
            return true;
        if (!lanes && stmt->kind != STMT_DECL && stmt->kind != STMT_EXPR &&
            stmt->kind != STMT_EMPTY)
            return false;
    }
    return false;
}

/* Lanes can tell each other the record. */
static bool travels(const struct outline *job) {
    for (int i = 0; i < job->nslots; ++i)
        if (!job->slots[i].bits && !gpu_suffix(job->slots[i].load->type))
            return false;
    return true;
}

void gpu_ahead_find(struct gpu_kernel *k) {
    enum { MOST = 32 / 6 }; /* bits of all rows' ways (ORRERY_WAYS) */
    k->ahead = k->nreused > 0 && k->nreused <= MOST && gpu_has_record(k->job) && travels(k->job) &&
               k->job->plan->strategy != STRATEGY_WAVEFRONT;
    for (int i = 0; i < k->nreused && k->ahead; ++i) {
        const struct gpu_row *row = &k->reused[i];
        k->ahead = is_listed(k, row->pointer) && is_known_variable(k, row->pointer) &&
                   is_certain(k, row) && is_alone(k, row);
    }
}

/* ---- where a record's rows stand ------------------------------------------------------------- */

static bool is_written(const struct gpu_row *row) {
    for (int i = 0; i < row->nloops; ++i)
        for (int w = 0; w < row->loops[i]->nwide; ++w)
            if (row->loops[i]->wide[w].pointer == row->pointer && row->loops[i]->wide[w].written)
                return true;
    return false;
}

static const char *element(struct gpu_printer *p, const struct gpu_row *row) {
    return gpu_declare_plain(p, row->type, "");
}

/* `const float` of a row that is only read. */
static const char *target(struct gpu_printer *p, const struct gpu_row *row) {
    return arena_printf(p->arena, "%s%s", is_written(row) ? "" : "const ", element(p, row));
}

/* The declarations of the body's list that `text` needs, those in front of others first. */
static const char *declarations(struct gpu_printer *p, const char *text) {
    const struct stmt *body = p->job->loop->body;
    const char *all = "";
    for (int i = body->nbody - 1; i >= 0; --i)
        for (int v = body->body[i]->nvars - 1; body->body[i]->kind == STMT_DECL && v >= 0; --v) {
            const struct variable *var = body->body[i]->vars[v];
            if (is_known_variable(p->kernel, var) && (token_uses(text, gpu_name(p->arena, var)) ||
                                                      token_uses(all, gpu_name(p->arena, var))))
                all = arena_printf(p->arena, "    %s\n%s", gpu_declaration(p, var), all);
        }
    return all;
}

static const char *index_text(struct gpu_printer *p, const char *text) {
    const struct variable *var = p->job->loop->variable;
    const char *name = gpu_name(p->arena, var);
    if (!p->job->record_index || !token_uses(text, name))
        return "";
    return arena_printf(p->arena, "    %s = (%s)(orrery_env->orrery_lower + orrery_r->i * %ldL);\n",
                        gpu_declare_plain(p, var->type, name), gpu_declare_plain(p, var->type, ""),
                        p->job->loop->step);
}

static void place_print(struct gpu_printer *p, int i, struct text *out) {
    const struct gpu_row *row = &p->kernel->reused[i];
    const char *name = gpu_name(p->arena, row->pointer);
    const char *from = gpu_expr(p, row->first->loop->lower);
    const char *text = declarations(p, arena_printf(p->arena, "%s %s", name, from));
    const char *index = index_text(p, text);
    int number = p->job->number;
    text_print(out,
               "/* Where a record's row stands: %s. */\n"
               "ORRERY_DEVICE %s *orrery_at_%d_%d(const struct orrery_env_%d *const orrery_env,\n"
               "    const struct orrery_record_%d *const orrery_r) {\n",
               name, target(p, row), number, i, number, number);
    gpu_locals_print(p, arena_printf(p->arena, "%s%s%s", index, text, from), out);
    text_print(out,
               "    (void)orrery_env;\n    (void)orrery_r;\n%s%s"
               "    return %s + (long)(%s);\n}\n\n",
               index, text, name, from);
}

/* ---- groups of records ----------------------------------------------------------------------- */

static void group_type_print(struct gpu_printer *p, struct text *out) {
    int number = p->job->number;
    text_print(
        out,
        "/* Up to 32 records, one per lane, with their rows. `full`: all rows have "
        "`orrery_most`\n   numbers, at places for loads of 16 bytes, and none is late. `ways`:\n"
        "   ORRERY_WAYS bits for each row. */\n"
        "struct orrery_group_%d {\n    struct orrery_record_%d record;\n    int count, "
        "full;\n    unsigned ways;\n",
        number, number);
    for (int i = 0; i < p->kernel->nreused; ++i)
        text_print(out, "    %s *at_%d;\n", target(p, &p->kernel->reused[i]), i);
    text_print(out, "};\n\n");
}

long gpu_ahead_words(const struct gpu_kernel *k) {
    long words = 0;
    for (int i = 0; i < k->nreused; ++i)
        words += k->reused[i].type->size / 4;
    return words;
}

static void record_of_print(const struct gpu_printer *p, struct text *out) {
    int number = p->job->number;
    text_print(out,
               "/* The lane's record of those from `first` on. requires: a block with records */\n"
               "ORRERY_DEVICE struct orrery_record_%d orrery_record_of_%d(\n"
               "    const struct orrery_kernel_job *orrery_job, long first, long end) {\n"
               "    const long at = first + orrery_lane_number();\n"
               "    return ((const struct orrery_record_%d *)orrery_job->records)"
               "[at < end ? at : end - 1];\n}\n\n",
               number, number, number);
}

/* `g`, of the records that the lanes have. */
static void group_make_print(struct gpu_printer *p, struct text *out) {
    int number = p->job->number;
    text_print(
        out,
        "ORRERY_DEVICE struct orrery_group_%d orrery_group_make_%d(\n"
        "    const struct orrery_env_%d *orrery_env, const struct orrery_record_%d *record,\n"
        "    long first, long end, const long numbers, const long most) {\n"
        "    const int ahead = orrery_ahead_by(most, %ld);\n"
        "    struct orrery_group_%d g;\n"
        "    int apt = 1;\n"
        "    g.count = end - first < ORRERY_LANES ? (int)(end - first) : ORRERY_LANES;\n"
        "    g.full = 0;\n"
        "    g.ways = 0;\n"
        "    if (g.count <= 0)\n"
        "        return g;\n"
        "    g.record = *record;\n",
        number, number, number, number, gpu_ahead_words(p->kernel), number);
    for (int i = 0; i < p->kernel->nreused; ++i) {
        const char *type = element(p, &p->kernel->reused[i]);
        text_print(out,
                   "    g.at_%d = orrery_at_%d_%d(orrery_env, &g.record);\n"
                   "    orrery_fetch_row(g.at_%d, (unsigned long)numbers * sizeof(%s));\n"
                   "    g.ways |= orrery_ahead_of(g.at_%d, (unsigned long)numbers * sizeof(%s), "
                   "g.count, ahead)\n"
                   "              << %d * ORRERY_WAYS;\n"
                   "    apt &= (unsigned long)g.at_%d %% 16 == 0;\n",
                   i, number, i, i, type, i, type, i, i);
    }
    text_print(out, "    apt |= most < ORRERY_WIDE;\n");
    for (int i = 0; i < p->kernel->nreused; ++i)
        text_print(out, "    apt &= (g.ways & ORRERY_LATE << %d * ORRERY_WAYS) == 0;\n", i);
    text_print(out, "    g.full = numbers == most && most %% ORRERY_LANES == 0 &&\n"
                    "        orrery_ballot(apt) == 0xffffffffu;\n"
                    "    return g;\n}\n\n");
}

static void group_print(struct gpu_printer *p, struct text *out) {
    int number = p->job->number;
    group_type_print(p, out);
    record_of_print(p, out);
    group_make_print(p, out);
    text_print(
        out,
        "ORRERY_DEVICE struct orrery_group_%d orrery_group_of_%d(\n"
        "    const struct orrery_kernel_job *orrery_job, const struct orrery_env_%d *orrery_env,\n"
        "    long first, long end, const long numbers, const long most) {\n"
        "    struct orrery_record_%d record;\n"
        "    if (first < end)\n"
        "        record = orrery_record_of_%d(orrery_job, first, end);\n"
        "    return orrery_group_make_%d(orrery_env, &record, first, end, numbers, most);\n"
        "}\n\n",
        number, number, number, number, number, number);
}

/* ---- the records of a group, one after the other --------------------------------------------- */

static bool reads_field(const char *body, const char *name) {
    static const char before[] = "orrery_r->";
    for (const char *at = strstr(body, before); at; at = strstr(at + 1, before)) {
        const char *field = at + sizeof before - 1;
        size_t length = strlen(name);
        if (strncmp(field, name, length) == 0 && !isalnum((unsigned char)field[length]) &&
            field[length] != '_')
            return true;
    }
    return false;
}

/* The fields of the record that the body reads: of `orrery_now` from `orrery_coming` (`lane` NULL),
 * or of that from the lane that has it. */
static void fields_print(struct gpu_printer *p, const char *body, const char *indent,
                         const char *lane, struct text *out) {
    const struct outline *job = p->job;
    bool index = token_uses(body, gpu_name(p->arena, job->loop->variable)) && job->record_index;
    if (index && lane)
        text_print(out, "%sorrery_coming.i = orrery_from_lane_i64(orrery_g->record.i, %s);\n",
                   indent, lane);
    else if (index)
        text_print(out, "%sorrery_now.i = orrery_coming.i;\n", indent);
    for (int i = 0; i < job->nslots; ++i) {
        const struct record_slot *slot = &job->slots[i];
        const char *suffix = slot->bits ? "i32" : gpu_suffix(slot->load->type);
        const char *type = slot->bits ? "int" : gpu_declare_plain(p, slot->load->type, "");
        if (reads_field(body, slot->name) && lane)
            text_print(out,
                       "%sorrery_coming.%s = (%s)orrery_from_lane_%s((%s)orrery_g->record.%s, "
                       "%s);\n",
                       indent, slot->name, type, suffix, gpu_suffix_type(suffix), slot->name, lane);
        else if (reads_field(body, slot->name))
            text_print(out, "%sorrery_now.%s = orrery_coming.%s;\n", indent, slot->name,
                       slot->name);
    }
}

static const char *pointer_suffix_text(struct gpu_printer *p, int i, const char *lane) {
    return arena_printf(p->arena, "(%s *)orrery_from_lane_u64((unsigned long)orrery_g->at_%d, %s)",
                        target(p, &p->kernel->reused[i]), i, lane);
}

/* Words of a number of each row in front of row i. */
static long words_before(const struct gpu_kernel *k, int i) {
    long words = 0;
    for (int j = 0; j < i; ++j)
        words += k->reused[j].type->size / 4;
    return words;
}

static const char *suffix_of(const struct gpu_printer *p, int i) {
    return gpu_suffix(p->kernel->reused[i].type);
}

/* Begins to copy the rows of record `nth` to a stage. */
static void put_print(struct gpu_printer *p, struct text *out) {
    int number = p->job->number;
    text_print(out,
               "/* Begins to copy the rows of record `nth` to a stage. */\n"
               "ORRERY_DEVICE void orrery_put_%d(const struct orrery_group_%d *const orrery_g,\n"
               "    unsigned char *const stage, int nth, const long numbers, const long most,\n"
               "    const int full) {\n"
               "    unsigned ways = orrery_from_lane_u32(orrery_g->ways, nth & 31);\n"
               "    ways = nth < ORRERY_LANES ? ways : 0;\n",
               number, number);
    for (int i = 0; i < p->kernel->nreused; ++i)
        text_print(out,
                   "    orrery_stage_put_%s(stage + ORRERY_STAGE(most, %ld), %s, numbers, most, "
                   "full,\n        (ways & ORRERY_COPIED << %d * ORRERY_WAYS) != 0);\n",
                   suffix_of(p, i), words_before(p->kernel, i),
                   pointer_suffix_text(p, i, "nth & 31"), i);
    text_print(out, "    orrery_copies_commit();\n}\n\n");
}

/* What is known of the next record comes from the lane that has it. */
static void next_print(struct gpu_printer *p, const char *indent, const char *lane,
                       struct text *out) {
    for (int i = 0; i < p->kernel->nreused; ++i)
        text_print(out, "%sorrery_next_%d = %s;\n", indent, i, pointer_suffix_text(p, i, lane));
    text_print(out, "%sorrery_ways = orrery_from_lane_u32(orrery_g->ways, %s);\n", indent, lane);
}

/* Its rows. What is in the stage of one that is not there is never looked at. */
static void get_print(struct gpu_printer *p, const char *indent, const char *left,
                      struct text *out) {
    text_print(out, "%sorrery_copies_await(%s);\n", indent, left);
    for (int i = 0; i < p->kernel->nreused; ++i)
        text_print(out,
                   "%sorrery_stage_get_%s(orrery_come_%d, orrery_of + "
                   "ORRERY_STAGE(orrery_most, %ld), orrery_most, orrery_full);\n",
                   indent, suffix_of(p, i), i, words_before(p->kernel, i));
}

/* The rows of the first records set out, and the first one's come to registers. `orrery_of`: the
 * stage of the next record, `orrery_to`: that of the one that is copied next. */
static void ring_print(struct gpu_printer *p, const char *body, struct text *out) {
    int number = p->job->number;
    text_print(out, "    unsigned char *orrery_to = orrery_stages + orrery_ahead * orrery_stage;\n"
                    "    unsigned char *orrery_of = orrery_stages, *const orrery_last = "
                    "orrery_to;\n"
                    "    unsigned orrery_ways;\n"
                    "    (void)orrery_of;\n    (void)orrery_last;\n");
    for (int i = 0; i < p->kernel->nreused; ++i) {
        const struct gpu_row *row = &p->kernel->reused[i];
        text_print(out,
                   "    %s orrery_row_%d[ORRERY_KEPT], orrery_come_%d[ORRERY_KEPT]; // %s\n"
                   "    %s *orrery_next_%d;\n",
                   element(p, row), i, i, row->pointer->name, target(p, row), i);
    }
    text_print(out,
               "    ORRERY_UNROLL\n"
               "    for (int orrery_nth = 0; orrery_nth < orrery_ahead; ++orrery_nth)\n"
               "        orrery_put_%d(orrery_g, orrery_stages + orrery_nth * orrery_stage, "
               "orrery_nth, orrery_numbers, orrery_most, orrery_full);\n"
               "    struct orrery_record_%d orrery_now, orrery_coming;\n"
               "    const struct orrery_record_%d *const orrery_r = &orrery_now;\n"
               "    (void)orrery_r;\n    (void)orrery_coming;\n",
               number, number, number);
    next_print(p, "    ", "0", out);
    fields_print(p, body, "    ", "0", out);
    text_print(out, "    if (orrery_ahead) {\n");
    get_print(p, "        ", "orrery_ahead - 1", out);
    text_print(out, "        orrery_of += orrery_stage;\n    }\n");
}

/* The record's rows, which have come, are in registers; the next one's come while it runs. */
static void rows_enter_print(struct gpu_printer *p, const char *body, struct text *out) {
    int n = p->kernel->nreused;
    for (int i = 0; i < n; ++i)
        text_print(out, "        %s *const orrery_place_%d = orrery_next_%d;\n",
                   target(p, &p->kernel->reused[i]), i, i);
    for (int i = 0; i < n; ++i)
        text_print(out,
                   "        if (orrery_ahead == 0 && !(orrery_ways & ORRERY_SAME << %d * "
                   "ORRERY_WAYS))\n"
                   "            orrery_row_load_%s(orrery_row_%d, orrery_place_%d, "
                   "orrery_numbers, orrery_most, orrery_full);\n"
                   "        if (orrery_ahead && !(orrery_ways & ORRERY_SAME << %d * "
                   "ORRERY_WAYS))\n"
                   "            orrery_row_move_%s(orrery_row_%d, orrery_come_%d, orrery_most, "
                   "orrery_full);\n",
                   i, suffix_of(p, i), i, i, i, suffix_of(p, i), i, i);
    for (int i = 0; i < n; ++i)
        text_print(out,
                   "        if (!orrery_full && orrery_ahead && orrery_ways & ORRERY_LATE << %d * "
                   "ORRERY_WAYS)\n"
                   "            orrery_row_load_%s(orrery_row_%d, orrery_place_%d, "
                   "orrery_numbers, orrery_most, orrery_full);\n",
                   i, suffix_of(p, i), i, i);
    text_print(out, "        const unsigned orrery_mine = orrery_ways;\n"
                    "        (void)orrery_mine;\n"
                    "        if (orrery_ahead) {\n");
    get_print(p, "            ", "orrery_ahead - 2", out);
    text_print(out, "        }\n");
    fields_print(p, body, "        ", NULL, out);
    next_print(p, "        ", "(orrery_nth + 1) & 31", out);
    text_print(out, "        orrery_ways = orrery_nth + 1 < ORRERY_LANES ? orrery_ways : 0;\n");
    fields_print(p, body, "        ", "(orrery_nth + 1) & 31", out);
    text_print(out,
               "        if (orrery_ahead)\n"
               "            orrery_put_%d(orrery_g, orrery_to, orrery_nth + orrery_ahead, "
               "orrery_numbers, orrery_most, orrery_full);\n",
               p->job->number);
}

/* Stored, unless the next record has it; and given to one that takes it. */
static void rows_leave_print(struct gpu_printer *p, struct text *out) {
    text_print(out, "        unsigned char *const orrery_second = orrery_of == orrery_last ? "
                    "orrery_stages : orrery_of + orrery_stage;\n"
                    "        (void)orrery_second;\n");
    for (int i = 0; i < p->kernel->nreused; ++i) {
        if (!is_written(&p->kernel->reused[i]))
            continue;
        text_print(out,
                   "        if (!(orrery_ways & ORRERY_SAME << %d * ORRERY_WAYS))\n"
                   "            orrery_row_store_%s(orrery_place_%d, orrery_row_%d, "
                   "orrery_numbers, orrery_most, orrery_full);\n",
                   i, suffix_of(p, i), i, i);
    }
    text_print(out,
               "        if (orrery_ahead > 1 && ORRERY_RARELY(orrery_mine & orrery_give)) {\n");
    for (int i = 0; i < p->kernel->nreused; ++i)
        for (int d = 2; d <= 3; ++d)
            text_print(out,
                       "            if (orrery_mine & ORRERY_GIVES_%d << %d * ORRERY_WAYS)\n"
                       "                orrery_stage_set_%s(%s + ORRERY_STAGE(orrery_most, %ld), "
                       "orrery_row_%d, orrery_most, orrery_full);\n",
                       d, i, suffix_of(p, i), d == 2 ? "orrery_second" : "orrery_to",
                       words_before(p->kernel, i), i);
    text_print(out, "        }\n"
                    "        orrery_of = orrery_second;\n"
                    "        orrery_to = orrery_to == orrery_last ? orrery_stages : orrery_to + "
                    "orrery_stage;\n");
}

static bool is_total(const struct gpu_printer *p, int j) {
    return !p->job->reductions[j].is_array;
}

/* `, double *const orrery_total_0` */
static const char *totals(struct gpu_printer *p, const char *form) {
    const char *all = "";
    for (int j = 0; j < p->job->nreductions; ++j)
        if (is_total(p, j) && form)
            all = arena_printf(p->arena, "%s, %s", all, arena_printf(p->arena, form, j));
        else if (is_total(p, j))
            all = arena_printf(
                p->arena, "%s,\n    %s", all,
                gpu_declare_plain(p, p->job->reductions[j].var->type,
                                  arena_printf(p->arena, "*const orrery_total_%d", j)));
    return all;
}

static void some_print(struct gpu_printer *p, const char *body, struct text *out) {
    const struct outline *job = p->job;
    int number = job->number;
    text_print(out,
               "/* The records of a group. `orrery_full` is a constant, as `orrery_most` is. */\n"
               "ORRERY_DEVICE void orrery_some_%d(const struct orrery_kernel_job *orrery_job,\n"
               "    long orrery_row, const struct orrery_env_%d *const orrery_env,\n"
               "    const struct orrery_group_%d *const orrery_g, const long orrery_numbers,\n"
               "    const long orrery_most, const int orrery_full,\n"
               "    unsigned char *const orrery_stages%s) {\n"
               "    const int orrery_lane = orrery_lane_number(), orrery_in_order = 0;\n"
               "    const int orrery_ahead = orrery_ahead_by(orrery_most, %ld);\n"
               "    const long orrery_stage = ORRERY_STAGE(orrery_most, %ld);\n",
               number, number, number, totals(p, NULL), gpu_ahead_words(p->kernel),
               gpu_ahead_words(p->kernel));
    gpu_locals_print(p, body, out);
    gpu_privates_print(p, out);
    gpu_copies_print(p, "orrery_total_", out);
    text_print(out, "    (void)orrery_env;\n    (void)orrery_lane;\n    (void)orrery_row;\n"
                    "    (void)orrery_job;\n    (void)orrery_in_order;\n");
    text_print(out, "    const unsigned orrery_give = ");
    for (int i = 0; i < p->kernel->nreused; ++i)
        text_print(out, "%s(ORRERY_GIVES_2 | ORRERY_GIVES_3) << %d * ORRERY_WAYS%s", i ? " | " : "",
                   i, i + 1 == p->kernel->nreused ? ";\n    (void)orrery_give;\n" : "");
    ring_print(p, body, out);
    text_print(out, "    ORRERY_ROLLED\n"
                    "    for (int orrery_nth = 0; orrery_nth < orrery_g->count; ++orrery_nth) {\n");
    rows_enter_print(p, body, out);
    text_print(out, "            do {\n%s%s            } while (0);\n", index_text(p, body), body);
    rows_leave_print(p, out);
    text_print(out, "        if (!orrery_full)\n"
                    "            orrery_meet();\n"
                    "    }\n    orrery_meet();\n");
    for (int j = 0; j < job->nreductions; ++j)
        if (is_total(p, j))
            text_print(out, "    *orrery_total_%d = %s;\n", j,
                       gpu_name(p->arena, job->reductions[j].var));
    text_print(out, "}\n\n");
}

/* ---- a block --------------------------------------------------------------------------------- */

static void some_call_print(struct gpu_printer *p, const char *indent, int full, struct text *out) {
    text_print(out,
               "%sorrery_some_%d(orrery_job, orrery_row, orrery_env, &orrery_g, orrery_numbers, "
               "orrery_most, %d, orrery_stages%s);\n",
               indent, p->job->number, full, totals(p, "&orrery_sum_%d"));
}

/* While a group runs, the next one's rows are fetched, and the records of the one behind that are
 * loaded. */
static void block_print(struct gpu_printer *p, struct text *out) {
    int number = p->job->number;
    text_print(out,
               "ORRERY_DEVICE void orrery_ahead_%d(const struct orrery_kernel_job *orrery_job,\n"
               "    long orrery_row, const struct orrery_env_%d *const orrery_env,\n"
               "    const struct orrery_group_%d *const orrery_begin, long orrery_first, long "
               "orrery_end,\n"
               "    const long orrery_numbers, const long orrery_most,\n"
               "    unsigned char *const orrery_stages) {\n"
               "    const int orrery_lane = orrery_lane_number();\n"
               "    struct orrery_group_%d orrery_g = *orrery_begin;\n"
               "    if (orrery_g.count <= 0)\n        return;\n"
               "    orrery_first += ORRERY_LANES;\n"
               "    struct orrery_record_%d orrery_next = orrery_record_of_%d(orrery_job, "
               "orrery_first, orrery_end);\n",
               number, number, number, number, number, number);
    gpu_totals_print(p, true, out);
    text_print(
        out,
        "    (void)orrery_lane;\n"
        "    for (;;) {\n"
        "        const struct orrery_group_%d orrery_then = orrery_group_make_%d(orrery_env, "
        "&orrery_next, orrery_first, orrery_end, orrery_numbers, orrery_most);\n"
        "        orrery_next = orrery_record_of_%d(orrery_job, orrery_first + ORRERY_LANES, "
        "orrery_end);\n"
        "        if (ORRERY_MOSTLY(orrery_g.full))\n",
        number, number, number);
    some_call_print(p, "            ", 1, out);
    text_print(out, "        else\n");
    some_call_print(p, "            ", 0, out);
    text_print(out, "        if (orrery_first >= orrery_end)\n            break;\n"
                    "        orrery_first += ORRERY_LANES;\n"
                    "        orrery_g = orrery_then;\n"
                    "    }\n    orrery_meet();\n");
    gpu_totals_print(p, false, out);
    text_print(out, "}\n\n");
}

/* The body without what is known of a record, and what it needs of that in front. */
static const char *body_text(struct gpu_printer *p) {
    const struct stmt *body = p->job->loop->body;
    struct text text;
    text_start(&text, p->arena);
    for (int i = 0; i < body->nbody; ++i) {
        const struct stmt *stmt = body->body[i];
        if (stmt->kind != STMT_DECL)
            gpu_stmt_print(p, stmt, p->kernel->form, 3, &text);
        for (int v = 0; stmt->kind == STMT_DECL && v < stmt->nvars; ++v)
            if (!is_known_variable(p->kernel, stmt->vars[v]))
                text_print(&text, "            %s %s\n", gpu_declaration(p, stmt->vars[v]),
                           gpu_place(p, stmt->range));
    }
    const char *rest = text.bytes ? text.bytes : "";
    return arena_printf(p->arena, "%s%s", declarations(p, rest), rest);
}

void gpu_ahead_print(struct gpu_printer *p, struct text *out) {
    for (int i = 0; i < p->kernel->nreused; ++i)
        place_print(p, i, out);
    group_print(p, out);
    put_print(p, out);
    p->ahead = true;
    some_print(p, body_text(p), out);
    p->ahead = false;
    block_print(p, out);
}

/* ---- calls, in the text of a row ------------------------------------------------------------- */

const char *gpu_ahead_values(const struct gpu_printer *p) {
    return arena_printf(p->arena,
                        "    const struct orrery_env_%d values =\n"
                        "        *(const struct orrery_env_%d *)orrery_job->env;\n"
                        "    const long numbers = orrery_numbers_%d(&values);\n",
                        p->job->number, p->job->number, p->job->number);
}

const char *gpu_ahead_group(const struct gpu_printer *p) {
    return arena_printf(p->arena,
                        "            struct orrery_group_%d group;\n"
                        "            if (orrery_most)\n"
                        "                group = orrery_group_of_%d(orrery_job, &values, first, "
                        "end, numbers, orrery_most);\n",
                        p->job->number, p->job->number);
}

const char *gpu_ahead_call(const struct gpu_printer *p, const char *indent) {
    return arena_printf(p->arena,
                        "%selse if (orrery_most)\n"
                        "%s    orrery_ahead_%d(orrery_job, row, &values, &group, first, end, "
                        "numbers, orrery_most, orrery_stages);\n",
                        indent, indent, p->job->number);
}
