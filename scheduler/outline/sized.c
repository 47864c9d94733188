/*
 * Bodies made for their sizes. The host compiler does better where it knows how often the loops
 * inside run: it needs no code for the rest of a vector, and unrolls. The value of the variable that
 * says so comes with the environment; it decides once per block which of the bodies runs.
 */
#include "scheduler/outline/collect.h"

/* Statements that are worth compiling once for each count. */
enum { MOST_STATEMENTS = 100 };

/* Values that ranks, features and states have in most programs. */
static const long likely[SIZED_COUNTS] = {16, 32, 64, 128};

static bool is_innermost(const struct outline *job, const struct loop *loop) {
    for (int i = 1; i < job->facts->ninner; ++i)
        if (job->facts->inner[i].loop->around == loop)
            return false;
    return true;
}

/* The whole number that says how often the loop runs; NULL: no such field. */
static const struct env_field *count_of(const struct outline *job, const struct loop *loop) {
    const struct expr *upper = loop->canonical ? expr_without_casts(loop->upper) : NULL;
    const struct env_field *field =
        upper && upper->kind == EXPR_VAR ? emit_field_of(job, upper->var) : NULL;
    bool fits = field && field->role == FIELD_VALUE && field->var->type->kind == TYPE_INT &&
                field->var->type->size >= 2;
    return fits ? field : NULL;
}

static int loops_with(const struct outline *job, const struct env_field *field) {
    int loops = 0;
    for (int i = 1; i < job->facts->ninner; ++i)
        loops += is_innermost(job, job->facts->inner[i].loop) &&
                 count_of(job, job->facts->inner[i].loop) == field;
    return loops;
}

/* The one that most innermost loops have. */
static const struct env_field *common_count(const struct outline *job) {
    const struct env_field *best = NULL;
    for (int i = 1; i < job->facts->ninner; ++i) {
        const struct env_field *field = count_of(job, job->facts->inner[i].loop);
        if (field && loops_with(job, field) > (best ? loops_with(job, best) : 0))
            best = field;
    }
    return best;
}

/* What stands in the way of a function that is part of others: labels, assembly. */
struct survey {
    int statements;
    bool bound;
};

static void survey_statement(void *data, struct stmt *stmt) {
    struct survey *survey = data;
    ++survey->statements;
    survey->bound = survey->bound || stmt->kind == STMT_LABEL || stmt->kind == STMT_GOTO ||
                    stmt->kind == STMT_UNKNOWN;
}

/* The value that the variable is declared with, if it has another one afterwards the body for it is
 * of no use, but that is all. */
static long told(const struct env_field *field) {
    const struct expr *init = expr_without_casts(field->var->init);
    return init && init->kind == EXPR_INT ? init->int_value : 0;
}

void outline_sized(struct outline *job) {
    const struct env_field *field = common_count(job);
    struct survey survey = {0};
    emit_walk_stmts(job->loop->body, survey_statement, &survey);
    if (!field || survey.bound || survey.statements > MOST_STATEMENTS || job->plan->pipe ||
        job->plan->wave || emit_is_automatic(job))
        return;
    struct emit_sized *sized = arena_alloc(job->arena, sizeof *sized);
    *sized = (struct emit_sized){.field = field};
    if (told(field) > 0)
        sized->counts[sized->ncounts++] = told(field);
    for (int i = 0; i < SIZED_COUNTS && told(field) <= 0; ++i)
        sized->counts[sized->ncounts++] = likely[i];
    job->sized = sized;
}
