/* The parts of scheduler/standalone that a file's loops need, and where they stand. */
#include "scheduler/emit/standalone.h"

#include "scheduler/base/guard.h"

#include <ctype.h>
#include <string.h>

/* ---- what loops need ------------------------------------------------------------------------- */

enum need {
    NEED_OPENMP,
    NEED_PTHREADS,
    NEED_RANGES, /* rows are ranges of iterations */
    NEED_KEYS,
    NEED_ROWS, /* rows are moved while a loop runs */
    NEED_LEVELS,
    NEED_WAVE,
    NEED_PIPE,
    NEED_FLAGS, /* blocks wait for each other */
    NEED_SUMS,
    NEED_MERGE,
    NEED_GUARDS,
    NEED_INTERVALS,
    NEED_MEMORY, /* how long arrays are */
    NEED_TABLES, /* rows behind tables of pointers */
    NEED_WEIGHTS,
    NEED_NAN,
    NEED_READINESS,
    NEED_UNROLL,
    NEED_PREFETCH,
    NEED_LEAST,
    NEED_BLOCKS,
    NEED_LANES,
    NEED_SIZES,
    NEEDS
};

static const char *const need_names[NEEDS] = {
    [NEED_OPENMP] = "OPENMP",       [NEED_PTHREADS] = "PTHREADS", [NEED_RANGES] = "RANGES",
    [NEED_KEYS] = "KEYS",           [NEED_ROWS] = "ROWS",         [NEED_LEVELS] = "LEVELS",
    [NEED_WAVE] = "WAVE",           [NEED_PIPE] = "PIPE",         [NEED_FLAGS] = "FLAGS",
    [NEED_SUMS] = "SUMS",           [NEED_GUARDS] = "GUARDS",     [NEED_INTERVALS] = "INTERVALS",
    [NEED_MEMORY] = "MEMORY",       [NEED_WEIGHTS] = "WEIGHTS",   [NEED_NAN] = "NAN",
    [NEED_READINESS] = "READINESS", [NEED_UNROLL] = "UNROLL",     [NEED_PREFETCH] = "PREFETCH",
    [NEED_LEAST] = "LEAST",         [NEED_BLOCKS] = "BLOCKS",     [NEED_TABLES] = "TABLES",
    [NEED_MERGE] = "MERGE",         [NEED_SIZES] = "SIZES",       [NEED_LANES] = "LANES",
};

static void add_guards(const struct outline *job, bool *needs) {
    for (int g = 0; g < job->facts->nguards; ++g) {
        const struct guard *guard = &job->facts->guards[g];
        if (guard->assumed || emit_guard_is_repeated(job->facts, g))
            continue;
        needs[NEED_GUARDS] = true;
        needs[NEED_MEMORY] |= guard->kind == GUARD_NO_OVERLAP;
    }
}

static void add_reductions(const struct outline *job, bool *needs) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        needs[NEED_SUMS] = true;
        needs[NEED_NAN] |= r->watched;
        needs[NEED_MERGE] |= r->merged;
        needs[NEED_MEMORY] |= r->is_array && !r->measured;
        needs[NEED_LEAST] |= r->at_least;
    }
}

static void add_job(const struct outline *job, bool *needs) {
    bool keys = job->plan->by_key, wave = emit_is_wave(job), pipe = job->plan->pipe;
    needs[job->standalone == STANDALONE_OPENMP ? NEED_OPENMP : NEED_PTHREADS] = true;
    needs[NEED_KEYS] |= keys;
    needs[NEED_ROWS] |= standalone_moves_rows(job);
    needs[NEED_WAVE] |= wave;
    needs[NEED_PIPE] |= pipe;
    needs[NEED_RANGES] |= !keys && !wave && !pipe;
    needs[NEED_FLAGS] |= keys || wave || pipe;
    needs[NEED_PREFETCH] |= keys;
    needs[NEED_LEVELS] |= plan_is_listed(job->plan);
    needs[NEED_INTERVALS] |= emit_has_intervals(job);
    needs[NEED_WEIGHTS] |= emit_has_weights(job);
    needs[NEED_READINESS] |= job->nreadiness > 0 || job->nserial > 0;
    for (int i = 0; i < job->narrays; ++i)
        needs[NEED_TABLES] |= job->arrays[i]->object->kind == OBJECT_ROWS;
    needs[NEED_MEMORY] |= needs[NEED_TABLES] || needs[NEED_ROWS];
    needs[NEED_GUARDS] |= needs[NEED_TABLES];
    needs[NEED_UNROLL] |= job->unroll != NULL;
    needs[NEED_LANES] |= job->lanes != NULL;
    needs[NEED_SIZES] |= job->sized != NULL;
    add_guards(job, needs);
    add_reductions(job, needs);
}

/* ---- what cannot be -------------------------------------------------------------------------- */

static bool refuse(const struct outline *job, const char *what, const char *fix,
                   struct diag_list *diags) {
    struct diag *diag = diag_add(diags, SEVERITY_ERROR, ORR2320, job->loop->header,
                                 "the loop cannot stand alone: %s", what);
    diag->loop = job->loop;
    diag->fix = fix;
    return true;
}

static bool is_deep(const struct plan_array *array) {
    const struct row_shape *shape = array->shape;
    return array->object->ntables > 1 || (shape && shape->pieces_by_table) ||
           (array->object->kind == OBJECT_ROWS && array->dim >= 0 && !shape);
}

static bool has_late(const struct outline *job) {
    return job->plan->pipe && job->plan->pipe->nlate > 0;
}

/* Pieces of rows behind a table, or tables of tables, that a check has to tell apart. */
static const struct plan_array *table_asked(const struct outline *job) {
    for (int g = 0; g < job->facts->nguards; ++g) {
        const struct guard *guard = &job->facts->guards[g];
        const struct object *sides[2] = {guard->a, guard->b};
        bool asks = !guard->assumed &&
                    (guard->kind == GUARD_NO_OVERLAP || guard->kind == GUARD_ROWS_DISJOINT);
        for (int i = 0; i < 2 && asks; ++i) {
            int at = sides[i] ? emit_array_index(job, sides[i]) : -1;
            if (at >= 0 && is_deep(job->arrays[at]))
                return job->arrays[at];
        }
    }
    return NULL;
}

/* In levels and wavefronts the run decides otherwise. */
static bool can_merge(const struct outline *job, int j) {
    const struct emit_reduction *r = &job->reductions[j];
    bool grid = !plan_is_listed(job->plan) && !job->plan->wave && !job->plan->pipe;
    const struct reduction *merged = emit_merged_at(job, j);
    return !merged || (grid && r->is_array && merged->type->size <= 8);
}

static bool loop_refused(const struct outline *job, struct diag_list *diags) {
    const struct plan_array *table = table_asked(job);
    for (int j = 0; j < job->nreductions; ++j) {
        const char *title = job->reductions[j].title;
        if (!can_merge(job, j))
            return refuse(job,
                          arena_printf(job->arena,
                                       "merging what threads change of `%s` (relax, buffer) needs "
                                       "the run library here",
                                       title),
                          "build it with orrery-cc, or give up the clause", diags);
        if (job->reductions[j].rows)
            return refuse(job,
                          arena_printf(job->arena,
                                       "sums into the rows of `%s`, behind a table of pointers, "
                                       "need the run library",
                                       title),
                          "build it with orrery-cc, or let the rows lie in one array", diags);
    }
    if (has_late(job))
        return refuse(job, "a pipeline with statements that run late needs the run library",
                      "build it with orrery-cc, or give up the clause relax", diags);
    if (job->plan->gpu)
        return refuse(job, "it runs on a GPU", "build it with orrery-cc -target gpu", diags);
    if (table)
        return refuse(job,
                      arena_printf(job->arena,
                                   "where the rows of `%s` lie, behind a table of pointers, only "
                                   "the run library can find out",
                                   table->object->name),
                      "build it with orrery-cc, or let the rows lie in one array", diags);
    return false;
}

/* Does the text of a transformed nest (scheduler/transform) declare the run library's function? */
static bool declares(const struct unit *unit, const char *name) {
    for (int i = 0; i < unit->nfunctions; ++i)
        if (!unit->functions[i]->body && strcmp(unit->functions[i]->name, name) == 0)
            return true;
    return false;
}

bool standalone_refused(const struct unit *unit, int njobs, const struct outline *const *jobs,
                        struct diag_list *diags) {
    bool refused = false;
    for (int i = 0; i < njobs; ++i)
        refused |= loop_refused(jobs[i], diags);
    if (!refused && njobs > 0 &&
        (declares(unit, "orrery_records_begin") || declares(unit, "orrery_ends_begin")))
        refused = refuse(jobs[0],
                         "a nest of rows became one loop over records, for which the run "
                         "library keeps lists",
                         "build it with orrery-cc", diags);
    else if (!refused && njobs > 0 && declares(unit, "orrery_output_begin"))
        refused = refuse(jobs[0],
                         "what a loop of the file prints is collected, for which it needs the run "
                         "library",
                         "build it with orrery-cc, or print behind the loop", diags);
    return refused;
}

/* ---- where the parts stand ------------------------------------------------------------------- */

/* Lines of a file's beginning. `group`: where the outermost conditional begins. */
struct front {
    int depth;
    bool comment, found;
    size_t group, place;
};

static const char *directive_of(const char *line, const char *end) {
    while (line < end && isspace((unsigned char)*line))
        ++line;
    if (line == end || *line != '#')
        return NULL;
    for (++line; line < end && isspace((unsigned char)*line);)
        ++line;
    return line;
}

static void see_directive(struct front *front, const char *word, size_t at) {
    if (strncmp(word, "if", 2) == 0 && front->depth++ == 0)
        front->group = at;
    if (strncmp(word, "endif", 5) == 0)
        --front->depth;
    if (strncmp(word, "include", 7) != 0)
        return;
    front->found = true;
    front->place = front->depth > 0 ? front->group : at;
}

/* Block comments hide what stands in them. */
static void see_line(struct front *front, const char *text, size_t at, const char *end) {
    const char *line = text + at, *word = front->comment ? NULL : directive_of(line, end);
    if (word)
        see_directive(front, word, at);
    for (const char *p = line; p + 1 < end; ++p) {
        if (!front->comment && p[0] == '/' && p[1] == '/')
            return;
        if (!front->comment && p[0] == '/' && p[1] == '*')
            front->comment = true;
        else if (front->comment && p[0] == '*' && p[1] == '/')
            front->comment = false;
    }
}

static size_t first_function(const struct unit *unit) {
    size_t first = unit->files[unit->main_file].size;
    for (int i = 0; i < unit->nfunctions; ++i) {
        const struct function *f = unit->functions[i];
        if (f->body && f->range.begin.file == unit->main_file && f->range.begin.offset < first)
            first = f->range.begin.offset;
    }
    return first;
}

/* The words that libraries' headers go by (_GNU_SOURCE) stand in front of the first one. */
size_t standalone_place(const struct unit *unit, size_t start) {
    const char *text = unit->files[unit->main_file].text;
    size_t limit = first_function(unit);
    struct front front = {.place = start};
    for (size_t at = start; at < limit && !front.found;) {
        const char *end = strchr(text + at, '\n');
        size_t next = end ? (size_t)(end + 1 - text) : limit;
        see_line(&front, text, at, text + (end ? next - 1 : next));
        at = next;
    }
    return front.place;
}

/* ---- the parts ------------------------------------------------------------------------------- */

/* `#if WITH_A || WITH_B`: one of them is needed. */
static bool wants(const char *line, const char *end, const bool *needs) {
    for (int n = 0; n < NEEDS; ++n) {
        const char *name = need_names[n];
        size_t length = strlen(name);
        for (const char *p = line; needs[n] && (p = strstr(p, "WITH_")) && p < end; p += 5)
            if (strncmp(p + 5, name, length) == 0 && !isupper((unsigned char)p[5 + length]))
                return true;
    }
    return false;
}

enum { DEPTH = 16 };

/* Conditionals about needs are carried out, as the guard around the part; all others stay. */
struct sieve {
    const bool *needs;
    int depth;         /* of ours */
    int others[DEPTH]; /* open ones of the others inside of each */
    bool open[DEPTH], taken[DEPTH];
};

static bool is_open(const struct sieve *sieve) {
    return sieve->depth == 0 || sieve->open[sieve->depth - 1];
}

static bool begins(const char *line, const char *with) {
    return strncmp(line, with, strlen(with)) == 0;
}

static void sieve_enter(struct sieve *sieve, bool taken) {
    sieve->open[sieve->depth] = is_open(sieve) && taken;
    sieve->others[sieve->depth] = 0;
    sieve->taken[sieve->depth++] = taken;
}

/* False: the line is the sieve's own. */
static bool sieve_line(struct sieve *sieve, const char *line, const char *end) {
    int top = sieve->depth - 1;
    bool guard = begins(line, "#ifndef"), own = guard || begins(line, "#if WITH_");
    if (begins(line, "/* clang-format"))
        return false;
    if (own)
        sieve_enter(sieve, guard || wants(line, end, sieve->needs));
    bool outer = !own && top >= 0 && sieve->others[top] == 0;
    if (outer && begins(line, "#else"))
        sieve->open[top] = (top == 0 || sieve->open[top - 1]) && !sieve->taken[top];
    else if (outer && begins(line, "#endif"))
        --sieve->depth;
    else if (!own && top >= 0)
        sieve->others[top] += begins(line, "#if") - begins(line, "#endif");
    return !own && !(outer && (begins(line, "#else") || begins(line, "#endif")));
}

/* The guard and the line that defines it are the sieve's, too. */
static void part_print(const char *part, const bool *needs, struct text *out) {
    struct sieve sieve = {.needs = needs};
    int number = 0;
    for (const char *line = part; *line; ++number) {
        const char *end = strchr(line, '\n') + 1;
        if (sieve_line(&sieve, line, end) && is_open(&sieve) && number != 1)
            text_append(out, line, (size_t)(end - line));
        line = end;
    }
}

static int most_sums(int njobs, const struct outline *const *jobs) {
    int most = 1;
    for (int i = 0; i < njobs; ++i)
        most = jobs[i]->nreductions > most ? jobs[i]->nreductions : most;
    return most;
}

/* Parts that only some files need. */
static bool is_wanted(const struct standalone_text *part, const bool *needs) {
    static const struct {
        const char *name;
        enum need need;
    } wanted[] = {
        {"sums", NEED_SUMS},         {"merge", NEED_MERGE},    {"merging", NEED_MERGE},
        {"memory", NEED_MEMORY},     {"ranges", NEED_RANGES},  {"rotation", NEED_KEYS},
        {"keys", NEED_KEYS},         {"keyed", NEED_KEYS},     {"levels", NEED_LEVELS},
        {"columns", NEED_LEVELS},    {"batches", NEED_LEVELS}, {"intervals", NEED_INTERVALS},
        {"rows", NEED_ROWS},         {"wave", NEED_WAVE},      {"pipe", NEED_PIPE},
        {"orrery_lanes", NEED_LANES}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
        if (strcmp(part->name, wanted[i].name) == 0)
            return needs[wanted[i].need];
    return true;
}

const char *standalone_parts(const struct unit *unit, int njobs,
                             const struct outline *const *jobs) {
    bool needs[NEEDS] = {0};
    struct text out;
    text_start(&out, unit->arena);
    for (int i = 0; i < njobs; ++i)
        add_job(jobs[i], needs);
    needs[NEED_BLOCKS] = declares(unit, "orrery_blocks_begin");
    text_print(&out, "\n/* ==== Orrery: what runs the parallel loops of this file, up to the next "
                     "such line ==== */\n\n");
    for (const struct standalone_text *part = standalone_texts; part->name; ++part) {
        if (!is_wanted(part, needs))
            continue;
        text_print(&out, "\n");
        part_print(part->text, needs, &out);
        if (strcmp(part->name, "merge") == 0)
            standalone_merges_print(njobs, jobs, &out);
        if (strcmp(part->name, "sums") != 0)
            continue;
        standalone_folds_print(njobs, jobs, &out);
        text_print(&out, "\nenum { ORRERY_MOST_SUMS = %d };\n", most_sums(njobs, jobs));
    }
    text_print(&out, "\n/* ==== Orrery: the file's own text ==== */\n");
    return out.bytes;
}
