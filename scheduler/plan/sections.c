/*
 * Which arrays ranks can have parts of by what iterations touch: those of which it can be said,
 * before the loop runs, what its iterations read and write (emit/sections.c says it), and in a
 * wavefront at which positions. Of an independent loop the same, without positions: there is no
 * `wave`.
 */
#include "scheduler/plan/sections.h"

int plan_part_of(const struct plan_wave *wave, const struct access *access) {
    for (int i = 0; i < wave->nparts; ++i)
        if (plan_is_made_in(access, &wave->parts[i].stmt->range))
            return i;
    return -1;
}

/* ---- what can be worked out ------------------------------------------------------------------ */

static bool is_loop_of(const struct loop_facts *facts, const struct access *access, int nloops,
                       const struct symbol *symbol) {
    for (int l = 0; l < nloops; ++l)
        if (facts->inner[access->loops[l]].symbol == symbol)
            return true;
    return false;
}

/* Of the planned loop's variable, the access's outermost loops, and what stays as it is. */
static bool is_known(const struct loop_facts *facts, const struct access *access, int nloops,
                     const struct affine *value) {
    bool known = true;
    for (int i = 0; i < value->nterms; ++i) {
        const struct symbol *s = value->terms[i].symbol;
        known = known && (s == facts->index || is_loop_of(facts, access, nloops, s) ||
                          (s->kind == SYMBOL_PARAM && s->expr));
    }
    return known;
}

bool plan_loop_is_known(const struct loop_facts *facts, const struct access *access, int at) {
    const struct inner_loop *loop = &facts->inner[access->loops[at]];
    return loop->has_lower && loop->has_upper && !loop->by_number &&
           is_known(facts, access, at, &loop->lower) && is_known(facts, access, at, &loop->upper);
}

static bool uses(const struct affine *value, const struct symbol *symbol) {
    for (int i = 0; i < value->nterms; ++i)
        if (value->terms[i].symbol == symbol)
            return true;
    return false;
}

bool plan_uses_loop(const struct loop_facts *facts, const struct access *access, int at) {
    const struct symbol *symbol = facts->inner[access->loops[at]].symbol;
    bool used = false;
    for (int d = 0; d < access->nsubs; ++d)
        used = used || uses(&access->subs[d].value, symbol);
    for (int l = at + 1; l < access->nloops && !used; ++l) {
        const struct inner_loop *loop = &facts->inner[access->loops[l]];
        used = plan_uses_loop(facts, access, l) &&
               (uses(&loop->lower, symbol) || uses(&loop->upper, symbol));
    }
    return used;
}

static bool has_strides(const struct object *object) {
    bool rows = object->kind == OBJECT_ROWS;
    bool known = object->element && object->element->size > 0 && object->ndims > 0 &&
                 object->ntables < 2 &&
                 (rows || object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER);
    for (int d = rows; known && d < object->ndims; ++d)
        known = object->dims[d].stride_text != NULL;
    return known;
}

/* In one part, which is no declaration; in the loop that is cut, where the part is one. */
static bool has_position(const struct plan_wave *wave, const struct loop_facts *facts,
                         const struct access *access) {
    if (!wave)
        return true;
    int part = plan_part_of(wave, access);
    if (part < 0 || wave->parts[part].kind == WAVE_DECLARATION)
        return false;
    return wave->parts[part].kind == WAVE_STATEMENT ||
           (access->nloops > 0 && &facts->inner[access->loops[0]] == wave->parts[part].loop);
}

/* Do the subscript and the loops that it depends on stand before the loop runs? */
static bool is_said(const struct loop_facts *facts, const struct access *access, int sub) {
    struct access one = *access;
    one.nsubs = 1;
    one.subs = &access->subs[sub];
    bool said = one.subs->known && is_known(facts, access, access->nloops, &one.subs->value);
    for (int l = 0; said && l < access->nloops; ++l)
        said = !plan_uses_loop(facts, &one, l) || plan_loop_is_known(facts, access, l);
    return said;
}

/* Where positions count, a loop that is not known has none. */
bool plan_section_of(const struct plan_wave *wave, const struct loop_facts *facts,
                     const struct access *access, struct access *section) {
    bool good = access->nsubs == access->object->ndims && has_position(wave, facts, access);
    *section = *access;
    section->nsubs = 0;
    while (section->nsubs < access->nsubs && access->subs[section->nsubs].known &&
           is_known(facts, access, access->nloops, &access->subs[section->nsubs].value) &&
           (wave || is_said(facts, access, section->nsubs)))
        ++section->nsubs;
    for (int l = 0; good && l < access->nloops; ++l)
        good = !plan_uses_loop(facts, section, l) || plan_loop_is_known(facts, access, l);
    bool in_row = section->nsubs > 0 || access->object->kind != OBJECT_ROWS;
    bool some =
        access->write ? !wave && section->nsubs > (access->object->kind == OBJECT_ROWS) : in_row;
    return good && (section->nsubs == access->nsubs || some);
}

bool plan_is_section(const struct plan_wave *wave, const struct loop_facts *facts,
                     const struct access *access) {
    struct access section;
    return plan_section_of(wave, facts, access, &section) &&
           (section.nsubs == access->nsubs || plan_is_written(facts, access->object));
}

const char *plan_whole(const struct plan *plan, const struct object *object) {
    const struct loop_facts *facts = plan->analysis->facts;
    struct arena *arena = facts->unit->arena;
    if (!has_strides(object))
        return arena_printf(arena, "how %s lies in memory is not known", object->name);
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        if (access->object == object && !plan_is_section(plan->wave, facts, access)) {
            return arena_printf(arena,
                                "which elements of %s line %d touches is not known before the loop "
                                "runs",
                                object->name, access->range.begin.line);
        }
    }
    return NULL;
}
