#include "analyzer/depend/affine_memo.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <isl/version.h>

#include <limits.h>
#include <stdlib.h>

struct linear_solver {
    isl_ctx *ctx;
    unsigned long operations;
    long questions;
    int limits; /* how many questions were too much */
};

/* One that asks for more of these is not worth waiting for. */
enum { MAX_LIMITS = 4 };

/* What was asked, first number of a question. */
enum { ASKED_POINTS, ASKED_COVERED };

bool linear_form_add(struct arena *arena, struct linear_form *form, int var, long coeff) {
    for (int i = 0; i < form->nterms; ++i) {
        if (form->terms[i].var == var) {
            return !__builtin_add_overflow(form->terms[i].coeff, coeff, &form->terms[i].coeff);
        }
    }
    struct linear_term term = {var, coeff};
    ARENA_PUSH(arena, form->terms, form->nterms, term);
    return true;
}

void linear_system_add(struct arena *arena, struct linear_system *system, bool equality,
                       struct linear_form form) {
    struct linear_row row = {equality, form};
    ARENA_PUSH(arena, system->rows, system->nrows, row);
}

struct linear_solver *linear_solver_new(unsigned long operations, long questions) {
    struct linear_solver *solver = calloc(1, sizeof *solver);
    if (!solver) {
        abort();
    }
    *solver = (struct linear_solver){.operations = operations, .questions = questions};
    return solver;
}

/* isl's own state, when the first question is new. */
static isl_ctx *context_of(struct linear_solver *solver) {
    if (!solver->ctx) {
        solver->ctx = isl_ctx_alloc();
        if (!solver->ctx) {
            abort();
        }
        isl_options_set_on_error(solver->ctx, ISL_ON_ERROR_CONTINUE);
        isl_ctx_set_max_operations(solver->ctx, solver->operations);
    }
    isl_ctx_reset_operations(solver->ctx);
    return solver->ctx;
}

void linear_solver_free(struct linear_solver *solver) {
    if (solver->ctx) {
        isl_ctx_free(solver->ctx);
    }
    free(solver);
}

bool linear_solver_spent(const struct linear_solver *solver) {
    return solver->questions <= 0;
}

static enum linear_answer counted(struct linear_solver *solver, enum linear_answer answer) {
    if (answer == LINEAR_LIMIT && ++solver->limits >= MAX_LIMITS) {
        solver->questions = 0;
    }
    return answer;
}

static isl_constraint *constraint_of(isl_local_space *space, const struct linear_row *row) {
    isl_ctx *ctx = isl_local_space_get_ctx(space);
    isl_constraint *c = row->equality
                            ? isl_constraint_alloc_equality(isl_local_space_copy(space))
                            : isl_constraint_alloc_inequality(isl_local_space_copy(space));
    c = isl_constraint_set_constant_val(c, isl_val_int_from_si(ctx, row->form.constant));
    for (int i = 0; i < row->form.nterms; ++i) {
        const struct linear_term *t = &row->form.terms[i];
        c = isl_constraint_set_coefficient_val(c, isl_dim_set, t->var,
                                               isl_val_int_from_si(ctx, t->coeff));
    }
    return c;
}

static isl_basic_set *rows_of(isl_local_space *space, const struct linear_system *system) {
    isl_basic_set *set = isl_basic_set_universe(isl_local_space_get_space(space));
    for (int i = 0; i < system->nrows; ++i) {
        set = isl_basic_set_add_constraint(set, constraint_of(space, &system->rows[i]));
    }
    return set;
}

static isl_set *clause_of(isl_local_space *space, const struct linear_clause *clause) {
    isl_set *any = isl_set_empty(isl_local_space_get_space(space));
    for (int i = 0; i < clause->nrows; ++i) {
        isl_basic_set *one = isl_basic_set_universe(isl_local_space_get_space(space));
        one = isl_basic_set_add_constraint(one, constraint_of(space, &clause->rows[i]));
        any = isl_set_union(any, isl_set_from_basic_set(one));
    }
    return any;
}

static isl_set *set_of(isl_local_space *space, const struct linear_system *system) {
    isl_set *set = isl_set_from_basic_set(rows_of(space, system));
    for (int i = 0; i < system->nclauses; ++i) {
        set = isl_set_intersect(set, clause_of(space, &system->clauses[i]));
    }
    return set;
}

static isl_aff *aff_of(isl_local_space *space, const struct linear_form *form) {
    isl_ctx *ctx = isl_local_space_get_ctx(space);
    isl_aff *aff = isl_aff_zero_on_domain(isl_local_space_copy(space));
    aff = isl_aff_set_constant_val(aff, isl_val_int_from_si(ctx, form->constant));
    for (int i = 0; i < form->nterms; ++i) {
        aff = isl_aff_set_coefficient_val(aff, isl_dim_in, form->terms[i].var,
                                          isl_val_int_from_si(ctx, form->terms[i].coeff));
    }
    return aff;
}

/* One end of a range; a value too large for arithmetic on it counts as no bound. False: isl failed.
 */
static bool end_of(isl_val *value, bool *has, long *end) {
    const long large = LONG_MAX / 4;
    *has = false;
    if (!value || isl_val_is_nan(value) != isl_bool_false) {
        isl_val_free(value);
        return false;
    }
    if (isl_val_is_int(value) == isl_bool_true && isl_val_cmp_si(value, large) < 0 &&
        isl_val_cmp_si(value, -large) > 0) {
        *has = true;
        *end = isl_val_get_num_si(value);
    }
    isl_val_free(value);
    return true;
}

static bool range_of(isl_set *set, isl_local_space *space, const struct linear_form *form,
                     struct linear_range *range) {
    isl_aff *aff = aff_of(space, form);
    bool good = end_of(isl_set_min_val(set, aff), &range->has_min, &range->min) &&
                end_of(isl_set_max_val(set, aff), &range->has_max, &range->max);
    isl_aff_free(aff);
    return good;
}

static enum linear_answer ranges_of(isl_set *set, isl_local_space *space, int nforms,
                                    const struct linear_form *forms, struct linear_range *ranges) {
    bool good = true;
    for (int i = 0; i < nforms && good; ++i) {
        good = range_of(set, space, &forms[i], &ranges[i]);
    }
    return good ? LINEAR_POINTS : LINEAR_LIMIT;
}

static enum linear_answer solve_once(struct linear_solver *solver,
                                     const struct linear_system *system, int nforms,
                                     const struct linear_form *forms, struct linear_range *ranges) {
    isl_space *plain = isl_space_set_alloc(context_of(solver), 0, system->nvars);
    isl_local_space *space = isl_local_space_from_space(plain);
    isl_set *set = set_of(space, system);
    enum linear_answer answer = LINEAR_LIMIT;
    isl_bool empty = isl_set_is_empty(set);
    if (empty == isl_bool_false) {
        answer = ranges_of(set, space, nforms, forms, ranges);
    } else if (empty == isl_bool_true) {
        answer = LINEAR_EMPTY;
    }
    isl_set_free(set);
    isl_local_space_free(space);
    isl_ctx_reset_error(solver->ctx);
    return answer;
}

static enum linear_answer solve_new(struct linear_solver *solver,
                                    const struct linear_system *system, int nforms,
                                    const struct linear_form *forms, struct linear_range *ranges) {
    enum linear_answer answer = solve_once(solver, system, nforms, forms, ranges);
    if (answer == LINEAR_LIMIT && system->nclauses > 0) {
        struct linear_system rows = *system;
        rows.nclauses = 0;
        answer = solve_once(solver, &rows, nforms, forms, ranges);
    }
    return answer;
}

enum linear_answer linear_solve(struct linear_solver *solver, const struct linear_system *system,
                                int nforms, const struct linear_form *forms,
                                struct linear_range *ranges) {
    struct memo_question question = {0};
    enum linear_answer answer;
    if (solver->questions-- <= 0) {
        solver->questions = 0;
        return LINEAR_LIMIT;
    }
    memo_number(&question, ASKED_POINTS);
    memo_number(&question, (long)solver->operations);
    memo_system(&question, system);
    memo_number(&question, nforms);
    for (int i = 0; i < nforms; ++i) {
        memo_form(&question, &forms[i]);
    }
    if (memo_find(&question, &answer, nforms, ranges)) {
        memo_drop(&question);
        return counted(solver, answer);
    }
    answer = solve_new(solver, system, nforms, forms, ranges);
    memo_keep(&question, answer, nforms, ranges);
    return counted(solver, answer);
}

/* The points of `system` in its first `nshared` variables. */
static isl_set *shadow_of(isl_ctx *ctx, const struct linear_system *system, int nshared) {
    isl_local_space *space =
        isl_local_space_from_space(isl_space_set_alloc(ctx, 0, (unsigned)system->nvars));
    isl_set *set = set_of(space, system);
    isl_local_space_free(space);
    return isl_set_project_out(set, isl_dim_set, (unsigned)nshared,
                               (unsigned)(system->nvars - nshared));
}

static enum linear_answer covered_new(struct linear_solver *solver,
                                      const struct linear_system *outer, int ninner,
                                      const struct linear_system *inner) {
    isl_ctx *ctx = context_of(solver);
    isl_set *points = shadow_of(ctx, outer, outer->nvars);
    isl_set *covered = isl_set_empty(isl_set_get_space(points));
    for (int i = 0; i < ninner; ++i) {
        covered = isl_set_union(covered, shadow_of(ctx, &inner[i], outer->nvars));
    }
    isl_bool within = isl_set_is_subset(points, covered);
    isl_set_free(points);
    isl_set_free(covered);
    isl_ctx_reset_error(ctx);
    return within == isl_bool_true    ? LINEAR_EMPTY
           : within == isl_bool_false ? LINEAR_POINTS
                                      : LINEAR_LIMIT;
}

enum linear_answer linear_covered(struct linear_solver *solver, const struct linear_system *outer,
                                  int ninner, const struct linear_system *inner) {
    struct memo_question question = {0};
    enum linear_answer answer;
    if (solver->questions-- <= 0) {
        solver->questions = 0;
        return LINEAR_LIMIT;
    }
    memo_number(&question, ASKED_COVERED);
    memo_number(&question, (long)solver->operations);
    memo_system(&question, outer);
    for (int i = 0; i < ninner; ++i) {
        memo_system(&question, &inner[i]);
    }
    if (memo_find(&question, &answer, 0, NULL)) {
        memo_drop(&question);
        return counted(solver, answer);
    }
    answer = covered_new(solver, outer, ninner, inner);
    memo_keep(&question, answer, 0, NULL);
    return counted(solver, answer);
}

const char *linear_library_version(void) {
    return isl_version();
}
