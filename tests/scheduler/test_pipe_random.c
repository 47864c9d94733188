/*
 * Random loops as C text, against an oracle that knows nothing of isl: it runs their statements one
 * by one. Where there are stages, each with its own copies of variables and a slot per iteration,
 * they leave the serial loop's values in whatever order stages get on; and so does every other deal
 * of the statements to stages that the proof lets through.
 *
 * With relax(a0) statements may run late. Then all orders leave the same values; and they are those
 * of the serial loop, when it is given for every read of a0 what that read found.
 */
#include "scheduler/strategy/pipeline/pipe.h"
#include "tests/analyzer/frontend_text.h"

#include <cmocka.h>
#include <stdint.h>

enum {
    CASES = 400,
    LATE_CASES = 600,
    DEALS = 12,
    ORDERS = 4,
    ITERATIONS = 7,
    FIRST = 2,
    CELLS = 16
};
enum {
    ARRAYS = 2,
    CARRIED = 2,
    OWN = 3,
    MOST_STATEMENTS = 6,
    READS = 3,
    VARIABLES = CARRIED + OWN
};

/* relax(a0): it is an array of amounts, which are added to. */
static bool relaxing;

static uint64_t state = 88172645463325252u;
static long pipelines, kept, refused, stages_seen, late_seen;

static long pick(long low, long high) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (long)((state >> 11) % (uint64_t)(high - low + 1));
}

/* ---- a random loop --------------------------------------------------------------------------- */

/* `variable` >= 0: that one; else an element of `array`, i + constant, or with `fixed` the
 * constant.
 */
struct place {
    int variable, array;
    bool fixed;
    long constant;
};

/* `condition`: only where the first thing read is odd. */
struct statement {
    struct place write, reads[READS];
    int nreads;
    long work;
    bool condition;
};

struct body {
    int count;
    struct statement items[MOST_STATEMENTS];
};

static struct place random_place(void) {
    struct place place = {.variable = -1};
    if (pick(0, 9) < 6) {
        place.variable = (int)pick(0, VARIABLES - 1);
        return place;
    }
    place.array = (int)pick(0, ARRAYS - 1);
    place.fixed = pick(0, 5) == 0;
    place.constant = place.fixed ? pick(0, CELLS - 1) : pick(0, 3) ? 0 : pick(-2, 2);
    return place;
}

static struct body random_body(void) {
    struct body body = {.count = (int)pick(2, MOST_STATEMENTS)};
    for (int s = 0; s < body.count; ++s) {
        struct statement *one = &body.items[s];
        one->write = random_place();
        one->nreads = (int)pick(1, READS);
        one->work = pick(8, 24);
        one->condition = pick(0, 4) == 0;
        for (int r = 0; r < one->nreads; ++r)
            one->reads[r] = random_place();
    }
    return body;
}

/* ---- as text --------------------------------------------------------------------------------- */

static void print_place(FILE *out, const struct place *place) {
    if (place->variable >= 0)
        fprintf(out, "v%d", place->variable);
    else if (place->fixed)
        fprintf(out, "a%d[%ld]", place->array, place->constant);
    else
        fprintf(out, "a%d[i + %ld]", place->array, place->constant);
}

static bool is_relaxed(const struct place *place) {
    return relaxing && place->variable < 0 && place->array == 0;
}

static void print_statement(FILE *out, const struct statement *one) {
    fprintf(out, "        ");
    if (one->condition) {
        fprintf(out, "if (%s", relaxing ? "(unsigned)" : "");
        print_place(out, &one->reads[0]);
        fprintf(out, " & 1) ");
    }
    print_place(out, &one->write);
    fprintf(out, relaxing && is_relaxed(&one->write) ? " += (7" : " = (7");
    for (int r = 0; r < one->nreads; ++r) {
        fprintf(out, " + %d * %s", 3 + 2 * r, relaxing ? "(unsigned)" : "");
        print_place(out, &one->reads[r]);
    }
    fprintf(out, ")");
    for (long w = 0; w < one->work; ++w)
        fprintf(out, " / 3");
    fprintf(out, ";\n");
}

static char *text_of(const struct body *body, const char *clause) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out,
            "%s a0[%d];\nunsigned a1[%d];\nunsigned f(void) {\n    unsigned v0 = 1, v1 = 2;\n"
            "#pragma orrery parallel %s\n    for (int i = %d; i < %d; ++i) {\n",
            relaxing ? "double" : "unsigned", CELLS, CELLS, clause, FIRST, FIRST + ITERATIONS);
    for (int v = CARRIED; v < VARIABLES; ++v)
        fprintf(out, "        unsigned v%d = %d;\n", v, v + 1);
    for (int s = 0; s < body->count; ++s)
        print_statement(out, &body->items[s]);
    fprintf(out, "    }\n    return v0 + v1;\n}\n");
    fclose(out);
    return text;
}

/* ---- executions ------------------------------------------------------------------------------ */

struct memory {
    unsigned cells[ARRAYS][CELLS], carried[CARRIED];
};

/* What every read of a0 found, by statement, iteration and which of its reads. */
struct found {
    bool given;
    unsigned values[MOST_STATEMENTS][FIRST + ITERATIONS][READS];
};

/* A worker's view: memory that all share, and its own variables. `found`: NULL = nobody asks; else
 * noted, or `given`. */
struct view {
    struct memory *memory;
    struct found *found;
    unsigned variables[VARIABLES];
};

static void memory_start(struct memory *memory) {
    for (int a = 0; a < ARRAYS; ++a)
        for (int c = 0; c < CELLS; ++c)
            memory->cells[a][c] = (unsigned)(a * 7919 + c * 104729);
    for (int v = 0; v < CARRIED; ++v)
        memory->carried[v] = (unsigned)v + 1;
}

static unsigned *cell_of(struct view *view, const struct place *place, long i) {
    long at = place->fixed ? place->constant : i + place->constant;
    if (place->variable >= 0)
        return &view->variables[place->variable];
    assert_true(at >= 0 && at < CELLS);
    return &view->memory->cells[place->array][at];
}

static unsigned read_value(const struct body *body, int statement, int r, struct view *view,
                           long i) {
    const struct place *place = &body->items[statement].reads[r];
    unsigned value = *cell_of(view, place, i);
    if (!view->found || place->variable >= 0 || place->array != 0)
        return value;
    unsigned *found = &view->found->values[statement][i][r];
    if (!view->found->given)
        *found = value;
    return *found;
}

static void execute(const struct body *body, int statement, struct view *view, long i) {
    const struct statement *one = &body->items[statement];
    unsigned value = 7;
    if (one->condition && !(read_value(body, statement, 0, view, i) & 1))
        return;
    for (int r = 0; r < one->nreads; ++r)
        value = value * 31 + (unsigned)(3 + 2 * r) * read_value(body, statement, r, view, i);
    unsigned *cell = cell_of(view, &one->write, i);
    *cell = is_relaxed(&one->write) ? *cell * 31 + value : value;
}

/* Part `part` of the body: the declarations come first. */
static void run_part(const struct body *body, int part, struct view *view, long i) {
    if (part < OWN)
        view->variables[CARRIED + part] = (unsigned)(CARRIED + part) + 1;
    else
        execute(body, part - OWN, view, i);
}

static void run_serial(const struct body *body, struct memory *memory, struct found *found) {
    struct view view = {.memory = memory, .found = found};
    memcpy(view.variables, memory->carried, sizeof memory->carried);
    for (long i = FIRST; i < FIRST + ITERATIONS; ++i)
        for (int p = 0; p < OWN + body->count; ++p)
            run_part(body, p, &view, i);
    memcpy(memory->carried, view.variables, sizeof memory->carried);
}

/* ---- stages ---------------------------------------------------------------------------------- */

static int number_of(const struct pipe_value *value) {
    return value->var->name[1] - '0';
}

static bool before(const struct pipe_value *value, int stage) {
    return (value->touched & ((1u << stage) - 1)) != 0;
}

static bool behind(const struct pipe_value *value, int stage) {
    return value->touched >> stage >> 1 != 0;
}

/* One iteration in one stage: what it has not been given is garbage. */
static void run_stage(const struct body *body, const struct plan_pipe *pipe, int stage,
                      struct view *view, unsigned *slot, long i) {
    for (int v = CARRIED; v < VARIABLES; ++v)
        view->variables[v] = 0xdeadbeef;
    for (int v = 0; v < pipe->nvalues; ++v) {
        const struct pipe_value *value = &pipe->values[v];
        bool touched = value->touched >> stage & 1;
        if (touched && before(value, stage) && value->written)
            view->variables[number_of(value)] = slot[number_of(value)];
    }
    for (int p = 0; p < pipe->nparts; ++p)
        if (pipe->parts[p].stage == stage || pipe->parts[p].stage == PIPE_EVERYWHERE)
            run_part(body, p, view, i);
    for (int v = 0; v < pipe->nvalues; ++v) {
        const struct pipe_value *value = &pipe->values[v];
        bool writes = value->written >> stage & 1, touched = value->touched >> stage & 1;
        if (touched && behind(value, stage) && (writes || !before(value, stage)))
            slot[number_of(value)] = view->variables[number_of(value)];
    }
}

static void run_pipe(const struct body *body, const struct plan_pipe *pipe, struct memory *memory) {
    struct view views[PIPE_STAGES];
    unsigned slots[ITERATIONS][VARIABLES] = {{0}};
    long done[PIPE_STAGES] = {0};
    for (int s = 0; s < pipe->nstages; ++s) {
        views[s].memory = memory;
        views[s].found = NULL;
        memcpy(views[s].variables, memory->carried, sizeof memory->carried);
    }
    while (done[pipe->nstages - 1] < ITERATIONS) {
        int s = (int)pick(0, pipe->nstages - 1);
        long burst = pick(1, ITERATIONS);
        for (; burst > 0 && done[s] < (s ? done[s - 1] : ITERATIONS); --burst, ++done[s])
            run_stage(body, pipe, s, &views[s], slots[done[s]], FIRST + done[s]);
    }
    for (int v = 0; v < pipe->nvalues; ++v) {
        const struct pipe_value *value = &pipe->values[v];
        if (value->carried)
            memory->carried[number_of(value)] = views[value->home].variables[number_of(value)];
    }
}

static bool same_in_all_orders(const struct body *body, const struct plan_pipe *pipe) {
    struct memory expected, found;
    bool same = true;
    memory_start(&expected);
    run_serial(body, &expected, NULL);
    for (int i = 0; i < ORDERS; ++i) {
        memory_start(&found);
        run_pipe(body, pipe, &found);
        same = same && memcmp(&expected, &found, sizeof found) == 0;
    }
    return same;
}

/* ---- late statements ------------------------------------------------------------------------- */

/* Blocks as far as they are done: row s has come to column done[s]. */
struct schedule {
    const struct plan_pipe *pipe;
    long slots, columns, done[PIPE_STAGES];
};

static struct schedule schedule_of(const struct plan_pipe *pipe, long slots) {
    struct schedule schedule = {.pipe = pipe, .slots = slots, .columns = ITERATIONS};
    for (int g = 0; g < pipe->nlate; ++g) {
        long end = ITERATIONS + pipe->late[g].age * slots;
        schedule.columns = end > schedule.columns ? end : schedule.columns;
    }
    return schedule;
}

/* A row's block waits for the row before; the first one's for its slot. */
static bool is_ready(const struct schedule *schedule, int s) {
    long column = schedule->done[s];
    if (column == schedule->columns)
        return false;
    return s > 0 ? schedule->done[s - 1] > column
                 : column < schedule->slots ||
                       schedule->done[schedule->pipe->nstages - 1] > column - schedule->slots;
}

static void run_block(const struct body *body, const struct schedule *schedule, int s,
                      struct view *view, unsigned (*slots)[VARIABLES]) {
    const struct plan_pipe *pipe = schedule->pipe;
    long column = schedule->done[s];
    for (int g = 0; g < pipe->nlate; ++g) {
        long c = column - pipe->late[g].age * schedule->slots;
        if (pipe->late[g].row == s && c >= 0 && c < ITERATIONS)
            run_stage(body, pipe, pipe->nstages + g, view, slots[c], FIRST + c);
    }
    if (column < ITERATIONS)
        run_stage(body, pipe, s, view, slots[column], FIRST + column);
}

static void run_late(const struct body *body, const struct plan_pipe *pipe, long slots_number,
                     struct memory *memory, struct found *found) {
    struct schedule schedule = schedule_of(pipe, slots_number);
    struct view views[PIPE_STAGES];
    unsigned slots[ITERATIONS][VARIABLES] = {{0}};
    for (int s = 0; s < pipe->nstages; ++s) {
        views[s].memory = memory;
        views[s].found = found;
        memcpy(views[s].variables, memory->carried, sizeof memory->carried);
    }
    while (schedule.done[pipe->nstages - 1] < schedule.columns) {
        int s = (int)pick(0, pipe->nstages - 1);
        for (long burst = pick(1, ITERATIONS); burst > 0 && is_ready(&schedule, s); --burst) {
            run_block(body, &schedule, s, &views[s], slots);
            ++schedule.done[s];
        }
    }
    for (int v = 0; v < pipe->nvalues; ++v) {
        const struct pipe_value *value = &pipe->values[v];
        if (value->carried)
            memory->carried[number_of(value)] = views[value->home].variables[number_of(value)];
    }
}

/* All but a0, which serial writes change in another order. */
static bool same_but_relaxed(const struct memory *a, const struct memory *b) {
    return memcmp(a->cells[1], b->cells[1], sizeof a->cells[1]) == 0 &&
           memcmp(a->carried, b->carried, sizeof a->carried) == 0;
}

static bool same_when_late(const struct body *body, const struct plan_pipe *pipe) {
    static struct found found, again;
    struct memory first, other, serial;
    long slots = pick(1, 3);
    bool same = true;
    found.given = again.given = false;
    memory_start(&first);
    run_late(body, pipe, slots, &first, &found);
    for (int i = 1; i < ORDERS; ++i) {
        memory_start(&other);
        run_late(body, pipe, slots, &other, &again);
        same = same && memcmp(&first, &other, sizeof first) == 0;
    }
    found.given = true;
    memory_start(&serial);
    run_serial(body, &serial, &found);
    return same && same_but_relaxed(&first, &serial);
}

/* Groups by age, then by row. */
static void late_anyhow(struct plan_pipe *pipe) {
    pipe->nlate = 0;
    for (int age = 1; age <= 2; ++age) {
        for (int row = 0; row < pipe->nstages; ++row)
            if (pick(0, 2) == 0)
                pipe->late[pipe->nlate++] = (struct pipe_late){row, age};
    }
}

/* ---- the checks ------------------------------------------------------------------------------ */

static void deal_anyhow(const struct plan *plan) {
    struct plan_pipe *pipe = plan->pipe;
    struct pipe_uses uses;
    struct strategy_miss miss;
    pipe->nstages = (int)pick(2, 4);
    pipe->nlate = 0;
    if (pipe->relaxed.count > 0)
        late_anyhow(pipe);
    for (int p = 0; p < pipe->nparts; ++p)
        if (pipe->parts[p].stage >= 0)
            pipe->parts[p].stage = (int)pick(0, pipe->nstages + pipe->nlate - 1);
    assert_non_null(pipe_parts(plan->analysis->facts, &uses, &miss));
    pipe_fill_values(plan->analysis->facts, pipe, &uses);
}

static void fail_with(const char *what, const char *text, const struct plan *plan) {
    printf("%s:\n%s", what, text);
    plan_dump(plan, stdout);
    fflush(stdout);
    fail();
}

static bool has_late(const struct plan_pipe *pipe) {
    bool late = false;
    for (int p = 0; p < pipe->nparts; ++p)
        late = late || pipe->parts[p].stage >= pipe->nstages;
    return late;
}

static bool is_right(const struct body *body, const struct plan_pipe *pipe) {
    return pipe->relaxed.count > 0 ? same_when_late(body, pipe) : same_in_all_orders(body, pipe);
}

static void check_body(const struct body *body, const char *clause) {
    char *text = text_of(body, clause);
    struct parsed parsed = parsed_text(text);
    assert_clean(&parsed);
    struct plan plan = {.analysis = analysis_run(facts_collect(parsed.unit, parsed.unit->loops[0])),
                        .space = -1,
                        .partner = -1,
                        .code = "",
                        .message = ""};
    struct strategy_miss miss;
    if (plan_pipe(&plan, &miss)) {
        ++pipelines;
        stages_seen += plan.pipe->nstages;
        late_seen += has_late(plan.pipe);
        assert_int_equal(plan.pipe->nparts, OWN + body->count);
        if (plan_check(&plan))
            fail_with(plan_check(&plan), text, &plan);
        if (!is_right(body, plan.pipe))
            fail_with("the stages change the result", text, &plan);
        for (int d = 0; d < DEALS; ++d) {
            deal_anyhow(&plan);
            bool proved = !plan_check(&plan);
            kept += proved;
            refused += !proved;
            late_seen += proved && has_late(plan.pipe);
            if (proved && !is_right(body, plan.pipe))
                fail_with("a wrong deal is proved", text, &plan);
        }
    }
    parsed_free(&parsed);
    free(text);
}

static void random_bodies(void **unused) {
    (void)unused;
    for (int i = 0; i < CASES; ++i) {
        struct body body = random_body();
        check_body(&body, "");
    }
    printf("%ld pipelines of %ld stages; of other deals %ld proved, %ld refused\n", pipelines,
           stages_seen, kept, refused);
    assert_true(pipelines > CASES / 8);
    assert_true(kept > CASES / 8);
    assert_true(refused > CASES);
}

static void random_late(void **unused) {
    (void)unused;
    relaxing = true;
    pipelines = stages_seen = kept = refused = late_seen = 0;
    for (int i = 0; i < LATE_CASES; ++i) {
        struct body body = random_body();
        check_body(&body, "relax(a0)");
    }
    printf("relax(a0): %ld pipelines of %ld stages; of other deals %ld proved, %ld refused; late "
           "%ld\n",
           pipelines, stages_seen, kept, refused, late_seen);
    assert_true(pipelines > LATE_CASES / 20);
    assert_true(late_seen > LATE_CASES / 20);
    assert_true(refused > LATE_CASES / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bodies),
        cmocka_unit_test(random_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
