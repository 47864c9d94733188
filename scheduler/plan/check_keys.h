/*
 * The proof that a plan is legal (docs/plan.md, "The proof"): what strategies' own proofs share.
 * Nothing of it may come from what proposes plans.
 */
#ifndef ORRERY_SCHEDULER_PLAN_CHECK_KEYS_H
#define ORRERY_SCHEDULER_PLAN_CHECK_KEYS_H

#include "analyzer/analyzer.h"
#include "scheduler/plan/plan.h"

struct proved;

/*
 * One proof under way. `proved`: problems that were shown to have no answer, by their text.
 * `shapes`: of every access, by which pairs that are alike are known. `found`: the two accesses that
 * conflict, for who asked.
 */
struct check {
    const struct plan *plan;
    struct arena *arena;
    struct loop_facts *facts;
    struct linear_solver *solver;
    struct proved *proved;
    const char **shapes;
    struct plan_violation *found;
    char buffer[PAIR_PROBLEM_SIZE + 16]; /* of check_problem */
};

/*
 * What is asked of the pair, as text: pairs with equal texts have the same answer. `tag`: which of
 * several questions; NULL: the text is too long. It stands until the next one. Was it shown to have
 * no answer; it was.
 */
const char *check_problem(struct check *check, const struct access *a, const struct access *b,
                          int tag);
bool check_was_proved(const struct check *check, const char *problem);
void check_remember(struct check *check, const char *problem);

/* Of strategies by keys, and of those that let any two iterations run together: do two iterations
 * whose values differ in all dims of the grid conflict through these accesses? */
enum linear_answer check_by_keys(struct check *check, const struct access *a,
                                 const struct access *b);

/* Do two iterations conflict whose values of subscript `sub` differ? */
enum linear_answer check_apart_by(struct check *check, const struct access *a,
                                  const struct access *b, int sub);

/* Frees what is known of the pairs; `data`: a struct check. */
void check_forget(void *data);

#endif
