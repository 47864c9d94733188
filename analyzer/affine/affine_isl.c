#include "analyzer/affine/affine_memo.h"
#include "analyzer/affine/affine_reduce.h"
#include "analyzer/budget.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/mat.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <isl/version.h>

#include <limits.h>
#include <stdlib.h>

struct linear_solver {
    isl_ctx *ctx;
    struct arena *scratch; /* of the question that is being asked */
    unsigned long operations;
    long questions, small; /* for isl, and all of them */
    int limits;            /* how many questions were too much */
};

static struct linear_work work;

/* Most questions are answered without isl: so many more may be asked. */
enum { SMALL_PER_QUESTION = 8 };

/* One that asks for more of these is not worth waiting for. */
enum { MAX_LIMITS = 4 };

/* isl's work for one coefficient of a set, in the steps of budget.h. */
enum { STEPS_PER_NUMBER = 4 };

/* What a row takes where a question is answered without isl. */
enum { STEPS_PER_ROW = 4 };

/* What was asked, first number of a question. */
enum { ASKED_POINTS, ASKED_COVERED };

bool linear_form_add(struct arena *arena, struct linear_form *form, int var, long coeff) {
    for (int i = 0; i < form->nterms; ++i)
        if (form->terms[i].var == var)
            return !__builtin_add_overflow(form->terms[i].coeff, coeff, &form->terms[i].coeff);
    struct linear_term term = {var, coeff};
    ARENA_PUSH(arena, form->terms, form->nterms, term);
    return true;
}

void linear_system_add(struct arena *arena, struct linear_system *system, bool equality,
                       struct linear_form form) {
    struct linear_row row = {equality, form};
    ARENA_PUSH(arena, system->rows, system->nrows, row);
}

static void solver_end(void *data) {
    struct linear_solver *solver = data;
    if (solver->ctx)
        isl_ctx_free(solver->ctx);
    if (solver->scratch)
        arena_free(solver->scratch);
    free(solver);
}

struct linear_solver *linear_solver_new(unsigned long operations, long questions) {
    struct linear_solver *solver = calloc(1, sizeof *solver);
    if (!solver)
        abort();
    *solver = (struct linear_solver){
        .operations = operations, .questions = questions, .small = SMALL_PER_QUESTION * questions};
    budget_remember(solver_end, solver);
    return solver;
}

/* isl's own state, when the first question is new. */
static isl_ctx *context_of(struct linear_solver *solver) {
    if (!solver->ctx) {
        solver->ctx = isl_ctx_alloc();
        if (!solver->ctx)
            abort();
        isl_options_set_on_error(solver->ctx, ISL_ON_ERROR_CONTINUE);
        isl_ctx_set_max_operations(solver->ctx, solver->operations);
    }
    isl_ctx_reset_operations(solver->ctx);
    ++work.asked;
    return solver->ctx;
}

void linear_solver_free(struct linear_solver *solver) {
    budget_forget(solver);
    solver_end(solver);
}

bool linear_solver_spent(const struct linear_solver *solver) {
    return solver->questions <= 0;
}

static enum linear_answer counted(struct linear_solver *solver, enum linear_answer answer) {
    if (answer == LINEAR_LIMIT && ++solver->limits >= MAX_LIMITS)
        solver->questions = 0;
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

static isl_mat *set_row(isl_mat *matrix, int at, const struct linear_system *system,
                        const struct linear_form *form) {
    for (int i = 0; i <= system->nvars; ++i)
        matrix = isl_mat_set_element_si(matrix, at, i, 0);
    for (int i = 0; i < form->nterms; ++i) {
        isl_val *v = isl_val_int_from_si(isl_mat_get_ctx(matrix), form->terms[i].coeff);
        matrix = isl_mat_set_element_val(matrix, at, form->terms[i].var, v);
    }
    isl_val *v = isl_val_int_from_si(isl_mat_get_ctx(matrix), form->constant);
    return isl_mat_set_element_val(matrix, at, system->nvars, v);
}

/* All rows at once: isl simplifies a set each time that it gets one more. */
static isl_basic_set *rows_of(isl_local_space *space, const struct linear_system *system) {
    isl_ctx *ctx = isl_local_space_get_ctx(space);
    int count[2] = {0};
    for (int i = 0; i < system->nrows; ++i)
        ++count[system->rows[i].equality];
    isl_mat *matrices[2];
    for (int side = 0; side < 2; ++side) {
        matrices[side] = isl_mat_alloc(ctx, count[side], system->nvars + 1);
        for (int i = 0, at = 0; i < system->nrows; ++i)
            if (system->rows[i].equality == (side == 1))
                matrices[side] = set_row(matrices[side], at++, system, &system->rows[i].form);
    }
    return isl_basic_set_from_constraint_matrices(isl_local_space_get_space(space), matrices[1],
                                                  matrices[0], isl_dim_set, isl_dim_div,
                                                  isl_dim_param, isl_dim_cst);
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

/* What it takes to make, and to look into, so many parts of a set. */
static long work_of(const struct linear_system *system, int parts) {
    return STEPS_PER_NUMBER * (parts < 1 ? 1 : parts) *
           (long)(system->nrows + system->nclauses + 1) * (system->nvars + 1);
}

static isl_set *set_of(isl_local_space *space, const struct linear_system *system) {
    isl_set *set = isl_set_from_basic_set(rows_of(space, system));
    budget_spend(work_of(system, 1));
    for (int i = 0; i < system->nclauses; ++i) {
        set = isl_set_intersect(set, clause_of(space, &system->clauses[i]));
        budget_spend(work_of(system, isl_set_n_basic_set(set)));
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

/* One end of a range; a value too large for arithmetic
 * on it counts as no bound. False: isl failed. */
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
    for (int i = 0; i < nforms && good; ++i)
        good = range_of(set, space, &forms[i], &ranges[i]);
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
    if (empty == isl_bool_false)
        answer = ranges_of(set, space, nforms, forms, ranges);
    else if (empty == isl_bool_true)
        answer = LINEAR_EMPTY;
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

/* What isl has to be asked: unless it was asked before. */
static enum linear_answer solve_kept(struct linear_solver *solver,
                                     const struct linear_system *system, int nforms,
                                     const struct linear_form *forms, struct linear_range *ranges) {
    struct memo_question question = {0};
    enum linear_answer answer;
    memo_number(&question, ASKED_POINTS);
    memo_number(&question, (long)solver->operations);
    memo_system(&question, system);
    memo_number(&question, nforms);
    for (int i = 0; i < nforms; ++i)
        memo_form(&question, &forms[i]);
    if (memo_find(&question, &answer, nforms, ranges)) {
        memo_drop(&question);
        return counted(solver, answer);
    }
    budget_hold();
    answer = solve_new(solver, system, nforms, forms, ranges);
    memo_keep(&question, answer, nforms, ranges);
    budget_let_go();
    return counted(solver, answer);
}

enum linear_answer linear_solve(struct linear_solver *solver, const struct linear_system *system,
                                int nforms, const struct linear_form *forms,
                                struct linear_range *ranges) {
    struct linear_system smaller;
    enum linear_answer answer;
    if (solver->questions <= 0 || solver->small-- <= 0) {
        solver->questions = 0;
        return LINEAR_LIMIT;
    }
    ++work.questions;
    budget_spend((long)STEPS_PER_ROW * system->nrows);
    if (!solver->scratch) {
        solver->scratch = arena_new();
        arena_alloc(solver->scratch, 1);
    }
    struct arena_mark mark = arena_mark(solver->scratch);
    struct linear_form *smaller_forms =
        arena_alloc(solver->scratch, (size_t)(nforms + 1) * sizeof *smaller_forms);
    if (!linear_reduce(solver->scratch, system, nforms, forms, &answer, ranges, &smaller,
                       smaller_forms)) {
        --solver->questions;
        answer = solve_kept(solver, &smaller, nforms, smaller_forms, ranges);
    }
    arena_rewind(solver->scratch, mark);
    return answer;
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
    for (int i = 0; i < ninner; ++i)
        covered = isl_set_union(covered, shadow_of(ctx, &inner[i], outer->nvars));
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
    for (int i = 0; i < ninner; ++i)
        memo_system(&question, &inner[i]);
    if (memo_find(&question, &answer, 0, NULL)) {
        memo_drop(&question);
        return counted(solver, answer);
    }
    budget_hold();
    answer = covered_new(solver, outer, ninner, inner);
    memo_keep(&question, answer, 0, NULL);
    budget_let_go();
    return counted(solver, answer);
}

/* ---- where a system has no point ------------------------------------------------------------- */

struct escape {
    struct arena *arena;
    const int *kept;
    int nkept, nclauses;
    struct linear_clause *clauses;
    bool good;
};

static bool number_of(isl_val *value, long *out) {
    bool has = false;
    return end_of(value, &has, out) && has;
}

/* sign * the constraint's form - 1 >= 0 */
static isl_stat other_side(struct escape *escape, isl_constraint *c, long sign) {
    struct linear_clause *clause = &escape->clauses[escape->nclauses];
    struct linear_row row = {0};
    long number;
    bool good = number_of(isl_constraint_get_constant_val(c), &number);
    row.form.constant = good ? sign * number - 1 : 0;
    for (int i = 0; i < escape->nkept && good; ++i) {
        good = number_of(isl_constraint_get_coefficient_val(c, isl_dim_set, i), &number);
        if (good && number != 0)
            linear_form_add(escape->arena, &row.form, escape->kept[i], sign * number);
    }
    escape->good = escape->good && good && clause->nrows < ESCAPE_ROWS;
    if (escape->good)
        ARENA_PUSH(escape->arena, clause->rows, clause->nrows, row);
    return escape->good ? isl_stat_ok : isl_stat_error;
}

static isl_stat see_constraint(isl_constraint *c, void *data) {
    struct escape *escape = data;
    isl_stat stat = other_side(escape, c, -1);
    if (stat == isl_stat_ok && isl_constraint_is_equality(c) == isl_bool_true)
        stat = other_side(escape, c, 1);
    isl_constraint_free(c);
    return stat;
}

static isl_stat see_piece(isl_basic_set *piece, void *data) {
    struct escape *escape = data;
    isl_stat stat = isl_stat_error;
    if (escape->nclauses < ESCAPE_CLAUSES) {
        escape->clauses[escape->nclauses] = (struct linear_clause){0};
        stat = isl_basic_set_foreach_constraint(piece, see_constraint, escape);
        escape->good = escape->good && escape->clauses[escape->nclauses].nrows > 0;
        ++escape->nclauses;
    }
    isl_basic_set_free(piece);
    escape->good = escape->good && stat == isl_stat_ok;
    return escape->good ? isl_stat_ok : isl_stat_error;
}

/* Without what divisibility alone tells: the shadow only becomes larger. */
static isl_set *shadow_on(isl_ctx *ctx, const struct linear_system *system, int nkept,
                          const int *kept) {
    isl_set *set = shadow_of(ctx, system, system->nvars);
    for (int var = system->nvars - 1, at = nkept - 1; var >= 0; --var)
        if (at >= 0 && kept[at] == var)
            --at;
        else
            set = isl_set_project_out(set, isl_dim_set, (unsigned)var, 1);
    return isl_set_remove_redundancies(isl_set_coalesce(isl_set_remove_divs(set)));
}

enum linear_answer linear_escape(struct linear_solver *solver, struct arena *arena,
                                 const struct linear_system *system, int nkept, const int *kept,
                                 int *nclauses, struct linear_clause *clauses) {
    struct escape escape = {.arena = arena, .kept = kept, .nkept = nkept, .clauses = clauses};
    *nclauses = 0;
    if (solver->questions-- <= 0) {
        solver->questions = 0;
        return LINEAR_LIMIT;
    }
    budget_hold();
    isl_ctx *ctx = context_of(solver);
    isl_set *shadow = shadow_on(ctx, system, nkept, kept);
    isl_bool empty = isl_set_is_empty(shadow);
    escape.good = empty == isl_bool_false;
    if (escape.good)
        isl_set_foreach_basic_set(shadow, see_piece, &escape);
    isl_set_free(shadow);
    isl_ctx_reset_error(ctx);
    *nclauses = escape.good ? escape.nclauses : 0;
    budget_let_go();
    return empty == isl_bool_true ? LINEAR_EMPTY : escape.good ? LINEAR_POINTS : LINEAR_LIMIT;
}

struct linear_work linear_work(void) {
    return work;
}

const char *linear_library_version(void) {
    return isl_version();
}
