/* What met, held against what was claimed.
 * A contradiction is said only where nothing excuses it. */
#include "analyzer/analyzer.h"
#include "tools/verify/accesses.h"

#include <stdlib.h>
#include <string.h>

const char *accesses_claim(const struct seen_loop *loop, const char *name) {
    const char *text = json_string_value(json_object_get(loop->claim, name));
    return text ? text : "";
}

bool accesses_is_parallel(const struct seen_loop *loop) {
    return strcmp(accesses_claim(loop, "verdict"), "parallel") == 0;
}

int accesses_count(const struct accesses *accesses, enum answer answer) {
    int count = 0;
    for (int i = 0; i < accesses->nloops; ++i)
        count += accesses->loops[i].answer == answer;
    return count;
}

/* ---- objects of a place ---------------------------------------------------------------------- */

static const char *base_name(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

static long long number(const json_t *list, size_t index) {
    return json_integer_value(json_array_get(list, index));
}

/* The access stands on the line of the place, `slack` lines around included. */
static bool stands_at(const struct seen_loop *loop, const json_t *access, struct text_place place,
                      int slack) {
    const json_t *files = json_object_get(loop->unit, "files");
    const char *file = json_string_value(json_array_get(files, (size_t)number(access, 0)));
    return place.file && strcmp(base_name(file), base_name(place.file)) == 0 &&
           place.line >= number(access, 1) - slack && place.line <= number(access, 3) + slack;
}

/* Marks the objects that may be read, or written, at a place; returns how many. */
static int find_objects(const struct seen_loop *loop, struct text_place place, bool write,
                        int slack, bool *found) {
    const json_t *accesses = json_object_get(loop->claim, "accesses");
    int count = 0;
    for (size_t i = 0; i < json_array_size(accesses); ++i) {
        const json_t *access = json_array_get(accesses, i);
        size_t object = (size_t)number(access, 5);
        if (found[object] || json_is_true(json_array_get(access, 6)) != write ||
            !stands_at(loop, access, place, slack))
            continue;
        found[object] = true;
        ++count;
    }
    return count;
}

/* The objects that a conflict may be in: those of both places, else those of one. */
static int objects_of(const struct seen_loop *loop, const struct met *met, bool *in) {
    size_t count = json_array_size(json_object_get(loop->claim, "objects"));
    bool *source = calloc(count + 1, 1), *sink = calloc(count + 1, 1);
    bool source_writes = met->kind == MET_FLOW || met->kind == MET_OUTPUT;
    int both = 0, any = 0;
    for (int slack = 0; slack <= 3 && source && sink && !both; slack += 3) {
        find_objects(loop, met->source, source_writes, slack, source);
        find_objects(loop, met->sink, met->kind != MET_FLOW, slack, sink);
        for (size_t i = 0; i < count; ++i)
            both += source[i] && sink[i];
    }
    for (size_t i = 0; source && sink && i < count; ++i) {
        in[i] = both ? source[i] && sink[i] : source[i] || sink[i];
        any += in[i];
    }
    free(source);
    free(sink);
    return any;
}

/* ---- excuses --------------------------------------------------------------------------------- */

/* What the verdict says of an object or a variable: see cli/emit_accesses.c for the letters. */
static enum met_role role_of(const char *roles, enum met_kind kind) {
    return strchr(roles, 'c')                       ? ROLE_KEPT
           : strchr(roles, 'r')                     ? ROLE_REDUCTION
           : strchr(roles, 'x')                     ? ROLE_RELAXED
           : strchr(roles, 'i')                     ? ROLE_MOVED
           : strchr(roles, 'p') && kind != MET_FLOW ? ROLE_PRIVATE
           : strchr(roles, 'g')                     ? ROLE_GUARDED
                                                    : ROLE_NONE;
}

static const char *role_words(enum met_role role) {
    static const char *const words[] = {
        [ROLE_KEPT] = "a dependence that the plan keeps",
        [ROLE_REDUCTION] = "a reduction",
        [ROLE_RELAXED] = "relaxed or buffered",
        [ROLE_MOVED] = "moved in equal steps",
        [ROLE_PRIVATE] = "private to an iteration",
        [ROLE_GUARDED] = "guarded: the run would look first",
    };
    return words[role];
}

static enum excuse excuse_of(enum met_role role) {
    return role == ROLE_NONE ? EXCUSE_NONE : role == ROLE_GUARDED ? EXCUSE_GUARDED : EXCUSE_CLAIMED;
}

static int rank(enum excuse excuse) {
    return excuse == EXCUSE_CLAIMED ? 2 : excuse == EXCUSE_GUARDED ? 1 : 0;
}

/* Name and roles of item `index` of a list of the claim. */
static const char *item(const struct seen_loop *loop, const char *list, int index, size_t part) {
    const json_t *items = json_object_get(loop->claim, list);
    const char *text =
        json_string_value(json_array_get(json_array_get(items, (size_t)index), part));
    return text ? text : "";
}

static void excuse_by(struct met *met, const char *name, const char *roles) {
    enum met_role role = role_of(roles, met->kind);
    enum excuse excuse = excuse_of(role);
    if (!met->object || rank(excuse) > rank(met->excuse)) {
        met->object = name;
        met->excuse = excuse;
        met->role = role;
        met->why = role_words(role);
    }
}

/* Something in the loop may meet: then a conflict of unknown objects says nothing. */
static bool claims_any(const struct seen_loop *loop) {
    const json_t *objects = json_object_get(loop->claim, "objects");
    for (size_t i = 0; i < json_array_size(objects); ++i)
        if (*item(loop, "objects", (int)i, 1))
            return true;
    return json_array_size(json_object_get(loop->claim, "guards")) > 0;
}

static void excuse_symbol(const struct seen_loop *loop, struct met *met) {
    const json_t *objects = json_object_get(loop->claim, "objects");
    for (size_t i = 0; *met->symbol && i < json_array_size(objects); ++i)
        if (strcmp(item(loop, "objects", (int)i, 0), met->symbol) == 0)
            excuse_by(met, met->symbol, item(loop, "objects", (int)i, 1));
}

/* Which object it is, and what excuses it. */
static void excuse(struct accesses *accesses, const struct seen_loop *loop, struct met *met) {
    size_t count = json_array_size(json_object_get(loop->claim, "objects"));
    bool *in = arena_alloc(accesses->arena, count + 1);
    int any = objects_of(loop, met, in);
    if (met->variable >= 0)
        excuse_by(met, item(loop, "variables", met->variable, 0),
                  item(loop, "variables", met->variable, 1));
    excuse_symbol(loop, met);
    for (size_t i = 0; i < count; ++i)
        if (in[i])
            excuse_by(met, item(loop, "objects", (int)i, 0), item(loop, "objects", (int)i, 1));
    if (met->excuse == EXCUSE_NONE && json_is_true(json_object_get(loop->claim, "guarded"))) {
        met->excuse = EXCUSE_GUARDED;
        met->why = "the loop is guarded: the run would look first";
    }
    if (!any && met->variable < 0 && met->excuse == EXCUSE_NONE && claims_any(loop)) {
        met->excuse = EXCUSE_UNPLACED;
        met->why = "not known which of the loop's objects this is";
    }
}

/* ---- answers --------------------------------------------------------------------------------- */

static enum answer answer_parallel(const struct seen_loop *loop) {
    enum answer answer = ANSWER_CONFIRMED;
    for (int i = 0; i < loop->nmet; ++i) {
        enum excuse excuse = loop->met[i].excuse;
        enum answer own = excuse == EXCUSE_NONE       ? ANSWER_CONTRADICTED
                          : excuse == EXCUSE_GUARDED  ? ANSWER_GUARDED
                          : excuse == EXCUSE_UNPLACED ? ANSWER_UNSURE
                                                      : ANSWER_CONFIRMED;
        answer = own < answer ? own : answer;
    }
    return answer;
}

/* The order of iterations is seen from outside, whatever memory they touch. */
static bool has_effects(const struct seen_loop *loop) {
    static const char *const codes[] = {ORR2106, ORR2210, ORR2211, ORR2212,
                                        ORR2217, ORR2219, ORR2100};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i)
        if (strcmp(accesses_claim(loop, "code"), codes[i]) == 0)
            return true;
    return false;
}

/* Of a loop that stays serial: private data, sums and counters would not have to keep it so. */
static bool is_harmless(struct met *met) {
    bool own = met->kind == MET_OUTPUT || met->kind == MET_ANTI_OWN;
    bool sum = met->role == ROLE_REDUCTION || met->role == ROLE_MOVED;
    if (own && !sum)
        met->why = "an iteration could have its own";
    if (own || sum)
        met->excuse = EXCUSE_HARMLESS;
    else
        met->excuse = EXCUSE_NONE;
    return own || sum;
}

static enum answer answer_serial(struct seen_loop *loop) {
    bool met = loop->dropped > 0;
    for (int i = 0; i < loop->nmet; ++i)
        met |= !is_harmless(&loop->met[i]);
    return met ? ANSWER_SERIAL : has_effects(loop) ? ANSWER_EFFECTS : ANSWER_MISSED;
}

static enum answer answer_of(struct accesses *accesses, struct seen_loop *loop) {
    if (*accesses_claim(loop, "unseen") || !*accesses_claim(loop, "verdict"))
        return ANSWER_UNSEEN;
    if (loop->met_twice == 0 && loop->nmet == 0)
        return ANSWER_NOT_RUN;
    for (int i = 0; i < loop->nmet; ++i)
        excuse(accesses, loop, &loop->met[i]);
    return accesses_is_parallel(loop) ? answer_parallel(loop) : answer_serial(loop);
}

static int compare(const void *a, const void *b) {
    const struct seen_loop *x = a, *y = b;
    if (x->answer != y->answer)
        return x->answer < y->answer ? -1 : 1;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    int file = strcmp(x->file ? x->file : "", y->file ? y->file : "");
    long long lines = json_integer_value(json_object_get(x->claim, "line")) -
                      json_integer_value(json_object_get(y->claim, "line"));
    return file ? file : lines < 0 ? -1 : lines > 0;
}

void accesses_judge(struct accesses *accesses) {
    for (int i = 0; i < accesses->nloops; ++i) {
        struct seen_loop *loop = &accesses->loops[i];
        loop->answer = answer_of(accesses, loop);
        loop->share = accesses->ticks ? (double)loop->ticks / (double)accesses->ticks : 0;
    }
    if (accesses->nloops)
        qsort(accesses->loops, (size_t)accesses->nloops, sizeof *accesses->loops, compare);
}

const char *accesses_answer_name(enum answer answer) {
    static const char *const names[ANSWER_COUNT] = {[ANSWER_CONTRADICTED] = "contradicted",
                                                    [ANSWER_GUARDED] = "guarded",
                                                    [ANSWER_UNSURE] = "unsure",
                                                    [ANSWER_CONFIRMED] = "confirmed",
                                                    [ANSWER_MISSED] = "missed",
                                                    [ANSWER_SERIAL] = "serial",
                                                    [ANSWER_EFFECTS] = "effects",
                                                    [ANSWER_NOT_RUN] = "not run",
                                                    [ANSWER_UNSEEN] = "not seen"};
    return names[answer];
}
