/* Guards and intervals that a run can check. */
#include "scheduler/outline/collect.h"

static bool check_interval(struct outline *job, const struct interval *interval) {
    for (int i = 0; i < interval->nloops; ++i) {
        const struct interval_loop *loop = &interval->loops[i];
        if ((loop->when && !emit_reads_check(job, loop->when)) ||
            !emit_reads_check(job, loop->low) || !emit_reads_check(job, loop->high))
            return false;
    }
    return (!interval->when || emit_reads_check(job, interval->when)) &&
           emit_reads_check(job, interval->low) && emit_reads_check(job, interval->high);
}

static bool check_intervals(struct outline *job) {
    for (int g = 0; g < job->facts->nguards; ++g) {
        const struct intervals *intervals = job->facts->guards[g].intervals;
        for (int i = 0; intervals && i < intervals->count; ++i)
            if (!check_interval(job, &intervals->items[i]))
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
    return check_intervals(job);
}
