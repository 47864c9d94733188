/*
 * Choices: a minimum with what is set along with it, or what some iterations set. The members
 * travel as one structure, behind the stamp of the clock at which they were last set (in ordered
 * loops that go by keys: of the iteration):
 *
 *   if (x[i] < best) { orrery_took_0 = orrery_b->clock + 1, best = x[i]; at = i; }
 */
#include "scheduler/outline/collect.h"

static int find_argmin(const struct outline *job, const struct argmin *argmin) {
    for (int j = 0; j < job->nreductions; ++j)
        if (emit_argmin_of(job, j) == argmin)
            return j;
    return -1;
}

/* The assignment's text begins in the body; what follows the member's name may be a macro's (`true`). */
static bool begins_in(const struct outline *job, const struct range *body, const struct expr *set) {
    const struct range *member = &set->args[0]->range;
    const bool whole = set->range.exact && set->range.end.offset <= body->end.offset;
    const bool named = set->kind == EXPR_ASSIGN && member->exact &&
                       member->begin.offset == set->range.begin.offset &&
                       member->end.offset <= body->end.offset &&
                       !unit_is_expanded(job->unit, member);
    return set->range.begin.file == body->begin.file &&
           set->range.begin.offset >= body->begin.offset && (whole || named);
}

/* Where the members are set the stamp is, too. False: the text cannot be changed there. */
static bool stamp(struct outline *job, const struct argmin *argmin, int j) {
    const struct range *body = &job->loop->body->range;
    const char *text = arena_printf(job->arena, "orrery_took_%d = %s + 1, ", j,
                                    emit_argmin_by_index(job) ? "orrery_at" : "orrery_b->clock");
    for (int s = 0; s < argmin->nsets; ++s) {
        const struct range *set = &argmin->sets[s]->range;
        if (!begins_in(job, body, argmin->sets[s]))
            return false;
        text_edit_add(&job->renames, set->begin.offset, set->begin.offset, text);
    }
    return true;
}

/* What the user calls a member. */
const char *emit_argmin_name(const struct outline *job, const struct argmin *argmin, int m) {
    return argmin->places[m] ? expr_print(job->arena, argmin->places[m]) : argmin->members[m]->name;
}

/* The texts of numbers behind pointers become names of the block's own. */
static bool rename_places(struct outline *job, const struct argmin *argmin) {
    for (int i = 0; i < job->facts->nreductions; ++i) {
        const struct reduction *reduction = &job->facts->reductions[i];
        for (int m = 0; m < argmin->nmembers && reduction->argmin == argmin; ++m)
            if (argmin->places[m] && reduction->place == argmin->places[m] &&
                !emit_rename_accesses(job, reduction->object, emit_argmin_name(job, argmin, m),
                                      argmin->members[m]->name))
                return false;
    }
    return true;
}

static const char *titles(struct outline *job, const struct argmin *argmin) {
    const char *title = emit_argmin_name(job, argmin, 0);
    for (int m = 1; m < argmin->nmembers; ++m)
        title = arena_printf(job->arena, "%s, %s", title, emit_argmin_name(job, argmin, m));
    return title;
}

const struct type *emit_argmin_compared(const struct argmin *argmin) {
    return argmin->worth   ? argmin->worth->type
           : argmin->field ? argmin->field->type
                           : argmin->best->type;
}

bool emit_argmin_add(struct outline *job, int index) {
    const struct reduction *reduction = &job->facts->reductions[index];
    const struct argmin *argmin = reduction->argmin;
    int j = job->nreductions;
    if (find_argmin(job, argmin) >= 0)
        return true;
    struct emit_reduction made = {
        .title = titles(job, argmin),
        .op = argmin->first ? "ORRERY_CHOOSE_FIRST" : "ORRERY_CHOOSE_LAST",
        .type = "ORRERY_BYTES",
        .type_text = arena_printf(job->arena, "struct orrery_choice_%d_%d", job->number, j),
        .name = "",
        .target = arena_printf(job->arena, "orrery_value_%d", j),
        .facts_index = index};
    if (argmin->best && !emit_number_name(emit_argmin_compared(argmin)))
        return emit_refuse(job, ORR2307, reduction->range,
                           "the loop stays serial: the type of `%s` is not a number the runtime "
                           "knows",
                           argmin->best->name);
    if (!stamp(job, argmin, j))
        return emit_refuse(job, ORR2307, reduction->range,
                           "the loop stays serial: `%s` is set in a macro's text, where no note "
                           "can be taken of it: write the assignment out",
                           emit_argmin_name(job, argmin, 0));
    if (!rename_places(job, argmin))
        return emit_refuse(job, ORR2307, reduction->range,
                           "the loop stays serial: the text of `%s` cannot be replaced by a "
                           "copy's everywhere: reach it by the same name in the loop's body",
                           emit_argmin_name(job, argmin, 0));
    ARENA_PUSH(job->arena, job->reductions, job->nreductions, made);
    return true;
}
