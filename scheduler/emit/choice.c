/*
 * Choices: a minimum with what is set along with it, or what some iterations set. The members
 * travel as one structure, behind the stamp of the clock at which they were last set (in ordered
 * loops that go by keys: of the iteration):
 *
 *   if (x[i] < best) { orrery_took_0 = orrery_b->clock + 1, best = x[i]; at = i; }
 */
#include "scheduler/outline/outline.h"

static const struct choice *choice_of(const struct outline *job, int j) {
    int index = job->reductions[j].facts_index;
    return index < 0 ? NULL : job->facts->reductions[index].choice;
}

bool emit_is_choice(const struct outline *job, int j) {
    return choice_of(job, j) != NULL;
}

bool emit_chooses(const struct outline *job, int j, const struct variable *var) {
    const struct choice *choice = choice_of(job, j);
    for (int m = 0; choice && m < choice->nmembers; ++m)
        if (choice->members[m] == var)
            return true;
    return false;
}

static int find_choice(const struct outline *job, const struct choice *choice) {
    for (int j = 0; j < job->nreductions; ++j)
        if (choice_of(job, j) == choice)
            return j;
    return -1;
}

bool emit_choice_by_index(const struct outline *job) {
    bool chooses = false;
    for (int i = 0; i < job->facts->nreductions; ++i)
        chooses |= job->facts->reductions[i].choice != NULL;
    return chooses && job->plan->by_key && !job->plan->analysis->unordered;
}

/* Where the members are set the stamp is, too. False: the text cannot be changed there. */
static bool stamp(struct outline *job, const struct choice *choice, int j) {
    const struct range *body = &job->loop->body->range;
    const char *text = arena_printf(job->arena, "orrery_took_%d = %s + 1, ", j,
                                    emit_choice_by_index(job) ? "orrery_at" : "orrery_b->clock");
    for (int s = 0; s < choice->nsets; ++s) {
        const struct range *set = &choice->sets[s]->range;
        if (!set->exact || set->begin.file != body->begin.file ||
            set->begin.offset < body->begin.offset || set->end.offset > body->end.offset)
            return false;
        text_edit_add(&job->renames, set->begin.offset, set->begin.offset, text);
    }
    return true;
}

/* What the user calls a member. */
static const char *name_of(struct outline *job, const struct choice *choice, int m) {
    return choice->places[m] ? expr_print(job->arena, choice->places[m]) : choice->members[m]->name;
}

/* The texts of numbers behind pointers become names of the block's own. */
static bool rename_places(struct outline *job, const struct choice *choice) {
    for (int i = 0; i < job->facts->nreductions; ++i) {
        const struct reduction *reduction = &job->facts->reductions[i];
        for (int m = 0; m < choice->nmembers && reduction->choice == choice; ++m)
            if (choice->places[m] && reduction->place == choice->places[m] &&
                !emit_rename_accesses(job, reduction->object, name_of(job, choice, m),
                                      choice->members[m]->name))
                return false;
    }
    return true;
}

static const char *titles(struct outline *job, const struct choice *choice) {
    const char *title = name_of(job, choice, 0);
    for (int m = 1; m < choice->nmembers; ++m)
        title = arena_printf(job->arena, "%s, %s", title, name_of(job, choice, m));
    return title;
}

static const struct type *compared_type(const struct choice *choice) {
    return choice->worth   ? choice->worth->type
           : choice->field ? choice->field->type
                           : choice->best->type;
}

bool emit_choice_add(struct outline *job, int index) {
    const struct reduction *reduction = &job->facts->reductions[index];
    const struct choice *choice = reduction->choice;
    int j = job->nreductions;
    if (find_choice(job, choice) >= 0)
        return true;
    struct emit_reduction made = {
        .title = titles(job, choice),
        .op = choice->first ? "ORRERY_CHOOSE_FIRST" : "ORRERY_CHOOSE_LAST",
        .type = "ORRERY_BYTES",
        .type_text = arena_printf(job->arena, "struct orrery_choice_%d_%d", job->number, j),
        .name = "",
        .target = arena_printf(job->arena, "orrery_value_%d", j),
        .facts_index = index};
    if (choice->best && !emit_number_name(compared_type(choice)))
        return emit_refuse(job, ORR2307, reduction->range,
                           "the loop stays serial: the type of `%s` is not a number the runtime "
                           "knows",
                           choice->best->name);
    if (!stamp(job, choice, j))
        return emit_refuse(job, ORR2307, reduction->range,
                           "the loop stays serial: `%s` is set in a macro's text, where no note "
                           "can be taken of it: write the assignment out",
                           name_of(job, choice, 0));
    if (!rename_places(job, choice))
        return emit_refuse(job, ORR2307, reduction->range,
                           "the loop stays serial: the text of `%s` cannot be replaced by a "
                           "copy's everywhere: reach it by the same name in the loop's body",
                           name_of(job, choice, 0));
    ARENA_PUSH(job->arena, job->reductions, job->nreductions, made);
    return true;
}

void emit_choices_declare(struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct choice *choice = choice_of(job, j);
        if (!choice)
            continue;
        text_print(out, "%s {\n    long took;\n", job->reductions[j].type_text);
        for (int m = 0; m < choice->nmembers; ++m)
            text_print(out, "    %s;\n",
                       emit_declare_plain(job, choice->members[m]->type,
                                          arena_printf(job->arena, "m%d", m)));
        if (choice->worth)
            text_print(out, "    %s;\n", emit_declare_plain(job, choice->worth->type, "worth"));
        text_print(out, "};\n\n");
    }
}

void emit_choice_print_locals(struct outline *job, int j, struct text *out) {
    const struct choice *choice = choice_of(job, j);
    const char *type = job->reductions[j].type_text;
    text_print(out, "    long orrery_took_%d = ((%s *)orrery_b->accumulators[%d])->took;\n", j,
               type, j);
    for (int m = 0; m < choice->nmembers; ++m) {
        const struct variable *var = choice->members[m];
        text_print(out, "    %s = ((%s *)orrery_b->accumulators[%d])->m%d;\n",
                   emit_declare_plain(job, var->type, var->name), type, j, m);
    }
}

void emit_choice_print_again(struct outline *job, int j, struct text *out) {
    const struct choice *choice = choice_of(job, j);
    const char *type = job->reductions[j].type_text;
    text_print(out, "    orrery_took_%d = ((%s *)orrery_b->accumulators[%d])->took;\n", j, type, j);
    for (int m = 0; m < choice->nmembers; ++m)
        text_print(out, "    %s = ((%s *)orrery_b->accumulators[%d])->m%d;\n",
                   choice->members[m]->name, type, j, m);
}

void emit_choice_print_results(struct outline *job, int j, struct text *out) {
    const struct choice *choice = choice_of(job, j);
    const char *type = job->reductions[j].type_text;
    text_print(out, "    ((%s *)orrery_b->accumulators[%d])->took = orrery_took_%d;\n", type, j, j);
    for (int m = 0; m < choice->nmembers; ++m)
        text_print(out, "    ((%s *)orrery_b->accumulators[%d])->m%d = %s;\n", type, j, m,
                   choice->members[m]->name);
    if (choice->worth)
        text_print(out,
                   "    if (orrery_took_%d)\n"
                   "        ((%s *)orrery_b->accumulators[%d])->worth = %s;\n",
                   j, type, j, emit_expr(job, choice->worth));
}

/* Padding is zero, so that what is compared by its bytes is the same. */
void emit_choice_print_value(struct outline *job, int j, struct text *out) {
    const struct choice *choice = choice_of(job, j);
    text_print(
        out, "%s orrery_value_%d; __builtin_memset(&orrery_value_%d, 0, sizeof orrery_value_%d); ",
        job->reductions[j].type_text, j, j, j);
    for (int m = 0; m < choice->nmembers; ++m)
        text_print(out, "%sorrery_value_%d.m%d = %s; ",
                   emit_ready_is_early(job) ? "if (orrery_ready) "
                   : choice->places[m]      ? "if (orrery_count > 0) "
                                            : "",
                   j, m, name_of(job, choice, m));
}

void emit_choice_print_back(struct outline *job, int j, struct text *out) {
    const struct choice *choice = choice_of(job, j);
    for (int m = 0; m < choice->nmembers; ++m)
        text_print(out, "%s%s = orrery_value_%d.m%d; ",
                   choice->places[m] ? arena_printf(job->arena, "if (orrery_value_%d.took) ", j)
                                     : "",
                   name_of(job, choice, m), j, m);
}

int emit_choice_print_field(struct outline *job, int j, struct text *out) {
    const struct choice *choice = choice_of(job, j);
    for (int m = 0; m < choice->nmembers; ++m) {
        if (choice->members[m] != choice->best)
            continue;
        const struct type *type = compared_type(choice);
        const char *place = arena_printf(job->arena, "m%d", m);
        place = choice->field ? arena_printf(job->arena, "%s.%s", place, choice->field->field->name)
                              : place;
        text_print(out,
                   "static const struct orrery_field orrery_fields_%d_%d[] = {\n"
                   "    {%s, %s, %ld, (long)__builtin_offsetof(%s, %s), %ld, 1},\n};\n\n",
                   job->number, j, emit_op_name(job->arena, choice->op), emit_number_name(type),
                   type->size, job->reductions[j].type_text, choice->worth ? "worth" : place,
                   type->size);
        return 1;
    }
    return 0;
}
