#ifndef ORRERY_SCHEDULER_STANDALONE_SUMS_H
#define ORRERY_SCHEDULER_STANDALONE_SUMS_H
/* ---- sums, choices, and what each thread has for itself -------------------------------------- */

/* Per reduction: bytes of a copy and from one to the next, copies, and what one starts as. */
struct orrery_copies {
    unsigned long bytes, stride, room;
    char *memory, *start;
};

static int orrery_is_scratch(const struct orrery_reduction *reduction) {
    return reduction->how == ORRERY_LAST || reduction->how == ORRERY_PRIVATE;
}

static int orrery_is_merged(const struct orrery_reduction *reduction) {
    return reduction->how == ORRERY_RELAXED || reduction->how == ORRERY_BUFFERED;
}

static void *orrery_target(const struct orrery_reduction *reduction, const void *env) {
    void *target;
    memcpy(&target, (const char *)env + reduction->target_offset, sizeof target);
    return target;
}

/* A copy starts as what the target holds. */
static int orrery_starts_as_target(const struct orrery_reduction *reduction) {
    int starts = reduction->fold ? reduction->fold->starts : 1;
    return starts == 2 ? reduction->array < 0 : starts;
}

static int orrery_is_nan(const char *value, unsigned long size) {
    float half;
    double full;
    long double wide;
    if (size == sizeof half)
        return memcpy(&half, value, size), half != half;
    if (size == sizeof full)
        return memcpy(&full, value, size), full != full;
    return memcpy(&wide, value, sizeof wide), wide != wide;
}

static void orrery_begin(char *to, const struct orrery_fold *fold) {
    if (fold->starts != 3 || !orrery_is_nan(to, fold->size))
        memcpy(to, fold->identity, fold->size);
}

static void orrery_begin_fields(char *to, const struct orrery_reduction *reduction) {
    for (int f = 0; f < reduction->nfields; ++f)
        for (long i = 0; i < reduction->fields[f].count; ++i)
            orrery_begin(to + reduction->fields[f].offset + i * reduction->fields[f].step,
                         reduction->fields[f].fold);
}

/* Before the first block of a row. */
static void orrery_copy_reset(const struct orrery_reduction *reduction,
                              const struct orrery_copies *copies, char *copy) {
    const struct orrery_fold *fold = reduction->fold;
    if (copies->start)
        memcpy(copy, copies->start, copies->bytes);
    if (fold && (!copies->start || fold->starts == 3))
        for (unsigned long at = 0; at + fold->size <= copies->bytes; at += fold->size)
            orrery_begin(copy + at, fold);
    if (reduction->how == ORRERY_FIELDS)
        for (unsigned long at = 0; at + reduction->size <= copies->bytes; at += reduction->size)
            orrery_begin_fields(copy + at, reduction);
}

static void orrery_fold_fields(const struct orrery_reduction *reduction, char *to,
                               const char *from) {
    for (int f = 0; f < reduction->nfields; ++f) {
        const struct orrery_field *field = &reduction->fields[f];
        for (long i = 0; i < field->count; ++i) {
            long at = field->offset + i * field->step;
            field->fold->fold(to + at, from + at, 1);
        }
    }
}

static int orrery_is_better(const struct orrery_field *field, const char *a, const char *than) {
    long double least[1] = {0};
    memcpy(least, than, field->fold->size);
    field->fold->fold(least, a, 1);
    return memcmp(least, than, field->fold->size) != 0;
}

/* A structure begins with the clock at which it was set + 1; 0: it was not. */
static void orrery_choose(const struct orrery_reduction *what, char *to, const char *from) {
    const struct orrery_field *field = what->nfields ? what->fields : 0;
    long at, was;
    memcpy(&at, from, sizeof at);
    memcpy(&was, to, sizeof was);
    int better = field && orrery_is_better(field, from + field->offset, to + field->offset);
    int worse = field && orrery_is_better(field, to + field->offset, from + field->offset);
    int first = what->how == ORRERY_CHOOSE_FIRST ? at < was : at >= was;
    if (at > 0 && (was == 0 || better || (!worse && first)))
        memcpy(to, from, what->size);
}

/* The elements [low, high) of one row's copy into the target. */
static void orrery_fold_row(const struct orrery_reduction *what, char *to, const char *from,
                            long low, long high) {
    to += (unsigned long)low * what->size;
    from += (unsigned long)low * what->size;
    if (what->how == ORRERY_FOLD)
        what->fold->fold(to, from, high - low);
    for (long i = low; i < high && what->how != ORRERY_FOLD;
         ++i, to += what->size, from += what->size)
        if (what->how == ORRERY_FIELDS)
            orrery_fold_fields(what, to, from);
        else
            orrery_choose(what, to, from);
}

#endif
