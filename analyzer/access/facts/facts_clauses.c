/* The pragma's clauses against what was found. */
#include "analyzer/access/access.h"

#include <string.h>

static struct reduction *reduction_of(struct loop_facts *facts, const char *name) {
    for (int i = 0; i < facts->nreductions; ++i)
        if (strcmp(facts->reductions[i].object->name, name) == 0)
            return &facts->reductions[i];
    return NULL;
}

static void check_reduction(const struct trace *t, const struct clause *clause) {
    int op = clause->nnames > 0 ? reduction_named(clause->names[0]) : -1;
    for (int i = 1; i < clause->nnames; ++i) {
        struct reduction *reduction = reduction_of(t->facts, clause->names[i]);
        if (reduction && (int)reduction_base(reduction->op) == op) {
            reduction->asserted = true;
            continue;
        }
        interp_refuse(
            t, ORR3102, clause->range, "remove the clause, or let the loop do nothing else with it",
            "the loop does not only fold into `%s` with `%s`: that cannot be asserted away",
            clause->names[i], clause->names[0]);
    }
}

void facts_clauses(const struct trace *t) {
    const struct pragma *pragma = t->loop->pragma;
    for (int i = 0; pragma && i < pragma->nclauses; ++i) {
        const struct clause *clause = &pragma->clauses[i];
        if (clause->kind == CLAUSE_REDUCTION)
            check_reduction(t, clause);
    }
}
