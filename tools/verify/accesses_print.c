/* What `orrery verify --accesses` says. */
#include "tools/verify/accesses.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[] = {
    [MET_FLOW] = "flow", [MET_ANTI] = "anti", [MET_ANTI_OWN] = "anti", [MET_OUTPUT] = "output"};

static int line_of(const struct seen_loop *loop) {
    return (int)json_integer_value(json_object_get(loop->claim, "line"));
}

static int column_of(const struct seen_loop *loop) {
    return (int)json_integer_value(json_object_get(loop->claim, "column"));
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_place(struct text_place place) {
    if (place.file)
        printf("%s:%d", place.file, place.line);
    else
        printf("a place without debug information");
}

static void print_side(const char *did, struct text_place place, int64_t iteration) {
    if (iteration >= 0)
        printf("iteration %" PRId64, iteration);
    else
        printf("an earlier iteration");
    printf(" %s it at ", did);
    print_place(place);
}

static void print_met(const struct met *met) {
    bool reads_first = met->kind == MET_ANTI || met->kind == MET_ANTI_OWN;
    printf("    %s%s%s: ", met->object ? met->object : "", met->object ? ", " : "", met->memory);
    print_side(reads_first ? "read" : "wrote", met->source, met->vectors[met->shown].iterations[0]);
    printf(", ");
    print_side(met->kind == MET_FLOW ? "read" : "wrote", met->sink,
               met->vectors[met->shown].iterations[1]);
    printf(" (%s, %" PRIu64 " time%s)", kinds[met->kind], met->count, met->count == 1 ? "" : "s");
    if (met->why)
        printf(": %s", met->why);
    printf("\n");
}

static void print_head(const struct seen_loop *loop) {
    printf("%s:%d:%d: %s, in %s: ", loop->file, line_of(loop), column_of(loop),
           accesses_answer_name(loop->answer), accesses_claim(loop, "function"));
    if (accesses_is_parallel(loop))
        printf("%s, %s [%s]\n", accesses_claim(loop, "strategy"), accesses_claim(loop, "order"),
               accesses_claim(loop, "code"));
    else
        printf("%.1f %% of the time; %s [%s]\n", 100 * loop->share, accesses_claim(loop, "message"),
               accesses_claim(loop, "code"));
}

/* The conflicts that made the answer. */
static void print_loop(const struct seen_loop *loop, enum excuse shown) {
    enum { MOST = 5 };
    int count = 0;
    print_head(loop);
    for (int i = 0; i < loop->nmet; ++i)
        if (loop->met[i].excuse == shown && count++ < MOST)
            print_met(&loop->met[i]);
    if (count > MOST)
        printf("    and %d more\n", count - MOST);
}

static void print_answers(const struct accesses *accesses, enum answer answer, enum excuse shown) {
    for (int i = 0; i < accesses->nloops; ++i)
        if (accesses->loops[i].answer == answer)
            print_loop(&accesses->loops[i], shown);
}

void accesses_print_text(const struct accesses *accesses, const char *program) {
    int ran = 0;
    for (int i = 0; i < accesses->nloops; ++i)
        ran += accesses->loops[i].answer < ANSWER_NOT_RUN;
    printf("orrery verify --accesses: %s: %d process%s, %" PRIu64 " loads and stores in loops\n",
           program, accesses->nruns, accesses->nruns == 1 ? "" : "es", accesses->touches);
    if (accesses->incomplete)
        printf("  a process ran on after 2^32 iterations: what came then was not watched\n");
    if (accesses->signal)
        printf("  signal %d (%s) ended a process: what it did until then was watched\n",
               accesses->signal, strsignal(accesses->signal));
    print_answers(accesses, ANSWER_CONTRADICTED, EXCUSE_NONE);
    print_answers(accesses, ANSWER_GUARDED, EXCUSE_GUARDED);
    print_answers(accesses, ANSWER_UNSURE, EXCUSE_UNPLACED);
    print_answers(accesses, ANSWER_MISSED, EXCUSE_HARMLESS);
    printf("%d loops: %d ran two iterations", accesses->nloops, ran);
    for (int i = 0; i < ANSWER_COUNT; ++i)
        if (accesses_count(accesses, (enum answer)i) > 0 || i == ANSWER_CONTRADICTED)
            printf(", %d %s", accesses_count(accesses, (enum answer)i),
                   accesses_answer_name((enum answer)i));
    printf("\n");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *text_json(const char *text) {
    json_t *json = text ? json_string(text) : NULL;
    return json ? json : json_null();
}

static json_t *place_json(struct text_place place) {
    return json_pack("{s:o, s:i, s:i}", "file", text_json(place.file), "line", place.line, "column",
                     place.column);
}

/* [distance, how often]; distance null: too many to tell apart. */
static json_t *distances_json(const struct met *met) {
    json_t *list = json_array();
    for (int i = 0; i < met->nvectors; ++i) {
        int64_t distance = met->vectors[i].distance;
        uint64_t count = 0;
        bool first = true;
        for (int k = 0; k < met->nvectors; ++k) {
            bool same = met->vectors[k].distance == distance;
            first = first && (!same || k >= i);
            count += same ? met->vectors[k].count : 0;
        }
        json_t *number = distance ? json_integer(distance) : json_null();
        if (first)
            json_array_append_new(list, json_pack("[o, I]", number, (json_int_t)count));
        else
            json_decref(number);
    }
    return list;
}

static json_t *met_json(const struct met *met) {
    static const char *const excuses[] = {[EXCUSE_NONE] = "none",
                                          [EXCUSE_CLAIMED] = "claimed",
                                          [EXCUSE_GUARDED] = "guarded",
                                          [EXCUSE_UNPLACED] = "unplaced",
                                          [EXCUSE_HARMLESS] = "harmless"};
    return json_pack(
        "{s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:[I, I], s:I, s:o}", "kind", kinds[met->kind],
        "object", text_json(met->object), "memory", text_json(met->memory), "excuse",
        excuses[met->excuse], "why", text_json(met->why), "source", place_json(met->source), "sink",
        place_json(met->sink), "iterations", (json_int_t)met->vectors[met->shown].iterations[0],
        (json_int_t)met->vectors[met->shown].iterations[1], "count", (json_int_t)met->count,
        "distances", distances_json(met));
}

static json_t *loop_json(const struct seen_loop *loop) {
    json_t *conflicts = json_array();
    for (int i = 0; i < loop->nmet; ++i)
        json_array_append_new(conflicts, met_json(&loop->met[i]));
    json_t *json = json_pack(
        "{s:o, s:i, s:i, s:o, s:s, s:I, s:I, s:f, s:I, s:o}", "file", text_json(loop->file), "line",
        line_of(loop), "column", column_of(loop), "function",
        text_json(accesses_claim(loop, "function")), "answer", accesses_answer_name(loop->answer),
        "instances", (json_int_t)loop->instances, "iterations", (json_int_t)loop->iterations,
        "share", loop->share, "dropped", (json_int_t)loop->dropped, "conflicts", conflicts);
    static const char *const copied[] = {"verdict", "code", "message", "strategy", "order",
                                         "marked",  "auto", "depth",   "unseen"};
    for (size_t i = 0; i < sizeof copied / sizeof *copied; ++i) {
        json_t *value = json_object_get(loop->claim, copied[i]);
        if (value)
            json_object_set(json, copied[i], value);
    }
    return json;
}

void accesses_print_json(const struct accesses *accesses, const char *program) {
    json_t *loops = json_array(), *counts = json_object();
    for (int i = 0; i < accesses->nloops; ++i)
        json_array_append_new(loops, loop_json(&accesses->loops[i]));
    for (int i = 0; i < ANSWER_COUNT; ++i)
        json_object_set_new(counts, accesses_answer_name((enum answer)i),
                            json_integer(accesses_count(accesses, (enum answer)i)));
    json_t *root =
        json_pack("{s:s, s:o, s:i, s:b, s:i, s:I, s:o, s:o}", "schema", "orrery-accesses/1",
                  "program", text_json(program), "processes", accesses->nruns, "complete",
                  !accesses->incomplete, "signal", accesses->signal, "accesses",
                  (json_int_t)accesses->touches, "answers", counts, "loops", loops);
    json_dumpf(root, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(root);
}
