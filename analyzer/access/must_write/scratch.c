/* Objects declared outside of the loop that are an iteration's own: scratch arrays. */
#include "analyzer/access/internal.h"
#include "analyzer/access/must_write/live_out.h"
#include "analyzer/access/must_write/must_write.h"

#include <stdarg.h>
#include <stdio.h>

static bool miss(const struct trace *t, const struct object *object, const char *code,
                 struct range range, const char *fix, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

static bool miss(const struct trace *t, const struct object *object, const char *code,
                 struct range range, const char *fix, const char *format, ...) {
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    struct scratch_miss made = {object, code, range, arena_strdup(t->arena, message), fix, false};
    if (object->read)
        ARENA_PUSH(t->arena, t->facts->misses, t->facts->nmisses, made);
    return false;
}

static const struct ref *first_write(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->nrefs; ++i)
        if (located(t, &t->refs[i])->object == object && t->refs[i].write)
            return &t->refs[i];
    return NULL;
}

/* ---- written before it is read --------------------------------------------------------------- */

static bool miss_read(const struct trace *t, int at) {
    const struct ref *read = &t->refs[at], *write = must_write_last_write(t, at);
    const char *name = located(t, read)->object->name;
    if (!write)
        return false;
    const char *why = write->conditional && !read->conditional
                          ? "only under a condition"
                          : "and it is not certain that it sets just what is read here";
    return miss(
        t, located(t, read)->object, ORR2231, ref_place(read),
        arena_printf(t->arena,
                     "if no iteration needs what another one left in `%s`, declare it inside "
                     "of the loop, or let every iteration set all that it reads, under the "
                     "same conditions and over the same range, before it reads it",
                     name),
        "`%s` would be scratch space of an iteration, but `%s` may be read here before the "
        "iteration has set it: `%s` is set at line %d, %s",
        name, expr_print(t->arena, read->expr), expr_print(t->arena, write->expr),
        ref_place(write).begin.line, why);
}

static bool all_flat(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->nrefs; ++i)
        if (located(t, &t->refs[i])->object == object && !t->refs[i].write &&
            !must_write_flat(t, i))
            return false;
    return true;
}

/* What its subscripts ask of the run does not matter when they were not looked at. */
static void drop_guards(struct loop_facts *facts, const struct object *object) {
    int kept = 0;
    for (int i = 0; i < facts->nguards; ++i) {
        const struct guard *guard = &facts->guards[i];
        bool subscripts = guard->kind == GUARD_CONDITION || guard->kind == GUARD_KEY_RANGE;
        if (guard->a != object || !subscripts)
            facts->guards[kept++] = *guard;
    }
    facts->nguards = kept;
}

static bool reads_are_covered(const struct trace *t, struct must_write *must_write,
                              const struct object *object) {
    if (all_flat(t, object))
        return true;
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (located(t, ref)->object == object && !ref->write &&
            !must_write_holds(must_write, i, MUST_WRITE_BEFORE, NULL) && !must_write_flat(t, i)) {
            return miss_read(t, i);
        }
    }
    return true;
}

/* ---- the last value -------------------------------------------------------------------------- */

static bool miss_steady(const struct trace *t, const struct object *object, const struct ref *ref) {
    const bool named = !live_out_if_static(t, object);
    const char *fix = arena_printf(t->arena,
                                   "declare `%s` inside of the loop, or set the same elements of "
                                   "it in every iteration",
                                   object->name);
    if (named)
        fix = arena_printf(t->arena, "if no other file names `%s`, declare it static; else %s",
                           object->name, fix);
    miss(
        t, object, ORR2232, ref_place(ref), fix,
        "`%s` is scratch space of an iteration, but what is left in it may be used after the loop, "
        "and not every iteration sets `%s`",
        object->name, expr_print(t->arena, ref->expr));
    if (named && t->facts->nmisses > 0 && t->facts->misses[t->facts->nmisses - 1].object == object)
        t->facts->misses[t->facts->nmisses - 1].if_static = true;
    return false;
}

static bool writes_are_steady(const struct trace *t, struct must_write *must_write,
                              const struct object *object) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (located(t, ref)->object == object && ref->write &&
            !must_write_holds(must_write, i, MUST_WRITE_ALWAYS, NULL) &&
            !must_write_flat_always(t, i)) {
            return miss_steady(t, object, ref);
        }
    }
    return true;
}

/* ---- can it have a copy ---------------------------------------------------------------------- */

static bool has_place(const struct trace *t, const struct object *object) {
    const struct ref *write = first_write(t, object);
    const struct region *region = ((const struct object_behind *)object)->region;
    const struct region *named = rows_outermost(region);
    if (named->kind != REGION_VARIABLE && named->kind != REGION_POINTER)
        return false;
    if (named->in_callee && named->var) {
        return miss(t, object, ORR2233, ref_place(write),
                    arena_printf(t->arena,
                                 "reach `%s` by its name in the loop's body only, and pass it to "
                                 "the functions that use it",
                                 object->name),
                    "`%s` is scratch space of an iteration, but a called function names it, or "
                    "another pointer leads to it: it cannot be given a copy per worker",
                    object->name);
    }
    return true;
}

/* A copy begins where the pointer points to, which may be inside of the user's array. What is read
 * has been written. */
static bool has_front(const struct trace *t, struct must_write *must_write,
                      const struct object *object) {
    bool whole = (object->kind != OBJECT_POINTER && object->kind != OBJECT_ROWS) ||
                 object->size_text || (object->var && origins_allocation(t->origins, object->var));
    for (int i = 0; !whole && i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (located(t, ref)->object == object && ref->write &&
            !must_write_from_base(must_write, i) && !must_write_flat_from_base(t, i)) {
            return miss(t, object, ORR2233, ref_place(ref),
                        arena_printf(t->arena,
                                     "let `%s` point to the first element that the loop uses",
                                     object->name),
                        "`%s` is scratch space of an iteration, but `%s` may lie in front of what "
                        "`%s` points to: it cannot be given a copy per worker",
                        object->name, expr_print(t->arena, ref->expr), object->name);
        }
    }
    return true;
}

static bool is_of_member(const struct trace *t, const struct object *a, const struct object *b) {
    return a->var && b->base && b->base->kind == EXPR_MEMBER && b->base->field &&
           origins_names_member(t->origins, a->var, b->base);
}

/* One is set to an address in the other: a guard would not hold. */
static bool is_linked(const struct trace *t, const struct object *a, const struct object *b) {
    bool variables = a->var && b->var && a->var != b->var &&
                     (origins_lead_to(t->origins, a->var, b->var) ||
                      origins_lead_to(t->origins, b->var, a->var));
    return variables || is_of_member(t, a, b) || is_of_member(t, b, a);
}

static bool may_meet(const struct trace *t, const struct object *a, const struct object *b) {
    enum alias alias = alias_objects(t->facts, a, b);
    return alias == ALIAS_MAY || (alias == ALIAS_GUARDED && is_linked(t, a, b));
}

static bool is_apart(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->facts->nobjects; ++i) {
        const struct object *other = t->facts->objects[i];
        if (other == object || !trace_touches(t, other) || !may_meet(t, object, other))
            continue;
        return miss(t, object, ORR2234, ref_place(first_write(t, object)),
                    arena_printf(t->arena,
                                 "declare the pointers restrict, or use an array of its own for "
                                 "`%s`",
                                 object->name),
                    "`%s` is scratch space of an iteration, but it may overlap %s, which the loop "
                    "uses too",
                    object->name, object_words(t->arena, other));
    }
    return true;
}

static bool is_candidate(const struct trace *t, const struct object *object) {
    bool kind = object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER ||
                object->kind == OBJECT_SCALAR || object->kind == OBJECT_ROWS;
    for (int i = 0; kind && i < t->nrefs; ++i)
        kind = located(t, &t->refs[i])->object != object || !t->refs[i].header;
    return kind && first_write(t, object);
}

/*
 * Rows behind a table of pointers: a worker's copy is a table of its own. What of each row the
 * iterations use must be known, so that the run can tell that no two rows share it.
 */
static bool has_table(const struct trace *trace, const struct object *object) {
    int n = object->ntables;
    bool known = object->ndims == n + 1 && object->dims[n].stride_text;
    for (int d = 0; known && d < object->ndims; ++d)
        known = object->dims[d].extent_text;
    if (object->kind != OBJECT_ROWS ||
        (known && object->captured && !object->table_step && !object->inner_step))
        return true;
    return miss(
        trace, object, ORR2233, ref_place(first_write(trace, object)),
        "keep it in one piece: an array of the body (`float t[K][K]`), or one block behind "
        "a pointer (`t[a * K + b]`)",
        "`%s` is scratch space of an iteration, but its rows are reached through a table of "
        "pointers, and %s: they cannot be given a copy per worker",
        object->name,
        known ? "that stands in a structure" : "how much of them it uses is not known");
}

/* The run looks at the rows where it makes copies of them. */
static void drop_rows_guard(struct loop_facts *facts, const struct object *object) {
    int kept = 0;
    for (int i = 0; i < facts->nguards; ++i) {
        const struct guard *guard = &facts->guards[i];
        if (guard->a != object || guard->kind != GUARD_ROWS_DISJOINT)
            facts->guards[kept++] = *guard;
    }
    facts->nguards = kept;
}

/* What no iteration reads is no scratch space but what
 * the loop makes, though nobody wants it yet. */
static bool is_read(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->nrefs; ++i)
        if (located(t, &t->refs[i])->object == object && !t->refs[i].write)
            return true;
    return false;
}

static bool may_be_copied(const struct loop_facts *facts, const struct object *object) {
    bool copied = !facts->no_copies;
    for (int i = 0; i < facts->ncopied; ++i)
        copied = copied || (object->kind == OBJECT_ARRAY && object->var == facts->copied[i]);
    return copied;
}

bool facts_privatize(struct loop_facts *facts, struct object *object) {
    const struct trace *t = ((const struct facts_behind *)facts)->trace;
    if (facts->nrefusals > 0 || !may_be_copied(facts, object) || !is_candidate(t, object))
        return false;
    bool live = live_out_of(t, object);
    if (!live && !is_read(t, object))
        return false;
    struct must_write *must_write = must_write_new(t);
    bool good = reads_are_covered(t, must_write, object) && is_apart(t, object) &&
                (!live || writes_are_steady(t, must_write, object)) && has_place(t, object) &&
                has_front(t, must_write, object) && has_table(t, object);
    must_write_free(must_write);
    if (good) {
        bool whole = !live && all_flat(t, object);
        if (whole)
            drop_guards(facts, object);
        drop_rows_guard(facts, object);
        must_write_guards(must_write, object);
        struct scratch scratch = {.object = object, .last_value = live, .whole = whole};
        ARENA_PUSH(t->arena, facts->scratches, facts->nscratches, scratch);
    }
    return good;
}
