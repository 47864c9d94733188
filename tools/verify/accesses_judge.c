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
    static const char *const codes[] = {ORR2210, ORR2211, ORR2212, ORR2217, ORR2219, ORR2100};
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
        accesses_excuse(accesses->arena, loop, &loop->met[i]);
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
