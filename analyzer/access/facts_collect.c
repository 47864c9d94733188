/*
 * facts_collect: walks one iteration until what was assumed holds, then derives everything else.
 */
#include "analyzer/access/internal.h"
#include "analyzer/access/walk/wrap.h"

enum { MAX_RUNS = 80 };

static void walk_reset(struct walk *w) {
    w->atoms = (struct atoms){.arena = w->arena};
    w->nregions = w->nraws = w->nsites = w->nconditions = w->njumps = w->narrivals = 0;
    w->regions = NULL;
    w->raws = NULL;
    w->sites = NULL;
    w->env = w->end = (struct env){0};
    w->conditions = NULL;
    w->jumps = NULL;
    w->arrivals = NULL;
    w->block = NULL;
    w->inner = NULL;
    w->active = NULL;
    w->ninner = w->nactive = w->loop_nesting = w->breakable = w->nreduction_reads = 0;
    w->dead = w->again = w->in_header = false;
    w->known = (struct int_table){.arena = w->arena};
    w->used = NULL;
    w->nused = 0;
    w->ndemands = 0;
    w->demands = NULL;
    w->facts->nrefusals = 0;
    w->facts->refusals = NULL;
}

/* requires: nothing. One walk over header and body. */
void access_run(struct walk *w) {
    struct frame frame = {.function = w->loop->function};
    walk_reset(w);
    w->frame = &frame;
    if (!header_check(w))
        return;
    header_walk(w);
    int jumps = w->njumps;
    walk_stmt(w, w->loop->body);
    w->njumps = jumps;
    w->nconditions = 0;
    if (frame.have_exits)
        w->env = w->dead ? frame.exits : env_join(w, &w->env, &frame.exits, NULL);
    w->dead = false;
    walk_next(w, w->loop);
    inductions_end(w);
    w->end = w->env;
    w->frame = NULL;
}

/* ---- repeated until it holds ----------------------------------------------------------------- */

static bool may_change(struct walk *w, const struct raw *read, const struct raw *write) {
    if (!write->write || write->header)
        return false;
    enum alias alias = alias_regions(w, read->address->region, write->address->region);
    return alias == ALIAS_MAY && !raws_disjoint_fields(w, read, write);
}

static bool fixed_apart(struct walk *w, const struct raw *a, const struct raw *b) {
    long apart, size_a, size_b;
    if (a->address->region != b->address->region || a->address->nparts || b->address->nparts ||
        a->address->row || b->address->row ||
        !poly_is_constant(poly_subtract(w->arena, b->address->poly, a->address->poly), &apart) ||
        !poly_is_constant(a->size, &size_a) || !poly_is_constant(b->size, &size_b)) {
        return false;
    }
    return poly_is_invariant(&w->atoms, a->address->poly) && (apart >= size_a || -apart >= size_b);
}

static struct range walk_raw_place(const struct raw *raw) {
    return raw->via ? raw->via->range : raw->range;
}

static void poison(struct walk *w, const struct raw *read, const struct raw *write) {
    bool surely = read->address->region == write->address->region;
    const char *why = arena_printf(w->arena, "`%s` %s read from memory the loop writes (line %d)",
                                   expr_print(w->arena, read->expr), surely ? "is" : "may be",
                                   write->range.begin.line);
    struct poison poison = {.why = walk_why(w, surely ? WHY_WRITTEN : WHY_MAYBE_WRITTEN, why),
                            .place = walk_raw_place(write)};
    table_put(&w->poisoned, (uint64_t)read->expr->id, w->npoisons);
    ARENA_PUSH(w->arena, w->poisons, w->npoisons, poison);
    w->again = true;
}

/* A read of data that the loop writes says nothing about the iteration. */
static void poison_reads(struct walk *w) {
    for (int i = 0; i < w->nraws; ++i) {
        const struct raw *read = &w->raws[i];
        if (read->write || read->scalar || read->told || read->expr->id < 0 ||
            walk_poison(w, read->expr)) {
            continue;
        }
        for (int j = 0; j < w->nraws; ++j) {
            const struct raw *write = &w->raws[j];
            if (may_change(w, read, write) && !fixed_apart(w, read, write)) {
                poison(w, read, write);
                break;
            }
        }
    }
}

static void walk_until_stable(struct walk *w) {
    for (int run = 0; run < MAX_RUNS; ++run) {
        w->steps = 0;
        access_run(w);
        poison_reads(w);
        if (!w->again && !inductions_learn(w) && !wrap_given_up(w))
            return;
    }
    walk_refuse(w, ORR2230, w->loop->header,
                "split the loop, or move a part of its body into a loop of its own",
                "the loop's body is too involved to analyze");
}

static void refuse_written_header(struct walk *w) {
    for (int i = 0; i < w->nraws; ++i) {
        const struct raw *read = &w->raws[i];
        if (read->header && walk_poison(w, read->expr)) {
            walk_refuse(w, ORR2224, read->range, "copy it into a local variable before the loop",
                        "the loop's bound reads `%s`, which the loop changes",
                        expr_print(w->arena, read->expr));
        }
    }
}

/* A written table whose row comes out of written data:
 * nothing can be known before the loop runs. */
static void refuse_written_keys(struct walk *w) {
    for (int i = 0; i < w->facts->naccesses; ++i) {
        const struct access *a = &w->facts->accesses[i];
        for (int d = 0; d < a->nsubs; ++d) {
            const struct subscript *sub = &a->subs[d];
            bool maybe = sub->why_kind == WHY_MAYBE_WRITTEN;
            if (a->write && !sub->known && a->reduction < 0 &&
                (maybe || sub->why_kind == WHY_WRITTEN)) {
                struct range own = a->via ? a->via->range : a->range;
                walk_refuse(w, ORR2204, own,
                            "read what chooses the elements from data that the loop does not "
                            "write, such as a copy made before it",
                            "the elements of `%s` that `%s` touches are chosen by data that the "
                            "loop %s: %s",
                            a->object->name, a->text, maybe ? "may change" : "changes",
                            sub->why_not);
            }
        }
    }
}

static struct walk *walk_of(struct unit *unit, struct loop *loop, bool keeps_sums) {
    struct facts_behind *behind = arena_alloc(unit->arena, sizeof *behind);
    struct walk *w = arena_alloc(unit->arena, sizeof *w);
    behind->walk = w;
    behind->facts.unit = unit;
    behind->facts.loop = loop;
    behind->facts.keeps_sums = keeps_sums;
    w->unit = unit;
    w->origins.unit = unit;
    w->loop = loop;
    w->arena = unit->arena;
    w->facts = &behind->facts;
    w->poisoned = w->whys = behind->guards = (struct int_table){.arena = unit->arena};
    return w;
}

static struct loop_facts *collect(struct unit *unit, struct loop *loop, bool keeps_sums) {
    struct walk *w = walk_of(unit, loop, keeps_sums);
    clause_exprs_read(w);
    inductions_prepare(w);
    walk_until_stable(w);
    refuse_written_header(w);
    inductions_collect(w);
    access_symbols(w);
    access_shape_objects(w);
    objects_when(w);
    access_domains(w);
    subscripts_stay(w);
    wrap_guards(w);
    access_row_guards(w);
    facts_assume(w);
    cover_prepare(w);
    claims_collect(w);
    reduce_collect(w);
    relax_collect(w);
    choice_collect(w);
    private_collect(w);
    refuse_written_keys(w);
    facts_guards(w);
    header_guards(w);
    streams_collect(w);
    facts_fronts(w);
    facts_captures(w);
    facts_clauses(w);
    return w->facts;
}

struct loop_facts *facts_collect(struct unit *unit, struct loop *loop) {
    return collect(unit, loop, false);
}

struct loop_facts *facts_collect_sums(struct unit *unit, struct loop *loop) {
    return collect(unit, loop, true);
}

struct loop_facts *facts_too_much(struct unit *unit, struct loop *loop) {
    struct walk *w = walk_of(unit, loop, false);
    walk_refuse(w, ORR2190, loop->header,
                "split the loop, or move a part of its body into a loop of its own",
                "the loop is too much work to analyze");
    return w->facts;
}
