/*
 * facts_collect: interprets one iteration until what was assumed holds, then derives everything
 * else.
 */
#include "analyzer/access/internal.h"
#include "analyzer/access/interp/interp.h"
#include "analyzer/access/interp/wrap.h"

#include <string.h>

enum { MAX_RUNS = 80 };

static void interp_reset(struct interp *w) {
    *w->trace.syms = (struct syms){.arena = w->arena};
    w->trace.nregions = w->trace.nrefs = w->trace.nsites = w->nconditions = w->njumps =
        w->narrivals = 0;
    w->trace.regions = NULL;
    w->regions = NULL;
    w->trace.refs = w->refs = NULL;
    w->trace.sites = w->sites = NULL;
    w->env = w->trace.end = (struct env){0};
    w->conditions = NULL;
    w->jumps = NULL;
    w->arrivals = NULL;
    w->block = NULL;
    w->trace.inner = w->inner = NULL;
    w->active = NULL;
    w->trace.ninner = w->nactive = w->loop_nesting = w->breakable = w->nreduction_reads = 0;
    w->dead = w->again = w->in_header = false;
    *w->trace.known = (struct int_table){.arena = w->arena};
    w->trace.used = NULL;
    w->trace.nused = 0;
    w->trace.ndemands = 0;
    w->trace.demands = NULL;
    w->facts->nrefusals = 0;
    w->facts->refusals = NULL;
}

/* requires: nothing. One walk over header and body. */
static void access_run(struct interp *w) {
    struct frame frame = {.function = w->loop->function};
    interp_reset(w);
    w->frame = &frame;
    if (!header_check(w))
        return;
    header_interp(w);
    int jumps = w->njumps;
    interp_stmt(w, w->loop->body);
    w->njumps = jumps;
    w->nconditions = 0;
    if (frame.have_exits)
        w->env = w->dead ? frame.exits : env_join(w, &w->env, &frame.exits, NULL);
    w->dead = false;
    interp_next(w, w->loop);
    inductions_end(w);
    w->trace.end = w->env;
    w->frame = NULL;
}

/* ---- repeated until it holds ----------------------------------------------------------------- */

static bool may_change(struct interp *w, const struct ref *read, const struct ref *write) {
    if (!write->write || write->header)
        return false;
    enum alias alias = alias_regions(&w->trace, read->address->region, write->address->region);
    return alias == ALIAS_MAY && !refs_disjoint_fields(&w->trace, read, write);
}

static bool fixed_apart(struct interp *w, const struct ref *a, const struct ref *b) {
    long apart, size_a, size_b;
    if (a->address->region != b->address->region || a->address->nparts || b->address->nparts ||
        a->address->row || b->address->row ||
        !poly_is_constant(poly_subtract(w->arena, b->address->poly, a->address->poly), &apart) ||
        !poly_is_constant(a->size, &size_a) || !poly_is_constant(b->size, &size_b)) {
        return false;
    }
    return poly_is_invariant(w->trace.syms, a->address->poly) &&
           (apart >= size_a || -apart >= size_b);
}

static void taint(struct interp *w, const struct ref *read, const struct ref *write) {
    bool surely = read->address->region == write->address->region;
    const char *why = arena_printf(w->arena, "`%s` %s read from memory the loop writes (line %d)",
                                   expr_print(w->arena, read->expr), surely ? "is" : "may be",
                                   write->range.begin.line);
    struct taint taint = {.why =
                              interp_why(&w->trace, surely ? WHY_WRITTEN : WHY_MAYBE_WRITTEN, why),
                          .place = ref_place(write)};
    table_put(&w->trace.tainted, (uint64_t)read->expr->id, w->trace.ntaints);
    TRACE_PUSH(w->arena, w->trace.taints, w->trace.ntaints, taint);
    w->again = true;
}

/* A read of data that the loop writes says nothing about the iteration. What a library function
 * reads is no value of the text, which names the pointer to it. */
static void taint_reads(struct interp *w) {
    for (int i = 0; i < w->trace.nrefs; ++i) {
        const struct ref *read = &w->trace.refs[i];
        if (read->write || read->scalar || read->told || read->called || read->expr->id < 0 ||
            interp_taint(w, read->expr)) {
            continue;
        }
        for (int j = 0; j < w->trace.nrefs; ++j) {
            const struct ref *write = &w->trace.refs[j];
            if (may_change(w, read, write) && !fixed_apart(w, read, write)) {
                taint(w, read, write);
                break;
            }
        }
    }
}

static void interp_until_stable(struct interp *w) {
    for (int run = 0; run < MAX_RUNS; ++run) {
        w->steps = 0;
        access_run(w);
        taint_reads(w);
        if (!w->again && !inductions_learn(w) && !wrap_given_up(w))
            return;
    }
    interp_refuse(&w->trace, ORR2230, w->loop->header,
                  "split the loop, or move a part of its body into a loop of its own",
                  "the loop's body is too involved to analyze");
}

static void refuse_written_header(struct interp *w) {
    for (int i = 0; i < w->trace.nrefs; ++i) {
        const struct ref *read = &w->trace.refs[i];
        if (read->header && interp_taint(w, read->expr)) {
            interp_refuse(&w->trace, ORR2224, read->range,
                          "copy it into a local variable before the loop",
                          "the loop's bound reads `%s`, which the loop changes",
                          expr_print(w->arena, read->expr));
        }
    }
}

/* Iterations that differ in another subscript, a key or their number, do not meet. */
static bool is_told_apart(const struct loop_facts *facts, const struct access *a) {
    for (int d = 0; d < a->nsubs; ++d) {
        const struct affine *value = &a->subs[d].value;
        for (int i = 0; a->subs[d].known && i < value->nterms; ++i) {
            const struct symbol *symbol = value->terms[i].symbol;
            if (symbol->kind == SYMBOL_KEY || symbol == facts->index)
                return true;
        }
    }
    return false;
}

static const char *fix_of_written_key(const struct interp *w, const struct object *table) {
    const char *fix = "compute what chooses the elements in a loop of its own before this one";
    return object_is_numbers(table)
               ? arena_printf(w->arena,
                              "%s; or, if iterations may see values of %s that are a little "
                              "old, add relax(%s)",
                              fix, table->name, table->name)
               : fix;
}

/* A written table whose row comes out of written data:
 * nothing can be known before the loop runs. */
static void refuse_written_keys(struct interp *w) {
    for (int i = 0; i < w->facts->naccesses; ++i) {
        const struct access *a = &w->facts->accesses[i];
        for (int d = 0; d < a->nsubs; ++d) {
            const struct subscript *sub = &a->subs[d];
            bool maybe = sub->why_kind == WHY_MAYBE_WRITTEN;
            if (a->write && !sub->known && a->reduction < 0 && !is_told_apart(w->facts, a) &&
                (maybe || sub->why_kind == WHY_WRITTEN)) {
                struct range own = a->via ? a->via->range : a->range;
                interp_refuse(&w->trace, ORR2204, own, fix_of_written_key(w, a->object),
                              "the elements of `%s` that `%s` touches are chosen by data that the "
                              "loop %s: %s",
                              a->object->name, a->text, maybe ? "may change" : "changes",
                              sub->why_not);
            }
        }
    }
}

static void collecting_see(void *data, struct expr *e) {
    bool *collects = data;
    *collects = *collects || (e->kind == EXPR_CALL && e->function &&
                              (strcmp(e->function->name, "orrery_output_at") == 0 ||
                               strcmp(e->function->name, "orrery_output_leave") == 0));
}

static struct interp *interp_of(struct unit *unit, struct loop *loop, bool keeps_sums) {
    struct facts_behind *behind = arena_alloc(unit->arena, sizeof *behind);
    struct interp *w = arena_alloc(unit->arena, sizeof *w);
    behind->trace = &w->trace;
    behind->facts.unit = unit;
    behind->facts.loop = loop;
    behind->facts.keeps_sums = keeps_sums;
    w->trace.unit = w->unit = unit;
    w->trace.loop = w->loop = loop;
    stmt_visit(loop->body, collecting_see, &w->collects);
    w->trace.arena = w->arena = unit->arena;
    w->trace.facts = w->facts = &behind->facts;
    w->trace.tainted = behind->guards = (struct int_table){.arena = unit->arena};
    w->trace.syms = arena_alloc(unit->arena, sizeof *w->trace.syms);
    w->trace.known = arena_alloc(unit->arena, sizeof *w->trace.known);
    w->trace.whys = arena_alloc(unit->arena, sizeof *w->trace.whys);
    w->trace.origins = arena_alloc(unit->arena, sizeof *w->trace.origins);
    *w->trace.whys = (struct int_table){.arena = unit->arena};
    w->trace.origins->unit = unit;
    return w;
}

static struct loop_facts *collect(struct unit *unit, struct loop *loop, bool keeps_sums) {
    struct interp *w = interp_of(unit, loop, keeps_sums);
    clause_exprs_read(&w->trace);
    inductions_prepare(w);
    interp_until_stable(w);
    refuse_written_header(w);
    inductions_collect(w);
    access_symbols(&w->trace);
    access_shape_objects(&w->trace);
    objects_when(&w->trace);
    access_domains(&w->trace);
    subscripts_stay(&w->trace);
    wrap_guards(&w->trace);
    access_row_guards(&w->trace);
    facts_assume(&w->trace);
    must_write_prepare(&w->trace);
    intervals_collect(&w->trace);
    reduce_collect(&w->trace);
    relax_collect(&w->trace);
    argmin_collect(&w->trace);
    private_collect(&w->trace);
    refuse_written_keys(w);
    facts_guards(&w->trace);
    header_guards(w);
    streams_collect(&w->trace);
    facts_fronts(&w->trace);
    facts_captures(&w->trace);
    facts_clauses(&w->trace);
    return w->facts;
}

struct loop_facts *facts_collect(struct unit *unit, struct loop *loop) {
    return collect(unit, loop, false);
}

struct loop_facts *facts_collect_sums(struct unit *unit, struct loop *loop) {
    return collect(unit, loop, true);
}

struct loop_facts *facts_too_much(struct unit *unit, struct loop *loop) {
    struct interp *w = interp_of(unit, loop, false);
    interp_refuse(&w->trace, ORR2190, loop->header,
                  "split the loop, or move a part of its body into a loop of its own",
                  "the loop is too much work to analyze");
    return w->facts;
}
