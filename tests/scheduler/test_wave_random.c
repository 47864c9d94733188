/*
 * Random loops with loops inside, as C text, against an oracle that knows nothing of isl: it runs
 * their iterations one by one. Where there is a wavefront, blocks of random sizes, run in any order
 * that the grid allows, leave the serial loop's values, and no smaller skew would do; where there
 * is none, no skew and shifts would do.
 */
#include "scheduler/plan/parts.h"
#include "tests/analyzer/frontend_text.h"

#include <cmocka.h>
#include <limits.h>
#include <stdint.h>

enum { CASES = 300, SIZE = 330, MARGIN = 155, LONG = 64, MOST_PARTS = 3, READS = 3, MOST_SKEW = 8 };

static uint64_t state = 88172645463325252u;

static long pick(long low, long high) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (long)((state >> 11) % (uint64_t)(high - low + 1));
}

/* ---- a random loop --------------------------------------------------------------------------- */

/* ci * i + cj * j + constant */
struct linear {
    long ci, cj, constant;
};

/* One of two tables with two subscripts, or a row with one. */
struct place {
    int array;
    struct linear subs[2];
};

/* A loop over j from `low` to `high` inclusive, or a statement. */
struct part {
    bool loop;
    struct linear low, high;
    long step;
    struct place write, reads[READS];
    int nreads;
};

struct nest {
    long first, count, step;
    int nparts;
    struct part parts[MOST_PARTS];
};

enum { ROW = 2 };

static struct linear random_linear(bool loop, bool row) {
    long kind = pick(0, 19);
    struct linear sub = {.constant = MARGIN + pick(-1, 1)};
    if (row && loop && pick(0, 3) == 0)
        sub.ci = 1;
    else if (kind < 4)
        sub.cj = -loop;
    else if (row && kind < 18)
        sub.cj = loop;
    else if (kind == 19)
        sub.constant = MARGIN + pick(0, 9);
    else
        sub.ci = 1;
    return sub;
}

static struct place random_place(bool loop) {
    struct place place = {.array = (int)pick(0, 9)};
    place.array = place.array < 6 ? 0 : place.array < 8 ? 1 : ROW;
    if (place.array == ROW) {
        place.subs[0] = random_linear(loop, true);
        return place;
    }
    place.subs[0] = (struct linear){1, 0, MARGIN + pick(-1, 1)};
    place.subs[1] = (struct linear){0, loop, MARGIN + pick(-1, 1)};
    if (pick(0, 4) == 0)
        place.subs[pick(0, 1)] = random_linear(loop, false);
    return place;
}

static struct nest random_nest(void) {
    static const long steps[] = {1, 1, 1, 1, 2, -1};
    struct nest nest = {.count = pick(1, 6), .step = steps[pick(0, 5)]};
    long direction = pick(0, 4) ? 1 : -1, jump = pick(0, 7) ? 1 : 2;
    nest.first = nest.step > 0 ? pick(0, 2) : 6;
    nest.nparts = (int)pick(1, MOST_PARTS);
    int must = (int)pick(0, nest.nparts - 1);
    for (int p = 0; p < nest.nparts; ++p) {
        struct part *part = &nest.parts[p];
        part->loop = p == must || pick(0, 2) > 0;
        part->step = direction * jump;
        struct linear low = {pick(0, 5) == 0, 0, pick(0, 2)}, high = {pick(0, 5) == 0, 0, 0};
        /* One loop is long enough to be worth a wavefront. */
        high.constant = low.constant + (p == must    ? LONG * jump
                                        : pick(0, 1) ? pick(2, 6)
                                                     : pick(14, 20));
        part->low = direction > 0 ? low : high;
        part->high = direction > 0 ? high : low;
        part->write = random_place(part->loop);
        part->nreads = (int)pick(1, READS);
        for (int r = 0; r < part->nreads; ++r)
            part->reads[r] = random_place(part->loop);
    }
    return nest;
}

/* ---- as text --------------------------------------------------------------------------------- */

static void print_linear(FILE *out, struct linear l) {
    fprintf(out, "%ld", l.constant);
    if (l.ci)
        fprintf(out, " + %ld * i", l.ci);
    if (l.cj)
        fprintf(out, " + %ld * j", l.cj);
}

static void print_place(FILE *out, const struct place *place) {
    static const char *const names[] = {"a", "b", "row"};
    fprintf(out, "%s[", names[place->array]);
    print_linear(out, place->subs[0]);
    if (place->array != ROW) {
        fprintf(out, "][");
        print_linear(out, place->subs[1]);
    }
    fprintf(out, "]");
}

static void print_part(FILE *out, const struct part *part) {
    if (part->loop) {
        fprintf(out, "        for (int j = ");
        print_linear(out, part->low);
        fprintf(out, "; j %s ", part->step > 0 ? "<=" : ">=");
        print_linear(out, part->high);
        fprintf(out, "; j += %ld)\n    ", part->step);
    }
    fprintf(out, "        ");
    print_place(out, &part->write);
    fprintf(out, " = 7");
    for (int r = 0; r < part->nreads; ++r) {
        fprintf(out, " + %d * ", 3 + 2 * r);
        print_place(out, &part->reads[r]);
    }
    fprintf(out, ";\n");
}

static char *text_of(const struct nest *nest) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out,
            "unsigned a[%d][%d], b[%d][%d], row[%d];\nvoid f(void) {\n"
            "#pragma orrery parallel\n    for (int i = %ld; i %s %ld; i += %ld) {\n",
            SIZE, SIZE, SIZE, SIZE, SIZE, nest->first,
            nest->step > 0 ? "<=" : ">=", nest->first + (nest->count - 1) * nest->step, nest->step);
    for (int p = 0; p < nest->nparts; ++p)
        print_part(out, &nest->parts[p]);
    fprintf(out, "    }\n}\n");
    fclose(out);
    return text;
}

/* ---- executions ------------------------------------------------------------------------------ */

struct memory {
    unsigned cell[3][SIZE][SIZE];
};

/* One execution of a part's statement, in the serial order. */
struct event {
    long iteration, i, j;
    int part;
};

struct events {
    int count;
    struct event items[2048];
};

static long value_of(struct linear l, long i, long j) {
    return l.ci * i + l.cj * j + l.constant;
}

static unsigned *cell_of(struct memory *memory, const struct place *place, const struct event *e) {
    long x = value_of(place->subs[0], e->i, e->j);
    long y = place->array == ROW ? 0 : value_of(place->subs[1], e->i, e->j);
    assert_true(x >= 0 && x < SIZE && y >= 0 && y < SIZE);
    return &memory->cell[place->array][x][y];
}

static void event_add(struct events *events, struct event event) {
    assert_true(events->count < 2048);
    events->items[events->count++] = event;
}

static void events_of(const struct nest *nest, struct events *events) {
    events->count = 0;
    for (long it = 0; it < nest->count; ++it) {
        long i = nest->first + it * nest->step;
        for (int p = 0; p < nest->nparts; ++p) {
            const struct part *part = &nest->parts[p];
            long last = value_of(part->high, i, 0);
            if (!part->loop)
                event_add(events, (struct event){it, i, 0, p});
            for (long j = value_of(part->low, i, 0);
                 part->loop && (part->step > 0 ? j <= last : j >= last); j += part->step) {
                event_add(events, (struct event){it, i, j, p});
            }
        }
    }
}

static void run(const struct nest *nest, struct memory *memory, const struct event *e) {
    const struct part *part = &nest->parts[e->part];
    unsigned value = 7;
    for (int r = 0; r < part->nreads; ++r)
        value += (unsigned)(3 + 2 * r) * *cell_of(memory, &part->reads[r], e);
    *cell_of(memory, &part->write, e) = value;
}

static void memory_start(struct memory *memory) {
    static struct memory first;
    if (first.cell[0][0][1]) {
        memcpy(memory, &first, sizeof first);
        return;
    }
    for (int a = 0; a < 3; ++a) {
        for (int x = 0; x < SIZE; ++x)
            for (int y = 0; y < SIZE; ++y)
                first.cell[a][x][y] = (unsigned)(a * 7919 + x * 104729 + y * 1299709);
    }
    memcpy(memory, &first, sizeof first);
}

/* ---- positions without shifts ---------------------------------------------------------------- */

/* The variable's value where the part stands:
 * a statement goes with the next loop, or behind the last one. */
static long along(const struct nest *nest, const struct event *e) {
    int next = e->part, last = 0;
    if (nest->parts[e->part].loop)
        return e->j;
    while (next < nest->nparts && !nest->parts[next].loop)
        ++next;
    for (int p = 0; p < nest->nparts; ++p)
        last = nest->parts[p].loop ? p : last;
    return next < nest->nparts ? value_of(nest->parts[next].low, e->i, 0)
                               : value_of(nest->parts[last].high, e->i, 0);
}

static long direction_of(const struct nest *nest) {
    return nest->parts[0].step > 0 ? 1 : -1;
}

static long position(const struct nest *nest, long skew, const struct event *e) {
    return direction_of(nest) * along(nest, e) + skew * e->iteration;
}

static bool depends(const struct nest *nest, const struct event *a, const struct event *b) {
    static struct memory names;
    const struct part *p = &nest->parts[a->part], *q = &nest->parts[b->part];
    bool found = cell_of(&names, &p->write, a) == cell_of(&names, &q->write, b);
    for (int r = 0; r < q->nreads; ++r)
        found = found || cell_of(&names, &p->write, a) == cell_of(&names, &q->reads[r], b);
    for (int r = 0; r < p->nreads; ++r)
        found = found || cell_of(&names, &p->reads[r], a) == cell_of(&names, &q->write, b);
    return found;
}

/* Are there shifts for this skew? */
static bool feasible(const struct nest *nest, const struct events *events, long skew) {
    long least[MOST_PARTS][MOST_PARTS], shift[MOST_PARTS] = {0};
    for (int u = 0; u < MOST_PARTS; ++u)
        for (int v = 0; v < MOST_PARTS; ++v)
            least[u][v] = LONG_MAX;
    for (int x = 0; x < events->count; ++x) {
        for (int y = x + 1; y < events->count; ++y) {
            const struct event *a = &events->items[x], *b = &events->items[y];
            long apart = position(nest, skew, b) - position(nest, skew, a);
            if (apart < least[a->part][b->part] && depends(nest, a, b))
                least[a->part][b->part] = apart;
        }
    }
    bool changed = true;
    for (int round = 0; round <= MOST_PARTS && changed; ++round) {
        changed = false;
        for (int u = 0; u < MOST_PARTS; ++u) {
            for (int v = 0; v < MOST_PARTS; ++v) {
                if (least[u][v] < LONG_MAX && shift[v] < shift[u] - least[u][v]) {
                    shift[v] = shift[u] - least[u][v];
                    changed = true;
                }
            }
        }
    }
    return !changed;
}

static long least_skew(const struct nest *nest, const struct events *events) {
    for (long skew = 0; skew <= MOST_SKEW; ++skew)
        if (feasible(nest, events, skew))
            return skew;
    return -1;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

enum { MOST_BLOCKS = 12 };

/* Runs a wavefront on a random grid, always some block whose two neighbours are done. */
static void run_blocks(const struct nest *nest, const struct events *events,
                       const struct plan_wave *wave, struct memory *memory) {
    long low = LONG_MAX, high = LONG_MIN, where[2048], done[MOST_BLOCKS] = {0};
    for (int e = 0; e < events->count; ++e) {
        where[e] = position(nest, wave->skew, &events->items[e]) +
                   wave->parts[events->items[e].part].shift;
        low = where[e] < low ? where[e] : low;
        high = where[e] > high ? where[e] : high;
    }
    long rows = pick(1, nest->count), width = pick((high - low) / MOST_BLOCKS + 1, high - low + 2);
    long columns = (high - low) / width + 1, left = rows * columns;
    while (left > 0) {
        long row = pick(0, rows - 1), column = done[row];
        if (column == columns || (row > 0 && done[row - 1] <= column))
            continue;
        for (int e = 0; e < events->count; ++e) {
            if (events->items[e].iteration * rows / nest->count == row &&
                (where[e] - low) / width == column) {
                run(nest, memory, &events->items[e]);
            }
        }
        ++done[row];
        --left;
    }
}

/* ---- one case -------------------------------------------------------------------------------- */

static long waves, skewed, shifted, serial;

static void check_blocks(const struct nest *nest, const struct events *events,
                         const struct plan_wave *wave) {
    static struct memory expected, found;
    memory_start(&expected);
    for (int e = 0; e < events->count; ++e)
        run(nest, &expected, &events->items[e]);
    for (int grid = 0; grid < 8; ++grid) {
        memory_start(&found);
        run_blocks(nest, events, wave, &found);
        assert_memory_equal(&expected, &found, sizeof found);
    }
}

/* A wavefront whose skew is less, or one of whose shifts is, is seen through. */
static void check_proof(const struct nest *nest, const struct events *events, struct plan *plan) {
    struct plan_wave *wave = plan->wave;
    assert_null(plan_check(plan));
    if (wave->skew > 0) {
        --wave->skew;
        assert_false(feasible(nest, events, wave->skew));
        assert_non_null(plan_check(plan));
        ++wave->skew;
    }
    for (int p = 0; p < wave->nparts; ++p) {
        if (wave->parts[p].shift > 0) {
            --wave->parts[p].shift;
            assert_non_null(plan_check(plan));
            ++wave->parts[p].shift;
        }
    }
}

static void check_nest(const struct nest *nest) {
    static struct events events;
    char *text = text_of(nest);
    struct parsed parsed = parsed_text(text);
    assert_clean(&parsed);
    struct plan *plan =
        plan_choose(analysis_run(facts_collect(parsed.unit, parsed.unit->loops[0])));
    events_of(nest, &events);
    long skew = least_skew(nest, &events);
    if (plan->strategy == STRATEGY_WAVEFRONT) {
        ++waves;
        skewed += plan->wave->skew > 0;
        for (int p = 0; p < plan->wave->nparts; ++p)
            shifted += plan->wave->parts[p].shift > 0;
        assert_int_equal(plan->wave->skew, skew);
        check_blocks(nest, &events, plan->wave);
        check_proof(nest, &events, plan);
    } else if (plan->strategy == STRATEGY_SERIAL) {
        if (skew >= 0)
            printf("skew %ld is not found (%s):\n%s", skew, plan->code, text);
        assert_int_equal(skew, -1);
        ++serial;
    }
    parsed_free(&parsed);
    free(text);
}

static void random_nests(void **unused) {
    (void)unused;
    for (int i = 0; i < CASES; ++i) {
        struct nest nest = random_nest();
        check_nest(&nest);
    }
    printf("%ld wavefronts, %ld skewed, %ld shifts, %ld serial\n", waves, skewed, shifted, serial);
    assert_true(waves > CASES / 4);
    assert_true(skewed > CASES / 20);
    assert_true(shifted > CASES / 20);
    assert_true(serial > CASES / 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_nests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
