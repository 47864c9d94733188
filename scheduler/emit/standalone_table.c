/* Tables of loops in files that stand alone, and the operators that their sums need. */
#include "scheduler/emit/print.h"
#include "scheduler/emit/standalone.h"

#include <ctype.h>
#include <string.h>

/* ---- operators ------------------------------------------------------------------------------- */

/* A row of include/orrery_reductions.def: its folds as text. */
static const struct operator_text {
    enum reduction_op op;
    const char *name, *integer, *floating;
} operators[] = {
#define ROW(NAME, base, lanes, word, title, spelled, call, takes, identity, traits, ties, integer, \
            floating)                                                                              \
    {REDUCE_##NAME, "ORRERY_" #NAME, #integer, #floating},
    ORRERY_REDUCTIONS(ROW)
#undef ROW
};

/* `wide`: what integers are computed in, so that they wrap; NULL: floating-point numbers. `bits`:
 * of floating-point numbers that processors have vectors of. `suffix`: of functions of the C
 * library. */
static const struct number_text {
    const char *name, *type, *wide, *bits, *suffix, *least, *most;
} numbers[] = {
    {"ORRERY_I8", "signed char", "unsigned int", NULL, "", "-127 - 1", "127"},
    {"ORRERY_U8", "unsigned char", "unsigned int", NULL, "", "0", "255"},
    {"ORRERY_I16", "short", "unsigned int", NULL, "", "-32767 - 1", "32767"},
    {"ORRERY_U16", "unsigned short", "unsigned int", NULL, "", "0", "65535"},
    {"ORRERY_I32", "int", "unsigned int", NULL, "", "-2147483647 - 1", "2147483647"},
    {"ORRERY_U32", "unsigned int", "unsigned int", NULL, "", "0", "4294967295u"},
    {"ORRERY_I64", "long", "unsigned long", NULL, "", "-__LONG_MAX__ - 1", "__LONG_MAX__"},
    {"ORRERY_U64", "unsigned long", "unsigned long", NULL, "", "0", "~0ul"},
    {"ORRERY_F32", "float", NULL, "unsigned int", "f", "-__builtin_inff()", "__builtin_inff()"},
    {"ORRERY_F64", "double", NULL, "unsigned long", "", "-__builtin_inf()", "__builtin_inf()"},
    {"ORRERY_F80", "long double", NULL, NULL, "l", "-__builtin_infl()", "__builtin_infl()"},
};

static const struct operator_text *operator_of(const char *name) {
    for (size_t i = 0; i < sizeof operators / sizeof *operators; ++i)
        if (strcmp(operators[i].name, name) == 0)
            return &operators[i];
    return NULL;
}

static const struct number_text *number_of(const char *name) {
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (strcmp(numbers[i].name, name) == 0)
            return &numbers[i];
    return NULL;
}

/* "orrery_add_f64" */
static const char *fold_name(struct arena *arena, const char *op, const char *type) {
    char *name =
        arena_printf(arena, "orrery_%s_%s", op + strlen("ORRERY_"), type + strlen("ORRERY_"));
    for (char *p = name; *p; ++p)
        *p = (char)tolower((unsigned char)*p);
    return name;
}

static const char *identity_text(const struct operator_text *op, const struct number_text *number) {
    switch (reduction_operator(op->op)->identity) {
    case REDUCTION_ONE:
        return "1";
    case REDUCTION_ONES:
        return "~0";
    case REDUCTION_LEAST:
        return number->least;
    case REDUCTION_MOST:
        return number->most;
    default:
        return number->wide ? "0" : "-0.0";
    }
}

static int starts_as(const struct operator_text *op, const struct number_text *number) {
    if (reduction_operator(op->op)->identity == REDUCTION_TARGET)
        return 1;
    return !reduction_is_extreme(op->op) ? 0 : number->wide ? 2 : 3;
}

static void fold_print(struct arena *arena, const char *op_name, const char *type,
                       struct text *out) {
    const struct operator_text *op = operator_of(op_name);
    const struct number_text *number = number_of(type);
    const char *name = fold_name(arena, op_name, type);
    const char *text = number->wide ? op->integer : op->floating;
    const bool libm = reduction_operator(op->op)->call[0] != '\0';
    if (libm)
        text_print(out, "\n#define ORRERY_LIBM(function) __builtin_##function%s%s",
                   number->suffix[0] ? "##" : "", number->suffix);
    text_print(out,
               "\nstatic void %s_to(void *to, const void *from, long n) {\n    %s *x = to;\n"
               "    const %s *y = from;\n",
               name, number->type, number->type);
    if (number->wide)
        text_print(out, "    typedef %s wide;\n    (void)sizeof(wide);\n", number->wide);
    text_print(out,
               "    for (long i = 0; i < n; ++i) {\n        const %s a = x[i], b = y[i];\n"
               "        x[i] = (%s)(%s);\n    }\n}\n\n"
               "static const struct orrery_fold %s = {%s_to, &(const %s){%s}, sizeof(%s), %d};\n",
               number->type, number->type, text, name, name, number->type,
               identity_text(op, number), number->type, starts_as(op, number));
    if (libm)
        text_print(out, "#undef ORRERY_LIBM\n");
}

/* Operators so far. */
struct folds {
    struct arena *arena;
    int count;
    const char **names;
    struct text *out;
};

static void fold_add(struct folds *folds, const char *op, const char *type) {
    if (!op || !type || !operator_of(op) || !number_of(type))
        return;
    const char *name = fold_name(folds->arena, op, type);
    for (int i = 0; i < folds->count; ++i)
        if (strcmp(folds->names[i], name) == 0)
            return;
    ARENA_PUSH(folds->arena, folds->names, folds->count, name);
    fold_print(folds->arena, op, type, folds->out);
}

static void folds_add_fields(const struct outline *job, int j, struct folds *folds) {
    int index = job->reductions[j].facts_index;
    const struct reduction *r = index < 0 ? NULL : &job->facts->reductions[index];
    for (int f = 0; r && f < r->nfields; ++f)
        fold_add(folds, emit_op_name(job->arena, r->fields[f].op),
                 emit_number_name(r->fields[f].type));
}

void standalone_folds_print(int njobs, const struct outline *const *jobs, struct text *out) {
    struct folds folds = {.arena = out->arena, .out = out};
    for (int i = 0; i < njobs; ++i)
        for (int j = 0; j < jobs[i]->nreductions; ++j) {
            fold_add(&folds, jobs[i]->reductions[j].op, jobs[i]->reductions[j].type);
            folds_add_fields(jobs[i], j, &folds);
            const struct argmin *argmin = emit_argmin_of(jobs[i], j);
            if (argmin && argmin->best)
                fold_add(&folds, emit_op_name(jobs[i]->arena, argmin->op),
                         emit_number_name(emit_argmin_compared(argmin)));
        }
}

static const char *merge_name(struct arena *arena, const char *type) {
    return fold_name(arena, "ORRERY_merge", type);
}

static void merge_print(const struct number_text *number, struct text *out) {
    const char *kind = merge_name(out->arena, number->name), *name = kind + strlen("orrery_merge_");
    text_print(out, "\nORRERY_MERGES(%s, %s, %s)\n", name, number->type,
               number->wide ? number->wide : number->type);
    if (number->bits)
        text_print(out, "ORRERY_MERGE_LINES(%s, %s, %s)\n", name, number->type, number->bits);
    text_print(out,
               "static const struct orrery_merging_kind %s = {orrery_merge_find_%s, "
               "orrery_merge_add_%s,\n    orrery_merge_finish_%s, %s%s};\n",
               kind, name, name, name, number->bits ? "orrery_merge_line_" : "0",
               number->bits ? name : "");
}

void standalone_merges_print(int njobs, const struct outline *const *jobs, struct text *out) {
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; ++n) {
        bool found = false;
        for (int i = 0; i < njobs; ++i)
            for (int j = 0; j < jobs[i]->nreductions; ++j)
                found |= jobs[i]->reductions[j].merged &&
                         strcmp(jobs[i]->reductions[j].type, numbers[n].name) == 0;
        if (found)
            merge_print(&numbers[n], out);
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Keys of ordered loops are cut as they come: neighbouring rows are mostly of one part. */
bool standalone_moves_rows(const struct outline *job) {
    bool moves = false;
    if (!job->plan->by_key || plan_is_listed(job->plan) || !plan_may_reorder(job->plan) ||
        !emit_may_relabel(job))
        return false;
    for (int i = 0; i < job->narrays; ++i) {
        const struct plan_array *array = job->arrays[i];
        moves |= emit_dim(job, array->dim) >= 0 && array->object->written &&
                 strcmp(emit_base_offset_text(job, array->object), "-1") != 0;
    }
    return moves;
}

static void print_arrays(const struct outline *job, struct text *out) {
    if (!job->narrays)
        return;
    text_print(out, "static const struct orrery_array orrery_arrays_%d[] = {\n", job->number);
    for (int i = 0; i < job->narrays; ++i) {
        const struct object *object = job->arrays[i]->object;
        text_print(out, "    {.name = \"%s\", .dim = %d", text_escape(job->arena, object->name),
                   emit_dim(job, job->arrays[i]->dim));
        if (standalone_moves_rows(job))
            text_print(out, ",\n     .base_offset = %s, .written = %d",
                       emit_base_offset_text(job, object), object->written);
        text_print(out, "},\n");
    }
    text_print(out, "};\n\n");
}

/* The member of a choice that is compared; 0: there is none. */
static int print_choice(const struct outline *job, int j, struct text *out) {
    const struct argmin *argmin = emit_argmin_of(job, j);
    for (int m = 0; m < argmin->nmembers; ++m) {
        if (argmin->members[m] != argmin->best)
            continue;
        const char *place = arena_printf(job->arena, "m%d", m);
        place = argmin->field ? arena_printf(job->arena, "%s.%s", place, argmin->field->field->name)
                              : place;
        text_print(out,
                   "static const struct orrery_field orrery_fields_%d_%d[] = {\n"
                   "    {&%s, (long)__builtin_offsetof(%s, %s), 0, 1},\n};\n\n",
                   job->number, j,
                   fold_name(job->arena, emit_op_name(job->arena, argmin->op),
                             emit_number_name(emit_argmin_compared(argmin))),
                   job->reductions[j].type_text, argmin->worth ? "worth" : place);
        return 1;
    }
    return 0;
}

static int print_fields(const struct outline *job, int j, struct text *out) {
    int index = job->reductions[j].facts_index;
    const struct reduction *r = index < 0 ? NULL : &job->facts->reductions[index];
    if (emit_is_argmin(job, j))
        return print_choice(job, j, out);
    if (!r || r->nfields == 0)
        return 0;
    text_print(out, "static const struct orrery_field orrery_fields_%d_%d[] = {\n", job->number, j);
    for (int f = 0; f < r->nfields; ++f) {
        const struct reduction_field *field = &r->fields[f];
        text_print(out, "    {&%s, %ld, %ld, %ld},\n",
                   fold_name(job->arena, emit_op_name(job->arena, field->op),
                             emit_number_name(field->type)),
                   field->offset, field->step, field->count);
    }
    text_print(out, "};\n\n");
    return r->nfields;
}

static void print_reduction(const struct outline *job, int j, int nfields, int shape,
                            struct text *out) {
    const struct emit_reduction *r = &job->reductions[j];
    bool folds = operator_of(r->op) && !nfields;
    const char *how = folds                                ? "ORRERY_FOLD"
                      : nfields && !emit_is_argmin(job, j) ? "ORRERY_FIELDS"
                                                           : r->op;
    const char *fold =
        folds ? arena_printf(job->arena, "&%s", fold_name(job->arena, r->op, r->type)) : "0";
    const char *fields =
        nfields ? arena_printf(job->arena, "orrery_fields_%d_%d", job->number, j) : "0";
    text_print(out,
               "    {\"the size of %s\", %s, %s, sizeof(%s), (long)__builtin_offsetof(struct "
               "orrery_env_%d, orrery_target_%d), %d, %d, %s, %d, %d},\n",
               text_escape(job->arena, r->title), how, fold, r->type_text, job->number, j,
               r->is_array ? shape : -1, nfields, fields, r->stage,
               r->facts_index >= 0 && job->facts->reductions[r->facts_index].in_front);
}

static const char *rule_of(const struct reduction *r) {
    return r->op == REDUCE_BUFFER     ? "ORRERY_RULE_ADD"
           : r->rule == RELAX_SCALE   ? "ORRERY_RULE_SCALE"
           : r->rule == RELAX_AVERAGE ? "ORRERY_RULE_AVERAGE"
                                      : "ORRERY_RULE_ADD";
}

static void print_mergings(const struct outline *job, struct text *out) {
    int count = 0;
    for (int j = 0; j < job->nreductions; ++j) {
        const struct reduction *r = emit_merged_at(job, j);
        if (!r)
            continue;
        if (r->op == REDUCE_BUFFER)
            emit_merged_print_apply(job, j, out);
    }
    for (int j = 0; j < job->nreductions; ++j) {
        const struct reduction *r = emit_merged_at(job, j);
        if (!r)
            continue;
        if (count++ == 0)
            text_print(out, "static const struct orrery_merging orrery_mergings_%d[] = {\n",
                       job->number);
        text_print(out, "    {%d, %d, %s, &%s, %s},\n", j, r->marked, rule_of(r),
                   merge_name(job->arena, job->reductions[j].type),
                   r->op == REDUCE_BUFFER
                       ? arena_printf(job->arena, "orrery_apply_%d_%d", job->number, j)
                       : "0");
    }
    text_print(out, "%s", count ? "};\n\n" : "");
}

static void print_reductions(const struct outline *job, struct text *out) {
    int shape = job->narrays;
    if (!job->nreductions)
        return;
    int *fields = arena_alloc(job->arena, (size_t)job->nreductions * sizeof *fields);
    for (int j = 0; j < job->nreductions; ++j)
        fields[j] = print_fields(job, j, out);
    text_print(out, "static const struct orrery_reduction orrery_reductions_%d[] = {\n",
               job->number);
    for (int j = 0; j < job->nreductions; ++j) {
        print_reduction(job, j, fields[j], shape, out);
        shape += job->reductions[j].is_array;
    }
    text_print(out, "};\n\n");
}

/* Dims of keys; in a loop without keys its variable stands for one. */
static void print_grid(const struct outline *job, struct text *out) {
    const struct plan *plan = job->plan;
    int keys[PLAN_KEYS] = {plan->space}, nkeys = plan_keys(plan, keys);
    bool listed = plan->by_key && plan->space < 0;
    int ndims = listed ? 0 : plan->pipe ? 2 : plan_grid_numbers(plan);
    nkeys = listed ? 0 : nkeys && plan->by_key ? nkeys : 1;
    text_print(out, "    .ndims = %d,\n    .nkeys = %d,\n    .dims = {", ndims, nkeys);
    for (int k = 0; k < nkeys && !plan->pipe; ++k)
        text_print(out, "%s%d", k ? ", " : "", emit_dim(job, keys[k]));
    text_print(out, "%s},\n    .grid = {", nkeys && !plan->pipe ? "" : "0");
    for (int d = 0; d < (ndims ? ndims : 1); ++d)
        text_print(out, "%s%ld", d ? ", " : "", plan->grid[d]);
    text_print(out, "},\n");
}

static void print_list(const struct outline *job, int count, const char *name, struct text *out) {
    if (count)
        text_print(out, "    .n%s = %d,\n    .%s = orrery_%s_%d,\n", name, count, name, name,
                   job->number);
}

static int shapes_of(const struct outline *job) {
    int shapes = job->narrays;
    for (int j = 0; j < job->nreductions; ++j)
        shapes += job->reductions[j].is_array;
    return shapes;
}

static void print_functions(const struct outline *job, struct text *out) {
    const struct plan *plan = job->plan;
    text_print(out, "    .block = orrery_block_%d,\n    .shapes = orrery_shapes_%d,\n", job->number,
               job->number);
    if (plan->by_key)
        text_print(out,
                   "    .by_key = 1,\n    .seed = %lluUL,\n    .gather = orrery_gather_%d,\n"
                   "    .record_size = sizeof(struct orrery_record_%d),\n",
                   (unsigned long long)plan->seed, job->number, job->number);
    if (plan_is_listed(plan))
        text_print(out, "    .ntouched = %d,\n    .touches = orrery_touches_%d,\n", plan->ntouches,
                   job->number);
    emit_asked_print(job, out);
}

void standalone_table_print(const struct outline *job, struct text *out) {
    print_arrays(job, out);
    print_reductions(job, out);
    print_mergings(job, out);
    int nguards = emit_guards_print(job, out);
    int ninputs = job->plan->by_key ? emit_inputs_print(job, out) : 0;
    int nkey_fields = standalone_moves_rows(job) ? emit_key_fields_print(job, out) : 0;
    text_print(out,
               "static struct orrery_loop orrery_loop_%d = {\n    .file = \"%s\",\n"
               "    .line = %d,\n    .strategy = %s,\n    .unordered = %d,\n"
               "    .env_size = sizeof(struct orrery_env_%d),\n",
               job->number, job->file, job->loop->header.begin.line,
               strategy_executor_text(job->plan->strategy), plan_may_reorder(job->plan),
               job->number);
    print_grid(job, out);
    print_list(job, job->narrays, "arrays", out);
    print_list(job, job->nreductions, "reductions", out);
    print_list(job, nguards, "guards", out);
    emit_merged_print_members(job, out);
    print_list(job, ninputs, "inputs", out);
    print_list(job, nkey_fields, "key_fields", out);
    if (job->plan->by_key && emit_tells_reads(job))
        text_print(out, "    .nspans = %d,\n", job->nspans);
    print_functions(job, out);
    text_print(out,
               "    .nshapes = %d,\n    .lower_offset = (long)__builtin_offsetof(struct "
               "orrery_env_%d, orrery_lower),\n    .step = %ld,\n};\n\n",
               shapes_of(job), job->number,
               job->facts->by_number ? (job->loop->step > 0 ? 1L : -1L) : job->loop->step);
}
