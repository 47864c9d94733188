/* See affine_reduce.h. */
#include "analyzer/affine/affine_reduce.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VARS = 200, MOST_ROWS = 400 };

/* c[nvars] is the constant. `dead`: not there any more. */
struct row {
    bool equality, dead;
    long *c;
};

struct clause {
    int nrows;
    struct row *rows;
    bool dead;
};

struct reduce {
    struct arena *arena;                /* of what is kept */
    int nvars, nrows, nclauses, nforms; /* of variables, `rows`, `clauses`, `forms` */
    struct row *rows, *forms;           /* conditions that all hold; values that are asked about */
    struct clause *clauses;             /* disjunctions of rows */
    /* `bad`: a number did not fit. `empty`: no point can be. Forms are rows whose sign means
     * nothing. */
    bool bad, empty;
};

/* ---- in -------------------------------------------------------------------------------------- */

static struct row row_of(struct reduce *r, bool equality, const struct linear_form *form) {
    struct row row = {.equality = equality};
    row.c = arena_alloc(r->arena, (size_t)(r->nvars + 1) * sizeof *row.c);
    for (int i = 0; i < form->nterms; ++i)
        row.c[form->terms[i].var] = form->terms[i].coeff;
    row.c[r->nvars] = form->constant;
    return row;
}

/* A form is a variable of its own, which is equal to it: then the others may go. */
static void load_form(struct reduce *r, int var, const struct linear_form *form, struct row *made) {
    static const struct linear_form zero;
    struct row row = row_of(r, true, form);
    row.c[var] = -1;
    ARENA_PUSH(r->arena, r->rows, r->nrows, row);
    *made = row_of(r, false, &zero);
    made->c[var] = 1;
}

static bool load(struct reduce *r, const struct linear_system *system, int nforms,
                 const struct linear_form *forms) {
    if (system->nvars + nforms > MOST_VARS || system->nrows > MOST_ROWS)
        return false;
    r->nvars = system->nvars + nforms;
    r->nclauses = system->nclauses;
    r->nforms = nforms;
    r->forms = arena_alloc(r->arena, (size_t)(nforms + 1) * sizeof *r->forms);
    r->clauses = arena_alloc(r->arena, (size_t)(r->nclauses + 1) * sizeof *r->clauses);
    for (int i = 0; i < system->nrows; ++i) {
        ARENA_PUSH(r->arena, r->rows, r->nrows,
                   row_of(r, system->rows[i].equality, &system->rows[i].form));
    }
    for (int i = 0; i < nforms; ++i)
        load_form(r, system->nvars + i, &forms[i], &r->forms[i]);
    for (int i = 0; i < r->nclauses; ++i) {
        const struct linear_clause *from = &system->clauses[i];
        struct clause *to = &r->clauses[i];
        to->rows = arena_alloc(r->arena, (size_t)(from->nrows + 1) * sizeof *to->rows);
        to->nrows = from->nrows;
        for (int j = 0; j < from->nrows; ++j)
            to->rows[j] = row_of(r, from->rows[j].equality, &from->rows[j].form);
    }
    return true;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* row += times * other */
static void add_times(struct reduce *r, struct row *row, long times, const struct row *other) {
    for (int i = 0; i <= r->nvars; ++i) {
        long product;
        r->bad = r->bad || __builtin_mul_overflow(times, other->c[i], &product) ||
                 __builtin_add_overflow(row->c[i], product, &row->c[i]);
    }
}

/* `equality` has +-1 at `var`. */
static void substitute_in(struct reduce *r, struct row *row, const struct row *equality, int var) {
    long times;
    if (row == equality || row->dead || row->c[var] == 0 || r->bad)
        return;
    r->bad =
        row->c[var] == LONG_MIN || __builtin_mul_overflow(-row->c[var], equality->c[var], &times);
    if (!r->bad)
        add_times(r, row, times, equality);
}

static void substitute(struct reduce *r, struct row *equality, int var) {
    for (int i = 0; i < r->nrows; ++i)
        substitute_in(r, &r->rows[i], equality, var);
    for (int i = 0; i < r->nforms; ++i)
        substitute_in(r, &r->forms[i], equality, var);
    for (int i = 0; i < r->nclauses; ++i)
        for (int j = 0; !r->clauses[i].dead && j < r->clauses[i].nrows; ++j)
            substitute_in(r, &r->clauses[i].rows[j], equality, var);
    equality->dead = true;
}

static long divisor(long a, long b) {
    while (b != 0) {
        long rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static long floor_divide(long a, long b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Coefficients without a common divisor. 1: always true, -1: never, 0: neither is known. */
static int tighten(struct reduce *r, struct row *row) {
    long common = 0;
    for (int i = 0; i < r->nvars; ++i) {
        r->bad = r->bad || row->c[i] == LONG_MIN;
        common = r->bad ? 1 : divisor(common, row->c[i]);
    }
    long constant = row->c[r->nvars];
    if (r->bad)
        return 0;
    if (common == 0) {
        bool holds = row->equality ? constant == 0 : constant >= 0;
        return holds ? 1 : -1;
    }
    if (row->equality && constant % common != 0)
        return -1;
    for (int i = 0; i < r->nvars && common > 1; ++i)
        row->c[i] /= common;
    row->c[r->nvars] = floor_divide(constant, common);
    return 0;
}

static void tighten_clause(struct reduce *r, struct clause *clause) {
    int kept = 0;
    for (int j = 0; j < clause->nrows; ++j) {
        int known = tighten(r, &clause->rows[j]);
        if (known > 0) {
            clause->dead = true;
            return;
        }
        if (known == 0)
            clause->rows[kept++] = clause->rows[j];
    }
    clause->nrows = kept;
    if (kept == 0 && !r->bad)
        r->empty = true;
    if (kept == 1) {
        clause->dead = true;
        ARENA_PUSH(r->arena, r->rows, r->nrows, clause->rows[0]);
    }
}

/* Clauses first: one that has become a row is tightened as such. */
static void tighten_all(struct reduce *r) {
    for (int i = 0; i < r->nclauses && !r->bad && !r->empty; ++i)
        if (!r->clauses[i].dead)
            tighten_clause(r, &r->clauses[i]);
    for (int i = 0; i < r->nrows && !r->bad; ++i) {
        int known = r->rows[i].dead ? 0 : tighten(r, &r->rows[i]);
        r->rows[i].dead = r->rows[i].dead || known > 0;
        r->empty = r->empty || known < 0;
    }
}

static bool eliminate_equality(struct reduce *r) {
    for (int i = 0; i < r->nrows; ++i) {
        struct row *row = &r->rows[i];
        for (int var = 0; row->equality && !row->dead && var < r->nvars; ++var) {
            if (row->c[var] == 1 || row->c[var] == -1) {
                substitute(r, row, var);
                return true;
            }
        }
    }
    return false;
}

/* A variable that forms, clauses or equalities name stays. */
static bool is_free(const struct reduce *r, int var) {
    for (int i = 0; i < r->nforms; ++i)
        if (r->forms[i].c[var] != 0)
            return false;
    for (int i = 0; i < r->nclauses; ++i) {
        for (int j = 0; !r->clauses[i].dead && j < r->clauses[i].nrows; ++j)
            if (r->clauses[i].rows[j].c[var] != 0)
                return false;
    }
    for (int i = 0; i < r->nrows; ++i)
        if (r->rows[i].equality && !r->rows[i].dead && r->rows[i].c[var] != 0)
            return false;
    return true;
}

/*
 * The variable has one bound on one side, with +-1, or none: the bound itself is the best value, so
 * every row of the other side is combined with that one (Fourier and Motzkin, exact then).
 */
static bool eliminate_bounded(struct reduce *r, int var) {
    int count[2] = {0}, last[2] = {-1, -1};
    for (int i = 0; i < r->nrows; ++i) {
        if (!r->rows[i].dead && r->rows[i].c[var] != 0) {
            int side = r->rows[i].c[var] > 0;
            ++count[side];
            last[side] = i;
        }
    }
    if (count[0] + count[1] == 0)
        return false;
    int one = -1;
    for (int side = 0; side < 2; ++side) {
        bool unit = count[side] == 1 &&
                    (r->rows[last[side]].c[var] == 1 || r->rows[last[side]].c[var] == -1);
        one = one < 0 && (count[side] == 0 || unit) ? side : one;
    }
    if (one < 0)
        return false;
    for (int i = 0; i < r->nrows && !r->bad; ++i) {
        struct row *row = &r->rows[i];
        if (row->dead || i == last[one] || row->c[var] == 0)
            continue;
        if (count[one] == 0)
            row->dead = true;
        else
            add_times(r, row, row->c[var] < 0 ? -row->c[var] : row->c[var], &r->rows[last[one]]);
    }
    if (count[one] > 0)
        r->rows[last[one]].dead = true;
    return true;
}

static bool eliminate_variable(struct reduce *r) {
    for (int var = 0; var < r->nvars; ++var)
        if (is_free(r, var) && eliminate_bounded(r, var))
            return true;
    return false;
}

/* ---- the least and the greatest of several --------------------------------------------------- */

/* Together they say that both are 0. */
static bool is_opposite(const struct reduce *r, const struct row *row, const struct row *other) {
    bool opposite = !row->equality && !other->equality;
    for (int i = 0; opposite && i <= r->nvars; ++i)
        opposite = row->c[i] != LONG_MIN && other->c[i] == -row->c[i];
    return opposite;
}

/* Is it said of every row of the clause that it is at most 0? */
static bool are_ends(const struct reduce *r, const struct clause *clause) {
    for (int j = 0; j < clause->nrows; ++j) {
        bool found = false;
        for (int i = 0; i < r->nrows && !found; ++i)
            found = !r->rows[i].dead && is_opposite(r, &clause->rows[j], &r->rows[i]);
        if (!found)
            return false;
    }
    return true;
}

static bool is_end_of(const struct reduce *r, const struct row *row, const struct clause *clause) {
    for (int j = 0; j < clause->nrows; ++j)
        if (is_opposite(r, row, &clause->rows[j]))
            return true;
    return false;
}

/* Does anything but inequalities and this clause name the variable? */
static bool is_named(const struct reduce *r, int var, const struct clause *but) {
    for (int i = 0; i < r->nforms; ++i)
        if (r->forms[i].c[var] != 0)
            return true;
    for (int i = 0; i < r->nclauses; ++i)
        for (int j = 0; &r->clauses[i] != but && !r->clauses[i].dead && j < r->clauses[i].nrows;
             ++j)
            if (r->clauses[i].rows[j].c[var] != 0)
                return true;
    for (int i = 0; i < r->nrows; ++i)
        if (!r->rows[i].dead && r->rows[i].equality && r->rows[i].c[var] != 0)
            return true;
    return false;
}

/*
 * x <= a, x <= b, and x >= a or x >= b: x is the lesser of the two. When all else that is said of x
 * is that it is large enough, it is said of a and of b, and x may go. Likewise for the greater.
 */
static bool is_extreme(const struct reduce *r, int var, const struct clause *clause) {
    const long side = clause->rows[0].c[var];
    if ((side != 1 && side != -1) || is_named(r, var, clause))
        return false;
    for (int j = 0; j < clause->nrows; ++j)
        if (clause->rows[j].equality || clause->rows[j].c[var] != side)
            return false;
    for (int i = 0; i < r->nrows; ++i)
        if (!r->rows[i].dead && r->rows[i].c[var] != 0 && (r->rows[i].c[var] > 0) != (side > 0) &&
            !is_end_of(r, &r->rows[i], clause))
            return false;
    return are_ends(r, clause);
}

/* One row for each of the values that the variable may have. */
static void say_of_all(struct reduce *r, const struct row *row, int var,
                       const struct clause *clause) {
    for (int j = 0; j < clause->nrows; ++j) {
        struct row said = {.c = arena_alloc(r->arena, (size_t)(r->nvars + 1) * sizeof *said.c)};
        memcpy(said.c, row->c, (size_t)(r->nvars + 1) * sizeof *said.c);
        r->bad = r->bad || row->c[var] == LONG_MIN;
        if (!r->bad)
            add_times(r, &said, -labs(row->c[var]), &clause->rows[j]);
        ARENA_PUSH(r->arena, r->rows, r->nrows, said);
    }
}

static void eliminate_extreme(struct reduce *r, int var, struct clause *clause) {
    const long side = clause->rows[0].c[var];
    const int nrows = r->nrows;
    for (int i = 0; i < nrows && !r->bad; ++i) {
        const struct row row = r->rows[i];
        if (row.dead || row.c[var] == 0)
            continue;
        if ((row.c[var] > 0) == (side > 0))
            say_of_all(r, &row, var, clause);
        r->rows[i].dead = true;
    }
    clause->dead = true;
}

static bool eliminate_extremes(struct reduce *r) {
    for (int i = 0; i < r->nclauses; ++i)
        for (int var = 0; !r->clauses[i].dead && var < r->nvars; ++var)
            if (is_extreme(r, var, &r->clauses[i])) {
                eliminate_extreme(r, var, &r->clauses[i]);
                return true;
            }
    return false;
}

static void reduce_all(struct reduce *r) {
    tighten_all(r);
    while (!r->bad && !r->empty &&
           (eliminate_equality(r) || eliminate_variable(r) || eliminate_extremes(r)))
        tighten_all(r);
}

/* ---- nothing but intervals left -------------------------------------------------------------- */

static int only_variable(const struct reduce *r, const struct row *row) {
    int only = -1;
    for (int var = 0; var < r->nvars; ++var) {
        if (row->c[var] != 0) {
            if (only >= 0)
                return -1;
            only = var;
        }
    }
    return only;
}

/* tighten() has left 1 or -1: row->c[var] * x + constant >= 0. */
static bool bound(const struct reduce *r, const struct row *row, struct linear_range *box) {
    int var = only_variable(r, row);
    long constant = row->c[r->nvars];
    if (var < 0 || row->equality || constant == LONG_MIN)
        return false;
    struct linear_range *x = &box[var];
    if (row->c[var] > 0) {
        x->min = !x->has_min || -constant > x->min ? -constant : x->min;
        x->has_min = true;
    } else {
        x->max = !x->has_max || constant < x->max ? constant : x->max;
        x->has_max = true;
    }
    return true;
}

/* Adds coeff * one end of x. */
static bool add_end(bool *has, long *end, long coeff, bool has_x, long x) {
    long product;
    *has = *has && has_x;
    return !*has || (!__builtin_mul_overflow(coeff, x, &product) &&
                     !__builtin_add_overflow(*end, product, end));
}

static bool range_of(const struct reduce *r, const struct row *form, const struct linear_range *box,
                     struct linear_range *range) {
    const long large = LONG_MAX / 4;
    long constant = form->c[r->nvars];
    bool good = true;
    *range = (struct linear_range){true, true, constant, constant};
    for (int var = 0; var < r->nvars && good; ++var) {
        const struct linear_range *x = &box[var];
        long coeff = form->c[var];
        bool up = coeff > 0;
        good = coeff == 0 || (add_end(&range->has_min, &range->min, coeff,
                                      up ? x->has_min : x->has_max, up ? x->min : x->max) &&
                              add_end(&range->has_max, &range->max, coeff,
                                      up ? x->has_max : x->has_min, up ? x->max : x->min));
    }
    range->has_min = range->has_min && range->min > -large && range->min < large;
    range->has_max = range->has_max && range->max > -large && range->max < large;
    return good;
}

static bool answer_by_box(struct reduce *r, enum linear_answer *answer,
                          struct linear_range *ranges) {
    struct linear_range *box = arena_alloc(r->arena, (size_t)(r->nvars + 1) * sizeof *box);
    for (int i = 0; i < r->nclauses; ++i)
        if (!r->clauses[i].dead)
            return false;
    for (int i = 0; i < r->nrows; ++i)
        if (!r->rows[i].dead && !bound(r, &r->rows[i], box))
            return false;
    for (int var = 0; var < r->nvars; ++var) {
        if (box[var].has_min && box[var].has_max && box[var].min > box[var].max) {
            *answer = LINEAR_EMPTY;
            return true;
        }
    }
    *answer = LINEAR_POINTS;
    for (int i = 0; i < r->nforms; ++i)
        if (!range_of(r, &r->forms[i], box, &ranges[i]))
            return false;
    return true;
}

/* ---- out ------------------------------------------------------------------------------------- */

static struct linear_form form_of(struct reduce *r, const struct row *row, int *number,
                                  int *count) {
    struct linear_form form = {.constant = row->c[r->nvars]};
    for (int var = 0; var < r->nvars; ++var) {
        if (row->c[var] != 0) {
            number[var] = number[var] ? number[var] : ++*count;
            struct linear_term term = {number[var] - 1, row->c[var]};
            ARENA_PUSH(r->arena, form.terms, form.nterms, term);
        }
    }
    return form;
}

static void unload(struct reduce *r, struct linear_system *smaller, struct linear_form *forms) {
    int *number = arena_alloc(r->arena, (size_t)(r->nvars + 1) * sizeof *number), count = 0;
    *smaller = (struct linear_system){0};
    for (int i = 0; i < r->nforms; ++i)
        forms[i] = form_of(r, &r->forms[i], number, &count);
    for (int i = 0; i < r->nrows; ++i) {
        if (!r->rows[i].dead) {
            linear_system_add(r->arena, smaller, r->rows[i].equality,
                              form_of(r, &r->rows[i], number, &count));
        }
    }
    for (int i = 0; i < r->nclauses; ++i) {
        struct linear_clause clause = {0};
        for (int j = 0; !r->clauses[i].dead && j < r->clauses[i].nrows; ++j) {
            const struct row *from = &r->clauses[i].rows[j];
            struct linear_row row = {from->equality, form_of(r, from, number, &count)};
            ARENA_PUSH(r->arena, clause.rows, clause.nrows, row);
        }
        if (!r->clauses[i].dead)
            ARENA_PUSH(r->arena, smaller->clauses, smaller->nclauses, clause);
    }
    smaller->nvars = count;
}

bool linear_reduce(struct arena *arena, const struct linear_system *system, int nforms,
                   const struct linear_form *forms, enum linear_answer *answer,
                   struct linear_range *ranges, struct linear_system *smaller,
                   struct linear_form *smaller_forms) {
    struct reduce r = {.arena = arena};
    if (load(&r, system, nforms, forms)) {
        reduce_all(&r);
        if (!r.bad && r.empty) {
            *answer = LINEAR_EMPTY;
            return true;
        }
        if (!r.bad && answer_by_box(&r, answer, ranges))
            return true;
        if (!r.bad) {
            unload(&r, smaller, smaller_forms);
            return false;
        }
    }
    *smaller = *system;
    if (nforms > 0)
        memcpy(smaller_forms, forms, (size_t)nforms * sizeof *forms);
    return false;
}
