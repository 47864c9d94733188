/*
 * The isl door: exact questions about linear constraints over the integers, with bounded work.
 * No isl type appears here.
 */
#ifndef ORRERY_ANALYZER_LINEAR_H
#define ORRERY_ANALYZER_LINEAR_H

#include "analyzer/arena.h"

#include <stdbool.h>

/* constant + sum of coeff * variable; variables are numbers from 0; each stands at most once. */
struct linear_term {
    int var;
    long coeff;
};

struct linear_form {
    long constant;
    int nterms;
    struct linear_term *terms;
};

/* `form` = 0 when `equality`, else `form` >= 0. */
struct linear_row {
    bool equality;
    struct linear_form form;
};

/* At least one row holds. */
struct linear_clause {
    int nrows;
    struct linear_row *rows;
};

/* All rows and clauses hold at once. Variables are integers, unbounded unless rows bound them. */
struct linear_system {
    int nvars;
    int nrows;
    struct linear_row *rows;
    int nclauses;
    struct linear_clause *clauses;
};

/* The least and the greatest value of a form; has_min false = no lower bound. */
struct linear_range {
    bool has_min, has_max;
    long min, max;
};

/* LIMIT: the bound on the work was reached, the answer is not known. */
enum linear_answer { LINEAR_EMPTY, LINEAR_POINTS, LINEAR_LIMIT };

/* Adds coeff * var to `form`. False: the sum does not fit a long, and `form` is as before. */
bool linear_form_add(struct arena *arena, struct linear_form *form, int var, long coeff);
void linear_system_add(struct arena *arena, struct linear_system *system, bool equality,
                       struct linear_form form);

struct linear_solver;

/*
 * `operations`: isl's bound for one question; `questions`: how many it may be asked, and an eighth
 * of how many may be asked at all; afterwards every answer is LIMIT.
 */
struct linear_solver *linear_solver_new(unsigned long operations, long questions);
void linear_solver_free(struct linear_solver *solver);

/* No more questions: every answer from here on is LIMIT. */
bool linear_solver_spent(const struct linear_solver *solver);

/*
 * Has `system` an integer point, and if so, what are the ranges of the forms over its points? Where
 * the work is too much, clauses are left out.
 */
enum linear_answer linear_solve(struct linear_solver *solver, const struct linear_system *system,
                                int nforms, const struct linear_form *forms,
                                struct linear_range *ranges);

/*
 * Is every point of `outer` one of a system of `inner`? Variables below `outer->nvars` are the same
 * in all of them, those beyond are an inner system's own: some value of theirs will do. EMPTY: yes,
 * no point is left over.
 */
enum linear_answer linear_covered(struct linear_solver *solver, const struct linear_system *outer,
                                  int ninner, const struct linear_system *inner);

/*
 * Clauses over the `nkept` variables `kept` (ascending) of which all hold only where `system` has
 * no point, and that hold wherever it has none, but for what only divisibility tells. Their rows
 * are terms of the system's variables, allocated in `arena`. POINTS: such clauses are in *clauses;
 * else (the system is empty, never is, or they would be more than ESCAPE_CLAUSES) there are none.
 */
enum { ESCAPE_CLAUSES = 4, ESCAPE_ROWS = 6 };
enum linear_answer linear_escape(struct linear_solver *solver, struct arena *arena,
                                 const struct linear_system *system, int nkept, const int *kept,
                                 int *nclauses, struct linear_clause *clauses);

/* Work so far, of all solvers: systems that were looked at, and those that isl had to look at. */
struct linear_work {
    long questions, asked;
};
struct linear_work linear_work(void);

/* What the library says of its version. */
const char *linear_library_version(void);

#endif
