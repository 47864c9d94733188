/* Guards and claims that a run can check. */
#include "scheduler/outline/collect.h"

#include <string.h>

static bool check_claim(struct outline *job, const struct claim *claim) {
    for (int i = 0; i < claim->nloops; ++i) {
        const struct claim_loop *loop = &claim->loops[i];
        if ((loop->when && !emit_reads_check(job, loop->when)) ||
            !emit_reads_check(job, loop->low) || !emit_reads_check(job, loop->high))
            return false;
    }
    return (!claim->when || emit_reads_check(job, claim->when)) &&
           emit_reads_check(job, claim->low) && emit_reads_check(job, claim->high);
}

static bool check_claims(struct outline *job) {
    for (int g = 0; g < job->facts->nguards; ++g) {
        const struct claims *claims = job->facts->guards[g].claims;
        for (int i = 0; claims && i < claims->count; ++i)
            if (!check_claim(job, &claims->items[i]))
                return false;
    }
    return true;
}

/* One that names the variable of a loop inside speaks of more than single iterations. */
bool emit_guards_check(struct outline *job) {
    for (int i = 0; i < job->facts->nguards; ++i)
        for (int l = 1; l < job->facts->ninner; ++l) {
            const struct guard *guard = &job->facts->guards[i];
            const struct variable *var = job->facts->inner[l].loop->variable;
            if (guard->kind == GUARD_KEY_RANGE && var && var != job->loop->variable &&
                token_uses(guard->text, var->name))
                return emit_refuse(job, ORR2310, job->loop->header,
                                   "the loop stays serial: `%s` would have to be checked at run "
                                   "time for every `%s`",
                                   guard->text, var->name);
        }
    return check_claims(job);
}
