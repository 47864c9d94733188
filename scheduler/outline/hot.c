/* relax(hot): rows that many iterations change have copies, which the body finds by the keys in its
 * records. So every access has to go through one of these, and through nothing else. */
#include "scheduler/outline/collect.h"

#include <string.h>

static bool is_in(const struct symbol *symbol, struct symbol *const *all, int count) {
    for (int i = 0; i < count; ++i)
        if (all[i] == symbol)
            return true;
    return false;
}

/* Is the key's number in the text, wherever a row is reached through it, one of the record? */
static bool is_packed(const struct outline *job, const struct symbol *symbol) {
    const struct loop_facts *facts = job->facts;
    for (int i = 0; i < job->nslots; ++i) {
        const struct record_slot *slot = &job->slots[i];
        if (slot->load->key == symbol && slot->load->key_constant == 0)
            return slot->touch
                       ? !is_in(symbol, facts->scattered_keys, facts->nscattered_keys)
                       : !is_in(symbol, facts->unreplaceable_keys, facts->nunreplaceable_keys);
    }
    return false;
}

static bool uses(const struct access *access, const struct symbol *symbol) {
    for (int d = 0; d < access->nsubs; ++d)
        for (int i = 0; access->subs[d].known && i < access->subs[d].value.nterms; ++i)
            if (access->subs[d].value.terms[i].symbol == symbol)
                return true;
    return false;
}

/* Another object whose rows are reached by the same number; NULL: there is none. */
static const struct object *shares(const struct outline *job, const struct object *object,
                                   const struct symbol *symbol) {
    for (int i = 0; i < job->facts->naccesses; ++i)
        if (job->facts->accesses[i].object != object && uses(&job->facts->accesses[i], symbol))
            return job->facts->accesses[i].object;
    return NULL;
}

/* Why the access cannot be led to a copy; NULL: it can. */
static const char *why_not(struct outline *job, const struct access *access) {
    const struct affine *row = &access->subs[0].value;
    const struct symbol *key = row->nterms == 1 ? row->terms[0].symbol : NULL;
    if (!key || key->kind != SYMBOL_KEY || row->constant != 0 || row->terms[0].coeff != 1)
        return "a row is not reached by a key alone";
    if (!is_packed(job, key))
        return arena_printf(job->arena, "%s is used for more than to reach its row", key->name);
    const struct object *other = shares(job, access->object, key);
    return other ? arena_printf(job->arena, "%s also leads to %s, which has rows of its own",
                                key->name, other->name)
                 : NULL;
}

static const char *object_problem(const struct outline *job, const struct object *object) {
    const struct plan_touch *touch = plan_touch_of(job->plan, object);
    bool real =
        object->element && object->element->kind == TYPE_FLOAT && object->element->size <= 8;
    bool piece = (object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER) &&
                 touch->sub == 0 && object->ndims > 0 && object->dims[0].stride_text &&
                 object->ntables == 0;
    unsigned long arrays;
    return !real    ? "its elements are not float or double"
           : !piece ? "its rows are not side by side in one piece"
           : emit_addresses(job) || emit_compared(job, &arrays)
               ? "the body keeps or compares addresses"
               : NULL;
}

static bool check(struct outline *job, const struct object *object) {
    const char *why = object_problem(job, object);
    struct range where = job->loop->header;
    for (int i = 0; !why && i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (access->object == object) {
            why = why_not(job, access);
            where = access->range;
        }
    }
    return !why || emit_refuse(job, ORR2265, where,
                               "the loop stays serial: rows of %s cannot have the copies of "
                               "relax(hot : %s): %s",
                               object->name, object->name, why);
}

static bool is_listed(const struct outline *job, const char *name) {
    for (int t = 0; t < job->plan->ntouches; ++t) {
        const struct object *object = job->plan->touches[t].object;
        if (strcmp(object->name, name) == 0 && plan_is_hot(job->plan, object))
            return true;
    }
    return false;
}

static bool check_clause(struct outline *job, const struct clause *clause) {
    for (int n = 0; clause->kind == CLAUSE_HOT && n < clause->nnames; ++n)
        if (!is_listed(job, clause->names[n])) {
            job->refusal.of_plan = false;
            return emit_refuse(job, ORR2266, clause->range,
                               "the loop stays serial: relax(hot : %s) is for rows that iterations "
                               "conflict through in a loop by batches; leave it out",
                               clause->names[n]);
        }
    return true;
}

bool emit_has_hot(const struct outline *job) {
    for (int t = 0; t < job->plan->ntouches; ++t)
        if (plan_is_hot(job->plan, job->plan->touches[t].object))
            return true;
    return false;
}

/* requires: emit_record_collect. */
bool emit_hot_check(struct outline *job) {
    const struct pragma *pragma = job->loop->pragma;
    for (int i = 0; pragma && i < pragma->nclauses; ++i)
        if (!check_clause(job, &pragma->clauses[i]))
            return false;
    for (int t = 0; t < job->plan->ntouches; ++t)
        if (plan_is_hot(job->plan, job->plan->touches[t].object) &&
            !check(job, job->plan->touches[t].object))
            return false;
    return !emit_has_hot(job) || !job->standalone ||
           emit_refuse(job, ORR2320, job->loop->header,
                       "the loop stays serial: relax(hot) needs the run library");
}
